//! The objects of a memory by their slots. Copies of a memory share an object until one of them changes it.

use super::Object;
use std::ops::{Index, IndexMut};
use std::rc::Rc;

#[derive(Clone, Default)]
pub(super) struct ObjectTable(Vec<Rc<Object>>);

impl ObjectTable {
    pub fn len(&self) -> usize {
        self.0.len()
    }

    pub fn get(&self, slot: usize) -> Option<&Object> {
        self.0.get(slot).map(|o| &**o)
    }

    pub fn iter(&self) -> impl Iterator<Item = &Object> {
        self.0.iter().map(|o| &**o)
    }

    pub fn push(&mut self, object: Object) {
        self.0.push(Rc::new(object));
    }

    pub fn pop(&mut self) -> Option<Rc<Object>> {
        self.0.pop()
    }

    /// The object as it is now, to be put back later.
    pub fn share(&self, slot: usize) -> Rc<Object> {
        self.0[slot].clone()
    }

    pub fn put_back(&mut self, slot: usize, object: Rc<Object>) {
        self.0[slot] = object;
    }
}

impl Index<usize> for ObjectTable {
    type Output = Object;

    #[inline(always)]
    fn index(&self, slot: usize) -> &Object {
        &self.0[slot]
    }
}

impl IndexMut<usize> for ObjectTable {
    /// Copies the object first if it is shared.
    #[inline(always)]
    fn index_mut(&mut self, slot: usize) -> &mut Object {
        Rc::make_mut(&mut self.0[slot])
    }
}
