//! Undefined behaviour that no property covers: which of it the program could have, judging by its instructions.

use tp_ir::{
    BinOp, Body, CastOp, Const, Op, Operand, OperandKind, Origin, Program, Reg, SourceType, SourceTypeId,
    Type,
};

/// What no check looks for and the program may do, for the ledger.
pub fn of(program: &Program) -> Vec<&'static str> {
    let kinds = [
        (shifts_left(program), "signed left shifts that overflow"),
        (may_be_misaligned(program), "misaligned accesses"),
        (has_inner_arrays(program) && indexes(program), "indices past an inner array"),
    ];
    kinds.into_iter().filter(|kind| kind.0).map(|kind| kind.1).collect()
}

fn user_bodies(program: &Program) -> impl Iterator<Item = &Body> {
    program.functions.values().filter(|f| f.origin == Origin::User).filter_map(|f| f.body.as_ref())
}

fn user_ops(program: &Program) -> impl Iterator<Item = &Op> {
    user_bodies(program).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts).map(|i| &i.op)
}

/// In LLVM bitcode, a left shift does not say whether its operand is signed.
fn shifts_left(program: &Program) -> bool {
    user_ops(program).any(|op| matches!(op, Op::Binary { op: BinOp::Shl, .. }))
}

fn is_constant(operand: Operand) -> bool {
    matches!(operand.kind(), OperandKind::Const(_))
}

fn indexes(program: &Program) -> bool {
    user_ops(program).any(|op| matches!(op, Op::PtrAdd { index, .. } if !is_constant(*index)))
}

/// An integer becomes a pointer, or an access is at an offset that is not a multiple of its alignment.
fn may_be_misaligned(program: &Program) -> bool {
    user_ops(program).any(|op| matches!(op, Op::Cast { op: CastOp::IntToPtr, .. }))
        || user_bodies(program).any(|body| accesses_odd_distances(program, body))
}

fn accesses_odd_distances(program: &Program, body: &Body) -> bool {
    let insts = || body.blocks.values().flat_map(|b| &b.insts);
    let mut steps: Vec<(Reg, u128)> = Vec::new();
    for inst in insts() {
        let Op::PtrAdd { index, scale, .. } = inst.op else { continue };
        let step = match index.kind() {
            OperandKind::Const(c) => match program.constants[c] {
                Const::Int { bits, .. } => bits.wrapping_mul(scale.into()),
                _ => continue,
            },
            OperandKind::Reg(_) => scale.into(),
        };
        steps.extend(inst.results().map(|result| (result, step)));
    }
    insts().any(|inst| {
        let (ty, ptr) = match &inst.op {
            Op::Load { ty, ptr, .. } | Op::Store { ty, ptr, .. } => (*ty, *ptr),
            Op::Rmw { ty, ptr, .. } | Op::CmpXchg { ty, ptr, .. } => (*ty, *ptr),
            _ => return false,
        };
        let is_odd = |step: u128| !step.is_multiple_of(alignment(program, ty));
        match ptr.kind() {
            OperandKind::Reg(ptr) => steps.iter().any(|(reg, step)| *reg == ptr && is_odd(*step)),
            OperandKind::Const(c) => {
                matches!(program.constants[c], Const::Global { offset, .. } if is_odd(offset as u128))
            }
        }
    })
}

/// On some machines a `long long` or a `double` is aligned to four bytes only.
fn alignment(program: &Program, ty: Type) -> u128 {
    let bytes = ty.width(program.data_model).bytes() as u128;
    bytes.next_power_of_two().min(program.data_model.pointer_width().bytes().into())
}

/// An array in an array or in a structure: past its end there is more of the same object.
fn has_inner_arrays(program: &Program) -> bool {
    let globals = program.globals.values().filter(|g| g.origin == Origin::User).filter_map(|g| g.ty);
    let locals = user_ops(program).filter_map(|op| match op {
        Op::Alloca { info, .. } => info.ty,
        _ => None,
    });
    globals.chain(locals).any(|ty| has_inner_array(program, ty))
}

fn has_inner_array(program: &Program, ty: SourceTypeId) -> bool {
    let is_array = |ty: SourceTypeId| matches!(program.source_types[ty], SourceType::Array { .. });
    match &program.source_types[ty] {
        SourceType::Array { element, .. } => is_array(*element) || has_inner_array(program, *element),
        SourceType::Record { fields, .. } => {
            // Fields of the library's types are not for the program to index.
            let own = fields.iter().filter(|field| !field.name.starts_with("__"));
            own.map(|field| field.ty).any(|ty| is_array(ty) || has_inner_array(program, ty))
        }
        SourceType::Scalar { .. } | SourceType::Pointer { .. } => false,
    }
}
