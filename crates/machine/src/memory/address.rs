//! Addresses: where the kinds of objects lie, and which address a new heap object gets.
//!
//! A thread has an arena of its own on the heap, so that its addresses do not depend on what the others do meanwhile.
//! The first thread, threads beyond the number of arenas, and objects that do not fit into the arena of their thread
//! share the lower half of the heap.

use super::*;
/// Where the kinds of objects lie.
pub(super) struct AddressSpace {
    pub(super) functions: u64,
    pub(super) globals: u64,
    pub(super) heap: u64,
    /// Where the shared part of the heap ends and the arenas begin.
    pub(super) arenas: u64,
    pub(super) arena_size: u64,
    pub(super) heap_end: u64,
    pub(super) stacks: u64,
    pub(super) stack_size: u64,
    pub(super) stacks_end: u64,
}

pub(super) const ILP32: AddressSpace = AddressSpace {
    functions: 0x0804_8000,
    globals: 0x0900_0000,
    heap: 0x2000_0000,
    arenas: 0x6000_0000,
    arena_size: 0x100_0000,
    heap_end: 0xa000_0000,
    stacks: 0xa000_0000,
    stack_size: 0x4_0000,
    stacks_end: 0xffff_0000,
};
pub(super) const LP64: AddressSpace = AddressSpace {
    functions: 0x0040_0000,
    globals: 0x1000_0000,
    heap: 0x5555_0000_0000,
    arenas: 0x5d55_0000_0000,
    arena_size: 0x1_0000_0000,
    heap_end: 0x6555_0000_0000,
    stacks: 0x7000_0000_0000,
    stack_size: 0x1000_0000,
    stacks_end: 0x7fff_ffff_0000,
};

/// How much a thread has used of its arena.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct Arena {
    thread: u32,
    used: u64,
}

impl Arena {
    pub fn new(thread: u32) -> Arena {
        Arena { thread, used: 0 }
    }
}

impl Memory {
    /// An address in the arena of a thread, or in the shared part.
    pub(super) fn address_in(
        &mut self,
        arena: &mut Arena,
        size: u64,
        align: u64,
    ) -> Result<u64, OutOfMemory> {
        let layout = self.layout;
        if let Some(nth) = arena.thread.checked_sub(1) {
            let start = layout.arenas.saturating_add(layout.arena_size.saturating_mul(nth as u64));
            let base = (start + arena.used).checked_next_multiple_of(align);
            let end = base.and_then(|b| b.checked_add(size)?.checked_add(16));
            if let (Some(base), Some(end)) = (base, end)
                && end <= (start + layout.arena_size).min(layout.heap_end)
            {
                arena.used = end - start;
                return Ok(base);
            }
        }
        self.heap_address(size, align)
    }

    /// Addresses go up; at the end of the space they start again from below, around live objects.
    pub(super) fn heap_address(&mut self, size: u64, align: u64) -> Result<u64, OutOfMemory> {
        loop {
            let base = self.next_heap.next_multiple_of(align);
            let end = base.checked_add(size + 16).ok_or(OutOfMemory)?;
            if end > self.layout.arenas {
                if self.wrapped && self.next_heap == self.layout.heap {
                    return Err(OutOfMemory);
                }
                self.wrapped = true;
                self.next_heap = self.layout.heap;
                if size + 32 > self.layout.arenas - self.layout.heap {
                    return Err(OutOfMemory);
                }
                continue;
            }
            if self.wrapped
                && let Some((_, &(taken, _))) = self.heap.range(..end).next_back()
                && taken > base
            {
                self.next_heap = taken + 16;
                continue;
            }
            self.next_heap = end;
            return Ok(base);
        }
    }
}
