//! The error boundary: what went wrong goes to stderr, and the exit code says how it ended.

use std::io::{IsTerminal, Write};
use std::process::ExitCode;

use ctx_explore::cli;

fn main() -> ExitCode {
    log();
    match cli::run(std::env::args_os(), &cli::Environment::read()) {
        Ok(code) => code,
        Err(error) => {
            // Nothing is left to be told where stderr is gone as well.
            let _ = writeln!(std::io::stderr(), "ctx-explore: {error:#}");
            ExitCode::from(2)
        }
    }
}

/// Logs go to stderr, and only where `CTX_EXPLORE_LOG` asks for them (`debug`, `ctx_explore=trace`): a
/// client that never reads stderr must not be able to block the server.
fn log() {
    if let Ok(filter) = tracing_subscriber::EnvFilter::try_from_env("CTX_EXPLORE_LOG") {
        let stderr = std::io::stderr;
        let colours = stderr().is_terminal();
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(stderr).init();
    }
}
