//! A project in a folder of its own, and the two ways to ask about it.

mod command;
pub mod follow;
mod project;
mod server;

pub use command::Run;
pub use project::Project;
pub use server::{Server, greeting};
