#![no_main]

libfuzzer_sys::fuzz_target!(init: targets::cache::init(), |bytes: &[u8]| targets::cache::run(bytes));
