//! Threads that stop for ever while the others go on.
//!
//! After a failed assumption a thread's future does not count; after undefined behaviour that is not checked it is not
//! known. What the other threads do is real all the same: the thread could have been paused just before. So only that
//! thread stops, and the run goes on to look for violations; without one it ends with the cause of the stop.

use crate::finding::End;
use crate::machine::{Machine, StepStop};
use crate::thread::Thread;

impl<'p> Machine<'p, '_> {
    /// Stops the thread if this is an end that concerns it alone; otherwise the run ends.
    #[cold]
    pub(crate) fn stop_for_ever(&mut self, t: &mut Thread<'p>, end: End) -> Result<(), StepStop> {
        if !matches!(end, End::Assumption | End::Undefined(_)) {
            return Err(end.into());
        }
        if self.state.memory.in_step() {
            // The inputs stay in the trace: a replay takes the same path and asks for them.
            self.pending.inputs = self.state.trace.inputs.len();
            self.take_back(t);
        }
        // It must not be woken, nor count as waiting.
        t.stopped = true;
        t.waiting = None;
        t.watches.clear();
        self.disable(t.number);
        // Undefined behaviour was reached in a real execution, whatever was assumed elsewhere: it takes precedence.
        if matches!((&self.state.cut, &end), (None, _) | (Some(End::Assumption), End::Undefined(_))) {
            self.state.cut = Some(end);
        }
        Ok(())
    }

    /// How the run ends, given how the threads that went on ended it. Ends at something that the machine cannot do
    /// stay: the run really got there.
    pub(crate) fn end_after_stops(&mut self, end: End) -> End {
        match (self.state.cut.take(), end) {
            // The threads that are left may have waited for one that stopped.
            (Some(cut), End::Exited { .. } | End::Assumption | End::Undefined(_)) => cut,
            // The schedule of an engine lets the stopped thread go on. A failed assumption ends neither a schedule nor
            // what the other threads would do after the last step that is allowed.
            (Some(cut @ End::Undefined(_)), End::Diverged { .. } | End::TooManySteps) => cut,
            (_, end) => end,
        }
    }
}
