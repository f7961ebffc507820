//! The loops of a function: a weak topological order of its blocks (Bourdoncle, "Efficient chaotic iteration strategies
//! with widenings", 1993), which also covers loops with several entries.
//!
//! Each block has a position, and belongs to the loops whose heads are listed, outermost first. Executing pending blocks
//! by the key (position of the outermost head, its round, …, position) meets every block after all that lead to it in
//! the same rounds.

use tp_ir::{BlockId, Body, EntityRef};

pub(crate) struct Loops {
    /// By block: its position, or `None` when it is not reached.
    positions: Vec<Option<u32>>,
    /// By block: the heads of the loops around it, outermost first; a head is in its own loop.
    heads: Vec<Vec<BlockId>>,
}

impl Loops {
    pub fn new(body: &Body) -> Loops {
        let count = body.blocks.len();
        let mut order = Order {
            successors: body.blocks.values().map(|b| targets(&b.terminator, count)).collect(),
            number: vec![0; count],
            next: 0,
            stack: Vec::new(),
            loops: Loops { positions: vec![None; count], heads: vec![Vec::new(); count] },
            sequence: Vec::new(),
        };
        if count > 0 {
            let mut parts = Vec::new();
            order.visit(BlockId::new(0), &mut parts);
            order.place(parts, &mut Vec::new());
        }
        for (i, block) in order.sequence.iter().enumerate() {
            order.loops.positions[block.index()] = Some(i as u32);
        }
        order.loops
    }

    pub fn position(&self, block: BlockId) -> u32 {
        self.positions[block.index()].unwrap_or(u32::MAX)
    }

    pub fn heads(&self, block: BlockId) -> &[BlockId] {
        &self.heads[block.index()]
    }
}

fn targets(terminator: &tp_ir::Terminator, count: usize) -> Vec<BlockId> {
    let mut found = Vec::new();
    terminator.each_target(|t| {
        if t.block.index() < count && !found.contains(&t.block) {
            found.push(t.block);
        }
    });
    found
}

/// A block, or a loop: its head and what is inside, in reverse order.
enum Part {
    Block(BlockId),
    Loop(BlockId, Vec<Part>),
}

struct Order {
    successors: Vec<Vec<BlockId>>,
    /// The depth-first number; 0: not seen, MAX: done.
    number: Vec<u32>,
    next: u32,
    stack: Vec<BlockId>,
    loops: Loops,
    sequence: Vec<BlockId>,
}

impl Order {
    /// Adds the part of `block` to `parts` (in reverse); the lowest number that can be reached from it.
    fn visit(&mut self, block: BlockId, parts: &mut Vec<Part>) -> u32 {
        self.stack.push(block);
        self.next += 1;
        let own = self.next;
        self.number[block.index()] = own;
        let mut head = own;
        let mut is_loop = false;
        for i in 0..self.successors[block.index()].len() {
            let next = self.successors[block.index()][i];
            let low = match self.number[next.index()] {
                0 => self.visit(next, parts),
                n => n,
            };
            if low <= head {
                head = low;
                is_loop = true;
            }
        }
        if head == own {
            self.number[block.index()] = u32::MAX;
            let mut top = self.stack.pop();
            if is_loop {
                while let Some(b) = top
                    && b != block
                {
                    self.number[b.index()] = 0;
                    top = self.stack.pop();
                }
                let inside = self.component(block);
                parts.push(Part::Loop(block, inside));
            } else {
                parts.push(Part::Block(block));
            }
        }
        head
    }

    fn component(&mut self, head: BlockId) -> Vec<Part> {
        let mut parts = Vec::new();
        for i in 0..self.successors[head.index()].len() {
            let next = self.successors[head.index()][i];
            if self.number[next.index()] == 0 {
                self.visit(next, &mut parts);
            }
        }
        parts
    }

    fn place(&mut self, parts: Vec<Part>, around: &mut Vec<BlockId>) {
        for part in parts.into_iter().rev() {
            match part {
                Part::Block(block) => {
                    self.loops.heads[block.index()] = around.clone();
                    self.sequence.push(block);
                }
                Part::Loop(head, inside) => {
                    around.push(head);
                    self.loops.heads[head.index()] = around.clone();
                    self.sequence.push(head);
                    self.place(inside, around);
                    around.pop();
                }
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Every block comes after those that lead to it without going back, and a loop is one stretch.
    fn check(text: &str, expect: &[&[u32]]) {
        let program = tp_ir::parse(text).expect("it is a program");
        let body = program.functions[program.entry].body.as_ref().expect("it is defined");
        let loops = Loops::new(body);
        let heads: Vec<Vec<u32>> =
            body.blocks.keys().map(|b| loops.heads(b).iter().map(|h| h.as_u32()).collect()).collect();
        assert_eq!(heads, expect);
        for (id, block) in &body.blocks {
            block.terminator.each_target(|target| {
                let goes_back = loops.position(target.block) <= loops.position(id);
                let common = loops.heads(id).iter().any(|h| loops.heads(target.block).contains(h));
                assert!(!goes_back || common, "from {id} back to {}", target.block);
            });
        }
    }

    #[test]
    fn nested_loops() {
        let text = include_str!("../tests/nested.tp");
        check(text, &[&[], &[1], &[1, 2], &[1, 2], &[1], &[]]);
    }
}
