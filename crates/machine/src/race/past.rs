//! Recording accesses although they race, because their races are known.

use super::{Access, AccessKind, Cell, Clocks, Earlier, PAGE, Shadow, StepNumber, VectorClock};

impl Shadow {
    /// All earlier accesses that an access races with.
    pub fn conflicts(&self, access: &Access, size: u64, clocks: &Clocks) -> Vec<Earlier> {
        let mut found = Vec::new();
        let len = self.granule.max(1);
        let (first, end) = match access.kind {
            AccessKind::Free => (0, size.div_ceil(len)),
            _ => (access.offset / len, (access.offset + access.len).div_ceil(len)),
        };
        for index in first..end {
            let page = self.pages.get(index as usize / PAGE).and_then(Option::as_ref);
            let Some(cell) = page.and_then(|page| page.get(index as usize % PAGE)) else { continue };
            let earlier = |(step, write)| Earlier { step, offset: index * len, len, write };
            found.extend(cell.conflicts(access, &clocks.now).into_iter().map(earlier));
        }
        found
    }

    /// Records an access that races.
    pub fn force(&mut self, access: &Access, size: u64, entry: usize, step: StepNumber, clocks: &mut Clocks) {
        if access.kind == AccessKind::Free || access.len == 0 {
            return;
        }
        self.fit(access, size);
        let granule = self.granule;
        for index in access.offset / granule..(access.offset + access.len).div_ceil(granule) {
            self.cell(index as usize, size).record(access, entry, step, clocks);
        }
    }
}

impl Cell {
    /// Records an access without checking for races.
    fn record(&mut self, access: &Access, entry: usize, step: StepNumber, clocks: &mut Clocks) {
        match access.kind {
            _ if access.order.is_atomic() => self.keep_atomic(access, entry, step, clocks),
            AccessKind::Read => self.plain_read(entry, step, &clocks.now),
            _ => self.plain_write(entry, step),
        }
    }

    /// The steps that an access races with, and whether they wrote.
    fn conflicts(&self, access: &Access, now: &VectorClock) -> Vec<(StepNumber, bool)> {
        let (is_plain, writes) = (!access.order.is_atomic(), access.kind != AccessKind::Read);
        let epochs = [(self.write, true), (self.read, false)];
        let epochs = epochs.into_iter().filter(|(epoch, write)| !epoch.before(now) && (*write || writes));
        let mut found: Vec<_> = epochs.map(|(epoch, write)| (epoch.step(), write)).collect();
        let Some(more) = &self.more else { return found };
        let lists = [
            (&more.atomic_writes, true, is_plain),
            (&more.reads, false, writes),
            (&more.atomic_reads, false, writes && is_plain),
        ];
        for (list, write, _) in lists.into_iter().filter(|list| list.2) {
            let later = list.0.iter().enumerate().filter(|&(entry, &step)| step > now.get(entry));
            found.extend(later.map(|(_, &step)| (step, write)));
        }
        // A reader can be both in `read` and in `reads`.
        found.sort();
        found.dedup();
        found
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use tp_ir::MemoryOrder;

    #[test]
    fn every_conflict_is_named_and_what_races_is_kept() {
        let mut shadow = Shadow::default();
        let mut clocks = vec![Clocks::default(); 3];
        let access = |kind| Access::new(0, 4, kind, MemoryOrder::Plain);
        let mut step = |t: usize, step, kind, force: bool| {
            clocks[t].now.set(t, step);
            let found = shadow.conflicts(&access(kind), 8, &clocks[t]);
            match force {
                true => shadow.force(&access(kind), 8, t, step, &mut clocks[t]),
                false => assert!(shadow.access(&access(kind), 8, t, step, &mut clocks[t]).is_ok()),
            }
            found.iter().map(|e| (e.step, e.write)).collect::<Vec<_>>()
        };
        assert_eq!(step(0, 1, AccessKind::Read, false), []);
        assert_eq!(step(1, 2, AccessKind::Read, false), []);
        assert_eq!(step(2, 3, AccessKind::Write, true), [(1, false), (2, false)], "both readers");
        assert_eq!(step(0, 4, AccessKind::Read, true), [(3, true)], "the write that raced");
        assert_eq!(step(0, 5, AccessKind::Write, true), [(3, true)], "its own read does not count");
    }
}
