//! The word of every operator, order and kind in the textual form. Printing and parsing share this one list.

use crate::{
    BinOp, CastOp, CmpOp, FloatBinary, FloatCmp, FloatUnary, LockKind, LockMode, MemoryOrder, RmwOp, WaitKind,
};

macro_rules! words {
    ($($ty:ident { $($variant:ident $word:literal,)* })*) => {$(
        impl $ty {
            pub fn word(self) -> &'static str {
                match self { $($ty::$variant => $word,)* }
            }

            pub fn from_word(word: &str) -> Option<$ty> {
                match word { $($word => Some($ty::$variant),)* _ => None }
            }
        }
    )*};
}

words! {
    BinOp {
        Add "add", Sub "sub", Mul "mul", UDiv "udiv", SDiv "sdiv", URem "urem", SRem "srem",
        Shl "shl", LShr "lshr", AShr "ashr", And "and", Or "or", Xor "xor",
    }
    CmpOp {
        Eq "eq", Ne "ne", Ult "ult", Ule "ule", Ugt "ugt", Uge "uge", Slt "slt", Sle "sle", Sgt "sgt", Sge "sge",
    }
    FloatUnary {
        Neg "fneg", Abs "fabs", Sqrt "fsqrt", Floor "ffloor", Ceil "fceil", Trunc "ftrunc", Round "fround",
        RoundEven "froundeven", Sin "fsin", Cos "fcos", Tan "ftan", Asin "fasin", Acos "facos", Atan "fatan",
        Exp "fexp", Log "flog", Log2 "flog2", Log10 "flog10",
    }
    FloatBinary {
        Add "fadd", Sub "fsub", Mul "fmul", Div "fdiv", Rem "frem", Min "fmin", Max "fmax",
        CopySign "fcopysign", Pow "fpow", Atan2 "fatan2",
    }
    FloatCmp {
        Oeq "oeq", Ogt "ogt", Oge "oge", Olt "olt", Ole "ole", One "one", Ord "ord",
        Ueq "ueq", Ugt "ugt", Uge "uge", Ult "ult", Ule "ule", Une "une", Uno "uno",
    }
    CastOp {
        Trunc "trunc", ZExt "zext", SExt "sext", FloatToSigned "float_to_signed",
        FloatToUnsigned "float_to_unsigned", SignedToFloat "signed_to_float",
        UnsignedToFloat "unsigned_to_float", FloatToFloat "float_to_float", PtrToInt "ptr_to_int",
        IntToPtr "int_to_ptr", Bitcast "bitcast",
    }
    RmwOp {
        Exchange "exchange", Add "add", Sub "sub", And "and", Nand "nand", Or "or", Xor "xor",
        Max "max", Min "min", UMax "umax", UMin "umin", FAdd "fadd", FSub "fsub",
    }
    MemoryOrder {
        Plain "plain", Relaxed "relaxed", Acquire "acquire", Release "release", AcqRel "acq_rel", SeqCst "seq_cst",
        Quiet "quiet", Publish "publish",
    }
    WaitKind {
        Mutex "mutex", ReadLock "read_lock", WriteLock "write_lock", SpinLock "spin_lock",
        Condition "condition", Join "join", Barrier "barrier", Semaphore "semaphore", Once "once",
        Stream "stream", Pipe "pipe", Signal "signal",
        Descriptor "descriptor", Socket "socket",
    }
    LockMode { Exclusive "exclusive", Shared "shared", }
    LockKind { Mutex "mutex", ReadWrite "rwlock", Spin "spinlock", }
}
