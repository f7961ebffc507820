//! Addresses of objects, in a run for which an engine chose them.
//!
//! The machine puts objects where it likes. A counterexample can depend on addresses, though: on how two of them
//! compare, or on a number that happens to be one. Then the layout it was found with belongs to the trace, like
//! schedule and inputs.

use crate::trace::ThreadNumber;
use std::collections::BTreeMap;
use tp_ir::{FuncId, GlobalId};

/// Identifies an object, whatever else the run does before it is made.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum ObjectName {
    Function(FuncId),
    Global(GlobalId),
    ThreadLocal(ThreadNumber, GlobalId),
    /// On the stack or the heap: the thread that makes it, and how many objects it made before, not counting undone
    /// steps and output functions.
    Made(ThreadNumber, u64),
}

/// The addresses of some objects; the others lie where the machine puts them.
pub type Layout = BTreeMap<ObjectName, u64>;
