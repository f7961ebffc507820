//! Small random programs in the textual IR, and their traces by trying every interleaving.
#![allow(dead_code)]

pub mod brute;
pub mod random;

use std::collections::{BTreeSet, HashMap};
use std::sync::atomic::AtomicBool;
use threadproof_explore::{Exploration, ExploreLimits, Visitor, explore};
use tp_ir::{BlockId, Callee, Checks, FuncId, Op, Origin, Program};
use tp_machine::Trace;

pub fn program(text: &str) -> Program {
    let text = format!("program LP64 entry &main\n{text}");
    let program = tp_ir::parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    if let Err(error) = tp_ir::validate(&program) {
        panic!("{error:?}\n{text}");
    }
    program
}

/// The traces that were explored, each in its canonical form.
pub struct Seen<'p> {
    pub program: &'p Program,
    pub forms: BTreeSet<String>,
    pub twice: Vec<String>,
}

impl Visitor for Seen<'_> {
    fn execution(&mut self, trace: &Trace) {
        let form = brute::form_of(self.program, trace);
        if !self.forms.insert(form.clone()) {
            self.twice.push(form);
        }
    }
}

pub fn explore_all(program: &Program, checks: Checks) -> (Exploration, BTreeSet<String>, Vec<String>) {
    let stop = AtomicBool::new(false);
    let mut seen = Seen { program, forms: BTreeSet::new(), twice: Vec::new() };
    let limits = limits(&stop);
    let result = explore(program, checks, &limits, &mut seen);
    (result, seen.forms, seen.twice)
}

pub fn limits(stop: &AtomicBool) -> ExploreLimits<'_> {
    ExploreLimits {
        run: tp_machine::RunLimits { max_steps: 3_000, max_memory: 1 << 24, max_depth: 100 },
        max_executions: 1 << 40,
        contexts: tp_machine::ContextBound::None,
        inputs_below: None,
        stop,
    }
}

/// The threads of each call that starts some are interchangeable.
pub fn all_interchangeable(program: &Program) -> HashMap<(FuncId, BlockId, usize), u32> {
    let mut sets = HashMap::new();
    let of_user = program.functions.iter().filter(|(_, f)| f.origin == Origin::User);
    for (id, body) in of_user.filter_map(|(id, f)| Some((id, f.body.as_ref()?))) {
        for (block, row) in &body.blocks {
            for (at, inst) in row.insts.iter().enumerate() {
                if let Op::Call(call) = &inst.op
                    && let Callee::Direct(called) = call.callee
                    && &*program.functions[called].name == "pthread_create"
                {
                    let set = sets.len() as u32;
                    sets.insert((id, block, at), set);
                }
            }
        }
    }
    sets
}
