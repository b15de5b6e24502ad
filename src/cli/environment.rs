//! The environment: read once, at the edge, and passed on as values.

use std::env;
use std::path::PathBuf;
use std::time::{SystemTime, UNIX_EPOCH};

use crate::tools::Surroundings;

/// What the process is told by its environment.
#[derive(Clone, Debug, Default)]
pub struct Environment {
    pub home: Option<PathBuf>,
    pub working: PathBuf,
    /// `CLAUDE_PROJECT_DIR`: the project that the client has open.
    pub project: Option<PathBuf>,
    /// The user's cache folder: `XDG_CACHE_HOME`, else `.cache` in the home folder.
    pub cache: Option<PathBuf>,
    /// The file of this program.
    pub program: Option<PathBuf>,
    /// The folders of `PATH`, those that do not depend on the working directory.
    pub path: Vec<PathBuf>,
    /// `CLAUDE_CONFIG_DIR`: where Claude Code keeps its settings instead of in the home folder.
    pub claude: Option<PathBuf>,
    /// `CTX_EXPLORE_ADAPTIVE=0` turns the skeletons of redundant siblings off.
    pub adaptive: bool,
    /// At least 1.
    pub processors: usize,
}

impl Environment {
    pub fn read() -> Self {
        let folder = |name: &str| env::var_os(name).map(PathBuf::from).filter(|path| path.is_absolute());
        let home = env::home_dir().filter(|home| home.is_absolute());
        Environment {
            working: env::current_dir().unwrap_or_default(),
            project: folder("CLAUDE_PROJECT_DIR"),
            cache: folder("XDG_CACHE_HOME").or_else(|| home.as_ref().map(|home| home.join(".cache"))),
            program: env::current_exe().ok(),
            path: env::var_os("PATH")
                .map(|path| env::split_paths(&path).filter(|folder| folder.is_absolute()).collect())
                .unwrap_or_default(),
            claude: folder("CLAUDE_CONFIG_DIR"),
            adaptive: env::var_os("CTX_EXPLORE_ADAPTIVE").is_none_or(|value| value != "0"),
            processors: std::thread::available_parallelism().map_or(1, usize::from),
            home,
        }
    }

    /// What there is to choose a root from.
    pub fn surroundings(&self, explicit: Option<PathBuf>) -> Surroundings {
        Surroundings {
            explicit,
            offered: Vec::new(),
            project: self.project.clone(),
            working: self.working.clone(),
            home: self.home.clone(),
        }
    }
}

/// The wall clock in nanoseconds since the epoch; 0 for a clock that stands before it.
pub fn now() -> i64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    i64::try_from(since.as_nanos()).unwrap_or(0)
}
