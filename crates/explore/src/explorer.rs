//! The search: one execution after the other, each branching off from the previous one.

use crate::memo::{Memo, NextStep};
use crate::path::Path;
use crate::stand::{ThreadPosition, ThreadStatus};
use crate::tape::Tape;
use crate::wakeup_tree::{Branch, Fit, WakeupStep, fit, insert};
use crate::{Exploration, Incomplete, Search, Visitor};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_ir::loops::LoopForest;
use tp_ir::{Init, Op, Program, Property};
use tp_machine::{Session, ThreadNumber};

/// A prefix of the execution, before the event with the same position.
#[derive(Default)]
pub struct SearchNode {
    /// The wakeup tree: what is still to be explored from here.
    pub tree: Vec<Branch>,
    /// The sleep set: steps whose continuations have been explored, and with which no step since conflicts.
    pub sleep: Vec<WakeupStep>,
    /// Threads that wait.
    pub waiting: Vec<Rc<NextStep>>,
    /// Threads whose steps from here, with all inputs, are explored or in the tree.
    pub varied: Vec<ThreadNumber>,
    /// Something was explored from here.
    pub visited: bool,
}

impl SearchNode {
    fn clear(&mut self) {
        self.tree.clear();
        self.sleep.clear();
        self.waiting.clear();
        self.varied.clear();
        self.visited = false;
    }

    /// Plans a sequence from here, unless a sleeping step or one of the first `branches` branches covers it.
    fn plan(&mut self, sequence: Vec<&WakeupStep>, branches: usize) {
        let covers = |s: &WakeupStep| !matches!(fit(s, &sequence), Fit::Not);
        if !self.sleep.iter().any(covers) {
            insert(&mut self.tree, branches, sequence);
        }
    }
}

pub struct Explorer<'e, 'p, 'r> {
    pub search: Search<'p>,
    pub session: Session<'p, 'r>,
    pub tape: &'e RefCell<Tape>,
    pub path: Path,
    pub nodes: Vec<SearchNode>,
    /// Unused nodes, kept to reuse their memory.
    pub spare: Vec<SearchNode>,
    pub memo: Memo,
    /// The first position at which this execution differs from the previous one.
    pub parted: usize,
    pub result: &'e mut Exploration,
    pub visitor: &'e mut dyn Visitor,
    /// Steps, jumps and calls that an execution may use.
    pub allowed: u64,
    /// Whether a thread that has read the same always does the same, so that known steps need no machine.
    pub steps_are_known: bool,
    /// Every step varies: the code after it may end the program or ask for inputs, depending on what was read.
    pub all_vary: bool,
    /// By function: its loops, computed on demand.
    pub loops: Vec<Option<LoopForest>>,
}

/// The search is over.
pub struct Over;

impl<'e, 'p, 'r> Explorer<'e, 'p, 'r> {
    pub fn new(
        search: Search<'p>,
        session: Session<'p, 'r>,
        tape: &'e RefCell<Tape>,
        result: &'e mut Exploration,
        visitor: &'e mut dyn Visitor,
    ) -> Explorer<'e, 'p, 'r> {
        let allowed = session.left();
        let nowhere = ThreadPosition { life: ThreadStatus::Runs, varying: true, place: 0 };
        let mut explorer = Explorer {
            search,
            session,
            tape,
            path: Path::new(nowhere),
            nodes: vec![SearchNode::default()],
            spare: Vec::new(),
            memo: Memo::default(),
            parted: 0,
            result,
            visitor,
            allowed,
            steps_are_known: true,
            all_vary: !search.checks.has(Property::Assert) || asks_for_inputs(search.program),
            loops: search.program.functions.keys().map(|_| None).collect(),
        };
        explorer.path = Path::new(explorer.stand_of(0));
        explorer
    }

    pub fn run(mut self) -> Result<(), Over> {
        loop {
            while self.extend()? {}
            self.reverse_races()?;
            self.completed()?;
            if !self.backtrack() {
                return Ok(());
            }
            self.take_next()?;
        }
    }

    fn completed(&mut self) -> Result<(), Over> {
        if self.result.executions().is_multiple_of(1024) {
            self.visitor.progress(self.result);
        }
        self.result.threads = self.result.threads.max(self.session.threads());
        if self.session.has_guessed() {
            self.result.give_up(Incomplete::UnwrittenBits);
        }
        if self.session.has_ordered_objects() {
            self.result.give_up(Incomplete::OrderOfObjects);
        }
        if self.search.limits.stop.load(Ordering::Relaxed) {
            return Err(self.stopped());
        }
        if self.result.executions() >= self.search.limits.max_executions {
            self.result.give_up(Incomplete::MoreExecutions(self.result.executions()));
            return Err(Over);
        }
        Ok(())
    }

    pub fn stopped(&mut self) -> Over {
        self.result.give_up(Incomplete::Stopped);
        Over
    }

    /// Goes back to the last node from which there is more to explore; `false` when there is none.
    fn backtrack(&mut self) -> bool {
        loop {
            let Some(node) = self.nodes.last() else { return false };
            if node.visited && !node.tree.is_empty() {
                self.parted = self.path.len();
                self.session.back_to(self.parted);
                return true;
            }
            let Some(event) = self.path.pop() else { return false };
            if let Some(mut node) = self.nodes.pop() {
                node.clear();
                self.spare.push(node);
            }
            if let Some(node) = self.nodes.last_mut() {
                node.sleep.push(event.step);
            }
        }
    }

    /// Plans a sequence from a node, unless it is covered: events of the path, and a last step.
    pub fn plan(&mut self, node: usize, before: &[usize], last: &WakeupStep) {
        let node = &mut self.nodes[node];
        let events = &self.path.events;
        let sequence: Vec<&WakeupStep> = before.iter().map(|&at| &events[at].step).chain([last]).collect();
        node.plan(sequence, usize::MAX);
    }

    /// The same for single steps of one thread, with different inputs: none of them covers another.
    pub fn plan_inputs<'s>(&mut self, node: usize, steps: impl Iterator<Item = &'s WakeupStep>) {
        let node = &mut self.nodes[node];
        let others = node.tree.len();
        for step in steps {
            node.plan(vec![step], others);
        }
    }
}

/// The program has inputs, or variables that can have any value when it begins.
pub fn asks_for_inputs(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    let mut insts = bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    insts.any(|i| matches!(i.op, Op::Input { .. }))
        || program.globals.values().any(|g| g.init == Init::Unknown)
}
