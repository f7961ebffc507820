//! The existence of a race, as one term: cell by cell, what each thread has done or is about to do there.

use super::{RaceForm, RaceKind, Races};
use std::collections::BTreeMap;
use tp_events::{CellId, PendingAccess, Query, ThreadId};
use tp_ir::PlaceId;
use tp_terms::{Term, Terms};

/// The conditions under which a thread accesses a cell, or is about to.
#[derive(Copy, Clone)]
struct AccessConditions {
    /// An ordinary write; an ordinary access; any write; any access.
    plain_write: Term,
    plain: Term,
    write: Term,
    any: Term,
}

impl AccessConditions {
    /// One of the two writes, and not both are atomic.
    fn conflicts(&self, other: &AccessConditions, terms: &mut Terms) -> Term {
        let pairs = [
            (self.plain_write, other.any),
            (self.any, other.plain_write),
            (self.plain, other.write),
            (self.write, other.plain),
        ];
        let nothing = terms.bool(false);
        pairs.into_iter().fold(nothing, |any, (x, y)| {
            let both = terms.and(x, y);
            terms.or(any, both)
        })
    }
}

type ByCell = BTreeMap<Option<CellId>, BTreeMap<Who, AccessConditions>>;

/// A thread and, if some races are excluded, the place of its access.
type Who = (ThreadId, Option<PlaceId>);

impl Races {
    /// By cell: what each thread does there, and under which condition.
    fn by_cell(&self, query: &mut Query<'_>, list: &[(PendingAccess, Term)]) -> ByCell {
        let terms = &mut query.terms;
        let nothing = terms.bool(false);
        let mut cells = ByCell::new();
        for &(touch, at) in list {
            let none =
                AccessConditions { plain_write: nothing, plain: nothing, write: nothing, any: nothing };
            let who = (touch.thread, (!self.left_out.is_empty()).then_some(touch.place));
            let entry = cells.entry(touch.cell).or_default().entry(who).or_insert(none);
            entry.any = terms.or(entry.any, at);
            if touch.is_write {
                entry.write = terms.or(entry.write, at);
            }
            if touch.is_plain {
                entry.plain = terms.or(entry.plain, at);
            }
            if touch.is_write && touch.is_plain {
                entry.plain_write = terms.or(entry.plain_write, at);
            }
        }
        cells
    }

    /// There is a race of some form.
    pub(super) fn any(&self, query: &mut Query<'_>) -> Term {
        let never = query.terms.bool(false);
        self.ways.iter().fold(never, |any, way| {
            let races = self.any_of(query, way);
            query.terms.or(any, races)
        })
    }

    fn any_of(&self, query: &mut Query<'_>, way: &RaceForm) -> Term {
        let (firsts, seconds) = (self.by_cell(query, &way.firsts), self.by_cell(query, &way.seconds));
        let mut goal = query.terms.bool(false);
        for (cell, seconds) in &seconds {
            for ((thread, at), a) in firsts.get(cell).into_iter().flatten() {
                for ((other, other_at), b) in seconds {
                    let is_twice = way.kind == RaceKind::Standing && other < thread;
                    let left_out = at.zip(*other_at).is_some_and(|(x, y)| self.is_left_out(x, y));
                    if other != thread && !is_twice && !left_out {
                        let both = a.conflicts(b, &mut query.terms);
                        goal = query.terms.or(goal, both);
                    }
                }
            }
        }
        goal
    }
}
