//! Cardinality constraints, with a number of clauses that is linear in the list.

use crate::sat::{Lit, Sat};

/// Shorter lists are encoded pair by pair, which needs no variables.
const FEW: usize = 5;

/// Requires that at most one of the literals holds. A literal that is listed twice counts twice.
///
/// Longer lists get a "ladder": a variable after each literal says that some literal up to there holds (Sinz 2005).
pub fn at_most_one(sat: &mut impl Sat, lits: &[Lit]) {
    if lits.len() <= FEW {
        for (i, &a) in lits.iter().enumerate() {
            for &b in &lits[i + 1..] {
                sat.add_clause(&[!a, !b]);
            }
        }
        return;
    }
    let mut held: Option<Lit> = None;
    for (i, &lit) in lits.iter().enumerate() {
        if let Some(held) = held {
            sat.add_clause(&[!held, !lit]);
        }
        if i + 1 < lits.len() {
            let next = sat.new_var();
            sat.add_clause(&[!lit, next]);
            if let Some(held) = held {
                sat.add_clause(&[!held, next]);
            }
            held = Some(next);
        }
    }
}

/// Requires that exactly one of the literals holds.
pub fn exactly_one(sat: &mut impl Sat, lits: &[Lit]) {
    sat.add_clause(lits);
    at_most_one(sat, lits);
}
