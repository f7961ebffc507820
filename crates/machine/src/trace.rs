//! The decisions of one run: which thread took each step, every input value, and the addresses that were decided. With
//! the program they determine the run: replaying them reaches the same end, byte for byte.

use crate::decide::InputSource;
use crate::layout::Layout;
use std::collections::BTreeMap;

/// The number of a thread, as the program sees it: 0 is the first, numbers are never used twice.
pub type ThreadNumber = u32;

/// A value that came from outside.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Input {
    pub name: String,
    pub width: u32,
    pub signed: bool,
    /// Nothing happens if it is 0.
    pub rare: bool,
    pub bits: u128,
}

/// The length of a trace.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(crate) struct TraceEnd {
    runs: usize,
    last: u64,
    pub(crate) inputs: usize,
}

#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Trace {
    /// Threads in the order of their steps, as runs of the same thread.
    schedule: Vec<(ThreadNumber, u64)>,
    pub inputs: Vec<Input>,
    /// Values that failed attempts found in memory that was never written, the latest for each location.
    pub found: BTreeMap<InputSource, Input>,
    /// The addresses of objects, where those were decided.
    pub layout: Layout,
}

impl Trace {
    pub fn new(schedule: Vec<(ThreadNumber, u64)>, inputs: Vec<Input>) -> Trace {
        let mut trace = Trace { inputs, ..Trace::default() };
        for (thread, count) in schedule.into_iter().filter(|r| r.1 > 0) {
            match trace.schedule.last_mut() {
                Some(last) if last.0 == thread => last.1 = last.1.saturating_add(count),
                _ => trace.schedule.push((thread, count)),
            }
        }
        trace
    }

    #[inline]
    pub fn push_step(&mut self, thread: ThreadNumber) {
        match self.schedule.last_mut() {
            Some(last) if last.0 == thread => last.1 += 1,
            _ => self.schedule.push((thread, 1)),
        }
    }

    /// Where it ends now, to cut it there later.
    pub(crate) fn end(&self) -> TraceEnd {
        let last = self.schedule.last().map_or(0, |r| r.1);
        TraceEnd { runs: self.schedule.len(), last, inputs: self.inputs.len() }
    }

    pub(crate) fn cut(&mut self, end: TraceEnd) {
        self.schedule.truncate(end.runs);
        if let Some(run) = self.schedule.last_mut() {
            run.1 = end.last;
        }
        self.inputs.truncate(end.inputs);
    }

    /// Maximal runs of steps of one thread: its number, and how many steps.
    pub fn schedule(&self) -> &[(ThreadNumber, u64)] {
        &self.schedule
    }

    pub fn steps(&self) -> u64 {
        self.schedule.iter().map(|r| r.1).sum()
    }

    /// How often the running thread changes.
    pub fn context_switches(&self) -> usize {
        self.schedule.len().saturating_sub(1)
    }
}
