//! A loop that does nothing and never ends: its thread has stopped, and the others go on.

use crate::{BlockId, Body, Const, ConstId, Inst, Op, Terminator, Width};
use cranelift_entity::PrimaryMap;

/// Such a thread takes no step any more, as one whose assumption does not hold.
pub(super) fn stop_in_loops(body: &mut Body, constants: &mut PrimaryMap<ConstId, Const>) {
    for id in body.blocks.keys() {
        if comes_back(body, id) {
            let block = &mut body.blocks[id];
            let cond = no(constants).into();
            block.insts.push(Inst { op: Op::Assume { cond }, result: None, place: block.terminator_place });
            block.terminator = Terminator::Unreachable;
        }
    }
    super::clean::remove_unreachable_blocks(body);
}

fn no(constants: &mut PrimaryMap<ConstId, Const>) -> ConstId {
    let no = Const::Int { width: Width::BOOL, bits: 0 };
    let known = constants.iter().find(|(_, constant)| **constant == no).map(|(id, _)| id);
    known.unwrap_or_else(|| constants.push(no))
}

/// Blocks without instructions lead from a block to itself, and nowhere else.
fn comes_back(body: &Body, start: BlockId) -> bool {
    let next = |&id: &BlockId| match &body.blocks[id] {
        block if !block.insts.is_empty() => None,
        block => match &block.terminator {
            Terminator::Jump(target) if target.args.is_empty() => Some(target.block),
            _ => None,
        },
    };
    let way = std::iter::successors(next(&start), next);
    way.take(body.blocks.len()).any(|id| id == start)
}
