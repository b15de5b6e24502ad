//! A project in a folder of its own, and the two ways to ask about it.

mod command;
mod dice;
pub mod follow;
mod project;
mod server;

pub use command::Run;
pub use dice::Dice;
pub use project::Project;
pub use server::{Server, greeting};
