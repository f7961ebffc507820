//! Schedule recording: all interleavings with a bounded number of contexts as one formula (Cordeiro and Fischer, Verifying
//! Multi-threaded Software using SMT-based Context-Bounded Model Checking, ICSE 2011, §3.3).
//!
//! The paper guards each statement with `ts_i = j`, "the thread of context i is j", and adds a copy of the statement for
//! each context. Here a node is encoded once and has a number, that of its context, in unary: `le(n, i)` says that node n
//! is in context i or before. The numbers grow along a thread and from a creator to the thread that it creates. A node
//! that takes part in context i requires `ts_i` to be its thread, so no two threads act in one context; a node that takes
//! no part needs no context of its own. Values are handed from context to context (`memory`). So the formula grows with
//! nodes times contexts, not with the number of interleavings.
//!
//! Under a bound on switches, nodes after the last context are in the tail (`counted` says what that means for goals). The
//! formula has one more context than the bound allows: whether an execution wants more is then the question whether that
//! one is used, where each context before it is used by another thread than its neighbours. Taking nodes away from an
//! execution never adds a switch. So an execution of the machine with at most C switches has at most C between the nodes
//! that are here, and is covered.
//!
//! Without a bound there are as many contexts as any execution can use, and no tail.

mod memory;

use crate::counted::Counted;
use crate::encode::Formula;
use crate::engine::Halt;
use crate::guards::Guards;
use memory::Memory;
use rustc_hash::FxHashMap;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_events::{NodeId, Query, Step};
use tp_solver::{Lit, Sat, SatResult, at_most_one};
use tp_terms::Term;

/// A node that matters.
struct Place {
    node: NodeId,
    thread: usize,
    /// It takes part.
    active: Lit,
}

/// One context.
struct Context {
    /// By step: it is in this context or before.
    le: Vec<Lit>,
    /// By thread: this is its context. Threads without steps have none.
    turns: Vec<Option<Lit>>,
    /// It is some thread's context.
    used: Lit,
}

pub(crate) struct Recorder {
    steps: Vec<Place>,
    /// By thread: its steps, which are numbered in program order.
    chains: Vec<std::ops::Range<usize>>,
    /// The last step of a creator before it creates a thread, and the first step of the thread.
    created: Vec<(usize, usize)>,
    contexts: Vec<Context>,
    /// Each context has a step of its thread that takes part, and neighbours are of different threads. Every execution
    /// has such contexts, but the first interleavings of `widen` leave some empty.
    strict: Lit,
    truth: Lit,
    /// The last context within the bound; `None`: there is no bound, and no tail.
    last: Option<usize>,
}

/// The steps of an execution that are counted.
pub(crate) struct Recorded {
    pub order: Vec<NodeId>,
    /// The first node of each thread that is not counted.
    pub tail: Vec<NodeId>,
}

impl Recorder {
    /// `None`: stopped.
    pub fn new(
        formula: &mut Formula,
        query: &mut Query<'_>,
        counted: &Counted,
        strict: Option<Lit>,
        stop: &AtomicBool,
    ) -> Option<Recorder> {
        let chains = match counted.switches() {
            Some(_) => with_creators(formula, query),
            None => formula.chains.clone(),
        };
        let mut recorder = Recorder::without_contexts(formula, query, chains, strict);
        let memory = &mut Memory::new(formula, query, &recorder);
        let most = recorder.most_contexts();
        recorder.last = counted.switches().map(|switches| most.min(switches as usize));
        let contexts = recorder.last.map_or(most, |last| last + 2);
        for i in 0..contexts {
            if stop.load(Ordering::Relaxed) {
                return None;
            }
            recorder.add_context(formula, i + 1 == contexts);
            memory.add_context(formula, &recorder, i, stop)?;
        }
        recorder.define(formula, query, counted);
        Some(recorder)
    }

    fn without_contexts(
        formula: &mut Formula,
        query: &mut Query<'_>,
        chains: Vec<Vec<NodeId>>,
        strict: Option<Lit>,
    ) -> Recorder {
        let (mut steps, mut ranges) = (Vec::new(), Vec::new());
        let takes_part = taking_part(formula, query);
        for (thread, chain) in chains.into_iter().enumerate() {
            let first = steps.len();
            for node in chain {
                let guard = takes_part.get(&node).copied().unwrap_or(query.nodes()[node].guard);
                steps.push(Place { node, thread, active: formula.blaster.literal(&query.terms, guard) });
            }
            ranges.push(first..steps.len());
        }
        let (truth, contexts) = (formula.truth, Vec::new());
        let strict = strict.unwrap_or(truth);
        let mut recorder =
            Recorder { steps, chains: ranges, created: Vec::new(), contexts, strict, truth, last: None };
        for (thread, chain) in query.threads().zip(&recorder.chains).filter(|(_, chain)| !chain.is_empty()) {
            let creator = query.parent(thread).and_then(|parent| recorder.last_step(query, parent));
            recorder.created.extend(creator.map(|creator| (creator, chain.start)));
        }
        recorder
    }

    /// How many contexts an execution can have: one for each step; and between two contexts of the longest thread
    /// there is a step of another one.
    fn most_contexts(&self) -> usize {
        let longest = self.chains.iter().map(|c| c.len()).max().unwrap_or(0);
        let others = self.steps.len() - longest;
        self.steps.len().min(2 * others + 1)
    }

    fn add_context(&mut self, formula: &mut Formula, is_last: bool) {
        let sat = formula.blaster.sat_mut();
        let le: Vec<Lit> = match is_last && self.last.is_none() {
            true => vec![self.truth; self.steps.len()],
            false => self.steps.iter().map(|_| sat.new_var()).collect(),
        };
        let turn = |chain: &std::ops::Range<usize>| (!chain.is_empty()).then(|| sat.new_var());
        let turns: Vec<Option<Lit>> = self.chains.iter().map(turn).collect();
        let used = formula.blaster.sat_mut().new_var();
        self.contexts.push(Context { le, turns, used });
        let i = self.contexts.len() - 1;
        self.number_steps(formula, i);
        self.take_turns(formula, i);
    }

    /// The numbers of contexts grow along threads, and from creators to what they create.
    fn number_steps(&self, formula: &mut Formula, i: usize) {
        for chain in &self.chains {
            for (earlier, later) in chain.clone().zip(chain.clone().skip(1)) {
                self.clause(formula, &[!self.le(later, i), self.le(earlier, i)]);
            }
        }
        for &(creator, first) in &self.created {
            self.clause(formula, &[!self.le(first, i), self.le(creator, i)]);
        }
        for step in 0..self.steps.len() {
            self.clause(formula, &[!self.le_before(step, i), self.le(step, i)]);
        }
    }

    /// Only the thread of a context takes part in it.
    fn take_turns(&self, formula: &mut Formula, i: usize) {
        let Context { turns, used, .. } = &self.contexts[i];
        let all: Vec<Lit> = turns.iter().copied().flatten().collect();
        at_most_one(formula.blaster.sat_mut(), &all);
        all.iter().for_each(|&turn| self.clause(formula, &[!turn, *used]));
        let some: Vec<Lit> = std::iter::once(!*used).chain(all).collect();
        self.clause(formula, &some);
        if let Some(before) = i.checked_sub(1).map(|i| &self.contexts[i]) {
            self.clause(formula, &[!self.strict, !*used, before.used]);
            for (last, now) in before.turns.iter().zip(turns) {
                if let (Some(last), Some(now)) = (last, now) {
                    self.clause(formula, &[!self.strict, !*last, !*now]);
                }
            }
        }
        for (chain, turn) in self.chains.iter().zip(turns) {
            let Some(turn) = *turn else { continue };
            let mut any = vec![!self.strict, !turn];
            for step in chain.clone() {
                let active = self.steps[step].active;
                let outside = self.outside(step, i);
                self.clause(formula, &[outside[0], outside[1], !active, turn]);
                let here = formula.blaster.sat_mut().new_var();
                for part in [!outside[0], !outside[1], active] {
                    self.clause(formula, &[!here, part]);
                }
                any.push(here);
            }
            self.clause(formula, &any);
        }
    }

    /// The step is in context `i` or before.
    fn le(&self, step: usize, i: usize) -> Lit {
        self.contexts[i].le[step]
    }

    /// The step is in a context before `i`.
    fn le_before(&self, step: usize, i: usize) -> Lit {
        i.checked_sub(1).map_or(!self.truth, |i| self.le(step, i))
    }

    /// For a clause: the step is not in context `i`.
    fn outside(&self, step: usize, i: usize) -> [Lit; 2] {
        [!self.le(step, i), self.le_before(step, i)]
    }

    /// Adds a clause without its constant literals.
    fn clause(&self, formula: &mut Formula, clause: &[Lit]) {
        if !clause.contains(&self.truth) {
            let open: Vec<Lit> = clause.iter().copied().filter(|&l| l != !self.truth).collect();
            formula.blaster.sat_mut().add_clause(&open);
        }
    }

    /// Gives the unknowns of `counted` their meaning.
    fn define(&self, formula: &mut Formula, query: &mut Query<'_>, counted: &Counted) {
        let Some(last) = self.last else { return };
        let unknowns: Vec<(NodeId, Term)> = counted.unknowns().collect();
        for (node, unknown) in unknowns {
            let meaning = self.last_step(query, node).map_or(self.truth, |step| self.le(step, last));
            let unknown = formula.blaster.literal(&query.terms, unknown);
            self.clause(formula, &[!unknown, meaning]);
            self.clause(formula, &[unknown, !meaning]);
        }
    }

    /// The last step that is not after the node, of its thread or of the threads that led to its creation.
    fn last_step(&self, query: &Query<'_>, node: NodeId) -> Option<usize> {
        let mut at = Some(node);
        for _ in 0..=self.chains.len() {
            let node = at?;
            let thread = query.nodes()[node].thread;
            let chain = &self.chains[thread.as_u32() as usize];
            let own = &self.steps[chain.clone()];
            let count = own.partition_point(|s| s.node <= node);
            if count > 0 {
                return Some(chain.start + count - 1);
            }
            at = query.parent(thread);
        }
        None
    }

    /// Whether there is an execution in which the goal holds, with these restrictions.
    pub fn solve(&self, formula: &mut Formula, assumptions: &[Lit]) -> Result<Option<Recorded>, Halt> {
        match formula.blaster.sat_mut().solve(assumptions)? {
            SatResult::Unsat => Ok(None),
            SatResult::Unknown => Err(Halt::Stopped),
            SatResult::Sat => Ok(Some(self.recorded(formula))),
        }
    }

    /// The goal that an execution has more switches than the bound allows; `None`: there is no bound.
    pub fn wants_more(&self) -> Option<[Lit; 2]> {
        self.contexts.last().filter(|_| self.last.is_some()).map(|last| [self.strict, last.used])
    }

    /// By context: the threads that it can be of.
    pub fn turns(&self) -> impl Iterator<Item = &[Option<Lit>]> {
        self.contexts.iter().map(|context| context.turns.as_slice())
    }

    fn recorded(&self, formula: &mut Formula) -> Recorded {
        let sat = formula.blaster.sat_mut();
        let contexts = &self.contexts[..self.last.map_or(self.contexts.len(), |last| last + 1)];
        let (mut order, mut tail) = (Vec::new(), Vec::new());
        for chain in &self.chains {
            for step in chain.clone() {
                // The numbers are in unary: the first context whose literal holds is found by halving.
                let i = contexts.partition_point(|c| sat.value(c.le[step]) != Some(true));
                if i == contexts.len() {
                    tail.push(self.steps[step].node);
                    break;
                }
                order.push((i, self.steps[step].node));
            }
        }
        order.sort_unstable();
        Recorded { order: order.into_iter().map(|(_, node)| node).collect(), tail }
    }
}

/// The nodes that matter, and the steps that create threads: a thread that has created others has had a context.
fn with_creators(formula: &Formula, query: &Query<'_>) -> Vec<Vec<NodeId>> {
    let mut chains = formula.chains.clone();
    for node in query.threads().filter_map(|thread| query.parent(thread)) {
        let thread = query.nodes()[node].thread;
        let is_it = |step: &Step| step.is_node && step.node == node;
        if query.graph().threads().get(thread).is_some_and(|t| t.steps.iter().any(is_it)) {
            chains[thread.as_u32() as usize].push(node);
        }
    }
    for chain in &mut chains {
        chain.sort_unstable();
        chain.dedup();
    }
    chains
}

/// When a node takes part, where it does so under more than its own guard. A thread that fails reads whether the program
/// still runs, and an edge of a query is a write of a node that may take no other part.
fn taking_part(formula: &Formula, query: &mut Query<'_>) -> FxHashMap<NodeId, Term> {
    let reads = formula.rows.iter().map(|row| query.reads()[row.read]).map(|r| (r.node, r.guard));
    let events: Vec<(NodeId, Term)> =
        reads.chain(query.writes().iter().map(|write| (write.node, write.guard))).collect();
    let (mut guards, mut all) = (Guards::default(), FxHashMap::default());
    for (node, event) in events {
        let guard = all.get(&node).copied().unwrap_or(query.nodes()[node].guard);
        if guard != event && !guards.implies(&query.terms, event, guard) {
            all.insert(node, query.terms.or(guard, event));
        }
    }
    all
}
