//! Finds the locals that are accessed after their scope has ended. They stay in memory, so that the run-time check can
//! report the access.
//!
//! From each access the search goes back over all paths to the nearest begin or end of the scope.

use crate::cfg::Cfg;
use crate::{BlockId, Body, Op, Operand};
use cranelift_entity::EntityRef;

#[derive(Copy, Clone, PartialEq, Eq)]
enum Event {
    Begin,
    End,
    Access,
}

fn event(op: &Op) -> Option<(Operand, Event)> {
    match op {
        Op::ScopeBegin { ptr } => Some((*ptr, Event::Begin)),
        Op::ScopeEnd { ptr, .. } => Some((*ptr, Event::End)),
        Op::Load { ptr, .. } | Op::Store { ptr, .. } => Some((*ptr, Event::Access)),
        _ => None,
    }
}

/// For each register, whether it is the address of such a local. Only direct loads and stores are considered; a local
/// with other uses is not promoted anyway.
pub(super) fn used_after_end(body: &Body, cfg: &Cfg) -> Vec<bool> {
    let mut used = vec![false; body.regs.len()];
    let mut has_end = vec![false; body.regs.len()];
    for inst in body.blocks.values().flat_map(|block| &block.insts) {
        if let Op::ScopeEnd { ptr, .. } = &inst.op
            && let Some(reg) = ptr.as_reg()
        {
            has_end[reg.index()] = true;
        }
    }
    if !has_end.contains(&true) {
        return used;
    }
    let mut events: Vec<Vec<(BlockId, Event)>> = vec![Vec::new(); body.regs.len()];
    for (id, block) in &body.blocks {
        for inst in &block.insts {
            let made = inst.result.filter(|_| matches!(inst.op, Op::Alloca { .. }));
            let made = made.map(|reg| (reg.into(), Event::Begin));
            if let Some((ptr, event)) = made.or_else(|| event(&inst.op))
                && let Some(reg) = ptr.as_reg().filter(|reg| has_end[reg.index()])
            {
                events[reg.index()].push((id, event));
            }
        }
    }
    let mut search =
        Search { cfg, last: vec![None; body.blocks.len()], seen: vec![0; body.blocks.len()], round: 0 };
    for (used, events) in used.iter_mut().zip(&events) {
        *used = !events.is_empty() && search.reaches_end(events);
    }
    used
}

struct Search<'a> {
    cfg: &'a Cfg,
    /// By block: the last begin or end of the current local.
    last: Vec<Option<Event>>,
    /// By block: the search (`round`) that visited it last.
    seen: Vec<u32>,
    round: u32,
}

impl Search<'_> {
    /// The events of one local, block by block.
    fn reaches_end(&mut self, events: &[(BlockId, Event)]) -> bool {
        self.round += 1;
        let mut inside = false;
        let mut worklist = Vec::new();
        for &(block, event) in events {
            let last = &mut self.last[block.index()];
            match (event, *last) {
                (Event::Access, Some(Event::End)) => inside = true,
                (Event::Access, Some(_)) => {}
                (Event::Access, None) => worklist.push(block),
                (marker, _) => *last = Some(marker),
            }
        }
        let found = inside || self.walk_back(worklist);
        events.iter().for_each(|(block, _)| self.last[block.index()] = None);
        found
    }

    fn walk_back(&mut self, mut worklist: Vec<BlockId>) -> bool {
        while let Some(block) = worklist.pop() {
            if std::mem::replace(&mut self.seen[block.index()], self.round) == self.round {
                continue;
            }
            for pred in self.cfg.preds(block) {
                match self.last[pred.index()] {
                    Some(Event::End) => return true,
                    Some(_) => {}
                    None => worklist.push(*pred),
                }
            }
        }
        false
    }
}
