//! Ranges of a file: bytes (`Span`) and lines (`LineRange`).

use serde::{Deserialize, Serialize};

/// A half-open range of bytes of one file.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct Span {
    pub start: u32,
    pub end: u32,
}

impl Span {
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(start <= end);
        Span { start, end }
    }

    pub fn len(self) -> u32 {
        self.end - self.start
    }

    pub fn is_empty(self) -> bool {
        self.start == self.end
    }

    pub fn contains(self, offset: u32) -> bool {
        self.start <= offset && offset < self.end
    }

    /// Whether `other` lies inside this span (equal spans do).
    pub fn encloses(self, other: Span) -> bool {
        self.start <= other.start && other.end <= self.end
    }

    /// The bytes of `text` in this span; empty where the span leaves the text.
    pub fn of(self, text: &str) -> &str {
        text.get(self.start as usize..self.end as usize).unwrap_or("")
    }
}

/// A range of lines of one file, 1-based, both ends included.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Hash, Serialize, Deserialize)]
pub struct LineRange {
    pub start: u32,
    pub end: u32,
}

impl LineRange {
    pub fn new(start: u32, end: u32) -> Self {
        debug_assert!(1 <= start && start <= end);
        LineRange { start, end }
    }

    /// The number of lines, at least 1.
    pub fn count(self) -> u32 {
        self.end - self.start + 1
    }

    pub fn contains(self, line: u32) -> bool {
        self.start <= line && line <= self.end
    }

    pub fn overlaps(self, other: LineRange) -> bool {
        self.start <= other.end && other.start <= self.end
    }
}
