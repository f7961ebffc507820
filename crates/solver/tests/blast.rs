//! What the clauses say is what the terms mean: all inputs at small widths, random terms at larger ones.

extern crate tp_terms as threadproof_terms;

#[path = "../../terms/tests/common/mod.rs"]
mod common;

use common::{COMPARE, Expr, Source, w};
use fastrand::Rng;
use threadproof_solver::{Blaster, Cadical, Lit, Sat, SatResult, at_most_one, exactly_one};
use tp_ir::eval::truncate;
use tp_ir::{BinOp, Width};
use tp_terms::{Term, Terms};

/// The literals that say `t` has this value.
fn being(blaster: &mut Blaster<Cadical>, terms: &Terms, t: Term, value: u128) -> Vec<Lit> {
    let bits = blaster.bits(terms, t);
    bits.iter().enumerate().map(|(i, &l)| if value >> i & 1 == 1 { l } else { !l }).collect()
}

/// Fixes the unknowns to each combination of values, and compares what the bits of each term then are.
fn check_all_inputs(terms: &Terms, unknowns: &[Term], questions: &[Term]) {
    let mut blaster = Blaster::new(Cadical::new());
    let bits: Vec<Vec<Lit>> = questions.iter().map(|&t| blaster.bits(terms, t).to_vec()).collect();
    let total: u32 = unknowns.iter().map(|&t| terms.width(t).bits()).sum();
    for input in 0..1u128 << total {
        let (mut assumptions, mut values, mut rest) = (Vec::new(), Vec::new(), input);
        for &t in unknowns {
            let value = truncate(rest, terms.width(t));
            rest >>= terms.width(t).bits();
            values.push(value);
            assumptions.extend(being(&mut blaster, terms, t, value));
        }
        assert_eq!(blaster.sat_mut().solve(&assumptions), Ok(SatResult::Sat));
        for (&t, bits) in questions.iter().zip(&bits) {
            let read = |(i, &l): (usize, &Lit)| (blaster.sat_mut().value(l).unwrap() as u128) << i;
            let got: u128 = bits.iter().enumerate().map(read).sum();
            assert_eq!(got, terms.eval(t, &values), "{:?} under {values:?}", terms.kind(t));
        }
    }
}

#[test]
fn every_operator_on_every_input() {
    for bits in 1..=4 {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(w(bits)), terms.variable(w(bits)));
        let mut questions = Vec::new();
        for op in BinOp::ALL {
            questions.push(terms.binary(op, x, y));
        }
        for op in COMPARE {
            questions.push(terms.compare(op, x, y));
        }
        questions.extend([terms.not(x), terms.neg(x), terms.concat(x, y)]);
        questions.extend([terms.sign_extend(x, w(bits + 3)), terms.zero_extend(x, w(bits + 3))]);
        let sum = terms.add(x, y);
        for low in 0..bits {
            questions.push(terms.extract(sum, low, w(bits - low)));
        }
        let less = terms.compare(COMPARE[2], x, y);
        questions.push(terms.ite(less, x, y));
        check_all_inputs(&terms, &[x, y], &questions);
    }
}

#[test]
fn every_operator_with_every_constant() {
    for bits in 1..=4 {
        let mut terms = Terms::new();
        let x = terms.variable(w(bits));
        let mut questions = Vec::new();
        for k in 0..1 << bits {
            let k = terms.constant(w(bits), k);
            for op in BinOp::ALL {
                questions.extend([terms.binary(op, x, k), terms.binary(op, k, x)]);
            }
            for op in COMPARE {
                questions.extend([terms.compare(op, x, k), terms.compare(op, k, x)]);
            }
        }
        check_all_inputs(&terms, &[x], &questions);
    }
}

/// Shift amounts beyond a width that is not a power of two.
#[test]
fn shifts_and_divisions_at_odd_widths() {
    for bits in [5, 6] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(w(bits)), terms.variable(w(bits)));
        let ops = [BinOp::Shl, BinOp::LShr, BinOp::AShr, BinOp::SDiv, BinOp::SRem, BinOp::Mul];
        let questions: Vec<Term> = ops.iter().map(|&op| terms.binary(op, x, y)).collect();
        check_all_inputs(&terms, &[x, y], &questions);
    }
}

struct Question {
    expr: Expr,
    widths: Vec<Width>,
}

/// Several conditions at once, so that not every question has an answer.
fn question(rng: &mut Rng, widths: &[u32], depth: u32, conditions: u32, hard: bool) -> Question {
    let widths: Vec<Width> = widths.iter().map(|&b| w(b)).collect();
    let mut source = Source::new(rng, &widths, hard);
    let mut expr = source.expr(Width::BOOL, depth);
    for _ in 1..conditions {
        let more = source.expr(Width::BOOL, depth);
        let op = if source.rng.u8(0..4) == 0 { BinOp::Or } else { BinOp::And };
        expr = Expr::Binary(op, Box::new(expr), Box::new(more));
    }
    Question { expr, widths }
}

/// Asks twice, by assertion and by assumption, and checks the model. Returns whether there is one.
fn ask(q: &Question) -> bool {
    let mut terms = Terms::new();
    let vars: Vec<Term> = q.widths.iter().map(|&w| terms.variable(w)).collect();
    let t = q.expr.term(&mut terms, &vars);
    let mut asserting = Blaster::new(Cadical::new());
    asserting.assert(&terms, t);
    let outcome = asserting.sat_mut().solve(&[]).unwrap();
    let mut assuming = Blaster::new(Cadical::new());
    let lit = assuming.literal(&terms, t);
    assert_eq!(assuming.sat_mut().solve(&[lit]), Ok(outcome), "{:?}", q.expr);
    if outcome == SatResult::Unsat {
        assert!(assuming.sat_mut().failed(lit));
        assert_eq!(assuming.sat_mut().solve(&[!lit]), Ok(SatResult::Sat));
        return false;
    }
    for blaster in [&mut asserting, &mut assuming] {
        let mut model = blaster.model().unwrap();
        let values: Vec<u128> = vars.iter().map(|&v| model.value(&terms, v)).collect();
        assert!(model.holds(&terms, t));
        assert_eq!(q.expr.value(&values), 1, "{:?} under {values:?}", q.expr);
    }
    true
}

fn has_answer(q: &Question) -> bool {
    let total: u32 = q.widths.iter().map(|w| w.bits()).sum();
    (0..1u128 << total).any(|input| {
        let mut rest = input;
        let mut next = |w: &Width| {
            let value = truncate(rest, *w);
            rest >>= w.bits();
            value
        };
        let values: Vec<u128> = q.widths.iter().map(&mut next).collect();
        q.expr.value(&values) == 1
    })
}

#[test]
fn small_questions_as_by_trying_all() {
    let mut rng = Rng::with_seed(2);
    let (mut with, mut without) = (0, 0);
    for round in 0..800 {
        let palettes: [&[u32]; 6] = [&[1, 1, 1, 1], &[3, 3, 2], &[4, 4, 1], &[6, 3], &[5, 5], &[10]];
        let (depth, conditions) = (rng.u32(2..5), rng.u32(1..5));
        let q = question(&mut rng, palettes[round % palettes.len()], depth, conditions, true);
        let found = ask(&q);
        assert_eq!(found, has_answer(&q), "{:?}", q.expr);
        *(if found { &mut with } else { &mut without }) += 1;
    }
    assert!(with > 100 && without > 100, "{with} with an answer, {without} without");
}

/// A formula over equalities of two-bit unknowns and two truth values: what `assert` takes apart.
fn formula(rng: &mut Rng, depth: u32) -> Expr {
    let number = |rng: &mut Rng| match rng.u8(0..4) {
        0 => Expr::Const(w(2), rng.u128(0..4)),
        _ => Expr::Var(w(2), rng.usize(0..3)),
    };
    if depth == 0 || rng.u8(0..6) == 0 {
        return match rng.u8(0..3) {
            0 => Expr::Var(w(1), rng.usize(3..5)),
            _ => Expr::Compare(COMPARE[rng.usize(0..2)], Box::new(number(rng)), Box::new(number(rng))),
        };
    }
    let (a, b) = (Box::new(formula(rng, depth - 1)), Box::new(formula(rng, depth - 1)));
    match rng.u8(0..5) {
        0 => Expr::Not(a),
        1 | 2 => Expr::Binary(BinOp::And, a, b),
        _ => Expr::Binary(BinOp::Or, a, b),
    }
}

#[test]
fn formulas_over_equalities_as_by_trying_all() {
    let mut rng = Rng::with_seed(6);
    let widths = vec![w(2), w(2), w(2), w(1), w(1)];
    for _ in 0..1500 {
        let parts: Vec<Expr> = (0..rng.u32(1..7)).map(|_| formula(&mut rng, 3)).collect();
        let all = |a, b| Expr::Binary(BinOp::And, Box::new(a), Box::new(b));
        let q = Question { expr: parts.into_iter().reduce(all).unwrap(), widths: widths.clone() };
        assert_eq!(ask(&q), has_answer(&q), "{:?}", q.expr);
    }
}

#[test]
fn large_questions() {
    let mut rng = Rng::with_seed(3);
    for round in 0..300 {
        let palettes: [&[u32]; 5] = [&[16, 16, 8], &[32, 32, 1], &[64, 32], &[128], &[13, 16, 1]];
        let conditions = rng.u32(1..4);
        let q = question(&mut rng, palettes[round % palettes.len()], 3, conditions, false);
        if !ask(&q) {
            for _ in 0..300 {
                let values: Vec<u128> = q.widths.iter().map(|&w| truncate(rng.u128(..), w)).collect();
                assert_eq!(q.expr.value(&values), 0, "{:?} under {values:?}", q.expr);
            }
        }
    }
}

#[test]
fn factors_are_found_and_primes_have_none() {
    for (product, expected) in [(62615533u128, SatResult::Sat), (65521, SatResult::Unsat)] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(w(16)), terms.variable(w(16)));
        let (wide_x, wide_y) = (terms.zero_extend(x, w(32)), terms.zero_extend(y, w(32)));
        let z = terms.binary(BinOp::Mul, wide_x, wide_y);
        let (k, one) = (terms.constant(w(32), product), terms.constant(w(16), 1));
        let conditions = [terms.eq(z, k), terms.ne(x, one), terms.ne(y, one)];
        let mut blaster = Blaster::new(Cadical::new());
        for t in conditions {
            blaster.assert(&terms, t);
        }
        assert_eq!(blaster.sat_mut().solve(&[]), Ok(expected));
        if let Some(mut model) = blaster.model() {
            assert_eq!(model.value(&terms, x) * model.value(&terms, y), product);
        }
    }
}

/// The value of a read under a reads-from literal: two clauses a bit, and no variables but those of the terms.
#[test]
fn equality_under_a_condition_is_cheap() {
    let mut terms = Terms::new();
    let (sees, x, y) = (terms.variable(w(1)), terms.variable(w(32)), terms.variable(w(32)));
    let same = terms.eq(x, y);
    let t = terms.implies(sees, same);
    let mut blaster = Blaster::new(Cadical::new());
    let before = blaster.sat().statistics();
    blaster.assert(&terms, t);
    let after = blaster.sat().statistics();
    assert_eq!(after.clauses - before.clauses, 64);
    assert_eq!(after.variables - before.variables, 65);
}

#[test]
fn one_of_many() {
    for n in 0..12usize {
        for exactly in [false, true] {
            let mut sat = Cadical::new();
            let lits: Vec<Lit> = (0..n).map(|_| sat.new_var()).collect();
            if exactly {
                exactly_one(&mut sat, &lits)
            } else {
                at_most_one(&mut sat, &lits)
            }
            for choice in 0..1u32 << n {
                let fixed: Vec<Lit> = lits
                    .iter()
                    .enumerate()
                    .map(|(i, &l)| if choice >> i & 1 == 1 { l } else { !l })
                    .collect();
                let allowed = choice.count_ones() == 1 || !exactly && choice == 0;
                let expected = if allowed { SatResult::Sat } else { SatResult::Unsat };
                assert_eq!(sat.solve(&fixed), Ok(expected), "{n} {choice:b}");
            }
            let size = sat.statistics();
            assert!(size.clauses <= 3 * n as u64 + 1 && size.variables <= 2 * n as u64);
        }
    }
}

/// Deeper than any stack.
#[test]
fn long_chains_are_translated() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(w(4)), terms.variable(w(4)));
    let mut t = x;
    for _ in 0..50_000 {
        t = terms.xor(t, y);
        t = terms.add(t, x);
    }
    let zero = terms.constant(w(4), 0);
    let t = terms.eq(t, zero);
    let mut blaster = Blaster::new(Cadical::new());
    blaster.literal(&terms, t);
}
