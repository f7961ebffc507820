//! Ctrl-C and other signals: they ask the work to end with what is known.

use nix::sys::signal::{SigHandler, Signal, signal};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};
use tp_driver::Stop;

/// Signals this close together count as one: `timeout` sends its signal twice, and so does a terminal that is closed.
const TOGETHER: Duration = Duration::from_millis(500);

/// Ends the work this many seconds from now, or on a signal. A second Ctrl-C ends the process at once.
pub fn after(timeout: Option<u64>) -> Stop {
    let interrupted = Arc::new(AtomicBool::new(false));
    let flag = interrupted.clone();
    let mut first: Option<Instant> = None;
    on_signal(move || {
        flag.store(true, Ordering::Relaxed);
        if first.get_or_insert_with(Instant::now).elapsed() > TOGETHER {
            std::process::exit(crate::exit::Exit::Unknown as i32);
        }
    });
    Stop::new(interrupted, timeout)
}

/// Handles Ctrl-C, SIGTERM, and SIGHUP when the terminal is closed. Under `nohup` SIGHUP is ignored, and stays so.
fn on_signal(handler: impl FnMut() + Send + 'static) {
    // SAFETY: ignoring a signal runs no code of ours.
    let before = unsafe { signal(Signal::SIGHUP, SigHandler::SigIgn) };
    // Without a handler these signals end the process.
    let has_failed = ctrlc::set_handler(handler).is_err();
    if let Ok(before) = before
        && (has_failed || matches!(before, SigHandler::SigIgn))
    {
        // SAFETY: this restores what was set before.
        let _ = unsafe { signal(Signal::SIGHUP, before) };
    }
}
