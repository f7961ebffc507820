//! The values that cells can have, and where they point if they are addresses.

use crate::knowledge::{FactId, Knowledge, ObjectKey};
use rustc_hash::{FxHashMap, FxHashSet};
use tp_terms::Term;

/// What is known of terms that were read from memory, got a name, or stand for unwritten memory.
#[derive(Default)]
pub(crate) struct KnownValues {
    values: FxHashMap<Term, Values>,
    /// For unknowns that are a part of such a term: that term, and their lowest bit in it.
    parts: FxHashMap<Term, (Term, u32)>,
    /// Unknowns that stand for memory that nobody has written.
    unwritten: FxHashSet<Term>,
}

impl KnownValues {
    pub fn of(&self, t: Term) -> Option<&Values> {
        self.values.get(&t)
    }

    pub fn set(&mut self, t: Term, values: Values) {
        self.values.insert(t, values);
    }

    /// The term that this one is a part of, and its lowest bit there.
    pub fn whole(&self, part: Term) -> Option<(Term, u32)> {
        self.parts.get(&part).copied()
    }

    pub fn set_part(&mut self, part: Term, whole: Term, low: u32) {
        self.parts.insert(part, (whole, low));
    }

    pub fn is_unwritten(&self, t: Term) -> bool {
        self.unwritten.contains(&t)
    }

    pub fn set_unwritten(&mut self, t: Term) {
        self.unwritten.insert(t);
    }
}

/// The values that a cell can have.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(crate) enum Values {
    /// One of these, ascending.
    Few(Vec<u128>),
    Any(Addresses),
}

/// Where a value can point, if it is an address. Memory that was never written points nowhere: to dereference what is
/// read there is undefined.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub(crate) struct Addresses {
    /// To one of these, ascending.
    pub exact: Vec<u64>,
    /// Or anywhere into one of these, ascending.
    pub objects: Vec<ObjectKey>,
    /// Or it is a number from outside, such as an input.
    pub elsewhere: bool,
}

impl Addresses {
    pub fn add(&mut self, other: &Addresses) {
        self.exact.extend(&other.exact);
        self.objects.extend(&other.objects);
        self.elsewhere |= other.elsewhere;
    }

    pub fn is_nowhere(&self) -> bool {
        self.exact.is_empty() && self.objects.is_empty()
    }
}

/// More values than this are widened to any value.
pub(crate) const FEW: usize = 16;
/// More addresses than this in a value are widened to their objects.
const EXACT: usize = 512;
/// How far outside of its object an address may lie: programs compute the start of a structure from the address of a
/// member, even where there is no such structure. Between two objects there is twice as much room, so that it is clear
/// which one is meant.
pub(crate) const OUTSIDE: u64 = 4096;
/// Values that grow in more passes than this, as those of a counter do, are widened to any value.
const GROWS: u32 = 5;
/// The same for addresses, with more patience: linked lists grow over many passes.
const ADDRESSES_GROW: u32 = 40;

impl Knowledge {
    /// The object that an address lies in, or is the end of.
    pub fn object_at(&self, address: u64) -> Option<ObjectKey> {
        let at = self.objects.partition_point(|o| o.base <= address).checked_sub(1)?;
        let row = &self.objects[at];
        (address - row.base <= row.size).then_some(ObjectKey(at as u32))
    }

    /// The object that an address lies in, or a little outside of.
    pub fn object_near(&self, address: u64) -> Option<ObjectKey> {
        let next = self.objects.partition_point(|o| o.base <= address.saturating_add(OUTSIDE));
        let at = next.checked_sub(1)?;
        let row = &self.objects[at];
        (address < row.base.saturating_add(row.size).saturating_add(OUTSIDE)).then_some(ObjectKey(at as u32))
    }

    /// The number as an address, if it lies in or near an object.
    pub fn as_address(&self, value: u128) -> Option<u64> {
        u64::try_from(value).ok().filter(|&a| self.object_near(a).is_some())
    }

    /// The objects that a value can point into, ascending.
    pub fn objects_in(&self, all: &Addresses) -> Vec<ObjectKey> {
        let exact = all.exact.iter().filter_map(|&a| self.object_near(a));
        let mut objects: Vec<_> = all.objects.iter().copied().chain(exact).collect();
        objects.sort_unstable();
        objects.dedup();
        objects
    }

    /// Sorts, without duplicates. Too many exact addresses, or all if `forget`, are widened to their objects.
    pub fn tidy(&self, all: &mut Addresses, forget: bool) {
        all.exact.sort_unstable();
        all.exact.dedup();
        if forget || all.exact.len() > EXACT {
            all.objects = self.objects_in(all);
            all.exact.clear();
        }
        all.objects.sort_unstable();
        all.objects.dedup();
        let inside = |a: &u64| self.object_near(*a).is_some_and(|o| all.objects.binary_search(&o).is_ok());
        all.exact.retain(|a| !inside(a));
    }

    /// Whether the known values include the new ones.
    fn is_known(&self, known: &Values, new: &Values) -> bool {
        let in_exact = |all: &Addresses, a: u64| {
            let object = || self.object_near(a);
            all.exact.binary_search(&a).is_ok()
                || object().is_some_and(|o| all.objects.binary_search(&o).is_ok())
        };
        match (known, new) {
            (Values::Few(known), Values::Few(new)) => new.iter().all(|v| known.binary_search(v).is_ok()),
            (Values::Few(_), Values::Any(_)) => false,
            (Values::Any(known), Values::Few(new)) => {
                new.iter().filter_map(|&v| self.as_address(v)).all(|a| in_exact(known, a))
            }
            (Values::Any(known), Values::Any(new)) => {
                (known.elsewhere || !new.elsewhere)
                    && new.objects.iter().all(|o| known.objects.binary_search(o).is_ok())
                    && new.exact.iter().all(|&a| in_exact(known, a))
            }
        }
    }

    fn addresses_in(&self, few: &[u128]) -> Addresses {
        let exact = few.iter().filter_map(|&v| self.as_address(v)).collect();
        Addresses { exact, ..Addresses::default() }
    }

    /// The cell can have these values too.
    pub fn holds(&mut self, cell: FactId, values: &Values) {
        let facts = self.facts_of(cell);
        if self.is_known(&facts.values, values) {
            return;
        }
        let growing = facts.grown.0;
        let mut new = match (&facts.values, values) {
            (Values::Few(a), Values::Few(b)) => Values::Few(a.iter().chain(b).copied().collect()),
            (Values::Few(a), Values::Any(b)) | (Values::Any(b), Values::Few(a)) => {
                let mut all = self.addresses_in(a);
                all.add(b);
                Values::Any(all)
            }
            (Values::Any(a), Values::Any(b)) => {
                let mut all = a.clone();
                all.add(b);
                Values::Any(all)
            }
        };
        if let Values::Few(few) = &mut new {
            few.sort_unstable();
            few.dedup();
            if few.len() > FEW || growing > GROWS {
                new = Values::Any(self.addresses_in(few));
            }
        }
        if let Values::Any(all) = &mut new {
            self.tidy(all, growing > ADDRESSES_GROW);
        }
        let pass = self.pass;
        let facts = self.facts_mut(cell);
        if facts.values != new {
            facts.values = new;
            if facts.grown.1 != pass {
                facts.grown = (facts.grown.0 + 1, pass);
            }
            self.changed = true;
        }
    }
}
