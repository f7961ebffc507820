//! Forward: one step more, taken by the machine unless it is known.

use crate::Incomplete;
use crate::ask::why_ended;
use crate::explorer::{Explorer, Over};
use crate::memo::{NextStep, ReadFingerprint, WaitReason};
use crate::stand::{After, ThreadStatus};
use crate::touches::Touches;
use crate::wakeup_tree::{Branch, WakeupStep};
use std::rc::Rc;
use tp_ir::EntityRef;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_machine::{Attempt, NextStepKind, ThreadNumber};

/// After this many steps of one thread in a row, others are preferred.
const LONG_ALONE: usize = 50;

/// The most steps of a loop iteration that is recognised as changing nothing.
const LONGEST_ITERATION: usize = 32;

impl Explorer<'_, '_, '_> {
    /// Takes one step more; `false` when the execution has come to its end.
    pub fn extend(&mut self) -> Result<bool, Over> {
        let depth = self.path.len();
        if !self.nodes[depth].tree.is_empty() {
            self.take_next()?;
            return Ok(true);
        }
        let last = self.path.events.last().map(|e| e.step.thread).filter(|&t| !self.is_long_alone(t));
        let mut sleeping = false;
        let first = self.path.events.last().filter(|_| last.is_none()).map_or(0, |e| e.step.thread + 1);
        let others = (first..self.path.threads.len() as ThreadNumber).chain(0..first);
        for thread in last.into_iter().chain(others) {
            let node = &self.nodes[depth];
            let waits = node.waiting.iter().any(|w| w.thread == thread);
            if waits || self.path.stand(thread).life != ThreadStatus::Runs {
                continue;
            }
            if node.sleep.iter().any(|s| s.thread == thread) {
                sleeping = true;
                continue;
            }
            if self.take(thread, &[], Vec::new())? {
                return Ok(true);
            }
        }
        if sleeping {
            self.result.redundant += 1;
        } else {
            self.end_of_execution()?;
        }
        Ok(false)
    }

    /// The thread may be in a loop that only another one can end.
    fn is_long_alone(&self, thread: ThreadNumber) -> bool {
        let latest = self.path.events.iter().rev().take(LONG_ALONE);
        self.path.len() >= LONG_ALONE && latest.into_iter().all(|e| e.step.thread == thread)
    }

    /// Takes the next step that is to be explored from the last node.
    pub fn take_next(&mut self) -> Result<(), Over> {
        loop {
            let Some(node) = self.nodes.last_mut() else { return Ok(()) };
            if node.tree.is_empty() {
                return Ok(());
            }
            let Branch { step, children } = node.tree.remove(0);
            if self.take(step.thread, &step.label, children)? {
                return Ok(());
            }
            // The planned step is not enabled.
            self.result.redundant += 1;
        }
    }

    /// Lets a thread step at the end of the path. `false` if it has to wait.
    fn take(&mut self, thread: ThreadNumber, given: &[u128], mut tree: Vec<Branch>) -> Result<bool, Over> {
        let depth = self.path.len();
        let state = self.path.last_state_of(thread);
        if self.steps_are_known
            && let Some(taken) = self.take_known(thread, given, state, &mut tree)?
        {
            return Ok(taken);
        }
        self.go_to(depth)?;
        let (left, threads) = (self.session.left(), self.session.threads());
        self.tape.borrow_mut().begin(given);
        let attempt = self.session.attempt(thread);
        if !self.tape.borrow().label.is_empty() && !self.nodes[depth].varied.contains(&thread) {
            self.session.back_to(depth);
            return self.take_with_inputs(thread, given, tree);
        }
        let touches = Touches::new(self.session.touched());
        let why = match attempt {
            Attempt::Taken => {
                let step = WakeupStep { thread, label: self.tape.borrow().label.as_slice().into(), touches };
                let after = self.after(thread, left, threads);
                if step.label.is_empty() {
                    self.memo.note(state, &self.path, None, NextStep::certain(step.clone()));
                }
                let next = state.after(&step);
                self.memo.note_after(next, after.clone());
                self.push(step, next, after, tree)?;
                return Ok(true);
            }
            Attempt::Waits => WaitReason::Awaits,
            Attempt::Spins => WaitReason::Spins,
            Attempt::Ends(end) => {
                let why = why_ended(&end);
                self.ended(*end)?;
                self.session.back_to(depth);
                why
            }
        };
        let waits = NextStep::waits(thread, touches, why);
        self.races_of_an_iteration(&waits)?;
        self.memo.note(state, &self.path, None, waits.clone());
        self.nodes[depth].waiting.push(Rc::new(waits));
        Ok(false)
    }

    /// The same for a step that asks for inputs. The step with other inputs is planned.
    fn take_with_inputs(
        &mut self,
        thread: ThreadNumber,
        given: &[u128],
        tree: Vec<Branch>,
    ) -> Result<bool, Over> {
        let depth = self.path.len();
        let events = self.path.threads[thread as usize].len() as u32;
        let answer = self.answer(depth, thread, events, &self.path.whole())?;
        let is_given = |step: &&WakeupStep| step.label[..] == *given;
        let Some(taken) = answer.steps().find(is_given).or(answer.steps().next()) else {
            self.races_of_an_iteration(&answer)?;
            self.nodes[depth].waiting.push(Rc::new(answer));
            return Ok(false);
        };
        self.nodes[depth].varied.push(thread);
        self.plan_inputs(depth, answer.steps().filter(|s| !s.is(taken)));
        self.take(thread, &taken.label, tree)
    }

    /// Appends the step as the next event; `state` is that of its thread after it.
    pub fn push(
        &mut self,
        step: WakeupStep,
        state: ReadFingerprint,
        after: Rc<After>,
        tree: Vec<Branch>,
    ) -> Result<(), Over> {
        self.result.steps += 1;
        let thread = step.thread;
        // A step that reads nothing is always the same, unless it reads something with other inputs. One that finds an
        // object gone would have done something else before the object ended.
        let reads = step.touches.reads_something() || !step.label.is_empty();
        let varying = self.path.stand(thread).varying && reads || step.touches.finds_something_gone();
        let Some(node) = self.nodes.last_mut() else { return Err(Over) };
        node.visited = true;
        let sleep = node.sleep.iter().filter(|s| s.thread != thread && !s.touches.conflicts(&step.touches));
        let others = node.waiting.iter().filter(|w| w.thread != thread).cloned();
        let mut child = self.spare.pop().unwrap_or_default();
        child.tree = tree;
        child.sleep.extend(sleep.cloned());
        let mut woken = Vec::new();
        for answer in others {
            let wakes = step.touches.disturbs(&answer.touches);
            if wakes { &mut woken } else { &mut child.waiting }.push(answer);
        }
        let runs = after.stand.life == ThreadStatus::Runs;
        self.path.push(step, varying, state, after);
        self.nodes.push(child);
        self.races_with_iterations(&woken)?;
        if varying && runs {
            self.note_iteration(thread)?;
        }
        self.check_data_races()
    }

    /// If the thread is where it was a few steps ago, and has changed nothing since, it waits.
    fn note_iteration(&mut self, thread: ThreadNumber) -> Result<(), Over> {
        let count = self.path.threads[thread as usize].len() as u32;
        let place = self.path.stand(thread).place;
        for index in (1..=count).rev().take(LONGEST_ITERATION) {
            let at = self.path.threads[thread as usize][index as usize - 1];
            if !self.path.may_be_pure(at) {
                return Ok(());
            }
            if self.path.stand_after(thread, index - 1).place == place {
                self.go_to(self.path.len())?;
                let round = &self.path.threads[thread as usize][index as usize - 1..];
                if !round.iter().all(|&at| self.session.was_pure(at)) {
                    return Ok(());
                }
                if self.session.same_as_before(at) {
                    self.waits_in_iteration(thread, index);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The events of a thread from index `first` on were a loop iteration that changed nothing.
    fn waits_in_iteration(&mut self, thread: ThreadNumber, first: u32) {
        let last = self.path.len() - 1;
        self.path.events[last].round = Some(first);
        let count = self.path.events[last].index;
        if self.path.spins(thread, count, &self.path.whole()) {
            let touches = Touches::new(self.path.iteration_of(thread, count));
            self.nodes[last + 1].waiting.push(Rc::new(NextStep::waits(thread, touches, WaitReason::Spins)));
        }
    }

    /// Whether what the next step of a thread touches, or whether it is enabled, depends on what it reads. Accesses in
    /// loops count as varying: the iteration may turn out to change nothing.
    pub fn is_varying(&mut self, thread: ThreadNumber) -> bool {
        if self.all_vary || self.session.next_step_kind(thread) == Some(NextStepKind::Varying) {
            return true;
        }
        let (program, loops) = (self.search.program, &mut self.loops);
        self.session.calls(thread).any(|(function, block)| {
            let Some(body) = &program.functions[function].body else { return false };
            let forest = loops[function.index()].get_or_insert_with(|| LoopForest::new(&Cfg::new(body)));
            forest.is_in_loop(block)
        })
    }

    /// Brings the machine to a position of the path.
    pub fn go_to(&mut self, position: usize) -> Result<(), Over> {
        self.session.back_to(position);
        (self.session.depth()..position).try_for_each(|at| self.repeat(at))
    }

    /// Lets the machine take the step of an event.
    pub fn repeat(&mut self, at: usize) -> Result<(), Over> {
        let step = &self.path.events[at].step;
        self.tape.borrow_mut().begin(&step.label);
        match self.session.attempt(step.thread) {
            Attempt::Taken => return Ok(()),
            Attempt::Ends(end) => self.ended(*end)?,
            Attempt::Waits | Attempt::Spins => {}
        }
        self.result.give_up(Incomplete::NotRepeated);
        Err(Over)
    }
}
