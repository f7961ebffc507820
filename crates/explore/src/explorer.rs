//! The search: executions one after the other, each continued from where it parts from the one before.

use crate::memo::{Answer, Memo, Why};
use crate::path::Path;
use crate::tape::Tape;
use crate::touches::Touches;
use crate::tree::{Branch, Fit, Step, fit, insert};
use crate::{Exploration, Limits, Visitor};
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::atomic::Ordering;
use tp_ir::{Checks, EntityRef, Init, Op, Program, Property};
use tp_machine::{Attempt, Session, Standing, ThreadNumber, Touch};

/// A moment of the execution, before the event with the same position.
#[derive(Default)]
pub struct Node {
    /// What is still to be explored from here.
    pub tree: Vec<Branch>,
    /// Steps whose continuations have been explored, and that nothing since has touched.
    pub sleep: Vec<Step>,
    /// Threads that wait.
    pub waiting: Vec<Answer>,
    /// Threads whose steps from here, with all inputs, are explored or in the tree.
    varied: Vec<ThreadNumber>,
    /// Something was explored from here.
    visited: bool,
}

pub struct Explorer<'e, 'p, 'r> {
    pub program: &'p Program,
    pub session: Session<'p, 'r>,
    pub tape: &'e RefCell<Tape>,
    pub path: Path,
    pub nodes: Vec<Node>,
    pub memo: Memo,
    /// The events from this position on are not those of the execution before.
    pub parted: usize,
    pub checks: Checks,
    pub limits: &'e Limits<'e>,
    pub result: &'e mut Exploration,
    pub visitor: &'e mut dyn Visitor,
    /// What follows a step may end the program or ask for inputs, depending on what was read.
    all_vary: bool,
    /// For each function, which blocks can come round to themselves.
    loops: Vec<Option<Vec<bool>>>,
}

/// The search is over.
pub struct Over;

/// After so many steps of one thread another one is preferred.
const LONG_ALONE: usize = 50;

/// A round of a loop that is recognised has at most this many steps.
const LONGEST_ROUND: usize = 32;

impl<'e, 'p, 'r> Explorer<'e, 'p, 'r> {
    pub fn new(
        program: &'p Program,
        session: Session<'p, 'r>,
        tape: &'e RefCell<Tape>,
        checks: Checks,
        limits: &'e Limits<'e>,
        result: &'e mut Exploration,
        visitor: &'e mut dyn Visitor,
    ) -> Explorer<'e, 'p, 'r> {
        let loops = program.functions.keys().map(|_| None).collect();
        let (path, nodes) = (Path::new(), vec![Node::default()]);
        let memo = Memo::default();
        let all_vary = !checks.has(Property::Assert) || asks_for_inputs(program);
        Explorer {
            program,
            session,
            tape,
            path,
            nodes,
            memo,
            parted: 0,
            checks,
            limits,
            result,
            visitor,
            all_vary,
            loops,
        }
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
        if self.session.has_guessed() {
            self.result.give_up("bits of a value that was never written are used");
        }
        if self.limits.stop.load(Ordering::Relaxed) {
            self.result.give_up("stopped");
            return Err(Over);
        }
        if self.result.executions() >= self.limits.max_executions {
            let reason = format!("{} executions were explored and there are more", self.result.executions());
            self.result.give_up(&reason);
            return Err(Over);
        }
        Ok(())
    }

    // ── forward ────────────────────────────────────────────────────────────────────────────────────────────────

    /// One step more; `false` when the execution has come to its end.
    fn extend(&mut self) -> Result<bool, Over> {
        let depth = self.path.len();
        if !self.nodes[depth].tree.is_empty() {
            self.take_next()?;
            return Ok(true);
        }
        let last = self.path.events.last().map(|e| e.step.thread).filter(|&t| !self.is_long_alone(t));
        let mut sleeping = false;
        let first = self.path.events.last().filter(|_| last.is_none()).map_or(0, |e| e.step.thread + 1);
        let others = (first..self.session.threads()).chain(0..first);
        for thread in last.into_iter().chain(others) {
            let node = &self.nodes[depth];
            let waits = node.waiting.iter().any(|w| w.thread == thread);
            let exits = self.session.standing(thread) == Some(Standing::Exit);
            if waits || exits || !self.session.is_alive(thread) {
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
    fn take_next(&mut self) -> Result<(), Over> {
        loop {
            let Some(node) = self.nodes.last_mut() else { return Ok(()) };
            if node.tree.is_empty() {
                return Ok(());
            }
            let Branch { step, children } = node.tree.remove(0);
            if self.take(step.thread, &step.label, children)? {
                return Ok(());
            }
            // What was to be reached is not there.
            self.result.redundant += 1;
        }
    }

    /// Lets a thread step at the end of the path. `false` if it has to wait.
    fn take(&mut self, thread: ThreadNumber, given: &[u128], tree: Vec<Branch>) -> Result<bool, Over> {
        let depth = self.path.len();
        self.go_to(depth);
        let varying = self.is_varying(thread);
        let threads = self.session.threads();
        self.tape.borrow_mut().begin(given);
        let attempt = self.session.attempt(thread);
        if !self.tape.borrow().label.is_empty() && !self.nodes[depth].varied.contains(&thread) {
            self.session.back_to(depth);
            return self.take_with_inputs(thread, given, tree);
        }
        let touches = Touches::new(self.session.touched());
        let why = match attempt {
            Attempt::Taken => {
                let label: Rc<[u128]> = self.tape.borrow().label.as_slice().into();
                let started = (threads, self.session.threads() - threads);
                self.push(Step { thread, label, touches }, varying, started, tree)?;
                return Ok(true);
            }
            Attempt::Waits => Why::Awaits,
            Attempt::Spins => Why::Spins,
            Attempt::Ends(end) => {
                self.ended(*end)?;
                self.session.back_to(depth);
                Why::Ends
            }
        };
        let waits = Answer::waits(thread, touches, why);
        self.races_of_a_round(&waits)?;
        self.note_waiting(waits.clone());
        self.nodes[depth].waiting.push(waits);
        Ok(false)
    }

    /// The same for a step that asks for inputs. What it does with others than those that are given is explored as well.
    fn take_with_inputs(
        &mut self,
        thread: ThreadNumber,
        given: &[u128],
        tree: Vec<Branch>,
    ) -> Result<bool, Over> {
        let depth = self.path.len();
        let events = self.path.threads[thread as usize].len() as u32;
        let answer = self.answer(depth, thread, events, &self.path.prefix(depth))?;
        let is_given = |step: &&Step| step.label[..] == *given;
        let Some(taken) = answer.steps().find(is_given).or(answer.steps().next()) else {
            self.races_of_a_round(&answer)?;
            self.nodes[depth].waiting.push(answer);
            return Ok(false);
        };
        self.nodes[depth].varied.push(thread);
        for other in answer.steps().filter(|s| !s.is(taken)) {
            self.plan(depth, &[], other);
        }
        self.take(thread, &taken.label, tree)
    }

    fn push(
        &mut self,
        step: Step,
        varying: bool,
        started: (ThreadNumber, u32),
        tree: Vec<Branch>,
    ) -> Result<(), Over> {
        self.result.steps += 1;
        let thread = step.thread;
        let Some(node) = self.nodes.last_mut() else { return Err(Over) };
        node.visited = true;
        let sleep = node.sleep.iter().filter(|s| s.thread != thread && !s.touches.conflicts(&step.touches));
        let (waiting, woken): (Vec<Answer>, Vec<Answer>) = node
            .waiting
            .iter()
            .filter(|w| w.thread != thread)
            .cloned()
            .partition(|w| !step.touches.disturbs(&w.touches));
        let child = Node { tree, sleep: sleep.cloned().collect(), waiting, ..Node::default() };
        self.races_with_rounds(&step, &woken)?;
        for w in woken {
            self.session.wake(w.thread);
        }
        let last = !self.session.is_alive(thread);
        // What reads nothing is always the same, unless it is with other inputs that it reads. What finds an object gone would
        // have done something else.
        let varying = varying && (step.touches.reads_something() || !step.label.is_empty())
            || step.touches.list.iter().any(|t| t.seen == Touch::IS_GONE && t.reads);
        self.path.push(step, varying, started);
        self.nodes.push(child);
        if varying && !last {
            self.note_round(thread);
        }
        self.check_data_races()
    }

    /// The thread may have come back to where it was a few steps ago, and has changed nothing since: it waits.
    fn note_round(&mut self, thread: ThreadNumber) {
        let own = &self.path.threads[thread as usize];
        let steps: Vec<usize> = own.iter().rev().take(LONGEST_ROUND).copied().collect();
        for (n, &at) in steps.iter().enumerate() {
            if !self.session.was_pure(at) {
                return;
            }
            if self.session.same_as_before(at) {
                let index = self.path.events[at].index;
                let last = self.path.len() - 1;
                self.path.events[last].round = Some(index);
                let Some(node) = self.nodes.last_mut() else { return };
                let count = self.path.events[last].index;
                let cut = self.path.prefix(last + 1);
                if self.path.spins(thread, count, &cut) {
                    let read = steps[..=n].iter().flat_map(|&at| self.path.touches(at).list.iter().copied());
                    let touches: Vec<Touch> = read.collect();
                    node.waiting.push(Answer::waits(thread, Touches::new(touches), Why::Spins));
                }
                return;
            }
        }
    }

    /// Whether what the next step of a thread touches, or whether it can be taken, depends on what it reads. An access in
    /// a loop may turn out to be a round that changes nothing.
    pub fn is_varying(&mut self, thread: ThreadNumber) -> bool {
        if self.all_vary || self.session.standing(thread) == Some(Standing::Varying) {
            return true;
        }
        let (program, loops) = (self.program, &mut self.loops);
        self.session.calls(thread).any(|(function, block)| {
            let body = program.functions[function].body.as_ref();
            let known = loops[function.index()].get_or_insert_with(|| body.map(in_loops).unwrap_or_default());
            known.get(block.index()).copied().unwrap_or(false)
        })
    }

    /// Brings the machine to a position of the path.
    pub fn go_to(&mut self, position: usize) {
        self.session.back_to(position);
        while self.session.depth() < position {
            let step = &self.path.events[self.session.depth()].step;
            self.tape.borrow_mut().begin(&step.label);
            if self.session.attempt(step.thread) != Attempt::Taken {
                return;
            }
        }
    }

    // ── back ───────────────────────────────────────────────────────────────────────────────────────────────────

    /// Goes back to the last node from which there is more to explore; `false` when there is none.
    fn backtrack(&mut self) -> bool {
        loop {
            let Some(node) = self.nodes.last() else { return false };
            if node.visited && !node.tree.is_empty() {
                self.parted = self.path.len();
                return true;
            }
            let Some(event) = self.path.pop() else { return false };
            self.nodes.pop();
            if let Some(node) = self.nodes.last_mut() {
                node.sleep.push(event.step);
            }
        }
    }

    /// A sequence to be explored from a node, unless it has been or will be: events of the path, and a last step.
    pub fn plan(&mut self, node: usize, before: &[usize], last: &Step) {
        let node = &mut self.nodes[node];
        let events = &self.path.events;
        let sequence = || before.iter().map(|&at| &events[at].step).chain([last]);
        let covered = |s: &Step| !matches!(fit(s, sequence()), Fit::Not);
        if !node.sleep.iter().any(covered) {
            insert(&mut node.tree, sequence().cloned().collect());
        }
    }
}

fn asks_for_inputs(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    let mut insts = bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    insts.any(|i| matches!(i.op, Op::Input { .. }))
        || program.globals.values().any(|g| g.init == Init::Unknown)
}

/// The blocks from which the same block can be reached again.
fn in_loops(body: &tp_ir::Body) -> Vec<bool> {
    let reaches_itself = |start: tp_ir::BlockId| {
        let mut seen = vec![false; body.blocks.len()];
        let mut work = vec![start];
        while let Some(block) = work.pop() {
            let mut again = false;
            body.blocks[block].terminator.each_target(|t| {
                again |= t.block == start;
                if !std::mem::replace(&mut seen[t.block.index()], true) {
                    work.push(t.block);
                }
            });
            if again {
                return true;
            }
        }
        false
    };
    body.blocks.keys().map(reaches_itself).collect()
}
