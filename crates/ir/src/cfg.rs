//! The control flow of a function: reachable blocks in reverse postorder, predecessors, dominators and their frontiers.
//!
//! Dominators are computed by intersection along reverse postorder until nothing changes, after Cooper, Harvey and
//! Kennedy, "A Simple, Fast Dominance Algorithm". Targets that do not exist are ignored, so that the validator can use
//! this too.

use crate::{BlockId, Body};
use cranelift_entity::EntityRef;

/// Of a block that the entry does not reach.
const UNREACHED: u32 = u32::MAX;

pub struct Cfg {
    /// The reachable blocks; a block comes before those it dominates. The entry is first.
    order: Vec<BlockId>,
    /// The position of each block in `order`.
    position: Vec<u32>,
    /// The reachable predecessors of each block, one for each edge.
    preds: Vec<Vec<BlockId>>,
}

impl Cfg {
    pub fn new(body: &Body) -> Cfg {
        let order = reverse_postorder(body);
        let mut position = vec![UNREACHED; body.blocks.len()];
        let mut preds = vec![Vec::new(); body.blocks.len()];
        for (i, block) in order.iter().enumerate() {
            position[block.index()] = i as u32;
        }
        for &block in &order {
            body.blocks[block].terminator.each_target(|target| {
                if body.blocks.is_valid(target.block) {
                    preds[target.block.index()].push(block);
                }
            });
        }
        Cfg { order, position, preds }
    }

    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.position[block.index()] != UNREACHED
    }

    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.preds[block.index()]
    }
}

fn successors(body: &Body, block: BlockId) -> Vec<BlockId> {
    let mut targets = Vec::new();
    body.blocks[block].terminator.each_target(|target| {
        if body.blocks.is_valid(target.block) {
            targets.push(target.block);
        }
    });
    targets
}

fn reverse_postorder(body: &Body) -> Vec<BlockId> {
    let mut order = Vec::new();
    let Some(entry) = body.blocks.keys().next() else { return order };
    let mut seen = vec![false; body.blocks.len()];
    seen[entry.index()] = true;
    // The blocks on the way, each with the successors still to visit.
    let mut path = vec![(entry, successors(body, entry))];
    while let Some((block, rest)) = path.last_mut() {
        match rest.pop() {
            Some(next) if seen[next.index()] => {}
            Some(next) => {
                seen[next.index()] = true;
                path.push((next, successors(body, next)));
            }
            None => {
                order.push(*block);
                path.pop();
            }
        }
    }
    order.reverse();
    order
}

/// Which blocks every path from the entry to a block goes through.
pub struct Dominators {
    /// The closest strict dominator of each reachable block; the entry has itself.
    idom: Vec<BlockId>,
    children: Vec<Vec<BlockId>>,
    /// When a walk of the tree enters and leaves a block: dominators enclose what they dominate.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Dominators {
        let idom = closest(cfg);
        let mut children = vec![Vec::new(); idom.len()];
        for &block in cfg.order.iter().skip(1) {
            children[idom[block.index()].index()].push(block);
        }
        let interval = intervals(cfg, &children);
        Dominators { idom, children, interval }
    }

    /// Both blocks must be reachable.
    pub fn dominates(&self, a: BlockId, b: BlockId) -> bool {
        let ((enter_a, leave_a), (enter_b, leave_b)) = (self.interval[a.index()], self.interval[b.index()]);
        enter_a <= enter_b && leave_b <= leave_a
    }

    /// The blocks whose closest strict dominator this is.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block.index()]
    }

    /// For each block, the blocks where its dominance ends: it dominates a predecessor of them, but not strictly them.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut frontiers: Vec<Vec<BlockId>> = vec![Vec::new(); self.idom.len()];
        for &block in &cfg.order {
            let end = self.idom[block.index()];
            for &pred in cfg.preds(block) {
                let mut runner = pred;
                let is_entry = block == end;
                while runner != end || is_entry {
                    // From here up, an earlier predecessor was there before.
                    if frontiers[runner.index()].last() == Some(&block) {
                        break;
                    }
                    frontiers[runner.index()].push(block);
                    if runner == self.idom[runner.index()] {
                        break;
                    }
                    runner = self.idom[runner.index()];
                }
            }
        }
        frontiers
    }
}

fn closest(cfg: &Cfg) -> Vec<BlockId> {
    // Positions in the order until the end: a smaller one is closer to the entry.
    let mut idom = vec![UNREACHED; cfg.order.len()];
    if let Some(entry) = idom.first_mut() {
        *entry = 0;
    }
    let mut changed = true;
    while changed {
        changed = false;
        for (i, block) in cfg.order.iter().enumerate().skip(1) {
            let mut new = UNREACHED;
            for pred in &cfg.preds[block.index()] {
                let pred = cfg.position[pred.index()];
                if idom[pred as usize] != UNREACHED {
                    new = if new == UNREACHED { pred } else { common(&idom, new, pred) };
                }
            }
            if idom[i] != new {
                idom[i] = new;
                changed = true;
            }
        }
    }
    let mut of_block: Vec<BlockId> = (0..cfg.position.len()).map(BlockId::new).collect();
    for (i, block) in cfg.order.iter().enumerate() {
        of_block[block.index()] = cfg.order[idom[i] as usize];
    }
    of_block
}

fn common(idom: &[u32], mut a: u32, mut b: u32) -> u32 {
    while a != b {
        while a > b {
            a = idom[a as usize];
        }
        while b > a {
            b = idom[b as usize];
        }
    }
    a
}

fn intervals(cfg: &Cfg, children: &[Vec<BlockId>]) -> Vec<(u32, u32)> {
    let mut interval = vec![(0, 0); children.len()];
    let Some(&entry) = cfg.order.first() else { return interval };
    let mut clock = 0;
    let mut path = vec![(entry, 0)];
    while let Some((block, next)) = path.last_mut() {
        if *next == 0 {
            interval[block.index()].0 = clock;
            clock += 1;
        }
        match children[block.index()].get(*next) {
            Some(child) => {
                *next += 1;
                path.push((*child, 0));
            }
            None => {
                interval[block.index()].1 = clock;
                path.pop();
            }
        }
    }
    interval
}
