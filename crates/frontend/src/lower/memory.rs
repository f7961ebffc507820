//! Locals, addresses, loads and stores, atomics.

use super::FunctionImport;
use super::values::Leaf;
use crate::gep::{self, GepStep};
use crate::llvm::{Ty, Value};
use crate::types::{Lowered, memory_leaves, scalar_type, unsupported};
use llvm_sys::{LLVMAtomicOrdering, LLVMAtomicRMWBinOp, LLVMOpcode, LLVMValueKind};
use tp_ir::{
    BinOp, CmpOp, Const, InputKind, Inst, LocalInfo, MemoryOrder, Op, Operand, PlaceId, RmwOp, Type, Width,
};

fn order(ordering: LLVMAtomicOrdering) -> MemoryOrder {
    use LLVMAtomicOrdering::*;
    match ordering {
        LLVMAtomicOrderingNotAtomic => MemoryOrder::Plain,
        LLVMAtomicOrderingUnordered | LLVMAtomicOrderingMonotonic => MemoryOrder::Relaxed,
        LLVMAtomicOrderingAcquire => MemoryOrder::Acquire,
        LLVMAtomicOrderingRelease => MemoryOrder::Release,
        LLVMAtomicOrderingAcquireRelease => MemoryOrder::AcqRel,
        LLVMAtomicOrderingSequentiallyConsistent => MemoryOrder::SeqCst,
    }
}

fn rmw_op(op: LLVMAtomicRMWBinOp) -> Option<RmwOp> {
    use LLVMAtomicRMWBinOp::*;
    Some(match op {
        LLVMAtomicRMWBinOpXchg => RmwOp::Exchange,
        LLVMAtomicRMWBinOpAdd => RmwOp::Add,
        LLVMAtomicRMWBinOpSub => RmwOp::Sub,
        LLVMAtomicRMWBinOpAnd => RmwOp::And,
        LLVMAtomicRMWBinOpNand => RmwOp::Nand,
        LLVMAtomicRMWBinOpOr => RmwOp::Or,
        LLVMAtomicRMWBinOpXor => RmwOp::Xor,
        LLVMAtomicRMWBinOpMax => RmwOp::Max,
        LLVMAtomicRMWBinOpMin => RmwOp::Min,
        LLVMAtomicRMWBinOpUMax => RmwOp::UMax,
        LLVMAtomicRMWBinOpUMin => RmwOp::UMin,
        LLVMAtomicRMWBinOpFAdd => RmwOp::FAdd,
        LLVMAtomicRMWBinOpFSub => RmwOp::FSub,
        _ => return None,
    })
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn memory(&mut self, instruction: Value<'a>) -> Lowered<Vec<Leaf>> {
        use LLVMOpcode::*;
        match (instruction.opcode(), instruction.operand(0), instruction.operand(1), instruction.operand(2)) {
            (LLVMAlloca, Some(count), ..) => self.alloca(instruction, count),
            (LLVMLoad, Some(ptr), ..) => self.load(instruction, ptr),
            (LLVMStore, Some(value), Some(ptr), _) => {
                self.store(instruction, value, ptr).map(|()| Vec::new())
            }
            (LLVMFence, ..) => {
                // A fence for signal handlers of the same thread orders nothing between threads.
                if !instruction.is_single_thread() {
                    self.effect(Op::Fence { order: order(instruction.ordering()) });
                }
                Ok(Vec::new())
            }
            (LLVMAtomicRMW, Some(ptr), Some(value), _) => {
                let Some(op) = rmw_op(instruction.rmw_op()) else {
                    return unsupported("an atomic operation other than those of C");
                };
                let (value, ty) = self.typed_operand(value)?;
                let ptr = self.operand(ptr)?;
                let order = self.order(instruction.ordering());
                Ok(vec![Leaf::Known(self.compute(Op::Rmw { op, ty, ptr, value, order }, ty))])
            }
            (LLVMAtomicCmpXchg, Some(ptr), Some(expected), Some(new)) => {
                let ptr = self.operand(ptr)?;
                let (expected, ty) = self.typed_operand(expected)?;
                let new = self.operand(new)?;
                let (success, failure) = instruction.cmpxchg_orderings();
                let (success, failure) = (order(success), order(failure));
                let fails = instruction.is_weak().then(|| self.spurious_failure());
                let old = self.compute(Op::CmpXchg { ty, ptr, expected, new, fails, success, failure }, ty);
                let width = ty.width(self.importer.data_model);
                let mut stored = self.compare(CmpOp::Eq, width, old, expected);
                if let Some(fails) = fails {
                    let never = self.int(Width::BOOL, 0);
                    stored = self.compute(Op::Select { cond: fails, a: never, b: stored }, Type::BOOL);
                }
                Ok(vec![Leaf::Known(old), Leaf::Known(stored)])
            }
            _ => unsupported("an access of an unknown form"),
        }
    }

    /// The order of an access; quiet in functions of models that have the effect `quiet`.
    fn order(&self, ordering: LLVMAtomicOrdering) -> MemoryOrder {
        let order = order(ordering);
        if self.is_quiet { order.made_quiet() } else { order }
    }

    /// Whether a weak compare-exchange fails spuriously.
    fn spurious_failure(&mut self) -> Operand {
        if !self.importer.spurious_failures() {
            return self.int(Width::BOOL, 0);
        }
        let global = self.importer.tables.c_string("exchange.string", "spurious failure");
        let name = self.importer.tables.constant(Const::Global { global, offset: 0 });
        self.compute(Op::Input { ty: Type::BOOL, signed: false, kind: InputKind::Value, name }, Type::BOOL)
    }

    fn load(&mut self, instruction: Value<'a>, ptr: Value<'a>) -> Lowered<Vec<Leaf>> {
        let parts = memory_leaves(self.importer.layout, instruction.ty())?;
        let order = self.order(instruction.ordering());
        if order.is_atomic() && parts.len() != 1 {
            return unsupported("an atomic load of an aggregate");
        }
        let base = self.operand(ptr)?;
        Ok(parts
            .into_iter()
            .map(|(at, ty)| {
                let ptr = self.offset(base, at as i64);
                Leaf::Known(self.compute(Op::Load { ty, ptr, order }, ty))
            })
            .collect())
    }

    fn store(&mut self, instruction: Value<'a>, value: Value<'a>, ptr: Value<'a>) -> Lowered<()> {
        let parts = memory_leaves(self.importer.layout, value.ty())?;
        let order = self.order(instruction.ordering());
        if order.is_atomic() && parts.len() != 1 {
            return unsupported("an atomic store of an aggregate");
        }
        let leaves = self.leaves(value)?;
        let base = self.operand(ptr)?;
        for ((at, ty), leaf) in parts.into_iter().zip(leaves) {
            self.store_leaf(base, at, ty, leaf, order);
        }
        Ok(())
    }

    pub fn store_leaf(&mut self, base: Operand, at: u64, ty: Type, leaf: Leaf, order: MemoryOrder) {
        let value = self.known(leaf);
        let ptr = self.offset(base, at as i64);
        self.effect(Op::Store { ty, ptr, value, order });
    }

    fn alloca(&mut self, instruction: Value<'a>, count: Value<'a>) -> Lowered<Vec<Leaf>> {
        let ty = instruction.allocated_type();
        let unit = self.importer.layout.size(ty);
        let (count_operand, size_width) = self.int_operand(count)?;
        let size = if matches!(count.kind(), LLVMValueKind::LLVMConstantIntValueKind) {
            let count = self.literal(count)?;
            self.int(size_width, count.wrapping_mul(unit as u128))
        } else {
            let unit = self.int(size_width, unit as u128);
            self.binary(BinOp::Mul, size_width, count_operand, unit)
        };
        let (info, place) = self.local_info(instruction);
        let align = instruction.alignment().max(1);
        let result = self.register(Type::Ptr);
        let op = Op::Alloca { size, size_width, align, private: false, info };
        let place = place.unwrap_or(self.place);
        self.body.blocks[self.block].insts.push(Inst { op, result: Some(result), place });
        // Not for calls of `alloca`: these have a location, and their memory lives as long as the function.
        if self.block.as_u32() == 0 && instruction.debug_location().is_none() {
            let declared =
                self.variables.get(&instruction).and_then(|(variable, _)| variable.variable_scope());
            self.scopes.local(result, declared);
        }
        Ok(vec![Leaf::Known(result.into())])
    }

    /// Name and type of the variable at an address, and where it is declared.
    fn local_info(&mut self, address: Value<'a>) -> (Box<LocalInfo>, Option<PlaceId>) {
        let Some(&(variable, location)) = self.variables.get(&address) else { return (Box::default(), None) };
        let rows = &mut self.importer.tables.source_types;
        let ty = variable.variable_type().map(|t| self.importer.source_types.get(rows, t));
        // The compiler keeps the length of a variable-length array in a variable of its own.
        let name = variable.variable_name().filter(|name| !name.starts_with("__vla_expr")).map(Into::into);
        let place = location.and_then(|l| self.importer.places.of_location(&mut self.importer.tables, l));
        (Box::new(LocalInfo { name, ty }), place)
    }

    /// A local that the import itself needs: one object for each call of the function, however often it is used.
    pub fn extra_local(&mut self, size: u64, align: u32, private: bool, info: Box<LocalInfo>) -> Operand {
        let size_width = self.importer.data_model.pointer_width();
        let size = self.int(size_width, size as u128);
        let result = self.register(Type::Ptr);
        let op = Op::Alloca { size, size_width, align, private, info };
        self.extra_locals.push(Inst { op, result: Some(result), place: self.place });
        result.into()
    }

    /// A parameter that is passed by value arrives as a pointer to the caller's object.
    pub fn copy_of_argument(&mut self, parameter: Value<'a>, from: Operand, ty: Ty<'a>) -> Operand {
        let (size, align) = (self.importer.layout.size(ty), self.importer.layout.align(ty));
        let (info, _) = self.local_info(parameter);
        let local = self.extra_local(size, align, false, info);
        self.copy_bytes(local, from, size);
        local
    }

    pub fn copy_bytes(&mut self, dst: Operand, src: Operand, count: u64) {
        let len_width = self.importer.data_model.pointer_width();
        let len = self.int(len_width, count as u128);
        self.effect(Op::Copy { dst, src, len, len_width, overlap: false });
    }

    /// The address that a getelementptr computes: first what is constant, then one addition for each index.
    pub fn element_address(&mut self, value: Value<'a>) -> Lowered<Operand> {
        scalar_type(value.ty())?;
        let Some(base) = value.operand(0) else { return unsupported("an address without a base") };
        let mut fixed: i64 = 0;
        let mut variable: Vec<(Operand, Width, u32)> = Vec::new();
        for step in gep::steps(self.importer.layout, value)? {
            match step {
                GepStep::Field(offset) => fixed = fixed.wrapping_add(offset as i64),
                GepStep::Index { stride: 0, .. } => {}
                GepStep::Index { index, stride } => {
                    if matches!(index.kind(), LLVMValueKind::LLVMConstantIntValueKind) {
                        let (_, width) = self.int_operand(index)?;
                        let bits = tp_ir::eval::sign_extend(self.literal(index)?, width) as i64;
                        fixed = fixed.wrapping_add(bits.wrapping_mul(stride as i64));
                        continue;
                    }
                    let Ok(scale) = u32::try_from(stride) else {
                        return unsupported("an array whose elements have more than 4 GB");
                    };
                    let (index, width) = self.int_operand(index)?;
                    variable.push((index, width, scale));
                }
            }
        }
        let base = self.operand(base)?;
        let mut address = self.offset(base, fixed);
        for (index, width, scale) in variable {
            address = self.compute(Op::PtrAdd { base: address, index, width, scale }, Type::Ptr);
        }
        Ok(address)
    }
}
