//! When work ends with what is known, and why: a signal, `--timeout`, `--memory`.

use crate::memory;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StopReason {
    Interrupted,
    Timeout,
    OutOfMemory,
}

impl StopReason {
    /// As in `verdict: unknown (timeout)`.
    pub fn words(self) -> &'static str {
        match self {
            StopReason::Interrupted => "interrupted",
            StopReason::Timeout => "timeout",
            StopReason::OutOfMemory => "out of memory",
        }
    }
}

/// Whether to stop, and when at the latest.
pub struct Stop {
    interrupted: Arc<AtomicBool>,
    /// In seconds, from the beginning.
    pub timeout: Option<u64>,
    deadline: Option<Instant>,
    /// Bytes that this process may have in memory.
    max_resident: Option<u64>,
}

impl Stop {
    /// `timeout` is in seconds from now.
    pub fn new(interrupted: Arc<AtomicBool>, timeout: Option<u64>) -> Stop {
        let deadline = timeout.and_then(|s| Instant::now().checked_add(Duration::from_secs(s)));
        Stop { interrupted, timeout, deadline, max_resident: None }
    }

    pub fn with_memory(self, max_resident: Option<u64>) -> Stop {
        Stop { max_resident, ..self }
    }

    pub fn reason(&self) -> Option<StopReason> {
        if self.interrupted.load(Ordering::Relaxed) {
            Some(StopReason::Interrupted)
        } else if self.deadline.is_some_and(|d| Instant::now() >= d) {
            Some(StopReason::Timeout)
        } else if self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now > max) {
            Some(StopReason::OutOfMemory)
        } else {
            None
        }
    }

    /// So far beyond the limit that there is no time to end in order.
    pub fn is_far_beyond_memory(&self) -> bool {
        self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now / 5 * 4 > max)
    }

    pub fn is_half_of_memory_taken(&self) -> bool {
        self.max_resident.zip(memory::resident()).is_some_and(|(max, now)| now > max / 2)
    }
}
