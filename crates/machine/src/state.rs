//! The state of a run: everything the next step depends on, besides the program and what is decided.
//!
//! The machine steps it. It can be copied, and a run can go on from the copy (`Session::restore`, `run_from`). For
//! going back a few steps there are marks, which cost as much as the steps (`Session::back_to`).
//!
//! Observers are not part of it. Terms of followed inputs belong to the `Symbols` of the session that made the copy.

use crate::finding::End;
use crate::memory::Memory;
use crate::race::StepNumber;
use crate::thread::Thread;
use crate::trace::{ThreadNumber, Trace};
use crate::value::{ObjectRef, Value};
use std::cell::Cell;
use std::collections::{BTreeMap, BTreeSet};
use tp_ir::{FuncId, Program};

#[derive(Clone)]
pub struct RunState<'p> {
    pub(crate) memory: Memory,
    pub(crate) constants: Vec<Value>,
    pub(crate) global_objects: Vec<Option<ObjectRef>>,
    /// By slot; a slot is also the thread's entry in vector clocks. Empty while the thread is being executed.
    pub(crate) threads: Vec<Option<Box<Thread<'p>>>>,
    /// The last step of the latest thread in each slot, once that has ended.
    pub(crate) ended: Vec<Option<StepNumber>>,
    /// Threads that ended while they held a lock.
    pub(crate) ended_holding: BTreeSet<ThreadNumber>,
    /// By thread, the record that a model keeps of it: what it was started with.
    pub(crate) records: Vec<Option<ObjectRef>>,
    /// Each thread's first user function, kept after the thread has ended.
    pub(crate) roots: BTreeMap<ThreadNumber, FuncId>,
    /// Threads that may be able to step, ascending, with their slots.
    pub(crate) enabled: Vec<ThreadNumber>,
    pub(crate) enabled_slots: Vec<usize>,
    /// Those of them that sleep, by the clock of the schedule.
    pub(crate) resting: Vec<ThreadNumber>,
    pub(crate) next_number: ThreadNumber,
    pub(crate) trace: Trace,
    /// Steps taken; inside a step, the step has the next number.
    pub(crate) steps: StepNumber,
    /// How the run ends if no violation is found, once a thread has stopped for ever.
    pub(crate) cut: Option<End>,
    /// A value that was never written has become a number, by an operation on its bits.
    pub(crate) guessed: Cell<bool>,
    /// A function has asked for the number of its thread that may do anything with it.
    pub(crate) told_number: bool,
    /// Addresses of different objects were compared: with another layout the result may differ.
    pub(crate) ordered: Cell<bool>,
}

impl<'p> RunState<'p> {
    /// The state before any object or thread is made.
    pub(crate) fn new(program: &Program, max_memory: u64) -> RunState<'p> {
        RunState {
            memory: Memory::new(program.data_model, max_memory),
            constants: Vec::new(),
            global_objects: vec![None; program.globals.len()],
            threads: Vec::new(),
            ended: Vec::new(),
            ended_holding: BTreeSet::new(),
            records: Vec::new(),
            roots: BTreeMap::new(),
            enabled: Vec::new(),
            enabled_slots: Vec::new(),
            resting: Vec::new(),
            next_number: 0,
            trace: Trace::default(),
            steps: 0,
            cut: None,
            guessed: Cell::new(false),
            told_number: false,
            ordered: Cell::new(false),
        }
    }

    /// Which threads wait is not known: all that have not ended or stopped may be able to step.
    pub(crate) fn enable_all(&mut self) {
        let threads = &self.threads;
        let number = |slot: &usize| threads[*slot].as_ref().filter(|t| !t.stopped).map(|t| t.number);
        self.resting.clear();
        self.enabled_slots.clear();
        self.enabled_slots.extend((0..threads.len()).filter(|slot| number(slot).is_some()));
        self.enabled_slots.sort_unstable_by_key(number);
        self.enabled.clear();
        self.enabled.extend(self.enabled_slots.iter().filter_map(number));
        let enabled = &self.enabled;
        self.ended_holding.retain(|number| enabled.binary_search(number).is_err());
    }
}
