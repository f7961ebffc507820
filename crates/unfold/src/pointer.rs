//! Which objects a term can point into.
//!
//! Objects have fixed addresses, so a pointer is a number like any other. Where it can point to is read off its form:
//! constants, choices between them, sums of one of these and an offset, and values that came out of memory, for which
//! all values ever written there are known.

use crate::ObjectId;
use crate::knowledge::{Addresses, Values};
use crate::pass::{Cases, Pass};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_ir::{BinOp, CmpOp, Width, eval};
use tp_solver::{Node, Term};

/// Where a pointer points if `condition` holds. Conditions of different targets exclude each other.
#[derive(Copy, Clone)]
pub(crate) struct Target {
    pub condition: Term,
    pub object: ObjectId,
    pub offset: Term,
}

pub(crate) type Targets = Rc<[Target]>;

/// An access to a fixed part of an object, if `condition` holds.
pub(crate) struct Spot {
    pub condition: Term,
    pub object: ObjectId,
    pub offset: u64,
}

pub(crate) enum Spots {
    /// Nowhere else can it be valid, unless the condition holds: then it is further into an object than is followed.
    These(Vec<Spot>, Term),
    /// There may be others; why.
    Lost(&'static str),
}

/// More cases than this are not told apart.
const MAX_CASES: usize = 64;
/// More places than this are not told apart for one access.
const MAX_SPOTS: u64 = 1024;
/// Of an object of unknown size, so many elements times the bound are followed when the index is unknown too.
const MORE_SPOTS: u64 = 8;

impl Pass<'_> {
    /// The values that a term can have, each with its condition, ascending, if these are few.
    pub fn cases(&mut self, t: Term) -> Option<Cases> {
        if let Some(known) = self.cases.get(&t) {
            return known.clone();
        }
        let cases = self.cases_of(t).and_then(|cases| self.merge_cases(cases));
        self.cases.insert(t, cases.clone());
        cases
    }

    /// Each value once.
    fn merge_cases(&mut self, mut cases: Vec<(Term, u128)>) -> Option<Cases> {
        cases.sort_by_key(|c| c.1);
        let mut merged: Vec<(Term, u128)> = Vec::new();
        for (condition, value) in cases {
            match merged.last_mut() {
                Some(last) if last.1 == value => last.0 = self.out.terms.or(last.0, condition),
                _ => merged.push((condition, value)),
            }
        }
        (merged.len() <= MAX_CASES).then(|| merged.into())
    }

    fn cases_of(&mut self, t: Term) -> Option<Vec<(Term, u128)>> {
        if let Some(value) = self.out.terms.as_const(t) {
            return Some(vec![(self.out.terms.bool(true), value)]);
        }
        if let Some(values) = self.values.get(&t) {
            let Values::Few(few) = values.clone() else { return None };
            return Some(few.into_iter().map(|v| (self.equals(t, v), v)).collect());
        }
        if let Some(&(whole, start)) = self.parts.get(&t) {
            let width = self.out.terms.width(t);
            let cases = self.cases(whole)?;
            return Some(cases.iter().map(|&(c, v)| (c, eval::truncate(v >> start, width))).collect());
        }
        match self.out.terms.node(t) {
            Node::Ite(c, a, b) => {
                let mut all = Vec::new();
                let not = self.out.terms.not(c);
                for (side, value) in [(c, a), (not, b)] {
                    for &(condition, v) in self.cases(value)?.iter() {
                        all.push((self.out.terms.and(side, condition), v));
                    }
                }
                Some(all)
            }
            Node::Var(_) => None,
            _ => self.cases_by_leaf(t),
        }
    }

    pub fn equals(&mut self, t: Term, value: u128) -> Term {
        let width = self.out.terms.width(t);
        let constant = self.out.terms.constant(width, value);
        self.out.terms.eq(t, constant)
    }

    /// A term made of constants and one value out of memory that has few cases: each is put in its place.
    fn cases_by_leaf(&mut self, t: Term) -> Option<Vec<(Term, u128)>> {
        let leaf = self.only_leaf(t)?;
        let mut all = Vec::new();
        for &(condition, value) in self.cases(leaf)?.iter() {
            let width = self.out.terms.width(leaf);
            let constant = self.out.terms.constant(width, value);
            let result = self.substitute(t, leaf, constant);
            all.push((condition, self.out.terms.as_const(result)?));
        }
        Some(all)
    }

    /// The one part of a term that is a choice or came out of memory, if everything else is constant.
    fn only_leaf(&self, t: Term) -> Option<Term> {
        let mut leaf = None;
        let mut todo = vec![t];
        let mut budget = 64;
        while let Some(t) = todo.pop() {
            budget -= 1;
            if budget == 0 {
                return None;
            }
            let node = self.out.terms.node(t);
            let t = self.parts.get(&t).map_or(t, |p| p.0);
            let is_known = self.values.contains_key(&t);
            if !is_known && !matches!(node, Node::Ite(..) | Node::Var(_)) {
                todo.extend(node.parts());
            } else if leaf.is_some_and(|l| l != t) || !is_known && matches!(node, Node::Var(_)) {
                return None;
            } else {
                leaf = Some(t);
            }
        }
        leaf
    }

    /// The term with one of its parts replaced; if that is a value out of memory, also where only its unknown part is
    /// used.
    pub fn substitute(&mut self, t: Term, from: Term, to: Term) -> Term {
        let mut done: FxHashMap<Term, Term> = FxHashMap::default();
        done.insert(from, to);
        let mut part = from;
        loop {
            // Above or below the unknown there is a constant.
            part = match self.out.terms.node(part) {
                Node::Concat(high, low) if self.out.terms.as_const(low).is_some() => high,
                Node::Concat(_, low) => low,
                _ => break,
            };
            if let Some(&(whole, start)) = self.parts.get(&part)
                && whole == from
            {
                let value = self.out.terms.extract(to, start, self.out.terms.width(part));
                done.insert(part, value);
                break;
            }
        }
        self.substitute_all(t, &mut done)
    }

    fn substitute_all(&mut self, t: Term, done: &mut FxHashMap<Term, Term>) -> Term {
        if let Some(&known) = done.get(&t) {
            return known;
        }
        let node = self.out.terms.node(t);
        let width = self.out.terms.width(t);
        let new = match node {
            Node::Const(..) | Node::Var(_) => t,
            Node::Not(a) => {
                let a = self.substitute_all(a, done);
                self.out.terms.not(a)
            }
            Node::Binary(op, a, b) => {
                let (a, b) = (self.substitute_all(a, done), self.substitute_all(b, done));
                self.out.terms.binary(op, a, b)
            }
            Node::Compare(relation, a, b) => {
                let (a, b) = (self.substitute_all(a, done), self.substitute_all(b, done));
                let op = match relation {
                    tp_solver::Relation::Eq => CmpOp::Eq,
                    tp_solver::Relation::Ult => CmpOp::Ult,
                    tp_solver::Relation::Slt => CmpOp::Slt,
                };
                self.out.terms.compare(op, a, b)
            }
            Node::Ite(c, a, b) => {
                let c = self.substitute_all(c, done);
                let (a, b) = (self.substitute_all(a, done), self.substitute_all(b, done));
                self.out.terms.ite(c, a, b)
            }
            Node::Concat(a, b) => {
                let (a, b) = (self.substitute_all(a, done), self.substitute_all(b, done));
                self.out.terms.concat(a, b)
            }
            Node::Extract { of, low, width } => {
                let of = self.substitute_all(of, done);
                self.out.terms.extract(of, low as u32, width)
            }
            Node::SignExtend(a, _) => {
                let a = self.substitute_all(a, done);
                self.out.terms.sign_extend(a, width)
            }
        };
        done.insert(t, new);
        new
    }

    /// What a value out of memory, or a term made of such, can be.
    pub fn values_of(&mut self, t: Term) -> Values {
        match self.cases(t) {
            Some(cases) => Values::Few(cases.iter().map(|c| c.1).collect()),
            None => {
                let mut all = Addresses::clone(&self.addresses(t));
                if self.out.terms.width(t).bits() < self.pointer_width().bits() {
                    // A piece of an address is none; what is put together of pieces may be one.
                    all = Addresses { elsewhere: all.elsewhere || !all.is_nowhere(), ..Addresses::default() };
                }
                Values::Any(all)
            }
        }
    }

    /// Where a term can point, if it is an address.
    pub fn addresses(&mut self, t: Term) -> Rc<Addresses> {
        if let Some(known) = self.addresses.get(&t) {
            return known.clone();
        }
        let mut all = self.addresses_of(t);
        self.know.tidy(&mut all, false);
        let all = Rc::new(all);
        self.addresses.insert(t, all.clone());
        all
    }

    fn addresses_of(&mut self, t: Term) -> Addresses {
        let mut all = Addresses::default();
        if self.unwritten.contains(&t) {
            return all;
        }
        if let Some(value) = self.out.terms.as_const(t) {
            all.exact.extend(self.know.as_address(value));
            return all;
        }
        match self.values.get(&t) {
            Some(Values::Few(few)) => {
                all.exact.extend(few.iter().filter_map(|&v| self.know.as_address(v)));
                return all;
            }
            Some(Values::Any(known)) => return known.clone(),
            None => {}
        }
        let node = self.out.terms.node(t);
        match node {
            Node::Ite(_, a, b) => {
                all = Addresses::clone(&self.addresses(a));
                all.add(&self.addresses(b));
            }
            Node::Binary(..) => node.parts().for_each(|part| self.add_moved(part, &mut all)),
            Node::Concat(..) | Node::Extract { .. } | Node::Not(_) => {
                for part in node.parts() {
                    let is_plain = self.out.terms.as_const(part).is_some() || self.unwritten.contains(&part);
                    all.elsewhere |= !is_plain;
                    self.add_moved(part, &mut all);
                }
            }
            _ => all.elsewhere = true,
        }
        all
    }

    /// Where something points that is computed from this.
    fn add_moved(&mut self, part: Term, all: &mut Addresses) {
        let part = self.addresses(part);
        all.objects.extend(self.know.objects_in(&part));
        all.elsewhere |= part.elsewhere;
    }

    /// Where a pointer can point. `Err`: it is not known.
    pub fn targets(&mut self, p: Term) -> Result<Targets, &'static str> {
        if let Some(known) = self.targets.get(&p) {
            return known.clone();
        }
        let targets = self.targets_of(p).map(|found| self.merge_targets(found));
        self.targets.insert(p, targets.clone());
        targets
    }

    /// Each place once.
    fn merge_targets(&mut self, mut targets: Vec<Target>) -> Targets {
        targets.sort_by_key(|t| (t.object, t.offset));
        let mut merged: Vec<Target> = Vec::new();
        for target in targets {
            match merged.last_mut() {
                Some(last) if (last.object, last.offset) == (target.object, target.offset) => {
                    last.condition = self.out.terms.or(last.condition, target.condition);
                }
                _ => merged.push(target),
            }
        }
        merged.into()
    }

    fn targets_of(&mut self, p: Term) -> Result<Vec<Target>, &'static str> {
        if let Some(cases) = self.cases(p) {
            let mut found: Vec<Target> = Vec::new();
            for &(condition, value) in cases.iter() {
                found.extend(self.know.as_address(value).and_then(|a| self.target_at(condition, a)));
            }
            return Ok(found);
        }
        if let Some(Values::Any(all)) = self.values.get(&p) {
            let all = all.clone();
            return self.within(p, &all);
        }
        match self.out.terms.node(p) {
            Node::Ite(c, a, b) => {
                let not = self.out.terms.not(c);
                let mut found = Vec::new();
                for (side, value) in [(c, a), (not, b)] {
                    if self.out.terms.as_const(value).is_some_and(|v| v < 4096) {
                        continue;
                    }
                    for target in self.targets(value)?.iter() {
                        let condition = self.out.terms.and(side, target.condition);
                        found.push(Target { condition, ..*target });
                    }
                }
                Ok(found)
            }
            Node::Binary(BinOp::Add, a, b) => self.targets_of_sum(p, a, b),
            _ => {
                let all = self.addresses(p);
                self.within(p, &all)
            }
        }
    }

    fn targets_of_sum(&mut self, p: Term, a: Term, b: Term) -> Result<Vec<Target>, &'static str> {
        let has_objects = |this: &mut Self, t: Term| !this.addresses(t).is_nowhere();
        let (pointer, offset) = match (has_objects(self, a), has_objects(self, b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => {
                let all = self.addresses(p);
                return self.within(p, &all);
            }
        };
        let mut found = self.targets(pointer)?.to_vec();
        for target in &mut found {
            target.offset = self.out.terms.add(target.offset, offset);
        }
        Ok(found)
    }

    /// The pointer is one of these addresses or is not valid.
    fn within(&mut self, p: Term, all: &Addresses) -> Result<Vec<Target>, &'static str> {
        if all.is_nowhere() && all.elsewhere {
            return Err("a pointer whose value is not known");
        }
        let mut found = Vec::new();
        for &address in &all.exact {
            let condition = self.equals(p, address as u128);
            found.extend(self.target_at(condition, address));
        }
        for &key in &all.objects {
            let Some(object) = self.object_with_key(key) else { continue };
            let base = self.address(object, 0);
            let offset = self.out.terms.sub(p, base);
            let width = self.pointer_width();
            let size = self.out.terms.constant(width, self.objects[object].size as u128);
            let condition = self.out.terms.compare(CmpOp::Ule, offset, size);
            found.push(Target { condition, object, offset });
        }
        Ok(found)
    }

    fn target_at(&mut self, condition: Term, address: u64) -> Option<Target> {
        let object = self.know.object_at(address).and_then(|k| self.object_with_key(k))?;
        let offset = address - self.objects[object].base;
        let offset = self.out.terms.constant(self.pointer_width(), offset as u128);
        Some(Target { condition, object, offset })
    }

    /// The fixed parts of objects that an access of `len` bytes can be to.
    pub fn spots(&mut self, p: Term, len: u64) -> Spots {
        let mut beyond = self.out.terms.bool(false);
        match self.spots_within(p, len, &mut beyond) {
            Spots::These(spots, _) => Spots::These(spots, beyond),
            lost => lost,
        }
    }

    /// An object of unknown size can be used so far.
    fn inside(&mut self, object: ObjectId, offset: u64, len: u64) -> Term {
        match self.objects[object].exact_size {
            None => self.out_true(),
            Some(size) => {
                let width = self.out.terms.width(size);
                let end = self.out.terms.constant(width, (offset + len) as u128);
                self.out.terms.compare(CmpOp::Ule, end, size)
            }
        }
    }

    fn spots_within(&mut self, p: Term, len: u64, beyond: &mut Term) -> Spots {
        let targets = match self.targets(p) {
            Ok(targets) => targets,
            Err(why) => return Spots::Lost(why),
        };
        let mut spots = Vec::new();
        for target in targets.iter() {
            let size = self.objects[target.object].size;
            let Some(last) = size.checked_sub(len) else { continue };
            if let Some(cases) = self.cases(target.offset) {
                for &(condition, offset) in cases.iter() {
                    if offset <= last as u128 {
                        let inside = self.inside(target.object, offset as u64, len);
                        let condition = self.out.terms.and(target.condition, condition);
                        let condition = self.out.terms.and(condition, inside);
                        spots.push(Spot { condition, object: target.object, offset: offset as u64 });
                    }
                }
                continue;
            }
            let (step, rest) = self.stride(target.offset);
            let mut last = last;
            if self.objects[target.object].exact_size.is_some() {
                let width = self.out.terms.width(target.offset);
                let most = step.saturating_mul(MORE_SPOTS * self.config.bound as u64);
                last = last.min(rest.saturating_add(most));
                let limit = self.out.terms.constant(width, last as u128);
                let further = self.out.terms.compare(CmpOp::Ult, limit, target.offset);
                let further = self.out.terms.and(target.condition, further);
                *beyond = self.out.terms.or(*beyond, further);
            }
            if last / step > MAX_SPOTS {
                return Spots::Lost("an unknown index into a large object");
            }
            let mut offset = rest;
            while offset <= last {
                let here = self.equals(target.offset, offset as u128);
                let inside = self.inside(target.object, offset, len);
                let condition = self.out.terms.and(target.condition, here);
                let condition = self.out.terms.and(condition, inside);
                spots.push(Spot { condition, object: target.object, offset });
                offset += step;
            }
        }
        spots.retain(|s| self.out.terms.as_const(s.condition) != Some(0));
        Spots::These(spots, *beyond)
    }

    /// A power of two `n` and a rest `r` such that the term is always `r` modulo `n`.
    fn stride(&self, t: Term) -> (u64, u64) {
        let terms = &self.out.terms;
        match terms.node(t) {
            Node::Const(_, bits) => (1 << 32, bits.value() as u64 & 0xffff_ffff),
            Node::Concat(high, low) => {
                let bits = terms.width(low).bits().min(32);
                let (n, r) = self.stride(low);
                if n >= 1 << bits && bits < 32 {
                    let (m, s) = self.stride(high);
                    let n = m.checked_shl(bits).filter(|n| *n <= 1 << 32).unwrap_or(1 << bits);
                    return (n, (s << bits | (r & ((1 << bits) - 1))) % n);
                }
                (n.min(1 << bits), r % n.min(1 << bits))
            }
            Node::Binary(op @ (BinOp::Add | BinOp::Sub | BinOp::Mul), a, b) => {
                let ((m, r), (n, s)) = (self.stride(a), self.stride(b));
                let k = m.min(n);
                let value = match op {
                    BinOp::Add => r.wrapping_add(s),
                    BinOp::Sub => r.wrapping_sub(s),
                    _ => {
                        // (m·x + r)·(n·y + s): what is certain is the product of the low zeros when a rest is 0.
                        let zeros = |step: u64, rest: u64| {
                            if rest == 0 {
                                step
                            } else {
                                1 << rest.trailing_zeros().min(step.trailing_zeros())
                            }
                        };
                        let product = zeros(m, r).saturating_mul(zeros(n, s)).min(1 << 32);
                        if product > k {
                            return (product, 0);
                        }
                        r.wrapping_mul(s)
                    }
                };
                (k, value % k)
            }
            Node::Ite(_, a, b) => {
                let ((m, r), (n, s)) = (self.stride(a), self.stride(b));
                let mut k = m.min(n);
                while k > 1 && r % k != s % k {
                    k /= 2;
                }
                (k, r % k)
            }
            _ => (1, 0),
        }
    }

    /// All bits of a pointer-wide term, as bytes are addressed.
    pub fn width_of_bytes(bytes: u64) -> Width {
        Width::new(bytes as u32 * 8).unwrap_or(Width::MAX)
    }
}
