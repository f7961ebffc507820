//! All engines against brute force on small random programs.

mod common;

use common::{METHODS, answer, brute_force, check_witness, engine, random};
use threadproof_engines::witness;
use tp_events::Query;

const PROGRAMS: u64 = 1500;

#[test]
fn engines_agree_with_trying_everything() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..PROGRAMS {
        let random = random::program(seed);
        let graph = random.build.graph();
        let query = &mut Query::new(&graph);
        let expected = brute_force(query, &random.free, &random.goals, random.variables);
        for method in METHODS {
            let mut engine = engine(method, query);
            for (&goal, &expected) in random.goals.iter().zip(&expected) {
                let found = answer(query, &mut engine, goal);
                assert_eq!(found.is_some(), expected, "program {seed}, {method:?}, goal {goal:?}");
            }
        }
        yes += expected.iter().filter(|&&e| e).count();
        no += expected.iter().filter(|&&e| !e).count();
    }
    assert!(yes > 500 && no > 500, "both answers occur: {yes}, {no}");
}

#[test]
fn witnesses_lead_to_their_claims() {
    let mut found = 0;
    for seed in 0..PROGRAMS {
        let random = random::program(seed);
        let graph = random.build.graph();
        let query = &mut Query::new(&graph);
        for claim in graph.claims().to_vec() {
            for method in METHODS {
                let mut engine = engine(method, query);
                if let Some((mut model, order)) = answer(query, &mut engine, claim.fails) {
                    found += 1;
                    let way = witness(query, &claim, &mut model, &order);
                    let mut values = vec![0; random.variables];
                    for &input in &random.free {
                        values[common::number(&query.terms, input)] = model.value(&query.terms, input);
                    }
                    check_witness(query, &claim, &way, values);
                }
            }
        }
    }
    assert!(found > 500, "{found}");
}
