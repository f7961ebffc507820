//! LLVM's intrinsics: what C programs and the builtins of gcc and clang use.

use super::FunctionImport;
use super::arithmetic::lane_type;
use super::values::Leaf;
use crate::constants::{Base, Scalar};
use crate::llvm::Value;
use crate::types::{Lowered, leaf_types, unsupported};
use tp_ir::{BinOp, CastOp, CmpOp, Const, FloatBinary, FloatUnary, MemoryOrder, Op, Operand, Type, Width};

fn float_unary(name: &str) -> Option<FloatUnary> {
    Some(match name {
        "llvm.fabs" => FloatUnary::Abs,
        "llvm.sqrt" => FloatUnary::Sqrt,
        "llvm.floor" => FloatUnary::Floor,
        "llvm.ceil" => FloatUnary::Ceil,
        "llvm.trunc" => FloatUnary::Trunc,
        "llvm.round" => FloatUnary::Round,
        // The rounding mode is never changed from "to nearest, ties to even".
        "llvm.rint" | "llvm.nearbyint" | "llvm.roundeven" => FloatUnary::RoundEven,
        "llvm.sin" => FloatUnary::Sin,
        "llvm.cos" => FloatUnary::Cos,
        "llvm.tan" => FloatUnary::Tan,
        "llvm.asin" => FloatUnary::Asin,
        "llvm.acos" => FloatUnary::Acos,
        "llvm.atan" => FloatUnary::Atan,
        "llvm.exp" => FloatUnary::Exp,
        "llvm.log" => FloatUnary::Log,
        "llvm.log2" => FloatUnary::Log2,
        "llvm.log10" => FloatUnary::Log10,
        _ => return None,
    })
}

fn float_binary(name: &str) -> Option<FloatBinary> {
    Some(match name {
        "llvm.minnum" | "llvm.minimumnum" => FloatBinary::Min,
        "llvm.maxnum" | "llvm.maximumnum" => FloatBinary::Max,
        "llvm.copysign" => FloatBinary::CopySign,
        "llvm.pow" => FloatBinary::Pow,
        "llvm.atan2" => FloatBinary::Atan2,
        _ => return None,
    })
}

/// Hints to an optimiser, and marks for tools.
fn has_no_effect(name: &str) -> bool {
    name.starts_with("llvm.dbg.")
        || matches!(
            name,
            "llvm.assume"
                | "llvm.prefetch"
                | "llvm.va_end"
                | "llvm.donothing"
                | "llvm.sideeffect"
                | "llvm.fake.use"
                | "llvm.var.annotation"
                | "llvm.invariant.end"
                | "llvm.experimental.noalias.scope.decl"
                | "llvm.pseudoprobe"
        )
}

fn is_first_argument(name: &str) -> bool {
    matches!(
        name,
        "llvm.expect"
            | "llvm.expect.with.probability"
            | "llvm.launder.invariant.group"
            | "llvm.strip.invariant.group"
            | "llvm.ptr.annotation"
            | "llvm.annotation"
            | "llvm.canonicalize"
            | "llvm.arithmetic.fence"
    )
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn intrinsic(&mut self, call: Value<'a>, name: &str) -> Lowered<Option<Vec<Leaf>>> {
        let args = call.arguments();
        if has_no_effect(name) {
            return Ok(None);
        }
        if let Some(&first) = args.first() {
            if is_first_argument(name) {
                return self.leaves(first).map(Some);
            }
            if let Some(op) = float_unary(name) {
                let ty = lane_type(first.ty())?;
                return self.each_lane(first, |me, a| me.compute(Op::FloatUnary { op, ty, a }, ty)).map(Some);
            }
            if let Some(op) = float_binary(name) {
                let ty = lane_type(first.ty())?;
                return self
                    .lanes(call, |me, a, b| me.compute(Op::FloatBinary { op, ty, a, b }, ty))
                    .map(Some);
            }
            if let Some(leaves) = self.integer_intrinsic(call, name, &args)? {
                return Ok(Some(leaves));
            }
        }
        match name {
            "llvm.trap" | "llvm.ubsantrap" | "llvm.debugtrap" => self.model_call(call, "abort", 0),
            "llvm.stacksave" => self.one(Op::StackSave, Type::Ptr),
            "llvm.x86.sse2.pause" => self.nothing(Op::Yield),
            "llvm.x86.sse2.mfence" => self.nothing(Op::Fence { order: MemoryOrder::SeqCst }),
            "llvm.x86.sse2.lfence" => self.nothing(Op::Fence { order: MemoryOrder::Acquire }),
            "llvm.x86.sse.sfence" => self.nothing(Op::Fence { order: MemoryOrder::Release }),
            "llvm.get.rounding" => {
                let to_nearest = self.int(Width::W32, 1);
                Ok(Some(vec![Leaf::Known(to_nearest)]))
            }
            _ => match self.memory_intrinsic(name, &args)? {
                Some(leaves) => Ok(Some(leaves)),
                None => self.other_intrinsic(call, name, &args),
            },
        }
    }

    fn one(&mut self, op: Op, ty: Type) -> Lowered<Option<Vec<Leaf>>> {
        Ok(Some(vec![Leaf::Known(self.compute(op, ty))]))
    }

    fn nothing(&mut self, op: Op) -> Lowered<Option<Vec<Leaf>>> {
        self.effect(op);
        Ok(None)
    }

    /// Objects, their scopes, and blocks of bytes. `None`: not one of these.
    fn memory_intrinsic(&mut self, name: &str, args: &[Value<'a>]) -> Lowered<Option<Vec<Leaf>>> {
        match (name, args) {
            ("llvm.lifetime.start", [.., ptr]) => {
                let ptr = self.operand(*ptr)?;
                self.effect(Op::ScopeBegin { ptr });
            }
            ("llvm.lifetime.end", [.., ptr]) => {
                let ptr = self.operand(*ptr)?;
                self.effect(Op::ScopeEnd { ptr, last: false });
            }
            ("llvm.stackrestore", &[token]) => {
                let token = self.operand(token)?;
                self.effect(Op::StackRestore { token });
            }
            ("llvm.memcpy" | "llvm.memcpy.inline" | "llvm.memmove", &[dst, src, len, ..]) => {
                let (dst, src) = (self.operand(dst)?, self.operand(src)?);
                let (len, len_width) = self.int_operand(len)?;
                let overlap = name == "llvm.memmove";
                self.effect(Op::Copy { dst, src, len, len_width, overlap });
            }
            ("llvm.memset" | "llvm.memset.inline", &[dst, byte, len, ..]) => {
                let (dst, byte) = (self.operand(dst)?, self.operand(byte)?);
                let (len, len_width) = self.int_operand(len)?;
                self.effect(Op::Set { dst, byte, len, len_width });
            }
            ("llvm.va_start", &[list]) => {
                let list = self.operand(list)?;
                self.start_variable_arguments(list)?;
            }
            ("llvm.va_copy", &[to, from]) => {
                let (to, from) = (self.operand(to)?, self.operand(from)?);
                self.copy_variable_arguments(to, from);
            }
            ("llvm.threadlocal.address", &[variable]) => {
                let address = match self.importer.scalar(variable)? {
                    Scalar::Address { base: Base::Global(global), offset: 0, .. }
                        if self.importer.tables.globals[global].thread_local =>
                    {
                        self.compute(Op::ThreadLocal { global }, Type::Ptr)
                    }
                    _ => self.operand(variable)?,
                };
                return Ok(Some(vec![Leaf::Known(address)]));
            }
            ("llvm.ptrmask", &[ptr, mask]) => {
                let ptr = self.operand(ptr)?;
                let (mask, width) = self.int_operand(mask)?;
                return Ok(Some(vec![Leaf::Known(self.masked_pointer(ptr, mask, width))]));
            }
            ("llvm.invariant.start", _) => {
                return Ok(Some(vec![Leaf::Known(self.constant_row(Const::Null))]));
            }
            _ => return Ok(None),
        }
        Ok(Some(Vec::new()))
    }

    /// A pointer with some bits of its address cleared, still pointing into the same object.
    fn masked_pointer(&mut self, base: Operand, mask: Operand, width: Width) -> Operand {
        let address = self.cast(CastOp::PtrToInt, Type::Ptr, Type::Int(width), base);
        let wanted = self.binary(BinOp::And, width, address, mask);
        let index = self.binary(BinOp::Sub, width, wanted, address);
        self.compute(Op::PtrAdd { base, index, width, scale: 1 }, Type::Ptr)
    }

    fn other_intrinsic(
        &mut self,
        call: Value<'a>,
        name: &str,
        args: &[Value<'a>],
    ) -> Lowered<Option<Vec<Leaf>>> {
        let result = match (name, args) {
            // As without an optimiser: nothing is known to be a constant, and no size is known.
            ("llvm.is.constant", _) => self.int(Width::BOOL, 0),
            ("llvm.objectsize", &[_, minimum, ..]) => {
                let [Type::Int(width)] = leaf_types(call.ty())?[..] else {
                    return unsupported("a size that is not a number");
                };
                let unknown = if self.literal(minimum)? != 0 { 0 } else { u128::MAX };
                self.int(width, unknown)
            }
            ("llvm.fmuladd", &[a, b, c]) => {
                let (a, ty) = self.typed_operand(a)?;
                let (b, c) = (self.operand(b)?, self.operand(c)?);
                let product = self.compute(Op::FloatBinary { op: FloatBinary::Mul, ty, a, b }, ty);
                self.compute(Op::FloatBinary { op: FloatBinary::Add, ty, a: product, b: c }, ty)
            }
            ("llvm.exp2" | "llvm.exp10", &[exponent]) => {
                let (exponent, ty) = self.typed_operand(exponent)?;
                let base = self.float_constant(ty, if name == "llvm.exp2" { 2.0 } else { 10.0 });
                self.compute(Op::FloatBinary { op: FloatBinary::Pow, ty, a: base, b: exponent }, ty)
            }
            ("llvm.lround" | "llvm.llround" | "llvm.lrint" | "llvm.llrint", &[a]) => {
                let (a, from) = self.typed_operand(a)?;
                let [to] = leaf_types(call.ty())?[..] else { return unsupported("a rounding to a vector") };
                let op = if name.ends_with("round") { FloatUnary::Round } else { FloatUnary::RoundEven };
                let rounded = self.compute(Op::FloatUnary { op, ty: from, a }, from);
                self.cast(CastOp::FloatToSigned, from, to, rounded)
            }
            ("llvm.is.fpclass", &[a, classes]) => {
                let classes = self.literal(classes)?;
                let (a, ty) = self.typed_operand(a)?;
                self.float_class(a, ty, classes as u32)
            }
            ("llvm.fma" | "llvm.ldexp" | "llvm.sinh" | "llvm.cosh" | "llvm.tanh", [first, ..]) => {
                let suffix = if lane_type(first.ty())? == Type::F32 { "f" } else { "" };
                let function = format!("{}{suffix}", name.trim_start_matches("llvm."));
                return self.model_call(call, &function, args.len());
            }
            _ => return unsupported(format!("the intrinsic `{name}`")),
        };
        Ok(Some(vec![Leaf::Known(result)]))
    }

    fn float_constant(&mut self, ty: Type, value: f64) -> Operand {
        let constant =
            if ty == Type::F32 { Const::F32((value as f32).to_bits()) } else { Const::F64(value.to_bits()) };
        self.constant_row(constant)
    }

    /// Whether a float is of one of the classes that the bits of `classes` name (LLVM's `FPClassTest`).
    fn float_class(&mut self, a: Operand, ty: Type, classes: u32) -> Operand {
        let (width, quiet, infinity, least_normal) = match ty {
            Type::F32 => (Width::W32, 0x0040_0000, 0x7f80_0000, 0x0080_0000),
            _ => (Width::W64, 0x0008_0000_0000_0000, 0x7ff0_0000_0000_0000, 0x0010_0000_0000_0000),
        };
        let bits = self.cast(CastOp::Bitcast, ty, Type::Int(width), a);
        let magnitude_mask = self.int(width, u128::MAX >> (129 - width.bits()));
        let magnitude = self.binary(BinOp::And, width, bits, magnitude_mask);
        let zero = self.int(width, 0);
        let negative = self.compare(CmpOp::Slt, width, bits, zero);
        // The magnitudes of each class form an interval; its two bits ask for the negative and the positive half.
        let intervals: [(u32, u32, u128, u128); 6] = [
            (1 << 5, 1 << 6, 0, 0),
            (1 << 4, 1 << 7, 1, least_normal - 1),
            (1 << 3, 1 << 8, least_normal, infinity - 1),
            (1 << 2, 1 << 9, infinity, infinity),
            (1 << 0, 1 << 0, infinity + 1, infinity + quiet - 1),
            (1 << 1, 1 << 1, infinity + quiet, u128::MAX >> (129 - width.bits())),
        ];
        let mut result = self.int(Width::BOOL, 0);
        for (below, above, low, high) in intervals {
            let (below, above) = (classes & below != 0, classes & above != 0);
            if !below && !above {
                continue;
            }
            let (low, high) = (self.int(width, low), self.int(width, high));
            let at_least = self.compare(CmpOp::Uge, width, magnitude, low);
            let at_most = self.compare(CmpOp::Ule, width, magnitude, high);
            let mut inside = self.binary(BinOp::And, Width::BOOL, at_least, at_most);
            if below != above {
                let wanted = self.int(Width::BOOL, below as u128);
                let sign = self.compare(CmpOp::Eq, Width::BOOL, negative, wanted);
                inside = self.binary(BinOp::And, Width::BOOL, inside, sign);
            }
            result = self.binary(BinOp::Or, Width::BOOL, result, inside);
        }
        result
    }
}
