//! Lifetime marks (`ScopeBegin`, `ScopeEnd`) for locals that clang does not mark: compound literals, and variables
//! whose declaration a jump can bypass.
//!
//! Such a local lives while control is inside its lexical block. The debug location of an instruction names its lexical
//! block, so a mark is due wherever control passes between an instruction inside the block and one outside; often that
//! is an edge. A basic block without locations is inside if control both comes from inside and goes to inside.
//!
//! Two kinds of locals are left alone: those used outside of their lexical block (the return value of a function, for
//! instance), and those whose address is not taken, which need no marks.

use crate::llvm::Meta;
use std::collections::{BTreeMap, HashMap};
use tp_ir::{Block, BlockId, Body, Inst, Op, Operand, Reg, Target, Terminator};

#[derive(Default)]
pub struct Scopes<'a> {
    /// Clang's locals, with the lexical blocks that declare their variables.
    locals: Vec<(Reg, Option<Meta<'a>>)>,
    /// By basic block: where each run of instructions from one lexical block begins, and that block.
    spans: HashMap<BlockId, Vec<(usize, Meta<'a>)>>,
}

/// How a local is used.
#[derive(Default)]
struct Uses {
    places: Vec<(BlockId, usize)>,
    has_marks: bool,
    address_is_taken: bool,
}

/// For each basic block, whether control is inside some lexical block at its start and end, and where that changes.
struct Inside {
    starts: Vec<bool>,
    ends: Vec<bool>,
    changes: Vec<(BlockId, usize, bool)>,
}

/// Marks to be inserted.
#[derive(Default)]
struct Marks {
    before: Vec<(BlockId, usize, Op)>,
    on_edges: BTreeMap<(BlockId, BlockId), Vec<Op>>,
}

impl<'a> Scopes<'a> {
    pub fn local(&mut self, reg: Reg, block: Option<Meta<'a>>) {
        self.locals.push((reg, block));
    }

    pub fn begin(&mut self, block: BlockId, instruction: usize, source: Meta<'a>) {
        self.spans.entry(block).or_default().push((instruction, source.without_files()));
    }

    /// Inserts the missing marks.
    pub fn mark(self, body: &mut Body) {
        let uses = self.uses(body);
        let mut marks = Marks::default();
        for ((reg, declared), uses) in self.locals.iter().zip(&uses) {
            if uses.has_marks || !uses.address_is_taken {
                continue;
            }
            let first = uses.places.first().and_then(|&(block, nth)| self.source_at(block, nth));
            let Some(block) = declared.map(Meta::without_files).or(first).filter(|b| b.is_lexical_block())
            else {
                continue;
            };
            let is_inside = |&(at, nth): &(BlockId, usize)| {
                self.source_at(at, nth).is_some_and(|source| source.is_within(block))
            };
            if uses.places.iter().all(is_inside) {
                marks.of_local(body, (*reg).into(), &self.inside(body, block));
            }
        }
        marks.set(body);
    }

    fn source_at(&self, block: BlockId, instruction: usize) -> Option<Meta<'a>> {
        let spans = self.spans.get(&block)?;
        let after = spans.partition_point(|(first, _)| *first <= instruction);
        spans.get(after.saturating_sub(1)).map(|(_, source)| *source)
    }

    fn uses(&self, body: &Body) -> Vec<Uses> {
        let number: HashMap<Reg, usize> =
            self.locals.iter().enumerate().map(|(i, (reg, _))| (*reg, i)).collect();
        let mut uses: Vec<Uses> = self.locals.iter().map(|_| Uses::default()).collect();
        let mut note = |operand: Operand, at: (BlockId, usize), op: Option<&Op>| {
            let Some(&i) = operand.as_reg().and_then(|reg| number.get(&reg)) else { return };
            uses[i].places.push(at);
            match op {
                Some(Op::ScopeBegin { .. } | Op::ScopeEnd { .. }) => uses[i].has_marks = true,
                Some(Op::Load { .. }) => {}
                Some(Op::Store { ptr, value, .. }) if *ptr == operand && *value != operand => {}
                _ => uses[i].address_is_taken = true,
            }
        };
        for (id, block) in &body.blocks {
            for (nth, inst) in block.insts.iter().enumerate() {
                inst.op.each_operand(|operand, _| note(*operand, (id, nth), Some(&inst.op)));
            }
            let end = (id, block.insts.len());
            block.terminator.each_operand(|operand, _| note(operand, end, None));
            block.terminator.each_target(|t| t.args.iter().for_each(|arg| note(*arg, end, None)));
        }
        uses
    }

    fn inside(&self, body: &Body, block: Meta<'a>) -> Inside {
        let mut known: Vec<Option<(bool, bool)>> = Vec::with_capacity(body.blocks.len());
        let mut changes = Vec::new();
        for id in body.blocks.keys() {
            let spans = self.spans.get(&id).map_or(&[][..], |spans| spans);
            let is_inside = |(_, source): &(usize, Meta<'a>)| source.is_within(block);
            // Control cannot leave a lexical block and come back without a jump: what lies between is inside too.
            let Some(first) = spans.iter().position(is_inside) else {
                known.push((!spans.is_empty()).then_some((false, false)));
                continue;
            };
            let last = spans.iter().rposition(is_inside).unwrap_or(first);
            if first > 0 {
                changes.push((id, spans[first].0, true));
            }
            if let Some((nth, _)) = spans.get(last + 1) {
                changes.push((id, *nth, false));
            }
            known.push(Some((first == 0, last + 1 == spans.len())));
        }
        let (comes, goes) = (spread(body, &known, false), spread(body, &known, true));
        let all = known.iter().zip(comes.into_iter().zip(goes));
        let (starts, ends) = all.map(|(known, (c, g))| known.unwrap_or((c && g, c && g))).unzip();
        Inside { starts, ends, changes }
    }
}

/// For basic blocks without locations: whether control comes from inside (`backwards`: goes to inside), perhaps
/// through other such blocks.
fn spread(body: &Body, known: &[Option<(bool, bool)>], backwards: bool) -> Vec<bool> {
    let mut edges = Vec::new();
    for (id, block) in &body.blocks {
        block
            .terminator
            .each_target(|target| edges.push((id.as_u32() as usize, target.block.as_u32() as usize)));
    }
    let mut inside = vec![false; known.len()];
    let mut is_new = true;
    while std::mem::take(&mut is_new) {
        for &(from, to) in &edges {
            let (near, far) = if backwards { (from, to) } else { (to, from) };
            let is_inside = match known[far] {
                Some((start, end)) => {
                    if backwards {
                        start
                    } else {
                        end
                    }
                }
                None => inside[far],
            };
            if is_inside && known[near].is_none() && !inside[near] {
                inside[near] = true;
                is_new = true;
            }
        }
    }
    inside
}

impl Marks {
    fn of_local(&mut self, body: &Body, ptr: Operand, inside: &Inside) {
        let mark = |begins: bool| match begins {
            true => Op::ScopeBegin { ptr },
            false => Op::ScopeEnd { ptr, last: false },
        };
        let here = inside.changes.iter().map(|&(block, nth, begins)| (block, nth, mark(begins)));
        self.before.extend(here);
        let at = |list: &[bool], block: BlockId| list[block.as_u32() as usize];
        let mut entries: BTreeMap<BlockId, Vec<(BlockId, bool)>> = BTreeMap::new();
        for (id, block) in &body.blocks {
            block.terminator.each_target(|target| {
                let changes = at(&inside.ends, id) != at(&inside.starts, target.block);
                entries.entry(target.block).or_default().push((id, changes));
            });
        }
        if let Some(from) = self.begins_in_one_place(body, &entries, inside) {
            self.before.push((from, body.blocks[from].insts.len(), mark(true)));
            body.blocks[from].terminator.each_target(|target| {
                let enters = at(&inside.starts, target.block);
                let entry = entries.entry(target.block).or_default();
                entry
                    .iter_mut()
                    .filter(|(block, _)| *block == from)
                    .for_each(|(_, changes)| *changes = !enters);
            });
        }
        for (to, from) in entries {
            let begins = at(&inside.starts, to);
            if from.iter().all(|(_, changes)| *changes) {
                self.before.push((to, 0, mark(begins)));
                continue;
            }
            for (from, _) in from.into_iter().filter(|(_, changes)| *changes) {
                let marks = self.on_edges.entry((from, to)).or_default();
                if !marks.contains(&mark(begins)) {
                    marks.push(mark(begins));
                }
            }
        }
    }

    /// The basic block from which alone control enters, if it ends in a switch. The scope then begins before the
    /// switch, and ends at once on the edges that lead elsewhere.
    fn begins_in_one_place(
        &self,
        body: &Body,
        entries: &BTreeMap<BlockId, Vec<(BlockId, bool)>>,
        inside: &Inside,
    ) -> Option<BlockId> {
        let is_entered = |to: &BlockId| inside.starts[to.as_u32() as usize];
        let all = entries.iter().filter(|(to, _)| is_entered(to)).flat_map(|(_, from)| from);
        let mut from = all.filter(|(_, changes)| *changes).map(|(from, _)| *from);
        let first = from.next()?;
        let is_switch = matches!(body.blocks[first].terminator, Terminator::Switch(_));
        let begins = inside.changes.iter().any(|(_, _, begins)| *begins);
        (is_switch && !begins && from.all(|other| other == first)).then_some(first)
    }

    fn set(mut self, body: &mut Body) {
        // From the last to the first, so that the other positions stay valid.
        self.before.sort_by_key(|(block, nth, _)| std::cmp::Reverse((*block, *nth)));
        for (block, nth, op) in self.before {
            let row = &mut body.blocks[block];
            let place = row.insts.get(nth).map_or(row.terminator_place, |inst| inst.place);
            row.insts.insert(nth, Inst { op, result: None, place });
        }
        for ((from, to), ops) in self.on_edges {
            let place = body.blocks[from].terminator_place;
            let mut arguments = None;
            let between = BlockId::from_u32(body.blocks.len() as u32);
            body.blocks[from].terminator.each_target_mut(|target| {
                if target.block == to {
                    arguments.get_or_insert(std::mem::take(&mut target.args));
                    *target = Target { block: between, args: Box::default() };
                }
            });
            let target = Target { block: to, args: arguments.unwrap_or_default() };
            let insts = ops.into_iter().map(|op| Inst { op, result: None, place }).collect();
            let terminator = Terminator::Jump(target);
            body.blocks.push(Block { params: Vec::new(), insts, terminator, terminator_place: place });
        }
    }
}
