//! References → edges, each with a reason and a confidence.
//!
//! [`resolve`] first builds read-only tables over all files: definitions ([`symbols`]), modules
//! ([`modules`]), what names and imports mean ([`names`], [`targets`]), the families of types ([`families`],
//! [`lineage`]) and the relations between them ([`relations`]). Then
//! each file's references are resolved by itself ([`references`]) with lexical scopes ([`scopes`]) and
//! the types of receivers ([`infer`], [`written`], [`calls`], [`overloads`], [`wrappers`], [`members`], [`types`]): a
//! file's edges are a function of its facts and of the tables. An edge exists only with evidence; what
//! could mean several unrelated things means none.
//!
//! While a file is resolved, its trail notes what it looked at in other files ([`trail`]). After an edit
//! [`resolve_again`] takes over the edges of each file on whose trail nothing has changed: what others see of
//! the edited files ([`surface`]), the entries of the tables ([`digests`]) and what names mean in the trees of modules
//! ([`module_answers`]) are compared with those of before. The tables are carried over in the same way ([`carried`]).

mod again;
mod arguments;
mod bindings;
mod bridges;
mod callables;
mod calls;
mod carried;
mod digests;
mod edges;
mod expected;
mod extensions;
mod families;
mod file;
mod graph;
mod implicit;
mod infer;
mod inheritance;
mod kin;
mod lineage;
mod links;
mod members;
mod memo;
mod module_answers;
mod module_tree;
mod modules;
mod moves;
mod names;
mod order;
mod overloads;
mod parts;
mod provenance;
mod references;
mod relations;
mod scopes;
mod slot_calls;
mod slots;
mod specifiers;
mod spots;
mod surface;
mod symbols;
mod taken;
mod targets;
mod trail;
mod types;
mod visible;
mod world;
mod wrappers;
mod written;

#[cfg(test)]
mod tests;

pub use again::{Edited, Resolution, resolve_again};
pub use edges::{ResolveInput, resolve};
pub use graph::*;
