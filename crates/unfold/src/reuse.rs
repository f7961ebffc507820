//! Memory that is freed and allocated again.
//!
//! The new object is not the old one: a pointer to the old one still points to an object that has ended. But both have
//! the same address, and a program can see that where it compares addresses: a compare-exchange succeeds although the
//! object it expects is gone (the ABA problem). So an object has a *block*, a number: its own, or that of the object
//! whose address it gets. Addresses are equal if their blocks and offsets are. Nothing else is known of them: where a
//! program computes with addresses as numbers, allocating memory again is a limit.

use crate::pass::Pass;
use crate::state::State;
use crate::values::OUTSIDE;
use crate::{Gap, LimitKind, ObjectId, Term};
use rustc_hash::FxHashMap;
use tp_ir::{CmpOp, Width};

/// The blocks of objects that may have the address of another, used only in this module.
#[derive(Default)]
pub(crate) struct Blocks(FxHashMap<ObjectId, Term>);

impl Pass<'_> {
    pub fn may_reuse(&self, object: ObjectId) -> bool {
        self.know.objects[self.objects[object].key.0 as usize].may_reuse
    }

    /// A new object gets the address of a freed one.
    pub fn reuse(&mut self, state: &State, made: Term, old: Term) {
        let Some(object) = self.object_of(made) else { return };
        if self.know.sees_addresses {
            self.limit(state, LimitKind::Gap(Gap::ReusedAddress));
        }
        let row = &mut self.know.objects[self.objects[object].key.0 as usize];
        self.know.changed |= !std::mem::replace(&mut row.may_reuse, true);
        let block = self.block(object);
        for target in self.targets(old).list.iter() {
            let theirs = self.block(target.object);
            let same = self.out.terms.eq(block, theirs);
            let here = self.out.terms.and(state.guard.term(), target.condition);
            let holds = self.out.terms.implies(here, same);
            self.out.assumptions.push(holds);
        }
    }

    /// The block of an object; 0 stands for no block.
    fn block(&mut self, object: ObjectId) -> Term {
        if !self.may_reuse(object) {
            return self.out.terms.constant(Width::W32, self.objects[object].key.0 as u128 + 1);
        }
        match self.blocks.0.get(&object) {
            Some(&block) => block,
            None => {
                let block = self.out.terms.variable(Width::W32);
                self.blocks.0.insert(object, block);
                block
            }
        }
    }

    /// Whether two values are equal; addresses that may be reused are compared by block and offset.
    pub fn equal(&mut self, a: Term, b: Term) -> Term {
        if self.out.terms.width(a) != self.pointer_width() {
            return self.out.terms.eq(a, b);
        }
        let sides = [a, b].map(|t| {
            let all = self.addresses(t);
            let keys = self.know.objects_in(&all);
            keys.into_iter().filter_map(|key| self.object_with_key(key)).collect::<Vec<ObjectId>>()
        });
        let matters = !sides.iter().any(Vec::is_empty) && sides.iter().flatten().any(|o| self.may_reuse(*o));
        if !matters {
            return self.out.terms.eq(a, b);
        }
        let (in_a, in_b) = (self.in_block(a, &sides[0]), self.in_block(b, &sides[1]));
        self.out.terms.eq(in_a, in_b)
    }

    /// The block and offset of an address in or near one of the objects; otherwise block 0 and the address itself.
    fn in_block(&mut self, t: Term, objects: &[ObjectId]) -> Term {
        let width = self.pointer_width();
        let none = self.out.terms.constant(Width::W32, 0);
        let mut result = self.out.terms.concat(none, t);
        for &object in objects {
            let start = self.objects[object].base.saturating_sub(OUTSIDE);
            let start = self.out.terms.constant(width, start.into());
            let offset = self.out.terms.sub(t, start);
            let size = self.objects[object].size.saturating_add(2 * OUTSIDE);
            let size = self.out.terms.constant(width, size.into());
            let inside = self.out.terms.compare(CmpOp::Ult, offset, size);
            let block = self.block(object);
            let here = self.out.terms.concat(block, offset);
            result = self.out.terms.ite(inside, here, result);
        }
        result
    }
}
