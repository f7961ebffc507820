//! What the order theory gives as a reason is as short as it can be, and what follows is told at once. Neither changes an
//! answer, so that nothing else would notice.

use threadproof_solver::order::{Candidate, Node, OrderPropagator, OrderTheory};
use threadproof_solver::{Lit, Propagator};

fn lit(n: i32) -> Lit {
    Lit::from_dimacs(n).expect("not zero")
}

/// Steps in threads of these lengths; the literals `1..` are orders of two steps, assigned one after the other. The last
/// closes a cycle, for this reason.
#[track_caller]
fn check(threads: &[usize], orders: &[(usize, usize)], expect: &[i32]) {
    let mut theory = OrderTheory::new();
    let mut nodes: Vec<Node> = Vec::new();
    for &length in threads {
        let thread = theory.add_thread();
        nodes.extend((0..length).map(|_| theory.add_node(thread)));
    }
    for (literal, &(first, second)) in (1..).zip(orders) {
        theory.add_order_literal(lit(literal), nodes[first], nodes[second]);
    }
    for literal in 1..orders.len() as i32 {
        theory.assign(lit(literal));
        assert!(theory.propagate().is_ok(), "no cycle yet: {literal}");
    }
    theory.assign(lit(orders.len() as i32));
    // An order literal is looked at by one call, and its edge is there with the next.
    let reason = theory.propagate().and_then(|_| theory.propagate()).expect_err("a cycle");
    assert_eq!(reason, expect.iter().map(|&l| lit(l)).collect::<Vec<_>>());
}

#[test]
fn one_order_rather_than_two() {
    check(&[1, 1, 1], &[(0, 2), (0, 1), (1, 2), (2, 0)], &[1, 4]);
}

#[test]
fn the_order_of_a_thread_costs_nothing_but_what_leads_there_does() {
    // Steps 2 and 3 are of one thread. Step 3 is reached by one order, and by two over step 2.
    check(&[1, 1, 2, 1, 1], &[(0, 3), (0, 1), (1, 2), (3, 4), (4, 5), (5, 0)], &[1, 4, 5, 6]);
}

#[test]
fn what_follows_is_told_at_once_and_once() {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let [first, second, read] = [(); 3].map(|()| theory.add_node(thread));
    let candidate = |write, n| Candidate { write, reads_from: lit(n), active: None };
    theory.add_read(read, vec![candidate(first, 1), candidate(second, 2)]);
    let mut propagator = OrderPropagator::new(theory);
    assert_eq!(propagator.propagate(), Some(lit(-1)), "the first write is overwritten");
    let mut reason = Vec::new();
    propagator.reason(lit(-1), &mut reason);
    assert_eq!(reason, [lit(-1)]);
    propagator.assigned(&[lit(-1)]);
    assert_eq!(propagator.propagate(), None);
}
