//! Proofs of the SAT solver, checked step by step: of random formulas that grow between calls to `solve`, so that
//! CaDiCaL simplifies, removes and restores clauses, and numbers them in every way that it has.

use fastrand::Rng;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_solver::{Lit, Premise, Prover, Refutation, SatResult};

fn never() -> Arc<AtomicBool> {
    Arc::new(AtomicBool::new(false))
}

fn lit(number: i32) -> Lit {
    Lit::from_dimacs(number).expect("not 0")
}

/// A clause of three literals, or fewer in one case out of `short`; some have a literal twice, or both signs of one.
fn random_clause(rng: &mut Rng, variables: i32, short: u32) -> Vec<Lit> {
    let length = if rng.u32(..short) == 0 { rng.usize(1..3) } else { 3 };
    (0..length).map(|_| lit(rng.i32(1..=variables) * if rng.bool() { 1 } else { -1 })).collect()
}

/// Whether a clause follows from the premises by unit propagation in their order.
fn follows(clause: &[Lit], premises: &[&[Lit]]) -> bool {
    let mut wrong: Vec<Lit> = clause.to_vec();
    for premise in premises {
        let mut open: Vec<Lit> = premise.iter().copied().filter(|l| !wrong.contains(l)).collect();
        open.dedup();
        match open[..] {
            [] => return true,
            [forced] => wrong.push(!forced),
            _ => return false,
        }
    }
    false
}

#[track_caller]
fn check(given: &[Vec<Lit>], refutation: &Refutation) {
    let steps = &refutation.steps;
    for (i, step) in steps.iter().enumerate() {
        let premise = |p: &Premise| match *p {
            Premise::Given(at) => {
                assert!(refutation.given.contains(&at), "the premise is listed as used");
                &given[at as usize][..]
            }
            Premise::Step(at) => {
                assert!((at as usize) < i, "the premise is an earlier step");
                &steps[at as usize].clause[..]
            }
        };
        let premises: Vec<&[Lit]> = step.premises.iter().map(premise).collect();
        assert!(follows(&step.clause, &premises), "step {i}: {:?} from {premises:?}", step.clause);
    }
    let ends = steps.last().map_or_else(|| &given[refutation.given[0] as usize], |last| &last.clause);
    assert!(ends.is_empty(), "the last clause is empty: {ends:?}");
    let used = |at: u32| steps.iter().flat_map(|s| &s.premises).any(|p| *p == Premise::Given(at));
    assert!(steps.is_empty() || refutation.given.iter().all(|&g| used(g)), "every listed clause is used");
}

/// Adds random clauses until there is no model. Returns the number of calls to `solve` and of proof steps.
fn refute(seed: u64, variables: i32, short: u32, at_once: usize) -> (usize, usize) {
    let mut rng = Rng::with_seed(seed);
    let mut prover = Prover::new(never());
    let mut given: Vec<Vec<Lit>> = Vec::new();
    for questions in 1.. {
        let count = if questions == 1 { 3 * variables as usize } else { at_once };
        for _ in 0..count {
            let clause = random_clause(&mut rng, variables, short);
            prover.add_clause(&clause);
            given.push(clause);
        }
        match prover.solve() {
            SatResult::Sat => {
                let holds = given.iter().all(|c| c.iter().any(|&l| prover.value(l)));
                assert!(holds && prover.refutation().is_none(), "seed {seed}: a model is a model");
            }
            SatResult::Unsat => {
                let refutation = prover.refutation().expect("there is a proof");
                check(&given, &refutation);
                return (questions, refutation.steps.len());
            }
            SatResult::Unknown => panic!("nobody has stopped it"),
        }
    }
    unreachable!()
}

#[test]
fn small_formulas() {
    let (mut questions, mut steps) = (0, 0);
    for seed in 0..400 {
        let (q, s) = refute(seed, 3 + (seed % 20) as i32, 20, 1);
        questions += q;
        steps += s;
    }
    assert!(questions > 2000 && steps > 2000, "{questions} questions, {steps} steps");
}

/// Large enough for all inprocessing of the solver.
#[test]
fn large_formulas() {
    let mut most = (0, 0);
    for seed in 0..4 {
        let (questions, steps) = refute(seed, 170, 1000, 20);
        most = (most.0.max(questions), most.1.max(steps));
    }
    assert!(most.0 > 5 && most.1 > 1000, "{most:?}");
}

#[test]
fn an_empty_clause_is_its_own_proof() {
    let mut prover = Prover::new(never());
    prover.add_clause(&[lit(1), lit(2)]);
    prover.add_clause(&[]);
    prover.add_clause(&[lit(3)]);
    assert_eq!(prover.solve(), SatResult::Unsat);
    let refutation = prover.refutation().expect("there is a proof");
    assert_eq!((refutation.given, refutation.steps.len()), (vec![1], 0));
}

#[test]
fn a_raised_flag_ends_it() {
    let mut prover = Prover::new(Arc::new(AtomicBool::new(true)));
    let mut rng = Rng::with_seed(1);
    (0..1300).for_each(|_| prover.add_clause(&random_clause(&mut rng, 300, 1_000_000)));
    assert_eq!(prover.solve(), SatResult::Unknown);
    assert!(prover.refutation().is_none());
}
