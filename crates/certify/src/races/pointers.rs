//! Points-to sets: the statements of the program through which addresses flow, and whether the sets of the file are
//! closed under them. Nothing is solved: each statement is checked once against the sets that it names.
//!
//! A value is a number, or an address, or *part* of an address: computed from it by more than adding an offset. A set
//! lists the places of all addresses that a value may be computed from. A value whose set lists places may still be a
//! number, so a set that is larger than necessary proves nothing that a smaller one would not. Comparisons are the
//! exception: `pair` and `equal` are the analysis's rules, and assume that a value is an address if its set lists
//! places. A larger set can satisfy them where a smaller one would not. That matters to programs that guess an address
//! as a number, or move a pointer out of its object. `order` and `subtract` rely on pointers being pointers, as the
//! analysis does.
//!
//! An address must not decide anything: no branch, no index, no size, and no comparison that reveals where an object
//! is. There are no rules for programs that do this, and they are rejected.

use super::facts::{Facts, Object};
use super::offset::Offset;
use crate::lines::Words;
use crate::rejected::Why;
use std::collections::BTreeMap;

/// Where a value may point. The empty set is that of numbers.
#[derive(Clone, Default, PartialEq, Eq, Debug)]
pub(super) struct Set {
    pub places: Vec<(usize, Offset)>,
    /// It may be part of an address.
    pub is_part: bool,
}

impl Set {
    fn is_number(&self) -> bool {
        self.places.is_empty() && !self.is_part
    }

    pub fn is_in(&self, other: &Set) -> bool {
        let is_there = |(object, offset): &(usize, Offset)| {
            other.places.iter().any(|place| place.0 == *object && offset.is_within(place.1))
        };
        (other.is_part || !self.is_part) && self.places.iter().all(is_there)
    }

    fn map(&self, f: impl Fn(Offset) -> Offset) -> Set {
        let places = self.places.iter().map(|(object, offset)| (*object, f(*offset)));
        Set { places: places.collect(), is_part: self.is_part }
    }

    fn anywhere(&self) -> Set {
        self.map(|_| Offset::ANY)
    }

    /// The result of an operation on it that is not modelled precisely.
    fn part(&self) -> Set {
        Set { is_part: !self.is_number(), ..self.anywhere() }
    }
}

/// By object and offset: the size of a cell in bytes, and the set of its values.
pub(super) type Cells = BTreeMap<usize, BTreeMap<Offset, (u64, usize)>>;

/// A statement; registers and operands are given as their claimed sets.
#[derive(Clone, Debug)]
pub(super) enum Statement {
    Number(Vec<usize>),
    Whole(Vec<usize>),
    Pair(usize, usize),
    Equal(usize, usize),
    Order(usize, usize),
    Copy { to: usize, from: usize },
    Move { to: usize, from: usize, by: Option<i64> },
    Index { to: usize, from: usize, scale: u64 },
    Part { to: usize, from: usize },
    Mask { to: usize, from: usize, mask: i64 },
    Tag { to: usize, from: usize, tag: i64 },
    Subtract { to: usize, from: usize, what: usize },
    Load { to: usize, at: usize, len: u64 },
    Store { at: usize, len: u64, from: usize },
    StorePart { at: usize, len: u64, from: usize },
    Fill { at: usize, from: usize },
    Transfer { to: usize, from: usize, len: Option<u64> },
    Calls { through: usize, functions: Vec<usize> },
    Formats { at: usize, texts: Vec<(usize, i64)> },
}

impl Facts {
    /// The statement of a line; `None`: it is another kind of line.
    pub fn statement(&mut self, kind: &str, words: &mut Words<'_>) -> Result<Option<Statement>, Why> {
        use Statement::*;
        Ok(Some(match kind {
            "number" => Number(self.operands(words)?),
            "whole" => Whole(self.operands(words)?),
            "pair" => Pair(self.value(words)?, self.value(words)?),
            "equal" => Equal(self.value(words)?, self.value(words)?),
            "order" => Order(self.value(words)?, self.value(words)?),
            "copy" => Copy { to: self.value(words)?, from: self.value(words)? },
            "move" => {
                let (to, from) = (self.value(words)?, self.value(words)?);
                Move { to, from, by: words.number_or_none("how far")? }
            }
            "index" => {
                let (to, from) = (self.value(words)?, self.value(words)?);
                Index { to, from, scale: words.number("a scale")? }
            }
            "part" => Part { to: self.value(words)?, from: self.value(words)? },
            "mask" => {
                let (to, from) = (self.value(words)?, self.value(words)?);
                Mask { to, from, mask: words.number("a mask")? }
            }
            "tag" => {
                let (to, from) = (self.value(words)?, self.value(words)?);
                Tag { to, from, tag: words.number("a tag")? }
            }
            "subtract" => {
                Subtract { to: self.value(words)?, from: self.value(words)?, what: self.value(words)? }
            }
            "load" => {
                let (to, at) = (self.value(words)?, self.value(words)?);
                Load { to, at, len: words.number_or_none("a length")?.unwrap_or(u64::MAX) }
            }
            "store" | "store-part" => {
                let (at, len) = (self.value(words)?, words.number("a length")?);
                let from = self.value(words)?;
                if kind == "store" { Store { at, len, from } } else { StorePart { at, len, from } }
            }
            "fill" => Fill { at: self.value(words)?, from: self.value(words)? },
            "transfer" => {
                let (to, from) = (self.value(words)?, self.value(words)?);
                Transfer { to, from, len: words.number_or_none("a length")? }
            }
            "calls" => {
                let (through, mut functions) = (self.value(words)?, Vec::new());
                words.numbers(&mut functions)?;
                Calls { through, functions }
            }
            "formats" => {
                let (at, mut numbers): (usize, Vec<i64>) = (self.value(words)?, Vec::new());
                words.numbers(&mut numbers)?;
                let texts = numbers.chunks_exact(2).filter_map(|t| Some((usize::try_from(t[0]).ok()?, t[1])));
                Formats { at, texts: texts.collect() }
            }
            _ => return Ok(None),
        }))
    }

    /// Whether the sets are closed under a statement.
    pub fn is_closed(&self, statement: &Statement) -> Result<(), Why> {
        use Statement::*;
        let set = |value: usize| &self.values[value];
        let unless = |is_fine: bool, what: &str| match is_fine {
            true => Ok(()),
            false => Err(Why::NotShown(what.to_owned())),
        };
        let whole = |value: usize| unless(!set(value).is_part, "a part of an address is used as an address");
        let includes = |to: usize, from: &Set| unless(from.is_in(set(to)), "a value has another address");
        match *statement {
            Number(ref values) => {
                unless(values.iter().all(|value| set(*value).is_number()), "an address decides something")
            }
            Whole(ref values) => values.iter().try_for_each(|value| whole(*value)),
            Pair(a, b) => {
                let is_pair = set(a).is_number() == set(b).is_number();
                unless(is_pair, "a number is compared with an address")
            }
            Equal(a, b) => unless(self.is_equality(set(a), set(b)), "a comparison tells of an address"),
            Order(a, b) => unless(self.is_order(set(a), set(b)), "a comparison tells of an address"),
            Copy { to, from } => includes(to, set(from)),
            Move { to, from, by } => {
                includes(to, &set(from).map(|o| by.map_or(Offset::ANY, |by| o.plus(by))))
            }
            Index { to, from, scale } => includes(to, &set(from).map(|o| o.strided(scale))),
            Part { to, from } => includes(to, &set(from).part()),
            Mask { to, from, mask } => includes(to, &self.masked(set(from), mask)),
            Tag { to, from, tag } => {
                let is_tag = !set(from).is_part && (0..self.alignment(set(from))).contains(&tag);
                includes(to, &if is_tag { set(from).anywhere() } else { set(from).part() })
            }
            Subtract { to, from, what } => {
                if self.is_in_one_variable(set(from), set(what)) {
                    return Ok(());
                }
                includes(to, &set(from).part())?;
                includes(to, &set(what).part())
            }
            Load { to, at, len } => {
                whole(at)?;
                unless(self.is_loaded(set(to), set(at), len), "memory holds another address")
            }
            Store { at, len, from } => {
                whole(at)?;
                let is_stored = set(at).places.iter().all(|place| self.is_there(*place, len, set(from)));
                unless(is_stored, "another address is stored")
            }
            StorePart { at, len, from } => {
                whole(at)?;
                let part = set(from).part();
                let is_stored = set(at).places.iter().all(|place| self.is_there(*place, len, &part));
                unless(is_stored, "another address is stored")
            }
            Fill { at, from } => {
                whole(at)?;
                let part = set(from).part();
                let is_stored =
                    set(at).places.iter().all(|(o, _)| self.is_there((*o, Offset::ANY), 1, &part));
                unless(is_stored, "another address is stored")
            }
            Transfer { to, from, len } => {
                whole(to)?;
                whole(from)?;
                unless(self.is_transferred(set(to), set(from), len), "another address is copied")
            }
            Calls { through, ref functions } => {
                whole(through)?;
                let is_known = |(object, _): &(usize, Offset)| match self.objects[*object] {
                    Object::Function => functions.contains(object),
                    Object::Outside => false,
                    _ => true,
                };
                unless(set(through).places.iter().all(is_known), "another function is called")
            }
            Formats { at, ref texts } => {
                let is_known = |(object, offset): &(usize, Offset)| {
                    offset.as_exact().is_some_and(|at| texts.contains(&(*object, at)))
                };
                unless(set(at).places.iter().all(is_known), "another format is used")
            }
        }
    }

    /// The alignment that all these objects have.
    fn alignment(&self, set: &Set) -> i64 {
        set.places.iter().map(|(object, _)| self.alignments[*object]).min().unwrap_or(1)
    }

    /// A tag, an address without its tag, or part of one.
    fn masked(&self, set: &Set, mask: i64) -> Set {
        let free = 0..self.alignment(set);
        match (set.is_part, free.contains(&mask), free.contains(&!mask)) {
            (false, true, _) => Set::default(),
            (_, _, true) => set.anywhere(),
            _ => set.part(),
        }
    }

    /// Pointers to different objects are not equal unless one of them has left its object.
    fn is_equality(&self, a: &Set, b: &Set) -> bool {
        let is_exact = |set: &Set| set.places.iter().all(|(_, offset)| offset.as_exact().is_some());
        let is_common = a.places.iter().any(|here| b.places.iter().any(|there| here.0 == there.0));
        let is_one = is_common || is_exact(a) && is_exact(b);
        !a.is_part && !b.is_part && (a.is_number() || b.is_number() || is_one)
    }

    fn is_order(&self, a: &Set, b: &Set) -> bool {
        let is_null = a.is_number() && !b.is_part || b.is_number() && !a.is_part;
        is_null || self.is_in_one_variable(a, b)
    }

    fn is_in_one_variable(&self, a: &Set, b: &Set) -> bool {
        let mut all = a.places.iter().chain(&b.places).map(|place| place.0);
        let Some(first) = all.next() else { return !a.is_part && !b.is_part };
        let is_variable = matches!(self.objects[first], Object::Variable | Object::Constant);
        is_variable && !a.is_part && !b.is_part && all.all(|object| object == first)
    }

    fn cells(&self, object: usize) -> impl Iterator<Item = (Offset, u64, &Set)> {
        let cells = self.cells.get(&object).into_iter().flatten();
        cells.map(|(offset, (len, value))| (*offset, *len, &self.values[*value]))
    }

    fn is_loaded(&self, to: &Set, at: &Set, len: u64) -> bool {
        at.places.iter().all(|(object, offset)| {
            self.cells(*object).filter(|(cell, size, _)| cell.overlaps(*size, *offset, len)).all(
                |(cell, size, held)| {
                    let is_shifted = cell.as_exact().zip(offset.as_exact()).is_some_and(|(a, b)| a != b);
                    let is_cut = !held.places.is_empty() && (len < size || is_shifted);
                    held.is_in(to) && (to.is_part || !is_cut)
                },
            )
        })
    }

    /// Whether memory may hold a value, according to its cells.
    fn is_there(&self, (object, offset): (usize, Offset), len: u64, value: &Set) -> bool {
        let cell = self.cells.get(&object).and_then(|cells| cells.get(&offset));
        value.is_number() || cell.is_some_and(|(size, held)| *size >= len && value.is_in(&self.values[*held]))
    }

    fn is_transferred(&self, to: &Set, from: &Set, len: Option<u64>) -> bool {
        from.places.iter().all(|(source, start)| {
            let is_copied = |at: Offset, size| len.is_none_or(|len| start.overlaps(len, at, size));
            self.cells(*source).filter(|(at, size, _)| is_copied(*at, *size)).all(|(at, size, held)| {
                to.places.iter().all(|(target, begin)| {
                    let is_known = len.is_some() || begin.as_exact().is_some() && begin == start;
                    let place = if is_known { begin.after_copy(*start, at) } else { Offset::ANY };
                    self.is_there((*target, place), size, held)
                })
            })
        })
    }

    /// The objects that an object may hold pointers to.
    pub fn leads_to(&self, object: usize) -> impl Iterator<Item = usize> {
        self.cells(object).flat_map(|(_, _, held)| &held.places).map(|place| place.0)
    }
}
