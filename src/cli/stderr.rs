//! The error stream of a server: logs and reports of panics. Nobody may read it, so a thread of its own writes
//! it, and what that thread cannot keep up with is dropped.

use std::backtrace::Backtrace;
use std::io::{self, IsTerminal, Write};
use std::sync::mpsc::{Receiver, SyncSender, channel, sync_channel};
use std::thread;
use std::time::Duration;

use tracing_subscriber::EnvFilter;

/// Reports that wait to be written.
const WAITING: usize = 256;
/// At the end, what waits may take so long to be written.
const FLUSH: Duration = Duration::from_millis(300);

/// Writes what waits when it is dropped, as far as somebody reads it.
pub struct Guard {
    reports: SyncSender<Report>,
}

enum Report {
    Text(Vec<u8>),
    /// All before it is written.
    Done(std::sync::mpsc::Sender<()>),
}

/// Takes over the reports of panics, and logs where `CTX_EXPLORE_LOG` asks for it (`debug`,
/// `ctx_explore=trace`).
pub fn begin() -> Guard {
    let (reports, waiting) = sync_channel(WAITING);
    // Without the thread nothing is reported: there is nobody to tell.
    let _ = thread::Builder::new().name("stderr".to_owned()).spawn(move || write(&waiting));
    let panics = reports.clone();
    std::panic::set_hook(Box::new(move |panic| {
        let name = thread::current().name().unwrap_or("?").to_owned();
        let trace = Backtrace::capture();
        let text = format!("ctx-explore: thread '{name}' {panic}\n{trace}\n");
        let _ = panics.try_send(Report::Text(text.into_bytes()));
    }));
    if let Ok(filter) = EnvFilter::try_from_env("CTX_EXPLORE_LOG") {
        let logs = reports.clone();
        let colours = io::stderr().is_terminal();
        let writer = move || Lossy(logs.clone());
        tracing_subscriber::fmt().with_env_filter(filter).with_ansi(colours).with_writer(writer).init();
    }
    Guard { reports }
}

fn write(waiting: &Receiver<Report>) {
    for report in waiting {
        match report {
            Report::Text(text) => {
                let _ = io::stderr().write_all(&text);
            }
            Report::Done(done) => {
                let _ = done.send(());
            }
        }
    }
}

impl Drop for Guard {
    fn drop(&mut self) {
        let (done, written) = channel();
        if self.reports.try_send(Report::Done(done)).is_ok() {
            let _ = written.recv_timeout(FLUSH);
        }
    }
}

/// Takes each event whole, or drops it.
struct Lossy(SyncSender<Report>);

impl Write for Lossy {
    fn write(&mut self, text: &[u8]) -> io::Result<usize> {
        let _ = self.0.try_send(Report::Text(text.to_vec()));
        Ok(text.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_does_not_fit_is_dropped_and_nobody_waits() {
        let (reports, waiting) = sync_channel(2);
        let mut lossy = Lossy(reports);
        for text in ["a", "b", "c"] {
            assert_eq!(lossy.write(text.as_bytes()).unwrap(), 1);
        }
        let texts: Vec<Vec<u8>> = waiting
            .try_iter()
            .map(|report| match report {
                Report::Text(text) => text,
                Report::Done(_) => Vec::new(),
            })
            .collect();
        assert_eq!(texts, [b"a", b"b"]);
        // Nobody writes: the end does not wait for it for ever.
        let (reports, _waiting) = sync_channel(1);
        drop(Guard { reports });
    }
}
