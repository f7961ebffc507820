//! Main waits for ever although other threads go on: they serve, log or tick, but nothing that they may still do can wake
//! main, nor any thread that could wake it.
//!
//! The threads that wait are there, since the run has led to them. That nobody wakes them is shown by analysis
//! (`tp_analysis::future_writes`): a thread that waits goes on only after a write to something that its attempt has
//! read. So of all threads that wait, those are woken, perhaps, whose attempts have read bytes that the others may still
//! write; these count as going on then, and so forth. A thread that joins another one goes on only after that: what else
//! its attempt has read is the table of all threads. If main is left over, it waits for ever.
//!
//! That is asked when the number of steps is a power of two and main waits. Which threads have tried to step is not in the
//! trace, but the trace ends with an attempt of each that waits, main last (`record_waiting`), so that a replay asks at the
//! same moment.

use crate::cause::DeadlockForm;
use crate::finding::Finding;
use crate::machine::Machine;
use crate::memory::ObjectKind;
use crate::thread::Thread;
use crate::trace::ThreadNumber;
use crate::value::ObjectRef;
use rustc_hash::FxHashMap;
use std::hash::{Hash, Hasher};
use std::sync::atomic::AtomicBool;
use std::sync::{Mutex, OnceLock, PoisonError};
use tp_analysis::future_writes::{FutureWrites, InstPosition, RunObject, chain_hash};
use tp_analysis::pointsto::PointsTo;
use tp_ir::{BlockId, ModelEffect, Program, Property, WaitKind};

const MAIN: ThreadNumber = 0;

/// Which threads can wake others: facts about one program, computed when a run first asks, and shared by its runs.
#[derive(Default)]
pub struct Wakers {
    /// `None`: the analysis has given up.
    facts: OnceLock<Option<FutureWrites>>,
    /// Answers, by what was asked.
    known: Mutex<FxHashMap<u64, Option<Vec<ThreadNumber>>>>,
}

/// A thread that waits.
#[derive(Hash)]
struct Waiter {
    number: ThreadNumber,
    calls: Vec<InstPosition>,
    until: Until,
}

/// What ends waiting.
#[derive(Hash)]
enum Until {
    /// A write to some of these bytes, which the attempt has read.
    Written(Vec<(RunObject, u64, u64)>),
    /// This thread has ended.
    Ended(ThreadNumber),
}

/// Everything that the answer depends on.
#[derive(Hash)]
struct Question {
    waiting: Vec<Waiter>,
    /// The threads that go on, and where they stand.
    others: Vec<(ThreadNumber, Vec<InstPosition>)>,
}

impl Wakers {
    /// Steps before the question is asked for the first time.
    pub const FIRST: u64 = 64;

    /// The threads that wait for ever, main among them; `None`: main may be woken, or that is not known.
    fn wait_for_ever(
        &self,
        program: &Program,
        question: Question,
        stop: &AtomicBool,
    ) -> Option<Vec<ThreadNumber>> {
        let mut hasher = rustc_hash::FxHasher::default();
        question.hash(&mut hasher);
        let key = hasher.finish();
        let known =
            |wakers: &Wakers| wakers.known.lock().unwrap_or_else(PoisonError::into_inner).get(&key).cloned();
        if let Some(answer) = known(self) {
            return answer;
        }
        let facts = self.facts.get_or_init(|| {
            let points_to = PointsTo::new(program, stop).ok()?;
            Some(FutureWrites::new(&points_to))
        });
        let answer = facts.as_ref().and_then(|facts| question.answer(facts));
        self.known.lock().unwrap_or_else(PoisonError::into_inner).insert(key, answer.clone());
        answer
    }
}

impl Question {
    fn answer(self, facts: &FutureWrites) -> Option<Vec<ThreadNumber>> {
        let Question { mut waiting, mut others } = self;
        while waiting.iter().any(|w| w.number == MAIN) {
            let written = facts.of(others.iter().map(|(_, calls)| &calls[..]))?;
            let may_wake = |w: &mut Waiter| match &w.until {
                Until::Written(reads) => {
                    reads.iter().any(|&(object, at, len)| facts.may_be_written(&written, object, at, len))
                }
                Until::Ended(joined) => others.iter().any(|(number, _)| number == joined),
            };
            let woken: Vec<Waiter> = waiting.extract_if(.., may_wake).collect();
            if woken.is_empty() {
                return Some(waiting.into_iter().map(|w| w.number).collect());
            }
            others.extend(woken.into_iter().map(|w| (w.number, w.calls)));
        }
        None
    }
}

/// It waits for something that may come from outside: a server that nobody asks anything may do so for ever.
pub(crate) fn waits_for_outside(thread: &Thread<'_>) -> bool {
    let kinds = [WaitKind::Signal, WaitKind::Descriptor, WaitKind::Socket];
    thread.waiting.is_some_and(|w| kinds.contains(&w.kind))
}

fn position(thread: &Thread<'_>) -> Vec<InstPosition> {
    thread.frames.iter().map(|f| (f.function, f.block, f.pc)).collect()
}

/// The fingerprint of the calls by which a thread has come to its present instruction.
pub(crate) fn chain_of(thread: &Thread<'_>) -> u64 {
    chain_hash(thread.frames.iter().map(|f| (f.function, f.block, f.pc)))
}

impl<'p> Machine<'p, '_> {
    /// A step was tried, and perhaps taken. The finding, if main waits for ever from now on though others go on.
    pub(crate) fn check_main_waits(&mut self, slot: usize, taken: bool) -> Option<Finding> {
        let wakers = self.config.wakers?;
        let is_moment = self.state.steps >= Wakers::FIRST && self.state.steps.is_power_of_two();
        if !is_moment || !self.config.checks.has(Property::Deadlock) || self.state.cut.is_some() {
            return None;
        }
        let main = self.state.threads.iter().position(|t| t.as_ref().is_some_and(|t| t.number == MAIN))?;
        if self.is_enabled(MAIN) || !taken && slot != main || self.waits_for_one_that_goes_on(main) {
            return None;
        }
        let question = self.question()?;
        let numbers = wakers.wait_for_ever(self.program, question, self.config.stop)?;
        let mut waiting: Vec<&Thread<'p>> = numbers.iter().filter_map(|n| self.thread_numbered(*n)).collect();
        waiting.sort_by_key(|t| (t.waits_to_join(), t.number));
        let (first, others) = waiting.split_first()?;
        let finding = self.deadlock(DeadlockForm::OthersGoOn, first, others);
        if self.is_known(&finding) {
            return None;
        }
        self.record_waiting(main);
        Some(finding)
    }

    /// Main waits for a thread that can step, to end or to release a lock, or for one that waits for such a thread. This is
    /// so nearly always, and needs no analysis.
    fn waits_for_one_that_goes_on(&self, main: usize) -> bool {
        let mut at = self.state.threads[main].as_deref();
        for _ in 0..self.state.threads.len() {
            let Some(owner) = at.and_then(|t| t.waiting).and_then(|w| w.owner) else { return false };
            if self.is_enabled(owner) {
                return true;
            }
            at = self.thread_numbered(owner);
        }
        false
    }

    /// Each thread that waits tries once more, to see what it reads. `None`: one of them does not wait.
    fn question(&mut self) -> Option<Question> {
        let mut question = Question { waiting: Vec::new(), others: Vec::new() };
        for slot in 0..self.state.threads.len() {
            let Some(thread) = &self.state.threads[slot] else { continue };
            let (number, calls) = (thread.number, position(thread));
            if self.is_enabled(number) || thread.blocked_by_input || waits_for_outside(thread) {
                question.others.push((number, calls));
            } else {
                let until = self.waits_until(slot)?;
                question.waiting.push(Waiter { number, calls, until });
            }
        }
        Some(question)
    }

    /// What a thread waits for. `None`: it does not wait.
    fn waits_until(&mut self, slot: usize) -> Option<Until> {
        let thread = self.state.threads[slot].as_ref()?;
        // A thread that joins may also be cancelled, or interrupted by a signal.
        let disturbs = [ModelEffect::Cancel, ModelEffect::SendsSignals, ModelEffect::Handlers];
        let joined = thread.waiting.and_then(|w| w.owner).filter(|_| thread.waits_to_join());
        match joined.filter(|_| !disturbs.iter().any(|effect| self.program.has_effect(*effect))) {
            Some(joined) => Some(Until::Ended(joined)),
            None => self.reads_of_attempt(slot).map(Until::Written),
        }
    }

    fn reads_of_attempt(&mut self, slot: usize) -> Option<Vec<(RunObject, u64, u64)>> {
        let was_recorded = std::mem::replace(&mut self.watch.touched.recorded, true);
        self.watch.touched.clear();
        let waits = matches!(self.try_step(slot), Ok(false));
        self.watch.touched.recorded = was_recorded;
        let reads = self.watch.touched.places().map(|(r, offset, len)| (self.run_object(r), offset, len));
        let reads = reads.collect();
        self.watch.touched.clear();
        waits.then_some(reads)
    }

    fn run_object(&self, r: ObjectRef) -> RunObject {
        let object = self.state.memory.object(r);
        match object.kind {
            ObjectKind::Global(global) => RunObject::Global(global),
            ObjectKind::ThreadLocal(global) => RunObject::ThreadLocal(global),
            ObjectKind::Local { function, block, index } => {
                RunObject::Local((function, BlockId::from_u32(block), index as usize))
            }
            ObjectKind::Heap => RunObject::Heap(object.chain),
            ObjectKind::Function(_) => RunObject::Function,
        }
    }
}
