//! What instructions that access memory do to points-to sets.

use super::numbers::{OperandFacts, chosen, compared, mixed};
use super::solve::{ContextVisit, PointsToSolver};
use super::{ObjectId, Offset, PointsToSet, Taint};
use crate::address::constant;
use crate::callgraph::{ContextId, InstSite};
use tp_ir::{CmpOp, Op, Operand, RmwOp, Type};

/// A read or write through a pointer with such taint reveals addresses.
const TELLING: Taint = Taint::PLACED.and(Taint::NUMBER);

impl PointsToSolver<'_, '_> {
    pub fn bytes(&self, ty: Type) -> u64 {
        u64::from(ty.bytes(self.points_to.program.data_model))
    }

    pub fn store_at(&mut self, object: ObjectId, offset: Offset, len: u64, points: &PointsToSet) {
        if self.points_to.memory[object.index()].store(offset, len, points) {
            for context in self.readers[object.index()].clone() {
                self.enqueue(context);
            }
        }
    }

    pub fn load(&mut self, context: ContextId, ptr: Operand, len: u64) -> PointsToSet {
        let pointer = self.points_to.targets(context, ptr);
        let mut all = PointsToSet::default();
        for (object, offset) in pointer.iter() {
            self.readers[object.index()].insert(context);
            all.add_all(&self.points_to.memory[object.index()].load(offset, len));
        }
        if pointer.taint().has(TELLING) && !self.hides(context) {
            all.add_taint(Taint::NUMBER);
        }
        all
    }

    fn store(&mut self, visit: &ContextVisit, ptr: Operand, len: u64, points: &PointsToSet) {
        let pointer = self.points_to.targets(visit.context, ptr);
        let is_telling = pointer.taint().has(TELLING) && !self.hides(visit.context);
        let told = points.clone().with(if is_telling { Taint::NUMBER } else { Taint::NONE });
        if !told.is_plain() {
            for (object, offset) in pointer.iter() {
                self.store_at(object, offset, len, &told);
            }
        }
    }

    /// The set of a value that is stored here: that it is stored may reveal addresses.
    fn stored(&self, visit: &ContextVisit, value: Operand, ty: Type) -> PointsToSet {
        let points = self.points_to.points(visit.context, value);
        match visit.is_decided && !self.hides(visit.context) {
            true => chosen(self.points_to.program, points, value, ty == Type::Ptr),
            false => points,
        }
    }

    /// The result of an instruction that accesses memory; `None`: it does not.
    pub fn touch(&mut self, visit: &ContextVisit, op: &Op) -> Option<PointsToSet> {
        let context = visit.context;
        Some(match op {
            Op::Load { ty, ptr, .. } => self.load(context, *ptr, self.bytes(*ty)),
            Op::Store { ty, ptr, value, .. } => {
                let value = self.stored(visit, *value, *ty);
                self.store(visit, *ptr, self.bytes(*ty), &value);
                PointsToSet::default()
            }
            Op::Rmw { op, ty, ptr, value, .. } => {
                let (value, len) = (self.stored(visit, *value, *ty), self.bytes(*ty));
                let old = self.load(context, *ptr, len);
                self.store(visit, *ptr, len, &value);
                if *op != RmwOp::Exchange {
                    self.update(visit, *ptr, len, &old, &value);
                }
                old
            }
            Op::CmpXchg { ty, ptr, expected, new, .. } => {
                self.compare_exchange(visit, *ty, *ptr, *expected, *new)
            }
            Op::Copy { dst, src, len, .. } => {
                self.copy(visit, *dst, *src, *len);
                PointsToSet::default()
            }
            Op::Set { dst, byte, len, .. } => {
                let byte = mixed(&self.points_to.points(context, *byte), &PointsToSet::default());
                let told = self.told_by_length(visit, *dst, *len);
                self.fill(visit, *dst, &byte.with(told));
                PointsToSet::default()
            }
            Op::FormatFloat { buffer, value, .. } => {
                let value = self.points_to.points(context, *value);
                let digits = self.digits(visit, &value);
                self.fill(visit, *buffer, &digits);
                digits
            }
            Op::ParseFloat { text, consumed } => {
                let text = self.points_to.targets(context, *text).anywhere();
                let mut read = PointsToSet::tainted(text.taint().only(TELLING));
                for (object, offset) in text.iter() {
                    self.readers[object.index()].insert(context);
                    read.add_all(&self.points_to.memory[object.index()].load(offset, u64::MAX));
                }
                let digits = self.digits(visit, &read);
                self.store(visit, *consumed, 4, &digits);
                digits
            }
            // The size of an object may reveal addresses.
            Op::HeapSize { .. } => PointsToSet::tainted(self.of_sizes),
            _ => return None,
        })
    }

    /// A number that is written or read digit by digit.
    fn digits(&mut self, visit: &ContextVisit, value: &PointsToSet) -> PointsToSet {
        self.leak(value);
        let is_telling = visit.is_decided || !value.is_plain();
        PointsToSet::tainted(if is_telling { Taint::NUMBER } else { Taint::NONE })
    }

    /// Stores to any offset of what a pointer points to.
    fn fill(&mut self, visit: &ContextVisit, pointer: Operand, points: &PointsToSet) {
        let decided = if visit.is_decided { Taint::NUMBER } else { Taint::NONE };
        for (object, _) in self.points_to.targets(visit.context, pointer).iter() {
            self.store_at(object, Offset::ANY, 1, &points.clone().with(decided));
        }
    }

    fn update(
        &mut self,
        visit: &ContextVisit,
        ptr: Operand,
        len: u64,
        old: &PointsToSet,
        value: &PointsToSet,
    ) {
        let mut new = mixed(old, value);
        if old.has_places() && value.has_places() {
            new.add_taint(Taint::PLACED.and(Taint::DISTANCE));
            self.leak(&new);
        } else if value.has_places() {
            new.add_taint(Taint::DISTANCE);
        }
        self.store(visit, ptr, len, &new);
    }

    fn compare_exchange(
        &mut self,
        visit: &ContextVisit,
        ty: Type,
        ptr: Operand,
        expected: Operand,
        new: Operand,
    ) -> PointsToSet {
        let (context, len) = (visit.context, self.bytes(ty));
        let old = self.load(context, ptr, len);
        let side = |points: PointsToSet, operand| OperandFacts {
            points,
            constant: constant(self.points_to.program, operand),
        };
        let (found, wanted) = (side(old, ptr), side(self.points_to.points(context, expected), expected));
        let told = compared(&self.points_to, CmpOp::Eq, &found, &wanted, || false);
        let mut new = self.stored(visit, new, ty);
        if !self.hides(context) {
            self.leak(&told.leaks);
            new.add_taint(told.points.taint());
        }
        self.store(visit, ptr, len, &new);
        self.load(context, ptr, len)
    }

    /// Taint if the length or the destination of a write reveals addresses.
    fn told_by_length(&mut self, visit: &ContextVisit, dst: Operand, len: Operand) -> Taint {
        let len = self.points_to.points(visit.context, len);
        let is_telling = self.points_to.points(visit.context, dst).taint().has(TELLING);
        self.leak(&len);
        if visit.is_decided || !len.is_plain() || is_telling { Taint::NUMBER } else { Taint::NONE }
    }

    /// Pointers are copied to their new offsets if the length is known. If not, offsets are kept only if they stay the
    /// same: otherwise they could grow for ever, as by `memmove(a + 1, a, n)`.
    fn copy(&mut self, visit: &ContextVisit, dst: Operand, src: Operand, len: Operand) {
        let context = visit.context;
        let told = self.told_by_length(visit, dst, len);
        let len = constant(self.points_to.program, len).and_then(|n| u64::try_from(n).ok());
        let (to, from) = (self.points_to.targets(context, dst), self.points_to.targets(context, src));
        if told != Taint::NONE || from.taint().has(TELLING) {
            self.fill(visit, dst, &PointsToSet::tainted(Taint::NUMBER));
        }
        for (source, start) in from.iter() {
            self.readers[source.index()].insert(context);
            let cells: Vec<(Offset, u64, PointsToSet)> = self.points_to.memory[source.index()]
                .all()
                .filter(|(at, size, _)| len.is_none_or(|len| start.overlaps(len, *at, *size)))
                .map(|(at, size, points)| (at, size, points.clone()))
                .collect();
            for (target, begin) in to.iter() {
                for (at, size, points) in &cells {
                    let place = match len.is_some() || begin.as_exact().is_some() && begin == start {
                        true => begin.after_copy(start, *at),
                        false => Offset::ANY,
                    };
                    self.store_at(target, place, *size, points);
                }
            }
        }
    }

    /// Allocation with a size that depends on addresses leaks them.
    pub fn sized(&mut self, site: InstSite, size: Operand) {
        let size = self.points_to.points(site.context, size);
        if !size.is_plain() {
            self.leak(&size);
            self.of_sizes = Taint::NUMBER;
        }
    }
}
