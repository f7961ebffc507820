//! The run as a whole: its state, the step under way, and the threads that may be able to step.

use crate::decide::{InputRequest, InputSource, Inputs, Schedule, WantedInput};
use crate::finding::{End, Run};
use crate::hindsight::HindsightQuestion;
use crate::known::Identity;
use crate::observe::Watchers;
use crate::race::{Access, MAX_ENTRIES, StepNumber};
use crate::state::RunState;
use crate::symbols::Symbols;
use crate::thread::Thread;
use crate::trace::{Input, ThreadNumber};
use crate::value::{ObjectRef, Value};
use crate::{Config, Environment, Output};
use std::cell::{Cell, RefCell};
use std::sync::atomic::Ordering;
use tp_ir::{
    FuncId, Function, InputKind, MemoryOrder, ModelEffect, Origin, PlaceId, Program, Property, SyncEffect,
};

/// Why a thread does not go on.
pub enum StepStop {
    /// The run ends.
    End(Box<End>),
    /// The atomic step waits.
    Blocked,
    /// It sleeps.
    Rests,
}

impl From<End> for StepStop {
    fn from(end: End) -> StepStop {
        StepStop::End(Box::new(end))
    }
}

/// How far a thread went.
#[derive(PartialEq, Eq, Debug)]
pub enum Pause {
    /// It is about to take its next step.
    AtStep,
    Ended,
}

/// A run, and what to look for when it is repeated to explain its end.
pub struct UnexplainedRun {
    pub run: Run,
    pub question: Option<HindsightQuestion>,
}

/// What a step has done that takes effect only when it is certain to be taken.
#[derive(Default)]
pub struct Pending {
    /// Each with its place, if that is in the user's code and not in a model that it has called.
    pub accesses: Vec<(ObjectRef, Access, Option<PlaceId>)>,
    /// Each with how many of the accesses come before it.
    pub fences: Vec<(usize, MemoryOrder)>,
    pub read: Vec<ObjectRef>,
    pub written: Vec<ObjectRef>,
    /// Objects of which it has read memory that was never written.
    pub settled: Vec<ObjectRef>,
    pub output: Vec<(u32, Vec<u8>)>,
    /// Threads started: their slots, and the last step of the thread that had the slot before.
    pub started: Vec<(usize, Option<StepNumber>)>,
    pub(crate) inputs: usize,
    /// `Machine::unwritten` when it began.
    pub(crate) unwritten: usize,
    /// Reads of memory that was never written: where, and the index among the inputs.
    pub(crate) found: Vec<(InputSource, usize)>,
    pub(crate) events: usize,
    /// Locals of other threads that it has accessed, and that none has accessed before.
    pub(crate) others_locals: Vec<ObjectRef>,
    /// It sleeps, or has slept.
    pub(crate) rested: bool,
    /// What the function that the user called does to locks and threads, if the step is a section.
    pub(crate) sync: Option<SyncEffect>,
    /// The step is nothing but the beginning of a variable's scope.
    pub(crate) only_begins_scope: bool,
}

pub struct Machine<'p, 'r> {
    pub program: &'p Program,
    pub config: &'r Config<'r>,
    pub schedule: &'r mut dyn Schedule,
    pub(crate) inputs: &'r mut dyn Inputs,
    pub(crate) output: &'r mut Output<'r>,
    /// The state of the run.
    pub state: RunState<'p>,
    /// How many inputs of the trace are values of registers that were never written.
    pub(crate) unwritten: usize,
    pub(crate) watch: Watchers<'p, 'r>,
    /// Writes to new objects are recorded too: weak atomics can pass on an object's address without ordering them.
    pub(crate) remembers_new: bool,
    pub budget: u64,
    pub instructions: u64,
    pub pending: Pending,
    pub(crate) peak_memory: u64,
    /// The place of the access that is being checked, if its thread has gone on since.
    pub(crate) made_at: Option<PlaceId>,
    /// Slots of threads that have ended may be used again.
    pub(crate) reuse_slots: bool,
    /// The ended object that the last failing access was to.
    pub(crate) missed: Cell<Option<ObjectRef>>,
    /// While inputs are followed: what is computed from them.
    pub(crate) symbols: Option<&'r RefCell<Symbols>>,
}

impl<'p, 'r> Machine<'p, 'r> {
    pub fn new(
        program: &'p Program,
        config: &'r Config<'r>,
        (known, hindsight): (&'r [Identity], Option<HindsightQuestion>),
        environment: Environment<'r>,
    ) -> Machine<'p, 'r> {
        let Environment { schedule, inputs, output } = environment;
        Machine {
            program,
            config,
            schedule,
            inputs,
            output,
            state: RunState::new(program, config.max_memory),
            unwritten: 0,
            watch: Watchers::new(known, hindsight),
            remembers_new: config.checks.has(Property::Race) && program.has_weak_atomics(),
            budget: config.max_steps,
            instructions: 0,
            pending: Pending::default(),
            peak_memory: 0,
            made_at: None,
            reuse_slots: true,
            missed: Cell::new(None),
            symbols: None,
        }
    }

    pub fn run(mut self) -> UnexplainedRun {
        let end = self.start().and_then(|()| self.schedule_loop());
        self.ended(end)
    }

    /// Goes on from a state that a run of the program had.
    pub fn run_from(mut self, state: RunState<'p>) -> UnexplainedRun {
        self.state = state;
        let end = self.schedule_loop();
        self.ended(end)
    }

    fn ended(mut self, end: Result<End, StepStop>) -> UnexplainedRun {
        let end = match end {
            Ok(end) => end,
            Err(StepStop::End(end)) => *end,
            // Only a step can wait, and the loop handles that.
            Err(StepStop::Blocked | StepStop::Rests) => End::Assumption,
        };
        let end = self.end_after_stops(end);
        if let End::Violation(finding) = &end
            && self.watch.hindsight.is_none()
            && self.watch.question.is_none()
            && finding.needs_hindsight()
        {
            self.watch.question = Some(HindsightQuestion::Locks);
        }
        for (fd, bytes) in std::mem::take(&mut self.pending.output) {
            (self.output)(fd, &bytes);
        }
        let run = Run {
            end,
            trace: self.state.trace,
            steps: self.state.steps,
            instructions: self.instructions,
            peak_memory: self.peak_memory.max(self.state.memory.used()),
            threads: self.state.next_number,
            events: self.watch.events,
        };
        UnexplainedRun { run, question: self.watch.question }
    }

    // ── threads ────────────────────────────────────────────────────────────────────────────────────────────────

    /// A new thread in a slot that `creator` may reuse, or a fresh one. Also the last step of the slot's old thread.
    pub(crate) fn new_thread(
        &mut self,
        creator: Option<&Thread<'p>>,
    ) -> Result<(usize, Option<StepNumber>), StepStop> {
        let reusable = creator.filter(|_| self.reuse_slots).and_then(|c| {
            (0..self.state.threads.len())
                .find(|&s| self.state.ended[s].is_some_and(|end| end <= c.clocks.now.get(s)))
        });
        let slot = reusable.unwrap_or(self.state.threads.len());
        if slot >= MAX_ENTRIES {
            return Err(End::TooManyThreads { at: self.nowhere() }.into());
        }
        let thread = Box::new(Thread::new(self.state.next_number, slot));
        self.state.next_number += 1;
        if slot == self.state.threads.len() {
            self.state.threads.push(Some(thread));
            self.state.ended.push(None);
            Ok((slot, None))
        } else {
            self.state.threads[slot] = Some(thread);
            Ok((slot, self.state.ended[slot].take()))
        }
    }

    /// Starts a thread inside a step of `parent`; it begins to run when the step is taken.
    pub fn start_thread(
        &mut self,
        parent: &mut Thread<'p>,
        func: Value,
        arg: Value,
    ) -> Result<ThreadNumber, StepStop> {
        let Some(function) = self.state.memory.function_at(func) else {
            return Err(self.bad_call(parent, func));
        };
        self.watch.touched.starts_thread(self.state.next_number);
        let (slot, ended) = self.new_thread(Some(parent))?;
        let Some(mut child) = self.state.threads[slot].take() else { return Ok(0) };
        child.started = self.user_stack(parent).into();
        let entered = self.enter(&mut child, function, &[arg], true);
        let number = child.number;
        self.state.records.resize(number as usize, None);
        self.state.records.push(arg.object().filter(|r| self.state.memory.object(*r).is_record));
        self.state.threads[slot] = Some(child);
        self.pending.started.push((slot, ended));
        entered.map(|()| number)
    }

    /// Drops everything pending of an unfinished step.
    pub(crate) fn forget_attempt(&mut self) {
        self.pending.accesses.clear();
        self.pending.fences.clear();
        self.pending.read.clear();
        self.pending.written.clear();
        self.pending.settled.clear();
        self.pending.output.clear();
        self.pending.started.clear();
    }

    pub fn thread_numbered(&self, number: ThreadNumber) -> Option<&Thread<'p>> {
        self.state.threads.iter().flatten().find(|t| t.number == number).map(|t| &**t)
    }

    /// Puts a thread back after it was executed.
    pub(crate) fn settle(&mut self, thread: Box<Thread<'p>>, paused: Pause) {
        let slot = thread.entry;
        match paused {
            Pause::AtStep => {
                self.enable(thread.number, slot);
                self.state.threads[slot] = Some(thread);
            }
            Pause::Ended => {
                if !thread.held.is_empty() {
                    self.state.ended_holding.insert(thread.number);
                }
                for &r in thread.thread_locals.iter().map(|(_, r)| r).chain(&thread.locals) {
                    if self.state.memory.is_live(r) {
                        self.note_end(&thread, r);
                    }
                    self.end_local(&thread, r, false);
                }
                self.state.ended[slot] = Some(self.state.steps);
                self.disable(thread.number);
            }
        }
    }

    pub fn is_enabled(&self, number: ThreadNumber) -> bool {
        self.state.enabled.binary_search(&number).is_ok()
    }

    pub(crate) fn enable(&mut self, number: ThreadNumber, slot: usize) {
        if let Err(at) = self.state.enabled.binary_search(&number) {
            self.state.enabled.insert(at, number);
            self.state.enabled_slots.insert(at, slot);
        }
    }

    pub(crate) fn disable(&mut self, number: ThreadNumber) {
        if let Ok(at) = self.state.enabled.binary_search(&number) {
            self.state.enabled.remove(at);
            self.state.enabled_slots.remove(at);
        }
    }

    /// A waiting thread had read this object, and it was written.
    pub(crate) fn wake(&mut self, r: ObjectRef) {
        self.state.memory.object_mut(r).watched = false;
        for slot in 0..self.state.threads.len() {
            if let Some(t) = &self.state.threads[slot]
                && t.watches.contains(&r)
            {
                let number = t.number;
                self.state.resting.retain(|resting| *resting != number);
                self.enable(number, slot);
            }
        }
    }

    /// Uses one unit of the budget, and looks at the stop flag now and then.
    #[inline(always)]
    pub fn spend(&mut self) -> Result<(), StepStop> {
        if self.budget == 0 {
            return Err(End::TooManySteps.into());
        }
        self.budget -= 1;
        if self.budget & 0xfff == 0 && self.config.stop.load(Ordering::Relaxed) {
            return Err(End::Stopped.into());
        }
        Ok(())
    }

    pub fn write_out(&mut self, fd: u32, bytes: Vec<u8>, atomic: bool) {
        if atomic {
            self.pending.output.push((fd, bytes));
        } else {
            (self.output)(fd, &bytes);
        }
    }

    pub fn input(
        &mut self,
        thread: ThreadNumber,
        source: InputSource,
        wanted: WantedInput,
    ) -> Result<Value, StepStop> {
        let WantedInput { name, ty, signed, kind } = wanted;
        let width = ty.width(self.program.data_model);
        let index = self.state.trace.inputs.len();
        let request = InputRequest { thread, source, name: &name, ty, width, signed, kind, index };
        let Some(bits) = self.inputs.value(&request) else {
            return Err(End::Diverged { step: self.state.steps }.into());
        };
        let bits = tp_ir::eval::truncate(bits, width);
        let value = self.followed(&request, bits).unwrap_or_else(|| Value::from_wide(bits, width));
        if source.is_memory() {
            self.pending.found.push((source, index));
        }
        self.state.trace.inputs.push(Input {
            name,
            width: width.bits(),
            signed,
            rare: kind == InputKind::Event,
            bits,
        });
        Ok(value)
    }

    /// Notes which words hold numbers of threads, as the function says that is called.
    fn note_names(&mut self, function: &Function, args: &[Value]) {
        for effect in function.trusted_effects() {
            if let ModelEffect::Names(word) = effect
                && let Some(pointer) = args.get(word.argument)
                && let Ok((r, offset)) = self.state.memory.find(*pointer, 0)
            {
                self.state.memory.note_names(r, offset.saturating_add(word.offset), word.content);
            }
        }
    }

    pub fn enter(
        &mut self,
        t: &mut Thread<'p>,
        function: FuncId,
        args: &[Value],
        adapt: bool,
    ) -> Result<(), StepStop> {
        let program = self.program;
        let f = &program.functions[function];
        let Some(body) = &f.body else {
            return Err(End::Unmodelled { function: f.name.to_string(), at: self.moment(t) }.into());
        };
        if self.symbols.is_some() {
            self.mark_written_by(function, args);
        }
        if t.frames.len() >= self.config.max_depth {
            return Err(End::TooDeep { at: self.moment(t) }.into());
        }
        if t.root.is_none() && f.origin == Origin::User {
            t.root = Some(function);
            self.state.roots.insert(t.number, function);
        }
        if self.state.memory.keeps_history() {
            self.note_names(f, args);
        }
        t.push_frame(function, body);
        if f.is_output() {
            t.enter_output();
        }
        let base = t.regs.len() - body.regs.len();
        for (i, &param) in body.params.iter().enumerate() {
            let mut value = args.get(i).copied().unwrap_or(Value::UNINIT);
            if adapt {
                let width = body.regs[param].ty.width(program.data_model);
                if width.bits() < 64 {
                    let bits = tp_ir::eval::truncate(value.bits, width);
                    value = match value.term() {
                        Some(_) => self.resized(value, bits, width, false),
                        None => value.with_bits(bits),
                    };
                }
            }
            t.set(base, param, value);
        }
        Ok(())
    }
}
