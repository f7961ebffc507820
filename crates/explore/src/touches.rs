//! What a step touched, with a summary that rules out most conflicts at once.

use crate::memo::ReadFingerprint;
use std::rc::Rc;
use tp_machine::Touch;

#[derive(Debug)]
pub struct Touches {
    pub list: Box<[Touch]>,
    /// Reads of what the step itself had not written before.
    pub foreign: Box<[Touch]>,
    /// Objects that were found to exist, or not, without their contents being read.
    pub found: Box<[Touch]>,
    /// A fingerprint of all that was read.
    pub seen: ReadFingerprint,
    /// Bloom filters: a bit for each eight bytes that are read or written.
    read: u64,
    written: u64,
}

impl Touches {
    pub fn new(list: impl Into<Box<[Touch]>>) -> Rc<Touches> {
        let list = list.into();
        let (mut read, mut written, mut seen) = (0, 0, ReadFingerprint::default());
        for touch in &list {
            let bits = summary(touch);
            if touch.reads {
                read |= bits;
                seen = seen.with(touch.key).with(touch.offset << 20 ^ touch.len).with(touch.seen);
            }
            if touch.writes {
                written |= bits;
            }
        }
        let (foreign, found) = (foreign(&list), found(&list));
        Rc::new(Touches { list, foreign, found, seen, read, written })
    }

    /// What one of several steps touches. Foreign reads come first, so that none is taken for a read of what another
    /// step has written.
    pub fn of_any(steps: &[Rc<Touches>]) -> Rc<Touches> {
        if let [one] = steps {
            return one.clone();
        }
        let mut all: Vec<Touch> = Vec::new();
        let first = steps.iter().flat_map(|touches| touches.foreign.iter());
        for touch in first.chain(steps.iter().flat_map(|touches| touches.list.iter())) {
            if !all.contains(touch) {
                all.push(*touch);
            }
        }
        Touches::new(all)
    }

    pub fn reads_something(&self) -> bool {
        self.read != 0
    }

    pub fn writes_something(&self) -> bool {
        self.written != 0
    }

    /// It has found that an object has ended.
    pub fn finds_something_gone(&self) -> bool {
        self.list.iter().any(|t| t.reads && t.seen == Touch::IS_GONE)
    }

    pub fn conflicts(&self, other: &Touches) -> bool {
        let (mine, theirs) = (self.read | self.written, other.read | other.written);
        (self.written & theirs | mine & other.written) != 0
            && self.list.iter().any(|a| other.list.iter().any(|b| a.conflicts(b)))
    }

    /// Whether accesses of both would be a data race if nothing ordered them.
    pub fn may_race(&self, other: &Touches) -> bool {
        self.conflicts(other)
            && self.list.iter().any(|x| other.list.iter().any(|y| (x.plain || y.plain) && x.conflicts(y)))
    }

    /// Whether it writes what the other reads.
    pub fn disturbs(&self, reader: &Touches) -> bool {
        self.written & reader.read != 0
            && self.list.iter().any(|w| w.writes && reader.list.iter().any(|r| r.reads && w.overlaps(r)))
    }
}

/// What a step reads that it has not written itself before.
fn foreign(list: &[Touch]) -> Box<[Touch]> {
    let is_foreign = |&(i, touch): &(usize, &Touch)| {
        let own = || list[..i].iter().any(|w| w.writes && w.overlaps(touch));
        !touch.reads_no_contents() && !own()
    };
    list.iter().enumerate().filter(is_foreign).map(|(_, touch)| *touch).collect()
}

/// The objects that a step has found to exist, or not, without reading their contents.
fn found(list: &[Touch]) -> Box<[Touch]> {
    let is_found = |&(i, touch): &(usize, &Touch)| {
        let own = || list[..i].iter().any(|w| w.ends && w.overlaps(touch));
        touch.reads_no_contents() && touch.may_end() && !own()
    };
    list.iter().enumerate().filter(is_found).map(|(_, touch)| *touch).collect()
}

fn summary(touch: &Touch) -> u64 {
    let (first, last) = (touch.offset / 8, (touch.offset + touch.len - 1) / 8);
    if last - first >= 8 {
        return u64::MAX;
    }
    let bit = |granule: u64| {
        let mixed = (touch.key ^ granule << 20).wrapping_mul(0x9e37_79b9_7f4a_7c15);
        1u64 << (mixed >> 58)
    };
    (first..=last).fold(0, |bits, granule| bits | bit(granule))
}
