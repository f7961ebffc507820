//! Following a counterexample of an engine: threads in turn, each up to a number of steps, and inputs identified by
//! what they are for rather than by when they are asked for.
//!
//! The engines leave out output functions, and the moment between two scopes of a local. The steps there do not count
//! here; they are taken on the way.

use crate::decide::{Choice, InputRequest, InputSource, Inputs, Schedule};
use crate::layout::{Layout, ObjectName};
use crate::trace::ThreadNumber;
use std::collections::HashMap;
use tp_ir::GlobalId;

/// Runs threads in turn, each until it has taken a number of steps since it began; then those of a list, round-robin.
/// No answer where the thread whose turn it is cannot step.
pub struct Guided {
    targets: std::vec::IntoIter<(ThreadNumber, u64)>,
    now: Option<(ThreadNumber, u64)>,
    last: Vec<ThreadNumber>,
    /// The steps that count, by thread.
    taken: HashMap<ThreadNumber, u64>,
}

impl Guided {
    pub fn new(targets: Vec<(ThreadNumber, u64)>, last: Vec<ThreadNumber>) -> Guided {
        let mut targets = targets.into_iter();
        Guided { now: targets.next(), targets, last, taken: HashMap::new() }
    }

    /// Whether every target was reached.
    pub fn reached_all_targets(&self) -> bool {
        let left = self.now.iter().chain(self.targets.as_slice());
        left.into_iter().all(|(thread, steps)| self.taken(*thread) >= *steps)
    }

    fn taken(&self, thread: ThreadNumber) -> u64 {
        self.taken.get(&thread).copied().unwrap_or(0)
    }
}

impl Schedule for Guided {
    fn pick(&mut self, choice: &Choice<'_>) -> Option<ThreadNumber> {
        while let Some((thread, steps)) = self.now
            && self.taken(thread) >= steps
        {
            self.now = self.targets.next();
        }
        let can = |thread: &ThreadNumber| choice.enabled.binary_search(thread).is_ok();
        match self.now {
            Some((thread, _)) => Some(thread).filter(can),
            None => {
                // Round-robin: some may loop for ever.
                let after = self.last.iter().position(|t| Some(*t) == choice.last).map_or(0, |i| i + 1);
                let (before, after) = self.last.split_at(after);
                after.iter().chain(before).copied().find(can)
            }
        }
    }

    fn stepped(&mut self, thread: ThreadNumber, counts: bool) {
        if counts {
            *self.taken.entry(thread).or_insert(0) += 1;
        }
    }
}

/// Contents of memory that was never written: the low `bytes` of `value`, from `offset` on.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct UnwrittenBytes {
    pub offset: u64,
    pub bytes: u64,
    pub value: u128,
}

/// Inputs by what they are for. Where nothing is known the value is 0, so that there is always an answer.
#[derive(Clone, Default, Debug)]
pub struct GuidedInputs {
    /// By thread, in its program order: what the program asks for, and registers that were never assigned.
    pub calls: HashMap<ThreadNumber, Vec<u128>>,
    /// By the thread that made the object, how many it had made before, and the scope. Scope 0 has the bytes for every
    /// scope in which nothing else is known of them.
    pub memory: HashMap<(ThreadNumber, u64, u64), Vec<UnwrittenBytes>>,
    pub globals: HashMap<GlobalId, Vec<UnwrittenBytes>>,
    pub thread_locals: HashMap<(ThreadNumber, GlobalId), Vec<UnwrittenBytes>>,
    pub layout: Layout,
}

impl Inputs for GuidedInputs {
    fn value(&mut self, request: &InputRequest<'_>) -> Option<u128> {
        let bytes = request.width.bytes() as u64;
        let (known, offset) = match request.source {
            InputSource::Call { nth } | InputSource::Register { nth } => {
                let values = self.calls.get(&request.thread);
                return Some(values.and_then(|v| v.get(usize::try_from(nth).ok()?).copied()).unwrap_or(0));
            }
            InputSource::Output => return Some(0),
            InputSource::Memory { made_by, nth, scope, offset } => {
                let in_scope = |scope| self.memory.get(&(made_by, nth, scope));
                ([in_scope(scope), in_scope(0)], offset)
            }
            InputSource::Global { global, offset } => ([self.globals.get(&global), None], offset),
            InputSource::ThreadLocal { thread, global, offset } => {
                ([self.thread_locals.get(&(thread, global)), None], offset)
            }
        };
        let known = known.into_iter().flatten().flatten();
        Some(assemble(known, offset, bytes))
    }

    fn address(&mut self, of: ObjectName) -> Option<u64> {
        self.layout.get(&of).copied()
    }
}

/// The bytes of a range as a number; each byte is from the first part that has it.
fn assemble<'k>(known: impl Iterator<Item = &'k UnwrittenBytes> + Clone, offset: u64, bytes: u64) -> u128 {
    let byte = |at: u64| {
        known.clone().find_map(|k| {
            let i = at.checked_sub(k.offset).filter(|i| *i < k.bytes)?;
            // Above its 16 bytes a number is 0.
            Some(if i < 16 { k.value >> (8 * i) & 0xff } else { 0 })
        })
    };
    (0..bytes.min(16)).map(|i| byte(offset.saturating_add(i)).unwrap_or(0) << (8 * i)).sum()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_value_is_put_together_from_parts() {
        let known = [
            UnwrittenBytes { offset: 2, bytes: 2, value: 0xbbaa },
            UnwrittenBytes { offset: 3, bytes: 4, value: 0x44332211 },
            UnwrittenBytes { offset: 8, bytes: 1, value: 0xffff },
            UnwrittenBytes { offset: 100, bytes: u64::MAX, value: 0x77 },
        ];
        let check = |offset, bytes, expect| assert_eq!(assemble(known.iter(), offset, bytes), expect);
        check(0, 8, 0x0044_3322_bbaa_0000);
        check(3, 1, 0xbb);
        check(8, 2, 0xff);
        check(99, 4, 0x7700);
        check(u64::MAX, 16, 0);
    }
}
