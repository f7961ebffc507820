//! What instructions that touch memory do to where pointers point.

use crate::frames::{FrameId, Site};
use crate::marks::Marks;
use crate::numbers::{Side, chosen, compared, mixed};
use crate::offset::Offset;
use crate::points::{ObjectId, Points};
use crate::solve::{Solver, Visit};
use tp_analysis::address::constant;
use tp_ir::{CmpOp, Op, Operand, RmwOp, Type};

/// To read or write through such a pointer tells of addresses.
const TELLING: Marks = Marks::PLACED.and(Marks::NUMBER);

impl Solver<'_, '_> {
    pub fn bytes(&self, ty: Type) -> u64 {
        u64::from(ty.bytes(self.solved.program.data_model))
    }

    pub fn store_at(&mut self, object: ObjectId, offset: Offset, len: u64, points: &Points) {
        if self.solved.memory[object.0 as usize].store(offset, len, points) {
            for frame in self.readers[object.0 as usize].clone() {
                self.enqueue(frame);
            }
        }
    }

    pub fn load(&mut self, frame: FrameId, ptr: Operand, len: u64) -> Points {
        let pointer = self.solved.targets(frame, ptr);
        let mut all = Points::default();
        for (object, offset) in pointer.iter() {
            self.readers[object.0 as usize].insert(frame);
            all.add_all(&self.solved.memory[object.0 as usize].load(offset, len));
        }
        if pointer.marks.has(TELLING) && !self.hides(frame) {
            all.mark(Marks::NUMBER);
        }
        all
    }

    fn store(&mut self, visit: &Visit, ptr: Operand, len: u64, points: &Points) {
        let pointer = self.solved.targets(visit.frame, ptr);
        let is_telling = pointer.marks.has(TELLING) && !self.hides(visit.frame);
        let told = points.clone().with(if is_telling { Marks::NUMBER } else { Marks::NONE });
        if !told.is_plain() {
            for (object, offset) in pointer.iter() {
                self.store_at(object, offset, len, &told);
            }
        }
    }

    /// A value that is stored here: that it is stored may tell of addresses.
    fn stored(&self, visit: &Visit, value: Operand, ty: Type) -> Points {
        let points = self.solved.points(visit.frame, value);
        match visit.is_decided && !self.hides(visit.frame) {
            true => chosen(self.solved.program, points, value, ty == Type::Ptr),
            false => points,
        }
    }

    /// What an instruction that touches memory results in; `None`: it does not touch memory.
    pub fn touch(&mut self, visit: &Visit, op: &Op) -> Option<Points> {
        let frame = visit.frame;
        Some(match op {
            Op::Load { ty, ptr, .. } => self.load(frame, *ptr, self.bytes(*ty)),
            Op::Store { ty, ptr, value, .. } => {
                let value = self.stored(visit, *value, *ty);
                self.store(visit, *ptr, self.bytes(*ty), &value);
                Points::default()
            }
            Op::Rmw { op, ty, ptr, value, .. } => {
                let (value, len) = (self.stored(visit, *value, *ty), self.bytes(*ty));
                let old = self.load(frame, *ptr, len);
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
                Points::default()
            }
            Op::Set { dst, byte, len, .. } => {
                let byte = mixed(&self.solved.points(frame, *byte), &Points::default());
                let told = self.told_by_length(visit, *dst, *len);
                self.fill(visit, *dst, &byte.with(told));
                Points::default()
            }
            Op::FormatFloat { buffer, value, .. } => {
                let value = self.solved.points(frame, *value);
                let digits = self.digits(visit, &value);
                self.fill(visit, *buffer, &digits);
                digits
            }
            Op::ParseFloat { text, consumed } => {
                let text = self.solved.targets(frame, *text).anywhere();
                let mut read = Points::marked(text.marks.only(TELLING));
                for (object, offset) in text.iter() {
                    self.readers[object.0 as usize].insert(frame);
                    read.add_all(&self.solved.memory[object.0 as usize].load(offset, u64::MAX));
                }
                let digits = self.digits(visit, &read);
                self.store(visit, *consumed, 4, &digits);
                digits
            }
            // How large an object is may be such a number.
            Op::HeapSize { .. } => Points::marked(self.of_sizes),
            _ => return None,
        })
    }

    /// A number that is written or read digit by digit.
    fn digits(&mut self, visit: &Visit, value: &Points) -> Points {
        self.leak(value);
        let is_telling = visit.is_decided || !value.is_plain();
        Points::marked(if is_telling { Marks::NUMBER } else { Marks::NONE })
    }

    /// Somewhere in what a pointer is to.
    fn fill(&mut self, visit: &Visit, pointer: Operand, points: &Points) {
        let decided = if visit.is_decided { Marks::NUMBER } else { Marks::NONE };
        for (object, _) in self.solved.targets(visit.frame, pointer).iter() {
            self.store_at(object, Offset::ANY, 1, &points.clone().with(decided));
        }
    }

    fn update(&mut self, visit: &Visit, ptr: Operand, len: u64, old: &Points, value: &Points) {
        let mut new = mixed(old, value);
        if old.has_places() && value.has_places() {
            new.mark(Marks::PLACED.and(Marks::DISTANCE));
            self.leak(&new);
        } else if value.has_places() {
            new.mark(Marks::DISTANCE);
        }
        self.store(visit, ptr, len, &new);
    }

    fn compare_exchange(
        &mut self,
        visit: &Visit,
        ty: Type,
        ptr: Operand,
        expected: Operand,
        new: Operand,
    ) -> Points {
        let (frame, len) = (visit.frame, self.bytes(ty));
        let old = self.load(frame, ptr, len);
        let side =
            |points: Points, operand| Side { points, constant: constant(self.solved.program, operand) };
        let (found, wanted) = (side(old, ptr), side(self.solved.points(frame, expected), expected));
        let told = compared(&self.solved, CmpOp::Eq, &found, &wanted, || false);
        let mut new = self.stored(visit, new, ty);
        if !self.hides(frame) {
            self.leak(&told.leaks);
            new.mark(told.points.marks);
        }
        self.store(visit, ptr, len, &new);
        self.load(frame, ptr, len)
    }

    /// Whether how much is written, and where, tells of addresses.
    fn told_by_length(&mut self, visit: &Visit, dst: Operand, len: Operand) -> Marks {
        let len = self.solved.points(visit.frame, len);
        let is_telling = self.solved.points(visit.frame, dst).marks.has(TELLING);
        self.leak(&len);
        if visit.is_decided || !len.is_plain() || is_telling { Marks::NUMBER } else { Marks::NONE }
    }

    /// Pointers are copied to where they come to lie, if that is known. If the length is not, they are kept apart only where
    /// they stay at their offsets: others could move on for ever, as by `memmove(a + 1, a, n)`.
    fn copy(&mut self, visit: &Visit, dst: Operand, src: Operand, len: Operand) {
        let frame = visit.frame;
        let told = self.told_by_length(visit, dst, len);
        let len = constant(self.solved.program, len).and_then(|n| u64::try_from(n).ok());
        let (to, from) = (self.solved.targets(frame, dst), self.solved.targets(frame, src));
        if told != Marks::NONE || from.marks.has(TELLING) {
            self.fill(visit, dst, &Points::marked(Marks::NUMBER));
        }
        for (source, start) in from.iter() {
            self.readers[source.0 as usize].insert(frame);
            let cells: Vec<(Offset, u64, Points)> = self.solved.memory[source.0 as usize]
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

    /// What instructions with a size tell of it.
    pub fn sized(&mut self, site: Site, size: Operand) {
        let size = self.solved.points(site.frame, size);
        if !size.is_plain() {
            self.leak(&size);
            self.of_sizes = Marks::NUMBER;
        }
    }
}
