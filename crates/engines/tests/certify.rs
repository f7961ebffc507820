//! Certificates of random programs against brute force: where nothing can be reached, the checker accepts; where
//! something can, there is no certificate. Programs with a story are certified in `examples`.

mod common;

use common::{accepted, brute_force, certificate, random};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use threadproof_engines::{GraphSolver, Method, Uncertified};
use tp_events::Query;

const PROGRAMS: u64 = 1500;

#[test]
fn what_is_unreachable_is_certified() {
    let (mut certified, mut lemmas) = (0, 0);
    for seed in 0..PROGRAMS {
        let random = random::program(seed);
        let graph = random.build.graph();
        let query = &mut Query::new(&graph);
        let expected = brute_force(query, &random.free, &random.goals, random.variables);
        for asked in [true, false] {
            for (&goal, &reachable) in random.goals.iter().zip(&expected) {
                match certificate(query, &[goal], asked) {
                    Ok(text) => {
                        assert!(!reachable, "program {seed}, goal {goal:?}:\n{text}");
                        lemmas += accepted(&text).lemmas;
                        certified += 1;
                    }
                    Err(why) => assert!(reachable, "program {seed}, goal {goal:?}: {why:?}"),
                }
            }
        }
    }
    assert!(certified > 5000 && lemmas > 50, "{certified} certificates with {lemmas} lemmas");
}

/// Several goals are one question: none of them is reached.
#[test]
fn all_that_is_unreachable_in_one_certificate() {
    for seed in 0..PROGRAMS / 5 {
        let random = random::program(seed);
        let graph = random.build.graph();
        let query = &mut Query::new(&graph);
        let expected = brute_force(query, &random.free, &random.goals, random.variables);
        let some_reachable = expected.contains(&true);
        assert_eq!(certificate(query, &random.goals, true).is_err(), some_reachable, "program {seed}");
        let goals = random.goals.iter().zip(expected).filter(|(_, reachable)| !reachable);
        let goals: Vec<_> = goals.map(|(&goal, _)| goal).collect();
        let text = certificate(query, &goals, true).expect("none of them is reachable");
        assert!(accepted(&text).goals.len() <= goals.len());
    }
}

/// A flag that is raised before or after the question ends it without a certificate.
#[test]
fn a_raised_flag_leaves_no_certificate() {
    let stop = Arc::new(AtomicBool::new(false));
    let random = random::program(1);
    let graph = random.build.graph();
    let query = &mut Query::new(&graph);
    let mut engine = GraphSolver::certifying(query, stop.clone());
    assert!(engine.certify(query, &[]).is_ok());
    stop.store(true, Ordering::Relaxed);
    assert_eq!(engine.certify(query, &[]).err(), Some(Uncertified::Stopped));
    let mut engine = GraphSolver::certifying(query, stop);
    assert_eq!(engine.certify(query, &[]).err(), Some(Uncertified::Stopped));
}

/// The results of other engines cannot be reused: they have other clauses.
#[test]
fn only_an_engine_that_was_made_for_it_certifies() {
    let random = random::program(1);
    let graph = random.build.graph();
    let query = &mut Query::new(&graph);
    for method in [Method::Refine, Method::Clocks] {
        let mut engine = common::engine(method, query);
        assert!(matches!(engine.certify(query, &[]), Err(Uncertified::Fault(_))), "{method:?}");
    }
}
