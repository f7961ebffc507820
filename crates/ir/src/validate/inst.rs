//! Instructions: the types of operands and results, and what each operation allows.

use super::body::BodyCheck;
use super::{Fault, Faults, Handle};
use crate::{BinOp, Call, Callee, CastOp, DataModel, Expect, Inst, MemoryOrder, Op, Operand, RmwOp, Type};

impl BodyCheck<'_> {
    /// Everything but whether the operands are assigned.
    pub(super) fn inst(&self, inst: &Inst, faults: &mut Faults) {
        inst.op.each_operand(|operand, expect| self.operand(*operand, expect, faults));
        self.result(inst, faults);
        match &inst.op {
            Op::Call(call) => self.call(call, faults),
            Op::Select { a, b, .. } => {
                // Both values have the type of the result.
                if let Some(ty) = inst.result.and_then(|reg| self.reg_type(reg)) {
                    self.operand(*a, Expect::Is(ty), faults);
                    self.operand(*b, Expect::Is(ty), faults);
                }
            }
            Op::ThreadLocal { global } => self.tables.check_thread_local(*global, faults),
            Op::Alloca { align, info, .. } => {
                faults.unless(align.is_power_of_two(), Fault::Align(*align));
                if let Some(ty) = info.ty {
                    self.tables.check_source_type(ty, faults);
                }
            }
            op => check_op(op, self.program.data_model, faults),
        }
    }

    fn result(&self, inst: &Inst, faults: &mut Faults) {
        match (inst.op.result(), inst.result) {
            (Some(expected), Some(reg)) => {
                if let Some(found) = self.reg_type(reg)
                    && !expected.accepts(found, self.program.data_model)
                {
                    faults.add(Fault::ResultType { expected, found });
                }
            }
            (None, Some(_)) => faults.add(Fault::NoResultWanted),
            (Some(_), None) => faults.unless(matches!(inst.op, Op::Unsupported { .. }), Fault::NoResult),
            (None, None) => {}
        }
    }

    fn call(&self, call: &Call, faults: &mut Faults) {
        let Callee::Direct(id) = call.callee else { return };
        let Some(callee) = self.program.functions.get(id) else {
            return faults.add(Fault::Missing(Handle::Func(id)));
        };
        let area = callee.variadic.then_some(Type::Ptr);
        let params: Vec<Type> = callee.params.iter().copied().chain(area).collect();
        self.row("arguments", "argument", &params, &call.args, faults);
        // The caller may ignore trailing results.
        let taken = &callee.results[..call.results.len().min(callee.results.len())];
        let results: Vec<Operand> = call.results.iter().map(|reg| (*reg).into()).collect();
        self.row("results of the call", "result", taken, &results, faults);
    }
}

fn is_float(ty: Type) -> bool {
    matches!(ty, Type::F32 | Type::F64)
}

fn check_op(op: &Op, data: DataModel, faults: &mut Faults) {
    match op {
        Op::Binary { op, checked: true, .. } => {
            faults.unless(matches!(op, BinOp::Add | BinOp::Sub | BinOp::Mul), Fault::Checked)
        }
        Op::FloatUnary { ty, .. } | Op::FloatBinary { ty, .. } | Op::FloatCmp { ty, .. } => {
            faults.unless(is_float(*ty), Fault::WrongType(*ty))
        }
        Op::Cast { op, from, to, .. } => {
            faults.unless(cast_exists(*op, *from, *to, data), Fault::Cast { op: *op, from: *from, to: *to })
        }
        Op::Load { order, .. } => {
            faults.unless(
                !matches!(order, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::Publish),
                Fault::MemoryOrder,
            );
        }
        Op::Store { order, .. } => {
            faults.unless(!matches!(order, MemoryOrder::Acquire | MemoryOrder::AcqRel), Fault::MemoryOrder);
        }
        Op::Rmw { op, ty, order, .. } => {
            let exists = match op {
                RmwOp::Exchange => true,
                RmwOp::FAdd | RmwOp::FSub => is_float(*ty),
                _ => matches!(ty, Type::Int(_)),
            };
            faults.unless(exists, Fault::WrongType(*ty));
            faults.unless(order.is_atomic(), Fault::MemoryOrder);
        }
        Op::CmpXchg { success, failure, .. } => {
            let releases =
                matches!(failure, MemoryOrder::Release | MemoryOrder::AcqRel | MemoryOrder::Publish);
            faults.unless(success.is_atomic() && failure.is_atomic() && !releases, Fault::MemoryOrder);
        }
        Op::Fence { order } => {
            faults.unless(order.acquires() || order.releases(), Fault::MemoryOrder);
        }
        _ => {}
    }
}

fn cast_exists(op: CastOp, from: Type, to: Type, data: DataModel) -> bool {
    match (op, from, to) {
        (CastOp::Trunc, Type::Int(from), Type::Int(to)) => to < from,
        (CastOp::ZExt | CastOp::SExt, Type::Int(from), Type::Int(to)) => to > from,
        (CastOp::FloatToSigned | CastOp::FloatToUnsigned, from, Type::Int(_)) => is_float(from),
        (CastOp::SignedToFloat | CastOp::UnsignedToFloat, Type::Int(_), to) => is_float(to),
        (CastOp::FloatToFloat, from, to) => is_float(from) && is_float(to) && from != to,
        (CastOp::PtrToInt, Type::Ptr, Type::Int(_)) | (CastOp::IntToPtr, Type::Int(_), Type::Ptr) => true,
        (CastOp::Bitcast, from, to) => from.width(data) == to.width(data),
        _ => false,
    }
}
