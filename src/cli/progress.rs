//! The progress bar: on stderr, on a terminal only.

use indicatif::{ProgressBar, ProgressDrawTarget, ProgressStyle};

use super::shows_progress;
use crate::tools::Progress;

pub struct Bar {
    bar: ProgressBar,
}

impl Bar {
    pub fn new() -> Self {
        let target =
            if shows_progress() { ProgressDrawTarget::stderr() } else { ProgressDrawTarget::hidden() };
        let bar = ProgressBar::with_draw_target(None, target);
        if let Ok(style) = ProgressStyle::with_template("indexing {bar:30} {pos}/{len} files") {
            bar.set_style(style);
        }
        Bar { bar }
    }

    /// Shows how far the index is, once its files are known.
    pub fn show(&self, progress: Option<Progress>) {
        if let Some(Progress { done, total, .. }) = progress
            && total > 0
        {
            self.bar.set_length(total.into());
            self.bar.set_position(done.into());
        }
    }

    pub fn clear(&self) {
        self.bar.finish_and_clear();
    }
}
