//! The registry: the one place that names every tool, its parameters and what clients are told of it.
//!
//! The MCP tool list, the subcommands of the command line, the checks of arguments and `specs/tools.md`
//! are all made from these values, so they cannot disagree.

/// A tool, as clients and people see it.
#[derive(Debug)]
pub struct Tool {
    /// The name over MCP: `ctx_explore`.
    pub name: &'static str,
    /// The subcommand of the command line: `explore`.
    pub command: &'static str,
    pub title: &'static str,
    /// Plain ASCII below 2 KB, the important part first, with one example.
    pub description: &'static str,
    /// One line for `--help`.
    pub about: &'static str,
    pub params: &'static [Param],
    /// The client should load the tool without being asked (`_meta["anthropic/alwaysLoad"]`).
    pub always_load: bool,
    /// The most characters of a result (`_meta["anthropic/maxResultSizeChars"]`).
    pub max_result_chars: usize,
}

/// A parameter of a tool.
#[derive(Debug)]
pub struct Param {
    pub name: &'static str,
    pub kind: Kind,
    pub need: Need,
    pub description: &'static str,
    /// How the command line takes it.
    pub on_command_line: OnCommandLine,
}

/// The type of a parameter and its bounds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// A text of at most so many bytes.
    Text { max_bytes: usize },
    /// A list of at most so many texts, each of at most so many bytes.
    Texts { max_items: usize, max_bytes: usize },
    /// A whole number, both bounds included.
    Integer { min: u64, max: u64 },
    /// True or false.
    Flag,
}

/// What holds where a parameter is not given.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Need {
    Required,
    /// Empty: no text, no list.
    Optional,
    Integer(u64),
    Off,
}

/// Where the command line takes a parameter from.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OnCommandLine {
    /// The words after the options, joined by blanks.
    Words(&'static str),
    /// `--option VALUE`; a list repeats it.
    Option(&'static str, &'static str),
    /// `--option`.
    Switch(&'static str),
}

/// The most bytes of a question: long issue reports fit.
pub const MAX_QUERY_BYTES: usize = 65_536;

const MAX_BYTES: Kind = Kind::Integer { min: 1_000, max: 100_000 };
const PATH: Param = Param {
    name: "path",
    kind: Kind::Text { max_bytes: 4_096 },
    need: Need::Optional,
    description: "Only files at or below this path, relative to the root: \"src/http\".",
    on_command_line: OnCommandLine::Option("path", "PATH"),
};

/// All tools, in the order in which clients list them.
pub const TOOLS: &[Tool] = &[EXPLORE, SYMBOL, SEARCH, STATUS];

/// The tool of that MCP name.
pub fn find(name: &str) -> Option<&'static Tool> {
    TOOLS.iter().find(|tool| tool.name == name)
}

pub const EXPLORE: Tool = Tool {
    name: "ctx_explore",
    command: "explore",
    title: "Explore the repository",
    about: "Answer a question about the repository: call flow, code, citations",
    description: "\
Answers a question about this repository in one call: the call flow that answers it, the source code \
you need (with line numbers), and a <final_answer> block of path:start-end citations. Use it FIRST for \
\"how does X work\", \"where is Y handled\", \"what happens when Z\", and to locate the code that a bug \
report is about; it replaces a series of grep and read calls. Code that it shows need not be read again. \
Ask in plain words and include the names you know (types, functions, files, error texts); paste a bug \
report as it is. Put extra search terms into `keywords`. Redundant sibling implementations are shown as \
signatures, and an ellipsis stands for the rest of a function that is left out. With `citation: true` \
the result is the <final_answer> block alone (a few hundred tokens). \
Deterministic, offline, read-only.
Use ctx_symbol for one name's definition, callers and implementers; ctx_search for an exact text or regex.
Example: {\"query\": \"how does a request pass through the interceptor chain\", \"keywords\": [\"Interceptor\"]}",
    params: &[
        Param {
            name: "query",
            kind: Kind::Text { max_bytes: MAX_QUERY_BYTES },
            need: Need::Required,
            description: "The question, in plain words, with the names you know; or a bug report.",
            on_command_line: OnCommandLine::Words("QUERY"),
        },
        Param {
            name: "keywords",
            kind: Kind::Texts { max_items: 32, max_bytes: 512 },
            need: Need::Optional,
            description: "Search terms of your own; they come before those of the query.",
            on_command_line: OnCommandLine::Option("keyword", "WORD"),
        },
        PATH,
        Param {
            name: "max_turns",
            kind: Kind::Integer { min: 1, max: 10 },
            need: Need::Integer(3),
            description: "The most rounds of searching and following.",
            on_command_line: OnCommandLine::Option("max-turns", "N"),
        },
        Param {
            name: "max_bytes",
            kind: MAX_BYTES,
            need: Need::Integer(24_000),
            description: "The most bytes of the result, everything included.",
            on_command_line: OnCommandLine::Option("max-bytes", "N"),
        },
        Param {
            name: "citation",
            kind: Kind::Flag,
            need: Need::Off,
            description: "Only the <final_answer> block of citations.",
            on_command_line: OnCommandLine::Switch("citation"),
        },
    ],
    always_load: true,
    max_result_chars: 100_000,
};

pub const SYMBOL: Tool = Tool {
    name: "ctx_symbol",
    command: "symbol",
    title: "Look up a symbol",
    about: "Show a symbol: definition, callers, callees, implementers",
    description: "\
Looks up one symbol by name: where it is defined, its code, who calls it, what it calls, what implements, \
extends or overrides it. Each edge has its line, and edges without evidence are left out. Use it when you \
know the name and need its callers before a change, or the implementers of an interface. Qualify a name \
to narrow it down: \"RealCall.execute\", \"Buf::poll\". An unknown name is said to be unknown, with the \
nearest names. Use ctx_explore for questions in words.
Example: {\"name\": \"Interceptor.intercept\"}",
    params: &[
        Param {
            name: "name",
            kind: Kind::Text { max_bytes: 1_024 },
            need: Need::Required,
            description: "The symbol's name, plain or qualified: \"execute\", \"RealCall.execute\".",
            on_command_line: OnCommandLine::Words("NAME"),
        },
        PATH,
        Param {
            name: "max_bytes",
            kind: MAX_BYTES,
            need: Need::Integer(12_000),
            description: "The most bytes of the result, everything included.",
            on_command_line: OnCommandLine::Option("max-bytes", "N"),
        },
    ],
    always_load: false,
    max_result_chars: 100_000,
};

pub const SEARCH: Tool = Tool {
    name: "ctx_search",
    command: "search",
    title: "Search text",
    about: "Search the files' text for a literal text or a regex",
    description: "\
Searches the text of all files under the root that are not ignored, line by line, for a literal text (the \
default) or a regular expression, and names the function or class that holds each hit. Use it for exact \
strings: error messages, configuration keys, all uses of a constant. Production code comes before tests. \
Use ctx_explore for questions in words, ctx_symbol for callers and implementers.
Example: {\"pattern\": \"fn \\\\w+_timeout\", \"regex\": true, \"path\": \"src\"}",
    params: &[
        Param {
            name: "pattern",
            kind: Kind::Text { max_bytes: 4_096 },
            need: Need::Required,
            description: "The text to find within one line; a regular expression where regex is true.",
            on_command_line: OnCommandLine::Words("PATTERN"),
        },
        Param {
            name: "regex",
            kind: Kind::Flag,
            need: Need::Off,
            description: "Take the pattern as a regular expression (Rust regex syntax).",
            on_command_line: OnCommandLine::Switch("regex"),
        },
        Param {
            name: "ignore_case",
            kind: Kind::Flag,
            need: Need::Off,
            description: "Upper and lower case letters match each other.",
            on_command_line: OnCommandLine::Switch("ignore-case"),
        },
        PATH,
        Param {
            name: "max_results",
            kind: Kind::Integer { min: 1, max: 1_000 },
            need: Need::Integer(60),
            description: "The most lines to show.",
            on_command_line: OnCommandLine::Option("max-results", "N"),
        },
        Param {
            name: "max_bytes",
            kind: MAX_BYTES,
            need: Need::Integer(12_000),
            description: "The most bytes of the result, everything included.",
            on_command_line: OnCommandLine::Option("max-bytes", "N"),
        },
    ],
    always_load: false,
    max_result_chars: 100_000,
};

pub const STATUS: Tool = Tool {
    name: "ctx_status",
    command: "status",
    title: "Index status",
    about: "Show what is indexed, and what was skipped and why",
    description: "\
Says what is indexed: files by language, symbols, edges by kind, files with parse errors, and files that \
were skipped, each with the reason. Use it when an answer seems to miss a file, or to see whether the \
index is still being built.
Example: {}",
    params: &[],
    always_load: false,
    max_result_chars: 100_000,
};

/// What the server tells a client's model about itself: plain ASCII below 2 KB.
pub const INSTRUCTIONS: &str = "\
ctx-explore answers questions about the code of this repository, offline and in milliseconds.
- ctx_explore: call it first for any question about how the code works or where something is handled, \
and to locate the code behind a bug report. One call gives the call flow, the code with line numbers and \
path:start-end citations; do not read the shown code again.
- ctx_symbol: one name's definition, callers, callees and implementers; use it before changing a symbol.
- ctx_search: an exact text or a regular expression over all files, each hit with its function.
- ctx_status: what is indexed and what is not.
Results are of the files as they are now: edits made a moment ago are seen. An answer that says that \
something is unknown means that it is not in the indexed files.";

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_for_clients_are_short_plain_ascii() {
        let texts = TOOLS.iter().map(|tool| tool.description).chain([INSTRUCTIONS]);
        for text in texts {
            assert!(text.len() < 2_048, "{} bytes: {text}", text.len());
            assert!(text.bytes().all(|b| b == b'\n' || (b' '..=b'~').contains(&b)), "{text}");
        }
        for tool in TOOLS {
            assert!(tool.description.contains("\nExample: {"), "{} has no example", tool.name);
        }
    }

    #[test]
    fn examples_are_valid_calls() {
        for tool in TOOLS {
            let example = tool.description.rsplit("Example: ").next().unwrap();
            let value: serde_json::Value = serde_json::from_str(example).unwrap();
            let arguments = value.as_object().unwrap();
            super::super::Arguments::check(tool, arguments).unwrap();
        }
    }

    #[test]
    fn names_are_distinct_and_at_most_one_parameter_takes_the_words() {
        for (at, tool) in TOOLS.iter().enumerate() {
            assert_eq!(tool.name, format!("ctx_{}", tool.command));
            assert!(TOOLS[..at].iter().all(|other| other.name != tool.name));
            let words = tool.params.iter().filter(|p| matches!(p.on_command_line, OnCommandLine::Words(_)));
            assert!(words.count() <= 1);
            for (at, param) in tool.params.iter().enumerate() {
                assert!(tool.params[..at].iter().all(|other| other.name != param.name));
            }
        }
    }
}
