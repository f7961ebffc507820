//! How the effort of the engines grows: hand-made programs of growing size, each asked once, with time and effort.
//!
//!     cargo run --release -p threadproof-engines --example growth -- fib-safe order 1 7
//!
//! Programs: `fib-safe` and `fib-unsafe` (two threads add `i += j` and `j += i`, n iterations each), `readers` (n
//! writers and n readers of one cell, and an outcome that no order has), `locks` (n threads increment under a lock),
//! `large` (2000 nodes, 5000 reads; encoding only).

#[path = "../tests/common/mod.rs"]
mod common;

use common::{Build, METHODS};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use threadproof_engines::{Answer, GraphSolver};
use tp_events::{CellId, NodeId, Query, ThreadId};
use tp_terms::Term;

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let number = |i: usize, default| args.get(i).and_then(|a| a.parse().ok()).unwrap_or(default);
    let program = args.first().map_or("fib-safe", String::as_str);
    let method = args.get(1).map_or("order", String::as_str);
    println!(
        "program n engine answer seconds encode conflicts decisions lemmas clauses nodes reads candidates"
    );
    for n in number(2, 1)..=number(3, 5) {
        for engine in
            METHODS.into_iter().filter(|m| method == "all" || format!("{m:?}").to_lowercase() == method)
        {
            let Some((build, goal)) = make(program, n) else {
                return println!("no program is called {program}");
            };
            let start = Instant::now();
            let graph = build.graph();
            let query = &mut Query::new(&graph);
            let mut asked = GraphSolver::new(engine, query, Arc::new(AtomicBool::new(false)));
            let encoded = start.elapsed().as_secs_f64();
            let answer = match asked.ask(query, goal) {
                Answer::Execution { .. } => "yes",
                Answer::No => "no",
                Answer::Unknown(_) | Answer::Fault(_) => "none",
            };
            let s = asked.statistics();
            println!(
                "{program} {n} {engine:?} {answer} {:.3} {encoded:.3} {} {} {} {} {} {} {} {}",
                start.elapsed().as_secs_f64(),
                s.conflicts,
                s.decisions,
                s.lemmas,
                s.clauses,
                s.encoded.nodes,
                s.encoded.reads,
                s.encoded.candidates,
                s.refined.map_or(String::new(), |r| format!("{r:?}"))
            );
        }
    }
}

fn make(program: &str, n: usize) -> Option<(Build, Term)> {
    Some(match program {
        "fib-safe" => fibonacci(n, 1),
        "fib-unsafe" => fibonacci(n, 0),
        "readers" => readers(n),
        "locks" => locks(n),
        "large" => large(n),
        _ => return None,
    })
}

fn start(build: &mut Build) -> (ThreadId, NodeId) {
    let main = build.thread(None);
    let truth = build.truth();
    let create = build.node(main, truth);
    (main, create)
}

/// The goal: `i` or `j` is at least the largest Fibonacci number that is possible, plus `more`.
fn fibonacci(n: usize, more: u128) -> (Build, Term) {
    let mut b = Build::new(32);
    let (i, j) = (b.cell(1), b.cell(1));
    let (main, create) = start(&mut b);
    for (mine, other) in [(i, j), (j, i)] {
        let thread = b.thread(Some(create));
        for _ in 0..n {
            let (x, y) = (b.get(thread, mine), b.get(thread, other));
            let sum = b.program.terms.add(x, y);
            b.put(thread, mine, sum);
        }
    }
    let (mut a, mut c) = (1u128, 1u128);
    for _ in 0..n * 2 {
        (a, c) = (c, a + c);
    }
    let limit = b.constant(c + more);
    let mut small = Vec::new();
    for cell in [i, j] {
        let value = b.get(main, cell);
        small.push(b.program.terms.compare(tp_ir::CmpOp::Slt, value, limit));
    }
    let safe = b.all(&small);
    let goal = b.program.terms.not(safe);
    (b, goal)
}

/// Writers of 1 to n, and readers that read twice. The goal is a cycle: each reader sees, second, what the next one
/// sees first.
fn readers(n: usize) -> (Build, Term) {
    let mut b = Build::new(8);
    let x = b.cell(0);
    let (_, create) = start(&mut b);
    for value in 1..=n {
        let thread = b.thread(Some(create));
        b.put_constant(thread, x, value as u128);
    }
    let seen: Vec<[Term; 2]> = (0..n)
        .map(|_| {
            let thread = b.thread(Some(create));
            [b.get(thread, x), b.get(thread, x)]
        })
        .collect();
    let zero = b.constant(0);
    let mut cyclic = b.truth();
    for i in 0..n {
        let next = seen[(i + 1) % n][0];
        let is_next = b.program.terms.eq(seen[i][1], next);
        let moved = b.program.terms.ne(seen[i][0], seen[i][1]);
        let first = b.program.terms.ne(seen[i][0], zero);
        cyclic = b.all(&[cyclic, is_next, moved, first]);
    }
    (b, cyclic)
}

fn locks(n: usize) -> (Build, Term) {
    let mut b = Build::new(8);
    let (counter, lock) = (b.cell(0), b.cell(0));
    let (main, create) = start(&mut b);
    let ended: Vec<CellId> = (0..n).map(|_| b.cell(0)).collect();
    let one = b.constant(1);
    let zero = b.constant(0);
    for &ended in &ended {
        let thread = b.thread(Some(create));
        let truth = b.truth();
        let wait = b.wait_for(thread, truth, lock, 0);
        b.write(wait.node, lock, wait.guard, one);
        let node = b.node(thread, wait.guard);
        let old = b.read(node, counter, wait.guard);
        let new = b.program.terms.add(old, one);
        for (cell, value) in [(counter, new), (lock, zero), (ended, one)] {
            let node = b.node(thread, wait.guard);
            b.write(node, cell, wait.guard, value);
        }
    }
    let mut guard = b.truth();
    for ended in ended {
        guard = b.wait_for(main, guard, ended, 1).guard;
    }
    let node = b.node(main, guard);
    let result = b.read(node, counter, guard);
    let right = b.is(result, n as u128);
    let wrong = b.program.terms.not(right);
    let fails = b.all(&[guard, wrong]);
    (b, fails)
}

/// Four threads of 500 nodes on `cells` times 100 cells; two or three reads and sometimes a write on each node. The
/// goal is false.
fn large(cells: usize) -> (Build, Term) {
    let mut rng = fastrand::Rng::with_seed(1);
    let mut b = Build::new(32);
    let cells: Vec<CellId> = (0..cells.max(1) * 100).map(|_| b.cell(0)).collect();
    let (_, create) = start(&mut b);
    for _ in 0..4 {
        let thread = b.thread(Some(create));
        let mut guard = b.truth();
        for i in 0..500 {
            let node = b.node(thread, guard);
            for _ in 0..2 + i % 2 {
                let cell = cells[rng.usize(..cells.len())];
                let value = b.read(node, cell, guard);
                if i % 10 == 0 {
                    let is = b.is(value, 1);
                    let not = b.program.terms.not(is);
                    guard = b.all(&[guard, not]);
                }
            }
            if i % 2 == 0 {
                let cell = cells[rng.usize(..cells.len())];
                let value = b.constant(i as u128);
                b.write(node, cell, guard, value);
            }
        }
    }
    let goal = b.program.terms.bool(false);
    (b, goal)
}
