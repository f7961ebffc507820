//! The reachability tree that a search has gone through, for a picture.

use super::search::StateSearch;
use tp_ir::{Origin, PlaceId, Program};
use tp_machine::{Session, ThreadNumber};

/// Larger trees are cut: nobody looks at them.
const MOST_NODES: usize = 2_000;

/// The nodes in the order in which they were visited: parents come before their children.
#[derive(Clone, PartialEq, Debug, Default)]
pub struct Tree {
    pub nodes: Vec<TreeNode>,
    /// There are more.
    pub is_cut: bool,
}

/// A state, and the step that led to it.
#[derive(Copy, Clone, PartialEq, Debug)]
pub struct TreeNode {
    /// `None`: the first state.
    pub parent: Option<usize>,
    pub thread: ThreadNumber,
    /// The user's statement that the thread was at.
    pub place: Option<PlaceId>,
    /// Context switches so far.
    pub switches: u32,
    pub kind: TreeNodeKind,
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum TreeNodeKind {
    /// Others come after it.
    Inner,
    /// No thread goes on.
    End,
    /// The bound on context switches does not let a thread go on.
    Bound,
    /// The state was visited before.
    Visited,
    /// It fails.
    Fails,
}

impl Tree {
    pub fn add(&mut self, node: TreeNode) -> usize {
        if self.nodes.len() < MOST_NODES {
            self.nodes.push(node);
        } else {
            self.is_cut = true;
        }
        self.nodes.len() - 1
    }
}

/// A thread is about to step.
#[derive(Copy, Clone, Default)]
pub struct TreeStep {
    pub thread: ThreadNumber,
    pub place: Option<PlaceId>,
}

impl TreeStep {
    pub fn of(program: &Program, session: &Session<'_, '_>, thread: ThreadNumber) -> TreeStep {
        let mut positions = session.positions(thread).rev();
        let user = positions.find(|(function, ..)| program.functions[*function].origin == Origin::User);
        let place = user.and_then(|(function, block, index)| {
            let block = program.functions[function].body.as_ref()?.blocks.get(block)?;
            Some(block.insts.get(index)?.place)
        });
        TreeStep { thread, place }
    }
}

impl StateSearch<'_, '_, '_> {
    /// Adds a node to the tree, if one is drawn.
    pub fn draw(&mut self, parent: Option<usize>, switches: u32, kind: TreeNodeKind) -> Option<usize> {
        let TreeStep { thread, place } = self.tree_step;
        let tree = self.result.tree.as_mut()?;
        Some(tree.add(TreeNode { parent, thread, place, switches, kind }))
    }

    /// Says what became of a node.
    pub fn redraw(&mut self, node: Option<usize>, kind: TreeNodeKind) {
        if let (Some(tree), Some(node)) = (self.result.tree.as_mut(), node) {
            tree.nodes[node].kind = kind;
        }
    }
}
