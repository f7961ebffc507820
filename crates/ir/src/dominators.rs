//! Dominators of the blocks of a function, and their frontiers.
//!
//! They come from semidominators and nearest common ancestors in the depth-first tree (Georgiadis, "Linear-Time
//! Algorithms for Dominators and Related Problems"). The iterative method is shorter, but quadratic when thousands of
//! blocks jump to one error label.

use crate::BlockId;
use crate::cfg::{Cfg, DepthFirstTree};
use cranelift_entity::EntityRef;

/// Which blocks every path from the entry to a block goes through.
pub struct Dominators {
    /// The immediate dominator of each reachable block; the entry has itself.
    idom: Vec<BlockId>,
    children: Vec<Vec<BlockId>>,
    /// When a walk of the dominator tree enters and leaves a block: the interval of a dominator contains those of the
    /// blocks it dominates.
    interval: Vec<(u32, u32)>,
}

impl Dominators {
    pub fn new(cfg: &Cfg) -> Dominators {
        let idom = closest(cfg);
        let mut children = vec![Vec::new(); idom.len()];
        for &block in cfg.order().iter().skip(1) {
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

    /// The blocks that this one immediately dominates.
    pub fn children(&self, block: BlockId) -> &[BlockId] {
        &self.children[block.index()]
    }

    /// The dominance frontier of each block: the blocks that it does not strictly dominate although it dominates one of
    /// their predecessors.
    pub fn frontiers(&self, cfg: &Cfg) -> Vec<Vec<BlockId>> {
        let mut frontiers: Vec<Vec<BlockId>> = vec![Vec::new(); self.idom.len()];
        for &block in cfg.order() {
            let end = self.idom[block.index()];
            for &pred in cfg.preds(block) {
                let mut runner = pred;
                let is_entry = block == end;
                while runner != end || is_entry {
                    // From here up, an earlier predecessor has already added the block.
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

/// The immediate dominator of each block. Semidominators are computed in reverse preorder. The immediate dominator is
/// then the first block up the dominator tree, from the parent on, whose number is not above the semidominator's.
fn closest(cfg: &Cfg) -> Vec<BlockId> {
    let DepthFirstTree { blocks, parent, number } = cfg.tree();
    let mut forest = Forest::new(parent.clone());
    for i in (1..blocks.len() as u32).rev() {
        let semi =
            cfg.preds(blocks[i as usize]).iter().map(|pred| forest.least(number[pred.index()], i + 1)).min();
        forest.semi[i as usize] = semi.unwrap_or(i).min(parent[i as usize]);
    }
    let mut idom = parent.clone();
    for i in 1..blocks.len() {
        let mut candidate = idom[i];
        while candidate > forest.semi[i] {
            candidate = idom[candidate as usize];
        }
        idom[i] = candidate;
    }
    let mut of_block: Vec<BlockId> = (0..number.len()).map(BlockId::new).collect();
    for (block, idom) in blocks.iter().zip(idom) {
        of_block[block.index()] = blocks[idom as usize];
    }
    of_block
}

/// The part of the tree that was processed, with path compression.
struct Forest {
    /// An ancestor in the tree.
    link: Vec<u32>,
    /// The number with the least semidominator on the path up to `link`, which is excluded.
    label: Vec<u32>,
    semi: Vec<u32>,
    way: Vec<u32>,
}

impl Forest {
    fn new(parent: Vec<u32>) -> Forest {
        let numbers: Vec<u32> = (0..parent.len() as u32).collect();
        Forest { link: parent, label: numbers.clone(), semi: numbers, way: Vec::new() }
    }

    /// The least semidominator on the path from `v` up to the first ancestor below `done`, which is excluded.
    fn least(&mut self, v: u32, done: u32) -> u32 {
        let mut top = v;
        while self.link[top as usize] >= done {
            self.way.push(top);
            top = self.link[top as usize];
        }
        while let Some(next) = self.way.pop() {
            let above = self.label[top as usize];
            if self.semi[above as usize] < self.semi[self.label[next as usize] as usize] {
                self.label[next as usize] = above;
            }
            self.link[next as usize] = self.link[top as usize];
            top = next;
        }
        self.semi[self.label[v as usize] as usize]
    }
}

fn intervals(cfg: &Cfg, children: &[Vec<BlockId>]) -> Vec<(u32, u32)> {
    let mut interval = vec![(0, 0); children.len()];
    let Some(&entry) = cfg.order().first() else { return interval };
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
