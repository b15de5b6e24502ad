//! ctx-explore answers a coding agent's question about a repository in one call.
//!
//! Index side: [`files`] are parsed and reduced to facts by [`extract`] with the data of [`lang`];
//! [`resolve`] turns the facts of all files into the symbol graph; [`store`] keeps facts and graph in
//! SQLite, [`lexical`] keeps the words in tantivy; [`index`] decides what has changed and in which order
//! it is rebuilt. Explore side: [`explore`] turns a question into an `Answer`, [`render`] prints it.
//! [`tools`] joins the two behind one registry of tools that the command line and [`mcp`] offer.
//!
//! Imports run downward only: `text < files, lang < extract < resolve < store, lexical < index,
//! explore < render < tools < mcp, eval < cli`; `index` and `explore` never import each other.

pub mod text;

pub mod files;
pub mod lang;

pub mod extract;

pub mod resolve;

pub mod lexical;
pub mod store;

pub mod explore;
pub mod index;

pub mod render;

pub mod tools;

pub mod cli;
pub mod eval;
pub mod mcp;
