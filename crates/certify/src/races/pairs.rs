//! Every two accesses: whether they may be in different threads, neither before the other, and whether a lock excludes
//! one of them.

use super::facts::{Access, Act, Form, Kind, Object, Point};
use super::offset::Offset;
use super::rules::{Bytes, Rules, shown};
use crate::rejected::Why;
use std::collections::{BTreeMap, BTreeSet};

/// An access, and the point that it is made from.
pub(super) struct Seen {
    pub point: usize,
    pub offset: Offset,
    pub len: u64,
    is_write: bool,
    is_atomic: bool,
    pub form: Option<Form>,
}

impl Rules<'_> {
    /// Whether no other thread runs.
    fn is_alone(&self, point: &Point) -> bool {
        point.thread == 0 && point.alive.is_empty()
    }

    pub fn breaks(&mut self) {
        let mut broken = Vec::new();
        for way in &self.facts.edges {
            let from = self.point(way.from);
            let held = |at: &Point, value: usize, form: &Option<Form>| {
                let is_named = |lock| at.held.contains_key(&lock) && self.is_unique(lock.0);
                self.only(value).is_some_and(is_named) || form.is_some_and(|form| at.near.contains_key(&form))
            };
            let (value, len) = match &way.act {
                Act::Access(a) if a.is_write && !a.is_of_lock && (a.is_number || !self.is_alone(from)) => {
                    (a.value, a.len)
                }
                Act::Give { before: at, value, form, .. } | Act::Again { from: at, value, form }
                    if !held(self.point(*at), *value, form) =>
                {
                    (*value, 1)
                }
                Act::Reset { value, .. } if !self.is_alone(from) => (*value, 1),
                _ => continue,
            };
            let places = &self.facts.values[value].places;
            broken.extend(places.iter().map(|(object, offset)| match len {
                u64::MAX => (*object, Offset::ANY, len),
                _ => (*object, *offset, len),
            }));
        }
        self.broken = broken;
    }

    /// Breaks locks that overlap, unless they have the same kind and offset.
    pub fn kinds(&mut self) {
        let mut used: Vec<(usize, Offset, Kind)> = Vec::new();
        for way in &self.facts.edges {
            let (value, kind) = match way.act {
                Act::Take { value, kind, .. }
                | Act::Try { value, kind, .. }
                | Act::Give { value, kind, .. }
                | Act::Reset { value, kind } => (value, kind),
                Act::Again { value, .. } => (value, Kind::Mutex),
                _ => continue,
            };
            for (object, offset) in &self.facts.values[value].places {
                if !used.contains(&(*object, *offset, kind)) {
                    used.push((*object, *offset, kind));
                }
            }
        }
        for (i, (object, offset, kind)) in used.iter().enumerate() {
            if !offset.is_same_if_overlaps(kind.bytes(), *offset, kind.bytes()) {
                self.broken.push((*object, *offset, kind.bytes()));
            }
            for (other, at, other_kind) in &used[i + 1..] {
                let (len, other_len) = (kind.bytes(), other_kind.bytes());
                let is_one = kind == other_kind && offset.is_same_if_overlaps(len, *at, other_len);
                if object == other && !is_one && offset.overlaps(len, *at, other_len) {
                    self.broken.extend([(*object, *offset, len), (*object, *at, other_len)]);
                }
            }
        }
    }

    fn accesses(&self) -> BTreeMap<usize, Vec<Seen>> {
        let mut all: BTreeMap<usize, Vec<Seen>> = BTreeMap::new();
        let facts = self.facts;
        for way in &facts.edges {
            let is_inside = self.point(way.from).inside > 0;
            let mut see = |object: usize, offset, len, is_write, is_atomic, form| {
                let is_fixed = matches!(facts.objects[object], Object::Constant | Object::Function);
                if facts.escaped.contains(&object) && !is_fixed && len > 0 {
                    let is_atomic = is_atomic || is_inside;
                    let seen = Seen { point: way.from, offset, len, is_write, is_atomic, form };
                    all.entry(object).or_default().push(seen);
                }
            };
            match &way.act {
                Act::Access(Access { value, len, is_write, is_atomic, form, .. }) => {
                    for &(object, offset) in &facts.values[*value].places {
                        let (offset, form) = match *len {
                            u64::MAX => (Offset::ANY, None),
                            _ => (offset, *form),
                        };
                        see(object, offset, *len, *is_write, *is_atomic, form);
                    }
                }
                Act::Text(values) => {
                    let mut found: BTreeSet<usize> =
                        values.iter().flat_map(|v| &facts.values[*v].places).map(|place| place.0).collect();
                    for _ in 0..2 {
                        let next: Vec<usize> = found.iter().flat_map(|from| facts.leads_to(*from)).collect();
                        found.extend(next);
                    }
                    found
                        .into_iter()
                        .for_each(|object| see(object, Offset::ANY, u64::MAX, false, false, None));
                }
                _ => {}
            }
        }
        all
    }

    pub fn pairs(&self) -> Result<(u64, u64), Why> {
        let all = self.accesses();
        let (mut accesses, mut pairs) = (0, 0);
        for (object, list) in &all {
            accesses += list.len() as u64;
            for (i, a) in list.iter().enumerate().filter(|_| list.iter().any(|a| a.is_write)) {
                for b in &list[i..] {
                    pairs += 1;
                    let conflict = (a.is_write || b.is_write) && !(a.is_atomic && b.is_atomic);
                    if conflict
                        && a.offset.overlaps(a.len, b.offset, b.len)
                        && self.is_parallel(a, b)
                        && !self.is_excluded(a, b)
                        && !self.is_excluded_near(*object, a, b)
                    {
                        let (p, q) = (a.point, b.point);
                        return Err(shown(format!(
                            "accesses to object {object} at points {p} and {q} may race"
                        )));
                    }
                }
            }
        }
        Ok((accesses, pairs))
    }

    fn is_excluded(&self, a: &Seen, b: &Seen) -> bool {
        let (here, there) = (&self.point(a.point).held, &self.point(b.point).held);
        here.iter().any(|(lock, (alone, bytes))| {
            there.get(lock).is_some_and(|(other_alone, other_bytes)| {
                let at = Offset::exact(lock.1);
                let size = *bytes.max(other_bytes);
                (*alone || *other_alone) && !self.is_broken(lock.0, at, size)
            })
        })
    }

    /// Whether a lock there excludes no other thread.
    pub fn is_broken(&self, object: usize, at: Offset, bytes: u64) -> bool {
        let is_hit = |b: &Bytes| b.0 == object && b.1.overlaps(b.2, at, bytes);
        self.broken.iter().any(is_hit)
    }

    /// Whether two accesses may be in different threads, neither before the other.
    fn is_parallel(&self, a: &Seen, b: &Seen) -> bool {
        let (p, q) = (self.point(a.point), self.point(b.point));
        if p.thread == q.thread {
            return !self.single[p.thread];
        }
        if self.leads_to(p.thread, q.thread) {
            return !self.single[p.thread] || p.alive.contains(&q.thread);
        }
        if self.leads_to(q.thread, p.thread) {
            return !self.single[q.thread] || q.alive.contains(&p.thread);
        }
        let Some((common, of_p, of_q)) = self.fork(p.thread, q.thread) else { return true };
        !self.single[common]
            || self.facts.threads[of_q].before.contains(&p.thread)
            || self.facts.threads[of_p].before.contains(&q.thread)
    }

    /// The nearest common ancestor, and the threads it started that lead to each.
    fn fork(&self, a: usize, b: usize) -> Option<(usize, usize, usize)> {
        let mut of_a = BTreeMap::new();
        let mut at = a;
        while let Some(parent) = self.facts.threads[at].parent {
            of_a.insert(parent, at);
            at = parent;
        }
        let mut at = b;
        while let Some(parent) = self.facts.threads[at].parent {
            if let Some(&started) = of_a.get(&parent) {
                return Some((parent, started, at));
            }
            at = parent;
        }
        None
    }
}
