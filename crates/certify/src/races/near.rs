//! Locks near the data they protect. Which lock it is need not be known: locks that are held at the same distance from
//! the addresses of two accesses are the same lock, if both accesses have the same address.
//!
//! A *form* stands for an address that a function computes from certain registers. Two operands of one form are as far
//! apart as their offsets say, until one of these registers is assigned anew (`renew`).

use super::facts::{Act, FlowEdge, Form, Near};
use super::offset::Offset;
use super::pairs::Seen;
use super::rules::Rules;
use std::collections::BTreeMap;

impl Rules<'_> {
    /// Whether a lock near an address is held after an edge.
    pub fn is_near(&self, way: &FlowEdge, form: Form, near: Near) -> bool {
        let set = |value: usize| &self.facts.values[value];
        let before = match way.act {
            Act::Again { from, .. } => from,
            _ => way.from,
        };
        match &way.act {
            Act::Take { value, alone, kind, form: Some(taken) } if *taken == form => {
                set(*value).is_in(set(near.value)) && *alone == near.alone && kind.bytes() == near.bytes
            }
            Act::Anew(forms) | Act::Renew(forms) if forms.contains(&form.0) => false,
            act => {
                let kept = self.point(before).near.get(&form);
                let is_kept = kept.is_some_and(|kept| {
                    let is_same = kept.alone == near.alone && kept.bytes == near.bytes;
                    is_same && set(kept.value).is_in(set(near.value))
                });
                let mut places = set(near.value).places.iter();
                is_kept && !places.any(|(object, at)| self.is_lost(act, (*object, *at), near.bytes))
            }
        }
    }

    /// By distance in bytes from an access: the locks that are held, whether exclusively, and their sizes.
    fn beside(&self, object: usize, access: &Seen) -> BTreeMap<i64, (bool, u64)> {
        let point = self.point(access.point);
        let mut beside = BTreeMap::new();
        if let Some((form, offset)) = access.form {
            for ((_, at), near) in point.near.range((form, i64::MIN)..=(form, i64::MAX)) {
                beside.extend(at.checked_sub(offset).map(|apart| (apart, (near.alone, near.bytes))));
            }
        }
        for ((_, at), hold) in point.held.iter().filter(|(lock, _)| lock.0 == object) {
            let apart = access.offset.as_exact().and_then(|offset| at.checked_sub(offset));
            beside.extend(apart.filter(|_| access.len != u64::MAX).map(|apart| (apart, *hold)));
        }
        beside
    }

    /// Whether a lock near their common address excludes one of two accesses.
    pub fn is_excluded_near(&self, object: usize, a: &Seen, b: &Seen) -> bool {
        let has_none = |access: &Seen| access.form.is_none() && self.point(access.point).held.is_empty();
        if has_none(a) || has_none(b) || !a.offset.is_same_if_overlaps(a.len, b.offset, b.len) {
            return false;
        }
        let there = self.beside(object, b);
        self.beside(object, a).iter().any(|(apart, (alone, bytes))| {
            there.get(apart).is_some_and(|(other_alone, other_bytes)| {
                let place: Offset = a.offset.join(b.offset).plus(*apart);
                (*alone || *other_alone) && !self.is_broken(object, place, *bytes.max(other_bytes))
            })
        })
    }
}
