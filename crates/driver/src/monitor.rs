//! Watches an engine at work: is told how far the engine is, and can stop it.

use crate::report::Report;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

pub struct Monitor<'a> {
    stop: Arc<AtomicBool>,
    tell: &'a mut dyn FnMut(Report),
}

impl<'a> Monitor<'a> {
    /// An engine polls `stop`; `tell` gets what it would answer if it were stopped now.
    pub fn new(stop: Arc<AtomicBool>, tell: &'a mut dyn FnMut(Report)) -> Monitor<'a> {
        Monitor { stop, tell }
    }

    pub fn stop(&self) -> &Arc<AtomicBool> {
        &self.stop
    }

    pub fn is_stopped(&self) -> bool {
        self.stop.load(Ordering::Relaxed)
    }

    /// What is known so far.
    pub fn tell(&mut self, so_far: Report) {
        (self.tell)(so_far);
    }
}
