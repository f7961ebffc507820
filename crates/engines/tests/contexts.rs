//! The engines that number contexts, under a bound on context switches, against trying every interleaving that keeps to
//! the bound.

mod common;

use common::{Run, random};
use std::collections::HashSet;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_engines::{Answer, Counted, GraphSolver, Method};
use tp_events::*;
use tp_terms::{Model, Term};

const METHODS: [Method; 2] = [Method::Record, Method::Widen];
const PROGRAMS: u64 = 800;
const MOST: u32 = 4;

/// What executions can do, by the number of switches they take.
struct Tried {
    /// By claim: the fewest switches with which it fails.
    fails: Vec<Option<u32>>,
    /// The most switches of any execution.
    most: u32,
}

struct Search<'a, 'g> {
    query: &'a Query<'g>,
    chains: Vec<Vec<NodeId>>,
    seen: HashSet<(Run, Option<ThreadId>, u32)>,
    tried: Tried,
}

fn try_all(query: &Query<'_>, random: &random::Random) -> Tried {
    let tried = Tried { fails: vec![None; query.graph().claims().len()], most: 0 };
    let mut search = Search { query, chains: query.nodes_by_thread(), seen: HashSet::new(), tried };
    let sizes: Vec<u32> = random.free.iter().map(|&t| query.terms.width(t).bits()).collect();
    for mut choice in 0..1u64 << sizes.iter().sum::<u32>() {
        let mut values = vec![0; random.variables];
        for (&t, &bits) in random.free.iter().zip(&sizes) {
            values[common::number(&query.terms, t)] = (choice & ((1 << bits) - 1)) as u128;
            choice >>= bits;
        }
        search.seen.clear();
        search.go(&Run::new(query, values), None, 0);
    }
    search.tried
}

impl Search<'_, '_> {
    /// Every prefix of an execution counts: the threads that wait later can be left waiting.
    fn go(&mut self, run: &Run, last: Option<ThreadId>, switches: u32) {
        if !self.seen.insert((run.clone(), last, switches)) {
            return;
        }
        let query = self.query;
        if query.assumptions().iter().all(|&a| run.holds(query, a)) {
            self.tried.most = self.tried.most.max(switches);
            for (i, claim) in query.graph().claims().iter().enumerate() {
                let thread = query.nodes()[claim.node].thread.as_u32() as usize;
                let is_past = self.chains[thread].get(run.next[thread]).is_none_or(|&next| next > claim.node);
                let fewest = &mut self.tried.fails[i];
                if is_past && run.holds(query, claim.fails) && fewest.is_none_or(|fewest| switches < fewest) {
                    *fewest = Some(switches);
                }
            }
        }
        for thread in query.threads() {
            let t = thread.as_u32() as usize;
            let Some(&node) = self.chains[t].get(run.next[t]) else { continue };
            if !run.is_created(query, thread) {
                continue;
            }
            let mut run = run.clone();
            run.next[t] += 1;
            if !run.execute(query, node) {
                self.go(&run, last, switches);
            } else if last.is_none_or(|last| last == thread) {
                self.go(&run, Some(thread), switches);
            } else {
                self.go(&run, Some(thread), switches + 1);
            }
        }
    }
}

/// The engine's execution, as far as it is counted, is one.
#[track_caller]
fn check_prefix(query: &Query<'_>, free: &[Term], variables: usize, found: (&mut Model, &[NodeId])) -> Run {
    let (model, order) = found;
    let mut values = vec![0; variables];
    for &unknown in free {
        values[common::number(&query.terms, unknown)] = model.value(&query.terms, unknown);
    }
    let mut run = Run::new(query, values);
    let chains = query.nodes_by_thread();
    for &node in order {
        let t = query.nodes()[node].thread.as_u32() as usize;
        while chains[t][run.next[t]] < node {
            let skipped = chains[t][run.next[t]];
            assert!(!run.holds(query, query.nodes()[skipped].guard), "{skipped} is not left out");
            run.next[t] += 1;
        }
        assert_eq!(chains[t][run.next[t]], node, "program order");
        assert!(run.is_created(query, query.nodes()[node].thread), "created first");
        run.next[t] += 1;
        assert!(run.execute(query, node), "{node} takes part");
        for read in query.reads().iter().filter(|r| r.node == node && run.holds(query, r.guard)) {
            let seen = run.values[common::number(&query.terms, read.value)];
            assert_eq!(seen, model.value(&query.terms, read.value), "{node} reads {}", read.cell);
        }
    }
    run
}

fn goal(query: &mut Query<'_>, counted: &Counted, claim: &Claim) -> Term {
    let thread = query.nodes()[claim.node].thread;
    let counted = counted.up_to(query, thread, claim.node);
    query.terms.and(claim.fails, counted)
}

#[test]
fn bounds_are_those_of_trying_everything() {
    let (mut yes, mut no, mut all, mut more) = (0, 0, 0, 0);
    for seed in 0..PROGRAMS {
        let random = random::program(seed);
        let graph = random.build.graph();
        let tried = try_all(&Query::new(&graph), &random);
        for (method, bound) in METHODS.into_iter().flat_map(|m| (0..=MOST).map(move |b| (m, b))) {
            let query = &mut Query::new(&graph);
            let counted = Counted::within(query, Some(bound));
            let flag = Arc::new(AtomicBool::new(false));
            let mut engine = GraphSolver::within(method, query, &counted, flag);
            let context = format!("program {seed}, {method:?}, at most {bound} switches");
            let mut found = Vec::new();
            for claim in graph.claims() {
                let goal = goal(query, &counted, claim);
                found.push(match engine.ask(query, goal) {
                    Answer::Execution { mut model, order } => {
                        let run = check_prefix(query, &random.free, random.variables, (&mut model, &order));
                        assert!(run.holds(query, claim.fails), "{context}: it fails");
                        true
                    }
                    Answer::No => false,
                    _ => panic!("{context}: no answer"),
                });
            }
            let wants_more = match engine.ask_for_more(query) {
                Answer::Execution { .. } => true,
                Answer::No => false,
                _ => panic!("{context}: no answer"),
            };
            for (i, (&fewest, &found)) in tried.fails.iter().zip(&found).enumerate() {
                assert!(
                    found || fewest.is_none_or(|n| n > bound),
                    "{context}: claim {i} fails with {fewest:?}"
                );
                assert!(!found || fewest.is_some(), "{context}: claim {i} never fails");
                assert!(found || wants_more || fewest.is_none(), "{context}: claim {i} is missed");
                if fewest.is_some() {
                    yes += usize::from(found);
                    no += usize::from(!found);
                }
            }
            assert!(!wants_more || tried.most > bound, "{context}: the most are {}", tried.most);
            all += usize::from(!wants_more);
            more += usize::from(wants_more);
        }
    }
    assert!(yes > 1000 && no > 300, "some failures take more switches: {yes}, {no}");
    assert!(all > 1000 && more > 1000, "some executions have more: {all}, {more}");
}
