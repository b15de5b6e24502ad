//! One file → `FileFacts`: definitions, references, imports, supertypes, parse state.
//!
//! `extract` is a pure function of the bytes and the language: it parses, runs the language's query and
//! reads the captured nodes by the tables of the language's spec. No code here knows a language by name.

mod bindings;
mod branches;
mod captures;
mod definitions;
mod depth;
mod expressions;
mod facts;
mod grammar;
mod harvest;
mod imports;
mod instances;
mod leading;
mod macros;
mod nest;
mod outline;
mod parse;
mod places;
mod query;
mod reader;
mod recovery;
mod references;
mod results;
mod tokens;
mod tree;
mod types;

#[cfg(test)]
mod print;
#[cfg(any(test, fuzzing))]
mod sound;
#[cfg(test)]
mod tests;

pub use depth::MAX_DEPTH;
pub use facts::*;
pub use parse::{MAX_NESTING, MAX_TEMPLATES};
#[cfg(any(test, fuzzing))]
pub use sound::sound;
pub use tokens::{TokenKind, tokens};

use crate::{lang::LanguageSpec, text::Span};

/// A larger file is not parsed: its facts are a module and one error. 8 MiB.
pub const MAX_BYTES: usize = 8 << 20;

/// What `text` says by itself, read as a file of a language.
pub fn extract(spec: &'static LanguageSpec, text: &str) -> FileFacts {
    let grammar = grammar::of(spec);
    let mut harvest = harvest::Harvest::default();
    let tree = if text.len() > MAX_BYTES { None } else { parse::whole(grammar, text) };
    match tree {
        Some(tree) => {
            let bodies = harvest.add(grammar, &tree, text);
            if let Some(syntax) = &spec.syntax.macros {
                macros::Expander { grammar, text, syntax }.expand(&mut harvest, &tree, &bodies, 0);
            }
            if harvest.errors.is_empty() {
                harvest.errors.extend(parse::unseen(&tree, text));
            }
            harvest.errors.extend(parse::too_deep(text));
            if !harvest.errors.is_empty() {
                recovery::recover(grammar, text, Some(&tree), &mut harvest);
            }
        }
        None => {
            harvest.errors.push(Span::new(0, text.len() as u32));
            if text.len() <= MAX_BYTES {
                recovery::recover(grammar, text, None, &mut harvest);
            }
        }
    }
    outline::facts(grammar, text, harvest)
}
