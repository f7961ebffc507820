//! Simplified terms have the value of the operation that was asked for, and the rules simplify what they should.

mod common;

use common::{COMPARE, Expr, Source, total, w};
use fastrand::Rng;
use threadproof_terms::{Term, TermKind, Terms};
use tp_ir::{BinOp, Width, eval};

fn variables(terms: &mut Terms, widths: &[Width]) -> Vec<Term> {
    widths.iter().map(|&w| terms.variable(w)).collect()
}

fn agree(expr: &Expr, widths: &[Width], rng: &mut Rng, rounds: usize) {
    let mut terms = Terms::new();
    let vars = variables(&mut terms, widths);
    let t = expr.term(&mut terms, &vars);
    assert_eq!(terms.width(t), expr.width());
    for _ in 0..rounds {
        let values: Vec<u128> = widths.iter().map(|&w| random_value(rng, w)).collect();
        let got = terms.eval(t, &values);
        assert_eq!(got, expr.value(&values), "{expr:?} under {values:?}");
    }
}

fn random_value(rng: &mut Rng, width: Width) -> u128 {
    let v = match rng.u8(0..6) {
        0 => 0,
        1 => u128::MAX,
        2 => 1 << (width.bits() - 1),
        3 => rng.u128(0..4),
        _ => rng.u128(..),
    };
    eval::truncate(v, width)
}

#[test]
fn random_terms_keep_their_value() {
    let mut rng = Rng::with_seed(1);
    let palettes: [&[u32]; 8] = [
        &[1, 1, 1],
        &[2, 2, 1],
        &[3, 4, 1],
        &[8, 8, 16, 1],
        &[5, 7, 13],
        &[32, 32, 8],
        &[64, 32, 1],
        &[128, 127, 9],
    ];
    for round in 0..24_000 {
        let widths: Vec<Width> = palettes[round % palettes.len()].iter().map(|&b| w(b)).collect();
        let width = widths[rng.usize(0..widths.len())];
        let depth = rng.u32(1..6);
        let expr = Source::new(&mut rng, &widths, true).expr(width, depth);
        agree(&expr, &widths, &mut rng, 12);
    }
}

/// Every operator on every pair of values, as constants and with one operand or both unknown.
#[test]
fn small_widths_exhaustively() {
    for bits in 1..=4 {
        let width = w(bits);
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(width), terms.variable(width));
        for a in 0..1u128 << bits {
            for b in 0..1u128 << bits {
                let (ka, kb) = (terms.constant(width, a), terms.constant(width, b));
                let values = [a, b];
                for (p, q) in [(ka, kb), (x, kb), (ka, y), (x, y)] {
                    for op in BinOp::ALL {
                        let t = terms.binary(op, p, q);
                        assert_eq!(terms.eval(t, &values), total(op, width, a, b), "{op:?} {a} {b}");
                    }
                    for op in COMPARE {
                        let t = terms.compare(op, p, q);
                        assert_eq!(
                            terms.eval(t, &values) == 1,
                            eval::compare(op, width, a, b),
                            "{op:?} {a} {b}"
                        );
                    }
                }
            }
        }
    }
}

type Operator = Box<dyn Fn(&mut Terms, Term, Term) -> Term>;

/// Every operator on the result of every other, with every constant in every place.
#[test]
fn two_operators_with_constants_exhaustively() {
    let width = w(3);
    let all: Vec<Operator> = BinOp::ALL
        .iter()
        .map(|&op| Box::new(move |t: &mut Terms, a, b| t.binary(op, a, b)) as _)
        .chain(COMPARE.iter().map(|&op| {
            Box::new(move |t: &mut Terms, a, b| {
                let truth = t.compare(op, a, b);
                t.sign_extend(truth, width)
            }) as _
        }))
        .collect();
    // Constant folding is tested above, so it gives the expected values here.
    for (outer, inner) in all.iter().flat_map(|o| all.iter().map(move |i| (o, i))) {
        let mut terms = Terms::new();
        let x = terms.variable(width);
        let constants: Vec<Term> = (0..8).map(|k| terms.constant(width, k)).collect();
        for (&k, &m) in constants.iter().flat_map(|k| constants.iter().map(move |m| (k, m))) {
            for sides in 0..4 {
                let mut build = |x| {
                    let t = if sides & 1 == 0 { inner(&mut terms, x, k) } else { inner(&mut terms, k, x) };
                    if sides & 2 == 0 { outer(&mut terms, t, m) } else { outer(&mut terms, m, t) }
                };
                let t = build(x);
                let expected: Vec<Term> = constants.iter().map(|&c| build(c)).collect();
                for (value, &expected) in expected.iter().enumerate() {
                    let got = terms.eval(t, &[value as u128]);
                    assert_eq!(Some(got), terms.as_const(expected), "{:?} {sides} {value}", terms.kind(t));
                }
            }
        }
    }
}

/// Every comparison of an extended term with every constant and with another extended term.
#[test]
fn extended_terms_compared_exhaustively() {
    for (inner, outer) in [(1, 2), (1, 4), (2, 3), (2, 5), (3, 4)] {
        let mut terms = Terms::new();
        let (x, y) = (terms.variable(w(inner)), terms.variable(w(inner)));
        let extended = |terms: &mut Terms, t, signed| {
            if signed { terms.sign_extend(t, w(outer)) } else { terms.zero_extend(t, w(outer)) }
        };
        for (op, signed) in COMPARE.iter().flat_map(|&op| [(op, false), (op, true)]) {
            let a = extended(&mut terms, x, signed);
            let mut others: Vec<Term> = (0..1 << outer).map(|k| terms.constant(w(outer), k)).collect();
            others.extend([extended(&mut terms, y, false), extended(&mut terms, y, true)]);
            for (l, r) in others.into_iter().flat_map(|b| [(a, b), (b, a)]) {
                let t = terms.compare(op, l, r);
                for input in 0..1u128 << (2 * inner) {
                    let values = [input & ((1 << inner) - 1), input >> inner];
                    let (p, q) = (terms.eval(l, &values), terms.eval(r, &values));
                    let got = terms.eval(t, &values) == 1;
                    assert_eq!(got, eval::compare(op, w(outer), p, q), "{op:?} {p} {q}");
                }
            }
        }
    }
}

fn check(build: impl Fn(&mut Terms, Term, Term, Term) -> (Term, Term)) {
    let mut terms = Terms::new();
    let (x, y, c) = (terms.variable(w(32)), terms.variable(w(32)), terms.variable(w(1)));
    let (got, expected) = build(&mut terms, x, y, c);
    assert_eq!(got, expected, "{:?} and {:?}", terms.kind(got), terms.kind(expected));
}

#[test]
fn truth_as_a_number_and_back() {
    check(|t, _, _, c| {
        let (zero, one) = (t.constant(w(32), 0), t.constant(w(32), 1));
        let number = t.ite(c, one, zero);
        (t.ne(number, zero), c)
    });
    check(|t, _, _, c| {
        let wide = t.zero_extend(c, w(32));
        let zero = t.constant(w(32), 0);
        (t.ne(wide, zero), c)
    });
}

#[test]
fn counters_that_differ_by_path_stay_constants() {
    check(|t, _, _, c| {
        let (three, four) = (t.constant(w(32), 3), t.constant(w(32), 4));
        let merged = t.ite(c, three, four);
        let one = t.constant(w(32), 1);
        let next = t.add(merged, one);
        let five = t.constant(w(32), 5);
        (t.eq(next, five), t.not(c))
    });
}

#[test]
fn bytes_of_a_sum_are_the_sum() {
    check(|t, x, y, _| {
        let sum = t.add(x, y);
        let bytes: Vec<Term> = (0..4).map(|i| t.extract(sum, 8 * i, w(8))).collect();
        let joined = bytes[1..].iter().fold(bytes[0], |low, &high| t.concat(high, low));
        (joined, sum)
    });
}

#[test]
fn bytes_put_together_with_shifts() {
    check(|t, x, y, _| {
        let (low, high) = (t.extract(x, 0, w(8)), t.extract(y, 0, w(24)));
        let (wide_low, wide_high) = (t.zero_extend(low, w(32)), t.zero_extend(high, w(32)));
        let eight = t.constant(w(32), 8);
        let shifted = t.binary(BinOp::Shl, wide_high, eight);
        (t.or(shifted, wide_low), t.concat(high, low))
    });
}

#[test]
fn constants_in_sums_meet() {
    check(|t, x, y, _| {
        let (two, five) = (t.constant(w(32), 2), t.constant(w(32), 5));
        let (a, b) = (t.add(x, two), t.sub(y, five));
        let sum = t.add(a, b);
        let rest = t.sub(sum, x);
        let three = t.constant(w(32), 3);
        (rest, t.sub(y, three))
    });
}

#[test]
fn guards_that_say_the_same_are_the_same() {
    check(|t, x, y, c| {
        let d = t.eq(x, y);
        let (both, only) = (t.and(c, d), t.not(d));
        let other = t.and(c, only);
        (t.or(both, other), c)
    });
    check(|t, x, y, c| {
        let inner = t.ite(c, x, y);
        (t.ite(c, inner, y), t.ite(c, x, y))
    });
}

#[test]
fn equal_terms_are_one() {
    check(|t, x, y, _| (t.add(x, y), t.add(y, x)));
    let mut terms = Terms::new();
    let x = terms.variable(w(8));
    assert!(matches!(terms.kind(x), TermKind::Var(_)));
    assert_ne!(x, terms.variable(w(8)));
}

/// Deeper than any stack.
#[test]
fn long_chains_are_evaluated() {
    let mut terms = Terms::new();
    let (x, y) = (terms.variable(w(32)), terms.variable(w(32)));
    let mut t = x;
    for _ in 0..200_000 {
        t = terms.xor(t, y);
        t = terms.add(t, x);
    }
    assert_eq!(terms.eval(t, &[]), 0);
}

#[test]
fn arenas_over_one_arena_do_not_see_each_other() {
    let mut below = Terms::new();
    let (x, y) = (below.variable(w(8)), below.variable(w(8)));
    let sum = below.add(x, y);
    let below = std::sync::Arc::new(below);
    let (mut a, mut b) = (Terms::over(below.clone()), Terms::over(below.clone()));
    assert_eq!(a.add(y, x), sum, "terms of the arena below are found");
    let (z, difference) = (a.variable(w(8)), b.sub(x, y));
    assert_eq!(z.index(), difference.index(), "both arenas begin where the one below ends");
    assert_eq!((below.len(), a.len(), b.len()), (3, 4, 4));
    assert!(matches!(a.kind(z), TermKind::Var(v) if v.index() == 2), "the numbers of unknowns continue");
    assert_eq!(b.eval(difference, &[49, 7]), 42);
    assert_eq!(b.width(sum), w(8));
}
