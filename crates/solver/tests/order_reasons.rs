//! Reasons of the order theory are as short as they can be, and what follows is reported at once, and once. None of
//! this changes an answer, so no other test would notice.

use threadproof_solver::order::{Candidate, FinalCheck, OrderNode, OrderPropagator, OrderTheory};
use threadproof_solver::{Lit, Propagator};

fn lit(n: i32) -> Lit {
    Lit::from_dimacs(n).expect("not zero")
}

fn lits<const N: usize>(numbers: [i32; N]) -> Vec<Lit> {
    numbers.into_iter().map(lit).collect()
}

/// `N` steps of one thread.
fn chain<const N: usize>() -> (OrderTheory, [OrderNode; N]) {
    let mut theory = OrderTheory::new();
    let thread = theory.add_thread();
    let nodes = [(); N].map(|()| theory.add_node(thread));
    (theory, nodes)
}

/// `N` threads of one step.
fn apart<const N: usize>() -> (OrderTheory, [OrderNode; N]) {
    let mut theory = OrderTheory::new();
    let nodes = [(); N].map(|()| {
        let thread = theory.add_thread();
        theory.add_node(thread)
    });
    (theory, nodes)
}

fn write(write: OrderNode, reads_from: i32) -> Candidate {
    Candidate { write, reads_from: lit(reads_from), active: None }
}

fn write_if(active: i32, node: OrderNode, reads_from: i32) -> Candidate {
    Candidate { active: Some(lit(active)), ..write(node, reads_from) }
}

/// The literals that follow.
#[track_caller]
fn told(theory: &mut OrderTheory) -> Vec<Lit> {
    let implied = theory.propagate().expect("no conflict");
    implied.iter().map(|i| i.literal).collect()
}

// ── reasons ────────────────────────────────────────────────────────────────────────────────────────────────────

/// Steps in threads of these lengths; the literals `1..` are orders of two steps, assigned one after the other. The
/// last closes a cycle; returns its reason.
#[track_caller]
fn reason(threads: &[usize], orders: &[(usize, usize)]) -> Vec<Lit> {
    let mut theory = OrderTheory::new();
    let mut nodes: Vec<OrderNode> = Vec::new();
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
    theory.propagate().expect_err("a cycle")
}

#[test]
fn one_order_rather_than_two() {
    assert_eq!(reason(&[1, 1, 1], &[(0, 2), (0, 1), (1, 2), (2, 0)]), lits([1, 4]));
}

#[test]
fn the_order_of_a_thread_costs_nothing_but_what_leads_there_does() {
    // Steps 2 and 3 are of one thread. Step 3 is reached by one order, and by two over step 2.
    let orders = [(0, 3), (0, 1), (1, 2), (3, 4), (4, 5), (5, 0)];
    assert_eq!(reason(&[1, 1, 2, 1, 1], &orders), lits([1, 4, 5, 6]));
}

/// There are 2^30 paths: a search that follows each of them does not end.
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

#[test]
fn a_false_order_is_the_other_order() {
    let (mut theory, [a, b]) = apart();
    theory.add_order_literal(lit(1), a, b);
    theory.add_order_literal(lit(2), a, b);
    theory.assign(lit(2));
    assert_eq!(told(&mut theory), []);
    theory.assign(lit(-1));
    let mut reason = theory.propagate().expect_err("a cycle");
    reason.sort_by_key(|l| l.var());
    assert_eq!(reason, lits([-1, 2]));
    assert_eq!(theory.order_literals().collect::<Vec<_>>(), [(lit(1), a, b), (lit(2), a, b)]);
}

// ── what follows is told ───────────────────────────────────────────────────────────────────────────────────────

/// What is reported first when these literals are assigned, and the clause that makes it follow.
fn first_told<const N: usize>(theory: OrderTheory, assigned: [i32; N]) -> (Option<Lit>, Vec<Lit>) {
    let mut propagator = OrderPropagator::new(theory);
    propagator.assigned(&lits(assigned));
    let told = propagator.propagate();
    let mut clause = Vec::new();
    if let Some(literal) = told {
        propagator.reason(literal, &mut clause);
    }
    (told, clause)
}

#[test]
fn a_write_that_is_overwritten_is_not_seen() {
    let (mut theory, [first, second, read]) = chain();
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    assert_eq!(first_told(theory, []), (Some(lit(-1)), lits([-1])));
}

#[test]
fn a_write_that_comes_later_is_not_seen() {
    let (mut theory, [before, read, after]) = chain();
    theory.add_read(read, vec![write(after, 1)]);
    theory.add_read(read, vec![write(before, 2), write(after, 3)]);
    assert_eq!(told(&mut theory), lits([-3, -1]));
}

#[test]
fn a_write_that_turns_out_to_be_one_hides_another() {
    let (mut theory, [first, second, read]) = chain();
    theory.add_read(read, vec![write(first, 1), write_if(3, second, 2)]);
    assert_eq!(told(&mut theory), []);
    theory.assign(lit(3));
    assert_eq!(told(&mut theory), lits([-1]));
}

#[test]
fn a_write_in_between_does_not_happen() {
    let (mut theory, [seen, between, read]) = chain();
    theory.add_read(read, vec![write(seen, 1), write_if(3, between, 2)]);
    assert_eq!(first_told(theory, [1]), (Some(lit(-3)), lits([-3, -1])));
}

// ── once ───────────────────────────────────────────────────────────────────────────────────────────────────────

#[test]
fn what_follows_is_told_once() {
    let (mut theory, [first, second, read]) = chain();
    theory.add_read(read, vec![write(first, 1), write_if(3, second, 2)]);
    let mut propagator = OrderPropagator::new(theory);
    // Both the read, which is new, and its second write have to be processed.
    propagator.assigned(&[lit(3)]);
    assert_eq!(propagator.propagate(), Some(lit(-1)));
    propagator.assigned(&[lit(-1)]);
    assert_eq!(propagator.propagate(), None);
}

#[test]
fn what_is_known_is_not_told() {
    let (mut theory, [first, second, read]) = chain();
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    theory.assign(lit(-1));
    assert_eq!(told(&mut theory), []);
    let (mut theory, [seen, between, read]) = chain();
    theory.add_read(read, vec![write(seen, 1), write_if(3, between, 2)]);
    theory.assign(lit(1));
    theory.assign(lit(-3));
    assert_eq!(told(&mut theory), []);
}

#[test]
fn a_read_with_two_reasons_to_look_at_it_is_looked_at_once() {
    let mut theory = OrderTheory::new();
    let (thread, other) = (theory.add_thread(), theory.add_thread());
    let [first, second, read] = [(); 3].map(|()| theory.add_node(thread));
    let aside = theory.add_node(other);
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    theory.add_order_literal(lit(3), aside, read);
    // The read is new, and a step has come before it.
    theory.assign(lit(3));
    assert_eq!(told(&mut theory), lits([-1]));
}

#[test]
fn an_order_that_is_news_to_some_is_none_to_the_rest() {
    let mut theory = OrderTheory::new();
    let threads = [(); 3].map(|()| theory.add_thread());
    let [first, second, read] = [(); 3].map(|()| theory.add_node(threads[0]));
    let (a, b) = (theory.add_node(threads[1]), theory.add_node(threads[2]));
    theory.add_order(a, read);
    theory.add_order(b, read);
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    theory.add_order_literal(lit(3), a, b);
    assert_eq!(told(&mut theory), lits([-1]));
    // The read comes after both, as before.
    theory.assign(lit(3));
    assert_eq!(told(&mut theory), []);
}

#[test]
fn nothing_is_looked_at_again_after_going_back_to_where_all_was_done() {
    let (mut theory, [first, second, read]) = chain();
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    assert_eq!(told(&mut theory), lits([-1]));
    theory.new_level();
    theory.assign(lit(2));
    told(&mut theory);
    theory.backtrack(0);
    assert_eq!(told(&mut theory), []);
}

#[test]
fn a_write_that_only_has_to_wait_needs_no_literal() {
    let (mut theory, [seen, other, aside, read]) = apart();
    theory.add_read(read, vec![write(seen, 1), write(other, 2)]);
    theory.assign(lit(1));
    theory.assign(lit(-2));
    assert_eq!(told(&mut theory), []);
    // There is no spare literal either.
    assert_eq!(theory.check(), FinalCheck::Order(vec![seen, aside, read, other]));
}

#[test]
fn a_model_has_its_order() {
    let (mut theory, [first, second, read]) = apart();
    theory.add_read(read, vec![write(first, 1), write(second, 2)]);
    let mut propagator = OrderPropagator::new(theory);
    propagator.assigned(&lits([2, -1]));
    assert_eq!(propagator.propagate(), None);
    assert_eq!(propagator.take_order(), None);
    assert!(propagator.check_model(&[]));
    assert_eq!(propagator.take_order(), Some(vec![first, second, read]));
    assert_eq!(propagator.take_order(), None);
}
