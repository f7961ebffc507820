//! Which objects a term can point into.
//!
//! Objects have fixed addresses, so a pointer is a number like any other. Where it can point to is read off its form:
//! constants, choices between them, sums of one of these and an offset, and values read from memory, for which all
//! values ever written there are known.

use crate::ObjectId;
use crate::knowledge::ObjectKey;
use crate::pass::Pass;
use crate::values::{Addresses, Values};
use rustc_hash::FxHashMap;
use std::rc::Rc;
use tp_ir::{BinOp, CmpOp, FuncId, Origin, Width, eval};
use tp_terms::{Term, TermKind};

/// Memo of `Pass::addresses` and `Pass::targets`, used only in this module.
#[derive(Default)]
pub(crate) struct PointerMemo {
    /// Where terms can point; in `targets`, under which condition.
    addresses: FxHashMap<Term, Rc<Addresses>>,
    targets: FxHashMap<Term, Targets>,
    /// The significant bits of terms that got a name.
    named_bits: FxHashMap<Term, u32>,
}

/// Where a pointer points if `condition` holds. Conditions of different targets exclude each other.
#[derive(Copy, Clone)]
pub(crate) struct Target {
    pub condition: Term,
    pub object: ObjectId,
    pub offset: Term,
}

#[derive(Clone)]
pub(crate) struct Targets {
    pub list: Rc<[Target]>,
    /// It may point somewhere else if this holds.
    pub lost: Term,
}

/// Numbers below this are no addresses: null, and the members of a structure at null.
pub(crate) const NO_ADDRESS: u128 = 4096;

/// An index has at most this many bits; addresses have more.
const INDEX_BITS: u32 = 24;

/// A product, quotient or remainder of an address is not an address.
fn is_product(op: BinOp) -> bool {
    matches!(op, BinOp::Mul | BinOp::UDiv | BinOp::SDiv | BinOp::URem | BinOp::SRem)
}

impl Pass<'_> {
    /// The values that a term can have.
    pub fn values_of(&mut self, t: Term) -> Values {
        match self.cases(t) {
            Some(cases) => Values::Few(cases.iter().map(|c| c.1).collect()),
            None => {
                let mut all = Addresses::clone(&self.addresses(t));
                if self.out.terms.width(t).bits() < self.pointer_width().bits() {
                    // A piece of an address is not an address, but one may be put together from pieces.
                    all = Addresses { elsewhere: all.elsewhere || !all.is_nowhere(), ..Addresses::default() };
                }
                Values::Any(all)
            }
        }
    }

    /// Where a term can point, if it is an address.
    pub fn addresses(&mut self, t: Term) -> Rc<Addresses> {
        if let Some(known) = self.pointers.addresses.get(&t) {
            return known.clone();
        }
        let mut all = self.addresses_of(t);
        self.know.tidy(&mut all, false);
        let all = Rc::new(all);
        self.pointers.addresses.insert(t, all.clone());
        all
    }

    fn addresses_of(&mut self, t: Term) -> Addresses {
        let mut all = Addresses::default();
        if self.values.is_unwritten(t) {
            return all;
        }
        if let Some(value) = self.out.terms.as_const(t) {
            all.exact.extend(self.know.as_address(value));
            return all;
        }
        match self.values.of(t) {
            Some(Values::Few(few)) => {
                all.exact.extend(few.iter().filter_map(|&v| self.know.as_address(v)));
                return all;
            }
            Some(Values::Any(known)) => return known.clone(),
            None => {}
        }
        let node = self.out.terms.kind(t);
        match node {
            TermKind::Ite(_, a, b) => {
                all = Addresses::clone(&self.addresses(a));
                all.add(&self.addresses(b));
            }
            TermKind::Binary(BinOp::Add, a, b) if self.is_distance(b) => {
                let by = self.out.terms.as_const(b).unwrap_or(0);
                let width = self.out.terms.width(t);
                let from = self.addresses(a);
                all = Addresses { exact: Vec::new(), ..Addresses::clone(&from) };
                for &address in &from.exact {
                    let to = eval::truncate((address as u128).wrapping_add(by), width) as u64;
                    let object = self.know.object_near(address);
                    if self.know.object_near(to) == object {
                        all.exact.push(to);
                    } else {
                        all.objects.extend(object);
                    }
                }
            }
            TermKind::Binary(BinOp::Add | BinOp::Sub, a, b) => match (self.is_pointer(a), self.is_pointer(b))
            {
                // The pointer decides the object, wherever the offset comes from.
                (true, false) => self.add_moved(a, &mut all),
                (false, true) => self.add_moved(b, &mut all),
                _ => {
                    self.add_moved(a, &mut all);
                    self.add_moved(b, &mut all);
                }
            },
            TermKind::Binary(..) => node.parts().for_each(|part| self.add_moved(part, &mut all)),
            TermKind::Concat(..) | TermKind::Extract { .. } | TermKind::Not(_) => {
                // It may be a choice between constants that have bits in common.
                if let Some(cases) = self.cases(t) {
                    all.exact.extend(cases.iter().filter_map(|&(_, v)| self.know.as_address(v)));
                    return all;
                }
                for part in node.parts() {
                    let is_plain = self.out.terms.as_const(part).is_some() || self.values.is_unwritten(part);
                    all.elsewhere |= !is_plain;
                    self.add_moved(part, &mut all);
                }
            }
            _ => all.elsewhere = true,
        }
        all
    }

    /// Whether this may be the pointer in a sum of pointer and offset. An index is not, even if it is computed from an
    /// address, as a hash is.
    fn is_pointer(&mut self, t: Term) -> bool {
        let is_product = match self.out.terms.kind(t) {
            TermKind::Binary(op, ..) => is_product(op),
            _ => false,
        };
        !is_product && self.significant_bits(t) > INDEX_BITS && !self.addresses(t).is_nowhere()
    }

    /// A constant that is not an address.
    fn is_distance(&self, t: Term) -> bool {
        self.out.terms.as_const(t).is_some_and(|v| self.know.as_address(v).is_none())
    }

    /// How many bits a number has without leading bits that are known to be zero.
    fn significant_bits(&self, t: Term) -> u32 {
        match self.out.terms.kind(t) {
            TermKind::Const(_, bits) => 128 - bits.value().leading_zeros(),
            TermKind::Concat(high, low) => match self.significant_bits(high) {
                0 => self.significant_bits(low),
                bits => bits + self.out.terms.width(low).bits(),
            },
            TermKind::Extract { of, low, width } => {
                self.significant_bits(of).saturating_sub(low.into()).min(width.bits())
            }
            TermKind::Binary(BinOp::LShr, a, by) => match self.out.terms.as_const(by) {
                Some(by) => self.significant_bits(a).saturating_sub(by.min(128) as u32),
                None => self.significant_bits(a),
            },
            TermKind::Binary(BinOp::And, a, b) => self.significant_bits(a).min(self.significant_bits(b)),
            _ => self.pointers.named_bits.get(&t).copied().unwrap_or_else(|| self.out.terms.width(t).bits()),
        }
    }

    /// Adds where a value computed from `part` can point: anywhere into the same objects.
    fn add_moved(&mut self, part: Term, all: &mut Addresses) {
        let part = self.addresses(part);
        all.objects.extend(self.know.objects_in(&part));
        all.elsewhere |= part.elsewhere;
    }

    /// Where a pointer can point.
    pub fn targets(&mut self, p: Term) -> Targets {
        if let Some(known) = self.pointers.targets.get(&p) {
            return known.clone();
        }
        let (found, lost) = self.targets_of(p);
        let targets = Targets { list: self.merge_targets(found), lost };
        self.pointers.targets.insert(p, targets.clone());
        targets
    }

    /// Merges targets with the same object and offset.
    fn merge_targets(&mut self, mut targets: Vec<Target>) -> Rc<[Target]> {
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

    fn targets_of(&mut self, p: Term) -> (Vec<Target>, Term) {
        let nothing = self.out.terms.bool(false);
        if let Some(cases) = self.cases(p) {
            let mut found: Vec<Target> = Vec::new();
            for &(condition, value) in cases.iter() {
                found.extend(self.know.as_address(value).and_then(|a| self.target_at(condition, a)));
            }
            return (found, nothing);
        }
        if let Some(Values::Any(all)) = self.values.of(p) {
            let all = all.clone();
            return self.within(p, &all);
        }
        match self.out.terms.kind(p) {
            TermKind::Ite(c, a, b) => {
                let all = self.addresses(p);
                if all.objects.is_empty() && !all.exact.is_empty() {
                    return self.within(p, &all);
                }
                self.targets_of_choice(c, a, b)
            }
            TermKind::Binary(BinOp::Add, a, b) => self.targets_of_sum(p, a, b),
            _ => {
                let all = self.addresses(p);
                self.within(p, &all)
            }
        }
    }

    fn targets_of_sum(&mut self, p: Term, a: Term, b: Term) -> (Vec<Target>, Term) {
        let (pointer, offset) = match (self.is_pointer(a), self.is_pointer(b)) {
            (true, false) => (a, b),
            (false, true) => (b, a),
            _ => {
                let all = self.addresses(p);
                return self.within(p, &all);
            }
        };
        match self.out.terms.kind(pointer) {
            TermKind::Binary(BinOp::Add, x, y) => {
                let y = self.out.terms.add(y, offset);
                return self.targets_of_sum(p, x, y);
            }
            TermKind::Ite(c, x, y) if !self.addresses(pointer).objects.is_empty() => {
                let (x, y) = (self.out.terms.add(x, offset), self.out.terms.add(y, offset));
                return self.targets_of_choice(c, x, y);
            }
            _ => {}
        }
        let all = self.addresses(pointer);
        if !all.objects.is_empty() {
            // Only the sum has to lie inside an object, not the pointer.
            let all = self.addresses(p);
            return self.within(p, &all);
        }
        let targets = self.targets(pointer);
        let mut found = targets.list.to_vec();
        for target in &mut found {
            target.offset = self.out.terms.add(target.offset, offset);
        }
        (found, targets.lost)
    }

    fn targets_of_choice(&mut self, c: Term, a: Term, b: Term) -> (Vec<Target>, Term) {
        let not = self.out.terms.not(c);
        let (mut found, mut lost) = (Vec::new(), self.out.terms.bool(false));
        for (side, value) in [(c, a), (not, b)] {
            if self.out.terms.as_const(value).is_some_and(|v| v < NO_ADDRESS) {
                continue;
            }
            let targets = self.targets(value);
            for target in targets.list.iter() {
                let condition = self.out.terms.and(side, target.condition);
                found.push(Target { condition, ..*target });
            }
            let lost_here = self.out.terms.and(side, targets.lost);
            lost = self.out.terms.or(lost, lost_here);
        }
        (found, lost)
    }

    /// The targets of a pointer that is one of these addresses, or a number from outside, or invalid.
    fn within(&mut self, p: Term, all: &Addresses) -> (Vec<Target>, Term) {
        let mut found = Vec::new();
        for &address in &all.exact {
            let condition = self.equals(p, address as u128);
            found.extend(self.target_at(condition, address));
        }
        let width = self.pointer_width();
        for &key in &all.objects {
            let Some(object) = self.object_with_key(key) else { continue };
            let base = self.address(object, 0);
            let offset = self.out.terms.sub(p, base);
            let size = self.out.terms.constant(width, self.objects[object].size as u128);
            let condition = self.out.terms.compare(CmpOp::Ule, offset, size);
            found.push(Target { condition, object, offset });
        }
        let mut lost = self.out.terms.bool(all.elsewhere);
        if all.elsewhere {
            let null = self.out.terms.constant(width, NO_ADDRESS);
            let is_null = self.out.terms.compare(CmpOp::Ult, p, null);
            let known = found.iter().fold(is_null, |any, t| self.out.terms.or(any, t.condition));
            lost = self.out.terms.not(known);
        }
        (found, lost)
    }

    /// The address may lie a little outside of its object; then the offset is past the end, or wraps.
    fn target_at(&mut self, condition: Term, address: u64) -> Option<Target> {
        let object = self.know.object_near(address).and_then(|k| self.object_with_key(k))?;
        let offset = address.wrapping_sub(self.objects[object].base);
        let offset = self.out.terms.constant(self.pointer_width(), offset as u128);
        Some(Target { condition, object, offset })
    }

    /// Notes whether the user's code computes with addresses as numbers. The difference of two addresses does not
    /// count; if these are in different objects, the layout matters.
    pub fn note_addresses(&mut self, op: BinOp, a: Term, b: Term) {
        // The library subtracts addresses within one object only.
        let is_user = |f: &(FuncId, usize)| match self.program.functions[f.0].origin {
            Origin::User => true,
            Origin::Library => op != BinOp::Sub,
            Origin::Model => false,
        };
        if !self.know.sees_addresses
            && self.out.terms.width(a) == self.pointer_width()
            && self.thread.calls.last().is_some_and(is_user)
        {
            let (of_a, of_b) = (self.addresses(a), self.addresses(b));
            let (number_a, number_b) = (of_a.is_nowhere(), of_b.is_nowhere());
            let sees = if op == BinOp::Sub { number_a != number_b } else { !(number_a && number_b) };
            if op == BinOp::Sub && self.know.objects_in(&of_a) != self.know.objects_in(&of_b) {
                self.know.layout_matters = true;
            }
            self.know.sees_addresses = sees;
            self.know.changed |= sees;
        }
    }

    /// When a pointer that is not `valid` may still be the address of an object: a program that computes with addresses
    /// as numbers can get from one object to another.
    pub fn strays(&mut self, pointer: Term, valid: Term) -> Term {
        let Some(first) = self.know.objects.first().filter(|_| self.know.sees_addresses).map(|o| o.base)
        else {
            return self.out.terms.bool(false);
        };
        let width = self.pointer_width();
        let base = self.out.terms.constant(width, first as u128);
        let size = self.out.terms.constant(width, (self.know.last_address - first) as u128);
        let offset = self.out.terms.sub(pointer, base);
        let inside = self.out.terms.compare(CmpOp::Ult, offset, size);
        let invalid = self.out.terms.not(valid);
        self.out.terms.and(invalid, inside)
    }

    /// A value computed from addresses points into the same objects. Where constant folding hides that, as in
    /// `a + i - 1000` or in the sum of two addresses, the result gets a name for which it is noted.
    pub fn keep_addresses(&mut self, op: BinOp, result: Term, a: Term, b: Term) -> Term {
        let width = self.pointer_width();
        let is_small = |v: u128| v < NO_ADDRESS;
        if self.out.terms.width(result) != width
            || is_product(op)
            || self.out.terms.as_const(result).is_some_and(is_small)
        {
            return result;
        }
        let (from_a, from_b) = (self.addresses(a), self.addresses(b));
        if from_a.is_nowhere() && from_b.is_nowhere() {
            return result;
        }
        if op == BinOp::Add
            && (self.is_index_into(&from_a, b, &from_b) || self.is_index_into(&from_b, a, &from_a))
        {
            return result;
        }
        let mut all = Addresses { objects: self.know.objects_in(&from_a), ..Addresses::default() };
        if op == BinOp::Sub && all.objects.len() == 1 && all.objects == self.know.objects_in(&from_b) {
            // The distance of two places in one object.
            return result;
        }
        all.objects.extend(self.know.objects_in(&from_b));
        all.elsewhere = from_a.elsewhere || from_b.elsewhere;
        let shown = self.addresses(result);
        let shown = self.know.objects_in(&shown);
        if all.objects.iter().all(|o| shown.binary_search(o).is_ok()) {
            return result;
        }
        self.named(result, all)
    }

    /// Pointer arithmetic stays in the same objects, wherever the resulting address lies: only computing with numbers
    /// leads from one object into another. Where the sum suggests other objects, it gets a name.
    pub fn keep_base(&mut self, result: Term, base: Term, offset: Term) -> Term {
        let from = self.addresses(base);
        if from.is_nowhere() || from.elsewhere {
            return self.keep_addresses(BinOp::Add, result, base, offset);
        }
        let objects = self.know.objects_in(&from);
        let strays = |near: Option<ObjectKey>| near.is_some_and(|o| objects.binary_search(&o).is_err());
        let leaves = match self.cases(result) {
            Some(cases) => cases
                .iter()
                .any(|&(_, v)| strays(u64::try_from(v).ok().and_then(|a| self.know.object_near(a)))),
            None => self.is_pointer(offset),
        };
        if leaves {
            return self.named(result, Addresses { objects, ..Addresses::default() });
        }
        self.keep_addresses(BinOp::Add, result, base, offset)
    }

    /// Whether the sum of a pointer and a small number computed from addresses stays in the object of the pointer, as
    /// in a table that is indexed by a hash: only with an address in that object can the distance to another be
    /// computed.
    fn is_index_into(&self, pointer: &Addresses, t: Term, index: &Addresses) -> bool {
        let from = self.know.objects_in(pointer);
        !pointer.exact.is_empty()
            && pointer.objects.is_empty()
            && !pointer.elsewhere
            && self.significant_bits(t) <= INDEX_BITS
            && !self.know.objects_in(index).iter().any(|o| from.binary_search(o).is_ok())
    }

    /// A constant piece of an address gets a name, for which it is noted where the address points.
    pub fn keep_split_address(&mut self, result: Term, of: Term) -> Term {
        let is_piece = self.out.terms.width(result).bits() < self.pointer_width().bits();
        if is_piece {
            self.note_split_address(of);
        }
        if !is_piece || self.out.terms.as_const(result).is_none() {
            return result;
        }
        let from = self.addresses(of);
        if from.is_nowhere() {
            return result;
        }
        let objects = self.know.objects_in(&from);
        self.named(result, Addresses { objects, elsewhere: true, ..Addresses::default() })
    }

    fn named(&mut self, t: Term, mut points: Addresses) -> Term {
        self.know.tidy(&mut points, false);
        let name = self.out.terms.variable(self.out.terms.width(t));
        let same = self.out.terms.eq(name, t);
        self.out.assumptions.push(same);
        self.values.set(name, Values::Any(points));
        self.pointers.named_bits.insert(name, self.significant_bits(t));
        name
    }

    /// The width of this many bytes, or the largest width.
    pub fn width_of_bytes(bytes: u64) -> Width {
        Width::new(bytes as u32 * 8).unwrap_or(Width::MAX)
    }
}
