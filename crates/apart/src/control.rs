//! What a branch decides: the blocks that it may lead to or past, and the block where its ways meet again.
//!
//! The ways meet in the closest block that is on every way from the branch to the end of the function (Ferrante,
//! Ottenstein and Warren, 1987). Ways that never come to the end do not count for that: nobody is there afterwards who
//! could tell which way was taken.

use std::collections::BTreeSet;
use tp_ir::{BlockId, Body, EntityRef, Terminator};

pub struct Control {
    /// The closest block on every way to the end.
    next: Vec<Option<BlockId>>,
    successors: Vec<Vec<usize>>,
}

const END: usize = 0;

impl Control {
    pub fn new(body: &Body) -> Control {
        let successors: Vec<Vec<usize>> =
            body.blocks.values().map(|block| targets(&block.terminator)).collect();
        // Node 0 is the end, node n + 1 is block n; `before` are the edges backwards.
        let mut before = vec![Vec::new(); successors.len() + 1];
        let mut after = vec![Vec::new(); successors.len() + 1];
        for (block, row) in body.blocks.iter() {
            let node = block.index() + 1;
            let returns = matches!(row.terminator, Terminator::Return(_)).then_some(END);
            for to in successors[block.index()].iter().map(|to| to + 1).chain(returns) {
                before[to].push(node);
                after[node].push(to);
            }
        }
        let next = closest(&before, &after);
        let next = next[1..].iter().map(|to| to.filter(|to| *to != END).map(|to| BlockId::new(to - 1)));
        Control { next: next.collect(), successors }
    }

    /// The blocks that control may come to or not, by what a branch decides, without the one where the ways meet again.
    pub fn decided(&self, branch: BlockId) -> (BTreeSet<BlockId>, Option<BlockId>) {
        let meeting = self.next[branch.index()];
        let mut inside = BTreeSet::new();
        let mut queue = self.successors[branch.index()].clone();
        while let Some(block) = queue.pop() {
            let id = BlockId::new(block);
            if Some(id) != meeting && inside.insert(id) {
                queue.extend(&self.successors[block]);
            }
        }
        (inside, meeting)
    }
}

fn targets(terminator: &Terminator) -> Vec<usize> {
    let mut targets = Vec::new();
    terminator.each_target(|target| targets.push(target.block.index()));
    targets.sort_unstable();
    targets.dedup();
    targets
}

/// For each node the closest one that all ways from it to the end go through, `None` if there are no ways. The iterative
/// method of Cooper, Harvey and Kennedy (2001), backwards.
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
        // Both have a way to the end, so the walk stops there at the latest.
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
