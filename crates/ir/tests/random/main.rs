//! Random programs and random damage, from fixed seeds: the textual form loses nothing, and no text makes the parser
//! panic; promotion keeps a program valid and does not change what it computes.

mod damage;
mod graphs;
mod locals;
mod program;
mod rng;

use rng::Rng;
use threadproof_ir::{Program, parse, promote, validate};

fn check_round_trip(program: &Program) {
    let text = program.to_string();
    match parse(&text) {
        Ok(again) => assert_eq!(&again, program, "\n{text}"),
        Err(error) => panic!("{error}\n{text}"),
    }
}

fn check_valid(program: &Program) {
    if let Err(list) = validate(program) {
        let list: Vec<String> = list.iter().map(|invalid| invalid.to_string()).collect();
        panic!("{}\n{program}", list.join("\n"));
    }
}

#[test]
fn random_programs_print_parse_and_promote() {
    for seed in 0..400 {
        let mut program = program::random(&mut Rng::new(seed));
        check_valid(&program);
        check_round_trip(&program);
        promote(&mut program);
        check_valid(&program);
        check_round_trip(&program);
    }
}

/// Whatever parses also prints, parses back, and goes through the validator; what is valid can be promoted.
#[test]
fn damaged_texts_do_no_harm() {
    let mut parsed = 0;
    for seed in 0..60 {
        let mut rng = Rng::new(seed);
        let text = match seed % 2 {
            0 => include_str!("../everything.tp").to_owned(),
            _ => program::random(&mut rng).to_string(),
        };
        for _ in 0..120 {
            let damaged = damage::damage(&text, &mut rng);
            let Ok(mut program) = parse(&damaged) else { continue };
            parsed += 1;
            check_round_trip(&program);
            if validate(&program).is_ok() {
                promote(&mut program);
                check_valid(&program);
            }
        }
    }
    assert!(parsed > 300, "only {parsed} damaged texts parse: the damage is too coarse to test anything");
}

#[test]
fn promotion_keeps_what_a_function_computes() {
    let mut promoted = 0;
    for seed in 0..600 {
        let mut rng = Rng::new(seed);
        let text = locals::random_function(&mut rng);
        let before = parse(&text).unwrap_or_else(|error| panic!("{error}\n{text}"));
        check_valid(&before);
        let mut after = before.clone();
        promote(&mut after);
        check_valid(&after);
        let mut again = after.clone();
        promote(&mut again);
        assert_eq!(again, after, "a second promotion changes nothing");
        promoted +=
            before.to_string().matches("alloca").count() - after.to_string().matches("alloca").count();
        for run in 0..8 {
            let (a, b) = (locals::run(&before, run), locals::run(&after, run));
            assert_eq!(a, b, "\n{before}\n{after}");
        }
    }
    assert!(promoted > 1000, "only {promoted} locals were promoted");
}
