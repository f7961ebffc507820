//! Addresses: where the kinds of objects lie, and which address a new heap object gets.

use super::*;
/// Where the kinds of objects lie.
pub(super) struct Layout {
    pub(super) functions: u64,
    pub(super) globals: u64,
    pub(super) heap: u64,
    pub(super) heap_end: u64,
    pub(super) stacks: u64,
    pub(super) stack_size: u64,
    pub(super) stacks_end: u64,
}

pub(super) const ILP32: Layout = Layout {
    functions: 0x0804_8000,
    globals: 0x0900_0000,
    heap: 0x2000_0000,
    heap_end: 0xa000_0000,
    stacks: 0xa000_0000,
    stack_size: 0x4_0000,
    stacks_end: 0xffff_0000,
};
pub(super) const LP64: Layout = Layout {
    functions: 0x0040_0000,
    globals: 0x1000_0000,
    heap: 0x5555_0000_0000,
    heap_end: 0x6555_0000_0000,
    stacks: 0x7000_0000_0000,
    stack_size: 0x1000_0000,
    stacks_end: 0x7fff_ffff_0000,
};

impl Memory {
    /// Addresses go up; when the space ends they start again from below, around what is live.
    pub(super) fn heap_address(&mut self, size: u64, align: u64) -> Result<u64, OutOfMemory> {
        loop {
            let base = self.next_heap.next_multiple_of(align);
            let end = base.checked_add(size + 16).ok_or(OutOfMemory)?;
            if end > self.layout.heap_end {
                if self.wrapped && self.next_heap == self.layout.heap {
                    return Err(OutOfMemory);
                }
                self.wrapped = true;
                self.next_heap = self.layout.heap;
                if size + 32 > self.layout.heap_end - self.layout.heap {
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
