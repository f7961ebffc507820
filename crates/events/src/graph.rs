//! The unfolded program: what each thread does to memory that others can reach, under which condition.
//!
//! A *node* is one step of one thread; all events on it happen at once. The nodes of a thread are numbered in its program
//! order, and the nodes of alternatives follow one another: of those, only the ones whose conditions hold take part.
//! A read that takes part sees the latest write to its cell that takes part and is on an earlier node, or the cell's
//! first value when there is none. On one node reads come before writes, and a cell is written at most once.
//!
//! An execution is a choice of values for the unknowns and a total order of the nodes that respects the program order of
//! each thread, starts each thread after the node that created it, and in which every read that takes part has the value
//! of the write it sees. Every `assumption` holds in it. A thread may stop early: nodes that wait carry a free unknown in
//! their conditions that says whether they are passed.

use std::collections::BTreeSet;

use cranelift_entity::{PrimaryMap, entity_impl};
use rustc_hash::{FxHashMap, FxHashSet};
use tp_ir::{FuncId, GlobalId, MemoryOrder, PlaceId, Property, Width};
use tp_solver::{Term, Terms};

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
    /// A step that others can tell from no step.
    NodeId, "node");
id!(
    /// A part of an object that is read and written as a whole.
    CellId, "cell");
id!(ObjectId, "object");

#[derive(Clone, Default)]
pub struct Unfolded {
    pub terms: Terms,
    pub threads: PrimaryMap<ThreadId, Thread>,
    pub nodes: PrimaryMap<NodeId, Node>,
    pub cells: PrimaryMap<CellId, Cell>,
    pub objects: PrimaryMap<ObjectId, Object>,
    pub reads: Vec<Read>,
    pub writes: Vec<Write>,
    /// These hold in every execution.
    pub assumptions: Vec<Term>,
    /// What may not happen.
    pub claims: Vec<Claim>,
    /// Where the program was not followed further.
    pub limits: Vec<Limit>,
    /// Threads as they are started: those of one node in their order.
    pub started: Vec<Started>,
    /// What came from outside, by thread and in program order.
    pub inputs: Vec<Input>,
    /// Values that were left open although the program computes them.
    pub guesses: Vec<Guess>,
    /// Memory that was read and never written.
    pub unwritten: Vec<Unwritten>,
    /// Values of registers that nobody has written.
    pub uninitialised: Vec<Term>,
    /// The scopes of these locals begin, if the conditions hold; in the order of each thread.
    pub begun: Vec<(Term, ObjectId)>,
    /// The program ends with these nodes, if the conditions hold.
    pub exits: Vec<(NodeId, Term)>,
    /// Holds 1 until the program ends.
    pub running: Option<CellId>,
    /// Accesses that can be part of a data race, if races are looked for.
    pub touches: Vec<Touch>,
    /// Some values pass from thread to thread without what was written before, if races are looked for.
    pub has_weak_atomics: bool,
    /// Nodes that are fences, if races are looked for.
    pub fences: Vec<(NodeId, MemoryOrder)>,
    /// The reads of compare-exchanges, by their places in `reads`, whose order is another one when nothing is written.
    pub failing: Vec<(usize, MemoryOrder)>,
    /// When a step acquires what it has read of a cell.
    pub acquired: FxHashMap<(NodeId, CellId), Term>,
    /// What steps store without a read-modify-write, which ends what others have released.
    pub overwritten: FxHashSet<(NodeId, CellId)>,
    /// Where threads wait, if deadlocks are looked for.
    pub waits: Vec<Wait>,
    /// Where threads go round in loops that wait, if that is looked for.
    pub spins: Vec<Spin>,
    /// The reads of steps that wait, by their places in `reads`, each with the condition under which it is part of an
    /// attempt, whether or not the step is taken then.
    pub attempted: Vec<(usize, Term)>,
    /// Threads that end, and when.
    pub ended: Vec<(ThreadId, Term)>,
    /// The user's code turns addresses into numbers.
    pub sees_addresses: bool,
    /// Where objects lie may decide something all the same.
    pub layout_matters: bool,
    /// The functions that are called on some path.
    pub entered: BTreeSet<FuncId>,
}

impl Unfolded {
    /// The condition, and that no other thread has ended the program before this node.
    pub fn while_running(&mut self, node: NodeId, condition: Term) -> Term {
        let Some(cell) = self.running else { return condition };
        let thread = self.nodes[node].thread;
        if self.exits.iter().all(|(exit, _)| self.nodes[*exit].thread == thread) {
            return condition;
        }
        let value = self.terms.variable(Width::BOOL);
        self.reads.push(Read { node, cell, guard: condition, value, order: MemoryOrder::Plain });
        self.terms.and(condition, value)
    }
}

/// A thread stands before an access to memory that others can reach.
#[derive(Copy, Clone)]
pub struct Touch {
    pub thread: ThreadId,
    pub object: ObjectId,
    /// `None`: the whole object.
    pub cell: Option<CellId>,
    /// The thread comes there, and the access is to this memory, when this holds.
    pub guard: Term,
    pub is_write: bool,
    /// The object ends.
    pub frees: bool,
    /// An ordinary access, neither atomic nor in an atomic step.
    pub is_plain: bool,
    /// The first node that is not before it; of a step, its own.
    pub node: NodeId,
    pub in_step: bool,
    /// The step waits for something.
    pub waits: bool,
    /// How many of the thread's `steps` come before.
    pub steps: usize,
    pub place: PlaceId,
}

/// A thread tries to take a step and has to wait.
#[derive(Clone)]
pub struct Wait {
    pub node: NodeId,
    /// It comes there, does not pass, and what it waits for does not hold.
    pub blocked: Term,
    /// The number of the thread that it waits for, of 32 bits; all ones: nobody in particular.
    pub owner: Term,
    /// The address of what it waits for; 0: of nothing in particular.
    pub object: Term,
    /// The locks that it holds together with others, each with the condition that it does.
    pub holds: Vec<(Term, Term)>,
    /// It has asked for inputs in this step: with others it might not have to wait.
    pub asked: Term,
}

/// A thread has gone round a loop and is where it was, and nobody can tell.
#[derive(Copy, Clone)]
pub struct Spin {
    pub thread: ThreadId,
    pub guard: Term,
    /// The nodes of the thread in that round, from the first to before the last.
    pub from: NodeId,
    pub to: NodeId,
}

#[derive(Clone)]
pub struct Thread {
    /// The node that started it; `None` for the first thread.
    pub parent: Option<NodeId>,
    /// What the program calls it.
    pub number: u32,
    /// Everything the machine counts as a step, in program order, with or without a node.
    pub steps: Vec<Step>,
    /// Nodes that are no steps to the machine, each with how many entries of `steps` come before it.
    pub local_nodes: Vec<(NodeId, usize)>,
    /// The objects it made, in program order.
    pub made: Vec<Made>,
}

#[derive(Copy, Clone)]
pub struct Started {
    pub node: NodeId,
    pub guard: Term,
    /// `None`: it does not get to run.
    pub thread: Option<ThreadId>,
}

#[derive(Copy, Clone)]
pub struct Made {
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
pub struct Object {
    pub made_by: Option<ThreadId>,
    pub global: Option<GlobalId>,
    pub function: Option<FuncId>,
    /// Its address.
    pub base: u64,
    pub size: u64,
    /// Where it lies among the objects whose addresses are compared; the least is first.
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
    /// How it synchronises. `Plain` as well where the program does not read: it is only we who look.
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

/// A way to fail: there is an execution in which `fails` holds.
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
    /// Something that cannot be expressed; in words.
    Gap(String),
    /// A function without body and model.
    Unmodelled(String),
    /// Something undefined that no property names; in words.
    Undefined(&'static str),
    /// Whether this happens here is not known; the program itself is followed.
    Open(Property, String),
}

/// There is an execution that goes on where the unfolding does not, if `reached` can hold.
#[derive(Clone)]
pub struct Limit {
    pub kind: LimitKind,
    pub node: NodeId,
    pub reached: Term,
    pub place: PlaceId,
}

#[derive(Clone)]
pub struct Input {
    pub thread: ThreadId,
    /// It is asked for when this holds.
    pub guard: Term,
    pub value: Term,
    pub width: Width,
}

/// A value that the program computes and the unfolding leaves open: an execution that rests on it may not be one.
#[derive(Clone)]
pub struct Guess {
    pub guard: Term,
    /// Whose value it is, in words.
    pub what: String,
    pub place: PlaceId,
}

/// A cell's worth of memory whose first reader finds any value.
#[derive(Copy, Clone)]
pub struct Unwritten {
    pub object: ObjectId,
    pub offset: u64,
    pub bytes: u32,
    pub value: Term,
    /// Its scope has begun just before: an index into `begun`; `None`: in all scopes of which nothing else is known.
    pub begun: Option<usize>,
}
