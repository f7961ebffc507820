//! Reads the lines of a certificate about races, and checks that what they name exists.

use super::facts::{
    Access, Act, Create, Facts, FlowEdge, Form, Kind, Near, Object, Point, Rounds, Thread, Tried,
};
use super::offset::Offset;
use super::pointers::Set;
use crate::lines::Words;
use crate::rejected::Why;
use std::collections::BTreeSet;

impl Facts {
    pub fn line(&mut self, kind: &str, words: &mut Words<'_>) -> Result<(), Why> {
        match kind {
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
            "near" => {
                let (point, form) = (self.point(words)?, words.number("a form")?);
                let (at, alone) = (words.number("an offset")?, is_alone(words)?);
                let near = Near { alone, bytes: words.number("its bytes")?, value: self.value(words)? };
                self.points[point].near.insert((form, at), near);
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
            "zero" => Act::Zero { register: words.number("a register")? },
            "try" => {
                let (value, alone) = (self.value(words)?, is_alone(words)?);
                Act::Try { value, alone, kind: lock_kind(words)?, register: words.number("a register")? }
            }
            "enter" => Act::Enter,
            "leave" => Act::Leave,
            "take" => {
                let (value, alone) = (self.value(words)?, is_alone(words)?);
                Act::Take { value, alone, kind: lock_kind(words)?, form: form(words)? }
            }
            "give" => {
                let before = self.point(words)?;
                let value = self.value(words)?;
                Act::Give { before, value, kind: lock_kind(words)?, form: form(words)? }
            }
            "reset" => Act::Reset { value: self.value(words)?, kind: lock_kind(words)? },
            "again" => Act::Again { from: self.point(words)?, value: self.value(words)?, form: form(words)? },
            "renew" | "anew" => {
                let mut forms = Vec::new();
                words.numbers(&mut forms)?;
                if kind == "renew" { Act::Renew(forms) } else { Act::Anew(forms) }
            }
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
        self.edges.push(FlowEdge { from, to, act });
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
        Ok(Access { value, len, is_write, is_atomic, is_number, is_of_lock, is_end, form: form(words)? })
    }
}

fn is_way(kind: &str) -> bool {
    let edges = [
        "go",
        "anew",
        "renew",
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
    edges.contains(&kind)
}

fn named(word: &str, count: usize) -> Result<usize, Why> {
    let number: Option<usize> = word.parse().ok();
    number.filter(|n| *n < count).ok_or_else(|| Why::NotANumber(word.to_owned()))
}

/// The form of the operand of a line, if it has one.
fn form(words: &mut Words<'_>) -> Result<Option<Form>, Why> {
    match words.word() {
        None => Ok(None),
        Some(word) => {
            let form = word.parse().map_err(|_| Why::NotANumber(word.to_owned()))?;
            Ok(Some((form, words.number("an offset")?)))
        }
    }
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
