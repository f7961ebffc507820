//! Copying and filling memory, in the pieces in which the machine does it.

use crate::access::AccessInProgress;
use crate::memory::{Contents, LONGEST_CELL};
use crate::pass::{Alive, Pass};
use crate::spots::Spot;
use crate::state::State;
use crate::*;
use tp_ir::{BinOp, CmpOp, MemoryOrder, Property, Width};

/// As in the machine: a copy that others can observe is made in words, or in at most this many pieces if it is long.
const COPY_PIECES: u64 = 32;
/// An unknown length is followed up to this many bytes times the bound.
const LENGTHS: u128 = 16;
/// More bytes than this are a limit.
const MAX_BYTES: u128 = 1 << 20;

impl Pass<'_> {
    fn piece(&self, whole: bool, offset: u64, len: u64, done: u64) -> u64 {
        let left = len - done;
        if whole {
            return left;
        }
        let word = self.pointer_width().bytes() as u64;
        if len > COPY_PIECES * word {
            return len.div_ceil(COPY_PIECES).next_multiple_of(word).min(left);
        }
        (word - offset % word).min(left)
    }

    /// Does the work for each possible length; the paths are merged after it.
    pub fn by_length(
        &mut self,
        state: &mut State,
        len: Term,
        work: impl Fn(&mut Self, &mut State, u64) -> Alive<()>,
    ) -> Alive<()> {
        let lengths: Vec<u128> = match self.cases(len) {
            Some(cases) => cases.iter().map(|c| c.1).collect(),
            None => {
                let most = LENGTHS * self.config.bound as u128;
                let limit = self.out.terms.constant(self.out.terms.width(len), most);
                let longer = self.out.terms.compare(CmpOp::Ult, limit, len);
                self.limit_if(state, longer, LimitKind::Loop);
                (0..=most).collect()
            }
        };
        let mut merged: Option<State> = None;
        for length in lengths {
            let mut way = state.clone();
            let is_this = self.equals(len, length);
            if !way.guard.add(&mut self.out.terms, is_this) {
                continue;
            }
            if length > MAX_BYTES {
                self.limit(&way, LimitKind::Gap(Gap::LongCopy));
                continue;
            }
            if work(self, &mut way, length as u64)?.is_some() {
                merged = Some(match merged {
                    None => way,
                    Some(other) => self.merge(other, way).0,
                });
            }
        }
        Ok(merged.map(|after| *state = after))
    }

    /// Whether other threads cannot observe a copy to or from these spots.
    fn is_hidden(&self, spots: &[Spot]) -> bool {
        spots.iter().all(|s| self.objects[s.object].private || self.objects[s.object].constant)
    }

    /// Copies bytes. Unless they `may_overlap`, claims that source and destination are disjoint or the same.
    pub fn copy(
        &mut self,
        state: &mut State,
        (dst, src, len): (Term, Term, Term),
        may_overlap: bool,
    ) -> Alive<()> {
        self.by_length(state, len, |this, state, len| this.copy_bytes(state, (dst, src), len, may_overlap))
    }

    fn copy_bytes(
        &mut self,
        state: &mut State,
        (dst, src): (Term, Term),
        len: u64,
        may_overlap: bool,
    ) -> Alive<()> {
        if len == 0 {
            return Ok(Some(()));
        }
        let mut first = self.begin_access(state, MemoryOrder::Plain);
        let Some(to) = self.locate(state, dst, len, true, &mut first)? else { return Ok(None) };
        let Some(from) = self.locate(state, src, len, false, &mut first)? else { return Ok(None) };
        let (apart, same) = self.placed((dst, &to), (src, &from), len);
        if !may_overlap {
            let allowed = self.out.terms.or(apart, same);
            if self.claim(state, Property::OutOfBounds, allowed)?.is_none()
                || !state.guard.add(&mut self.out.terms, allowed)
            {
                return Ok(None);
            }
        }
        let places = (&to[..], &from[..]);
        if state.step.is_some() || (self.is_hidden(&to) && self.is_hidden(&from)) {
            self.copy_pieces(state, places, len, true, &first);
            return Ok(Some(()));
        }
        // An overlapping copy is made whole: later pieces would read what earlier ones have written.
        let mut within = state.clone();
        let overlaps = self.out.terms.not(apart);
        if within.guard.add(&mut self.out.terms, overlaps) {
            self.copy_pieces(&mut within, places, len, true, &first);
            if state.guard.add(&mut self.out.terms, apart) {
                self.copy_pieces(state, places, len, false, &first);
                within = self.merge(within, state.clone()).0;
            }
            *state = within;
        } else {
            self.copy_pieces(state, places, len, false, &first);
        }
        Ok(Some(()))
    }

    /// Whether two places have no byte in common, and whether they are the same. Objects do not overlap, so addresses
    /// decide.
    fn placed(&mut self, (dst, to): (Term, &[Spot]), (src, from): (Term, &[Spot]), len: u64) -> (Term, Term) {
        let (mut is_near, mut is_shifted) = (false, false);
        for (t, f) in to.iter().flat_map(|t| from.iter().map(move |f| (t, f))) {
            let meet = t.object == f.object && t.offset.abs_diff(f.offset) < len;
            is_near |= meet;
            is_shifted |= meet && t.offset != f.offset;
        }
        let is_fixed = to.len() == 1 && from.len() == 1;
        if !is_near || is_fixed {
            return (self.out.terms.bool(!is_near), self.out.terms.bool(is_near && !is_shifted));
        }
        let same = self.out.terms.eq(dst, src);
        if !is_shifted {
            return (self.out.terms.not(same), same);
        }
        let bytes = self.out.terms.constant(self.pointer_width(), len as u128);
        let mut is_behind = |a, b| {
            let distance = self.out.terms.binary(BinOp::Sub, a, b);
            self.out.terms.compare(CmpOp::Ule, bytes, distance)
        };
        let (after, before) = (is_behind(dst, src), is_behind(src, dst));
        (self.out.terms.and(after, before), same)
    }

    fn copy_pieces(
        &mut self,
        state: &mut State,
        (to, from): (&[Spot], &[Spot]),
        len: u64,
        whole: bool,
        first: &AccessInProgress,
    ) {
        let mut done = 0;
        while done < len {
            let n = self.piece(whole, to.first().map_or(0, |s| s.offset) + done, len, done);
            let mut access = first.next();
            self.copy_piece(state, (to, from), done, n, &mut access);
            self.end_access(state, access);
            done += n;
        }
    }

    fn copy_piece(
        &mut self,
        state: &mut State,
        (to, from): (&[Spot], &[Spot]),
        done: u64,
        n: u64,
        access: &mut AccessInProgress,
    ) {
        let mut values = Vec::new();
        for w in self.common_cuts(to, from, done, n).windows(2) {
            let (at, len) = (w[0], w[1] - w[0]);
            let mut value = None;
            for spot in from.iter().rev() {
                let here = Spot { offset: spot.offset + done + at, ..*spot };
                let part = self.read_part(state, &here, len, false, access);
                value = Some(match value {
                    Some(rest) => self.out.terms.ite(spot.condition, part, rest),
                    None => part,
                });
            }
            values.push((at, value));
        }
        for (at, value) in values {
            let Some(value) = value else { continue };
            for spot in to {
                let here = Spot { offset: spot.offset + done + at, ..*spot };
                self.write_part(state, &here, value, false, access);
            }
        }
    }

    /// Cuts both sides alike, wherever an access cuts one of them.
    fn common_cuts(&mut self, to: &[Spot], from: &[Spot], done: u64, n: u64) -> Vec<u64> {
        let mut cuts = vec![0, n];
        for spot in to.iter().chain(from) {
            let start = spot.offset + done;
            if let Some(known) = self.know.cuts.get(&self.objects[spot.object].site) {
                cuts.extend(known.range(start..start + n).map(|c| c - start));
            }
        }
        cuts.sort_unstable();
        cuts.dedup();
        for spot in to.iter().chain(from) {
            let start = spot.offset + done;
            let known = self.know.cuts.entry(self.objects[spot.object].site).or_default();
            known.extend(cuts.iter().map(|c| start + c));
        }
        let word = self.pointer_width().bytes() as u64;
        let mut parts = vec![0];
        for w in cuts.windows(2) {
            if w[1] - w[0] > LONGEST_CELL {
                parts.extend((w[0] + 1..w[1]).filter(|at| at.is_multiple_of(word)));
            }
            parts.push(w[1]);
        }
        parts
    }

    pub fn fill(&mut self, state: &mut State, dst: Term, byte: Term, len: Term) -> Alive<()> {
        if self.fills_new_object(state, dst, byte, len) {
            return Ok(Some(()));
        }
        self.by_length(state, len, |this, state, len| this.fill_bytes(state, dst, byte, len))
    }

    fn fill_bytes(&mut self, state: &mut State, dst: Term, byte: Term, len: u64) -> Alive<()> {
        if len == 0 {
            return Ok(Some(()));
        }
        let mut first = self.begin_access(state, MemoryOrder::Plain);
        let Some(to) = self.locate(state, dst, len, true, &mut first)? else { return Ok(None) };
        let byte = self.out.terms.extract(byte, 0, Width::W8);
        let private = to.iter().all(|s| self.objects[s.object].private);
        let whole = state.step.is_some() || private;
        let mut done = 0;
        while done < len {
            let n = self.piece(whole, to.first().map_or(0, |s| s.offset) + done, len, done);
            let mut access = first.next();
            for spot in &to {
                let start = spot.offset + done;
                let cuts = self.know.cuts.entry(self.objects[spot.object].site).or_default();
                cuts.extend([start, start + n]);
                let Some(cells) = self.cells_of(spot.object, start, n, false) else { continue };
                self.touch(state, spot, &cells, true, &access);
                for cell in cells.iter() {
                    let mut value = byte;
                    for _ in 1..self.out.cells[cell].bytes {
                        value = self.out.terms.concat(value, byte);
                    }
                    self.write_cell(state, cell, spot.condition, value, &mut access);
                }
            }
            self.end_access(state, access);
            done += n;
        }
        Ok(Some(()))
    }

    /// If all of the latest object is filled with zeros, as `calloc` does, these become its initial contents, whatever
    /// its size. Only within an atomic step, or before there are other threads, where nobody sees it happen.
    fn fills_new_object(&mut self, state: &State, dst: Term, byte: Term, len: Term) -> bool {
        let Some(made) = self.out.threads[self.thread.id].made.last() else { return false };
        let (object, is_here) = (made.object, made.guard == state.guard.term());
        let info = &self.objects[object];
        let is_whole = match info.exact_size {
            Some(size) => size == len,
            None => self.out.terms.as_const(len) == Some(info.size as u128),
        };
        let is_unseen = state.step.is_some() || !state.concurrent;
        // The number of steps is known only if the size is.
        let is_counted = state.step.is_some() || self.out.terms.as_const(len).is_some();
        if !is_here || !is_whole || !is_unseen || !is_counted || self.out.terms.as_const(byte) != Some(0) {
            return false;
        }
        if self.out.terms.as_const(dst) != Some(info.base as u128) {
            return false;
        }
        // Threads executed earlier in this pass may have used the object.
        let cells: Vec<CellId> = info.cells.values().copied().collect();
        for cell in cells {
            let width = Self::width_of_bytes(self.out.cells[cell].bytes as u64);
            let zero = self.out.terms.constant(width, 0);
            if !self.begins(state, cell, zero) {
                return false;
            }
        }
        self.objects[object].contents = Contents::Zero;
        self.touch_new(state, object);
        self.add_steps_of_filling(state, object);
        true
    }

    /// In the machine each piece is a step, even if nobody sees it.
    fn add_steps_of_filling(&mut self, state: &State, object: ObjectId) {
        if state.step.is_some() || !self.is_visible(state, object) {
            return;
        }
        let (len, mut done) = (self.objects[object].size, 0);
        while done < len {
            done += self.piece(false, done, len, done);
            self.add_step(state.guard.term(), None);
        }
    }
}
