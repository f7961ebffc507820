//! Ctrl-C and `--timeout`: both ask the work to end with what is known.

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// Why to stop.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Reason {
    Interrupted,
    Timeout,
}

/// Whether to stop, and when at the latest.
pub struct Stop {
    interrupted: Arc<AtomicBool>,
    deadline: Option<Instant>,
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
        Stop { interrupted, deadline }
    }

    pub fn reason(&self) -> Option<Reason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(Reason::Interrupted)
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            Some(Reason::Timeout)
        } else {
            None
        }
    }
}
