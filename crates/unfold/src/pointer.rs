//! Which objects a term can point into.
//!
//! Objects have fixed addresses, so a pointer is a number like any other. Where it can point to is read off its form:
//! constants, choices between them, sums of one of these and an offset, and values that came out of memory, for which
//! all values ever written there are known.

use crate::ObjectId;
use crate::pass::Pass;
use crate::values::{Addresses, Values};
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

impl Pass<'_> {
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
            Node::Binary(BinOp::Add, a, b) if self.out.terms.as_const(b).is_some() => {
                let by = self.out.terms.as_const(b).unwrap_or(0);
                let width = self.out.terms.width(t);
                let from = self.addresses(a);
                all = Addresses { exact: Vec::new(), ..Addresses::clone(&from) };
                for &address in &from.exact {
                    // Who goes from one object to the next does something undefined.
                    let to = eval::truncate((address as u128).wrapping_add(by), width) as u64;
                    if self.know.object_near(to) == self.know.object_near(address) {
                        all.exact.push(to);
                    }
                }
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
                let all = self.addresses(p);
                if all.objects.is_empty() && !all.exact.is_empty() {
                    return self.within(p, &all);
                }
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

    /// All bits of a pointer-wide term, as bytes are addressed.
    pub fn width_of_bytes(bytes: u64) -> Width {
        Width::new(bytes as u32 * 8).unwrap_or(Width::MAX)
    }
}
