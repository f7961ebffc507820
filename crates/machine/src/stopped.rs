//! Threads that stop for ever while the others go on.
//!
//! A thread whose assumption does not hold has no future that counts, and one that did something undefined which is not
//! checked has none that is known. What the others do is real all the same: the thread could have been paused just before.
//! So only the thread stops, and the run goes on to look for violations; without one it ends as the stop says.

use crate::finding::End;
use crate::machine::{Machine, Stop};
use crate::thread::Thread;

impl<'p> Machine<'p, '_> {
    /// Stops the thread if this is an end that concerns it alone; otherwise the run ends.
    #[cold]
    pub(crate) fn stop_for_ever(&mut self, t: &mut Thread<'p>, end: End) -> Result<(), Stop> {
        if !matches!(end, End::Assumption | End::Undefined(_)) {
            return Err(end.into());
        }
        if self.state.memory.in_step() {
            // The inputs stay in the trace: a replay comes the same way and asks for them.
            self.pending.inputs = self.state.trace.inputs.len();
            self.take_back(t);
        }
        // Nobody is to wake it, nor to count it among those that wait.
        t.stopped = true;
        t.waiting = None;
        t.watches.clear();
        self.disable(t.number);
        // Something undefined was reached in a real execution, whatever was assumed elsewhere: that is worth more.
        if matches!((&self.state.cut, &end), (None, _) | (Some(End::Assumption), End::Undefined(_))) {
            self.state.cut = Some(end);
        }
        Ok(())
    }

    /// How the run ends, given how the threads that went on ended it. Ends that say what could not be done stay: the
    /// run really came there.
    pub(crate) fn end_after_stops(&mut self, end: End) -> End {
        match (self.state.cut.take(), end) {
            // Those that are left may have waited for a thread that stopped.
            (Some(cut), End::Exited { .. } | End::Assumption | End::Undefined(_) | End::TooManySteps) => cut,
            // A schedule that was found by reasoning lets the thread go on.
            (Some(cut @ End::Undefined(_)), End::Diverged { .. }) => cut,
            (_, end) => end,
        }
    }
}
