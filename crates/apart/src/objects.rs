//! The objects that the analysis tells apart: variables, and what one instruction of one frame makes.

use crate::frames::{Site, ThreadId};
use crate::points::ObjectId;
use std::collections::BTreeMap;
use tp_ir::{FuncId, GlobalId};

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Object {
    Global(GlobalId),
    /// The instance of a variable that each thread has its own of.
    ThreadLocal(GlobalId, ThreadId),
    Function(FuncId),
    /// All that an instruction of a frame makes: locals and blocks of the heap.
    Made(Site),
    /// What is not part of the program: pointers that come from outside point to it.
    Outside,
}

#[derive(Default)]
pub struct Objects {
    table: Vec<Object>,
    index: BTreeMap<Object, ObjectId>,
}

impl Objects {
    pub fn id(&mut self, object: Object) -> ObjectId {
        *self.index.entry(object).or_insert_with(|| {
            self.table.push(object);
            ObjectId(self.table.len() as u32 - 1)
        })
    }

    pub fn known(&self, object: Object) -> Option<ObjectId> {
        self.index.get(&object).copied()
    }

    pub fn get(&self, id: ObjectId) -> Object {
        self.table[id.0 as usize]
    }

    pub fn len(&self) -> usize {
        self.table.len()
    }

    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.table.len() as u32).map(ObjectId)
    }
}
