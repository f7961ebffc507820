//! From which register or variable a value is computed, by constants only: `p + i`, `p->field`, the tag or some digits of
//! `p` come from `p`. Two that come from the same one are of the same object.

use crate::address::{Definitions, constant};
use std::collections::{BTreeMap, BTreeSet};
use tp_ir::{Body, Op, Operand, OperandKind, Program, Reg, Target};

/// So many registers on the way are looked at.
const MOST: usize = 64;

/// Where the values of a function come from.
pub struct Origins<'p> {
    program: &'p Program,
    definitions: Definitions<'p>,
    /// What each parameter of a block is given.
    incoming: BTreeMap<Reg, Vec<Operand>>,
}

impl<'p> Origins<'p> {
    pub fn new(program: &'p Program, body: &'p Body) -> Origins<'p> {
        let mut incoming: BTreeMap<Reg, Vec<Operand>> = BTreeMap::new();
        for block in body.blocks.values() {
            block.terminator.each_target(|Target { block, args }| {
                let params = body.blocks.get(*block).map_or(&[][..], |b| &b.params[..]);
                for (param, arg) in params.iter().zip(args) {
                    incoming.entry(*param).or_default().push(*arg);
                }
            });
        }
        Origins { program, definitions: Definitions::new(body), incoming }
    }

    /// The instruction that assigns a register.
    pub fn definition(&self, reg: Reg) -> Option<&'p Op> {
        self.definitions.op(reg)
    }

    /// Whether both come from one address, the same for both.
    pub fn is_same(&self, a: Operand, b: Operand) -> bool {
        let a = self.origin(a);
        a.is_some() && a == self.origin(b)
    }

    /// The one operand that a value comes from.
    fn origin(&self, value: Operand) -> Option<Operand> {
        let mut origin = None;
        let mut seen: BTreeSet<Reg> = BTreeSet::new();
        let mut queue = vec![value];
        while let Some(operand) = queue.pop() {
            let reg = match operand.kind() {
                OperandKind::Reg(reg) => reg,
                OperandKind::Const(_) if *origin.get_or_insert(operand) == operand => continue,
                OperandKind::Const(_) => return None,
            };
            if !seen.insert(reg) {
                continue;
            }
            if seen.len() > MOST {
                return None;
            }
            match (self.incoming.get(&reg), self.before(reg)) {
                (Some(args), _) => queue.extend(args),
                (None, Some(from)) => queue.push(from),
                (None, None) if *origin.get_or_insert(operand) == operand => {}
                (None, None) => return None,
            }
        }
        origin
    }

    /// What a register is computed from, if the rest are constants or an index.
    fn before(&self, reg: Reg) -> Option<Operand> {
        match self.definitions.op(reg)? {
            Op::PtrAdd { base, .. } => Some(*base),
            Op::Cast { a, .. } => Some(*a),
            Op::Binary { a, b, .. } if constant(self.program, *b).is_some() => Some(*a),
            Op::Binary { a, b, .. } if constant(self.program, *a).is_some() => Some(*b),
            _ => None,
        }
    }
}
