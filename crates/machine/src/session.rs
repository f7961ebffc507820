//! A run that is decided step by step from outside, and that can go back.
//!
//! An ordinary run asks its schedule which thread goes next. Here the caller decides that, sees what the step touched,
//! and may return to any earlier state. Each step keeps its thread, and the objects or parts of them that it changed, as
//! they were before, so going back costs as much as going there.
//!
//! A step that leaves memory and its own thread as they were counts as not taken: it is an iteration of a waiting loop,
//! and it is undone like an atomic section whose condition does not hold.

use crate::decide::{Inputs, RoundRobin};
use crate::digest::{Beside, Digests, LockKey, TrackedBytes};
use crate::finding::End;
use crate::known::Identity;
use crate::machine::{Machine, StepStop};
use crate::memory::MemoryMark;
use crate::state::RunState;
use crate::symbols::Symbols;
use crate::thread::Thread;
use crate::touch::Touch;
use crate::trace::{ThreadNumber, Trace, TraceEnd};
use crate::wakers::waits_for_outside;
use crate::{Config, Environment, Output};
use std::cell::RefCell;
use tp_analysis::liveness::Liveness;
use tp_ir::{BlockId, EntityRef, FuncId, LockMode, Op, Program, SyncEffect};

/// What came of letting a thread step.
#[derive(PartialEq, Debug)]
pub enum Attempt {
    /// It took a step.
    Taken,
    /// It has to wait; nothing has changed.
    Waits,
    /// It has returned to the state before its step, and nothing has changed: it is in a waiting loop.
    Spins,
    /// The run is over: the session can only go back.
    Ends(Box<End>),
}

/// The kind of a thread's next step.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum NextStepKind {
    /// An access, or something else that can always be taken and has the same touches in every state.
    Fixed,
    /// Its touches, or whether it can be taken at all, depend on what it reads.
    Varying,
    /// It ends the program.
    Exit,
}

/// The state before a step.
struct Mark<'p> {
    memory: MemoryMark,
    number: ThreadNumber,
    /// The thread before its step.
    thread: Box<Thread<'p>>,
    threads: usize,
    steps: u64,
    budget: u64,
    trace: TraceEnd,
    cut: Option<End>,
    /// The step left memory as it was, and asked for nothing.
    pure: bool,
}

pub struct Session<'p, 'r> {
    machine: Machine<'p, 'r>,
    marks: Vec<Mark<'p>>,
    live: Vec<Option<Box<Liveness<'p>>>>,
    /// Boxes, because they are swapped with those of the machine.
    #[allow(clippy::vec_box)]
    spare: Vec<Box<Thread<'p>>>,
    /// Some thread has tried to step since the last step, and had to wait.
    waits: bool,
    digests: Digests<'p>,
    /// Objects that there were before the first step, variables and functions among them.
    named: usize,
}

impl<'p, 'r> Session<'p, 'r> {
    /// A run before its first step, or the end that it reached before that. With `symbols`, values that depend on
    /// followed inputs get terms.
    pub fn new(
        program: &'p Program,
        config: &'r Config<'r>,
        inputs: &'r mut dyn Inputs,
        symbols: Option<&'r RefCell<Symbols>>,
    ) -> Result<Session<'p, 'r>, Box<End>> {
        Session::past(program, config, &[], inputs, symbols)
    }

    /// The same, past known findings.
    pub fn past(
        program: &'p Program,
        config: &'r Config<'r>,
        known: &'r [Identity],
        inputs: &'r mut dyn Inputs,
        symbols: Option<&'r RefCell<Symbols>>,
    ) -> Result<Session<'p, 'r>, Box<End>> {
        // Both are zero-sized, so nothing leaks.
        let schedule = Box::leak(Box::new(RoundRobin));
        let output: &'r mut Output<'r> = Box::leak(Box::new(|_: u32, _: &[u8]| {}));
        let mut machine =
            Machine::new(program, config, (known, None), Environment { schedule, inputs, output });
        machine.reuse_slots = false;
        machine.symbols = symbols;
        machine.watch.touched.recorded = true;
        let started = machine.start();
        let named = machine.state.memory.slots();
        match started {
            Ok(()) => {}
            Err(StepStop::End(end)) => return Err(end),
            Err(StepStop::Blocked | StepStop::Rests) => return Err(Box::new(End::Assumption)),
        }
        machine.state.memory.keep_history();
        let live = program.functions.keys().map(|_| None).collect();
        let digests = Digests::default();
        Ok(Session { machine, marks: Vec::new(), live, spare: Vec::new(), waits: false, digests, named })
    }

    /// From here on no step can be undone, and so none counts as not taken; memory is not copied. `back_to` and `digest`
    /// may not be called any more.
    pub fn only_forward(&mut self) {
        self.machine.state.memory.replace_history(None);
    }

    /// A copy of the state. Every thread that has not ended or stopped counts as one that may step.
    pub fn state(&mut self) -> RunState<'p> {
        // The history for going back is not part of it.
        let history = self.machine.state.memory.replace_history(None);
        let mut copy = self.machine.state.clone();
        self.machine.state.memory.replace_history(history);
        copy.enable_all();
        copy
    }

    /// Goes on from a copy that this session has made, which is depth 0 from now on, with a full budget.
    pub fn restore(&mut self, state: RunState<'p>) {
        self.marks.clear();
        self.machine.forget_attempt();
        self.machine.watch.forget();
        if let Some(symbols) = self.machine.symbols {
            symbols.borrow_mut().take_constraints();
        }
        self.machine.state = state;
        self.machine.state.memory.keep_history();
        self.machine.budget = self.machine.config.max_steps;
        self.enable_all();
    }

    /// Steps taken since the beginning, or since the last `restore`.
    pub fn depth(&self) -> usize {
        self.marks.len()
    }

    /// Threads that were started, whether or not they have ended; they are numbered from 0.
    pub fn threads(&self) -> ThreadNumber {
        self.machine.state.threads.len() as ThreadNumber
    }

    /// It has not ended, and has not stopped for ever.
    pub fn is_alive(&self, number: ThreadNumber) -> bool {
        self.thread(number).is_some_and(|t| !t.stopped)
    }

    /// It has not ended, but takes no step any more.
    pub fn has_stopped(&self, number: ThreadNumber) -> bool {
        self.thread(number).is_some_and(|t| t.stopped)
    }

    /// In its last attempt it waited for another thread to end: for this one.
    pub fn joins(&self, number: ThreadNumber) -> Option<ThreadNumber> {
        let thread = self.thread(number).filter(|t| t.waits_to_join())?;
        thread.waiting?.owner
    }

    /// In its last attempt it waited for something that may come from outside.
    pub fn waits_for_outside(&self, number: ThreadNumber) -> bool {
        self.thread(number).is_some_and(|t| t.blocked_by_input || waits_for_outside(t))
    }

    pub fn next_step_kind(&self, number: ThreadNumber) -> Option<NextStepKind> {
        let frame = self.thread(number)?.frames.last()?;
        let inst = frame.body.blocks[frame.block].insts.get(frame.pc);
        Some(match inst.map(|i| &i.op) {
            Some(Op::AtomicBegin | Op::Await { .. } | Op::Assume { .. } | Op::CmpXchg { .. }) => {
                NextStepKind::Varying
            }
            Some(Op::Exit { .. }) => NextStepKind::Exit,
            _ => NextStepKind::Fixed,
        })
    }

    /// The next instruction of a thread, which is its next step: where it is, and what it does. `None`: the step is the
    /// end of a block.
    pub fn upcoming(&self, number: ThreadNumber) -> Option<(FuncId, BlockId, usize, &'p Op)> {
        let frame = self.thread(number)?.frames.last()?;
        let inst = frame.body.blocks[frame.block].insts.get(frame.pc)?;
        Some((frame.function, frame.block, frame.pc, &inst.op))
    }

    /// If the next step of a thread is a section: what the function that the user calls does to locks and threads.
    pub fn upcoming_sync(&self, number: ThreadNumber) -> Option<SyncEffect> {
        self.thread(number).and_then(|t| self.machine.section_sync(t))
    }

    /// A digest of the state and what belongs to it. See `digest`.
    pub fn digest(&mut self, beside: &Beside<'_>) -> u128 {
        self.digests.digest(&self.machine.state, self.named, beside)
    }

    /// The number that this thread has in the latest digest.
    pub fn role(&self, number: ThreadNumber) -> ThreadNumber {
        self.digests.role(number)
    }

    /// The key of the record that a model keeps of a thread; see `Touch`.
    pub fn record_key(&self, number: ThreadNumber) -> Option<u64> {
        let state = &self.machine.state;
        state.records.get(number as usize).copied().flatten().map(|r| state.memory.object(r).key)
    }

    /// Whether some function has asked for the number of its thread that may do anything with it.
    pub fn has_told_number(&self) -> bool {
        self.machine.state.told_number
    }

    /// Whether the last attempt touched a word that holds numbers of threads.
    pub fn has_touched_names(&self) -> bool {
        let memory = &self.machine.state.memory;
        self.tracked().any(|(touch, bytes)| {
            memory.is_live(bytes.object) && memory.has_names(bytes.object, touch.offset, touch.len)
        })
    }

    /// What the last attempt touched, as part of a state.
    pub fn tracked(&self) -> impl Iterator<Item = (&Touch, TrackedBytes)> {
        self.machine.watch.touched.tracked()
    }

    /// The locks that a thread holds exclusively.
    pub fn locks_held(&self, number: ThreadNumber) -> impl Iterator<Item = LockKey> {
        let memory = &self.machine.state.memory;
        let held = self.thread(number).into_iter().flat_map(|t| &t.held);
        held.filter(|held| held.mode == LockMode::Exclusive).map(|held| {
            let object = held.lock.object().map(|r| memory.object(r));
            LockKey {
                object: object.map_or(0, |object| object.key),
                offset: held.lock.bits.wrapping_sub(object.map_or(0, |object| object.base)),
            }
        })
    }

    /// Whether the object has not ended.
    pub fn is_live(&self, bytes: &TrackedBytes) -> bool {
        self.machine.state.memory.is_live(bytes.object)
    }

    /// The calls of a thread, outermost first, each with its current instruction.
    pub fn positions(
        &self,
        number: ThreadNumber,
    ) -> impl DoubleEndedIterator<Item = (FuncId, BlockId, usize)> {
        self.thread(number).into_iter().flat_map(|t| t.frames.iter().map(|f| (f.function, f.block, f.pc)))
    }

    /// The calls of a thread, outermost first, each with its current block.
    pub fn calls(&self, number: ThreadNumber) -> impl Iterator<Item = (FuncId, BlockId)> {
        self.thread(number).into_iter().flat_map(|t| t.frames.iter().map(|f| (f.function, f.block)))
    }

    /// The decisions up to here.
    pub fn trace(&self) -> &Trace {
        &self.machine.state.trace
    }

    /// A value that was never written has become a number at some point, and could have been any other.
    pub fn has_guessed(&self) -> bool {
        self.machine.state.guessed.get()
    }

    /// The addresses of different objects were compared by `<` at some point; with another layout the result could
    /// differ.
    pub fn has_ordered_objects(&self) -> bool {
        self.machine.state.ordered.get()
    }

    pub fn steps(&self) -> u64 {
        self.machine.state.steps
    }

    /// Steps, jumps and calls that are still allowed.
    pub fn left(&self) -> u64 {
        self.machine.budget
    }

    /// A fingerprint of a thread's program point, registers aside: the same for threads that have read the same values.
    pub fn place(&self, number: ThreadNumber) -> u64 {
        self.thread(number).map_or(0, Thread::place)
    }

    /// What the last attempt touched, in that order; if it had to wait, up to there.
    pub fn touched(&self) -> &[Touch] {
        &self.machine.watch.touched.list
    }

    fn thread(&self, number: ThreadNumber) -> Option<&Thread<'p>> {
        self.machine.state.threads.get(number as usize)?.as_deref()
    }

    pub fn attempt(&mut self, number: ThreadNumber) -> Attempt {
        let slot = number as usize;
        self.machine.watch.touched.clear();
        let Some(thread) = self.machine.state.threads.get(slot).and_then(|t| t.as_deref()) else {
            return Attempt::Waits;
        };
        let mut before = self.spare.pop().unwrap_or_else(|| Box::new(Thread::new(number, slot)));
        before.assign(thread);
        self.machine.enable(number, slot);
        if !self.machine.state.memory.keeps_history() {
            self.spare.extend(self.marks.drain(..).map(|mark| mark.thread));
        }
        let machine = &mut self.machine;
        self.marks.push(Mark {
            memory: machine.state.memory.mark(),
            number,
            thread: before,
            threads: machine.state.threads.len(),
            steps: machine.state.steps,
            budget: machine.budget,
            trace: machine.state.trace.end(),
            cut: machine.state.cut.clone(),
            pure: false,
        });
        let taken = machine.try_step(slot);
        // The step has found that the object has ended. An object that the undone step itself made is gone.
        if let Some(object) = machine.missed.take().filter(|r| machine.state.memory.was_made(*r)) {
            machine.watch.touched.measures(&machine.state.memory, object);
        }
        match taken {
            Ok(true) => {
                machine.watch.touched.finish(&machine.state.memory);
                if self.note_pure() && self.only_reads() && self.same_as_before(self.marks.len() - 1) {
                    self.back_to(self.marks.len() - 1);
                    self.machine.disable(number);
                    self.waits = true;
                    return Attempt::Spins;
                }
                if std::mem::take(&mut self.waits) {
                    self.enable_all();
                }
                Attempt::Taken
            }
            Ok(false) => {
                if let Some(mark) = self.marks.pop() {
                    if self.machine.state.memory.keeps_history() {
                        self.machine.state.memory.back_to(&mark.memory);
                    }
                    self.machine.budget = mark.budget;
                    self.spare.push(mark.thread);
                }
                self.waits = true;
                Attempt::Waits
            }
            Err(StepStop::End(end)) => Attempt::Ends(Box::new(self.machine.end_after_stops(*end))),
            Err(StepStop::Blocked | StepStop::Rests) => Attempt::Ends(Box::new(End::Assumption)),
        }
    }

    /// No touch writes without reading: whether the step changes anything depends on what it has read alone.
    fn only_reads(&self) -> bool {
        self.machine.watch.touched.list.iter().all(|t| t.reads || !t.writes)
    }

    fn note_pure(&mut self) -> bool {
        let machine = &self.machine;
        let Some(mark) = self.marks.last_mut() else { return false };
        mark.pure = mark.threads == machine.state.threads.len()
            && mark.trace.inputs == machine.state.trace.inputs.len()
            && machine.state.threads[mark.number as usize].as_ref().is_some_and(|t| !t.stopped)
            && machine.state.memory.unchanged_since(&mark.memory);
        mark.pure
    }

    /// The step at this depth left memory as it was, and asked for nothing.
    pub fn was_pure(&self, depth: usize) -> bool {
        self.marks.get(depth).is_some_and(|m| m.pure)
    }

    /// The latest step asked for nothing, and changed nothing but locals of which this does not hold, by their keys.
    pub fn changed_only_locals(&self, is_shared: &dyn Fn(u64) -> bool) -> bool {
        let machine = &self.machine;
        self.marks.last().is_some_and(|mark| {
            mark.threads == machine.state.threads.len()
                && mark.trace.inputs == machine.state.trace.inputs.len()
                && machine.state.threads[mark.number as usize].as_ref().is_some_and(|t| !t.stopped)
                && machine.state.memory.only_locals_changed_since(&mark.memory, is_shared)
        })
    }

    /// The locals of other threads that the last attempt touched, by their keys.
    pub fn locals_of_others(&self, number: ThreadNumber) -> impl Iterator<Item = u64> {
        let memory = &self.machine.state.memory;
        self.tracked()
            .filter(move |(_, b)| memory.object(b.object).is_local_of_another(number))
            .map(|(t, _)| t.key)
    }

    /// The thread that took the step at this depth is again in the state before it, dead registers aside.
    pub fn same_as_before(&mut self, depth: usize) -> bool {
        let Some(mark) = self.marks.get(depth) else { return false };
        let Some(Some(now)) = self.machine.state.threads.get(mark.number as usize) else { return false };
        let before = &mark.thread;
        if !now.same_point(before) {
            return false;
        }
        let last = now.frames.len().saturating_sub(1);
        now.frames.iter().enumerate().all(|(i, frame)| {
            let live =
                self.live[frame.function.index()].get_or_insert_with(|| Box::new(Liveness::new(frame.body)));
            live.registers(frame.block, frame.pc, i < last)
                .all(|r| now.regs.get(frame.base + r) == before.regs.get(frame.base + r))
        })
    }

    /// Goes back to the state before the step at this depth. Every thread counts as one that may step.
    pub fn back_to(&mut self, depth: usize) {
        debug_assert!(self.machine.state.memory.keeps_history(), "there is no history");
        if depth >= self.marks.len() {
            return;
        }
        let machine = &mut self.machine;
        while self.marks.len() > depth {
            let Some(mark) = self.marks.pop() else { break };
            machine.state.threads.truncate(mark.threads);
            machine.state.ended.truncate(mark.threads);
            let slot = mark.number as usize;
            machine.state.ended[slot] = None;
            if let Some(after) = machine.state.threads[slot].replace(mark.thread) {
                self.spare.push(after);
            }
            if self.marks.len() == depth {
                machine.state.memory.back_to(&mark.memory);
                machine.state.next_number = mark.threads as ThreadNumber;
                machine.state.steps = mark.steps;
                machine.budget = mark.budget;
                machine.state.trace.cut(mark.trace);
                machine.state.cut = mark.cut;
            }
        }
        machine.forget_attempt();
        self.enable_all();
    }

    /// Every thread may be able to step: which of them wait is known only until the next step.
    fn enable_all(&mut self) {
        self.machine.state.enable_all();
        self.waits = false;
    }

    /// The end of a run in which no thread can step. Every thread that is left must have tried.
    pub fn nobody_can_step(&mut self) -> End {
        let end = self.machine.nobody_can_step();
        match self.machine.state.cut.clone() {
            Some(cut) if matches!(end, End::Exited { .. }) => cut,
            _ => end,
        }
    }
}
