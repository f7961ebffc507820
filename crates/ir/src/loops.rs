//! The loop nesting forest of a function, with a weak topological order of its blocks (Bourdoncle, "Efficient chaotic
//! iteration strategies with widenings", 1993). It also covers irreducible loops, which have several entries.
//!
//! A loop is a strongly connected set of blocks. Its head is the one that a depth-first walk reaches first. The loops
//! inside it are the strongly connected sets that remain without the head. In the order, a block comes after its
//! predecessors, except along an edge back to the head of a loop around both, and each loop is contiguous.
//!
//! Everything that needs loops uses this: the unfolding takes positions and heads, `promote` and `explore` whether
//! control can return to a block, `analysis::counting` loops with one entry.

use crate::BlockId;
use crate::cfg::Cfg;
use cranelift_entity::EntityRef;
use std::ops::Range;

/// A loop of a [`LoopForest`]. Loops are numbered by the positions of their heads, so outer ones come before inner ones.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct LoopId(u32);

pub struct LoopForest {
    /// The reachable blocks in weak topological order.
    order: Vec<BlockId>,
    /// By block: its position in the order; `UNREACHED` if the entry does not reach it.
    positions: Vec<u32>,
    /// By block: the innermost loop around it.
    innermost: Vec<Option<LoopId>>,
    loops: Vec<Loop>,
}

struct Loop {
    /// The positions of its blocks. The head is the first.
    blocks: Range<usize>,
    parent: Option<LoopId>,
    /// The heads of the loops around it and its own, outermost first.
    heads: Vec<BlockId>,
}

const UNREACHED: u32 = u32::MAX;

impl LoopForest {
    pub fn new(cfg: &Cfg) -> LoopForest {
        let LoopSearch { mut order, mut loops, .. } = LoopSearch::of(cfg);
        let count = order.len();
        order.reverse();
        let mut positions = vec![UNREACHED; cfg.block_count()];
        for (position, block) in order.iter().enumerate() {
            positions[block.index()] = position as u32;
        }
        loops.iter_mut().for_each(|blocks| *blocks = count - blocks.end..count - blocks.start);
        loops.sort_unstable_by_key(|blocks| blocks.start);
        let mut forest =
            LoopForest { order, positions, innermost: vec![None; cfg.block_count()], loops: Vec::new() };
        loops.into_iter().for_each(|blocks| forest.add(blocks));
        forest
    }

    /// Loops are added after those around them.
    fn add(&mut self, blocks: Range<usize>) {
        let id = LoopId(self.loops.len() as u32);
        let head = self.order[blocks.start];
        let parent = self.innermost[head.index()];
        let mut heads = parent.map_or_else(Vec::new, |parent| self.of(parent).heads.clone());
        heads.push(head);
        for block in &self.order[blocks.clone()] {
            self.innermost[block.index()] = Some(id);
        }
        self.loops.push(Loop { blocks, parent, heads });
    }

    fn of(&self, id: LoopId) -> &Loop {
        &self.loops[id.0 as usize]
    }

    /// The position of a block in the weak topological order; after all others if the entry does not reach it.
    pub fn position(&self, block: BlockId) -> u32 {
        self.positions[block.index()]
    }

    /// The heads of the loops around a block, outermost first. A head is in its own loop.
    pub fn heads(&self, block: BlockId) -> &[BlockId] {
        self.innermost(block).map_or(&[], |id| &self.of(id).heads)
    }

    /// All loops, outer ones before inner ones.
    pub fn ids(&self) -> impl Iterator<Item = LoopId> + use<> {
        (0..self.loops.len() as u32).map(LoopId)
    }

    pub fn head(&self, id: LoopId) -> BlockId {
        self.order[self.of(id).blocks.start]
    }

    /// The innermost loop around another one.
    pub fn parent(&self, id: LoopId) -> Option<LoopId> {
        self.of(id).parent
    }

    /// The blocks of a loop, with those of the loops inside it, in weak topological order.
    pub fn blocks(&self, id: LoopId) -> &[BlockId] {
        &self.order[self.of(id).blocks.clone()]
    }

    pub fn contains(&self, id: LoopId, block: BlockId) -> bool {
        self.of(id).blocks.contains(&(self.position(block) as usize))
    }

    pub fn innermost(&self, block: BlockId) -> Option<LoopId> {
        self.innermost[block.index()]
    }

    /// Whether control can return to a reachable block.
    pub fn is_in_loop(&self, block: BlockId) -> bool {
        self.innermost(block).is_some()
    }

    /// Whether control enters a loop at its head only: a natural loop, whose head dominates its blocks.
    pub fn has_one_entry(&self, cfg: &Cfg, id: LoopId) -> bool {
        let inside = |block: &BlockId| self.contains(id, *block);
        self.blocks(id).iter().skip(1).all(|block| cfg.preds(*block).iter().all(inside))
    }

    /// The blocks from which control goes back to the head of a loop, one for each edge.
    pub fn latches(&self, cfg: &Cfg, id: LoopId) -> Vec<BlockId> {
        let preds = cfg.preds(self.head(id)).iter();
        preds.copied().filter(|block| self.contains(id, *block)).collect()
    }
}

/// The search for strongly connected sets (Tarjan), repeated inside each set without its head.
struct LoopSearch {
    /// The depth-first number; 0: not seen, or to be seen again inside a loop; `DONE`: in the order.
    number: Vec<u32>,
    next: u32,
    /// Blocks whose strongly connected set is not known yet.
    stack: Vec<BlockId>,
    /// The weak topological order, backwards.
    order: Vec<BlockId>,
    /// Loops as ranges of that order.
    loops: Vec<Range<usize>>,
}

const DONE: u32 = u32::MAX;

/// A block whose successors are being visited.
struct OpenBlock {
    block: BlockId,
    /// The next successor.
    next: usize,
    number: u32,
    /// The lowest number that can be reached.
    low: u32,
    /// An edge leads back to this block, or to one before it.
    is_loop: bool,
    /// Set for the head of a loop while its inside is ordered: where that begins in the order.
    inside: Option<usize>,
}

impl OpenBlock {
    fn reaches(&mut self, number: u32) {
        if self.inside.is_none() && number <= self.low {
            self.low = number;
            self.is_loop = true;
        }
    }
}

impl LoopSearch {
    fn of(cfg: &Cfg) -> LoopSearch {
        let mut search = LoopSearch {
            number: vec![0; cfg.block_count()],
            next: 0,
            stack: Vec::new(),
            order: Vec::with_capacity(cfg.order().len()),
            loops: Vec::new(),
        };
        if let Some(&entry) = cfg.order().first() {
            search.run(cfg, entry);
        }
        search
    }

    fn run(&mut self, cfg: &Cfg, entry: BlockId) {
        let mut path = vec![self.enter(entry)];
        while let Some(visit) = path.last_mut() {
            if let Some(&next) = cfg.succs(visit.block).get(visit.next) {
                visit.next += 1;
                match self.number[next.index()] {
                    0 => path.push(self.enter(next)),
                    number => visit.reaches(number),
                }
            } else if self.leave(visit) {
                let low = visit.low;
                path.pop();
                path.last_mut().into_iter().for_each(|before| before.reaches(low));
            }
        }
    }

    fn enter(&mut self, block: BlockId) -> OpenBlock {
        self.next += 1;
        self.number[block.index()] = self.next;
        self.stack.push(block);
        OpenBlock { block, next: 0, number: self.next, low: self.next, is_loop: false, inside: None }
    }

    /// After all successors were visited. Returns false for the head of a loop whose inside is still to be ordered.
    fn leave(&mut self, visit: &mut OpenBlock) -> bool {
        if let Some(start) = visit.inside {
            self.order.push(visit.block);
            self.loops.push(start..self.order.len());
        } else if visit.low == visit.number {
            self.number[visit.block.index()] = DONE;
            while let Some(block) = self.stack.pop()
                && block != visit.block
            {
                self.number[block.index()] = 0;
            }
            if visit.is_loop {
                visit.inside = Some(self.order.len());
                visit.next = 0;
                return false;
            }
            self.order.push(visit.block);
        }
        true
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::parse;

    /// `edges`: by block, its successors. `expect`: by block, the heads of the loops around it.
    fn check(edges: &[&[u32]], expect: &[&[u32]]) -> (Cfg, LoopForest) {
        let mut text = String::from("program LP64 entry &f\nfunc &f() {\n");
        for (block, targets) in edges.iter().enumerate() {
            let end = match targets {
                [] => "return".to_owned(),
                [to] => format!("jump bb{to}"),
                [a, b] => format!("branch true, bb{a}, bb{b}"),
                _ => unreachable!("at most two targets"),
            };
            text += &format!("bb{block}:\n  {end}\n");
        }
        let program = parse(&(text + "}\n")).expect("it is a program");
        let body = program.functions[program.entry].body.as_ref().expect("it is defined");
        let cfg = Cfg::new(body);
        let forest = LoopForest::new(&cfg);
        let heads: Vec<Vec<u32>> =
            body.blocks.keys().map(|b| forest.heads(b).iter().map(|h| h.as_u32()).collect()).collect();
        assert_eq!(heads, expect);
        for &block in cfg.order() {
            for next in cfg.succs(block) {
                let goes_back = forest.position(*next) <= forest.position(block);
                let common = forest.heads(block).iter().any(|h| forest.heads(*next).contains(h));
                assert!(!goes_back || common, "from {block} back to {next}");
            }
        }
        (cfg, forest)
    }

    fn block(number: u32) -> BlockId {
        BlockId::from_u32(number)
    }

    #[test]
    fn nested_loops() {
        let edges: [&[u32]; 6] = [&[1], &[2, 5], &[3, 4], &[2], &[1], &[]];
        let (cfg, forest) = check(&edges, &[&[], &[1], &[1, 2], &[1, 2], &[1], &[]]);
        let [outer, inner] = forest.ids().collect::<Vec<_>>()[..] else { panic!("two loops") };
        assert_eq!(forest.parent(inner), Some(outer));
        assert_eq!(forest.parent(outer), None);
        assert_eq!(forest.head(inner), block(2));
        assert_eq!(forest.blocks(outer).len(), 4);
        assert!(forest.contains(outer, block(3)) && !forest.contains(inner, block(4)));
        assert_eq!(forest.latches(&cfg, outer), [block(4)]);
        assert!(forest.has_one_entry(&cfg, outer) && forest.has_one_entry(&cfg, inner));
        assert!(forest.is_in_loop(block(4)) && !forest.is_in_loop(block(5)));
    }

    #[test]
    fn a_block_that_leads_to_itself() {
        check(&[&[0, 1], &[]], &[&[0], &[]]);
    }

    #[test]
    fn an_irreducible_loop_has_one_head_and_two_entries() {
        // Blocks 1 and 2 lead to each other, and control enters at both; block 2 also leads to itself.
        let edges: [&[u32]; 4] = [&[1, 2], &[2, 3], &[2, 1], &[]];
        let (cfg, forest) = check(&edges, &[&[], &[1], &[1, 2], &[]]);
        let [outer, inner] = forest.ids().collect::<Vec<_>>()[..] else { panic!("two loops") };
        assert!(!forest.has_one_entry(&cfg, outer), "control also enters at block 2");
        assert!(forest.has_one_entry(&cfg, inner));
        assert_eq!(forest.latches(&cfg, outer), [block(2)]);
    }

    #[test]
    fn blocks_that_are_not_reached_are_in_no_loop() {
        let (_, forest) = check(&[&[], &[1]], &[&[], &[]]);
        assert_eq!(forest.position(block(1)), UNREACHED);
    }

    #[test]
    fn two_edges_to_one_block_are_no_loop() {
        check(&[&[1, 1], &[]], &[&[], &[]]);
    }
}
