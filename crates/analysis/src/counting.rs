//! Counting loops, and the array elements they visit: `for (i = 0; i < n; i++) … a[i] …`.
//!
//! Two such loops with the same start, comparison and end visit the same elements, however many; a loop that is left
//! early visits the first of them. Only loops with a single entry are considered.

use crate::address::{Definitions, constant};
use crate::postdominators::PostDominators;
use tp_ir::cfg::Cfg;
use tp_ir::dominators::Dominators;
use tp_ir::loops::{LoopForest, LoopId};
use tp_ir::{BinOp, BlockId, Body, CastOp, CmpOp, Op, Operand, Program, Reg, Terminator, Width};

/// The values of a loop counter: from `start` in steps of one, while `compare` holds for the counter and `end`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct CountingRange {
    pub start: i64,
    pub compare: CmpOp,
    pub width: Width,
    pub end: Operand,
}

/// A loop that counts.
pub struct CountingLoop {
    id: LoopId,
    header: BlockId,
    exit: BlockId,
    /// The counter.
    variable: Reg,
    range: CountingRange,
    /// The sources of the back edges.
    latches: Vec<BlockId>,
}

impl CountingLoop {
    /// The block that decides whether there is another iteration.
    pub fn header(&self) -> BlockId {
        self.header
    }

    /// Where control goes when the loop bound is reached.
    pub fn exit(&self) -> BlockId {
        self.exit
    }

    /// The values of its counter.
    pub fn range(&self) -> CountingRange {
        self.range
    }
}

/// An element of an array: `base[variable]`.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Element {
    base: Operand,
    scale: u32,
    /// How the counter is extended to an index.
    cast: Option<CastOp>,
}

impl Element {
    /// The array, or an address inside it.
    pub fn base(&self) -> Operand {
        self.base
    }

    /// The bytes from one element to the next.
    pub fn scale(&self) -> u32 {
        self.scale
    }
}

/// The counting loops of a function.
pub struct CountingLoops<'p> {
    program: &'p Program,
    body: &'p Body,
    cfg: Cfg,
    forest: LoopForest,
    dominators: Dominators,
    post_dominators: PostDominators,
    definitions: Definitions<'p>,
    counting: Vec<CountingLoop>,
}

impl<'p> CountingLoops<'p> {
    pub fn new(program: &'p Program, body: &'p Body) -> CountingLoops<'p> {
        let cfg = Cfg::new(body);
        let mut loops = CountingLoops {
            program,
            body,
            forest: LoopForest::new(&cfg),
            dominators: Dominators::new(&cfg),
            post_dominators: PostDominators::new(body),
            definitions: Definitions::new(body),
            counting: Vec::new(),
            cfg,
        };
        loops.counting = loops.forest.ids().filter_map(|id| loops.counting(id)).collect();
        loops
    }

    pub fn iter(&self) -> impl Iterator<Item = &CountingLoop> {
        self.counting.iter()
    }

    /// The blocks of a loop, with those of the loops inside it.
    pub fn blocks(&self, counting: &CountingLoop) -> &[BlockId] {
        self.forest.blocks(counting.id)
    }

    fn counting(&self, id: LoopId) -> Option<CountingLoop> {
        let header = self.forest.head(id);
        let Terminator::Branch { cond, then, otherwise } = &self.body.blocks[header].terminator else {
            return None;
        };
        let contains = |block: BlockId| self.forest.contains(id, block);
        if !contains(then.block) || contains(otherwise.block) || !self.forest.has_one_entry(&self.cfg, id) {
            return None;
        }
        let Op::Cmp { op: compare, width, a, b: end } = self.definitions.op(cond.as_reg()?)? else {
            return None;
        };
        let variable = a.as_reg()?;
        if !self.is_fixed(id, *end) || !matches!(compare, CmpOp::Slt | CmpOp::Ult | CmpOp::Ne) {
            return None;
        }
        let position = self.body.blocks[header].params.iter().position(|p| *p == variable)?;
        let latches = self.forest.latches(&self.cfg, id);
        let start = self.counts_from(header, position, variable, &latches)?;
        let range = CountingRange { start, compare: *compare, width: *width, end: *end };
        Some(CountingLoop { id, header, exit: otherwise.block, variable, range, latches })
    }

    /// Whether a value is the same in all iterations of a loop.
    fn is_fixed(&self, id: LoopId, value: Operand) -> bool {
        value.as_reg().is_none_or(|reg| {
            let is_made_inside = self.definitions.block(reg).is_some_and(|b| self.forest.contains(id, b));
            let is_parameter = |b: &BlockId| self.body.blocks[*b].params.contains(&reg);
            !is_made_inside && !self.forest.blocks(id).iter().any(is_parameter)
        })
    }

    /// The constant that a parameter of a loop's header starts with, if each iteration adds one to it.
    fn counts_from(
        &self,
        header: BlockId,
        position: usize,
        variable: Reg,
        latches: &[BlockId],
    ) -> Option<i64> {
        let mut start = None;
        for pred in self.cfg.preds(header) {
            let mut args = Vec::new();
            self.body.blocks[*pred].terminator.each_target(|target| {
                if target.block == header {
                    args.extend(target.args.get(position).copied());
                }
            });
            for arg in args {
                if latches.contains(pred) {
                    let Op::Binary { op: BinOp::Add, a, b, .. } = self.definitions.op(arg.as_reg()?)? else {
                        return None;
                    };
                    if a.as_reg() != Some(variable) || constant(self.program, *b) != Some(1) {
                        return None;
                    }
                } else {
                    let first = constant(self.program, arg)?;
                    if *start.get_or_insert(first) != first {
                        return None;
                    }
                }
            }
        }
        start
    }

    /// The array element that a pointer points to, if the loop counter is its index.
    pub fn element(&self, counting: &CountingLoop, pointer: Operand) -> Option<Element> {
        let Op::PtrAdd { base, index, scale, .. } = self.definitions.op(pointer.as_reg()?)? else {
            return None;
        };
        let index = index.as_reg()?;
        let (variable, cast) = match self.definitions.op(index) {
            Some(Op::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), a, .. }) => (a.as_reg()?, Some(*op)),
            _ => (index, None),
        };
        let is_element = variable == counting.variable && self.is_fixed(counting.id, *base);
        is_element.then_some(Element { base: *base, scale: *scale, cast })
    }

    /// The pointer that a value was loaded through.
    pub fn loaded_from(&self, value: Operand) -> Option<Operand> {
        match self.definitions.op(value.as_reg()?)? {
            Op::Load { ptr, .. } => Some(*ptr),
            _ => None,
        }
    }

    /// Whether every iteration that is followed by another one executes a block of the loop.
    pub fn is_in_every_iteration(&self, counting: &CountingLoop, block: BlockId) -> bool {
        self.forest.contains(counting.id, block)
            && counting.latches.iter().all(|l| self.dominators.dominates(block, *l))
    }

    /// Whether the loop is left only at its header, or to blocks from which the function does not return.
    pub fn is_complete(&self, counting: &CountingLoop) -> bool {
        let stays =
            |to: &BlockId| self.forest.contains(counting.id, *to) || !self.post_dominators.may_return(*to);
        self.blocks(counting).iter().skip(1).all(|block| self.cfg.succs(*block).iter().all(stays))
    }

    /// Whether a block of the loop is executed at most once per iteration, and the loop at most once per call.
    pub fn is_once_per_iteration(&self, counting: &CountingLoop, block: BlockId) -> bool {
        self.forest.innermost(block) == Some(counting.id) && self.forest.parent(counting.id).is_none()
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{block, body_of_f, program};

    const TEXT: &str = "program LP64 entry &main
func &main() {
bb0:
  return
}
func &f(%0: i32) {
bb0:
  jump bb1(i32 0)
bb1(%1: i32):
  %2 = cmp slt i32 %1, %0
  branch %2, bb2, bb4
bb2:
  %3 = cmp eq i32 %1, 7
  branch %3, bb3, bb5
bb3:
  jump bb5
bb4:
  return
bb5:
  %4 = add i32 %1, 1
  jump bb1(%4)
}
";

    fn check(text: &str, test: impl Fn(&CountingLoops<'_>, Option<&CountingLoop>)) {
        let program = program(text);
        let loops = CountingLoops::new(&program, body_of_f(&program));
        test(&loops, loops.iter().next());
    }

    #[test]
    fn a_loop_counts_from_a_constant_to_a_fixed_end() {
        check(TEXT, |loops, counting| {
            let counting = counting.expect("it counts");
            assert_eq!((counting.header(), counting.exit()), (block(1), block(4)));
            assert_eq!((counting.range().start, counting.range().compare), (0, CmpOp::Slt));
            assert!(loops.is_complete(counting));
            assert!(loops.is_in_every_iteration(counting, block(2)));
            assert!(!loops.is_in_every_iteration(counting, block(3)), "some iterations skip it");
            assert!(loops.is_once_per_iteration(counting, block(3)));
            assert!(!loops.is_once_per_iteration(counting, block(4)), "it is not in the loop");
        });
    }

    #[test]
    fn a_loop_that_is_left_early_is_not_complete() {
        check(&TEXT.replace("branch %3, bb3, bb5", "branch %3, bb4, bb5"), |loops, counting| {
            assert!(!loops.is_complete(counting.expect("it counts")));
        });
    }

    #[test]
    fn a_loop_inside_another_one_is_entered_again() {
        check(&TEXT.replace("  return\n", "  jump bb0\n"), |loops, counting| {
            assert!(!loops.is_once_per_iteration(counting.expect("it counts"), block(3)));
        });
    }

    #[test]
    fn steps_of_two_do_not_count() {
        check(&TEXT.replace("add i32 %1, 1", "add i32 %1, 2"), |_, counting| assert!(counting.is_none()));
    }
}
