//! What the order theory gives as a reason is as short as it can be, and what follows is told at once. Neither changes an
//! answer, so that nothing else would notice.

use threadproof_solver::order::{Candidate, Node, OrderPropagator, OrderTheory, Verdict};
use threadproof_solver::{Lit, Propagator};

fn lit(n: i32) -> Lit {
    Lit::from_dimacs(n).expect("not zero")
}

/// Steps in threads of these lengths; the literals `1..` are orders of two steps, assigned one after the other. The last
/// closes a cycle, for this reason.
#[track_caller]
fn check(threads: &[usize], orders: &[(usize, usize)], expect: &[i32]) {
    assert_eq!(reason(threads, orders), expect.iter().map(|&l| lit(l)).collect::<Vec<_>>());
}

#[track_caller]
fn reason(threads: &[usize], orders: &[(usize, usize)]) -> Vec<Lit> {
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
    theory.propagate().and_then(|_| theory.propagate()).expect_err("a cycle")
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
    theory.add_read(read, vec![candidate(first, 1, None), candidate(second, 2, None)]);
    let mut propagator = OrderPropagator::new(theory);
    assert_eq!(propagator.propagate(), Some(lit(-1)), "the first write is overwritten");
    let mut reason = Vec::new();
    propagator.reason(lit(-1), &mut reason);
    assert_eq!(reason, [lit(-1)]);
    propagator.assigned(&[lit(-1)]);
    assert_eq!(propagator.propagate(), None);
}

#[test]
fn a_false_order_is_the_other_order() {
    let mut theory = OrderTheory::new();
    let [a, b] = [(); 2].map(|()| {
        let thread = theory.add_thread();
        theory.add_node(thread)
    });
    theory.add_order_literal(lit(1), a, b);
    theory.add_order_literal(lit(2), a, b);
    theory.assign(lit(2));
    assert!(theory.propagate().is_ok());
    theory.assign(lit(-1));
    let mut reason = theory.propagate().expect_err("a cycle");
    reason.sort_by_key(|l| l.var());
    assert_eq!(reason, [lit(-1), lit(2)]);
}

/// Whoever follows each of the ways does not come to an end: there are two to the power of thirty.
#[test]
fn many_ways_of_the_same_length_are_no_more_work() {
    let many = 30;
    let mut orders = Vec::new();
    for first in (0..many).map(|i| 3 * i) {
        orders.extend([
            (first, first + 1),
            (first, first + 2),
            (first + 1, first + 3),
            (first + 2, first + 3),
        ]);
    }
    orders.push((3 * many, 0));
    assert_eq!(reason(&vec![1; 3 * many + 1], &orders).len(), 2 * many + 1);
}

fn candidate(write: Node, reads_from: i32, active: Option<i32>) -> Candidate {
    Candidate { write, reads_from: lit(reads_from), active: active.map(lit) }
}

#[test]
fn what_follows_for_two_reasons_is_told_once() {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let [first, second, read] = [(); 3].map(|()| theory.add_node(thread));
    theory.add_read(read, vec![candidate(first, 1, None), candidate(second, 2, Some(3))]);
    let mut propagator = OrderPropagator::new(theory);
    // Both the read, which is new, and its second write have to be looked at.
    propagator.assigned(&[lit(3)]);
    assert_eq!(propagator.propagate(), Some(lit(-1)), "the first write is overwritten");
    propagator.assigned(&[lit(-1)]);
    assert_eq!(propagator.propagate(), None);
}

#[test]
fn what_is_known_is_not_told() {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let [first, second, read] = [(); 3].map(|()| theory.add_node(thread));
    theory.add_read(read, vec![candidate(first, 1, None), candidate(second, 2, None)]);
    theory.assign(lit(-1));
    assert_eq!(theory.propagate().expect("no conflict").len(), 0);
}

#[test]
fn a_write_in_between_does_not_happen() {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let [seen, between, read] = [(); 3].map(|()| theory.add_node(thread));
    theory.add_read(read, vec![candidate(seen, 1, None), candidate(between, 2, Some(3))]);
    let mut propagator = OrderPropagator::new(theory);
    propagator.assigned(&[lit(1)]);
    assert_eq!(propagator.propagate(), Some(lit(-3)));
    let mut reason = Vec::new();
    propagator.reason(lit(-3), &mut reason);
    assert_eq!(reason, [lit(-3), lit(-1)]);
}

#[test]
fn nothing_is_looked_at_again_after_going_back_to_where_all_was_done() {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let [first, second, read] = [(); 3].map(|()| theory.add_node(thread));
    theory.add_read(read, vec![candidate(first, 1, None), candidate(second, 2, None)]);
    let told = theory.propagate().expect("no conflict");
    assert_eq!(told.iter().map(|i| i.literal).collect::<Vec<_>>(), [lit(-1)]);
    theory.new_level();
    theory.assign(lit(2));
    theory.propagate().expect("no conflict");
    theory.backtrack(0);
    assert_eq!(theory.propagate().expect("no conflict").len(), 0);
}

#[test]
fn a_write_that_only_has_to_wait_needs_no_literal() {
    let mut theory = OrderTheory::new();
    let [seen, other, aside, read] = [(); 4].map(|()| {
        let thread = theory.add_thread();
        theory.add_node(thread)
    });
    theory.add_read(read, vec![candidate(seen, 1, None), candidate(other, 2, None)]);
    theory.assign(lit(1));
    theory.assign(lit(-2));
    theory.propagate().expect("no conflict");
    // There is no spare literal either.
    assert_eq!(theory.check(), Verdict::Order(vec![seen, aside, read, other]));
}
