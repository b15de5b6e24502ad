//! A value that is refreshed for every caller: one refresh at a time, on a thread of its own, so that a
//! caller can stop waiting while the work goes on. Where all callers have cancelled, the work stops too.

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

/// Why a refresh makes no value.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Failure {
    /// Nobody wants it any more: it left off.
    Stopped,
    /// What to do about it.
    Failed(String),
}

type Make<T> = dyn Fn(&dyn Work) -> Result<Arc<T>, Failure> + Send + Sync;

/// The refresh as its maker sees it.
pub trait Work: Sync {
    fn report(&self, progress: Progress);

    /// Whether to leave off: nobody waits for the value, and nobody counts on it.
    fn is_unwanted(&self) -> bool;
}

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
    /// Callers that have come and not gone.
    callers: u32,
    /// A caller has gone in the belief that the running refresh goes on.
    promised: bool,
    /// All callers have cancelled: the running refresh is to stop.
    unwanted: bool,
    /// A refresh was stopped, and none has begun since.
    stopped: bool,
}

impl<T> State<T> {
    fn last(&self) -> Option<Arc<T>> {
        self.last.as_ref().and_then(|last| last.as_ref().ok().cloned())
    }
}

/// A caller, from its coming to its going. What it began stops if it cancels and no other caller counts on it.
pub struct Caller<'f, T> {
    shared: &'f Shared<T>,
    cancelled: &'f dyn Fn() -> bool,
}

impl<T> Drop for Caller<'_, T> {
    fn drop(&mut self) {
        // The caller's own code is not asked under the lock.
        let cancelled = (self.cancelled)();
        let mut state = self.shared.lock();
        state.callers -= 1;
        if state.begun > state.ended {
            state.promised |= !cancelled;
            state.unwanted = cancelled && state.callers == 0 && !state.promised;
        }
    }
}

/// How long it mostly takes to learn that nothing has changed, where the system tells.
const MOMENT: Duration = Duration::from_millis(1);
/// How often a waiting caller asks itself whether to give up.
const TICK: Duration = Duration::from_millis(20);

impl<T: Send + Sync + 'static> Fresh<T> {
    pub fn new(make: impl Fn(&dyn Work) -> Result<Arc<T>, Failure> + Send + Sync + 'static) -> Self {
        let state = State {
            begun: 0,
            ended: 0,
            last: None,
            progress: Progress::default(),
            callers: 0,
            promised: false,
            unwanted: false,
            stopped: false,
        };
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

    /// A caller comes. Until it goes, what it waits for is not stopped; `cancelled` is asked when it goes.
    pub fn caller<'f>(&'f self, cancelled: &'f dyn Fn() -> bool) -> Caller<'f, T> {
        let mut state = self.shared.lock();
        state.callers += 1;
        state.unwanted = false;
        Caller { shared: &self.shared, cancelled }
    }

    /// Begins again what was stopped.
    pub fn resume(&self) {
        let mut state = self.shared.lock();
        if state.stopped && state.begun == state.ended {
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
        // One that runs may have listed the files before they were changed.
        let needed = state.begun + 1;
        if state.begun == state.ended {
            self.spawn(&mut state);
        }
        Asked(needed)
    }

    /// The last value that was made, out of date or not.
    #[cfg(test)]
    pub fn last(&self) -> Option<Arc<T>> {
        self.shared.lock().last()
    }

    /// The value that the one asked for is likely to be: itself where it is made within a moment, else the last
    /// one; `None` where something has changed, or there is no last one.
    pub fn likely(&self, Asked(needed): Asked) -> Option<Arc<T>> {
        let state = self.shared.lock();
        let undecided = |state: &mut State<T>| state.ended < needed && state.progress.stage == Stage::Listing;
        let waited = self.shared.changed.wait_timeout_while(state, MOMENT, undecided);
        let state = waited.unwrap_or_else(PoisonError::into_inner).0;
        let changed = state.ended < needed && state.progress.stage > Stage::Listing;
        state.last().filter(|_| !changed)
    }

    /// The value that was asked for, where it is there.
    pub fn made(&self, Asked(needed): Asked) -> Option<Arc<T>> {
        let state = self.shared.lock();
        (state.ended >= needed).then(|| state.last()).flatten()
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
        state.stopped = false;
        let shared = self.shared.clone();
        let spawned = thread::Builder::new().name("refresh".to_owned()).spawn(move || {
            let made = catch_unwind(AssertUnwindSafe(|| (shared.make)(shared.as_ref())));
            shared.end(made.unwrap_or_else(|_| Err(Failure::Failed(BROKEN.to_owned()))));
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

    fn end(&self, made: Result<Arc<T>, Failure>) {
        let mut state = self.lock();
        state.promised = false;
        state.unwanted = false;
        let mut past = None;
        match made {
            // As if it had not begun: who came since has another begun.
            Err(Failure::Stopped) => {
                state.begun = state.ended;
                state.stopped = true;
            }
            Ok(value) => {
                state.ended = state.begun;
                past = state.last.replace(Ok(value));
            }
            Err(Failure::Failed(why)) => {
                state.ended = state.begun;
                state.last = Some(Err(why));
            }
        }
        drop(state);
        self.changed.notify_all();
        // It takes a while, for which nobody waits.
        drop(past);
    }
}

impl<T: Send + Sync> Work for Shared<T> {
    fn report(&self, progress: Progress) {
        let mut state = self.lock();
        let begins = progress.stage > state.progress.stage;
        state.progress = progress;
        drop(state);
        if begins {
            self.changed.notify_all();
        }
    }

    fn is_unwanted(&self) -> bool {
        self.lock().unwanted
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
    fn a_call_that_comes_while_the_first_refresh_runs_sees_one_of_its_own() {
        let (go_on, steps) = mpsc::channel::<()>();
        let steps = Mutex::new(steps);
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |_| {
            steps.lock().unwrap().recv().unwrap();
            Ok(Arc::new(count.fetch_add(1, Ordering::SeqCst) + 1))
        });
        fresh.begin();
        let asked = fresh.ask();
        (0..2).for_each(|_| go_on.send(()).unwrap());
        assert_eq!(ready(fresh.wait(asked, &|| false)), 2);
    }

    #[test]
    fn the_likely_value_is_the_one_asked_for_or_the_last_unless_something_has_changed() {
        let (go_on, steps) = mpsc::channel::<Stage>();
        let steps = Mutex::new(steps);
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |work: &dyn Work| {
            while let Ok(stage) = steps.lock().unwrap().recv() {
                if stage == Stage::Listing {
                    break;
                }
                work.report(Progress { stage, done: 0, total: 1 });
            }
            Ok(Arc::new(count.fetch_add(1, Ordering::SeqCst) + 1))
        });
        let likely = |asked| fresh.likely(asked).as_deref().copied();
        let first = fresh.ask();
        assert_eq!(likely(first), None);
        go_on.send(Stage::Listing).unwrap();
        assert_eq!(ready(fresh.wait(first, &|| false)), 1);
        let second = fresh.ask();
        assert_eq!(likely(second), Some(1), "nothing is known yet");
        go_on.send(Stage::Parsing).unwrap();
        while fresh.progress().is_some_and(|progress| progress.stage == Stage::Listing) {
            thread::yield_now();
        }
        assert_eq!(likely(second), None, "something has changed");
        go_on.send(Stage::Listing).unwrap();
        assert_eq!(ready(fresh.wait(second, &|| false)), 2);
        assert_eq!(likely(second), Some(2));
    }

    #[test]
    fn a_caller_that_gives_up_learns_how_far_it_is_and_the_work_goes_on() {
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let (reported, report) = mpsc::channel::<()>();
        let reported = Mutex::new(reported);
        let fresh = Fresh::new(move |work| {
            work.report(Progress { stage: Stage::Parsing, done: 3, total: 10 });
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
    /// A refresh that goes on until it is unwanted or let go, and says when it begins.
    fn endless() -> (Fresh<u64>, mpsc::Receiver<()>, Arc<AtomicU64>) {
        let (begun, begins) = mpsc::channel::<()>();
        let begun = Mutex::new(begun);
        let let_go = Arc::new(AtomicU64::new(0));
        let go = let_go.clone();
        let fresh = Fresh::new(move |work| {
            begun.lock().unwrap().send(()).unwrap();
            loop {
                match go.load(Ordering::SeqCst) {
                    0 if work.is_unwanted() => return Err(Failure::Stopped),
                    0 => thread::yield_now(),
                    value => return Ok(Arc::new(value)),
                }
            }
        });
        (fresh, begins, let_go)
    }

    #[test]
    fn what_the_last_caller_cancels_stops_and_a_later_one_gets_it_all_the_same() {
        let (fresh, begins, let_go) = endless();
        // Begun by nobody's call: it is made for calls, and goes as they go.
        fresh.begin();
        begins.recv().unwrap();
        for _ in 0..3 {
            let caller = fresh.caller(&|| true);
            assert!(matches!(fresh.get(&|| true), Refreshed::Unfinished(_)));
            drop(caller);
            while fresh.progress().is_some() {
                thread::yield_now();
            }
            assert_eq!((fresh.first(), fresh.last()), (None, None));
            fresh.resume();
            begins.recv().unwrap();
            assert!(fresh.first().is_some());
        }
        let_go.store(5, Ordering::SeqCst);
        assert_eq!(ready(fresh.get(&|| false)), 5);
        // Nothing was stopped since.
        fresh.resume();
        assert_eq!(fresh.progress(), None);
    }

    #[test]
    fn a_caller_that_waits_or_was_put_off_keeps_the_work_going() {
        let (fresh, begins, let_go) = endless();
        let waits = fresh.caller(&|| true);
        let _ = fresh.get(&|| true);
        begins.recv().unwrap();
        drop(fresh.caller(&|| true));
        assert!(!fresh.shared.is_unwanted(), "another waits");
        drop(fresh.caller(&|| false));
        drop(waits);
        assert!(!fresh.shared.is_unwanted(), "another was told to come again");
        let_go.store(7, Ordering::SeqCst);
        assert_eq!(ready(fresh.get(&|| false)), 7);
        // What is promised is promised of one refresh.
        let_go.store(0, Ordering::SeqCst);
        let caller = fresh.caller(&|| true);
        assert!(matches!(fresh.get(&|| true), Refreshed::Unfinished(_)));
        drop(caller);
        while fresh.progress().is_some() {
            thread::yield_now();
        }
        assert_eq!(fresh.last().as_deref(), Some(&7));
    }

    #[test]
    fn who_comes_while_the_work_stops_has_it_begun_again() {
        let (stopping, seen) = mpsc::channel::<()>();
        let stopping = Mutex::new(stopping);
        let (go, wait) = mpsc::channel::<()>();
        let wait = Mutex::new(wait);
        let count = AtomicU64::new(0);
        let fresh = Fresh::new(move |work| {
            if count.fetch_add(1, Ordering::SeqCst) > 0 {
                return Ok(Arc::new(9));
            }
            while !work.is_unwanted() {
                thread::yield_now();
            }
            stopping.lock().unwrap().send(()).unwrap();
            let _ = wait.lock().unwrap().recv();
            Err(Failure::Stopped)
        });
        let caller = fresh.caller(&|| true);
        let _ = fresh.get(&|| true);
        drop(caller);
        seen.recv().unwrap();
        let _caller = fresh.caller(&|| false);
        let asked = fresh.ask();
        drop(go);
        assert_eq!(ready(fresh.wait(asked, &|| false)), 9);
    }
}
