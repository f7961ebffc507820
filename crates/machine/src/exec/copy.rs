//! Copying and filling memory, in pieces where other threads can observe it.

use super::Done;
use crate::machine::{Machine, StepStop};
use crate::race::{Access, AccessKind};
use crate::thread::Thread;
use tp_ir::{MemoryOrder, Operand};

/// A copy that other threads can observe is done word by word, or in at most this many pieces if it is long.
const COPY_PIECES: u64 = 32;

impl<'p> Machine<'p, '_> {
    /// How many bytes of a copy or fill the next step does.
    pub(crate) fn piece(&self, atomic: bool, offset: u64, len: u64, done: u64) -> u64 {
        let left = len - done;
        if atomic {
            return left;
        }
        let word = self.program.data_model.pointer_width().bytes() as u64;
        if len > COPY_PIECES * word {
            return len.div_ceil(COPY_PIECES).next_multiple_of(word).min(left);
        }
        (word - offset % word).min(left)
    }

    pub(crate) fn copy(
        &mut self,
        t: &mut Thread<'p>,
        (dst, src): (Operand, Operand),
        len: u64,
        overlap: bool,
        permit: &mut bool,
    ) -> Result<Done, StepStop> {
        if len == 0 {
            return Ok(Done::Yes);
        }
        let Some(to) = self.find(t, dst, len, true, *permit)? else { return Ok(Done::NotYet) };
        let Some(from) = self.find(t, src, len, false, *permit)? else { return Ok(Done::NotYet) };
        let apart = to.0 != from.0 || to.1 + len <= from.1 || from.1 + len <= to.1;
        if !apart && to != from && !overlap {
            return Err(self.overlapping_copy(t));
        }
        let hidden = |m: &Self, r| !m.state.memory.object(r).reach().is_visible(true);
        let alone = t.atomic_depth > 0 || (hidden(self, to.0) && hidden(self, from.0));
        // Overlapping ranges are copied at once: pieces would read what they have written.
        let n = self.piece(alone || !apart, to.1 + t.copied, len, t.copied);
        let (to, from) = ((to.0, to.1 + t.copied), (from.0, from.1 + t.copied));
        let read = Access::new(from.1, n, AccessKind::Read, MemoryOrder::Plain);
        let write = Access::new(to.1, n, AccessKind::Write, MemoryOrder::Plain);
        if alone {
            self.reach(t, from.0, read, permit)?;
            self.reach(t, to.0, write, permit)?;
        } else {
            if !*permit {
                return Ok(Done::NotYet);
            }
            self.reach(t, from.0, read, permit)?;
            if *permit {
                self.reach(t, to.0, write, permit)?;
            } else if !hidden(self, to.0) {
                // Both halves of a piece are one step.
                self.watch.touched.accesses(&self.state.memory, to.0, &write, write.order);
                self.look_for(t, to.0, &write);
                self.further_access(t, to.0, &write)?;
            }
        }
        if self.is_open(from.0) {
            self.settle_unwritten(t, from.0, from.1, n)?;
        }
        self.state.memory.copy(to, from, n);
        Ok(self.piece_done(t, n, len))
    }

    pub(crate) fn fill(
        &mut self,
        t: &mut Thread<'p>,
        dst: Operand,
        byte: u8,
        len: u64,
        permit: &mut bool,
    ) -> Result<Done, StepStop> {
        if len == 0 {
            return Ok(Done::Yes);
        }
        let Some((r, offset)) = self.find(t, dst, len, true, *permit)? else { return Ok(Done::NotYet) };
        let object = self.state.memory.object(r);
        let n = self.piece(t.atomic_depth > 0 || object.private, offset + t.copied, len, t.copied);
        let access = Access::new(offset + t.copied, n, AccessKind::Write, MemoryOrder::Plain);
        if !self.reach(t, r, access, permit)? {
            return Ok(Done::NotYet);
        }
        self.state.memory.fill(r, offset + t.copied, n, byte);
        Ok(self.piece_done(t, n, len))
    }

    pub(crate) fn piece_done(&self, t: &mut Thread<'p>, n: u64, len: u64) -> Done {
        t.copied += n;
        if t.copied < len {
            return Done::Again;
        }
        t.copied = 0;
        Done::Yes
    }
}
