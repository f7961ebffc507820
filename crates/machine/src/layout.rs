//! Where objects lie, in a run for which reasoning has decided that.
//!
//! The machine puts objects where it likes. A counterexample can depend on addresses, though: on how two of them compare, or on a
//! number that happens to be one. Then the layout it was found with belongs to the trace, like schedule and inputs.

use crate::trace::ThreadNumber;
use std::collections::BTreeMap;
use tp_ir::{FuncId, GlobalId};

/// An object by what it is, whatever else a run does before it makes it.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectName {
    Function(FuncId),
    Global(GlobalId),
    ThreadLocal(ThreadNumber, GlobalId),
    /// Of the stack or the heap: the thread that makes it, and how many it has made before, without those of steps that were
    /// taken back and of output functions.
    Made(ThreadNumber, u64),
}

/// The addresses of some objects; the others lie where the machine puts them.
pub type Layout = BTreeMap<ObjectName, u64>;
