//! The error boundary: what went wrong goes to stderr, and the exit code says how it ended.

use std::io::Write;
use std::process::ExitCode;

use ctx_explore::cli;

fn main() -> ExitCode {
    #[cfg(all(target_os = "linux", target_env = "gnu"))]
    bound_heaps();
    let _reports = cli::reports();
    match cli::run(std::env::args_os(), &cli::Environment::read()) {
        Ok(code) => code,
        Err(error) => {
            // Nothing is left to be told where stderr is gone as well.
            let _ = writeln!(std::io::stderr(), "ctx-explore: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// As many heaps as processors. A server runs for days, and its calls come on more threads than that: with a heap
/// for each, what one of them needed once would never be used by another.
#[cfg(all(target_os = "linux", target_env = "gnu"))]
#[expect(unsafe_code, reason = "the allocator of the system has no other interface")]
fn bound_heaps() {
    let processors = std::thread::available_parallelism().map_or(1, usize::from);
    let heaps = processors.min(64) as libc::c_int;
    // SAFETY: it takes two numbers, and no other thread runs yet.
    unsafe { libc::mallopt(libc::M_ARENA_MAX, heaps) };
}
