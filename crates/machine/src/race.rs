//! Data races, found while a program runs: vector clocks in the manner of FastTrack (Flanagan and Freund, PLDI 2009),
//! with C11's synchronises-with for atomics of every order (release sequences and fences as in the standard).
//!
//! Where we deviate:
//! - A thread's time is the number of its latest step in the whole run. So an epoch names the very step of an access,
//!   and a report finds the earlier access by running the same schedule again up to that step; nothing about stacks or
//!   locks is stored for accesses that never race.
//! - Ordinary accesses inside an atomic step of the program (models, `__VERIFIER_atomic`) count as sequentially
//!   consistent atomics on their locations: what such a step wrote happens before the steps that read it. Only internal
//!   variables of models (the clock, lists of threads and keys) and quiet accesses of models order nothing. What an
//!   atomic section of the user has read decides what else it does, so the section also happens before later steps
//!   that write there: it could not have been taken after them.
//!   A step is one event: what any of its accesses acquires happens before all of them, and its writes publish it.
//! - The clock entry of an ended thread is reused for a new one if all steps of the old happen before the creation.
//!
//! What a run can miss: a race whose two accesses were ordered by accident in this schedule. It never reports two
//! accesses that synchronisation ordered.

use tp_ir::MemoryOrder;

mod clock;
mod past;
#[cfg(test)]
mod tests;

pub use clock::{Clocks, StepNumber, VectorClock};

/// A thread's entry and step in one word; 0 for "none yet".
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
struct Epoch(u64);

impl Epoch {
    const ENTRY_BITS: u32 = 20;

    #[inline(always)]
    fn new(entry: usize, step: StepNumber) -> Epoch {
        Epoch(step << Self::ENTRY_BITS | entry as u64)
    }

    #[inline(always)]
    fn entry(self) -> usize {
        (self.0 & ((1 << Self::ENTRY_BITS) - 1)) as usize
    }

    #[inline(always)]
    fn step(self) -> StepNumber {
        self.0 >> Self::ENTRY_BITS
    }

    #[inline(always)]
    fn before(self, now: &VectorClock) -> bool {
        self.0 == 0 || self.step() <= now.get(self.entry())
    }
}

/// The most entries of vector clocks, and so the most threads at once.
pub const MAX_ENTRIES: usize = 1 << Epoch::ENTRY_BITS;

/// The history of some bytes that are always accessed together.
#[derive(Clone, Default)]
pub struct Cell {
    write: Epoch,
    read: Epoch,
    more: Option<Box<More>>,
}

/// What only some cells need.
#[derive(Clone, Default)]
struct More {
    /// Plain reads of several threads, unordered with each other.
    reads: VectorClock,
    atomic_reads: VectorClock,
    atomic_writes: VectorClock,
    /// The join of the clocks of the user's atomic sections that have read it.
    sections: VectorClock,
    /// The release sequences that the current value belongs to: an acquire joins what their heads published. Each is
    /// continued by read-modify-writes and by later stores of the thread that began it (C17 5.1.2.4).
    heads: Vec<Head>,
}

/// What one thread has published.
#[derive(Clone, Default)]
struct Head {
    /// When it did so last.
    at: Epoch,
    published: VectorClock,
}

impl More {
    /// The release sequence of a thread, a new one if it has begun none.
    fn head(&mut self, entry: usize, clocks: &Clocks) -> &mut Head {
        let own = self.heads.iter().position(|head| head.is_of(entry, clocks));
        let i = own.unwrap_or_else(|| {
            self.heads.push(Head::default());
            self.heads.len() - 1
        });
        &mut self.heads[i]
    }

    /// Joins into a thread's clocks what an atomic access orders before it.
    fn teach(&self, access: &Access, clocks: &mut Clocks) {
        if access.kind != AccessKind::Write {
            if access.order.acquires() {
                self.heads.iter().for_each(|head| clocks.now.join(&head.published));
            } else if !access.order.is_quiet() {
                let found = clocks.found.get_or_insert_default();
                self.heads.iter().for_each(|head| found.join(&head.published));
            }
        }
        if access.kind != AccessKind::Read {
            clocks.now.join(&self.sections);
        }
    }

    /// Ends all release sequences but that of one thread.
    fn keep_only(&mut self, entry: usize, clocks: &Clocks) {
        if let Some(own) = self.heads.iter().position(|head| head.is_of(entry, clocks)) {
            self.heads.swap(0, own);
        } else if let Some(head) = self.heads.first_mut() {
            // Its allocation is reused.
            head.at = Epoch::new(entry, clocks.now.get(entry));
            head.published.0.clear();
        }
        self.heads.truncate(1);
    }
}

impl Head {
    /// An entry may have been that of another thread before.
    fn is_of(&self, entry: usize, clocks: &Clocks) -> bool {
        self.at.entry() == entry && self.at.step() > clocks.since
    }
}

/// The history of an object: cells of `granule` bytes, of which every access so far has touched whole ones. Cells are
/// made a page at a time, so that a large object of which little is used stays small.
#[derive(Clone, Default)]
pub struct Shadow {
    pages: Vec<Option<Box<[Cell]>>>,
    granule: u64,
}

/// Cells in a page; an object with fewer has one page of that many.
const PAGE: usize = 64;

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum AccessKind {
    Read,
    Write,
    /// A read-modify-write, or a compare-exchange that succeeds.
    ReadWrite,
    /// Ends the object.
    Free,
}

#[derive(Copy, Clone, Debug)]
pub struct Access {
    pub offset: u64,
    pub len: u64,
    pub kind: AccessKind,
    pub order: MemoryOrder,
    /// In an atomic section of the user's.
    pub of_section: bool,
}

impl Access {
    /// An access that is not in an atomic section of the user's.
    pub fn new(offset: u64, len: u64, kind: AccessKind, order: MemoryOrder) -> Access {
        Access { offset, len, kind, order, of_section: false }
    }

    /// Whether it touches whole cells of this many bytes, a power of two.
    #[inline]
    fn is_whole(&self, granule: u64) -> bool {
        self.offset & (granule - 1) == 0 && self.len & (granule - 1) == 0
    }
}

/// The earlier of two accesses that race.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Earlier {
    pub step: StepNumber,
    pub offset: u64,
    pub len: u64,
    pub write: bool,
}

/// What an access is about to change in a shadow, as it was.
#[derive(Clone)]
pub enum OldCells {
    /// These cells; `None` in a page that was not made yet.
    From(usize, Vec<Option<Cell>>),
    /// All cells, because they have to be smaller for the access.
    All(Shadow),
}

impl Shadow {
    pub fn cells_at(&self, access: &Access) -> OldCells {
        if !self.fits(access) {
            return OldCells::All(self.clone());
        }
        let (first, end) =
            (access.offset / self.granule, (access.offset + access.len).div_ceil(self.granule));
        let cell = |index: u64| {
            let page = self.pages.get(index as usize / PAGE)?.as_ref()?;
            page.get(index as usize % PAGE).cloned()
        };
        OldCells::From(first as usize, (first..end).map(cell).collect())
    }

    pub fn put_back(&mut self, old: OldCells) {
        let (first, cells) = match old {
            OldCells::From(first, cells) => (first, cells),
            OldCells::All(shadow) => return *self = shadow,
        };
        for (index, cell) in (first..).zip(cells) {
            let Some(page) = self.pages.get_mut(index / PAGE) else { continue };
            match (page.as_mut().and_then(|page| page.get_mut(index % PAGE)), cell) {
                (Some(now), Some(cell)) => *now = cell,
                _ => *page = None,
            }
        }
    }

    pub fn clear(&mut self) {
        self.pages.clear();
        self.granule = 0;
    }

    /// Records an access by the thread in `entry` at `step`, in an object of `size` bytes.
    #[inline]
    pub fn access(
        &mut self,
        access: &Access,
        size: u64,
        entry: usize,
        step: StepNumber,
        clocks: &mut Clocks,
    ) -> Result<(), Earlier> {
        if access.len == 0 {
            return Ok(());
        }
        // What an access acquires happens before it.
        self.teach(access, size, clocks);
        self.fit(access, size);
        let granule = self.granule;
        for index in access.offset / granule..(access.offset + access.len).div_ceil(granule) {
            if let Err((step, write)) = self.cell(index as usize, size).access(access, entry, step, clocks) {
                return Err(Earlier { step, offset: index * granule, len: granule, write });
            }
        }
        Ok(())
    }

    /// Joins into the thread's clocks what an access orders before it.
    pub fn teach(&mut self, access: &Access, size: u64, clocks: &mut Clocks) {
        if access.len > 0 && access.order.is_atomic() {
            self.fit(access, size);
            let cells = access.offset / self.granule..(access.offset + access.len).div_ceil(self.granule);
            cells.for_each(|index| self.cell(index as usize, size).teach(access, clocks));
        }
    }

    /// A write of the thread in `entry` publishes the thread's clock at the end of the step.
    pub fn publish(&mut self, written: &Access, entry: usize, clocks: &Clocks) {
        // Memory that has ended in the step has no history.
        if self.granule == 0 || written.len == 0 {
            return;
        }
        let cells = written.offset / self.granule..(written.offset + written.len).div_ceil(self.granule);
        for index in cells.map(|index| index as usize) {
            let page = self.pages.get_mut(index / PAGE).and_then(Option::as_mut);
            if let Some(more) = page.and_then(|p| p.get_mut(index % PAGE)).and_then(|c| c.more.as_mut()) {
                more.head(entry, clocks).published.join(&clocks.now);
            }
        }
    }

    /// The object ends: that conflicts with every access that does not happen before.
    pub fn end(
        &mut self,
        access: &Access,
        entry: usize,
        step: StepNumber,
        clocks: &mut Clocks,
    ) -> Result<(), Earlier> {
        let len = self.granule;
        for (i, page) in self.pages.iter_mut().enumerate() {
            for (j, cell) in page.iter_mut().flatten().enumerate() {
                if let Err((step, write)) = cell.access(access, entry, step, clocks) {
                    return Err(Earlier { step, offset: (i * PAGE + j) as u64 * len, len, write });
                }
            }
        }
        Ok(())
    }

    #[inline]
    fn cell(&mut self, index: usize, size: u64) -> &mut Cell {
        let count = size.div_ceil(self.granule) as usize;
        let page =
            self.pages[index / PAGE].get_or_insert_with(|| vec![Cell::default(); count.min(PAGE)].into());
        &mut page[index % PAGE]
    }

    /// Whether the access touches whole cells.
    #[inline]
    fn fits(&self, access: &Access) -> bool {
        self.granule != 0 && access.is_whole(self.granule)
    }

    /// Makes cells small enough that the access touches whole ones.
    #[inline]
    fn fit(&mut self, access: &Access, size: u64) {
        if self.fits(access) {
            return;
        }
        let granule = [8, 4, 2].into_iter().find(|&g| access.is_whole(g)).unwrap_or(1);
        let old = std::mem::take(&mut self.pages);
        let ratio = (self.granule / granule) as usize;
        self.granule = granule;
        self.pages.resize_with((size.div_ceil(granule) as usize).div_ceil(PAGE), || None);
        for (i, page) in old.into_iter().enumerate() {
            for (j, cell) in page.into_iter().flatten().enumerate() {
                let first = (i * PAGE + j) * ratio;
                // The last cell may reach beyond the end of the object.
                for index in (first..first + ratio).filter(|&n| n as u64 * granule < size) {
                    *self.cell(index, size) = cell.clone();
                }
            }
        }
    }
}

impl Cell {
    #[inline]
    fn access(
        &mut self,
        access: &Access,
        entry: usize,
        step: StepNumber,
        clocks: &mut Clocks,
    ) -> Result<(), (StepNumber, bool)> {
        if access.order.is_atomic() {
            return self.atomic(access, entry, step, clocks);
        }
        let now = &clocks.now;
        if !self.write.before(now) {
            return Err((self.write.step(), true));
        }
        if let Some(more) = &self.more
            && let Some((_, &step)) = now.first_after(&more.atomic_writes)
        {
            return Err((step, true));
        }
        if access.kind == AccessKind::Read {
            self.plain_read(entry, step, now);
            return Ok(());
        }
        self.check_reads(now)?;
        if let Some(more) = &self.more
            && let Some((_, &step)) = now.first_after(&more.atomic_reads)
        {
            return Err((step, false));
        }
        self.plain_write(entry, step);
        Ok(())
    }

    #[inline]
    fn plain_write(&mut self, entry: usize, step: StepNumber) {
        self.write = Epoch::new(entry, step);
        self.read = Epoch::default();
        if let Some(more) = &mut self.more {
            more.reads.0.clear();
            more.heads.clear();
        }
    }

    fn check_reads(&self, now: &VectorClock) -> Result<(), (StepNumber, bool)> {
        if !self.read.before(now) {
            return Err((self.read.step(), false));
        }
        if let Some(more) = &self.more
            && let Some((_, &step)) = now.first_after(&more.reads)
        {
            return Err((step, false));
        }
        Ok(())
    }

    #[inline]
    fn plain_read(&mut self, entry: usize, step: StepNumber, now: &VectorClock) {
        if self.read.entry() == entry || self.read.before(now) {
            self.read = Epoch::new(entry, step);
        } else {
            // A second reader, unordered with the first: keep both.
            let old = self.read;
            let more = self.more.get_or_insert_default();
            more.reads.set(old.entry(), old.step());
            more.reads.set(entry, step);
        }
    }

    fn atomic(
        &mut self,
        access: &Access,
        entry: usize,
        step: StepNumber,
        clocks: &mut Clocks,
    ) -> Result<(), (StepNumber, bool)> {
        if !self.write.before(&clocks.now) {
            return Err((self.write.step(), true));
        }
        let writes = access.kind != AccessKind::Read;
        if writes {
            self.check_reads(&clocks.now)?;
        }
        self.keep_atomic(access, entry, step, clocks);
        Ok(())
    }

    fn teach(&self, access: &Access, clocks: &mut Clocks) {
        if let Some(more) = &self.more {
            more.teach(access, clocks);
        }
    }

    fn keep_atomic(&mut self, access: &Access, entry: usize, step: StepNumber, clocks: &mut Clocks) {
        let writes = access.kind != AccessKind::Read;
        let more = self.more.get_or_insert_default();
        if access.kind != AccessKind::Write {
            more.atomic_reads.set(entry, step);
            if access.of_section {
                more.sections.join(&clocks.now);
            }
        }
        if writes {
            more.atomic_writes.set(entry, step);
            // A read-modify-write continues the release sequences of the value it replaces.
            if access.kind == AccessKind::Write {
                more.keep_only(entry, clocks);
            }
            if access.order.releases() {
                clocks.now.set(entry, step);
                let head = more.head(entry, clocks);
                head.at = Epoch::new(entry, step);
                head.published.assign(&clocks.now);
            } else if let Some(released) = &clocks.released
                && !access.order.is_quiet()
            {
                let head = more.head(entry, clocks);
                head.at = Epoch::new(entry, step);
                head.published.join(released);
            }
        }
    }
}
