//! One file → `FileFacts`: definitions, references, imports, supertypes, parse state.

mod facts;

pub use facts::*;
