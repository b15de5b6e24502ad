//! The ranking signals of a file: one table of name, weight and reason.
//!
//! A file's score is the weighted sum of its signals times its prior. Each signal is between 0 and about 1
//! for one query, so that the weights compare.

/// One ranking signal.
#[derive(Clone, Copy, Debug)]
pub struct Signal {
    pub name: &'static str,
    pub weight: f32,
    /// What it measures and why that tells where the code is.
    pub why: &'static str,
}

pub const BEST_CHUNK: usize = 0;
pub const WHOLE_FILE: usize = 1;
pub const TITLE: usize = 2;
pub const STEM: usize = 3;
pub const DIRECTORY: usize = 4;
pub const SYMBOL_NAMES: usize = 5;
pub const NAMED_PATH: usize = 6;
pub const SIZE: usize = 7;
pub const PROXIMITY: usize = 8;

/// By the constants above.
pub const SIGNALS: [Signal; 9] = [
    Signal {
        name: "best_chunk",
        weight: 0.40,
        why: "BM25F of the file's best chunk: one function that holds most of the words is where they meet",
    },
    Signal {
        name: "whole_file",
        weight: 0.20,
        why: "BM25F of the file as one document: words spread over a file's functions still name its topic",
    },
    Signal {
        name: "title",
        weight: 0.20,
        why: "BM25F of the file on the title's words alone: a title has less noise than a report's body",
    },
    Signal {
        name: "stem",
        weight: 0.15,
        why: "query words in the file's name: files are named for what they do",
    },
    Signal {
        name: "directory",
        weight: 0.20,
        why: "query words in the path's folders: they name the subsystem",
    },
    Signal {
        name: "symbol_names",
        weight: 0.15,
        why: "symbols defined here that the query names, rarer names counting more",
    },
    Signal { name: "named_path", weight: 0.40, why: "the query gives the file's path, as in a stack frame" },
    Signal {
        name: "size",
        weight: 0.30,
        why: "the logarithm of the line count: more code, more reasons to change",
    },
    Signal {
        name: "proximity",
        weight: 0.30,
        why: "distinct query words within eight lines: words that stand together belong together",
    },
];

/// The signals of a range inside its file; the first four are shares of the file's best.
pub const RANGE_SIGNALS: [Signal; 7] = [
    Signal { name: "chunk", weight: 0.3, why: "BM25F of the chunk that the range is of" },
    Signal { name: "chunk_title", weight: 0.05, why: "the same on the title's words alone" },
    Signal { name: "window", weight: 0.1, why: "distinct query words in the range" },
    Signal { name: "line", weight: 0.05, why: "distinct query words on one line of it" },
    Signal { name: "named", weight: 0.1, why: "the query names the symbol" },
    Signal { name: "neighbour", weight: 0.05, why: "called by, or calling, the file's best chunks" },
    Signal {
        name: "length",
        weight: 0.6,
        why: "the logarithm of its chunk's lines: more code, more to change",
    },
];

pub const CHUNK: usize = 0;
pub const CHUNK_TITLE: usize = 1;
pub const RANGE_WINDOW: usize = 2;
pub const RANGE_LINE: usize = 3;
pub const RANGE_NAMED: usize = 4;
pub const NEIGHBOUR: usize = 5;
pub const LENGTH: usize = 6;

/// Extensions of source code; what is neither here nor has a grammar is prose or data.
const SOURCE_EXTENSIONS: &[&str] = &[
    "c", "cc", "clj", "cpp", "cs", "cxx", "dart", "ex", "exs", "go", "groovy", "h", "hh", "hpp", "hs",
    "java", "js", "jsx", "lua", "m", "ml", "mm", "php", "pl", "proto", "pyi", "pyx", "r", "rb", "scala",
    "sh", "sql", "svelte", "swift", "ts", "tsx", "vue", "zig",
];

pub fn is_source_extension(extension: &str) -> bool {
    SOURCE_EXTENSIONS.binary_search(&extension).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_table_is_whole() {
        assert!(SOURCE_EXTENSIONS.is_sorted());
        for (at, name) in [(BEST_CHUNK, "best_chunk"), (NAMED_PATH, "named_path"), (PROXIMITY, "proximity")] {
            assert_eq!(SIGNALS[at].name, name);
        }
        assert!(SIGNALS.iter().all(|signal| signal.weight > 0.0 && !signal.why.is_empty()));
    }
}
