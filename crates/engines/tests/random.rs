//! All engines against brute force on small random programs.

mod common;

use common::{METHODS, answer, brute_force, check_witness, engine, random};
use threadproof_engines::witness;

const PROGRAMS: u64 = 1500;

#[test]
fn engines_agree_with_trying_everything() {
    let (mut yes, mut no) = (0, 0);
    for seed in 0..PROGRAMS {
        let mut random = random::program(seed);
        let program = &mut random.build.program;
        let expected = brute_force(program, &random.free, &random.goals, random.variables);
        for method in METHODS {
            let mut engine = engine(method, program);
            for (&goal, &expected) in random.goals.iter().zip(&expected) {
                let found = answer(program, &mut engine, goal);
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
        let mut random = random::program(seed);
        let program = &mut random.build.program;
        for claim in program.claims.clone() {
            for method in METHODS {
                let mut engine = engine(method, program);
                if let Some((mut model, order)) = answer(program, &mut engine, claim.fails) {
                    found += 1;
                    let way = witness(program, &claim, &mut model, &order);
                    let mut values = vec![0; random.variables];
                    for &input in &random.free {
                        values[common::number(&program.terms, input)] = model.value(&program.terms, input);
                    }
                    check_witness(program, &claim, &way, values);
                }
            }
        }
    }
    assert!(found > 500, "{found}");
}
