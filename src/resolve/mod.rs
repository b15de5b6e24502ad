//! References → edges, each with a reason and a confidence.
//!
//! [`resolve`] first builds read-only tables over all files: definitions ([`symbols`]), modules
//! ([`modules`]), what names and imports mean ([`names`]), the families of types ([`families`]). Then
//! each file's references are resolved by itself ([`references`]) with lexical scopes ([`scopes`]) and
//! the types of receivers ([`infer`], [`written`], [`calls`], [`overloads`], [`wrappers`], [`members`], [`types`]): a
//! file's edges are a function of its facts and of the tables. An edge exists only with evidence; what
//! could mean several unrelated things means none.

mod arguments;
mod calls;
mod edges;
mod families;
mod graph;
mod infer;
mod members;
mod modules;
mod names;
mod order;
mod overloads;
mod parts;
mod provenance;
mod references;
mod scopes;
mod symbols;
mod types;
mod visible;
mod wrappers;
mod written;

#[cfg(test)]
mod tests;

pub use edges::{ResolveInput, resolve};
pub use graph::*;
