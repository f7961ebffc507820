//! Inline assembly: compiler barriers, hints, fences, and the instructions that programs write locks and counters with
//! become the atomics that they are; everything else reports itself.
//!
//! Memory orders are those of x86 as far as C may rely on them. A locked instruction orders everything, `mov` from memory
//! acquires and `mov` to memory releases, if the assembly declares that it touches memory (`"memory"` among what it
//! clobbers). Without that, compilers may move other accesses across it: then it is atomic, but relaxed. An operation on
//! memory without `lock` is a read and a write that others can come between, and races like those of plain code.

use super::FunctionImport;
use super::values::Leaf;
use super::x86::{self, Action, Argument, Condition, Constraint, Flag, Place, Port, Statement};
use crate::llvm::Value;
use crate::types::{Lowered, leaf_types, scalar_type, unsupported};
use std::collections::HashMap;
use tp_ir::{CastOp, CmpOp, MemoryOrder, Op, Operand, RmwOp, Type, Width};

/// A register while the assembly runs.
#[derive(Clone, PartialEq, Eq, Hash)]
enum Register {
    Named(String),
    /// The one that was chosen for an operand.
    Of(usize),
}

/// What the flags were last set by.
#[derive(Copy, Clone)]
struct Flags {
    width: Width,
    old: Operand,
    /// What was added, subtracted or compared with.
    other: Operand,
    new: Operand,
    op: FlagOp,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum FlagOp {
    Compare,
    Compute(RmwOp),
    /// The carry flag is an older one.
    Step,
}

/// The state of a piece of assembly.
struct Assembly<'a> {
    operands: Vec<Constraint>,
    arguments: Vec<Value<'a>>,
    results: Vec<Type>,
    /// Registers with a value, and its type.
    registers: HashMap<Register, (Operand, Type)>,
    flags: Option<Flags>,
    touches_memory: bool,
}

/// Where an operand of an instruction is.
enum Spot {
    Memory(Operand),
    Register(Register),
    Immediate(i64),
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn assembly(&mut self, call: Value<'a>, callee: Value<'a>) -> Lowered<Option<Vec<Leaf>>> {
        let (template, constraints) = callee.inline_asm();
        let unknown = || unsupported(format!("the inline assembly `{}`", in_one_line(&template)));
        let Some(statements) = x86::parse(&template) else { return unknown() };
        let (operands, touches_memory) = x86::constraints(&constraints);
        let results = leaf_types(call.ty())?;
        let mut assembly = Assembly {
            operands,
            arguments: call.arguments(),
            results,
            registers: HashMap::new(),
            flags: None,
            touches_memory,
        };
        if statements.iter().all(|s| s.arguments.is_empty()) {
            statements.iter().for_each(|s| self.without_operands(s.action));
            return self.tied_outputs(&assembly).map(|leaves| (!leaves.is_empty()).then_some(leaves));
        }
        let before = self.body.blocks[self.block].insts.len();
        match self.execute(&mut assembly, &statements) {
            Some(leaves) => Ok((!leaves.is_empty()).then_some(leaves)),
            None => {
                // Nothing of it happens if not all of it is understood.
                self.body.blocks[self.block].insts.truncate(before);
                unknown()
            }
        }
    }

    fn without_operands(&mut self, action: Action) {
        match action {
            Action::Pause => self.effect(Op::Yield),
            Action::FullFence => self.effect(Op::Fence { order: MemoryOrder::SeqCst }),
            Action::LoadFence => self.effect(Op::Fence { order: MemoryOrder::Acquire }),
            Action::StoreFence => self.effect(Op::Fence { order: MemoryOrder::Release }),
            _ => {}
        }
    }

    /// The outputs of a template that names no operand: each is the input that is tied to it.
    fn tied_outputs(&mut self, assembly: &Assembly<'a>) -> Lowered<Vec<Leaf>> {
        let mut leaves: Vec<Leaf> = assembly.results.iter().map(|&ty| Leaf::Undefined(ty)).collect();
        for operand in &assembly.operands {
            if let (Place::Tied(number), Port::Argument(argument)) = (&operand.place, operand.value)
                && let Some(Port::Result(output)) = assembly.operands.get(*number).map(|o| o.value)
                && let Some(argument) = assembly.arguments.get(argument).copied()
                && let [leaf] = self.leaves(argument)?[..]
                && let Some(slot) = leaves.get_mut(output)
            {
                *slot = leaf;
            }
        }
        Ok(leaves)
    }

    /// The results; `None`: something in it is not understood.
    fn execute(&mut self, assembly: &mut Assembly<'a>, statements: &[Statement]) -> Option<Vec<Leaf>> {
        for number in 0..assembly.operands.len() {
            let operand = &assembly.operands[number];
            if let Port::Argument(argument) = operand.value
                && operand.place != Place::Memory
            {
                let argument = *assembly.arguments.get(argument)?;
                let value = self.typed_operand(argument).ok()?;
                assembly.registers.insert(assembly.register(number)?, value);
            }
        }
        statements.iter().try_for_each(|statement| self.statement(assembly, statement))?;
        let mut leaves: Vec<Leaf> = assembly.results.iter().map(|&ty| Leaf::Undefined(ty)).collect();
        for number in 0..assembly.operands.len() {
            let Port::Result(result) = assembly.operands[number].value else { continue };
            let ty = *assembly.results.get(result)?;
            let leaf = match assembly.operands[number].place {
                Place::Flag(condition) => {
                    let holds = self.condition(assembly, condition)?;
                    Leaf::Known(self.converted(holds, Type::BOOL, ty)?)
                }
                _ => match assembly.registers.get(&assembly.register(number)?) {
                    Some(&(value, from)) => Leaf::Known(self.converted(value, from, ty)?),
                    None => Leaf::Undefined(ty),
                },
            };
            *leaves.get_mut(result)? = leaf;
        }
        Some(leaves)
    }

    fn statement(&mut self, assembly: &mut Assembly<'a>, statement: &Statement) -> Option<()> {
        let (order, load, store) = match assembly.touches_memory {
            true => (MemoryOrder::SeqCst, MemoryOrder::Acquire, MemoryOrder::Release),
            false => (MemoryOrder::Relaxed, MemoryOrder::Relaxed, MemoryOrder::Relaxed),
        };
        let spots: Vec<Spot> =
            statement.arguments.iter().map(|a| self.spot(assembly, a)).collect::<Option<_>>()?;
        if let Action::Set(condition) = statement.action {
            let holds = self.condition(assembly, condition)?;
            let byte = self.converted(holds, Type::BOOL, Type::Int(Width::W8))?;
            return self.write(assembly, spots.first()?, byte, Type::Int(Width::W8), MemoryOrder::Plain);
        }
        let Some(target) = spots.last() else {
            self.without_operands(statement.action);
            return Some(());
        };
        let ty = self.operation_type(assembly, statement, &spots)?;
        match (statement.action, &spots[..]) {
            (Action::Move, [source, target]) => {
                let value = self.read(assembly, source, ty, load)?;
                self.write(assembly, target, value, ty, store)
            }
            (Action::Exchange, [Spot::Memory(ptr), register @ Spot::Register(_)])
            | (Action::Exchange, [register @ Spot::Register(_), Spot::Memory(ptr)]) => {
                let value = self.read(assembly, register, ty, load)?;
                let op = Op::Rmw { op: RmwOp::Exchange, ty, ptr: *ptr, value, order };
                let old = self.compute(op, ty);
                self.write(assembly, register, old, ty, store)
            }
            (Action::CompareExchange, [new, Spot::Memory(ptr)]) if statement.locked => {
                let accumulator = Spot::Register(Register::Named("ax".to_owned()));
                let expected = self.read(assembly, &accumulator, ty, load)?;
                let new = self.read(assembly, new, ty, load)?;
                let (success, failure) = (order, order);
                let op = Op::CmpXchg { ty, ptr: *ptr, expected, new, fails: None, success, failure };
                let old = self.compute(op, ty);
                let width = ty.width(self.importer.data_model);
                assembly.flags = Some(Flags { width, old, other: expected, new: old, op: FlagOp::Compare });
                self.write(assembly, &accumulator, old, ty, store)
            }
            (Action::ExchangeAdd, [register @ Spot::Register(_), Spot::Memory(_)]) if statement.locked => {
                let old = self.change(assembly, (RmwOp::Add, Some(order)), register, target, ty)?;
                self.write(assembly, register, old, ty, store)
            }
            (Action::Compute(op), [source, target]) => {
                let order = statement.locked.then_some(order);
                self.change(assembly, (op, order), source, target, ty).map(|_| ())
            }
            (Action::Step(op), [target]) => {
                let order = statement.locked.then_some(order);
                self.change(assembly, (op, order), &Spot::Immediate(1), target, ty)?;
                assembly.flags = assembly.flags.map(|flags| Flags { op: FlagOp::Step, ..flags });
                Some(())
            }
            _ => None,
        }
    }

    /// An operation on a register or on memory, with an order if it is locked, which only memory has. Returns the old value.
    fn change(
        &mut self,
        assembly: &mut Assembly<'a>,
        (op, order): (RmwOp, Option<MemoryOrder>),
        source: &Spot,
        target: &Spot,
        ty: Type,
    ) -> Option<Operand> {
        let Type::Int(width) = ty else { return None };
        let other = self.read(assembly, source, ty, MemoryOrder::Plain)?;
        let binary = op.binary()?;
        let (old, new) = match (order, target) {
            (Some(order), Spot::Memory(ptr)) => {
                let old = self.compute(Op::Rmw { op, ty, ptr: *ptr, value: other, order }, ty);
                (old, self.binary(binary, width, old, other))
            }
            (Some(_), _) => return None,
            (None, _) => {
                let old = self.read(assembly, target, ty, MemoryOrder::Plain)?;
                let new = self.binary(binary, width, old, other);
                self.write(assembly, target, new, ty, MemoryOrder::Plain)?;
                (old, new)
            }
        };
        assembly.flags = Some(Flags { width, old, other, new, op: FlagOp::Compute(op) });
        Some(old)
    }

    fn condition(&mut self, assembly: &Assembly<'a>, condition: Condition) -> Option<Operand> {
        let Flags { width, old, other, new, op } = assembly.flags?;
        let pick = |yes: CmpOp, no: CmpOp| if condition.negated { no } else { yes };
        let equal = pick(CmpOp::Eq, CmpOp::Ne);
        let below = pick(CmpOp::Ult, CmpOp::Uge);
        Some(match (condition.flag, op) {
            (Flag::Zero, FlagOp::Compare) => self.compare(equal, width, old, other),
            (Flag::Zero, _) => {
                let zero = self.int(width, 0);
                self.compare(equal, width, new, zero)
            }
            (Flag::Sign, FlagOp::Compute(_) | FlagOp::Step) => {
                let zero = self.int(width, 0);
                self.compare(pick(CmpOp::Slt, CmpOp::Sge), width, new, zero)
            }
            (Flag::Carry, FlagOp::Compute(RmwOp::Sub)) => self.compare(below, width, old, other),
            (Flag::Carry, FlagOp::Compute(RmwOp::Add)) => self.compare(below, width, new, old),
            _ => return None,
        })
    }

    fn spot(&mut self, assembly: &Assembly<'a>, argument: &Argument) -> Option<Spot> {
        Some(match argument {
            Argument::Immediate(number) => Spot::Immediate(*number),
            Argument::Register { name, .. } => Spot::Register(Register::Named((*name).to_owned())),
            Argument::Behind { number } => match assembly.registers.get(&assembly.register(*number)?)? {
                (address, Type::Ptr) => Spot::Memory(*address),
                _ => return None,
            },
            Argument::Operand { number, .. } => match assembly.operands.get(*number)? {
                Constraint { place: Place::Memory, value: Port::Argument(argument) } => {
                    let (address, ty) = self.typed_operand(*assembly.arguments.get(*argument)?).ok()?;
                    if ty != Type::Ptr {
                        return None;
                    }
                    Spot::Memory(address)
                }
                _ => Spot::Register(assembly.register(*number)?),
            },
        })
    }

    /// The type of what an instruction works on: as many bits as its letter says, else as its registers have.
    fn operation_type(
        &mut self,
        assembly: &Assembly<'a>,
        statement: &Statement,
        spots: &[Spot],
    ) -> Option<Type> {
        let data = self.importer.data_model;
        let of_register = |(argument, spot): (&Argument, &Spot)| match (argument, spot) {
            (
                Argument::Register { bits, .. } | Argument::Operand { bits: Some(bits), .. },
                Spot::Register(_),
            ) => Width::new(*bits).map(Type::Int),
            (Argument::Operand { number, .. }, Spot::Register(_)) => assembly.type_of(*number),
            _ => None,
        };
        let types: Vec<Type> = statement.arguments.iter().zip(spots).filter_map(of_register).collect();
        let bits = statement.bits.or_else(|| types.first().map(|ty| ty.width(data).bits()))?;
        if bits == data.pointer_width().bits() && types.contains(&Type::Ptr) {
            return Some(Type::Ptr);
        }
        Width::new(bits).map(Type::Int)
    }

    fn read(
        &mut self,
        assembly: &Assembly<'a>,
        spot: &Spot,
        ty: Type,
        order: MemoryOrder,
    ) -> Option<Operand> {
        match spot {
            Spot::Immediate(number) => {
                let Type::Int(width) = ty else { return None };
                let mask = if width.bits() < 128 { (1u128 << width.bits()) - 1 } else { u128::MAX };
                Some(self.int(width, *number as i128 as u128 & mask))
            }
            Spot::Memory(ptr) => Some(self.compute(Op::Load { ty, ptr: *ptr, order }, ty)),
            Spot::Register(register) => {
                let &(value, from) = assembly.registers.get(register)?;
                self.converted(value, from, ty)
            }
        }
    }

    fn write(
        &mut self,
        assembly: &mut Assembly<'a>,
        spot: &Spot,
        value: Operand,
        ty: Type,
        order: MemoryOrder,
    ) -> Option<()> {
        match spot {
            Spot::Immediate(_) => return None,
            Spot::Memory(ptr) => self.effect(Op::Store { ty, ptr: *ptr, value, order }),
            Spot::Register(register) => {
                assembly.registers.insert(register.clone(), (value, ty));
            }
        }
        Some(())
    }

    /// The lower bits of a register, or all of one that was written in part. Writing 32 bits clears the others; after 8 or
    /// 16 bits the others are as before, which is not followed.
    fn converted(&mut self, value: Operand, from: Type, to: Type) -> Option<Operand> {
        let data = self.importer.data_model;
        let (have, want) = (from.width(data).bits(), to.width(data).bits());
        Some(match (from, to) {
            _ if from == to => value,
            (Type::Ptr, Type::Int(_)) if have == want => self.cast(CastOp::PtrToInt, from, to, value),
            (Type::Int(_), Type::Ptr) if have == want => self.cast(CastOp::IntToPtr, from, to, value),
            (Type::Int(_), Type::Int(_)) if have > want => self.cast(CastOp::Trunc, from, to, value),
            (Type::Int(_), Type::Int(_)) if have == 1 || have == 32 => {
                self.cast(CastOp::ZExt, from, to, value)
            }
            _ => return None,
        })
    }
}

fn in_one_line(template: &str) -> String {
    template.split(['\n', ';']).map(str::trim).filter(|part| !part.is_empty()).collect::<Vec<_>>().join("; ")
}

impl<'a> Assembly<'a> {
    /// The register of an operand that is in one.
    fn register(&self, number: usize) -> Option<Register> {
        match &self.operands.get(number)?.place {
            Place::Memory | Place::Flag(_) => None,
            Place::Named(name) => Some(Register::Named(name.clone())),
            Place::Tied(other) if *other < number => self.register(*other),
            Place::Tied(_) => None,
            Place::Own => Some(Register::Of(number)),
        }
    }

    /// The type of an operand in a register, as the source has it.
    fn type_of(&self, number: usize) -> Option<Type> {
        match self.operands.get(number)?.value {
            Port::Result(result) => self.results.get(result).copied(),
            Port::Argument(argument) => scalar_type(self.arguments.get(argument)?.ty()).ok(),
        }
    }
}
