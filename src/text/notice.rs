//! Notices of copyright and licence at the top of a source file: nothing that a question is about.

/// Words that make a comment one, in lower case.
const WORDS: [&str; 6] = [
    "copyright",
    "spdx-license",
    "licensed under",
    "all rights reserved",
    "permission is hereby granted",
    "governed by",
];

/// The number of lines that a notice at the top of a source text takes with what stands above it; 0 where there is
/// none. It is the first comment with one of the words, before any code; comments of documentation do not count.
pub fn notice_lines(text: &str) -> u32 {
    let (mut end, mut says, mut block) = (0, false, false);
    for (at, line) in text.lines().enumerate() {
        let line = line.trim_start_matches('\u{feff}').trim();
        if !block && line.is_empty() {
            // What comes after is another comment.
            if says {
                break;
            }
            continue;
        }
        let comment = match line.strip_prefix("/*") {
            Some(rest) if !block => {
                block = !rest.contains("*/");
                true
            }
            _ if block => {
                block = !line.contains("*/");
                true
            }
            _ => is_line_comment(line),
        };
        if !comment {
            break;
        }
        let line = line.to_ascii_lowercase();
        says |= WORDS.iter().any(|word| line.contains(word));
        end = at as u32 + 1;
    }
    if says { end } else { 0 }
}

fn is_line_comment(line: &str) -> bool {
    let documents = ["///", "//!", "#[", "#!["].iter().any(|mark| line.starts_with(mark));
    !documents && (line.starts_with("//") || line.starts_with('#'))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_notice_ends_with_its_comment() {
        for (lines, text) in [
            (4, "/*\n * Copyright 2020 Somebody\n * All rights reserved.\n */\npackage a\n"),
            (1, "/* SPDX-License-Identifier: MIT */\nint a;\n"),
            (
                2,
                "// Copyright Somebody.\n// Use it under the licence beside it.\n\n// What this file does.\nfn a() {}\n",
            ),
            (3, "#!/usr/bin/env python\n\n# Licensed under the Apache License\nimport a\n"),
            (4, "\u{feff}/**\n * Copyright\n *\n * More of it. */\nclass A\n"),
            (3, "// A line.\n\n// Copyright\nfn a() {}\n"),
            (1, "# (c) copyright"),
        ] {
            assert_eq!(notice_lines(text), lines, "{text}");
        }
    }

    #[test]
    fn code_and_documentation_are_no_notice() {
        for text in [
            "",
            "\n\n",
            "// What this file does.\nfn license() {}\n",
            "//! Reads the copyright of a crate.\nfn a() {}\n",
            "// Package licenses finds the license of each dependency.\npackage licenses\n",
            "/** Checks the user's licence key. */\nexport function check() {}\n",
            "\"\"\"Copyright checks.\"\"\"\nimport a\n",
            "import a\n# Copyright\n",
            "#[cfg(license)]\nfn a() {}\n",
        ] {
            assert_eq!(notice_lines(text), 0, "{text}");
        }
    }
}
