//! Runs the binary once and keeps all that a failure has to show.

use std::io::ErrorKind;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::thread;

use super::Project;

pub struct Run {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
    shown: String,
}

impl Project {
    /// The binary in the project's folder, with nothing of the surroundings but a home and a cache.
    pub fn command(&self) -> Command {
        let mut command = Command::new(env!("CARGO_BIN_EXE_ctx-explore"));
        command.current_dir(self.root()).env_clear();
        command.env("HOME", self.home()).env("XDG_CACHE_HOME", self.cache());
        command
    }

    pub fn run(&self, arguments: &[&str]) -> Run {
        let mut command = self.command();
        command.args(arguments);
        Run::of(command)
    }
}

impl Run {
    pub fn of(mut command: Command) -> Self {
        command.stdin(Stdio::null());
        // A test beside this one may have started a process while a copy of the program was written, which holds
        // the copy open until that process runs a program of its own.
        let output = loop {
            match command.output() {
                Err(error) if error.kind() == ErrorKind::ExecutableFileBusy => thread::yield_now(),
                output => break output.unwrap(),
            }
        };
        let stdout = String::from_utf8(output.stdout).expect("stdout is UTF-8");
        let stderr = String::from_utf8(output.stderr).expect("stderr is UTF-8");
        let folder = command.get_current_dir().map_or(PathBuf::new(), PathBuf::from);
        let shown = format!(
            "command: {command:?}\nin: {}\nexit: {:?}\n--- stdout\n{stdout}\n--- stderr\n{stderr}\n---",
            folder.display(),
            output.status
        );
        Run { code: output.status.code(), stdout, stderr, shown }
    }

    /// The output of a command that must end in that way, with nothing on the other stream.
    #[track_caller]
    pub fn ends(&self, code: i32) -> &str {
        assert_eq!(self.code, Some(code), "{}", self.shown);
        let (said, quiet) =
            if code == 2 { (&self.stderr, &self.stdout) } else { (&self.stdout, &self.stderr) };
        assert_eq!(quiet, "", "{}", self.shown);
        said
    }
}
