//! Heap memory that nothing points to any more when the program ends.

use crate::memory::{Memory, Object, ObjectKind};
use crate::thread::Thread;
use crate::value::ObjectRef;
use std::collections::HashSet;

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
    while let Some(r) = work.pop() {
        if memory.is_live(r) && seen.insert(r) {
            work.extend(memory.pointers_in(r));
        }
    }
    let mut lost: Vec<ObjectRef> = memory
        .live()
        .filter(|(r, o)| o.kind == ObjectKind::Heap && !seen.contains(r))
        .map(|(r, _)| r)
        .collect();
    lost.sort_by_key(|r| memory.object(*r).base);
    lost
}

fn is_root(o: &Object) -> bool {
    o.kind != ObjectKind::Heap
}
