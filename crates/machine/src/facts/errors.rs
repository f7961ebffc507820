//! Errors of one thread: arithmetic, pointers, heap, assertions, leaks.

use crate::cause::{
    AccessFault, BadAccess, BadFree, Began, EndedBy, FreeFault, Lost, Mistake, ObjectBeginning, ObjectEnd,
    ObjectHistory,
};
use crate::finding::{Cause, End, Finding, Moment, StackEntry};
use crate::leak;
use crate::machine::{Machine, StepStop};
use crate::memory::{MemoryFault, ObjectKind, ObjectState};
use crate::thread::Thread;
use crate::value::{ObjectRef, Value};
use tp_ir::{BinOp, Operand, OperandKind, Property, Type, Width, eval};

type Found = Result<(ObjectRef, u64), MemoryFault>;

impl<'p> Machine<'p, '_> {
    /// A violation if the property is checked; otherwise the run cannot go on. A known finding ends as an assumption.
    pub fn ended_by(&self, finding: Finding) -> End {
        if self.is_known(&finding) {
            End::Assumption
        } else if self.config.checks.has(finding.property) {
            End::Violation(Box::new(finding))
        } else {
            End::Undefined(Box::new(finding))
        }
    }

    fn stop(&self, t: &Thread<'p>, property: Property, cause: Cause) -> StepStop {
        self.ended_by(Finding { property, at: self.moment(t), cause }).into()
    }

    fn mistake(&self, t: &Thread<'p>, property: Property, mistake: Mistake) -> StepStop {
        self.stop(t, property, Cause::Mistake(mistake))
    }

    pub fn uninitialised(&self, t: &Thread<'p>, operand: Operand) -> StepStop {
        let variable = match operand.kind() {
            OperandKind::Reg(r) if self.in_user_code(t) => {
                t.frames.last().and_then(|f| f.body.regs.get(r)?.name.as_deref())
            }
            OperandKind::Reg(_) | OperandKind::Const(_) => None,
        };
        let variable = variable.map(str::to_owned);
        self.mistake(t, Property::Uninitialised, Mistake::Uninitialised { variable })
    }

    /// What is read there was never written.
    pub fn uninitialised_memory(&self, t: &Thread<'p>, r: ObjectRef, offset: u64) -> StepStop {
        let variable = Some(self.describe(r, offset));
        self.mistake(t, Property::Uninitialised, Mistake::Uninitialised { variable })
    }

    pub fn unreachable_code(&self, t: &Thread<'p>) -> StepStop {
        let cause = Cause::Mistake(Mistake::Unreachable);
        let finding = Finding { property: Property::Assert, at: self.moment(t), cause };
        End::Undefined(Box::new(finding)).into()
    }

    pub fn arithmetic_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        (op, width): (BinOp, Width),
        (a, b): (u128, u128),
    ) -> Result<Value, StepStop> {
        if !self.config.checks.has(error) && error != Property::DivisionByZero {
            return Ok(Value::from_wide(eval::binary_after_error(op, width, a, b), width));
        }
        let signed = |v| eval::sign_extend(v, width) as i128;
        Err(self.mistake(t, error, Mistake::Arithmetic { op, width, a: signed(a), b: signed(b) }))
    }

    pub fn conversion_error(
        &self,
        t: &Thread<'p>,
        error: Property,
        from: Type,
        to: Type,
        bits: u128,
    ) -> StepStop {
        let to = to.width(self.program.data_model);
        self.mistake(t, error, Mistake::Conversion { from, bits: bits as u64, to })
    }

    pub fn overlapping_copy(&self, t: &Thread<'p>) -> StepStop {
        self.mistake(t, Property::OutOfBounds, Mistake::OverlappingCopy)
    }

    pub fn fault(&self, t: &Thread<'p>, fault: MemoryFault, len: u64, write: bool) -> StepStop {
        let (property, fault, object) = match fault {
            MemoryFault::Null { address } => (Property::InvalidDeref, AccessFault::Null { address }, None),
            MemoryFault::Wild { address } => (Property::InvalidDeref, AccessFault::Wild { address }, None),
            MemoryFault::Dead { object } => (Property::UseAfterFree, self.dead(object), Some(object)),
            MemoryFault::OutOfScope { object } => {
                let fault = AccessFault::Ended { object: self.whole(object), how: EndedBy::Scope };
                (Property::UseAfterFree, fault, Some(object))
            }
            MemoryFault::Bounds { object, offset } => {
                let size = self.state.memory.object(object).size;
                let fault = AccessFault::Bounds { object: self.whole(object), offset, size };
                (Property::OutOfBounds, fault, Some(object))
            }
            MemoryFault::ReadOnly { object } => {
                (Property::InvalidDeref, AccessFault::ReadOnly { object: self.whole(object) }, Some(object))
            }
            MemoryFault::NotData { object } => {
                (Property::InvalidDeref, AccessFault::NotData { object: self.whole(object) }, None)
            }
        };
        let history = object.map_or_else(ObjectHistory::default, |r| self.history(t, r));
        self.stop(t, property, Cause::Access(BadAccess { write, len, fault, history }))
    }

    fn dead(&self, r: ObjectRef) -> AccessFault {
        let Some(object) = self.whole_if_remembered(r) else { return AccessFault::Replaced };
        let was = self.state.memory.object(r);
        let how = match was.kind {
            ObjectKind::Heap => EndedBy::Freed,
            _ if was.outlived => EndedBy::Scope,
            _ => EndedBy::Otherwise,
        };
        AccessFault::Ended { object, how }
    }

    /// Where an object was made and where it ended.
    fn history(&self, t: &Thread<'p>, r: ObjectRef) -> ObjectHistory {
        let object = self.state.memory.object(r);
        if object.generation != r.generation() {
            return ObjectHistory::default();
        }
        let end = if object.state == ObjectState::Live { None } else { self.end_of(t, r) };
        let how = |place| match object.kind {
            ObjectKind::Heap => Some(Began::Allocated),
            local @ ObjectKind::Local { .. } if self.program.places[place].column > 0 => {
                Some(if self.has_name(local) { Began::Declared } else { Began::Made })
            }
            _ => None,
        };
        let beginning = object.made_at.and_then(|place| {
            let how = how(place)?;
            Some(ObjectBeginning { at: self.at_place(object.made_by, place, t), how })
        });
        ObjectHistory { end, beginning }
    }

    fn end_of(&self, t: &Thread<'p>, r: ObjectRef) -> Option<ObjectEnd> {
        let object = self.state.memory.object(r);
        let seen = self.watch.hindsight.as_ref().and_then(|h| h.seen.ended.get(&r));
        let freed = object.freed_at.map(|(thread, place)| self.at_place(thread, place, t));
        let at = seen.cloned().or(freed)?;
        let how = match object.kind {
            ObjectKind::Heap => EndedBy::Freed,
            _ if object.outlived || object.state == ObjectState::OutOfScope => EndedBy::Scope,
            _ => EndedBy::Otherwise,
        };
        Some(ObjectEnd { at, how, knows_locks: seen.is_some() })
    }

    pub fn bad_free(&self, t: &Thread<'p>, p: Value, found: Found) -> StepStop {
        let (property, fault, object) = match found {
            Ok((r, 0)) => (Property::InvalidFree, FreeFault::NotHeap { object: self.whole(r) }, None),
            Ok((r, offset)) => {
                (Property::InvalidFree, FreeFault::Inside { object: self.whole(r), offset }, Some(r))
            }
            Err(MemoryFault::Dead { object: r }) if self.is_heap(r) => {
                (Property::DoubleFree, FreeFault::Again { object: self.whole_if_remembered(r) }, Some(r))
            }
            Err(MemoryFault::Bounds { object: r, .. }) => {
                (Property::InvalidFree, FreeFault::Outside { object: self.whole(r) }, Some(r))
            }
            Err(_) => (Property::InvalidFree, FreeFault::NoObject { address: p.bits }, None),
        };
        let history = object.map_or_else(ObjectHistory::default, |r| self.history(t, r));
        self.stop(t, property, Cause::Free(BadFree { fault, history }))
    }

    fn is_heap(&self, r: ObjectRef) -> bool {
        let object = self.state.memory.object(r);
        object.generation != r.generation() || object.kind == ObjectKind::Heap
    }

    pub fn bad_call(&self, t: &Thread<'p>, p: Value) -> StepStop {
        let called = (p.bits != 0).then(|| self.pointed_to(p));
        self.mistake(t, Property::InvalidDeref, Mistake::NotFunction { called })
    }

    pub fn assertion_failed(
        &mut self,
        t: &Thread<'p>,
        property: Property,
        message: String,
    ) -> Result<(), StepStop> {
        let checked = self.config.checks.has(property);
        match property {
            // Unchecked, the program goes on by itself: after a failed assertion it aborts.
            Property::Assert | Property::ReachError if !checked => Ok(()),
            Property::Assert => Err(self.mistake(t, property, Mistake::Assertion { expression: message })),
            Property::ReachError => {
                let cause = Cause::Mistake(Mistake::Reported { text: message });
                let mut finding = Finding { property, at: self.moment(t), cause };
                let stack = &mut finding.at.stack;
                if stack.len() > 1 && stack[0].function == "reach_error" {
                    stack.remove(0);
                }
                Err(self.ended_by(finding).into())
            }
            Property::Lock => Err(self.lock_misused(t, message)),
            _ => Err(self.mistake(t, property, Mistake::Reported { text: message })),
        }
    }

    pub fn exit(&self, t: &Thread<'p>, status: i32) -> StepStop {
        match self.leak(Some(t)) {
            Some(finding) => End::Violation(Box::new(finding)).into(),
            None => End::Exited { status }.into(),
        }
    }

    pub(crate) fn leak(&self, current: Option<&Thread<'p>>) -> Option<Finding> {
        let threads = self.state.threads.iter().flatten().map(|t| &**t).chain(current);
        let lost = match self.config.checks.has(Property::Leak) {
            true => leak::unreachable(&self.state.memory, threads),
            false => Vec::new(),
        };
        let left = match self.config.checks.has(Property::Cleanup) {
            true => leak::left(&self.state.memory),
            false => Vec::new(),
        };
        let findings =
            [(Property::Leak, lost), (Property::Cleanup, left)].into_iter().flat_map(|(p, all)| {
                let count = all.len();
                all.into_iter().map(move |first| self.lost(p, first, count, current))
            });
        findings.into_iter().find(|finding| !self.is_known(finding))
    }

    /// The finding for an object that is left at the end, one of `count`.
    fn lost(
        &self,
        property: Property,
        first: ObjectRef,
        count: usize,
        current: Option<&Thread<'p>>,
    ) -> Finding {
        let object = self.state.memory.object(first);
        let at = match (object.made_at, current) {
            (Some(place), Some(t)) => self.at_place(object.made_by, place, t),
            (Some(place), None) => {
                let stack = vec![StackEntry { function: String::new(), place }];
                Moment { thread: object.made_by, stack, ..self.nowhere() }
            }
            _ => self.nowhere(),
        };
        Finding { property, at, cause: Cause::Lost(Lost { bytes: object.size, more: count - 1 }) }
    }
}
