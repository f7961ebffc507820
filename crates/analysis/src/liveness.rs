//! Live registers: those that can still be read. States of a thread that differ only in dead registers are equivalent.

use tp_ir::{BlockId, Body, EntityRef, Op, OperandKind, Reg};

/// A set of registers.
#[derive(Clone, PartialEq, Eq, Default)]
struct Registers(Vec<u64>);

impl Registers {
    fn new(regs: usize) -> Registers {
        Registers(vec![0; regs.div_ceil(64)])
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
    fn add(&mut self, other: &Registers) -> bool {
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
    at_start: Vec<Registers>,
}

impl<'p> Liveness<'p> {
    pub fn new(body: &'p Body) -> Liveness<'p> {
        let mut live = Liveness { body, at_start: vec![Registers::new(body.regs.len()); body.blocks.len()] };
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
    fn before(&self, block: BlockId, pc: usize) -> Registers {
        let b = &self.body.blocks[block];
        let mut set = Registers::new(self.body.regs.len());
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

    /// The live registers of a frame that is about to execute an instruction or, if `in_call`, is inside its call.
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{block, body_of_f, program};

    #[test]
    fn registers_are_live_from_their_definition_to_their_last_use() {
        let program = program(
            "program LP64 entry &main
func &main() {
bb0:
  return
}
func &g(%0: i32) -> i32 {
bb0:
  return %0
}
func &f(%0: i32, %1: i32) -> i32 {
bb0:
  %2 = add i32 %0, 1
  jump bb1(%2)
bb1(%3: i32):
  %4: i32 = call &g(%3)
  %5 = cmp eq i32 %4, %1
  branch %5, bb1(%4), bb2
bb2:
  return %3
}
",
        );
        let live = Liveness::new(body_of_f(&program));
        let at = |b: u32, pc: usize, in_call: bool| -> Vec<usize> {
            live.registers(block(b), pc, in_call).collect()
        };
        assert_eq!(at(0, 0, false), [0, 1]);
        assert_eq!(at(0, 1, false), [1, 2], "dead after its last use");
        assert_eq!(at(1, 0, false), [1, 3]);
        assert_eq!(at(1, 0, true), [1, 3], "the call will assign its result");
        assert_eq!(at(1, 2, false), [1, 3, 4, 5]);
        assert_eq!(at(2, 0, false), [3]);
    }
}
