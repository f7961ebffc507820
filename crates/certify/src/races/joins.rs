//! Threads that have been joined: by an id that belongs to one thread only, or by a loop over an array of ids.
//!
//! A loop that has joined `base[i]` for every `i` of its range has joined every thread whose id was stored in one of
//! these elements, if nothing else writes to the array. Two arguments show that an id is there. Either each call that
//! starts a thread has an element of its own, at a known offset (`join-range`). Or one call is made in a loop with the
//! same range, once in each iteration, and stores the id in the element of this iteration (`join-alike`).

use super::facts::{Access, Act, Create, Object, Rounds};
use super::offset::Offset;
use super::rules::Rules;
use std::collections::BTreeSet;

impl Rules<'_> {
    /// The threads that have ended after an edge because it joins them.
    pub fn joined(&self, act: &Act) -> Vec<usize> {
        match act {
            Act::Join { value } => self.named(*value).into_iter().collect(),
            Act::JoinLoop { base, scale, entry, rounds } => {
                let is_once = self.point(*entry).is_once && self.single[self.point(*entry).thread];
                let over = self.swept(*base, *scale, *rounds).filter(|_| is_once);
                over.unwrap_or_default()
            }
            _ => Vec::new(),
        }
    }

    /// The only thread that has this id.
    fn named(&self, value: usize) -> Option<usize> {
        let (object, 0) = self.only(value)? else { return None };
        let mut threads = (0..self.single.len()).filter(|thread| self.may_have_id(*thread, object));
        let thread = threads.next()?;
        let is_its_own = self.own_id(thread) == Some(object) && self.single[thread];
        (is_its_own && self.is_unique(object)).then_some(thread)
    }

    fn may_have_id(&self, thread: usize, object: usize) -> bool {
        let mut starts = self.facts.threads[thread].starts.iter();
        starts.any(|(_, id)| self.facts.values[*id].places.iter().any(|place| place.0 == object))
    }

    /// The object that is allocated as the id of a thread and of no other, and is never detached.
    fn own_id(&self, thread: usize) -> Option<usize> {
        let [(_, id)] = self.facts.threads[thread].starts[..] else { return None };
        let (object, 0) = self.only(id)? else { return None };
        let is_detached = |value: &usize| self.facts.values[*value].places.iter().any(|p| p.0 == object);
        let mut others = (0..self.single.len()).filter(|other| *other != thread);
        let is_free = matches!(self.facts.objects[object], Object::Made(_))
            && !others.any(|other| self.may_have_id(other, object))
            && !self.facts.detached.iter().any(is_detached);
        is_free.then_some(object)
    }

    /// The threads whose ids are in the elements of an array that a loop visits.
    fn swept(&self, base: usize, scale: u64, rounds: Rounds) -> Option<Vec<usize>> {
        let (array, first) = self.only(base).filter(|(array, _)| self.is_unique(*array))?;
        let writers = self.writers(array, scale)?;
        let started = |create: &Create| -> Vec<usize> {
            let is_started = |thread: &usize| {
                let starts = &self.facts.threads[*thread].starts;
                starts.iter().all(|(point, _)| create.points.contains(point))
                    && self.own_id(*thread).is_some()
            };
            (0..self.single.len()).filter(is_started).collect()
        };
        match rounds {
            Rounds::Alike(create) => {
                let is_only = writers.len() == 1 && writers.contains(&create);
                is_only.then(|| started(&self.facts.creates[create]))
            }
            Rounds::Range(start, end) => {
                let (mut slots, mut over) = (BTreeSet::new(), Vec::new());
                for create in writers.iter().map(|writer| &self.facts.creates[*writer]) {
                    let at = self.only(create.id).filter(|(object, _)| *object == array)?.1;
                    let (distance, scale) = (i128::from(at) - i128::from(first), i128::from(scale));
                    let slot = distance.checked_div(scale).filter(|slot| slot * scale == distance)?;
                    if !slots.insert(slot) {
                        return None;
                    }
                    if (i128::from(start)..i128::from(end)).contains(&slot) {
                        over.extend(started(create).into_iter().filter(|thread| self.single[*thread]));
                    }
                }
                over.sort_unstable();
                Some(over)
            }
        }
    }

    /// The calls that write to an array, one element each; `None`: something else may write to it.
    fn writers(&self, array: usize, scale: u64) -> Option<BTreeSet<usize>> {
        let mut writers = BTreeSet::new();
        for way in &self.facts.edges {
            let Act::Access(Access { value, len, is_write: true, is_end: false, .. }) = &way.act else {
                continue;
            };
            let mut places = self.facts.values[*value].places.iter().filter(|place| place.0 == array);
            let is_in_place = |create: &Create, offset: Offset| {
                let id = self.only(create.id);
                id.is_none_or(|(object, at)| object == array && offset == Offset::exact(at))
            };
            if let Some((_, offset)) = places.next() {
                let is_of =
                    |create: &Create| create.points.contains(&way.from) && is_in_place(create, *offset);
                let writer = self.facts.creates.iter().position(is_of)?;
                if *len > scale || places.next().is_some() {
                    return None;
                }
                writers.insert(writer);
            }
        }
        Some(writers)
    }
}
