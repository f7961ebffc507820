//! The lines of a certificate about races, as data. What they name is there, which is looked at here.

use super::offset::Offset;
use super::pointers::{Cells, Set};
use crate::lines::Words;
use crate::rejected::Why;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Object {
    Variable,
    /// Nobody writes it.
    Constant,
    Function,
    Local(usize),
    Made(usize),
    Outside,
}

/// A lock that is held: how, and of how many bytes it consists.
pub(super) type Held = BTreeMap<(usize, i64), (bool, u64)>;

/// A lock that may be held: where it lies, whether alone, and of how many bytes it consists.
pub(super) type Tried = ((usize, i64), bool, u64);

#[derive(Clone, Default)]
pub(super) struct Point {
    pub thread: usize,
    pub rank: u64,
    /// Every way out of it leads to a larger rank: control comes here at most once in a thread.
    pub is_once: bool,
    pub held: Held,
    /// By register: the lock that is held if it is 0.
    pub tried: BTreeMap<usize, Tried>,
    pub alive: BTreeSet<usize>,
    /// In so many atomic sections.
    pub inside: u64,
}

#[derive(Clone, Default)]
pub(super) struct Thread {
    pub parent: Option<usize>,
    pub left: BTreeSet<usize>,
    pub before: BTreeSet<usize>,
    /// Where it is started, and its id.
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
    /// `u64::MAX`: all of it.
    pub len: u64,
    pub is_write: bool,
    pub is_atomic: bool,
    /// It may be a number that no free lock begins with.
    pub is_number: bool,
    pub is_of_lock: bool,
    /// The object ends.
    pub is_end: bool,
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    Go,
    /// Control returns from a function that may have been called by itself.
    Anew,
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
    },
    Give {
        before: usize,
        value: usize,
        kind: Kind,
    },
    Reset {
        value: usize,
        kind: Kind,
    },
    Again {
        from: usize,
        value: usize,
    },
    Access(Access),
    Text(Vec<usize>),
    Start {
        thread: usize,
    },
    Join {
        value: usize,
    },
    /// A loop through the elements of an array waits for the threads whose ids these are. `entry`: of its function.
    JoinLoop {
        base: usize,
        scale: u64,
        entry: usize,
        rounds: Rounds,
    },
    Enter,
    Leave,
}

/// Which elements of an array a loop goes through.
#[derive(Copy, Clone, Debug)]
pub(super) enum Rounds {
    /// Those from the first number on, before the second.
    Range(i64, i64),
    /// Those that the loop goes through in which this call is made.
    Alike(usize),
}

/// A call that starts a thread and puts its id somewhere.
#[derive(Clone, Debug)]
pub(super) struct Create {
    pub id: usize,
    /// Where it writes, and where it starts the thread.
    pub points: BTreeSet<usize>,
}

pub(super) struct Way {
    pub from: usize,
    pub to: usize,
    pub act: Act,
}

pub(super) struct Facts {
    pub about: Vec<(String, String)>,
    pub threads: Vec<Thread>,
    pub points: Vec<Point>,
    pub objects: Vec<Object>,
    /// What the address of each object is a multiple of.
    pub alignments: Vec<i64>,
    /// Where values may point; the first set is that of numbers.
    pub values: Vec<Set>,
    /// The sets of registers that may hold an address.
    registers: BTreeMap<usize, usize>,
    pub cells: Cells,
    /// The sets of the addresses of objects, as operands.
    addresses: BTreeMap<(usize, Offset), usize>,
    /// An operand was read: what sets there are is known by then.
    is_complete: bool,
    pub statements: u64,
    pub escaped: BTreeSet<usize>,
    pub entries: Vec<(usize, usize)>,
    pub ways: Vec<Way>,
    pub overs: Vec<(usize, usize)>,
    pub detached: BTreeSet<usize>,
    pub creates: Vec<Create>,
}

impl Facts {
    pub fn new() -> Facts {
        Facts {
            about: Vec::new(),
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
            ways: Vec::new(),
            overs: Vec::new(),
            detached: BTreeSet::new(),
            creates: Vec::new(),
        }
    }

    pub fn line(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        match kind {
            "about" => {
                let what = words.word().ok_or(Why::Missing("what it is about"))?;
                self.about.push((what.to_owned(), words.text()));
            }
            "thread" => {
                let parent = match words.word().ok_or(Why::Missing("a thread"))? {
                    "-" if self.threads.is_empty() => None,
                    word => Some(named(word, self.threads.len())?),
                };
                self.threads.push(Thread { parent, ..Thread::default() });
            }
            "point" => {
                let thread = self.index(words, self.threads.len())?;
                let rank = words.number("a rank")?;
                self.points.push(Point { thread, rank, is_once: true, ..Point::default() });
            }
            "object" => {
                let object = self.object(words)?;
                self.objects.push(object);
                self.alignments.push(words.number("an alignment")?);
            }
            "set" | "register" | "cell" if self.is_complete => return Err(Why::Misplaced(kind.to_owned())),
            "set" => {
                let set = self.places(words)?;
                self.values.push(set);
            }
            "register" => {
                let register = words.number("a register")?;
                let set = self.index(words, self.values.len())?;
                self.registers.insert(register, set);
            }
            "cell" => {
                let object = self.index(words, self.objects.len())?;
                let (base, stride): (i64, i64) = (words.number("an offset")?, words.number("a stride")?);
                let (len, set) = (words.number("a length")?, self.index(words, self.values.len())?);
                let offset = Offset::new(base.into(), stride.into());
                self.cells.entry(object).or_default().insert(offset, (len, set));
            }
            "held" => {
                let point = self.point(words)?;
                let (lock, alone, bytes) = self.hold(words)?;
                self.points[point].held.insert(lock, (alone, bytes));
            }
            "tried" => {
                let (point, register) = (self.point(words)?, words.number("a register")?);
                let hold = self.hold(words)?;
                self.points[point].tried.insert(register, hold);
            }
            "inside" => {
                let point = self.point(words)?;
                self.points[point].inside = words.number("how many sections")?;
            }
            "alive" | "left" | "before" | "escaped" => self.set(kind, words)?,
            "create" => {
                let (id, mut points) = (self.value(words)?, BTreeSet::new());
                while let Some(word) = words.word() {
                    points.insert(named(word, self.points.len())?);
                }
                self.creates.push(Create { id, points });
            }
            "detach" | "entry" | "over" => self.relation(kind, words)?,
            _ if is_way(kind) => self.way(kind, words)?,
            _ => match self.statement(kind, words)? {
                Some(statement) => {
                    self.is_closed(&statement)?;
                    self.statements += 1;
                }
                None => return Err(Why::UnknownLine(kind.to_owned())),
            },
        }
        Ok(())
    }

    fn index(&self, words: &mut Words<'_>, count: usize) -> Result<usize, Why> {
        named(words.word().ok_or(Why::Missing("a number"))?, count)
    }

    fn point(&self, words: &mut Words<'_>) -> Result<usize, Why> {
        self.index(words, self.points.len())
    }

    fn hold(&self, words: &mut Words<'_>) -> Result<Tried, Why> {
        let object = self.index(words, self.objects.len())?;
        let (at, alone) = (words.number("an offset")?, is_alone(words)?);
        Ok(((object, at), alone, words.number("its bytes")?))
    }

    /// The set of an operand: a register, the address of an object, or a number.
    pub fn value(&mut self, words: &mut Words<'_>) -> Result<usize, Why> {
        self.operand(words.word().ok_or(Why::Missing("an operand"))?)
    }

    /// All operands that are left.
    pub fn operands(&mut self, words: &mut Words<'_>) -> Result<Vec<usize>, Why> {
        let mut values = Vec::new();
        while let Some(word) = words.word() {
            values.push(self.operand(word)?);
        }
        Ok(values)
    }

    fn operand(&mut self, word: &str) -> Result<usize, Why> {
        self.is_complete = true;
        let wrong = || Why::NotANumber(word.to_owned());
        if word == "-" {
            return Ok(0);
        }
        let Some(address) = word.strip_prefix('&') else {
            let register: usize = word.parse().map_err(|_| wrong())?;
            return Ok(self.registers.get(&register).copied().unwrap_or(0));
        };
        let (object, offset) = match address.split_once('+') {
            Some((object, at)) => (object, Offset::exact(at.parse().map_err(|_| wrong())?)),
            None => (address, Offset::ANY),
        };
        let place = (named(object, self.objects.len())?, offset);
        let next = self.values.len();
        let known = *self.addresses.entry(place).or_insert(next);
        if known == next {
            self.values.push(Set { places: vec![place], is_part: false });
        }
        Ok(known)
    }

    fn object(&self, words: &mut Words<'_>) -> Result<Object, Why> {
        Ok(match words.word().ok_or(Why::Missing("a kind"))? {
            "variable" => Object::Variable,
            "constant" => Object::Constant,
            "function" => Object::Function,
            "outside" => Object::Outside,
            "local" => Object::Local(self.index(words, self.threads.len())?),
            "made" => Object::Made(self.point(words)?),
            word => return Err(Why::UnknownLine(word.to_owned())),
        })
    }

    fn places(&self, words: &mut Words<'_>) -> Result<Set, Why> {
        let is_part = match words.word() {
            Some("part") => true,
            Some("whole") => false,
            _ => return Err(Why::Missing("`whole` or `part`")),
        };
        let mut numbers: Vec<i64> = Vec::new();
        words.numbers(&mut numbers)?;
        let mut places = Vec::new();
        for place in numbers.chunks(3) {
            let &[object, base, stride] = place else { return Err(Why::Missing("a stride")) };
            let object = usize::try_from(object).ok().filter(|o| *o < self.objects.len());
            let object = object.ok_or_else(|| Why::NotANumber(place[0].to_string()))?;
            places.push((object, Offset::new(base.into(), stride.into())));
        }
        Ok(Set { places, is_part })
    }

    fn set(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        let at = match kind {
            "escaped" => 0,
            "alive" => self.point(words)?,
            _ => self.index(words, self.threads.len())?,
        };
        let count = if kind == "escaped" { self.objects.len() } else { self.threads.len() };
        while let Some(word) = words.word() {
            let member = named(word, count)?;
            match kind {
                "escaped" => self.escaped.insert(member),
                "alive" => self.points[at].alive.insert(member),
                "left" => self.threads[at].left.insert(member),
                _ => self.threads[at].before.insert(member),
            };
        }
        Ok(())
    }

    fn relation(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        match kind {
            "detach" => {
                let value = self.value(words)?;
                self.detached.insert(value);
            }
            _ => {
                let pair = (self.index(words, self.threads.len())?, self.point(words)?);
                if self.points[pair.1].thread != pair.0 {
                    return Err(Why::NotShown(format!("point {} is not of thread {}", pair.1, pair.0)));
                }
                if kind == "entry" { self.entries.push(pair) } else { self.overs.push(pair) }
            }
        }
        Ok(())
    }

    fn way(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        let (from, to) = (self.point(words)?, self.point(words)?);
        let act = match kind {
            "go" => Act::Go,
            "anew" => Act::Anew,
            "zero" => Act::Zero { register: words.number("a register")? },
            "try" => {
                let (value, alone) = (self.value(words)?, is_alone(words)?);
                Act::Try { value, alone, kind: lock_kind(words)?, register: words.number("a register")? }
            }
            "enter" => Act::Enter,
            "leave" => Act::Leave,
            "take" => {
                Act::Take { value: self.value(words)?, alone: is_alone(words)?, kind: lock_kind(words)? }
            }
            "give" => {
                let before = self.point(words)?;
                Act::Give { before, value: self.value(words)?, kind: lock_kind(words)? }
            }
            "reset" => Act::Reset { value: self.value(words)?, kind: lock_kind(words)? },
            "again" => Act::Again { from: self.point(words)?, value: self.value(words)? },
            "text" => Act::Text(self.operands(words)?),
            "join" => Act::Join { value: self.value(words)? },
            "join-range" | "join-alike" => {
                let (base, scale) = (self.value(words)?, words.number("a scale")?);
                let entry = self.point(words)?;
                let rounds = match kind {
                    "join-range" => Rounds::Range(words.number("a number")?, words.number("a number")?),
                    _ => Rounds::Alike(self.index(words, self.creates.len())?),
                };
                Act::JoinLoop { base, scale, entry, rounds }
            }
            "start" => {
                let (thread, id) = (self.index(words, self.threads.len())?, self.value(words)?);
                self.threads[thread].starts.push((from, id));
                Act::Start { thread }
            }
            _ => Act::Access(self.access(words, kind == "lock")?),
        };
        self.ways.push(Way { from, to, act });
        Ok(())
    }

    fn access(&mut self, words: &mut Words<'_>, is_of_lock: bool) -> Result<Access, Why> {
        let value = self.value(words)?;
        let len = match words.word().ok_or(Why::Missing("a length"))? {
            "-" => u64::MAX,
            word => word.parse().map_err(|_| Why::NotANumber(word.to_owned()))?,
        };
        let how = words.word().ok_or(Why::Missing("how"))?;
        let (is_write, is_number, is_end) = match how.to_ascii_lowercase().as_str() {
            "r" => (false, false, false),
            "w" => (true, false, false),
            "n" => (true, true, false),
            "e" => (true, false, true),
            _ => return Err(Why::UnknownLine(how.to_owned())),
        };
        let is_atomic = how.chars().all(|c| c.is_ascii_uppercase());
        Ok(Access { value, len, is_write, is_atomic, is_number, is_of_lock, is_end })
    }
}

fn is_way(kind: &str) -> bool {
    let ways = [
        "go",
        "anew",
        "zero",
        "try",
        "enter",
        "leave",
        "take",
        "give",
        "reset",
        "again",
        "text",
        "join",
        "join-range",
        "join-alike",
        "start",
        "access",
        "lock",
    ];
    ways.contains(&kind)
}

fn named(word: &str, count: usize) -> Result<usize, Why> {
    let number: Option<usize> = word.parse().ok();
    number.filter(|n| *n < count).ok_or_else(|| Why::NotANumber(word.to_owned()))
}

fn is_alone(words: &mut Words<'_>) -> Result<bool, Why> {
    match words.word() {
        Some("w") => Ok(true),
        Some("r") => Ok(false),
        _ => Err(Why::Missing("how it is held")),
    }
}

fn lock_kind(words: &mut Words<'_>) -> Result<Kind, Why> {
    match words.word() {
        Some("m") => Ok(Kind::Mutex),
        Some("w") => Ok(Kind::ReadWrite),
        Some("s") => Ok(Kind::Spin),
        _ => Err(Why::Missing("the kind of a lock")),
    }
}
