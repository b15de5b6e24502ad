//! Calls that several tests make, as arguments of both the tool and its subcommand.

use serde_json::{Value, json};

/// A tool's name, its arguments, and the same call on the command line.
pub type Call = (&'static str, Value, &'static [&'static str]);

/// Calls that show something of a Kotlin fixture with each tool.
pub fn interceptors() -> Vec<Call> {
    vec![
        (
            "ctx_explore",
            json!({"query": "how does a call run through its interceptors"}),
            &["explore", "how does a call run through its interceptors"],
        ),
        (
            "ctx_explore",
            json!({"query": "who retries", "keywords": ["RetryInterceptor", "attempts"], "citation": true}),
            &[
                "explore",
                "--keyword",
                "RetryInterceptor",
                "--keyword",
                "attempts",
                "--citation",
                "--",
                "who",
                "retries",
            ],
        ),
        (
            "ctx_explore",
            json!({"query": "DirectCall.execute", "path": "src/main", "max_turns": 1, "max_bytes": 3000}),
            &[
                "explore",
                "DirectCall.execute",
                "--path",
                "src/main",
                "--max-turns",
                "1",
                "--max-bytes",
                "3000",
            ],
        ),
        ("ctx_symbol", json!({"name": "Interceptor"}), &["symbol", "Interceptor"]),
        ("ctx_symbol", json!({"name": "no_such_name"}), &["symbol", "no_such_name"]),
        (
            "ctx_search",
            json!({"pattern": "proceed(", "max_results": 5}),
            &["search", "proceed(", "--max-results", "5"],
        ),
        (
            "ctx_search",
            json!({"pattern": "CLASS \\w+Interceptor", "regex": true, "ignore_case": true}),
            &["search", "--regex", "--ignore-case", "CLASS \\w+Interceptor"],
        ),
        ("ctx_search", json!({"pattern": "nowhere to be found"}), &["search", "nowhere to be found"]),
        ("ctx_status", json!({}), &["status"]),
    ]
}
