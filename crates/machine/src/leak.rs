//! Heap memory that nothing points to any more when the program ends.

use crate::memory::{Memory, Object, ObjectKind};
use crate::thread::Thread;
use crate::value::ObjectRef;
use std::collections::{BTreeMap, HashSet};

/// Live heap objects that cannot be reached from a global, a thread's own variables, or a running thread's stack,
/// in the order of their addresses.
pub fn unreachable<'a, 'p: 'a>(
    memory: &Memory,
    threads: impl Iterator<Item = &'a Thread<'p>>,
) -> Vec<ObjectRef> {
    let mut seen: HashSet<ObjectRef> = HashSet::new();
    let mut work: Vec<ObjectRef> = memory.live().filter(|(_, o)| is_root(o)).map(|(r, _)| r).collect();
    // The upper half of a wide number may look like an object; that only makes something reachable.
    for thread in threads {
        work.extend(thread.regs.iter().filter_map(|v| v.object()));
    }
    follow(memory, &mut work, &mut seen);
    // Pointers also lie where only their bytes are known: unaligned, or copied byte by byte.
    loop {
        let lost = lost(memory, &seen);
        if lost.is_empty() {
            return lost;
        }
        let ranges: BTreeMap<u64, (u64, ObjectRef)> = lost
            .iter()
            .map(|&r| (memory.object(r).base, (memory.object(r).base + memory.object(r).size.max(1), r)))
            .collect();
        let found = seen.iter().flat_map(|&r| addresses_in(memory, r)).filter_map(|address| {
            let (_, &(end, r)) = ranges.range(..=address).next_back()?;
            (address < end).then_some(r)
        });
        let mut work: Vec<ObjectRef> = found.collect();
        if work.is_empty() {
            return lost;
        }
        follow(memory, &mut work, &mut seen);
    }
}

/// Adds to `seen` everything that can be reached over known pointers.
fn follow(memory: &Memory, work: &mut Vec<ObjectRef>, seen: &mut HashSet<ObjectRef>) {
    while let Some(r) = work.pop() {
        if memory.is_live(r) && seen.insert(r) {
            work.extend(memory.pointers_in(r));
        }
    }
}

/// The user's live heap objects, in the order of their addresses.
pub fn left(memory: &Memory) -> Vec<ObjectRef> {
    lost(memory, &HashSet::new())
}

/// The user's live heap objects that were not seen, in the order of their addresses.
fn lost(memory: &Memory, seen: &HashSet<ObjectRef>) -> Vec<ObjectRef> {
    let heap = memory.live().filter(|(r, o)| o.kind == ObjectKind::Heap && !o.is_record && !seen.contains(r));
    let mut lost: Vec<ObjectRef> = heap.map(|(r, _)| r).collect();
    lost.sort_by_key(|r| memory.object(*r).base);
    lost
}

/// Every word of an object, at any offset, read as an address.
fn addresses_in(memory: &Memory, r: ObjectRef) -> impl Iterator<Item = u64> {
    let object = memory.object(r);
    let size = if matches!(object.kind, ObjectKind::Function(_)) { 0 } else { object.size };
    let word = memory.word_size() as usize;
    memory.bytes(r, 0, size).windows(word).map(|bytes| bytes.iter().rev().fold(0, |a, b| a << 8 | *b as u64))
}

fn is_root(o: &Object) -> bool {
    o.kind != ObjectKind::Heap
}
