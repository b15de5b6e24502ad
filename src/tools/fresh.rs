//! A value that is refreshed for every caller: one refresh at a time, on a thread of its own, so that a
//! caller can stop waiting while the work goes on.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::Duration;

use crate::index::Stage;

/// How far a refresh is, in files to parse. Both numbers are 0 until the files are listed.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Progress {
    pub stage: Stage,
    pub done: u32,
    pub total: u32,
}

impl Default for Progress {
    fn default() -> Self {
        Progress { stage: Stage::Listing, done: 0, total: 0 }
    }
}

/// What a caller gets.
#[derive(Clone, Debug)]
pub enum Refreshed<T> {
    /// Made by a refresh that began after the caller came.
    Ready(Arc<T>),
    /// The refresh failed: what to do about it.
    Failed(String),
    /// The caller gave up waiting; the refresh goes on.
    Unfinished(Progress),
}

type Make<T> = dyn Fn(&(dyn Fn(Progress) + Sync)) -> Result<Arc<T>, String> + Send + Sync;

/// The refresh that a caller needs: the first that began after it came.
#[derive(Clone, Copy, Debug)]
pub struct Asked(u64);

/// The value's maker and its state, shared with the refreshing thread.
pub struct Fresh<T> {
    shared: Arc<Shared<T>>,
}

struct Shared<T> {
    make: Box<Make<T>>,
    state: Mutex<State<T>>,
    changed: Condvar,
}

struct State<T> {
    /// Refreshes begun and ended so far; at most one runs.
    begun: u64,
    ended: u64,
    last: Option<Result<Arc<T>, String>>,
    progress: Progress,
}

/// How often a waiting caller asks itself whether to give up.
const TICK: Duration = Duration::from_millis(20);

impl<T: Send + Sync + 'static> Fresh<T> {
    pub fn new(
        make: impl Fn(&(dyn Fn(Progress) + Sync)) -> Result<Arc<T>, String> + Send + Sync + 'static,
    ) -> Self {
        let state = State { begun: 0, ended: 0, last: None, progress: Progress::default() };
        let shared = Shared { make: Box::new(make), state: Mutex::new(state), changed: Condvar::new() };
        Fresh { shared: Arc::new(shared) }
    }

    /// Begins a refresh, unless one runs.
    pub fn begin(&self) {
        let mut state = self.shared.lock();
        if state.begun == state.ended {
            self.spawn(&mut state);
        }
    }

    /// How far the running refresh is; `None` where none runs.
    pub fn progress(&self) -> Option<Progress> {
        let state = self.shared.lock();
        (state.begun > state.ended).then_some(state.progress)
    }

    /// How far the very first refresh is, while it runs.
    pub fn first(&self) -> Option<Progress> {
        let state = self.shared.lock();
        (state.begun == 1 && state.ended == 0).then_some(state.progress)
    }

    /// The value as of now. Waits until `give_up` says to stop.
    pub fn get(&self, give_up: &dyn Fn() -> bool) -> Refreshed<T> {
        self.wait(self.ask(), give_up)
    }

    /// Asks for the value as of now, to be waited for later.
    pub fn ask(&self) -> Asked {
        let mut state = self.shared.lock();
        // The first build may have begun before this call: it reads the files now, which is soon enough.
        let needed = if state.ended == 0 { 1 } else { state.begun + 1 };
        if state.begun == state.ended {
            self.spawn(&mut state);
        }
        Asked(needed)
    }

    /// The last value that was made, out of date or not.
    pub fn last(&self) -> Option<Arc<T>> {
        self.shared.lock().last.as_ref().and_then(|last| last.as_ref().ok().cloned())
    }

    /// The value that was asked for. Waits until `give_up` says to stop.
    pub fn wait(&self, Asked(needed): Asked, give_up: &dyn Fn() -> bool) -> Refreshed<T> {
        let mut state = self.shared.lock();
        loop {
            if state.ended >= needed
                && let Some(last) = &state.last
            {
                return match last {
                    Ok(value) => Refreshed::Ready(value.clone()),
                    Err(error) => Refreshed::Failed(error.clone()),
                };
            }
            if state.begun == state.ended {
                self.spawn(&mut state);
            }
            let progress = state.progress;
            // The caller may ask for the progress, so it is not asked under the lock.
            drop(state);
            if give_up() {
                return Refreshed::Unfinished(progress);
            }
            state = self.shared.lock();
            if state.ended >= needed {
                continue;
            }
            let waited = self.shared.changed.wait_timeout(state, TICK);
            state = waited.unwrap_or_else(PoisonError::into_inner).0;
        }
    }

    fn spawn(&self, state: &mut State<T>) {
        state.begun += 1;
        state.progress = Progress::default();
        let shared = self.shared.clone();
        let spawned = thread::Builder::new().name("refresh".to_owned()).spawn(move || {
            let report = |progress| shared.lock().progress = progress;
            let made = catch_unwind(AssertUnwindSafe(|| (shared.make)(&report)));
            shared.end(made.unwrap_or_else(|_| Err(BROKEN.to_owned())));
        });
        if let Err(error) = spawned {
            state.ended = state.begun;
            state.last = Some(Err(format!("No thread can be started ({error}). Try again later.")));
        }
    }
}

const BROKEN: &str = "The index could not be refreshed: an internal error, reported on stderr. \
                      Delete the index folder and try again; please report it if it happens again.";

impl<T> Shared<T> {
    fn lock(&self) -> MutexGuard<'_, State<T>> {
        // No code that can panic runs under the lock, so a poisoned state is a whole state.
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn end(&self, made: Result<Arc<T>, String>) {
        let mut state = self.lock();
        state.ended = state.begun;
        state.last = Some(made);
        drop(state);
        self.changed.notify_all();
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicU64, Ordering};
    use std::sync::mpsc;

    use super::*;

    fn ready(refreshed: Refreshed<u64>) -> u64 {
        match refreshed {
            Refreshed::Ready(value) => *value,
            other => panic!("{other:?}"),
        }
    }

    #[test]
    fn each_later_call_sees_a_refresh_of_its_own() {
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |_| Ok(Arc::new(count.fetch_add(1, Ordering::SeqCst) + 1)));
        assert_eq!(ready(fresh.get(&|| false)), 1);
        assert_eq!(ready(fresh.get(&|| false)), 2);
    }

    #[test]
    fn what_was_asked_for_is_made_while_the_caller_does_something_else() {
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |_| Ok(Arc::new(count.fetch_add(1, Ordering::SeqCst) + 1)));
        assert_eq!(fresh.last(), None);
        assert_eq!(ready(fresh.get(&|| false)), 1);
        let asked = fresh.ask();
        while fresh.progress().is_some() {
            thread::yield_now();
        }
        assert_eq!(fresh.last().as_deref(), Some(&2));
        // No refresh but the one that was asked for.
        assert_eq!(ready(fresh.wait(asked, &|| false)), 2);
    }

    #[test]
    fn a_caller_that_gives_up_learns_how_far_it_is_and_the_work_goes_on() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let (reported, report) = mpsc::channel::<()>();
        let reported = Mutex::new(reported);
        let fresh = Fresh::new(move |progress| {
            progress(Progress { stage: Stage::Parsing, done: 3, total: 10 });
            reported.lock().unwrap().send(()).unwrap();
            // Until the other end is gone: a second build, where the first ended before it was asked for, goes on.
            let _ = wait.lock().unwrap().recv();
            Ok(Arc::new(7))
        });
        fresh.begin();
        report.recv().unwrap();
        assert!(matches!(
            fresh.get(&|| true),
            Refreshed::Unfinished(Progress { stage: Stage::Parsing, done: 3, total: 10 })
        ));
        drop(go);
        assert_eq!(ready(fresh.get(&|| false)), 7);
        assert_eq!(fresh.progress(), None);
    }

    #[test]
    fn a_waiting_caller_may_ask_for_the_progress() {
        let fresh = Fresh::new(|_| Ok(Arc::new(1)));
        assert_eq!(ready(fresh.get(&|| fresh.progress().is_some_and(|progress| progress.total > 0))), 1);
    }

    #[test]
    fn a_panic_is_a_failure_and_the_next_call_works() {
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |_| match count.fetch_add(1, Ordering::SeqCst) {
            0 => panic!("first"),
            n => Ok(Arc::new(n)),
        });
        assert!(matches!(fresh.get(&|| false), Refreshed::Failed(text) if text == BROKEN));
        assert_eq!(ready(fresh.get(&|| false)), 1);
    }
}
