//! Ctrl-C, `--timeout` and `--memory`: all ask the work to end with what is known.

use crate::memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
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

    /// So far that there is no time to end in order.
    pub fn is_far_beyond_memory(&self) -> bool {
        self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now / 5 * 4 > max)
    }

    pub fn is_half_of_memory_taken(&self) -> bool {
        self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now > max / 2)
    }
}
