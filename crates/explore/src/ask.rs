//! Asks the machine what a thread could do after some events, which need not be a prefix of the execution.

use crate::explorer::{Explorer, Over};
use crate::memo::{NextStep, WaitReason};
use crate::path::Cut;
use crate::touches::Touches;
use crate::wakeup_tree::WakeupStep;
use std::rc::Rc;
use tp_machine::{Attempt, End, ThreadNumber};

impl Explorer<'_, '_, '_> {
    /// What a thread can do after the events of a cut that includes all before `position`.
    pub fn answer(
        &mut self,
        position: usize,
        thread: ThreadNumber,
        events: u32,
        cut: &Cut,
    ) -> Result<NextStep, Over> {
        if self.path.spins(thread, events, cut) {
            let touches = Touches::new(self.path.iteration_of(thread, events));
            return Ok(NextStep::waits(thread, touches, WaitReason::Spins));
        }
        let state = self.path.state_of(thread, events);
        if let Some(known) = self.memo.find(state, &self.path, Some(cut)) {
            return Ok(known.clone());
        }
        self.go_to_cut(position, cut)?;
        let answer = self.ask(thread)?;
        self.session.back_to(position);
        self.memo.note(state, &self.path, Some(cut), answer.clone());
        Ok(answer)
    }

    /// Brings the machine to a position, and on to a cut that includes all before it.
    pub fn go_to_cut(&mut self, position: usize, cut: &Cut) -> Result<(), Over> {
        self.go_to(position)?;
        let between: Vec<usize> = self.path.within(cut, position).collect();
        between.into_iter().try_for_each(|at| self.repeat(at))
    }

    /// Lets a thread try its next step with every input it may ask for, and restores the machine. If the step ends the
    /// program, that end is recorded.
    pub fn ask(&mut self, thread: ThreadNumber) -> Result<NextStep, Over> {
        let depth = self.session.depth();
        let (mut steps, mut tried, mut why) = (Vec::new(), Vec::new(), WaitReason::Awaits);
        let mut open = vec![Vec::new()];
        while let Some(given) = open.pop() {
            self.tape.borrow_mut().begin(&given);
            let attempt = self.session.attempt(thread);
            let touches = Touches::new(self.session.touched());
            tried.push(touches.clone());
            match attempt {
                Attempt::Taken => {
                    let label: Rc<[u128]> = self.tape.borrow().label.as_slice().into();
                    steps.push(WakeupStep { thread, label, touches });
                }
                Attempt::Waits => {}
                Attempt::Spins => why = why.max(WaitReason::Spins),
                Attempt::Ends(end) => {
                    why = why.max(why_ended(&end));
                    self.ended_by_last_step(*end)?;
                }
            }
            open.extend(self.tape.borrow().alternatives(given.len()));
            self.session.back_to(depth);
        }
        let mut steps = steps.into_iter();
        let (step, others) = (steps.next(), steps.collect());
        Ok(NextStep { thread, step, others, touches: Touches::of_any(&tried), why })
    }
}

/// Whether a step that ended the execution would end every other one in which it reads the same.
pub fn why_ended(end: &End) -> WaitReason {
    match end {
        End::TooManySteps | End::OutOfMemory { .. } | End::TooManyThreads { .. } | End::Stopped => {
            WaitReason::Limited
        }
        _ => WaitReason::Ends,
    }
}
