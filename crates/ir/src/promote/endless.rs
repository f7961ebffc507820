//! Stops threads in loops that have neither an effect nor an exit; the other threads go on.

use crate::cfg::Cfg;
use crate::loops::LoopForest;
use crate::{Block, BlockId, Body, Const, ConstId, Inst, Op, Terminator, Width};
use cranelift_entity::PrimaryMap;

/// Replaces such loops by `assume false`: the thread takes no further step.
pub(super) fn stop_in_loops(body: &mut Body, constants: &mut PrimaryMap<ConstId, Const>) {
    let loops = LoopForest::new(&Cfg::new(body));
    let endless =
        loops.ids().filter(|id| loops.blocks(*id).iter().all(|block| is_empty(&body.blocks[*block])));
    let stops: Vec<BlockId> = endless.filter_map(|id| loops.blocks(id).iter().min().copied()).collect();
    for id in stops {
        let block = &mut body.blocks[id];
        let cond = no(constants).into();
        block.insts.push(Inst { op: Op::Assume { cond }, result: None, place: block.terminator_place });
        block.terminator = Terminator::Unreachable;
    }
    super::clean::remove_unreachable_blocks(body);
}

fn no(constants: &mut PrimaryMap<ConstId, Const>) -> ConstId {
    let no = Const::Int { width: Width::BOOL, bits: 0 };
    let known = constants.iter().find(|(_, constant)| **constant == no).map(|(id, _)| id);
    known.unwrap_or_else(|| constants.push(no))
}

/// Whether a block does nothing but jump to another one.
fn is_empty(block: &Block) -> bool {
    block.insts.is_empty() && matches!(&block.terminator, Terminator::Jump(target) if target.args.is_empty())
}
