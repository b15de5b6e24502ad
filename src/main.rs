//! The error boundary: what went wrong goes to stderr, and the exit code says how it ended.

use std::io::Write;
use std::process::ExitCode;

use ctx_explore::cli;

fn main() -> ExitCode {
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
