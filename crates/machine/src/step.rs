//! Steps: choosing which thread takes the next one, taking it, and undoing it when it has to wait.
//!
//! A thread is always about to take a step. Whether it can is found out by trying: an atomic step that meets a false
//! condition is undone without a trace, and the thread waits until another one writes to an object that it had read.

use crate::clock::RestEnd;
use crate::decide::Choice;
use crate::finding::End;
use crate::machine::{Machine, Pause, StepStop};
use crate::race::{Access, AccessKind, StepNumber};
use crate::thread::Thread;
use crate::trace::ThreadNumber;
use crate::value::ObjectRef;
use tp_ir::{PlaceId, Property, SyncEffect};

impl<'p> Machine<'p, '_> {
    pub(crate) fn schedule_loop(&mut self) -> Result<End, StepStop> {
        let mut last = None;
        loop {
            if self.state.enabled.is_empty() {
                return Ok(self.nobody_can_step());
            }
            let awake;
            let mut enabled = &self.state.enabled;
            if !self.state.resting.is_empty() {
                awake = self.awake();
                enabled = &awake;
            }
            let choice = Choice { enabled, last, taken: self.state.steps };
            let Some(number) = self.schedule.pick(&choice) else {
                return self.schedule_exhausted();
            };
            let Ok(at) = self.state.enabled.binary_search(&number) else {
                return Ok(End::Diverged { step: self.state.steps });
            };
            let slot = self.state.enabled_slots[at];
            let taken = self.try_step(slot)?;
            if taken {
                last = Some(number);
            }
            if let Some(finding) = self.check_livelock(slot, taken) {
                self.record_waiting(slot);
                return Ok(self.ended_by(finding));
            }
            if let Some(finding) = self.check_main_waits(slot, taken) {
                return Ok(self.ended_by(finding));
            }
        }
    }

    /// Whether a step that sleeps has to be tried again later, by the clock of the schedule.
    pub(crate) fn has_to_rest(&mut self, t: &Thread<'p>, seconds: (i64, i64), is_moment: bool) -> bool {
        let Some(clock) = self.schedule.clock() else { return false };
        self.pending.rested = true;
        let nanoseconds = i128::from(seconds.0) * 1_000_000_000 + i128::from(seconds.1);
        let nanoseconds = u128::try_from(nanoseconds).unwrap_or(0);
        let end = if is_moment { RestEnd::At(nanoseconds) } else { RestEnd::After(nanoseconds) };
        clock.rests(t.number, end)
    }

    /// The threads that may be able to step and do not sleep; never empty, as the clock goes on when all sleep.
    fn awake(&mut self) -> Vec<ThreadNumber> {
        let all_rest = self.state.resting.len() == self.state.enabled.len();
        if let Some(clock) = self.schedule.clock() {
            if all_rest {
                clock.jumps();
            } else if !clock.ticks() {
                let resting = &self.state.resting;
                return self.state.enabled.iter().filter(|t| !resting.contains(t)).copied().collect();
            }
        }
        // They try again: the clock says which of them has slept long enough.
        self.state.resting.clear();
        self.state.enabled.clone()
    }

    /// The schedule has no answer. That is right if no thread can take a step any more.
    pub(crate) fn schedule_exhausted(&mut self) -> Result<End, StepStop> {
        let step = self.state.steps;
        while let Some(&slot) = self.state.enabled_slots.first() {
            match self.try_step(slot) {
                Ok(false) => {}
                Ok(true) => return Ok(End::Diverged { step }),
                Err(StepStop::End(end)) if ends_without_a_step(&end) => return Ok(*end),
                // Even a violation: it is not the one that the schedule leads to.
                Err(_) => return Ok(End::Diverged { step }),
            }
        }
        Ok(self.nobody_can_step())
    }

    /// Lets a thread take its step, or stop for ever at it; `false` when it has to wait.
    pub(crate) fn try_step(&mut self, slot: usize) -> Result<bool, StepStop> {
        self.spend()?;
        self.pending.others_locals.clear();
        self.pending.sync = None;
        self.forget_later_accesses();
        let Some(mut thread) = self.state.threads[slot].take() else { return Ok(false) };
        let before = self.state.steps;
        match self.advance(&mut thread, true) {
            Ok(paused) => {
                match paused {
                    Pause::AtStep => self.state.threads[slot] = Some(thread),
                    Pause::Ended => self.settle(thread, paused),
                }
                if !self.pending.started.is_empty() {
                    self.run_started()?;
                }
                Ok(true)
            }
            Err(StepStop::Rests) => {
                self.take_back(&mut thread);
                self.state.resting.push(thread.number);
                self.state.threads[slot] = Some(thread);
                Ok(false)
            }
            Err(StepStop::Blocked) => {
                let mut blocked_at = std::mem::take(&mut thread.blocked_at);
                blocked_at.clear();
                blocked_at.extend(thread.calls());
                thread.blocked_at = blocked_at;
                self.take_back(&mut thread);
                self.disable(thread.number);
                let finding = self.wait_cycle(&thread);
                self.state.threads[slot] = Some(thread);
                match finding {
                    Some(finding) => {
                        self.record_waiting(slot);
                        Err(self.ended_by(finding).into())
                    }
                    None => Ok(false),
                }
            }
            Err(StepStop::End(end)) => {
                // The attempt is part of the trace: a replay has to make it at the same moment.
                if self.state.steps == before {
                    self.state.trace.push_step(thread.number);
                }
                let stopped = self.stop_for_ever(&mut thread, *end);
                self.state.threads[slot] = Some(thread);
                stopped?;
                self.run_started()?;
                Ok(true)
            }
        }
    }

    /// Failed attempts are not in the trace, but a wait cycle consists of nothing else. So a trace that ends in one has
    /// them at its end: those of the waiting threads, then that of the thread that closed the cycle. The same for
    /// threads that wait while others loop for ever.
    pub(crate) fn record_waiting(&mut self, last: usize) {
        let waits =
            |slot: &usize| *slot != last && self.state.threads[*slot].as_ref().is_some_and(|t| !t.stopped);
        let others: Vec<usize> = (0..self.state.threads.len()).filter(waits).collect();
        for slot in others.into_iter().chain([last]) {
            if let Some(number) = self.state.threads[slot].as_ref().map(|t| t.number)
                && !self.is_enabled(number)
            {
                self.state.trace.push_step(number);
            }
        }
    }

    /// Threads started by the step that was taken run up to their first step.
    pub(crate) fn run_started(&mut self) -> Result<(), StepStop> {
        for (slot, _) in std::mem::take(&mut self.pending.started) {
            if let Some(thread) = self.state.threads[slot].take() {
                self.run_to_first_step(thread)?;
            }
        }
        Ok(())
    }

    pub(crate) fn run_to_first_step(&mut self, mut thread: Box<Thread<'p>>) -> Result<(), StepStop> {
        let slot = thread.entry;
        let result = match self.advance(&mut thread, false) {
            Ok(paused) => {
                self.settle(thread, paused);
                return Ok(());
            }
            Err(StepStop::End(end)) => self.stop_for_ever(&mut thread, *end),
            Err(stop) => Err(stop),
        };
        self.state.threads[slot] = Some(thread);
        result
    }

    /// An atomic step begins: from here on everything can be undone.
    pub fn begin_atomic(&mut self, t: &mut Thread<'p>) {
        t.save();
        t.waiting = None;
        t.clocks.now.set(t.entry, self.state.steps + 1);
        self.state.memory.begin();
        self.pending.inputs = self.state.trace.inputs.len();
        self.pending.unwritten = self.unwritten;
        self.pending.found.clear();
        self.pending.events = self.watch.events.len();
        self.pending.settled.clear();
    }

    /// The step is taken.
    pub fn commit_atomic(&mut self, t: &mut Thread<'p>) -> Result<(), StepStop> {
        t.keep();
        t.waiting = None;
        self.count_step(t);
        self.check_races(t, self.state.steps)?;
        // Only now: this drops the access history of objects that the step has freed.
        self.state.memory.commit();
        for i in 0..self.pending.started.len() {
            let (slot, _) = self.pending.started[i];
            if let Some(child) = &mut self.state.threads[slot] {
                child.clocks = t.clocks.child(self.state.steps);
            }
        }
        self.pending.read.clear();
        if let Some(SyncEffect::Lock(..) | SyncEffect::Unlock(..)) = self.pending.sync {
            self.watch.livelock.relocks(&self.pending.written);
        }
        for r in std::mem::take(&mut self.pending.written) {
            if self.state.memory.object(r).watched {
                self.wake(r);
            }
        }
        for (fd, bytes) in std::mem::take(&mut self.pending.output) {
            (self.output)(fd, &bytes);
        }
        Ok(())
    }

    /// Undoes a step that cannot be taken now.
    pub(crate) fn take_back(&mut self, t: &mut Thread<'p>) {
        self.state.memory.undo();
        t.restore();
        for (slot, ended) in self.pending.started.drain(..).rev() {
            self.state.next_number -= 1;
            if ended.is_some() {
                self.state.threads[slot] = None;
                self.state.ended[slot] = ended;
            } else {
                // The slot was new, and so the last one.
                self.state.threads.truncate(slot);
                self.state.ended.truncate(slot);
            }
        }
        // What was never written does not count: no other value of it helps a thread that waits.
        let unwritten = self.pending.found.len() + self.unwritten - self.pending.unwritten;
        t.blocked_by_input = self.state.trace.inputs.len() > self.pending.inputs + unwritten;
        self.unwritten = self.pending.unwritten;
        for (source, index) in self.pending.found.drain(..) {
            let input = self.state.trace.inputs.get(index).filter(|_| index >= self.pending.inputs);
            self.state.trace.found.extend(input.map(|input| (source, input.clone())));
        }
        self.state.trace.inputs.truncate(self.pending.inputs);
        self.watch.events.truncate(self.pending.events);
        self.pending.accesses.clear();
        self.pending.fences.clear();
        self.pending.output.clear();
        self.pending.written.clear();
        t.watches.clear();
        t.watches.append(&mut self.pending.read);
        for &r in &t.watches {
            self.state.memory.object_mut(r).watched = true;
        }
    }

    #[inline]
    pub fn count_step(&mut self, t: &mut Thread<'p>) {
        self.state.steps += 1;
        t.left_scope = false;
        let counts = !t.in_output() && !std::mem::take(&mut self.pending.only_begins_scope);
        self.state.trace.push_step(t.number);
        if let Some(hindsight) = &mut self.watch.hindsight {
            hindsight.seen.last_steps.insert(t.number, self.state.steps);
        }
        self.schedule.stepped(t.number, counts);
        if std::mem::take(&mut self.pending.rested)
            && let Some(clock) = self.schedule.clock()
        {
            clock.stepped(t.number);
        }
        self.peak_memory = self.peak_memory.max(self.state.memory.used());
    }

    /// One access that is a step of its own.
    #[inline]
    pub fn single_access(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: &Access,
    ) -> Result<(), StepStop> {
        t.clocks.now.set(t.entry, self.state.steps + 1);
        self.count_step(t);
        self.further_access(t, r, access)
    }

    /// Another access of the step that was just counted.
    #[inline]
    pub fn further_access(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: &Access,
    ) -> Result<(), StepStop> {
        self.check_race(t, r, access, self.state.steps)?;
        if access.kind != crate::race::AccessKind::Read && self.state.memory.object(r).watched {
            self.wake(r);
        }
        Ok(())
    }

    /// Checks the accesses of an atomic step.
    pub fn check_races(&mut self, t: &mut Thread<'p>, step: StepNumber) -> Result<(), StepStop> {
        let mut accesses = std::mem::take(&mut self.pending.accesses);
        let mut fences = std::mem::take(&mut self.pending.fences).into_iter().peekable();
        let mut checked = Ok(());
        self.learn_first(t, &accesses);
        for (i, (r, access, at)) in accesses.iter().enumerate() {
            while let Some((_, order)) = fences.next_if(|(before, _)| *before <= i) {
                t.clocks.fence(order);
            }
            self.made_at = *at;
            checked = checked.and_then(|()| self.check_race(t, *r, access, step));
        }
        fences.for_each(|(_, order)| t.clocks.fence(order));
        self.made_at = None;
        let writes = |(_, access, _): &&(ObjectRef, Access, _)| {
            access.kind != AccessKind::Read && access.order.releases()
        };
        let learns =
            |(_, access, _): &(ObjectRef, Access, _)| access.kind != AccessKind::Write || access.of_section;
        let after_writing = accesses.iter().skip_while(|a| !writes(a)).skip(1).any(learns);
        if after_writing && self.config.checks.has(Property::Race) {
            for (r, access, _) in accesses.iter().filter(writes) {
                self.state.memory.changing_shadow(*r, access).shadow.publish(access, t.entry, &t.clocks);
            }
        }
        accesses.clear();
        self.pending.accesses = accesses;
        checked
    }

    /// A step is one event: what any of its accesses acquires happens before all of them. Reading its own writes adds
    /// no ordering.
    fn learn_first(&mut self, t: &mut Thread<'p>, accesses: &[(ObjectRef, Access, Option<PlaceId>)]) {
        if accesses.len() < 2 || !self.config.checks.has(Property::Race) {
            return;
        }
        let mut written: Vec<(ObjectRef, &Access)> = Vec::new();
        for (r, access, _) in accesses {
            let end = access.offset + access.len;
            let is_own = |(w, own): &(ObjectRef, &Access)| {
                w == r && own.offset < end && access.offset < own.offset + own.len
            };
            let reads = matches!(access.kind, AccessKind::Read | AccessKind::ReadWrite);
            if reads && access.order.acquires() && !written.iter().any(is_own) {
                let object = self.state.memory.changing_shadow(*r, access);
                object.shadow.teach(access, object.size, &mut t.clocks);
            }
            if access.kind != AccessKind::Read {
                written.push((*r, access));
            }
        }
    }

    #[cold]
    fn observe(&mut self, t: &Thread<'p>, r: ObjectRef, access: &Access, step: StepNumber) {
        let place = self.made_at.or_else(|| self.user_place(t));
        let key = self.state.memory.object(r).key;
        if let Some(observer) = &mut self.watch.observer {
            observer.access(access.observed((step, t.number), place, key));
        }
    }

    #[inline]
    pub fn check_race(
        &mut self,
        t: &mut Thread<'p>,
        r: ObjectRef,
        access: &Access,
        step: StepNumber,
    ) -> Result<(), StepStop> {
        if self.watch.observer.is_some() {
            self.observe(t, r, access, step);
        }
        if !self.config.checks.has(tp_ir::Property::Race) {
            return Ok(());
        }
        let object = self.state.memory.changing_shadow(r, access);
        let checked = match access.kind {
            AccessKind::Free => object.shadow.end(access, t.entry, step, &mut t.clocks),
            _ => object.shadow.access(access, object.size, t.entry, step, &mut t.clocks),
        };
        match checked {
            Ok(()) => Ok(()),
            Err(earlier) => self.pass_races(t, r, access, step, earlier),
        }
    }
}

/// Whether a run can end like this without taking a step.
fn ends_without_a_step(end: &End) -> bool {
    match end {
        // A wait cycle.
        End::Violation(finding) => finding.property == Property::Deadlock,
        End::TooManySteps | End::Stopped => true,
        _ => false,
    }
}
