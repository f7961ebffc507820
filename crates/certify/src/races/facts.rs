//! A certificate about races, as data.

use super::offset::Offset;
use super::pointers::{Cells, Set};
use std::collections::{BTreeMap, BTreeSet};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Object {
    Variable,
    /// It is never written.
    Constant,
    Function,
    Local(usize),
    Made(usize),
    Outside,
}

/// By place: a lock that is held, whether exclusively, and its size in bytes.
pub(super) type Held = BTreeMap<(usize, i64), (bool, u64)>;

/// A lock that may be held: its place, whether exclusively, and its size in bytes.
pub(super) type Tried = ((usize, i64), bool, u64);

/// An address that a function computes, and a distance from it.
pub(super) type Form = (usize, i64);

/// A lock that is held near an address: whether exclusively, its size in bytes, and the set of a pointer to it.
#[derive(Copy, Clone, Debug)]
pub(super) struct Near {
    pub alone: bool,
    pub bytes: u64,
    pub value: usize,
}

#[derive(Clone, Default)]
pub(super) struct Point {
    pub thread: usize,
    pub rank: u64,
    /// Every edge out of it leads to a larger rank: an instance of the thread passes here at most once.
    pub is_once: bool,
    pub held: Held,
    /// By register: the lock that is held if it is 0.
    pub tried: BTreeMap<usize, Tried>,
    pub near: BTreeMap<Form, Near>,
    pub alive: BTreeSet<usize>,
    /// It is inside at least this many atomic sections.
    pub inside: u64,
}

#[derive(Clone, Default)]
pub(super) struct Thread {
    pub parent: Option<usize>,
    pub left: BTreeSet<usize>,
    pub before: BTreeSet<usize>,
    /// The points where it is started, and the sets of its ids.
    pub starts: Vec<(usize, usize)>,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Mutex,
    ReadWrite,
    Spin,
}

impl Kind {
    pub fn bytes(self) -> u64 {
        match self {
            Kind::Mutex => 20,
            Kind::ReadWrite => 52,
            Kind::Spin => 4,
        }
    }
}

#[derive(Clone, Debug)]
pub(super) struct Access {
    pub value: usize,
    /// `u64::MAX`: the whole object.
    pub len: u64,
    pub is_write: bool,
    pub is_atomic: bool,
    /// It may write a number that is no initial state of a lock.
    pub is_number: bool,
    pub is_of_lock: bool,
    /// The object is freed.
    pub is_end: bool,
    pub form: Option<Form>,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    Go,
    /// Control returns from a function that may be recursive, and that has these forms.
    Anew(Vec<usize>),
    /// The lock is taken if the register is 0.
    Try {
        value: usize,
        alone: bool,
        kind: Kind,
        register: usize,
    },
    /// The register is 0.
    Zero {
        register: usize,
    },
    Take {
        value: usize,
        alone: bool,
        kind: Kind,
        form: Option<Form>,
    },
    Give {
        before: usize,
        value: usize,
        kind: Kind,
        form: Option<Form>,
    },
    Reset {
        value: usize,
        kind: Kind,
    },
    Again {
        from: usize,
        value: usize,
        form: Option<Form>,
    },
    /// Registers that these forms are computed from are assigned.
    Renew(Vec<usize>),
    Access(Access),
    Text(Vec<usize>),
    Start {
        thread: usize,
    },
    Join {
        value: usize,
    },
    /// A loop joins the threads whose ids are in the elements of an array. `entry`: where its function begins.
    JoinLoop {
        base: usize,
        scale: u64,
        entry: usize,
        rounds: Rounds,
    },
    Enter,
    Leave,
}

/// Which elements of an array a loop visits.
#[derive(Copy, Clone, Debug)]
pub(super) enum Rounds {
    /// Those with an index from the first number up to, but not including, the second.
    Range(i64, i64),
    /// The same as the loop that contains this call.
    Alike(usize),
}

/// A call that starts a thread and stores its id.
#[derive(Clone, Debug)]
pub(super) struct Create {
    pub id: usize,
    /// The points at which it writes memory or starts the thread.
    pub points: BTreeSet<usize>,
}

pub(super) struct FlowEdge {
    pub from: usize,
    pub to: usize,
    pub act: Act,
}

pub(super) struct Facts {
    pub threads: Vec<Thread>,
    pub points: Vec<Point>,
    pub objects: Vec<Object>,
    /// The alignment of each object.
    pub alignments: Vec<i64>,
    /// Where values may point; the first set is that of numbers.
    pub values: Vec<Set>,
    /// The sets of registers that may hold an address.
    pub registers: BTreeMap<usize, usize>,
    pub cells: Cells,
    /// The sets of the addresses of objects, as operands.
    pub addresses: BTreeMap<(usize, Offset), usize>,
    /// An operand was read, so no further sets may follow.
    pub is_complete: bool,
    pub statements: u64,
    pub escaped: BTreeSet<usize>,
    pub entries: Vec<(usize, usize)>,
    pub edges: Vec<FlowEdge>,
    pub overs: Vec<(usize, usize)>,
    pub detached: BTreeSet<usize>,
    pub creates: Vec<Create>,
}

impl Facts {
    pub fn new() -> Facts {
        Facts {
            threads: Vec::new(),
            points: Vec::new(),
            objects: Vec::new(),
            alignments: Vec::new(),
            values: vec![Set::default()],
            registers: BTreeMap::new(),
            cells: Cells::new(),
            addresses: BTreeMap::new(),
            is_complete: false,
            statements: 0,
            escaped: BTreeSet::new(),
            entries: Vec::new(),
            edges: Vec::new(),
            overs: Vec::new(),
            detached: BTreeSet::new(),
            creates: Vec::new(),
        }
    }
}
