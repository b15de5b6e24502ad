//! The tools: one registry, one engine that runs a call, and the texts for whatever can go wrong with it.
//! The command line and the MCP server only carry arguments in and text out.

mod arguments;
pub mod document;
mod engine;
mod fresh;
mod limits;
mod near;
mod partial;
pub mod registry;
mod root;
mod search;
mod texts;
mod view;
mod wanted;

pub use arguments::{ArgumentError, Arguments};
pub use engine::{Call, Ending, Engine, Form, Options, Outcome, Time};
pub use fresh::Progress;
pub use limits::limits;
pub use root::{RootError, Surroundings, resolve as resolve_root};
pub use view::{Reading, View};
