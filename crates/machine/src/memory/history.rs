//! Going back: objects as they were before changes of steps that were taken.
//!
//! While a history is kept, an object is copied before its first change after a mark, and no slot of the object table
//! is reused. Of a large object only the parts are copied that are about to change, unless they are many. Going back to
//! a mark restores the copies, latest first, and truncates the table.

use super::object::{OldContents, Parts};
use super::*;
use crate::race::{Access, AccessKind, OldCells};

/// What was changed, as it was before, oldest first; each with the slot of its object.
#[derive(Clone)]
pub struct History {
    old: Vec<(u32, Old)>,
}

#[derive(Clone)]
enum Old {
    Object(Box<Object>),
    /// With the stretch in which the object had changed before.
    Contents(OldContents, u64),
    Cells(OldCells),
}

/// Copying a part takes as much as copying this many bytes of a whole object, and about four for each byte of the part.
const PART: u64 = 64;

/// A state to go back to.
#[derive(Copy, Clone, Debug)]
pub struct MemoryMark {
    old: usize,
    objects: usize,
    next_heap: u64,
    next_global: u64,
    wrapped: bool,
    used: u64,
}

impl Memory {
    /// From here on it is possible to go back.
    pub fn keep_history(&mut self) {
        self.stretch += 1;
        self.history = Some(Box::new(History { old: Vec::new() }));
    }

    #[inline(always)]
    pub fn keeps_history(&self) -> bool {
        self.history.is_some()
    }

    /// Puts another history in place of the one that is kept.
    pub fn replace_history(&mut self, history: Option<Box<History>>) -> Option<Box<History>> {
        std::mem::replace(&mut self.history, history)
    }

    /// An object that is about to change, copied before if necessary.
    #[inline(always)]
    pub(super) fn changing(&mut self, slot: usize) -> &mut Object {
        if let Some(history) = &mut self.history {
            history.keep(slot, &mut self.objects[slot], self.stretch);
        }
        &mut self.objects[slot]
    }

    /// The same, if only these contents are about to change.
    #[inline(always)]
    pub(super) fn changing_contents(&mut self, slot: usize, offset: u64, len: u64) -> &mut Object {
        if let Some(history) = &mut self.history {
            history.keep_contents(slot, &mut self.objects[slot], self.stretch, (offset, len, self.word));
        }
        &mut self.objects[slot]
    }

    /// An object whose shadow is about to change by an access.
    #[inline(always)]
    pub fn changing_shadow(&mut self, r: ObjectRef, access: &Access) -> &mut Object {
        let slot = r.slot();
        if let Some(history) = &mut self.history {
            history.keep_cells(slot, &mut self.objects[slot], self.stretch, access);
        }
        &mut self.objects[slot]
    }

    /// Must not be called inside of an atomic step.
    pub fn mark(&mut self) -> MemoryMark {
        let old = match &mut self.history {
            Some(history) => {
                self.stretch += 1;
                history.old.len()
            }
            None => 0,
        };
        MemoryMark {
            old,
            objects: self.objects.len(),
            next_heap: self.next_heap,
            next_global: self.next_global,
            wrapped: self.wrapped,
            used: self.used,
        }
    }

    /// Goes back to a mark. Later marks are not valid any more.
    pub fn back_to(&mut self, mark: &MemoryMark) {
        self.journal = None;
        while self.objects.len() > mark.objects {
            self.unmake((self.objects.len() - 1) as u32);
        }
        let Some(mut history) = self.history.take() else { return };
        self.stretch += 1;
        for (slot, old) in history.old.drain(mark.old..).rev() {
            let Some(o) = self.objects.get_mut(slot as usize) else { continue };
            let old = match old {
                Old::Object(old) => *old,
                Old::Contents(old, changed) => {
                    o.put_back(old, self.word);
                    o.changed = changed;
                    continue;
                }
                Old::Cells(old) => {
                    o.shadow.put_back(old);
                    continue;
                }
            };
            let in_heap = matches!(old.kind, ObjectKind::Heap | ObjectKind::ThreadLocal(_));
            if in_heap && old.state != ObjectState::Dead {
                Rc::make_mut(&mut self.heap).insert(old.base, (old.base + old.size.max(1), slot));
            }
            *o = old;
        }
        self.history = Some(history);
        self.next_heap = mark.next_heap;
        self.next_global = mark.next_global;
        self.wrapped = mark.wrapped;
        self.used = mark.used;
    }

    /// Whether the contents of all objects are what they were at this mark, which must be the latest.
    pub fn unchanged_since(&self, mark: &MemoryMark) -> bool {
        self.objects.len() == mark.objects && self.unchanged_except(mark, &|_| false)
    }

    /// Whether nothing was changed since a mark but locals of which this does not hold, by their keys.
    pub fn only_locals_changed_since(&self, mark: &MemoryMark, is_shared: &dyn Fn(u64) -> bool) -> bool {
        let is_local = |o: &Object| matches!(o.kind, ObjectKind::Local { .. }) && !is_shared(o.key);
        self.objects[mark.objects.min(self.objects.len())..].iter().all(is_local)
            && self.unchanged_except(mark, &is_local)
    }

    /// Whether the contents of all objects that were there at the mark are what they were, those that may change aside.
    fn unchanged_except(&self, mark: &MemoryMark, may_change: &dyn Fn(&Object) -> bool) -> bool {
        let Some(history) = &self.history else { return false };
        let since = &history.old[mark.old..];
        // By slot, whether there are several copies. The first is of the state at the mark, later ones may be of a state
        // in between.
        let mut copied_again = BTreeMap::new();
        for (slot, old) in since {
            let o = &self.objects[*slot as usize];
            let is_same = match old {
                Old::Cells(_) => continue,
                _ if may_change(o) => continue,
                _ if copied_again.contains_key(slot) => {
                    copied_again.insert(*slot, true);
                    continue;
                }
                Old::Contents(old, _) => o.has_contents(old, self.word),
                Old::Object(old) => o.is_as(old),
            };
            if !is_same {
                return false;
            }
            copied_again.insert(*slot, false);
        }
        let mut again = copied_again.into_iter().filter(|(_, again)| *again);
        again.all(|(slot, _)| self.objects[slot as usize].is_as(&self.as_before(slot, since)))
    }

    /// An object as it was before these changes.
    fn as_before(&self, slot: u32, changes: &[(u32, Old)]) -> Object {
        let mut before = None;
        for (_, old) in changes.iter().rev().filter(|(changed, _)| *changed == slot) {
            match old {
                Old::Object(old) => before = Some((**old).clone()),
                Old::Contents(old, _) => before
                    .get_or_insert_with(|| self.objects[slot as usize].clone())
                    .put_back(old.clone(), self.word),
                Old::Cells(_) => {}
            }
        }
        before.unwrap_or_else(|| self.objects[slot as usize].clone())
    }

    /// Removes the latest object, as if it had never been made.
    pub(super) fn unmake(&mut self, slot: u32) {
        if slot as usize + 1 == self.objects.len()
            && let Some(o) = self.objects.pop()
        {
            self.used = self.used.saturating_sub(o.size);
            if matches!(o.kind, ObjectKind::Heap | ObjectKind::ThreadLocal(_)) {
                self.heap_mut().remove(&o.base);
            }
        }
    }
}

impl Object {
    /// Whether it has the contents of this copy.
    fn is_as(&self, old: &Object) -> bool {
        let has_pointers = |o: &Object| o.pointers.iter().any(Option::is_some);
        self.state == old.state
            && self.bytes == old.bytes
            && self.written == old.written
            && (self.pointers == old.pointers || !has_pointers(self) && !has_pointers(old))
            && self.symbols == old.symbols
    }

    /// Counts another part of `len` bytes that is about to change in this stretch. `true`: all of the object is to be
    /// copied, because that is not more than the parts, or because it was copied already.
    fn count_part(&mut self, len: u64, stretch: u64) -> bool {
        if self.parts.stretch != stretch {
            self.parts = Parts { stretch, bytes: 0 };
        }
        self.parts.bytes += PART + 4 * len;
        self.kept == stretch || self.parts.bytes > self.size
    }
}

impl History {
    fn keep(&mut self, slot: usize, o: &mut Object, stretch: u64) {
        if o.kept != stretch {
            let old = o.clone();
            (o.kept, o.changed) = (stretch, stretch);
            self.old.push((slot as u32, Old::Object(Box::new(old))));
        }
    }

    fn keep_contents(
        &mut self,
        slot: usize,
        o: &mut Object,
        stretch: u64,
        (offset, len, word): (u64, u64, u64),
    ) {
        if o.count_part(len, stretch) {
            self.keep(slot, o, stretch);
        } else {
            self.old.push((slot as u32, Old::Contents(o.contents_at(offset, len, word), o.changed)));
            o.changed = stretch;
        }
    }

    fn keep_cells(&mut self, slot: usize, o: &mut Object, stretch: u64, access: &Access) {
        if access.kind == AccessKind::Free || o.count_part(access.len, stretch) {
            self.keep(slot, o, stretch);
        } else {
            self.old.push((slot as u32, Old::Cells(o.shadow.cells_at(access))));
        }
    }
}
