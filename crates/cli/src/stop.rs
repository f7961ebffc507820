//! Ctrl-C, `--timeout` and `--memory`: all ask the work to end with what is known.

use crate::memory;
use std::convert::Infallible;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, channel};
use std::sync::{Arc, OnceLock};
use std::time::{Duration, Instant};

/// Why to stop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Interrupted,
    Timeout,
    OutOfMemory,
}

impl Reason {
    /// As in `verdict: unknown (timeout)`.
    pub fn words(self) -> &'static str {
        match self {
            Reason::Interrupted => "interrupted",
            Reason::Timeout => "timeout",
            Reason::OutOfMemory => "out of memory",
        }
    }
}

/// Whether to stop, and when at the latest.
pub struct Stop {
    interrupted: Arc<AtomicBool>,
    deadline: Option<Instant>,
    /// Bytes that this process may have in memory.
    max_resident: Option<u64>,
}

impl Stop {
    /// The time, in seconds, begins now. A second Ctrl-C ends the process at once.
    pub fn new(timeout: Option<u64>) -> Stop {
        let interrupted = Arc::new(AtomicBool::new(false));
        let flag = interrupted.clone();
        // Without a handler Ctrl-C simply ends the process.
        let _ = ctrlc::set_handler(move || {
            if flag.swap(true, Ordering::Relaxed) {
                std::process::exit(crate::exit::Exit::Unknown as i32);
            }
        });
        let deadline = timeout.and_then(|s| Instant::now().checked_add(Duration::from_secs(s)));
        Stop { interrupted, deadline, max_resident: None }
    }

    pub fn with_memory(self, max_resident: Option<u64>) -> Stop {
        Stop { max_resident, ..self }
    }

    pub fn reason(&self) -> Option<Reason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            Some(Reason::Timeout)
        } else if self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now > max) {
            Some(Reason::OutOfMemory)
        } else {
            None
        }
    }

    /// Does some work while a second thread watches: when it is time to stop it raises the flag that the work looks at,
    /// and in between it calls `tick`. Work that does not heed the flag is not waited for: `overdue` has to end the
    /// process with what is known. Also says why the flag was raised, if it was.
    pub fn watch<T>(
        &self,
        work: impl FnOnce(Arc<AtomicBool>) -> T,
        mut tick: impl FnMut() + Send,
        overdue: impl FnOnce(Reason) -> Infallible + Send,
    ) -> (T, Option<Reason>) {
        let flag = Arc::new(AtomicBool::new(false));
        let why = OnceLock::new();
        let result = std::thread::scope(|scope| {
            let (done, is_done) = channel::<()>();
            let (flag, why) = (&flag, &why);
            scope.spawn(move || {
                let mut raised = None;
                while is_done.recv_timeout(TICK) == Err(RecvTimeoutError::Timeout) {
                    if let Some(reason) = self.reason() {
                        let since = *raised.get_or_insert_with(Instant::now);
                        let reason = *why.get_or_init(|| reason);
                        flag.store(true, Ordering::Relaxed);
                        if since.elapsed() > GRACE || self.is_far_beyond_memory() {
                            // What it shows goes away with it.
                            drop(tick);
                            match overdue(reason) {}
                        }
                    }
                    tick();
                }
            });
            let result = work(flag.clone());
            drop(done);
            result
        });
        (result, why.into_inner())
    }

    fn is_far_beyond_memory(&self) -> bool {
        self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now / 5 * 4 > max)
    }
}

const TICK: Duration = Duration::from_millis(20);

/// How long work may take to heed the flag.
const GRACE: Duration = Duration::from_secs(3);
