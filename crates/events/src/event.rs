//! What an event graph is made of.

use crate::gap::{Gap, UndefinedBehaviour};
use cranelift_entity::entity_impl;
use tp_ir::{FuncId, GlobalId, MemoryOrder, PlaceId, Property, Width};
use tp_terms::Term;

macro_rules! id {
    ($(#[$doc:meta])* $name:ident, $prefix:literal) => {
        $(#[$doc])*
        #[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub struct $name(u32);
        entity_impl!($name, $prefix);
    };
}

id!(
    /// An instance of a thread; the first is 0.
    ThreadId, "thread");
id!(
    /// A step whose effect other threads can observe.
    NodeId, "node");
id!(
    /// A part of an object that is read and written as a whole.
    CellId, "cell");
id!(ObjectId, "object");

/// A thread is about to access memory that others can reach.
#[derive(Copy, Clone)]
pub struct PendingAccess {
    pub thread: ThreadId,
    pub object: ObjectId,
    /// `None`: the whole object.
    pub cell: Option<CellId>,
    /// The thread gets there, and the access is to this memory, when this holds.
    pub guard: Term,
    pub is_write: bool,
    /// The access ends the object.
    pub frees: bool,
    /// An ordinary access, neither atomic nor in an atomic step.
    pub is_plain: bool,
    /// For an access inside a step, the step's node; otherwise the next node of the thread.
    pub node: NodeId,
    pub in_step: bool,
    /// The step waits for a condition.
    pub waits: bool,
    /// How many of the thread's `steps` come before.
    pub steps: usize,
    pub place: PlaceId,
}

/// A thread tries to take a step and has to wait.
#[derive(Clone)]
pub struct Wait {
    pub node: NodeId,
    /// The thread reaches the step, and its await condition is false.
    pub blocked: Term,
    /// The number of the thread that it waits for, 32 bits wide; all ones: no particular thread.
    pub owner: Term,
    /// The address of what it waits for; 0: nothing in particular.
    pub object: Term,
    /// Locks held in shared mode, each with the condition under which it is held.
    pub holds: Vec<(Term, Term)>,
    /// It has asked for inputs in this step: other input values might let it proceed.
    pub asked: Term,
}

/// A loop iteration without observable effect that returns to its starting state.
#[derive(Copy, Clone)]
pub struct Spin {
    pub thread: ThreadId,
    pub guard: Term,
    /// Nodes of that iteration: `from` inclusive, `to` exclusive.
    pub from: NodeId,
    pub to: NodeId,
}

#[derive(Clone)]
pub struct GraphThread {
    /// The node that started it; `None` for the first thread.
    pub parent: Option<NodeId>,
    /// Its number in the program (`Op::ThreadSelf`).
    pub number: u32,
    /// Everything the machine counts as a step, in program order, with or without a node.
    pub steps: Vec<Step>,
    /// Nodes that the machine does not count as steps, each with how many entries of `steps` come before it.
    pub local_nodes: Vec<(NodeId, usize)>,
    /// The objects it made, in program order.
    pub made: Vec<MadeObject>,
}

#[derive(Copy, Clone)]
pub struct Started {
    pub node: NodeId,
    pub guard: Term,
    /// `None`: it exists, but does not get to run.
    pub thread: Option<ThreadId>,
}

#[derive(Copy, Clone)]
pub struct MadeObject {
    pub guard: Term,
    pub object: ObjectId,
}

#[derive(Copy, Clone)]
pub struct Step {
    /// It is taken when this holds (and the thread gets that far).
    pub guard: Term,
    pub node: NodeId,
    /// The step is that node; otherwise it is local and follows the node.
    pub is_node: bool,
}

#[derive(Clone)]
pub struct Node {
    pub thread: ThreadId,
    /// It takes part when this holds.
    pub guard: Term,
    pub place: PlaceId,
}

#[derive(Clone, Default)]
pub struct GraphObject {
    pub made_by: Option<ThreadId>,
    pub global: Option<GlobalId>,
    pub function: Option<FuncId>,
    /// Its address.
    pub base: u64,
    pub size: u64,
    /// Its position in the address order of the objects whose addresses are compared; the lowest address has the least.
    pub rank: Option<Term>,
}

#[derive(Copy, Clone)]
pub struct Cell {
    pub object: ObjectId,
    pub offset: u64,
    pub bytes: u32,
    /// What it holds before the first write.
    pub first: Term,
}

#[derive(Copy, Clone)]
pub struct Read {
    pub node: NodeId,
    pub cell: CellId,
    /// It takes part when this holds.
    pub guard: Term,
    pub value: Term,
    /// How it synchronises. `Plain` also for reads that the encoding adds.
    pub order: MemoryOrder,
}

#[derive(Copy, Clone)]
pub struct Write {
    pub node: NodeId,
    pub cell: CellId,
    pub guard: Term,
    pub value: Term,
    pub order: MemoryOrder,
}

/// The property is violated in the executions in which `fails` holds.
#[derive(Clone)]
pub struct Claim {
    pub property: Property,
    /// The step with or after which it happens.
    pub node: NodeId,
    /// How many of the thread's `steps` come before.
    pub steps: usize,
    pub fails: Term,
    pub place: PlaceId,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum LimitKind {
    /// A loop or recursion wants to go on.
    Loop,
    /// Something that cannot be expressed.
    Gap(Gap),
    /// A function with neither body nor model.
    Unmodelled(String),
    Undefined(UndefinedBehaviour),
    /// Whether this property is violated here is not known; the unfolding goes on.
    Open(Property, Gap),
}

/// If `reached` can hold, some execution is not covered by the unfolding.
#[derive(Clone)]
pub struct Limit {
    pub kind: LimitKind,
    pub node: NodeId,
    pub reached: Term,
    pub place: PlaceId,
}

#[derive(Clone)]
pub struct GraphInput {
    pub thread: ThreadId,
    /// It is asked for when this holds.
    pub guard: Term,
    pub value: Term,
    pub width: Width,
    /// It is the value of a register that was never written.
    pub is_unwritten: bool,
}

/// An over-approximated value: an execution that depends on it may be spurious.
#[derive(Clone)]
pub struct Guess {
    pub guard: Term,
    /// Why it is not exact.
    pub gap: Gap,
    pub place: PlaceId,
}

/// Memory of the size of a cell that was never written: its first reader finds any value.
#[derive(Copy, Clone)]
pub struct Unwritten {
    pub object: ObjectId,
    pub offset: u64,
    pub bytes: u32,
    pub value: Term,
    /// The scope in which it has this value, as an index into `begun`; `None`: every scope without an entry of its own.
    pub begun: Option<usize>,
}
