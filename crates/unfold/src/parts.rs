//! Accesses to parts of objects: which objects and cells they touch. The path ends where an access is invalid.

use crate::access::AccessInProgress;
use crate::pass::{Alive, Pass};
use crate::pointer::Targets;
use crate::spots::{Spot, Spots};
use crate::state::State;
use crate::*;
use tp_ir::{MemoryOrder, Type};

impl Pass<'_> {
    pub fn read_part(
        &mut self,
        state: &mut State,
        spot: &Spot,
        len: u64,
        is_access: bool,
        access: &mut AccessInProgress,
    ) -> Term {
        let width = Self::width_of_bytes(len);
        if self.objects[spot.object].constant {
            return self.first_value(spot.object, spot.offset, len as u32);
        }
        let Some(cells) = self.cells_of(spot.object, spot.offset, len, is_access) else {
            return self.out.terms.variable(width);
        };
        self.touch(state, spot, &cells, false, access);
        let mut value = None;
        for cell in cells.iter() {
            let part = self.read_cell(state, cell, spot.condition, access);
            value = Some(match value {
                Some(low) => self.out.terms.concat(part, low),
                None => part,
            });
        }
        value.unwrap_or_else(|| self.out.terms.constant(width, 0))
    }

    pub fn write_part(
        &mut self,
        state: &mut State,
        spot: &Spot,
        value: Term,
        is_access: bool,
        access: &mut AccessInProgress,
    ) {
        let len = self.out.terms.width(value).bytes() as u64;
        let Some(cells) = self.cells_of(spot.object, spot.offset, len, is_access) else { return };
        if !cells.is_one() {
            // An address stored in pieces is not recognised later.
            self.publish(value);
            self.note_split_address(value);
        } else if self.out.terms.width(value).bits() > self.pointer_width().bits() {
            self.note_split_address(value);
        }
        self.touch(state, spot, &cells, true, access);
        let mut low = 0;
        for cell in cells.iter() {
            let width = Self::width_of_bytes(self.out.cells[cell].bytes as u64);
            let part = self.out.terms.extract(value, low, width);
            low += width.bits();
            self.write_cell(state, cell, spot.condition, part, access);
        }
    }

    /// The spots that an access can touch; the path ends where it is invalid.
    pub fn locate(
        &mut self,
        state: &mut State,
        pointer: Term,
        len: u64,
        write: bool,
        access: &mut AccessInProgress,
    ) -> Alive<Vec<Spot>> {
        let (mut spots, beyond, lost) = match self.spots(pointer, len) {
            Spots::These(spots, beyond) => {
                let lost = self.targets_here(state, pointer).lost;
                self.limit_if(state, beyond, LimitKind::Loop);
                (spots, beyond, lost)
            }
            Spots::Lost(gap) => {
                self.limit(state, LimitKind::Gap(gap));
                return Ok(None);
            }
        };
        spots.retain(|s| {
            let o = &self.objects[s.object];
            o.function.is_none() && !(write && o.constant)
        });
        let nothing = self.out.terms.bool(false);
        let valid = spots.iter().fold(nothing, |any, s| self.out.terms.or(any, s.condition));
        let strays = self.strays(pointer, valid);
        self.limit_if(state, strays, LimitKind::Gap(Gap::Layout));
        let open = [beyond, strays].into_iter().fold(lost, |any, t| self.out.terms.or(any, t));
        if self.claim_valid(state, valid, open)?.is_none() {
            return Ok(None);
        }
        if let [spot] = &mut spots[..] {
            // The path goes on only where this condition holds.
            spot.condition = self.out_true();
        }
        for spot in &spots {
            if self.is_visible(state, spot.object) {
                access.visible = self.out.terms.or(access.visible, spot.condition);
            }
        }
        for spot in &spots {
            if self.claim_lives(state, spot.object, spot.condition, access)?.is_none() {
                return Ok(None);
            }
        }
        Ok(Some(spots))
    }

    /// The value read at these spots.
    pub fn read_spots(
        &mut self,
        state: &mut State,
        spots: &[Spot],
        len: u64,
        access: &mut AccessInProgress,
    ) -> Term {
        let mut value = None;
        for spot in spots.iter().rev() {
            let part = self.read_part(state, spot, len, true, access);
            value = Some(match value {
                Some(rest) => self.out.terms.ite(spot.condition, part, rest),
                None => part,
            });
        }
        value.unwrap_or_else(|| self.out.terms.constant(Self::width_of_bytes(len), 0))
    }

    /// A value as it lies in memory.
    pub fn as_stored(&mut self, value: Term, ty: Type) -> Term {
        let bytes = ty.bytes(self.program.data_model);
        self.out.terms.zero_extend(value, Self::width_of_bytes(bytes as u64))
    }

    pub fn as_loaded(&mut self, value: Term, ty: Type) -> Term {
        let width = ty.width(self.program.data_model);
        self.out.terms.extract(value, 0, width)
    }

    pub fn load(&mut self, state: &mut State, ty: Type, pointer: Term, order: MemoryOrder) -> Alive<Term> {
        let len = ty.bytes(self.program.data_model) as u64;
        let mut access = self.begin_access(state, order);
        let Some(spots) = self.locate(state, pointer, len, false, &mut access)? else { return Ok(None) };
        let value = self.read_spots(state, &spots, len, &mut access);
        self.end_access(state, access);
        Ok(Some(self.as_loaded(value, ty)))
    }

    pub fn store(
        &mut self,
        state: &mut State,
        ty: Type,
        pointer: Term,
        value: Term,
        order: MemoryOrder,
    ) -> Alive<()> {
        let len = ty.bytes(self.program.data_model) as u64;
        let value = self.as_stored(value, ty);
        let mut access = self.begin_access(state, order);
        let Some(spots) = self.locate(state, pointer, len, true, &mut access)? else { return Ok(None) };
        for spot in &spots {
            self.write_part(state, spot, value, true, &mut access);
        }
        self.end_access(state, access);
        Ok(Some(()))
    }

    /// Where `condition` holds, the program is not followed further.
    pub fn limit_if(&mut self, state: &State, condition: Term, kind: LimitKind) {
        if self.out.terms.as_const(condition) == Some(0) {
            return;
        }
        let mut there = state.clone();
        if there.guard.add(&mut self.out.terms, condition) {
            self.limit(&there, kind);
        }
    }

    /// Where a pointer can point. That it may also point elsewhere is a limit.
    pub fn targets_here(&mut self, state: &State, pointer: Term) -> Targets {
        let targets = self.targets(pointer);
        self.limit_if(state, targets.lost, LimitKind::Gap(Gap::UnknownPointer));
        targets
    }

    /// Here the program is not followed further.
    pub fn limit(&mut self, state: &State, kind: LimitKind) {
        self.limit_at(state, state.guard.term(), kind);
    }

    pub fn limit_at(&mut self, state: &State, reached: Term, kind: LimitKind) {
        let node = state.step.as_ref().map_or(self.thread.last_node, |s| s.node);
        self.out.limits.push(Limit { kind, node, reached, place: self.thread.place });
    }
}
