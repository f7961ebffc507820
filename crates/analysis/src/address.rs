//! Addresses as a function computes them: a register or a variable, plus one scaled index, plus a constant.
//!
//! Two registers with the same form have the same value while none of the registers in it is assigned anew. So the lock
//! of `&a[i].lock` and the data of `a[i].data` are a known number of bytes apart, whatever `i` is.

use std::collections::BTreeMap;
use tp_ir::{BlockId, Body, CastOp, Const, GlobalId, Op, Operand, OperandKind, Program, Reg};

/// The instruction that assigns each register of a function.
pub struct Definitions<'p>(BTreeMap<Reg, (BlockId, &'p Op)>);

impl<'p> Definitions<'p> {
    pub fn new(body: &'p Body) -> Definitions<'p> {
        let mut all = BTreeMap::new();
        for (block, row) in &body.blocks {
            for inst in &row.insts {
                all.extend(inst.results().map(|reg| (reg, (block, &inst.op))));
            }
        }
        Definitions(all)
    }

    /// The instruction that assigns a register. `None`: it is a parameter.
    pub fn op(&self, reg: Reg) -> Option<&'p Op> {
        self.0.get(&reg).map(|(_, op)| *op)
    }

    /// The block in which it is assigned.
    pub fn block(&self, reg: Reg) -> Option<BlockId> {
        self.0.get(&reg).map(|(block, _)| *block)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
enum Root {
    Register(Reg),
    Global(GlobalId),
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
struct Index {
    register: Reg,
    /// Sign-extended (otherwise zero-extended). `None`: not extended.
    signed: Option<bool>,
    scale: u32,
}

/// An address without its constant offset.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct AddressBase {
    root: Root,
    index: Option<Index>,
}

impl AddressBase {
    /// The register that everything is relative to, if there is no index.
    pub fn only_register(&self) -> Option<Reg> {
        match self.root {
            Root::Register(reg) if self.index.is_none() => Some(reg),
            _ => None,
        }
    }

    /// Whether the address changes with a register.
    pub fn uses(&self, reg: Reg) -> bool {
        self.root == Root::Register(reg) || self.index.is_some_and(|i| i.register == reg)
    }
}

/// The base and the constant offset of an address.
pub fn address(
    program: &Program,
    definitions: &Definitions<'_>,
    pointer: Operand,
) -> Option<(AddressBase, i64)> {
    let (mut at, mut index, mut offset) = (pointer, None, 0i64);
    loop {
        let reg = match at.kind() {
            OperandKind::Reg(reg) => reg,
            OperandKind::Const(constant) => match program.constants[constant] {
                Const::Global { global, offset: more } => {
                    return Some((
                        AddressBase { root: Root::Global(global), index },
                        offset.checked_add(more)?,
                    ));
                }
                _ => return None,
            },
        };
        match definitions.op(reg) {
            Some(Op::PtrAdd { base, index: by, scale, .. }) => match constant(program, *by) {
                Some(number) => {
                    offset = offset.checked_add(number.checked_mul(i64::from(*scale))?)?;
                    at = *base;
                }
                None if index.is_none() => {
                    index = Some(indexed(definitions, by.as_reg()?, *scale));
                    at = *base;
                }
                None => return Some((AddressBase { root: Root::Register(reg), index }, offset)),
            },
            _ => return Some((AddressBase { root: Root::Register(reg), index }, offset)),
        }
    }
}

fn indexed(definitions: &Definitions<'_>, by: Reg, scale: u32) -> Index {
    match definitions.op(by) {
        Some(Op::Cast { op: op @ (CastOp::SExt | CastOp::ZExt), a, .. }) if a.as_reg().is_some() => {
            let register = a.as_reg().unwrap_or(by);
            Index { register, signed: Some(*op == CastOp::SExt), scale }
        }
        _ => Index { register: by, signed: None, scale },
    }
}

/// The value of an integer constant.
pub fn constant(program: &Program, operand: Operand) -> Option<i64> {
    match program.constants[operand.as_const()?] {
        Const::Int { width, bits } => {
            i64::try_from(tp_ir::eval::sign_extend::<u128>(bits, width).cast_signed()).ok()
        }
        _ => None,
    }
}
