//! Vector clocks of threads, and those that fences hold.

use tp_ir::MemoryOrder;

/// The number of a step in a run; steps count from 1.
pub type StepNumber = u64;

/// Entry `i`: the latest step of the thread in entry `i` that happens before now.
#[derive(Default, Debug)]
pub struct VectorClock(pub(super) Vec<StepNumber>);

impl Clone for VectorClock {
    fn clone(&self) -> VectorClock {
        VectorClock(self.0.clone())
    }

    fn clone_from(&mut self, other: &VectorClock) {
        self.0.clone_from(&other.0);
    }
}

impl VectorClock {
    #[inline(always)]
    pub fn get(&self, entry: usize) -> StepNumber {
        self.0.get(entry).copied().unwrap_or(0)
    }

    #[inline]
    pub fn set(&mut self, entry: usize, step: StepNumber) {
        if entry >= self.0.len() {
            self.0.resize(entry + 1, 0);
        }
        self.0[entry] = step;
    }

    pub fn join(&mut self, other: &VectorClock) {
        if other.0.len() > self.0.len() {
            self.0.resize(other.0.len(), 0);
        }
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            *mine = (*mine).max(*theirs);
        }
    }

    pub(super) fn assign(&mut self, other: &VectorClock) {
        self.0.clear();
        self.0.extend_from_slice(&other.0);
    }

    /// The first of these accesses that does not happen before this clock.
    pub(super) fn first_after<'a>(&self, accesses: &'a VectorClock) -> Option<(usize, &'a StepNumber)> {
        accesses.0.iter().enumerate().find(|&(i, &step)| step > self.get(i))
    }
}

/// The vector clock of a thread, and those that its fences hold.
#[derive(Default)]
pub struct Clocks {
    pub now: VectorClock,
    /// The step that started it.
    pub(super) since: StepNumber,
    /// The clock at the last release fence, which relaxed writes publish.
    pub(super) released: Option<VectorClock>,
    /// Clocks that relaxed reads have found, for the next acquire fence.
    pub(super) found: Option<VectorClock>,
}

impl Clone for Clocks {
    fn clone(&self) -> Clocks {
        let Clocks { now, since, released, found } = self;
        Clocks { now: now.clone(), since: *since, released: released.clone(), found: found.clone() }
    }

    fn clone_from(&mut self, other: &Clocks) {
        self.now.clone_from(&other.now);
        self.since = other.since;
        self.released.clone_from(&other.released);
        self.found.clone_from(&other.found);
    }
}

impl Clocks {
    /// The clocks of a thread that this one starts in a step.
    pub fn child(&self, step: StepNumber) -> Clocks {
        Clocks { now: self.now.clone(), since: step, released: None, found: None }
    }

    pub fn fence(&mut self, order: MemoryOrder) {
        if order.acquires()
            && let Some(found) = self.found.take()
        {
            self.now.join(&found);
        }
        if order.releases() {
            self.released = Some(self.now.clone());
        }
    }
}
