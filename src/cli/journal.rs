//! The journal that `--trace` writes: one JSON line for each stage of an exploration, with the time since it
//! began.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::{Path, PathBuf};
use std::time::Instant;

use anyhow::Context;
use serde::Serialize;

use crate::explore::{Trace, TraceEvent};

pub struct Journal {
    out: BufWriter<File>,
    path: PathBuf,
    begun: Option<Instant>,
    written: std::io::Result<()>,
}

impl Journal {
    pub fn create(path: &Path) -> anyhow::Result<Self> {
        let file =
            File::create(path).with_context(|| format!("the trace {} cannot be written", path.display()))?;
        Ok(Journal { out: BufWriter::new(file), path: path.to_path_buf(), begun: None, written: Ok(()) })
    }

    /// Ends the journal; an error is the first that writing met.
    pub fn finish(mut self) -> anyhow::Result<()> {
        let written = self.written.and_then(|()| self.out.flush());
        written.with_context(|| format!("the trace {} cannot be written", self.path.display()))
    }
}

impl Trace for Journal {
    fn event(&mut self, event: TraceEvent) {
        #[derive(Serialize)]
        struct Timed {
            /// Microseconds since the first stage ended.
            at: u64,
            #[serde(flatten)]
            event: TraceEvent,
        }
        let begun = self.begun.get_or_insert_with(Instant::now);
        let timed = Timed { at: begun.elapsed().as_micros() as u64, event };
        if self.written.is_ok() {
            self.written = serde_json::to_writer(&mut self.out, &timed)
                .map_err(std::io::Error::from)
                .and_then(|()| self.out.write_all(b"\n"));
        }
    }
}
