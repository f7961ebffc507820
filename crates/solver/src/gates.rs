//! Gates over literals, each translated to clauses once. A gate with constant, equal or opposite inputs is simplified;
//! inputs are normalised in order and sign, so that gates which differ only in these are shared.

use crate::sat::{Lit, Sat};
use rustc_hash::FxHashMap;

#[derive(PartialEq, Eq, Hash)]
enum Gate {
    All(Box<[Lit]>),
    And(Lit, Lit),
    Xor(Lit, Lit),
    Xor3([Lit; 3]),
    Majority([Lit; 3]),
    Mux(Lit, Lit, Lit),
}

pub(crate) struct Gates<S> {
    pub(crate) sat: S,
    truth: Lit,
    known: FxHashMap<Gate, Lit>,
}

impl<S: Sat> Gates<S> {
    pub(crate) fn new(mut sat: S) -> Gates<S> {
        let truth = sat.new_var();
        sat.add_clause(&[truth]);
        Gates { sat, truth, known: FxHashMap::default() }
    }

    #[inline]
    pub(crate) fn constant(&self, value: bool) -> Lit {
        self.truth.negated_if(!value)
    }

    fn is_true(&self, a: Lit) -> bool {
        a == self.truth
    }

    fn is_false(&self, a: Lit) -> bool {
        a == !self.truth
    }

    fn as_const(&self, a: Lit) -> Option<bool> {
        (a.var() == self.truth.var()).then_some(a == self.truth)
    }

    /// The output of a gate, and whether it is new and still needs its clauses.
    fn output(&mut self, gate: Gate) -> (Lit, bool) {
        if let Some(&lit) = self.known.get(&gate) {
            return (lit, false);
        }
        let lit = self.sat.new_var();
        self.known.insert(gate, lit);
        (lit, true)
    }

    pub(crate) fn and(&mut self, a: Lit, b: Lit) -> Lit {
        if self.is_false(a) || self.is_false(b) || a == !b {
            return self.constant(false);
        }
        if self.is_true(a) || a == b {
            return b;
        }
        if self.is_true(b) {
            return a;
        }
        let (a, b) = (a.min(b), a.max(b));
        let (o, new) = self.output(Gate::And(a, b));
        if new {
            self.sat.add_clause(&[!o, a]);
            self.sat.add_clause(&[!o, b]);
            self.sat.add_clause(&[o, !a, !b]);
        }
        o
    }

    pub(crate) fn or(&mut self, a: Lit, b: Lit) -> Lit {
        !self.and(!a, !b)
    }

    /// Whether all of them hold: one gate, not a tree of them.
    pub(crate) fn all(&mut self, mut lits: Vec<Lit>) -> Lit {
        lits.retain(|&l| !self.is_true(l));
        lits.sort_by_key(|l| (l.var(), l.is_negative()));
        lits.dedup();
        if lits.iter().any(|&l| self.is_false(l)) || lits.windows(2).any(|pair| pair[0] == !pair[1]) {
            return self.constant(false);
        }
        match lits[..] {
            [] => return self.constant(true),
            [a] => return a,
            [a, b] => return self.and(a, b),
            _ => {}
        }
        let (o, new) = self.output(Gate::All(lits.clone().into()));
        if new {
            for lit in &mut lits {
                self.sat.add_clause(&[!o, *lit]);
                *lit = !*lit;
            }
            lits.push(o);
            self.sat.add_clause(&lits);
        }
        o
    }

    pub(crate) fn xor(&mut self, a: Lit, b: Lit) -> Lit {
        if let Some(flip) = self.as_const(a) {
            return b.negated_if(flip);
        }
        if let Some(flip) = self.as_const(b) {
            return a.negated_if(flip);
        }
        let flip = a.is_negative() != b.is_negative();
        let (a, b) = (a.positive(), b.positive());
        if a == b {
            return self.constant(flip);
        }
        let (a, b) = (a.min(b), a.max(b));
        let (o, new) = self.output(Gate::Xor(a, b));
        if new {
            self.sat.add_clause(&[!o, a, b]);
            self.sat.add_clause(&[!o, !a, !b]);
            self.sat.add_clause(&[o, !a, b]);
            self.sat.add_clause(&[o, a, !b]);
        }
        o.negated_if(flip)
    }

    /// The sum bit of a full adder.
    pub(crate) fn xor3(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        for i in 0..3 {
            let (x, y, z) = (inputs[i], inputs[(i + 1) % 3], inputs[(i + 2) % 3]);
            if self.as_const(x).is_some() || x.var() == y.var() {
                let pair = self.xor(x, y);
                return self.xor(pair, z);
            }
        }
        let flip = inputs.iter().filter(|l| l.is_negative()).count() % 2 == 1;
        inputs = inputs.map(Lit::positive);
        inputs.sort();
        let (o, new) = self.output(Gate::Xor3(inputs));
        if new {
            let [a, b, c] = inputs;
            for (p, q) in [(false, false), (false, true), (true, false), (true, true)] {
                let (x, y) = (a.negated_if(p), b.negated_if(q));
                // Where `x` and `y` are false, the output is `c`, flipped if one of `a` and `b` is true.
                let z = c.negated_if(p != q);
                self.sat.add_clause(&[x, y, z, !o]);
                self.sat.add_clause(&[x, y, !z, o]);
            }
        }
        o.negated_if(flip)
    }

    /// The carry of a full adder.
    pub(crate) fn majority(&mut self, a: Lit, b: Lit, c: Lit) -> Lit {
        let mut inputs = [a, b, c];
        for i in 0..3 {
            let (x, y, z) = (inputs[i], inputs[(i + 1) % 3], inputs[(i + 2) % 3]);
            match self.as_const(x) {
                Some(true) => return self.or(y, z),
                Some(false) => return self.and(y, z),
                None => {}
            }
            if x == y {
                return x;
            }
            if x == !y {
                return z;
            }
        }
        inputs.sort_by_key(|l| l.var());
        // The majority of the negations is the negation of the majority.
        let flip = inputs[0].is_negative();
        inputs = inputs.map(|l| l.negated_if(flip));
        let (o, new) = self.output(Gate::Majority(inputs));
        if new {
            let [a, b, c] = inputs;
            for (x, y) in [(a, b), (a, c), (b, c)] {
                self.sat.add_clause(&[!x, !y, o]);
                self.sat.add_clause(&[x, y, !o]);
            }
        }
        o.negated_if(flip)
    }

    /// `a` where `c` holds, `b` where it does not.
    pub(crate) fn mux(&mut self, c: Lit, a: Lit, b: Lit) -> Lit {
        if c.is_negative() {
            return self.mux(!c, b, a);
        }
        if self.is_true(c) || a == b {
            return a;
        }
        if a == !b {
            return self.xor(c, b);
        }
        if self.is_true(a) || a == c {
            return self.or(c, b);
        }
        if self.is_false(a) || a == !c {
            return self.and(!c, b);
        }
        if self.is_true(b) || b == !c {
            return self.or(!c, a);
        }
        if self.is_false(b) || b == c {
            return self.and(c, a);
        }
        let flip = a.is_negative();
        let (a, b) = (a.negated_if(flip), b.negated_if(flip));
        let (o, new) = self.output(Gate::Mux(c, a, b));
        if new {
            self.sat.add_clause(&[!c, !a, o]);
            self.sat.add_clause(&[!c, a, !o]);
            self.sat.add_clause(&[c, !b, o]);
            self.sat.add_clause(&[c, b, !o]);
            // These two follow, but not by unit propagation.
            self.sat.add_clause(&[!a, !b, o]);
            self.sat.add_clause(&[a, b, !o]);
        }
        o.negated_if(flip)
    }
}
