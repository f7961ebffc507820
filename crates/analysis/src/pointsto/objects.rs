//! The objects that the analysis distinguishes: variables, functions, and what an instruction of a context allocates.

use super::ObjectId;
use crate::callgraph::{AbstractThreadId, InstSite};
use std::collections::BTreeMap;
use tp_ir::{FuncId, GlobalId};

/// What an object is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum AbstractObject {
    Global(GlobalId),
    /// A thread's instance of a thread-local variable.
    ThreadLocal(GlobalId, AbstractThreadId),
    Function(FuncId),
    /// All objects that an instruction of a context allocates: locals and heap blocks.
    Made(InstSite),
    /// Memory that is not part of the program: pointers that come from outside point to it.
    Outside,
}

/// The objects, numbered.
#[derive(Default)]
pub struct Objects {
    table: Vec<AbstractObject>,
    index: BTreeMap<AbstractObject, ObjectId>,
}

impl Objects {
    pub(crate) fn id(&mut self, object: AbstractObject) -> ObjectId {
        *self.index.entry(object).or_insert_with(|| {
            self.table.push(object);
            ObjectId(self.table.len() as u32 - 1)
        })
    }

    /// The id of an object, if the analysis has reached it.
    pub fn known(&self, object: AbstractObject) -> Option<ObjectId> {
        self.index.get(&object).copied()
    }

    pub fn get(&self, id: ObjectId) -> AbstractObject {
        self.table[id.index()]
    }

    pub fn count(&self) -> usize {
        self.table.len()
    }

    /// All objects.
    pub fn ids(&self) -> impl Iterator<Item = ObjectId> + use<> {
        (0..self.table.len() as u32).map(ObjectId)
    }
}
