//! The control flow graph of a function: its edges, and the reachable blocks in reverse postorder.
//!
//! Targets that do not exist are ignored, so that the validator can use this too.

use crate::{BlockId, Body};
use cranelift_entity::EntityRef;

/// The number of a block that the entry does not reach.
const UNREACHED: u32 = u32::MAX;

pub struct Cfg {
    /// The reachable blocks; a block comes before those it dominates. The entry is first.
    order: Vec<BlockId>,
    /// The reachable predecessors of each block, one for each edge.
    preds: Vec<Vec<BlockId>>,
    /// The successors of each block, reachable or not, one for each edge.
    succs: Vec<Vec<BlockId>>,
    tree: DepthFirstTree,
}

/// The depth-first tree: blocks in preorder, each with its parent. Numbers are positions in this order.
#[derive(Default)]
pub(crate) struct DepthFirstTree {
    pub(crate) blocks: Vec<BlockId>,
    pub(crate) parent: Vec<u32>,
    /// The number of each block.
    pub(crate) number: Vec<u32>,
}

impl DepthFirstTree {
    fn add(&mut self, block: BlockId, parent: u32) {
        self.number[block.index()] = self.blocks.len() as u32;
        self.blocks.push(block);
        self.parent.push(parent);
    }
}

impl Cfg {
    pub fn new(body: &Body) -> Cfg {
        let succs: Vec<Vec<BlockId>> = body.blocks.keys().map(|block| targets(body, block)).collect();
        let (order, tree) = depth_first(&succs);
        let mut preds = vec![Vec::new(); succs.len()];
        for &block in &order {
            for next in &succs[block.index()] {
                preds[next.index()].push(block);
            }
        }
        Cfg { order, preds, succs, tree }
    }

    /// The reachable blocks in reverse postorder: a block comes before those it dominates. The entry is first.
    pub fn order(&self) -> &[BlockId] {
        &self.order
    }

    /// The number of blocks, reachable or not.
    pub fn block_count(&self) -> usize {
        self.succs.len()
    }

    pub fn is_reachable(&self, block: BlockId) -> bool {
        self.tree.number[block.index()] != UNREACHED
    }

    /// The reachable predecessors of a block, one for each edge.
    pub fn preds(&self, block: BlockId) -> &[BlockId] {
        &self.preds[block.index()]
    }

    /// The successors of a block in the order of its terminator, one for each edge.
    pub fn succs(&self, block: BlockId) -> &[BlockId] {
        &self.succs[block.index()]
    }

    pub(crate) fn tree(&self) -> &DepthFirstTree {
        &self.tree
    }
}

fn targets(body: &Body, block: BlockId) -> Vec<BlockId> {
    let mut targets = Vec::new();
    body.blocks[block].terminator.each_target(|target| {
        if body.blocks.is_valid(target.block) {
            targets.push(target.block);
        }
    });
    targets
}

/// The reachable blocks in reverse postorder, and the tree of the walk.
fn depth_first(succs: &[Vec<BlockId>]) -> (Vec<BlockId>, DepthFirstTree) {
    let mut order = Vec::new();
    let mut tree = DepthFirstTree { number: vec![UNREACHED; succs.len()], ..DepthFirstTree::default() };
    let Some(of_entry) = succs.first() else { return (order, tree) };
    let entry = BlockId::new(0);
    tree.add(entry, 0);
    // The blocks on the current path, each with the number of successors still to visit, the last one first.
    let mut path = vec![(entry, of_entry.len())];
    while let Some((block, rest)) = path.last_mut() {
        if *rest == 0 {
            order.push(*block);
            path.pop();
            continue;
        }
        *rest -= 1;
        let next = succs[block.index()][*rest];
        if tree.number[next.index()] == UNREACHED {
            tree.add(next, tree.number[block.index()]);
            path.push((next, succs[next.index()].len()));
        }
    }
    order.reverse();
    (order, tree)
}
