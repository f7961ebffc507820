//! The register or variable that a value is derived from, with indices and constants only: `p + i`, `p->field`, the tag
//! or some bits of `p` are derived from `p`. Two addresses with the same origin belong to the same object.

use crate::address::{Definitions, constant};
use std::collections::{BTreeMap, BTreeSet};
use tp_ir::{Body, Op, Operand, OperandKind, Program, Reg, Target};

/// The most registers that are followed.
const MOST: usize = 64;

/// Where the values of a function come from.
pub struct Origins<'p> {
    program: &'p Program,
    definitions: Definitions<'p>,
    /// The arguments that each block parameter receives.
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

    /// Whether both have the same origin.
    pub fn is_same(&self, a: Operand, b: Operand) -> bool {
        let a = self.origin(a);
        a.is_some() && a == self.origin(b)
    }

    /// The only operand that a value is derived from.
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

    /// The operand that a register is computed from, if its other operands are constants or an index.
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
