//! Programs with a story: those of the paper, and the usual questions about interleavings. Where the effort is known it
//! is pinned, so that a change shows.

mod common;

use common::{Build, accepted, answer, certificate, engine, possible};
use threadproof_engines::{Method, Size, witness};
use tp_events::{CellId, NodeId, Query, ThreadId};
use tp_terms::Term;

/// Main, and a node of it that creates the others.
fn start(build: &mut Build) -> (ThreadId, NodeId) {
    let main = build.thread(None);
    let truth = build.truth();
    let create = build.node(main, truth);
    (main, create)
}

/// Fig. 2 of the paper: `x = y + 1; m = y; x = 0` beside `y = x + 1; n = x; y = 0`.
fn figure_2() -> (Build, Term) {
    let mut b = Build::new(8);
    let [x, y] = [b.cell(1), b.cell(1)];
    let [m, n, ended_1, ended_2] = [b.cell(0), b.cell(0), b.cell(0), b.cell(0)];
    let (main, create) = start(&mut b);
    for (a, c, result, ended) in [(x, y, m, ended_1), (y, x, n, ended_2)] {
        let thread = b.thread(Some(create));
        let (read, one) = (b.get(thread, c), b.constant(1));
        let sum = b.program.terms.add(read, one);
        b.put(thread, a, sum);
        let read = b.get(thread, c);
        b.put(thread, result, read);
        b.put_constant(thread, a, 0);
        b.put_constant(thread, ended, 1);
    }
    let truth = b.truth();
    let first = b.wait_for(main, truth, ended_1, 1);
    let second = b.wait_for(main, first.guard, ended_2, 1);
    let node = b.node(main, second.guard);
    let (m, n) = (b.read(node, m, second.guard), b.read(node, n, second.guard));
    let (m, n) = (b.is(m, 1), b.is(n, 1));
    let fails = b.all(&[second.guard, m, n]);
    (b, fails)
}

#[test]
fn figure_2_is_safe() {
    let (b, fails) = figure_2();
    assert!(!possible(&b.graph(), fails));
}

#[test]
fn figure_2_takes_as_few_refinements_as_in_the_paper() {
    let (b, fails) = figure_2();
    let graph = b.graph();
    let query = &mut Query::new(&graph);
    let mut engine = engine(Method::Refine, query);
    assert!(answer(query, &mut engine, fails).is_none());
    let counts = engine.statistics().refined.expect("it refines");
    // The paper: 3 refinements, 7 clauses of two literals.
    assert_eq!((counts.refinements, counts.reasons, counts.literals), (2, 9, 18));
    assert_eq!(counts.validations, 0);
}

/// The size of the proof for figure 2, and for the butterfly, which needs order literals.
#[test]
fn certificates_are_short() {
    let size = |(b, goal): (Build, Term)| {
        let text = certificate(&mut Query::new(&b.graph()), &[goal], true).expect("it is safe");
        let found = accepted(&text);
        (found.clauses, found.reads, found.orders, found.lemmas, found.steps)
    };
    assert_eq!(size(figure_2()), (39, 4, 0, 3, 35));
    assert_eq!(size(butterfly()), (45, 8, 1, 2, 54));
}

/// Joins are order: what main reads at the end comes from one write, never from the first value.
#[test]
fn what_is_joined_is_seen() {
    let (b, _) = figure_2();
    let graph = b.graph();
    let query = &mut Query::new(&graph);
    let engine = engine(Method::Order, query);
    let Size { events, candidates, reads, nodes, .. } = engine.statistics().encoded;
    // 4 reads of x and y with 3 candidates each; 2 joins and 2 results with one.
    assert_eq!((events, candidates), (16, 12 + 4));
    // What main reads at the end follows from the joins; the order matters for these and for the reads of x and y.
    assert_eq!((reads, nodes), (6, 12));
}

/// Main has joined threads that waited for a lock: then it is known that they got it, so their writes hide the first
/// value.
#[test]
fn what_waited_and_is_joined_has_happened() {
    let mut b = Build::new(8);
    let (counter, lock) = (b.cell(0), b.cell(0));
    locked_increments(&mut b, 2, counter, lock, true);
    let graph = b.graph();
    let query = &mut Query::new(&graph);
    let engine = engine(Method::Order, query);
    // Each lock: free at first or freed by the other. Each increment: from 0 or from the other. Two joins. The result:
    // one of the two.
    assert_eq!(engine.statistics().encoded.candidates, 2 * 2 + 2 * 2 + 2 + 2);
}

/// Like Fig. 6: no rule derives an order and there is no cycle, yet no total order is possible. Both writes of `x` come
/// before both reads of `y` and the other way round, and the reads see one write each: the two write-read pairs on `x`
/// have to follow one another, and so have those on `y`, and all four combinations have a cycle.
fn butterfly() -> (Build, Term) {
    let mut b = Build::new(8);
    let (_, create) = start(&mut b);
    let goal = add_butterfly(&mut b, create);
    (b, goal)
}

fn add_butterfly(b: &mut Build, create: NodeId) -> Term {
    let [x, y] = [b.cell(0), b.cell(0)];
    let mut parts = Vec::new();
    for (written, read) in [(x, y), (y, x)] {
        let flags = [b.cell(0), b.cell(0)];
        for (value, mine, other) in [(1, flags[0], flags[1]), (2, flags[1], flags[0])] {
            let thread = b.thread(Some(create));
            b.put_constant(thread, written, value);
            b.put_constant(thread, mine, 1);
            let flag = b.get(thread, other);
            parts.push(b.is(flag, 1));
            let seen = b.get(thread, read);
            parts.push(b.is(seen, value));
        }
    }
    b.all(&parts)
}

#[test]
fn the_butterfly_has_no_order() {
    let (b, goal) = butterfly();
    assert!(!possible(&b.graph(), goal));
    let graph = b.graph();
    let query = &mut Query::new(&graph);
    let mut refine = engine(Method::Refine, query);
    assert!(answer(query, &mut refine, goal).is_none());
    let counts = refine.statistics().refined.expect("it refines");
    assert!(counts.refuted_by_solver >= 1, "through the constraint-based path: {counts:?}");
}

/// More order literals are needed than the theory has at first.
#[test]
fn a_swarm_has_no_order() {
    let mut b = Build::new(8);
    let (_, create) = start(&mut b);
    let mut goals = Vec::new();
    for _ in 0..4 {
        goals.push(add_butterfly(&mut b, create));
    }
    let any = goals.iter().copied().reduce(|a, b_| b.program.terms.or(a, b_)).expect("four");
    assert!(!possible(&b.graph(), any));
}

#[test]
fn half_a_butterfly_flies() {
    let (mut b, _) = butterfly();
    let values: Vec<Term> = b.program.reads.iter().map(|r| r.value).collect();
    let mut parts: Vec<Term> =
        (0..6).map(|i| b.is(values[i], if i % 2 == 0 { 1 } else { i as u128 / 2 % 2 + 1 })).collect();
    let flag = b.is(values[6], 1);
    parts.push(flag);
    let goal = b.all(&parts);
    assert!(possible(&b.graph(), goal));
}

/// Each of two threads writes its own cell and reads the other's.
#[test]
fn one_of_two_sees_the_other() {
    let mut b = Build::new(8);
    let cells = [b.cell(0), b.cell(0)];
    let (_, create) = start(&mut b);
    let mut seen = Vec::new();
    for i in 0..2 {
        let thread = b.thread(Some(create));
        b.put_constant(thread, cells[i], 1);
        seen.push(b.get(thread, cells[1 - i]));
    }
    for (values, expected) in [([0, 0], false), ([0, 1], true), ([1, 0], true), ([1, 1], true)] {
        let parts = [b.is(seen[0], values[0]), b.is(seen[1], values[1])];
        let goal = b.all(&parts);
        assert_eq!(possible(&b.graph(), goal), expected, "{values:?}");
    }
}

/// A lock is a cell; one step waits for 0 and sets it to 1.
fn locked_increments(b: &mut Build, threads: usize, counter: CellId, lock: CellId, locked: bool) -> Term {
    let (main, create) = start(b);
    let ended: Vec<CellId> = (0..threads).map(|_| b.cell(0)).collect();
    for &ended in &ended {
        let thread = b.thread(Some(create));
        let mut guard = b.truth();
        if locked {
            let wait = b.wait_for(thread, guard, lock, 0);
            let one = b.constant(1);
            b.write(wait.node, lock, wait.guard, one);
            guard = wait.guard;
        }
        let node = b.node(thread, guard);
        let old = b.read(node, counter, guard);
        let one = b.constant(1);
        let new = b.program.terms.add(old, one);
        for (cell, value) in [(counter, new), (lock, b.constant(0)), (ended, one)] {
            let node = b.node(thread, guard);
            b.write(node, cell, guard, value);
        }
    }
    let mut guard = b.truth();
    for ended in ended {
        guard = b.wait_for(main, guard, ended, 1).guard;
    }
    let node = b.node(main, guard);
    let result = b.read(node, counter, guard);
    let right = b.is(result, threads as u128);
    let wrong = b.program.terms.not(right);
    let fails = b.all(&[guard, wrong]);
    b.claim(node, fails);
    fails
}

#[test]
fn a_lock_keeps_increments_apart() {
    for threads in 2..4 {
        for locked in [true, false] {
            let mut b = Build::new(8);
            let (counter, lock) = (b.cell(0), b.cell(0));
            let fails = locked_increments(&mut b, threads, counter, lock, locked);
            assert_eq!(possible(&b.graph(), fails), !locked);
        }
    }
}

#[test]
fn a_lost_update_takes_two_changes_of_thread() {
    let mut b = Build::new(8);
    let (counter, lock) = (b.cell(0), b.cell(0));
    let fails = locked_increments(&mut b, 2, counter, lock, false);
    for method in common::METHODS {
        let graph = b.graph();
        let query = &mut Query::new(&graph);
        let mut engine = engine(method, query);
        let (mut model, order) = answer(query, &mut engine, fails).expect("an update is lost");
        let way = witness(query, &graph.claims()[0], &mut model, &order);
        // Main, one thread up to its read, the other to its end, the first again, and main.
        let threads: Vec<u32> = way.targets.iter().map(|t| t.0.as_u32()).collect();
        assert_eq!(threads.len(), 5, "{:?}", way.targets);
        assert_eq!((threads[0], threads[4]), (0, 0));
        assert_eq!(threads[1], threads[3]);
        assert_eq!(way.targets[0].1, 1, "main is past the creation");
        assert_eq!(way.targets[1].1, 1, "after the read");
        assert_eq!(way.targets[4].1, 4, "main has joined both and read");
    }
}

#[test]
fn what_nobody_looked_at_is_left_out() {
    let mut b = Build::new(8);
    let (x, z) = (b.cell(0), b.cell(0));
    let (main, create) = start(&mut b);
    let busy = b.thread(Some(create));
    for i in 0..5 {
        b.put_constant(busy, z, i);
    }
    let writer = b.thread(Some(create));
    b.put_constant(writer, x, 1);
    b.put_constant(writer, x, 2);
    let truth = b.truth();
    let node = b.node(main, truth);
    let seen = b.read(node, x, truth);
    let fails = b.is(seen, 1);
    b.claim(node, fails);
    for method in common::METHODS {
        let graph = b.graph();
        let query = &mut Query::new(&graph);
        let mut engine = engine(method, query);
        let (mut model, order) = answer(query, &mut engine, fails).expect("it is seen");
        let way = witness(query, &graph.claims()[0], &mut model, &order);
        assert_eq!(way.targets, [(main, 1), (writer, 1), (main, 2)]);
        assert_eq!(way.threads, [Some(main), Some(busy), Some(writer)]);
    }
}

#[test]
fn a_witness_has_what_came_from_outside() {
    use tp_events::{Cell, GraphInput, GraphObject, MadeObject, Unwritten};
    use tp_ir::Width;
    let mut b = Build::new(8);
    let (main, create) = start(&mut b);
    let writer = b.thread(Some(create));
    let (truth, never) = (b.truth(), b.program.terms.bool(false));
    let [given, unasked, found] = [b.variable(), b.variable(), b.variable()];
    for (guard, value) in [(never, unasked), (truth, given)] {
        b.program.inputs.push(GraphInput {
            thread: writer,
            guard,
            value,
            width: Width::W8,
            is_unwritten: false,
        });
    }
    let mut objects = [None; 2].map(|_: Option<()>| {
        b.program.objects.push(GraphObject { made_by: Some(writer), size: 4, ..GraphObject::default() })
    });
    objects.reverse();
    let [second, first] = objects;
    for (guard, object) in [(never, second), (truth, first), (truth, second)] {
        b.program.threads[writer].made.push(MadeObject { guard, object });
    }
    b.program.unwritten.push(Unwritten { object: second, offset: 2, bytes: 1, value: found, begun: None });
    let cell = b.program.cells.push(Cell { object: second, offset: 2, bytes: 1, first: found });
    let x = b.cell(0);
    let truth = b.truth();
    let node = b.node(writer, truth);
    let read = b.read(node, cell, truth);
    let sum = b.program.terms.add(read, given);
    b.put(writer, x, sum);
    let node = b.node(main, truth);
    let seen = b.read(node, x, truth);
    let parts = [b.is(seen, 50), b.is(given, 8)];
    let fails = b.all(&parts);
    b.claim(node, fails);
    for method in common::METHODS {
        let graph = b.graph();
        let query = &mut Query::new(&graph);
        let mut engine = engine(method, query);
        let (mut model, order) = answer(query, &mut engine, fails).expect("42 and 8 are 50");
        let way = witness(query, &graph.claims()[0], &mut model, &order);
        assert_eq!(way.targets, [(main, 1), (writer, 2), (main, 2)]);
        let [(thread, values)] = way.inputs.as_slice() else { panic!("{:?}", way.inputs) };
        assert_eq!((*thread, values.len(), values[0].value), (writer, 1, 8));
        let [memory] = way.unwritten.as_slice() else { panic!("{:?}", way.unwritten) };
        assert_eq!((memory.made, memory.offset, memory.value), (Some((writer, 1)), 2, 42));
    }
}

#[test]
fn a_raised_flag_ends_in_no_answer() {
    use std::sync::Arc;
    use std::sync::atomic::AtomicBool;
    use threadproof_engines::{Answer, GraphSolver, Unknown};
    for method in common::METHODS {
        let (b, fails) = figure_2();
        let flag = Arc::new(AtomicBool::new(true));
        let graph = b.graph();
        let query = &mut Query::new(&graph);
        let mut engine = GraphSolver::new(method, query, flag.clone());
        assert!(matches!(engine.ask(query, fails), Answer::Unknown(Unknown::Stopped)));
        // An encoding that was cut short gives no answer later.
        flag.store(false, std::sync::atomic::Ordering::Relaxed);
        assert!(matches!(engine.ask(query, fails), Answer::Unknown(Unknown::Stopped)));
    }
}

/// Whenever the flag is raised, there is the right answer or none.
#[test]
fn a_flag_raised_at_any_moment_ends_in_an_honest_answer() {
    use std::sync::Arc;
    use std::sync::atomic::{AtomicBool, Ordering};
    use std::time::Duration;
    use threadproof_engines::{Answer, GraphSolver};
    let mut stopped = 0;
    for method in common::METHODS {
        for delay in 0..12 {
            let mut b = Build::new(8);
            let (counter, lock) = (b.cell(0), b.cell(0));
            let fails = locked_increments(&mut b, 6, counter, lock, true);
            let flag = Arc::new(AtomicBool::new(false));
            let raise = flag.clone();
            let raiser = std::thread::spawn(move || {
                std::thread::sleep(Duration::from_micros(1 << delay));
                raise.store(true, Ordering::Relaxed);
            });
            let graph = b.graph();
            let query = &mut Query::new(&graph);
            let mut engine = GraphSolver::new(method, query, flag);
            match engine.ask(query, fails) {
                Answer::No => {}
                Answer::Unknown(_) => stopped += 1,
                Answer::Execution { .. } => panic!("the lock keeps them apart"),
                Answer::Fault(fault) => panic!("{fault}"),
            }
            raiser.join().expect("it only sleeps");
        }
    }
    assert!(stopped > 0, "some were stopped");
}

#[test]
fn a_read_that_can_see_nothing_does_not_take_part() {
    let mut b = Build::new(8);
    let x = b.cell(0);
    let main = b.thread(None);
    let truth = b.truth();
    let wait = b.wait_for(main, truth, x, 1);
    assert!(!possible(&b.graph(), wait.passed));
    let not = b.program.terms.not(wait.passed);
    assert!(possible(&b.graph(), not));
}
