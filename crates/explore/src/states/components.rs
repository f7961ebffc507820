//! Strongly connected components of the states, found while they are visited (Tarjan 1972).
//!
//! Only components that nothing leaves matter, and only whether an execution in one of them waits for ever.

use super::contexts::Context;
use super::main_waits::Movers;
use rustc_hash::FxHashMap;
use std::collections::hash_map::Entry;
use tp_machine::ThreadNumber;

/// The number of a state, in the order of the first visits.
pub type StateId = u32;

/// What is known of the component of a state so far.
#[derive(Copy, Clone, Default, Debug)]
struct Component {
    /// The earliest state that is known to be in it.
    low: StateId,
    /// A transition leads to another component, or the program can end.
    is_left: bool,
    /// A transition does more than read, lock, release and change locals of its thread.
    has_effect: bool,
    /// There is a transition from one of its states to another, or to itself.
    has_cycle: bool,
    /// The threads of its transitions.
    movers: Movers,
}

/// A component that nothing leaves, and in which threads go round.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct BottomComponent {
    pub has_effect: bool,
    pub movers: Movers,
}

/// The visits to a state after the fewest context switches so far.
#[derive(Copy, Clone, Debug)]
struct Visit {
    /// The last one.
    id: StateId,
    switches: u32,
    /// The threads that were active, as bits. Those with high numbers have none: their visits cover only later ones.
    active: u64,
}

impl Visit {
    fn new(id: StateId, at: Context) -> Visit {
        Visit { id, switches: at.switches, active: bit(at.active) }
    }

    /// Whether everything that can follow now could follow then. To go on with another thread takes one more switch.
    fn covers(&self, at: Context) -> bool {
        self.switches < at.switches || self.switches == at.switches && self.active & bit(at.active) != 0
    }

    /// Another visit, which is not covered.
    fn again(&mut self, id: StateId, at: Context) -> StateId {
        let before = if self.switches == at.switches { self.active } else { 0 };
        *self = Visit { active: before | bit(at.active), ..Visit::new(id, at) };
        id
    }
}

fn bit(thread: ThreadNumber) -> u64 {
    1u64.checked_shl(thread).unwrap_or(0)
}

#[derive(Default)]
pub struct Components {
    visits: FxHashMap<u128, Visit>,
    /// A state that was visited is visited again, unless it is on the path.
    visits_again: bool,
    next: StateId,
    /// Whether the component of a state is complete.
    is_complete: Vec<bool>,
    /// States whose components are not complete.
    open: Vec<StateId>,
    /// For each state on the path.
    path: Vec<(StateId, Component)>,
    /// The digests of these states, if they are visited again.
    digests: Vec<u128>,
}

impl Components {
    /// `prunes`: each state is visited once.
    pub fn new(prunes: bool) -> Components {
        Components { visits_again: !prunes, ..Components::default() }
    }

    pub fn count(&self) -> usize {
        self.next as usize
    }

    /// A transition from the last state of the path leads to this state, after these contexts. `true`: it is new, or no
    /// earlier visit covers this one, and it is the last one now.
    pub fn enter(&mut self, (digest, at): (u128, Context), has_effect: bool) -> bool {
        let next = self.next;
        let id = match self.visits.entry(digest) {
            Entry::Vacant(entry) => entry.insert(Visit::new(next, at)).id,
            Entry::Occupied(entry) if entry.get().covers(at) => entry.get().id,
            Entry::Occupied(mut entry) => entry.get_mut().again(next, at),
        };
        if id == next {
            self.next += 1;
            if self.visits_again {
                self.digests.push(digest);
            }
            self.is_complete.push(false);
            self.open.push(id);
            self.path.push((id, Component { low: id, ..Component::default() }));
            return true;
        }
        if let Some((_, from)) = self.path.last_mut() {
            from.has_effect |= has_effect;
            if self.is_complete[id as usize] {
                from.is_left = true;
            } else {
                from.low = from.low.min(id);
                from.has_cycle = true;
            }
        }
        false
    }

    /// A transition of this thread leads from the last state of the path to another.
    pub fn moves(&mut self, thread: ThreadNumber) {
        if let Some((_, last)) = self.path.last_mut() {
            last.movers.add(thread);
        }
    }

    /// The program can end in the last state of the path.
    pub fn may_end(&mut self) {
        if let Some((_, last)) = self.path.last_mut() {
            last.is_left = true;
        }
    }

    /// Goes back to the state before the last one of the path; `has_effect` is that of the transition between them. `Some`: the
    /// last one is in a component that nothing leaves.
    pub fn leave(&mut self, has_effect: bool) -> Option<BottomComponent> {
        let (id, component) = self.path.pop()?;
        if let Some(digest) = self.digests.pop() {
            self.visits.remove(&digest);
        }
        let is_root = component.low == id;
        if is_root {
            while let Some(member) = self.open.pop() {
                self.is_complete[member as usize] = true;
                if member == id {
                    break;
                }
            }
        }
        if let Some((_, before)) = self.path.last_mut() {
            if is_root {
                before.is_left = true;
            } else {
                before.low = before.low.min(component.low);
                before.is_left |= component.is_left;
                before.has_effect |= component.has_effect || has_effect;
                before.has_cycle = true;
                before.movers.add_all(component.movers);
            }
        }
        let Component { is_left, has_effect, has_cycle, movers, .. } = component;
        (is_root && has_cycle && !is_left).then_some(BottomComponent { has_effect, movers })
    }
}
