//! How an execution ends, and what that says about the program.

use crate::confirm::{Confirmation, confirm, confirm_stuck};
use crate::explorer::{Explorer, Over};
use crate::memo::{NextStep, WaitReason};
use crate::path::{Cut, PathEvent};
use crate::stand::ThreadStatus;
use crate::{Exploration, Incomplete, Search};
use std::rc::Rc;
use tp_ir::Property;
use tp_machine::{Attempt, End, ThreadNumber, Touch, Trace};

/// Judges the end of an execution; `Err`: the search is over.
pub fn ended(search: Search<'_>, trace: &Trace, end: End, result: &mut Exploration) -> Result<(), Over> {
    let checks = search.checks;
    if result.late.as_ref().is_some_and(|late| result.traces > late.max_traces) {
        return Err(Over);
    }
    let reason = match end {
        End::Exited { .. } | End::Assumption => return Ok(()),
        End::Undefined(finding) if finding.property == Property::Deadlock => return Ok(()),
        End::Violation(finding) if !checks.has(finding.property) => {
            result.undefined(finding);
            return Ok(());
        }
        End::Violation(finding) if finding.property.is_late() && result.late.is_some() => return Ok(()),
        End::Violation(finding) => match confirm(search, trace) {
            Confirmation::Fails(trace, finding) => return result.found(trace, finding),
            Confirmation::Known => return Ok(()),
            Confirmation::Nothing => Incomplete::NotConfirmed(finding.property),
        },
        End::Stopped => {
            result.give_up(Incomplete::Stopped);
            return Err(Over);
        }
        End::Undefined(finding) => {
            result.undefined(finding);
            return Ok(());
        }
        end => Incomplete::Ended(Box::new(end)),
    };
    result.give_up(reason);
    Ok(())
}

/// The thread that has tried to step waits in a cycle of threads that wait for each other: it has not stepped.
pub fn is_deadlock(end: &End) -> bool {
    matches!(end, End::Violation(finding) | End::Undefined(finding) if finding.property == Property::Deadlock)
}

impl Explorer<'_, '_, '_> {
    pub fn end_of_execution(&mut self) -> Result<(), Over> {
        let depth = self.path.len();
        let waiting = self.nodes[depth].waiting.clone();
        if waiting.is_empty() && self.just_exits() && !self.visitor.wants_executions() {
            self.result.traces += 1;
            return Ok(());
        }
        self.go_to(depth)?;
        let exits = self.path.threads_that(ThreadStatus::Exits).next();
        if self.visitor.wants_executions() {
            self.show_execution(exits);
        }
        self.races_of_last_steps(&waiting)?;
        // All waiting threads try once more, so that the machine knows whom each waits for.
        for w in waiting.iter().filter(|w| w.why == WaitReason::Awaits) {
            self.tape.borrow_mut().begin(&[]);
            if let Attempt::Ends(end) = self.session.attempt(w.thread) {
                self.result.traces += 1;
                self.ended(*end)?;
                self.session.back_to(depth);
                return Ok(());
            }
        }
        self.result.traces += 1;
        let end = match exits {
            Some(thread) => {
                self.tape.borrow_mut().begin(&[]);
                match self.session.attempt(thread) {
                    Attempt::Ends(end) => *end,
                    _ => End::Assumption,
                }
            }
            None if waiting.iter().any(|w| !matches!(w.why, WaitReason::Awaits | WaitReason::Spins)) => {
                End::Assumption
            }
            None if waiting.iter().any(|w| w.why == WaitReason::Spins) => return self.all_spin(),
            None => self.session.nobody_can_step(),
        };
        let exited = matches!(end, End::Exited { .. });
        if !exited || !waiting.is_empty() {
            self.result.blocked += 1;
        } else if let Some(thread) = exits {
            self.memo.note_exit(self.path.last_state_of(thread));
        }
        if let Some(thread) = exits.filter(|_| exited && self.search.checks.has(Property::Cleanup)) {
            self.exits_as_late_as_possible(thread);
        }
        self.ended(end)?;
        self.session.back_to(depth);
        Ok(())
    }

    /// Shows the execution, with the step by which a thread ends the program, if one does.
    fn show_execution(&mut self, exits: Option<ThreadNumber>) {
        if let Some(thread) = exits {
            self.tape.borrow_mut().begin(&[]);
            self.session.attempt(thread);
        }
        self.visitor.execution(self.session.trace());
        self.session.back_to(self.path.len());
    }

    /// The search ends the program only when no other thread can step. An earlier end may leave other memory allocated,
    /// and was not tried.
    fn exits_as_late_as_possible(&mut self, thread: ThreadNumber) {
        let after = self.path.events.iter().rev().take_while(|e| e.step.thread != thread).count();
        if after > 0 {
            self.result.give_up(Incomplete::EarlierExit);
        }
    }

    /// Every thread has ended or waits, some in loops.
    fn all_spin(&mut self) -> Result<(), Over> {
        self.result.blocked += 1;
        // They may wait for a thread that stopped.
        let stopped = self.path.threads_that(ThreadStatus::Stopped).next().is_some();
        if self.search.checks.has(Property::Stuck) && !stopped {
            match confirm_stuck(self.search, self.session.trace()) {
                Confirmation::Fails(trace, finding) => self.result.found(trace, finding)?,
                Confirmation::Known => {}
                Confirmation::Nothing => self.result.give_up(Incomplete::NotConfirmed(Property::Stuck)),
            }
        }
        self.session.back_to(self.path.len());
        Ok(())
    }

    /// All other threads have ended, and the last one ends the program in a state in which it has done so before.
    /// Memory would matter only to the checks for leaks.
    fn just_exits(&self) -> bool {
        let ended = self.path.threads_that(ThreadStatus::Ended).count();
        let mut exits = self.path.threads_that(ThreadStatus::Exits);
        !self.search.checks.has(Property::Leak)
            && !self.search.checks.has(Property::Cleanup)
            && ended + 1 == self.path.threads.len()
            && exits.next().is_some_and(|t| self.memo.is_exit(self.path.last_state_of(t)))
    }

    pub fn ended(&mut self, end: End) -> Result<(), Over> {
        ended(self.search, self.session.trace(), end, self.result)
    }

    fn races_of_last_steps(&mut self, waiting: &[Rc<NextStep>]) -> Result<(), Over> {
        if self.search.checks.has(Property::Race) {
            for w in waiting.iter().filter(|w| w.why == WaitReason::Ends) {
                self.ask(w.thread)?;
            }
        }
        Ok(())
    }

    /// The machine has taken a step that ends the program. It is not an event of the path, since nothing follows it,
    /// but it may race with earlier events.
    pub fn ended_by_last_step(&mut self, end: End) -> Result<(), Over> {
        if self.search.checks.has(Property::Race) && end != End::Assumption {
            self.look_for_race(&self.session.trace().clone())?;
        }
        self.ended(end)
    }

    /// An iteration of a spin loop is not an event either, but what it reads may race with earlier events.
    pub fn races_of_an_iteration(&mut self, round: &NextStep) -> Result<(), Over> {
        let races = |e: &PathEvent| e.step.thread != round.thread && e.step.touches.may_race(&round.touches);
        let looks = self.search.checks.has(Property::Race) && round.why == WaitReason::Spins;
        if !looks || !self.path.events.iter().any(races) {
            return Ok(());
        }
        self.go_to(self.path.len())?;
        let mut trace = self.session.trace().clone();
        trace.push_step(round.thread);
        self.look_for_race(&trace)
    }

    /// And with the event that ends the spinning: the iteration can come right before the last event, which woke these
    /// threads.
    pub fn races_with_iterations(&mut self, woken: &[Rc<NextStep>]) -> Result<(), Over> {
        let Some(last) = self.path.len().checked_sub(1).filter(|_| self.search.checks.has(Property::Race))
        else {
            return Ok(());
        };
        for w in woken.iter().filter(|w| w.why == WaitReason::Spins) {
            if !w.touches.may_race(self.path.touches(last)) {
                continue;
            }
            // The machine may be behind, and knows only the inputs of the steps that it has taken.
            self.go_to(last + 1)?;
            let mut threads: Vec<_> = self.path.events.iter().map(|e| e.step.thread).collect();
            threads.insert(last, w.thread);
            let schedule = threads.into_iter().map(|t| (t, 1)).collect();
            self.look_for_race(&Trace::new(schedule, self.session.trace().inputs.clone()))?;
        }
        Ok(())
    }

    /// Repeats an execution on an ordinary machine, whose clocks show whether there is a race.
    fn look_for_race(&mut self, trace: &Trace) -> Result<(), Over> {
        match confirm(self.search, trace) {
            Confirmation::Fails(trace, finding) => self.result.found(trace, finding),
            Confirmation::Known | Confirmation::Nothing => Ok(()),
        }
    }

    /// Two conflicting accesses that are adjacent in some execution, one of them not atomic, may be a data race: the
    /// machine is asked.
    pub fn check_data_races(&mut self) -> Result<(), Over> {
        if !self.search.checks.has(Property::Race) {
            return Ok(());
        }
        let last = self.path.len() - 1;
        if !self.path.last_races().any(|r| self.path.is_data_race(r, last)) {
            return Ok(());
        }
        self.go_to(last + 1)?;
        self.look_for_race(&self.session.trace().clone())
    }

    /// A thread that spins on an object has no event that could be adjacent to `r`, which ends the object, and cannot
    /// read the object afterwards. So its read right before `r` is tried.
    pub fn race_of_iteration(&mut self, r: usize, round: &NextStep, cut: &Cut) -> Result<(), Over> {
        let step = self.path.events[r].step.clone();
        let ended = |t: &Touch| step.touches.list.iter().any(|end| end.ends && end.conflicts(t));
        if !self.search.checks.has(Property::Race) || !round.touches.list.iter().any(ended) {
            return Ok(());
        }
        self.go_to_cut(r, cut)?;
        self.repeat(r)?;
        let inputs = self.session.trace().inputs.clone();
        let mut schedule = self.session.trace().schedule().to_vec();
        schedule.last_mut().into_iter().for_each(|last| last.1 -= 1);
        schedule.extend([(round.thread, 1), (step.thread, 1)]);
        self.session.back_to(r);
        self.look_for_race(&Trace::new(schedule, inputs))
    }
}
