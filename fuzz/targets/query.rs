#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::query::init(), |bytes: &[u8]| targets::query::run(bytes));
