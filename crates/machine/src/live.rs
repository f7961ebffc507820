//! Which registers of a function can still be read: two states of a thread that differ in others are the same.

use tp_ir::{BlockId, Body, EntityRef, Op, OperandKind, Reg};

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Default)]
struct Set(Vec<u64>);

impl Set {
    fn new(regs: usize) -> Set {
        Set(vec![0; regs.div_ceil(64)])
    }

    fn insert(&mut self, r: Reg) {
        self.0[r.index() / 64] |= 1 << (r.index() % 64);
    }

    fn remove(&mut self, r: Reg) {
        self.0[r.index() / 64] &= !(1 << (r.index() % 64));
    }

    fn contains(&self, r: usize) -> bool {
        self.0[r / 64] >> (r % 64) & 1 == 1
    }

    /// Whether something was added.
    fn add(&mut self, other: &Set) -> bool {
        let mut more = false;
        for (mine, theirs) in self.0.iter_mut().zip(&other.0) {
            more |= *theirs & !*mine != 0;
            *mine |= theirs;
        }
        more
    }
}

/// What is live at the beginning of each block of a function.
pub struct Liveness<'p> {
    body: &'p Body,
    at_start: Vec<Set>,
}

impl<'p> Liveness<'p> {
    pub fn new(body: &'p Body) -> Liveness<'p> {
        let mut live = Liveness { body, at_start: vec![Set::new(body.regs.len()); body.blocks.len()] };
        let mut again = true;
        while again {
            again = false;
            for block in body.blocks.keys().rev() {
                let set = live.before(block, 0);
                again |= live.at_start[block.index()].add(&set);
            }
        }
        live
    }

    /// The registers that are read at or after an instruction, before they are assigned.
    fn before(&self, block: BlockId, pc: usize) -> Set {
        let b = &self.body.blocks[block];
        let mut set = Set::new(self.body.regs.len());
        let mut read = Vec::new();
        b.terminator.each_target(|target| {
            read.extend(target.args.iter().copied());
            let mut needed = self.at_start[target.block.index()].clone();
            for &param in &self.body.blocks[target.block].params {
                needed.remove(param);
            }
            set.add(&needed);
        });
        b.terminator.each_operand(|operand, _| read.push(operand));
        for inst in b.insts.iter().skip(pc).rev() {
            for operand in read.drain(..) {
                if let OperandKind::Reg(r) = operand.kind() {
                    set.insert(r);
                }
            }
            inst.results().for_each(|r| set.remove(r));
            inst.op.each_operand(|operand, _| read.push(*operand));
        }
        for operand in read {
            if let OperandKind::Reg(r) = operand.kind() {
                set.insert(r);
            }
        }
        set
    }

    /// The registers that matter to a frame that stands before an instruction or, in a call, behind it.
    pub fn registers(&self, block: BlockId, pc: usize, in_call: bool) -> impl Iterator<Item = usize> {
        let set = if in_call {
            let mut set = self.before(block, pc + 1);
            if let Some(Op::Call(call)) = self.body.blocks[block].insts.get(pc).map(|i| &i.op) {
                call.results.iter().for_each(|r| set.remove(*r));
            }
            set
        } else {
            self.before(block, pc)
        };
        (0..self.body.regs.len()).filter(move |&r| set.contains(r))
    }
}
