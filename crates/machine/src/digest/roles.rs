//! Interchangeable threads in a digest: which of them does what is left out.
//!
//! The caller knows sets of threads that can exchange everything that they do (`tp_analysis::symmetry`). If in some state
//! two of them exchange their stacks, the variables of their own, their locks and places in queues, the same can
//! happen as before. So the threads of a set get new numbers, in an order that only depends on what they are doing, and
//! the state is hashed with these numbers in place of the old ones. The numbers are those in the words that models
//! declare (`Memory::names_in`), and in the accesses that the caller adds. They must be nowhere else: the caller merges
//! no states once other code than that of these models has touched such a word, or has asked for the number of its
//! thread.
//!
//! The record that a model keeps of a thread belongs to that thread. Pointers to it all count as the same, whichever thread
//! of the set it is: nobody else does anything with them but joining these threads, and when that happens does not matter.
//! A thread that was joined, so that its record is freed, belongs to no set any more.
//!
//! The order has to be the same for states that only differ by an exchange, for them to get the same digest; but it is no
//! error if it is not.

use super::{Beside, Digests, Hasher, TrackedAccess, TrackedBytes};
use crate::memory::{Memory, ObjectState};
use crate::state::RunState;
use crate::touch::maker;
use crate::trace::ThreadNumber;
use crate::value::ObjectRef;
use tp_ir::Names;

/// Marks a record in the place of the number of an object.
pub const RECORD: u64 = 1 << 63;

/// Only the first threads have bits in words.
const WITH_BITS: ThreadNumber = 64;

/// A thread of a set.
#[derive(Copy, Clone, Debug)]
struct Member {
    set: u32,
    thread: ThreadNumber,
    record: ObjectRef,
}

/// A word that holds numbers of threads.
struct Word {
    object: ObjectRef,
    offset: u64,
    names: Names,
    value: u64,
}

/// Who does what.
#[derive(Default)]
pub struct Roles {
    members: Vec<Member>,
    /// By thread, its new number; others keep theirs.
    numbers: Vec<ThreadNumber>,
    /// The records of the members, by their new numbers.
    records: Vec<ObjectRef>,
}

impl Roles {
    pub fn number(&self, thread: ThreadNumber) -> ThreadNumber {
        self.numbers.get(thread as usize).copied().unwrap_or(thread)
    }

    pub fn records(&self) -> &[ObjectRef] {
        &self.records
    }

    pub fn set_of_record(&self, r: ObjectRef) -> Option<u32> {
        self.members.iter().find(|m| m.record == r).map(|m| m.set)
    }

    pub fn owner_of_record(&self, r: ObjectRef) -> Option<ThreadNumber> {
        self.members.iter().find(|m| m.record == r).map(|m| m.thread)
    }

    /// The key of an object, by the new number of the thread that made it.
    pub fn key(&self, key: u64) -> u64 {
        match maker(key) {
            Some(thread) => u64::from(self.number(thread) + 1) << 32 | key & u64::from(u32::MAX),
            None => key,
        }
    }

    /// Threads as bits, by their new numbers.
    pub fn bits(&self, mut bits: u64) -> u64 {
        if self.members.is_empty() {
            return bits;
        }
        let mut renamed = 0;
        while bits != 0 {
            renamed |= 1 << self.number(bits.trailing_zeros());
            bits &= bits - 1;
        }
        renamed
    }

    /// What a word holds, with the new numbers.
    pub fn names(&self, names: Names, value: u64) -> u64 {
        match names {
            Names::Bits => self.bits(value),
            Names::Number(plus) => match value.checked_sub(plus.into()) {
                Some(thread) if thread < self.numbers.len() as u64 => {
                    u64::from(self.number(thread as ThreadNumber)) + u64::from(plus)
                }
                _ => value,
            },
        }
    }
}

impl<'p> Digests<'p> {
    /// Gives the members of each set their new numbers.
    pub(super) fn find_roles(&mut self, state: &RunState<'p>, named: usize, beside: &Beside<'_>) {
        self.roles.numbers.clear();
        self.roles.records.clear();
        self.roles.members = members(state, beside.sets);
        if self.roles.members.is_empty() {
            return;
        }
        self.is_alone = true;
        let words: Vec<Word> =
            words(&state.memory).filter(|w| self.roles.set_of_record(w.object).is_none()).collect();
        let mut ranked: Vec<(u32, u128, Member)> = Vec::new();
        for i in 0..self.roles.members.len() {
            let member = self.roles.members[i];
            ranked.push((member.set, self.part_of(member, (state, named), &words, beside.tracked), member));
        }
        self.is_alone = false;
        ranked.sort_unstable_by_key(|(set, part, member)| (*set, *part, member.thread));
        // Sorted as well: by set, then by thread.
        let places = &self.roles.members;
        self.roles.numbers.extend(0..state.next_number.min(WITH_BITS));
        for ((_, _, member), place) in ranked.iter().zip(places) {
            self.roles.numbers[member.thread as usize] = place.thread;
        }
        self.roles.records.extend(ranked.iter().map(|(_, _, member)| member.record));
    }

    /// What a member is doing, without its number and without the numbers of objects.
    fn part_of(
        &mut self,
        member: Member,
        (state, named): (&RunState<'p>, usize),
        words: &[Word],
        tracked: &[(ThreadNumber, Vec<TrackedAccess<'_>>)],
    ) -> u128 {
        let memory = &state.memory;
        let mut hash = Hasher::new();
        if let Some(thread) = state.threads.iter().flatten().find(|t| t.number == member.thread) {
            hash.add(1);
            self.thread(memory, named, thread, &mut hash);
        }
        self.contents_and_pointers(memory, named, member.record, &mut hash);
        // Sums, since their order does not matter.
        let mut sum = 0u128;
        let bit = 1 << member.thread;
        for word in words {
            let is_named = match word.names {
                Names::Bits => word.value & bit != 0,
                Names::Number(plus) => word.value == u64::from(member.thread) + u64::from(plus),
            };
            if is_named {
                sum = sum.wrapping_add(self.place(memory, named, word.object, &[word.offset]));
            }
        }
        for (thread, accesses) in tracked {
            let is_own = *thread == member.thread;
            for access in accesses.iter().filter(|a| is_own || a.known & bit != 0) {
                let TrackedBytes { object, offset, len, writes } = access.bytes;
                let flags = [writes, access.is_first, is_own].map(u64::from);
                let words = [offset, len, access.known.count_ones().into(), access.locks.len() as u64];
                let place = self.place(memory, named, object, &[&words[..], &flags].concat());
                sum = sum.wrapping_add(place);
            }
        }
        hash.add(sum as u64);
        hash.add((sum >> 64) as u64);
        hash.finish()
    }

    /// A hash of an object and some words.
    fn place(&mut self, memory: &Memory, named: usize, r: ObjectRef, words: &[u64]) -> u128 {
        let mut hash = Hasher::new();
        if memory.is_live(r) {
            self.pointer(memory, named, memory.object(r).base, r, &mut hash);
        }
        words.iter().for_each(|word| hash.add(*word));
        hash.finish()
    }
}

/// The words that hold numbers of threads.
fn words(memory: &Memory) -> impl Iterator<Item = Word> {
    memory.with_names().flat_map(|object| {
        memory.names_in(object).map(move |(offset, names, value)| Word { object, offset, names, value })
    })
}

/// The members of sets of at least two, by set, then by thread.
fn members(state: &RunState<'_>, sets: &[Option<u32>]) -> Vec<Member> {
    let memory = &state.memory;
    let sets = sets.iter().zip(0..state.next_number.min(WITH_BITS));
    let mut members: Vec<Member> = sets
        .filter_map(|(set, thread)| {
            let record = state.records.get(thread as usize).copied().flatten()?;
            let is_live = memory.is_live(record) && memory.object(record).state == ObjectState::Live;
            is_live.then_some(Member { set: (*set)?, thread, record })
        })
        .collect();
    members.sort_unstable_by_key(|m| (m.set, m.thread));
    let all = members.clone();
    members.retain(|m| all.iter().filter(|other| other.set == m.set).count() > 1);
    members
}
