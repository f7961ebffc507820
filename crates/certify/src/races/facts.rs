//! The lines of a certificate about races, as data. What they name is there, which is looked at here.

use super::offset::Offset;
use crate::lines::Words;
use crate::rejected::Why;
use std::collections::{BTreeMap, BTreeSet};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub(super) enum Object {
    Variable,
    /// Constants and functions: nobody writes them.
    Fixed,
    Local(usize),
    Made(usize),
    Outside,
}

/// A lock that is held: how, and of how many bytes it consists.
pub(super) type Held = BTreeMap<(usize, i64), (bool, u64)>;

#[derive(Clone, Default)]
pub(super) struct Point {
    pub thread: usize,
    pub rank: u64,
    /// Every way out of it leads to a larger rank: control comes here at most once in a thread.
    pub is_once: bool,
    pub held: Held,
    pub alive: BTreeSet<usize>,
    pub inside: bool,
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
}

#[derive(Clone, Debug)]
pub(super) enum Act {
    Go,
    Take { value: usize, alone: bool, kind: Kind },
    Give { before: usize, value: usize, kind: Kind },
    Reset { value: usize, kind: Kind },
    Again { from: usize, value: usize },
    Access(Access),
    Text(Vec<usize>),
    Start { thread: usize },
    Join { value: usize },
    Section,
}

pub(super) struct Way {
    pub from: usize,
    pub to: usize,
    pub act: Act,
}

#[derive(Default)]
pub(super) struct Facts {
    pub about: Vec<(String, String)>,
    pub threads: Vec<Thread>,
    pub points: Vec<Point>,
    pub objects: Vec<Object>,
    pub values: Vec<Vec<(usize, Offset)>>,
    pub escaped: BTreeSet<usize>,
    pub leads: BTreeSet<(usize, usize)>,
    pub entries: Vec<(usize, usize)>,
    pub ways: Vec<Way>,
    pub overs: Vec<(usize, usize)>,
    pub detached: BTreeSet<usize>,
}

impl Facts {
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
            }
            "value" => {
                let places = self.places(words)?;
                self.values.push(places);
            }
            "held" => {
                let (point, object) = (self.point(words)?, self.index(words, self.objects.len())?);
                let (at, alone) = (words.number("an offset")?, is_alone(words)?);
                let bytes = words.number("its bytes")?;
                self.points[point].held.insert((object, at), (alone, bytes));
            }
            "inside" => {
                let point = self.point(words)?;
                self.points[point].inside = true;
            }
            "alive" | "left" | "before" | "escaped" => self.set(kind, words)?,
            "leads" | "detach" | "entry" | "over" => self.relation(kind, words)?,
            _ => self.way(kind, words)?,
        }
        Ok(())
    }

    fn index(&self, words: &mut Words<'_>, count: usize) -> Result<usize, Why> {
        named(words.word().ok_or(Why::Missing("a number"))?, count)
    }

    fn point(&self, words: &mut Words<'_>) -> Result<usize, Why> {
        self.index(words, self.points.len())
    }

    fn value(&self, words: &mut Words<'_>) -> Result<usize, Why> {
        self.index(words, self.values.len())
    }

    fn object(&self, words: &mut Words<'_>) -> Result<Object, Why> {
        Ok(match words.word().ok_or(Why::Missing("a kind"))? {
            "variable" => Object::Variable,
            "constant" | "function" => Object::Fixed,
            "outside" => Object::Outside,
            "local" => Object::Local(self.index(words, self.threads.len())?),
            "made" => Object::Made(self.point(words)?),
            word => return Err(Why::UnknownLine(word.to_owned())),
        })
    }

    fn places(&self, words: &mut Words<'_>) -> Result<Vec<(usize, Offset)>, Why> {
        let mut numbers: Vec<i64> = Vec::new();
        words.numbers(&mut numbers)?;
        let mut places = Vec::new();
        for place in numbers.chunks(3) {
            let &[object, base, stride] = place else { return Err(Why::Missing("a stride")) };
            let object = usize::try_from(object).ok().filter(|o| *o < self.objects.len());
            let object = object.ok_or_else(|| Why::NotANumber(place[0].to_string()))?;
            places.push((object, Offset { base: base.into(), stride: i128::from(stride).abs() }));
        }
        Ok(places)
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
            "leads" => {
                let count = self.objects.len();
                let pair = (self.index(words, count)?, self.index(words, count)?);
                self.leads.insert(pair);
            }
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
        if !is_way(kind) {
            return Err(Why::UnknownLine(kind.to_owned()));
        }
        let (from, to) = (self.point(words)?, self.point(words)?);
        let act = match kind {
            "go" => Act::Go,
            "section" => Act::Section,
            "take" => {
                Act::Take { value: self.value(words)?, alone: is_alone(words)?, kind: lock_kind(words)? }
            }
            "give" => {
                let before = self.point(words)?;
                Act::Give { before, value: self.value(words)?, kind: lock_kind(words)? }
            }
            "reset" => Act::Reset { value: self.value(words)?, kind: lock_kind(words)? },
            "again" => Act::Again { from: self.point(words)?, value: self.value(words)? },
            "text" => {
                let mut values = Vec::new();
                while let Some(word) = words.word() {
                    values.push(named(word, self.values.len())?);
                }
                Act::Text(values)
            }
            "join" => Act::Join { value: self.value(words)? },
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

    fn access(&self, words: &mut Words<'_>, is_of_lock: bool) -> Result<Access, Why> {
        let value = self.value(words)?;
        let len = match words.word().ok_or(Why::Missing("a length"))? {
            "-" => u64::MAX,
            word => word.parse().map_err(|_| Why::NotANumber(word.to_owned()))?,
        };
        let how = words.word().ok_or(Why::Missing("how"))?;
        let (is_write, is_number) = match how.to_ascii_lowercase().as_str() {
            "r" => (false, false),
            "w" => (true, false),
            "n" => (true, true),
            _ => return Err(Why::UnknownLine(how.to_owned())),
        };
        let is_atomic = how.chars().all(|c| c.is_ascii_uppercase());
        Ok(Access { value, len, is_write, is_atomic, is_number, is_of_lock })
    }
}

fn is_way(kind: &str) -> bool {
    let ways = ["go", "section", "take", "give", "reset", "again", "text", "join", "start", "access", "lock"];
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
