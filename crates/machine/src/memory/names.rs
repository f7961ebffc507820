//! Words that hold numbers of threads, as models declare them (`ModelEffect::Names`): the owner of a mutex, the threads that
//! wait on a condition variable. They are noted while a history is kept, so that states can be compared in which threads
//! have exchanged their parts (`digest::roles`).

use super::*;
use tp_ir::Names;

impl Memory {
    /// From here on, the word at this offset holds numbers of threads.
    pub fn note_names(&mut self, r: ObjectRef, offset: u64, names: Names) {
        let o = &self.objects[r.slot()];
        let is_inside = offset.checked_add(names.bytes()).is_some_and(|end| end <= o.size);
        if is_inside && o.names.get(&offset) != Some(&names) {
            self.changing(r.slot()).names.insert(offset, names);
            if let Err(at) = self.with_names.binary_search(&(r.slot() as u32)) {
                self.with_names.insert(at, r.slot() as u32);
            }
        }
    }

    /// The live objects that have such words.
    pub fn with_names(&self) -> impl Iterator<Item = ObjectRef> {
        // Slots stay in the list when a run goes back.
        let slots =
            self.with_names.iter().filter_map(|slot| Some((*slot, self.objects.get(*slot as usize)?)));
        let live = slots.filter(|(_, o)| o.state != ObjectState::Dead && !o.names.is_empty());
        live.map(|(slot, o)| ObjectRef::new(slot, o.generation))
    }

    /// The words of an object that hold numbers of threads: where, how, and what they hold.
    pub fn names_in(&self, r: ObjectRef) -> impl Iterator<Item = (u64, Names, u64)> {
        let o = &self.objects[r.slot()];
        let value = |at: u64, names: Names| o.bits_at(at, names.bytes());
        o.names.iter().map(move |(at, names)| (*at, *names, value(*at, *names)))
    }

    pub fn has_names(&self, r: ObjectRef, offset: u64, len: u64) -> bool {
        let mut names = self.objects[r.slot()].names.iter();
        names.any(|(at, names)| *at < offset.saturating_add(len) && offset < at + names.bytes())
    }
}

impl Object {
    fn bits_at(&self, at: u64, len: u64) -> u64 {
        let bytes = self.bytes.get(at as usize..(at + len) as usize).unwrap_or_default();
        bytes.iter().rev().fold(0, |bits, byte| bits << 8 | u64::from(*byte))
    }
}
