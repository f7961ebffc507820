//! Ctrl-C and other wishes to end, `--timeout` and `--memory`: all ask the work to end with what is known.

use crate::memory;
use nix::sys::signal::{SigHandler, Signal, signal};
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

/// Signals that come so close together are one wish: `timeout` sends its signal twice, and a terminal that is closed too.
const TOGETHER: Duration = Duration::from_millis(500);

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
        let mut first: Option<Instant> = None;
        on_signal(move || {
            flag.store(true, Ordering::Relaxed);
            if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
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

/// On Ctrl-C, SIGTERM, and when the terminal goes. Under `nohup` that is ignored, and stays so.
fn on_signal(handler: impl FnMut() + Send + 'static) {
    // SAFETY: to ignore a signal runs no code of ours.
    let before = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    // Without a handler these signals simply end the process.
    let has_failed = ctrlc::set_handler(handler).is_err();
    if let Ok(before) = before
        && (has_failed || matches!(before, SigHandler::SigIgn))
    {
        // SAFETY: it was so before.
        let _ = unsafe { signal(Signal::SIGHUP, before) };
    }
}
