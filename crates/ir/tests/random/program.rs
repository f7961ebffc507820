//! Random valid programs with every kind of row and instruction, built as data.

use super::rng::Rng;
use threadproof_ir::*;

const NAMES: &[&str] =
    &["main", "x", "counter", ".str.1", "a b", "", "1st", "ü", "q\"\\", "cost$", "x", "y.3", "é\n"];
const WIDTHS: &[u32] = &[1, 7, 8, 16, 32, 64, 128];
const ORDERS: &[MemoryOrder] = &[MemoryOrder::Relaxed, MemoryOrder::SeqCst];

fn width(rng: &mut Rng) -> Width {
    Width::new(rng.pick(WIDTHS)).expect("a width")
}

fn ty(rng: &mut Rng) -> Type {
    match rng.below(6) {
        0 => Type::F32,
        1 => Type::F64,
        2 => Type::Ptr,
        _ => Type::Int(width(rng)),
    }
}

fn name(rng: &mut Rng) -> Box<str> {
    rng.pick(NAMES).into()
}

fn optional<T>(rng: &mut Rng, make: impl FnOnce(&mut Rng) -> T) -> Option<T> {
    if rng.chance(2) { Some(make(rng)) } else { None }
}

fn row<K: EntityRef, T>(rng: &mut Rng, table: &PrimaryMap<K, T>) -> K {
    K::new(rng.below(table.len()))
}

pub fn random(rng: &mut Rng) -> Program {
    let data_model = rng.pick(&[DataModel::Ilp32, DataModel::Lp64]);
    let mut program = Program {
        data_model,
        files: PrimaryMap::new(),
        places: PrimaryMap::new(),
        source_types: PrimaryMap::new(),
        constants: PrimaryMap::new(),
        globals: PrimaryMap::new(),
        functions: PrimaryMap::new(),
        entry: FuncId::new(0),
    };
    for _ in 0..1 + rng.below(3) {
        program.files.push(name(rng));
    }
    for i in 0..1 + rng.below(20) {
        let inlined_at = if i > 0 && rng.chance(3) { Some(PlaceId::new(rng.below(i))) } else { None };
        let (file, line, column) = (row(rng, &program.files), rng.below(4) as u32, rng.below(3) as u32);
        program.places.push(Place { file, line, column, inlined_at });
    }
    let types = 1 + rng.below(6);
    for _ in 0..types {
        program.source_types.push(source_type(rng, types));
    }
    for i in 0..2 + rng.below(4) {
        let global = global(rng, &program, i);
        program.globals.push(global);
    }
    for i in 0..1 + rng.below(4) {
        let params = (0..if i == 0 { 0 } else { rng.below(3) }).map(|_| ty(rng)).collect();
        let results = (0..rng.below(3)).map(|_| ty(rng)).collect();
        let (variadic, origin) =
            (i > 0 && rng.chance(3), rng.pick(&[Origin::User, Origin::Library, Origin::Model]));
        let place = row(rng, &program.places);
        program.functions.push(Function {
            name: name(rng),
            params,
            results,
            variadic,
            origin,
            embedded: origin == Origin::Model && rng.chance(2),
            effects: effects(rng, origin),
            place,
            body: None,
        });
    }
    for id in program.globals.keys() {
        initialise(rng, &mut program, id);
    }
    for id in program.functions.keys() {
        if !rng.chance(5) {
            let body = BodyGen::new(rng, &mut program, id).body();
            program.functions[id].body = Some(body);
        }
    }
    program
}

fn source_type(rng: &mut Rng, types: usize) -> SourceType {
    let any = |rng: &mut Rng| SourceTypeId::new(rng.below(types));
    match rng.below(4) {
        0 => SourceType::Scalar { name: name(rng), size: rng.next() },
        1 => SourceType::Pointer { to: optional(rng, any) },
        2 => SourceType::Array { element: any(rng), count: rng.next(), element_size: rng.next() },
        _ => {
            let fields =
                (0..rng.below(3)).map(|_| Field { name: name(rng), offset: rng.next(), ty: any(rng) });
            let fields = fields.collect();
            SourceType::Record { name: name(rng), size: rng.next(), fields }
        }
    }
}

/// The first is shared and the second thread-local, so that both kinds exist.
fn global(rng: &mut Rng, program: &Program, index: usize) -> Global {
    Global {
        name: name(rng),
        size: 8 * rng.below(20) as u64,
        align: 1 << rng.below(5),
        init: rng.pick(&[Init::Zero, Init::Unknown].each_ref()).clone(),
        constant: rng.chance(3),
        thread_local: index == 1 || (index > 1 && rng.chance(3)),
        origin: rng.pick(&[Origin::User, Origin::Library, Origin::Model]),
        internal: rng.chance(3),
        ty: optional(rng, |rng| row(rng, &program.source_types)),
        place: row(rng, &program.places),
    }
}

fn initialise(rng: &mut Rng, program: &mut Program, id: GlobalId) {
    if rng.chance(3) {
        return;
    }
    let size = program.globals[id].size as usize;
    let zeros = rng.below(3);
    let bytes = (0..size).map(|_| if rng.below(40) < zeros * 20 { 0 } else { rng.next() as u8 }).collect();
    let pointers =
        (0..size / 8).step_by(3).map(|i| (8 * i as u64, constant(rng, program, Type::Ptr))).collect();
    program.globals[id].init = Init::Bytes { bytes, pointers };
}

/// A constant of the type; some are in the pool twice.
fn constant(rng: &mut Rng, program: &mut Program, ty: Type) -> ConstId {
    let small = [0, 1, 2, u128::MAX, u128::MAX >> 1, 1 << 63, 200];
    let value = match ty {
        Type::Int(width) => Const::Int { width, bits: eval::truncate(rng.pick(&small), width) },
        Type::F32 => Const::F32(if rng.chance(2) { rng.next() as u32 } else { 1.5f32.to_bits() }),
        Type::F64 => Const::F64(if rng.chance(2) { rng.next() } else { (-0.1f64).to_bits() }),
        Type::Ptr => match rng.below(3) {
            0 => Const::Null,
            1 => Const::Function(row(rng, &program.functions)),
            _ => {
                let global = row(rng, &program.globals);
                let shared = if program.globals[global].thread_local { GlobalId::new(0) } else { global };
                Const::Global { global: shared, offset: rng.pick(&[0, 8, -8, i64::MAX, i64::MIN]) }
            }
        },
    };
    let known = program.constants.iter().find(|(_, c)| **c == value).map(|(id, _)| id);
    match known {
        Some(id) if !rng.chance(10) => id,
        _ => program.constants.push(value),
    }
}

/// Makes one body. Registers of the first block and of the current block can be used.
struct BodyGen<'r, 'p> {
    rng: &'r mut Rng,
    program: &'p mut Program,
    id: FuncId,
    body: Body,
    visible: Vec<Reg>,
}

impl<'r, 'p> BodyGen<'r, 'p> {
    fn new(rng: &'r mut Rng, program: &'p mut Program, id: FuncId) -> BodyGen<'r, 'p> {
        BodyGen { rng, program, id, body: Body::default(), visible: Vec::new() }
    }

    fn reg(&mut self, ty: Type) -> Reg {
        let name = if self.rng.chance(3) { Some(name(self.rng)) } else { None };
        self.body.regs.push(RegInfo { ty, name })
    }

    fn body(mut self) -> Body {
        let function = &self.program.functions[self.id];
        let area = function.variadic.then_some(Type::Ptr);
        let types: Vec<Type> = function.params.iter().copied().chain(area).collect();
        self.body.params = types.into_iter().map(|ty| self.reg(ty)).collect();
        self.visible = self.body.params.clone();
        let blocks = 1 + self.rng.below(5);
        let params: Vec<Vec<Reg>> = (0..blocks)
            .map(|i| {
                let count = if i == 0 { 0 } else { self.rng.below(3) };
                (0..count)
                    .map(|_| ty(self.rng))
                    .collect::<Vec<_>>()
                    .into_iter()
                    .map(|ty| self.reg(ty))
                    .collect()
            })
            .collect();
        let mut common = 0;
        for i in 0..blocks {
            if i > 0 {
                self.visible.truncate(common);
                self.visible.extend(&params[i]);
            }
            let insts = (0..self.rng.below(12)).map(|_| self.inst()).collect();
            let terminator = self.terminator(&params);
            let terminator_place = row(self.rng, &self.program.places);
            self.body.blocks.push(Block { params: params[i].clone(), insts, terminator, terminator_place });
            if i == 0 {
                common = self.visible.len();
            }
        }
        self.reg(Type::F32);
        self.body
    }

    fn operand(&mut self, ty: Type) -> Operand {
        let regs: Vec<Reg> =
            self.visible.iter().copied().filter(|reg| self.body.regs[*reg].ty == ty).collect();
        if regs.is_empty() || self.rng.chance(4) {
            constant(self.rng, self.program, ty).into()
        } else {
            self.rng.pick(&regs).into()
        }
    }

    fn operands(&mut self, types: &[Type]) -> Box<[Operand]> {
        types.iter().map(|ty| self.operand(*ty)).collect()
    }

    fn inst(&mut self) -> Inst {
        let place = row(self.rng, &self.program.places);
        if self.rng.chance(6) {
            return Inst { op: self.call(), result: None, place };
        }
        let mut op = self.op();
        let any = ty(self.rng);
        let mut result = op.result().map(|expect| expect.implied(self.program.data_model).unwrap_or(any));
        if matches!(op, Op::Unsupported { .. }) && self.rng.chance(2) {
            result = None;
        }
        let data = self.program.data_model;
        op.each_operand_mut(|slot, expect| *slot = self.operand(expect.implied(data).unwrap_or(any)));
        let result = result.map(|ty| self.reg(ty));
        self.visible.extend(result);
        Inst { op, result, place }
    }

    fn call(&mut self) -> Op {
        let id = row(self.rng, &self.program.functions);
        let callee = &self.program.functions[id];
        let area = callee.variadic.then_some(Type::Ptr);
        let params: Vec<Type> = callee.params.iter().copied().chain(area).collect();
        let taken = self.rng.below(callee.results.len() + 1);
        let results = callee.results[..taken].to_vec();
        let args = self.operands(&params);
        let callee = match self.rng.chance(3) {
            true => Callee::Indirect(self.operand(Type::Ptr)),
            false => Callee::Direct(id),
        };
        let results: Box<[Reg]> = results.into_iter().map(|ty| self.reg(ty)).collect();
        self.visible.extend(&results);
        Op::Call(Box::new(Call { callee, args, results }))
    }

    /// An instruction whose operands are still to be filled in.
    fn op(&mut self) -> Op {
        let hole = Operand::from(Reg::new(0));
        let rng = &mut *self.rng;
        let (w, t, order) = (width(rng), ty(rng), rng.pick(ORDERS));
        let float = rng.pick(&[Type::F32, Type::F64]);
        let (binary, float_binary) =
            (rng.pick(&[BinOp::Add, BinOp::Mul]), rng.pick(&[FloatBinary::Rem, FloatBinary::Pow]));
        let memory = rng.pick(&[MemoryOrder::Plain, MemoryOrder::Relaxed, MemoryOrder::SeqCst]);
        match rng.below(44) {
            0 => Op::Binary { op: binary, width: w, a: hole, b: hole, checked: rng.chance(2) },
            1 => Op::Binary { op: BinOp::AShr, width: w, a: hole, b: hole, checked: false },
            2 => Op::Cmp { op: rng.pick(&[CmpOp::Sle, CmpOp::Ne]), width: w, a: hole, b: hole },
            3 => Op::FloatUnary { op: rng.pick(&[FloatUnary::Neg, FloatUnary::Log10]), ty: float, a: hole },
            4 => Op::FloatBinary { op: float_binary, ty: float, a: hole, b: hole },
            5 => Op::FloatCmp { op: rng.pick(&[FloatCmp::Oeq, FloatCmp::Uno]), ty: float, a: hole, b: hole },
            6 => Op::Cast { op: CastOp::PtrToInt, from: Type::Ptr, to: Type::Int(w), a: hole },
            7 => Op::Cast { op: CastOp::FloatToUnsigned, from: float, to: Type::Int(w), a: hole },
            8 => Op::Cast { op: CastOp::SExt, from: Type::BOOL, to: Type::Int(Width::W64), a: hole },
            9 => Op::Select { cond: hole, a: hole, b: hole },
            10 => Op::PtrAdd { base: hole, index: hole, width: w, scale: rng.next() as u32 },
            11 => Op::ThreadLocal { global: GlobalId::new(1) },
            12 => Op::Uninit { ty: t },
            13 => Op::Load { ty: t, ptr: hole, order: memory },
            14 => Op::Store { ty: t, ptr: hole, value: hole, order: memory },
            15 => Op::Rmw { op: RmwOp::UMax, ty: Type::Int(w), ptr: hole, value: hole, order },
            16 => Op::Rmw { op: RmwOp::FSub, ty: float, ptr: hole, value: hole, order },
            17 => {
                let failure = rng.pick(ORDERS);
                let fails = rng.chance(2).then_some(hole);
                Op::CmpXchg { ty: t, ptr: hole, expected: hole, new: hole, fails, success: order, failure }
            }
            18 => Op::Fence { order: MemoryOrder::AcqRel },
            19 => Op::Copy { dst: hole, src: hole, len: hole, len_width: w, overlap: rng.chance(2) },
            20 => Op::Set { dst: hole, byte: hole, len: hole, len_width: w },
            21 | 22 => {
                let types = &self.program.source_types;
                let info = Box::new(LocalInfo {
                    name: optional(rng, name),
                    ty: optional(rng, |rng| row(rng, types)),
                });
                Op::Alloca {
                    size: hole,
                    size_width: w,
                    align: 1 << rng.below(5),
                    private: rng.chance(2),
                    info,
                }
            }
            23 => Op::ScopeBegin { ptr: hole },
            24 => Op::ScopeEnd { ptr: hole, last: rng.chance(2) },
            25 => Op::StackSave,
            26 => Op::StackRestore { token: hole },
            27 => {
                let (align_width, record) = (width(rng), rng.chance(2));
                let at = rng.chance(2).then_some(hole);
                Op::HeapAlloc { size: hole, size_width: w, align: hole, align_width, record, at }
            }
            28 => Op::HeapFree { ptr: hole },
            29 => Op::HeapSize { ptr: hole },
            30 => Op::ThreadStart { func: hole, arg: hole },
            31 => {
                rng.pick(&[Op::ThreadSelf, Op::ThreadExit, Op::AtomicBegin, Op::AtomicEnd].each_ref()).clone()
            }
            32 => Op::Exit { status: hole },
            33 => Op::Await { cond: hole },
            34 => Op::Assume { cond: hole },
            35 if rng.chance(4) => {
                Op::Rest { done: hole, seconds: hole, nanoseconds: hole, is_moment: rng.chance(2) }
            }
            35 => {
                let kind = rng.pick(&[InputKind::Value, InputKind::MostlyZero, InputKind::Event]);
                Op::Input { ty: t, signed: rng.chance(2), kind, name: hole }
            }
            36 => Op::Assert {
                cond: hole,
                property: rng.pick(&Property::ALL),
                message: hole,
                goes_on: rng.chance(2),
            },
            37 => Op::Yield,
            38 => Op::Output { fd: hole, ptr: hole, len: hole },
            39 => Op::FormatFloat {
                buffer: hole,
                size: hole,
                conversion: hole,
                precision: hole,
                flags: hole,
                value: hole,
            },
            40 => Op::ParseFloat { text: hole, consumed: hole },
            41 => Op::Acquired { lock: hole, mode: rng.pick(&[LockMode::Exclusive, LockMode::Shared]) },
            42 => {
                Op::Waiting { kind: rng.pick(&[WaitKind::Once, WaitKind::Join]), object: hole, owner: hole }
            }
            _ => Op::Unsupported { what: name(rng) },
        }
    }

    fn target(&mut self, params: &[Vec<Reg>]) -> Target {
        let block = self.rng.below(params.len());
        let types: Vec<Type> = params[block].iter().map(|reg| self.body.regs[*reg].ty).collect();
        Target { block: BlockId::new(block), args: self.operands(&types) }
    }

    fn terminator(&mut self, params: &[Vec<Reg>]) -> Terminator {
        match self.rng.below(5) {
            0 => Terminator::Jump(self.target(params)),
            1 => {
                let cond = self.operand(Type::BOOL);
                Terminator::Branch { cond, then: self.target(params), otherwise: self.target(params) }
            }
            2 => {
                let width = width(self.rng);
                let value = self.operand(Type::Int(width));
                let cases = self.rng.below(3).min(1 << (width.bits() - 1).min(2));
                let cases =
                    (0..cases as u128).map(|case| (eval::mask::<u128>(width) - case, self.target(params)));
                let cases = cases.collect();
                Terminator::Switch(Box::new(Switch { value, width, cases, default: self.target(params) }))
            }
            3 => Terminator::Unreachable,
            _ => {
                let results = self.program.functions[self.id].results.clone();
                Terminator::Return(self.operands(&results))
            }
        }
    }
}

/// Random effects that fit any parameters.
fn effects(rng: &mut Rng, origin: Origin) -> Vec<ModelEffect> {
    let count = if origin == Origin::Model { rng.below(3) } else { 0 };
    let all = [ModelEffect::Output, ModelEffect::CanFail, ModelEffect::MemoryOrders(0)];
    (0..count).map(|_| rng.pick(&all)).collect()
}
