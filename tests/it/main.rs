//! End-to-end tests over the real binary: the command line, and MCP over pipes.
//!
//! Each test has a folder of its own with a copy of a project, a home and a cache; the environment is
//! empty otherwise. Names of clauses (CE-1) refer to `specs/ctx-explore.md`.

#![allow(clippy::unwrap_used, reason = "a test that cannot go on ends")]

mod answers;
mod bad_input;
mod command_line;
mod crashes;
mod determinism;
mod doctor;
mod documents;
mod git;
mod html;
mod install;
mod layers;
mod protocol;
mod repositories;
mod requests;
mod rmcp_client;
mod setting_up;
mod sharing;
mod streams;
mod suites;
mod support;
mod terminal;
mod watching;
