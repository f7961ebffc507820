//! Whether the facts hold, and are enough. Nothing is computed that the file could state: each fact is compared with
//! what it follows from.

use super::RaceSummary;
use super::facts::{Act, Facts, FlowEdge, Held, Object, Point, Tried};
use super::offset::Offset;
use crate::rejected::Why;

/// Bytes of an object.
pub(super) type Bytes = (usize, Offset, u64);

pub(super) struct Rules<'f> {
    pub facts: &'f Facts,
    pub single: Vec<bool>,
    /// Locks that overlap these bytes exclude no other thread.
    pub broken: Vec<Bytes>,
}

impl Facts {
    pub fn check(mut self) -> Result<RaceSummary, Why> {
        self.ranks()?;
        self.leads()?;
        let mut rules = Rules { facts: &self, single: Vec::new(), broken: Vec::new() };
        rules.threads()?;
        rules.escapes()?;
        for way in &self.edges {
            rules.way(way)?;
        }
        rules.breaks();
        rules.kinds();
        let (accesses, pairs) = rules.pairs()?;
        let (threads, points) = (self.threads.len() as u64, self.points.len() as u64);
        Ok(RaceSummary { threads, points, accesses, pairs })
    }

    /// Any claim would hold at a point that no edge leads to, so such a point is an error.
    fn leads(&self) -> Result<(), Why> {
        let mut is_led = vec![false; self.points.len()];
        let (entries, edges) = (self.entries.iter().map(|e| e.1), self.edges.iter().map(|way| way.to));
        entries.chain(edges).for_each(|point| is_led[point] = true);
        let unknown = is_led.iter().position(|is_led| !is_led);
        unknown.map_or(Ok(()), |point| Err(shown(format!("nothing leads to point {point}"))))
    }

    fn ranks(&mut self) -> Result<(), Why> {
        for FlowEdge { from, to, .. } in &self.edges {
            let (here, there) = (self.points[*from].rank, self.points[*to].rank);
            if there < here || self.points[*from].thread != self.points[*to].thread {
                return Err(shown(format!("no way leads from point {from} to point {to}")));
            }
            self.points[*from].is_once &= there > here;
        }
        Ok(())
    }
}

pub(super) fn shown(what: String) -> Why {
    Why::NotShown(what)
}

impl Rules<'_> {
    pub fn point(&self, number: usize) -> &Point {
        &self.facts.points[number]
    }

    /// Whether `thread` is `ancestor` or one of its descendants.
    pub fn leads_to(&self, ancestor: usize, thread: usize) -> bool {
        let mut at = Some(thread);
        while let Some(thread) = at {
            if thread == ancestor {
                return true;
            }
            at = self.facts.threads[thread].parent;
        }
        false
    }

    fn threads(&mut self) -> Result<(), Why> {
        for (number, thread) in self.facts.threads.iter().enumerate() {
            let starters = thread.starts.iter().map(|(point, _)| self.point(*point));
            let is_single = match (thread.parent, &thread.starts[..]) {
                (None, []) => true,
                (Some(parent), [(point, _)]) => {
                    let point = self.point(*point);
                    point.thread == parent && point.is_once && self.single[parent]
                }
                _ => false,
            };
            // What is known about a thread is what holds where its parent starts it. Further instances that it starts
            // itself add nothing to that.
            let is_known = |p: &Point| Some(p.thread) == thread.parent || p.thread == number;
            if !starters.into_iter().all(is_known) {
                return Err(shown(format!("thread {number} is started by one that is not its parent")));
            }
            self.single.push(is_single);
        }
        for &(thread, point) in &self.facts.entries {
            let entry = self.point(point);
            if !entry.held.is_empty() || !entry.tried.is_empty() || !entry.near.is_empty() || entry.inside > 0
            {
                return Err(shown(format!("thread {thread} begins with nothing held")));
            }
        }
        for &(thread, point) in &self.facts.overs {
            if !self.point(point).alive.is_subset(&self.facts.threads[thread].left) {
                return Err(shown(format!("thread {thread} leaves more threads when it ends")));
            }
        }
        Ok(())
    }

    fn escapes(&self) -> Result<(), Why> {
        let facts = self.facts;
        let require = |object: usize| match facts.escaped.contains(&object) {
            true => Ok(()),
            false => Err(shown(format!("object {object} can be reached by other threads"))),
        };
        for (object, kind) in facts.objects.iter().enumerate() {
            if matches!(kind, Object::Variable | Object::Outside) {
                require(object)?;
            }
        }
        for (_, id) in facts.threads.iter().flat_map(|thread| &thread.starts) {
            facts.values[*id].places.iter().try_for_each(|(object, _)| require(*object))?;
        }
        facts.escaped.iter().flat_map(|from| facts.leads_to(*from)).try_for_each(require)
    }

    pub fn is_unique(&self, object: usize) -> bool {
        match self.facts.objects[object] {
            Object::Variable => true,
            Object::Local(thread) => self.single[thread],
            Object::Made(point) => self.point(point).is_once && self.single[self.point(point).thread],
            Object::Constant | Object::Function | Object::Outside => false,
        }
    }

    /// The place of a value, if it has only one.
    pub fn only(&self, value: usize) -> Option<(usize, i64)> {
        match self.facts.values[value].places[..] {
            [(object, offset)] => Some((object, offset.as_exact()?)),
            _ => None,
        }
    }

    fn way(&self, way: &FlowEdge) -> Result<(), Why> {
        let (from, to) = (self.point(way.from), self.point(way.to));
        let fails = |what: &str| {
            Err(shown(format!("{what} at point {} does not follow from point {}", way.to, way.from)))
        };
        let inside = match way.act {
            Act::Enter => from.inside.saturating_add(1),
            Act::Leave => from.inside.saturating_sub(1),
            _ => from.inside,
        };
        if to.inside > inside {
            return fails("the atomic section");
        }
        let before = match way.act {
            Act::Again { from, .. } => &self.point(from).held,
            _ => &from.held,
        };
        if !to.held.iter().all(|(lock, hold)| self.is_held(way, before, *lock, *hold)) {
            return fails("a lock that is held");
        }
        if !to.tried.iter().all(|(register, tried)| self.is_tried(way, *register, *tried)) {
            return fails("a lock that was tried");
        }
        if !to.near.iter().all(|(form, near)| self.is_near(way, *form, *near)) {
            return fails("a lock beside an address");
        }
        let mut alive = from.alive.clone();
        match way.act {
            Act::Start { thread } => {
                if !from.alive.is_subset(&self.facts.threads[thread].before) {
                    return fails("what runs when a thread is started");
                }
                alive.extend((0..self.single.len()).filter(|t| self.leads_to(thread, *t)));
            }
            ref act => {
                for thread in self.joined(act) {
                    alive.retain(|t| !self.leads_to(thread, *t));
                    alive.extend(&self.facts.threads[thread].left);
                }
            }
        }
        if alive.is_subset(&to.alive) { Ok(()) } else { fails("which threads may run") }
    }

    /// Whether a lock is held after an edge, given what was held before.
    fn is_held(
        &self,
        way: &FlowEdge,
        before: &Held,
        lock: (usize, i64),
        (alone, bytes): (bool, u64),
    ) -> bool {
        let is_kept =
            before.get(&lock).is_some_and(|(was_alone, size)| *was_alone >= alone && *size <= bytes);
        let is_enough = |taken: bool, size: u64| {
            let was = before.get(&lock);
            let is_alone = taken >= alone || was.is_some_and(|was| was.0 >= alone);
            is_alone && size <= bytes && was.is_none_or(|was| was.1 <= bytes)
        };
        let is_new = match way.act {
            Act::Take { value, alone, kind, .. } => {
                self.only(value) == Some(lock) && self.is_unique(lock.0) && is_enough(alone, kind.bytes())
            }
            Act::Zero { register } => self
                .point(way.from)
                .tried
                .get(&register)
                .is_some_and(|(tried, alone, size)| *tried == lock && is_enough(*alone, *size)),
            _ => false,
        };
        is_new || is_kept && !self.is_lost(&way.act, (lock.0, Offset::exact(lock.1)), bytes)
    }

    /// Whether a lock that is held after an edge if a register is 0 was tried on the edge, or before and not lost on
    /// it.
    fn is_tried(&self, way: &FlowEdge, register: usize, tried: Tried) -> bool {
        let (lock, alone, bytes) = tried;
        match way.act {
            Act::Try { value, alone: taken, kind, register: result } if result == register => {
                let is_it = self.only(value) == Some(lock) && self.is_unique(lock.0);
                is_it && taken >= alone && kind.bytes() <= bytes
            }
            Act::Anew(_) => false,
            ref act => {
                let is_kept = self.point(way.from).tried.get(&register) == Some(&tried);
                is_kept && !self.is_lost(act, (lock.0, Offset::exact(lock.1)), bytes)
            }
        }
    }

    /// Whether a lock may be released or overwritten.
    pub fn is_lost(&self, act: &Act, lock: (usize, Offset), bytes: u64) -> bool {
        let (value, len) = match act {
            Act::Give { value, .. } => (*value, 1),
            Act::Reset { value, kind } => (*value, kind.bytes()),
            Act::Access(access) if access.is_write && !access.is_of_lock => (access.value, access.len),
            _ => return false,
        };
        let mut places = self.facts.values[value].places.iter();
        places.any(|(object, offset)| {
            let offset = if len == u64::MAX { Offset::ANY } else { *offset };
            *object == lock.0 && lock.1.overlaps(bytes, offset, len)
        })
    }
}
