//! Post-dominators: the blocks on every path from a block to the end of its function. They give what a branch decides
//! (Ferrante, Ottenstein and Warren, "The program dependence graph and its use in optimization", 1987).
//!
//! The end is where the function returns. Paths that never return do not count: nothing afterwards can observe that
//! they were taken.

use std::collections::BTreeSet;
use tp_ir::cfg::Cfg;
use tp_ir::{BlockId, Body, EntityRef, Terminator};

/// The post-dominators of a function's blocks.
pub struct PostDominators {
    cfg: Cfg,
    /// By node: its immediate post-dominator; the end has itself. `None`: no path to the end.
    closest: Vec<Option<usize>>,
}

/// Node 0 is the end, node n + 1 is block n.
const END: usize = 0;

fn node(block: BlockId) -> usize {
    block.index() + 1
}

impl PostDominators {
    pub fn new(body: &Body) -> PostDominators {
        let cfg = Cfg::new(body);
        let mut before = vec![Vec::new(); body.blocks.len() + 1];
        let mut after = vec![Vec::new(); body.blocks.len() + 1];
        for (block, row) in body.blocks.iter() {
            let returns = matches!(row.terminator, Terminator::Return(_)).then_some(END);
            for to in cfg.succs(block).iter().map(|to| node(*to)).chain(returns) {
                before[to].push(node(block));
                after[node(block)].push(to);
            }
        }
        PostDominators { closest: closest(&before, &after), cfg }
    }

    /// The immediate post-dominator of a block. `None` if that is the end of the function, or there is no path to the
    /// end.
    pub fn closest(&self, block: BlockId) -> Option<BlockId> {
        self.closest[node(block)].filter(|to| *to != END).map(|to| BlockId::new(to - 1))
    }

    /// Whether block `a` is on every path from `b` to the end. Both must have a path to the end.
    pub fn post_dominates(&self, a: BlockId, b: BlockId) -> bool {
        std::iter::successors(Some(b), |block| self.closest(*block)).any(|block| block == a)
    }

    /// Whether the function can return from a block on.
    pub fn may_return(&self, block: BlockId) -> bool {
        self.closest[node(block)].is_some()
    }

    /// The region of influence of a branch: the blocks for which it decides whether they are executed. Apart from them,
    /// the block where the paths join again.
    pub fn influence(&self, branch: BlockId) -> (BTreeSet<BlockId>, Option<BlockId>) {
        let meeting = self.closest(branch);
        let mut inside = BTreeSet::new();
        let mut queue = self.cfg.succs(branch).to_vec();
        while let Some(block) = queue.pop() {
            if Some(block) != meeting && inside.insert(block) {
                queue.extend(self.cfg.succs(block));
            }
        }
        (inside, meeting)
    }
}

/// The immediate post-dominator of each node, `None` without a path to the end. The iterative method of Cooper, Harvey
/// and Kennedy (2001), on the reversed graph.
fn closest(before: &[Vec<usize>], after: &[Vec<usize>]) -> Vec<Option<usize>> {
    let order = postorder(before);
    let mut number = vec![usize::MAX; before.len()];
    order.iter().enumerate().for_each(|(i, node)| number[*node] = i);
    let mut closest: Vec<Option<usize>> = vec![None; before.len()];
    closest[END] = Some(END);
    let mut changed = true;
    while changed {
        changed = false;
        for &node in order.iter().rev().filter(|node| **node != END) {
            let mut found = None;
            for &to in after[node].iter().filter(|to| closest[**to].is_some()) {
                found = Some(found.map_or(to, |other| common(&closest, &number, other, to)));
            }
            changed |= closest[node] != found;
            closest[node] = found;
        }
    }
    closest
}

fn common(closest: &[Option<usize>], number: &[usize], a: usize, b: usize) -> usize {
    let (mut a, mut b) = (a, b);
    while a != b {
        // Both have a path to the end, so the walk stops there at the latest.
        let lower = if number[a] < number[b] { &mut a } else { &mut b };
        *lower = closest[*lower].unwrap_or(END);
    }
    a
}

fn postorder(edges: &[Vec<usize>]) -> Vec<usize> {
    let mut seen = vec![false; edges.len()];
    let mut order = Vec::new();
    let mut path = vec![(END, 0)];
    seen[END] = true;
    while let Some((node, next)) = path.last_mut() {
        match edges[*node].get(*next) {
            Some(&to) => {
                *next += 1;
                if !std::mem::replace(&mut seen[to], true) {
                    path.push((to, 0));
                }
            }
            None => {
                order.push(*node);
                path.pop();
            }
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{block, body};

    #[test]
    fn the_ways_of_a_branch_meet_again() {
        let body = body(&[&[1, 2], &[3], &[3], &[]]);
        let post = PostDominators::new(&body);
        assert_eq!(post.closest(block(0)), Some(block(3)));
        assert_eq!(post.closest(block(3)), None);
        assert!(post.post_dominates(block(3), block(0)) && !post.post_dominates(block(1), block(0)));
        assert_eq!(post.influence(block(0)), (BTreeSet::from([block(1), block(2)]), Some(block(3))));
    }

    #[test]
    fn a_way_without_an_end_does_not_count() {
        // Block 1 loops for ever; block 2 returns.
        let body = body(&[&[1, 2], &[1], &[]]);
        let post = PostDominators::new(&body);
        assert!(!post.may_return(block(1)) && post.may_return(block(0)));
        assert_eq!(post.closest(block(0)), Some(block(2)));
        assert_eq!(post.influence(block(0)), (BTreeSet::from([block(1)]), Some(block(2))));
    }

    #[test]
    fn a_loop_decides_about_itself() {
        let body = body(&[&[1], &[2, 3], &[1], &[]]);
        let post = PostDominators::new(&body);
        assert_eq!(post.influence(block(1)), (BTreeSet::from([block(1), block(2)]), Some(block(3))));
        assert!(post.post_dominates(block(1), block(2)) && !post.post_dominates(block(2), block(1)));
    }

    #[test]
    fn two_returns_meet_nowhere() {
        let body = body(&[&[1, 2], &[], &[]]);
        let post = PostDominators::new(&body);
        assert_eq!(post.closest(block(0)), None);
        assert!(post.may_return(block(0)));
    }
}
