//! Points-to analysis: where each register of each context may point, what memory may hold, and, from these, which
//! functions are called and which threads are started.
//!
//! | module | what is in it |
//! |---|---|
//! | `offset`, `set`, `objects` | abstract objects, offsets in them, and sets of both |
//! | `solve`, `value`, `stores`, `calls` | what instructions do to the sets, up to a fixpoint |
//! | `taint`, `numbers`, `origins`, `guesses` | addresses that flow through integers: arithmetic, branches and such |
//!
//! Every set holds for every execution up to its first undefined behaviour.

mod calls;
mod guesses;
mod numbers;
mod objects;
mod offset;
mod origins;
mod set;
mod solve;
mod stores;
mod taint;
mod value;

pub use objects::{AbstractObject, Objects};
pub use offset::Offset;
pub use origins::Origins;
pub use set::{MemoryContents, ObjectId, PointsToSet};
pub use solve::{GaveUp, is_pointer};
pub use taint::Taint;

use crate::callgraph::{CallGraph, ContextId, InstSite, Sensitivity};
use crate::models;
use std::collections::BTreeSet;
use std::sync::atomic::AtomicBool;
use tp_ir::{Call, Callee, Const, EntityRef, FuncId, Init, Inst, Operand, OperandKind, Program};

/// The most contexts if call chains are distinguished.
const MOST_CHAINS: usize = 6_000;
/// The most contexts if each user function has one per thread.
const MOST_FUNCTIONS: usize = 20_000;

/// The points-to sets of a program.
pub struct PointsTo<'p> {
    program: &'p Program,
    call_graph: CallGraph<'p>,
    objects: Objects,
    /// By context: the sets of its registers.
    registers: Vec<Vec<PointsToSet>>,
    /// By object.
    memory: Vec<MemoryContents>,
    leaked: BTreeSet<ObjectId>,
}

impl<'p> PointsTo<'p> {
    /// Contexts are distinguished by call chains, or only by threads if there are too many chains. Returns soon after
    /// `stop` is set from outside.
    pub fn new(program: &'p Program, stop: &AtomicBool) -> Result<PointsTo<'p>, GaveUp> {
        match solve::solve(program, Sensitivity::Chains, MOST_CHAINS, stop) {
            Err(GaveUp::TooLarge) => solve::solve(program, Sensitivity::Functions, MOST_FUNCTIONS, stop),
            result => result,
        }
    }

    pub fn program(&self) -> &'p Program {
        self.program
    }

    pub fn call_graph(&self) -> &CallGraph<'p> {
        &self.call_graph
    }

    pub fn objects(&self) -> &Objects {
        &self.objects
    }

    /// The sets of the registers of a context.
    pub fn registers(&self, context: ContextId) -> &[PointsToSet] {
        &self.registers[context.index()]
    }

    /// What an object may hold.
    pub fn memory(&self, object: ObjectId) -> &MemoryContents {
        &self.memory[object.index()]
    }

    /// The objects whose addresses have leaked into numbers.
    pub fn leaked(&self) -> &BTreeSet<ObjectId> {
        &self.leaked
    }

    /// The alignment of an object.
    pub fn alignment(&self, object: ObjectId) -> i64 {
        numbers::alignment(self, object)
    }

    /// What a value may be: the places it may point to, and how it depends on addresses.
    pub fn points(&self, context: ContextId, operand: Operand) -> PointsToSet {
        match operand.kind() {
            OperandKind::Reg(reg) => {
                let registers = &self.registers[context.index()];
                registers.get(reg.index()).cloned().unwrap_or_default()
            }
            OperandKind::Const(constant) => match self.program.constants[constant] {
                Const::Function(f) => self.known(AbstractObject::Function(f), 0),
                Const::Global { global, offset } => self.known(AbstractObject::Global(global), offset),
                _ => PointsToSet::default(),
            },
        }
    }

    /// Where a pointer may point: a number that depends on addresses may be the address of any leaked object.
    pub fn targets(&self, context: ContextId, pointer: Operand) -> PointsToSet {
        let mut points = self.points(context, pointer);
        if points.taint().has(Taint::NUMBER) {
            self.leaked.iter().for_each(|object| {
                points.add(*object, Offset::ANY);
            });
        }
        points
    }

    fn known(&self, object: AbstractObject, offset: i64) -> PointsToSet {
        let id = self.objects.known(object);
        id.map_or_else(PointsToSet::default, |id| PointsToSet::to(id, Offset::exact(offset)))
    }

    /// The functions that a call may call.
    pub fn functions(&self, context: ContextId, call: &Call) -> Vec<FuncId> {
        match &call.callee {
            Callee::Direct(function) => vec![*function],
            Callee::Indirect(pointer) => self.functions_at(context, *pointer),
        }
    }

    /// The functions that a pointer may point to.
    pub fn functions_at(&self, context: ContextId, pointer: Operand) -> Vec<FuncId> {
        let points = self.targets(context, pointer);
        let functions = points.iter().filter_map(|(object, _)| match self.objects.get(object) {
            AbstractObject::Function(f) => Some(f),
            _ => None,
        });
        functions.collect()
    }

    /// Whether a call of this function only writes text, and is not followed.
    pub fn is_output(&self, context: ContextId, call: &Call, function: FuncId) -> bool {
        let format = models::format_of(self.program, function).and_then(|i| call.args.get(i));
        let of_format =
            || format.is_some_and(|format| self.is_harmless_format(&self.targets(context, *format)));
        self.program.functions[function].is_output() || of_format()
    }

    fn is_harmless_format(&self, points: &PointsToSet) -> bool {
        points.iter().all(|(object, offset)| {
            let AbstractObject::Global(global) = self.objects.get(object) else { return false };
            let global = &self.program.globals[global];
            match (&global.init, offset.as_exact().map(usize::try_from)) {
                (Init::Bytes { bytes, .. }, Some(Ok(start))) if global.constant => {
                    models::only_writes(bytes.get(start..).unwrap_or_default())
                }
                (Init::Zero, _) => global.constant,
                _ => false,
            }
        })
    }

    /// The instruction at a site.
    pub fn inst(&self, site: InstSite) -> &'p Inst {
        let function = self.call_graph.function(site.context);
        // Sites are only made of existing instructions.
        let body = self.program.functions[function].body.as_ref().expect("a context has a body");
        &body.blocks[site.block].insts[site.inst]
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::testing::{contexts_of, points_to, program, variable};
    use tp_ir::Reg;

    fn reg(number: u32) -> Operand {
        Reg::from_u32(number).into()
    }

    #[test]
    fn a_load_sees_all_that_is_stored_there() {
        let program = program(
            "program LP64 entry &main
global @x size 4 align 4 = zero
global @y size 4 align 4 = zero
global @p size 16 align 8 = zero
func &main() {
bb0:
  store ptr @x, @p
  %0 = load ptr @p
  store ptr @y+2, @p
  %1 = load ptr @p+8
  return
}
",
        );
        let points_to = points_to(&program);
        let (x, y) = (variable(&points_to, "x"), variable(&points_to, "y"));
        let of = |number| points_to.targets(ContextId::ENTRY, reg(number)).iter().collect::<Vec<_>>();
        assert_eq!(of(0), [(x, Offset::exact(0)), (y, Offset::exact(2))], "the order of stores is ignored");
        assert_eq!(of(1), [], "another field");
        assert_eq!(points_to.memory(variable(&points_to, "p")).all().count(), 1);
    }

    #[test]
    fn elements_of_an_array_are_one_up_to_a_stride() {
        let program = program(
            "program LP64 entry &main
global @a size 64 align 8 = zero
func &main() {
bb0:
  %0 = thread_self
  %1 = ptradd i32 * 16 @a+8, %0
  return
}
",
        );
        let points_to = points_to(&program);
        let a = variable(&points_to, "a");
        let field = PointsToSet::to(a, Offset::exact(8).strided(16));
        assert_eq!(points_to.points(ContextId::ENTRY, reg(1)), field);
        assert!(!Offset::exact(8).strided(16).overlaps(8, Offset::exact(0).strided(16), 8));
    }

    #[test]
    fn calls_through_pointers_are_found() {
        let program = program(
            "program LP64 entry &main
global @x size 4 align 4 = zero
global @handler size 8 align 8 = zero
func &set(%0: ptr) {
bb0:
  store i32 1, %0
  return
}
func &other(%0: ptr) {
bb0:
  return
}
func &main() {
bb0:
  store ptr &set, @handler
  %0 = load ptr @handler
  call indirect %0(@x)
  return
}
",
        );
        let points_to = points_to(&program);
        let [context] = contexts_of(&points_to, "set")[..] else { panic!("it is called once") };
        assert!(contexts_of(&points_to, "other").is_empty());
        let x = variable(&points_to, "x");
        assert_eq!(points_to.targets(context, reg(0)).only(), Some((x, 0)));
        assert_eq!(points_to.functions_at(ContextId::ENTRY, reg(0)).len(), 1);
    }

    #[test]
    fn an_address_that_is_compared_as_a_number_leaks() {
        let program = program(
            "program LP64 entry &main
global @x size 4 align 4 = zero
func &main() {
bb0:
  %0 = ptr_to_int ptr to i64 @x
  %1 = cmp ult i64 %0, 4096
  return
}
",
        );
        let points_to = points_to(&program);
        assert!(points_to.leaked().contains(&variable(&points_to, "x")));
    }

    #[test]
    fn what_is_defined_nowhere_is_not_followed() {
        let program = program(
            "program LP64 entry &main
func &unknown()
func &main() {
bb0:
  call &unknown()
  return
}
",
        );
        let why = PointsTo::new(&program, &AtomicBool::new(false)).err();
        assert_eq!(why, Some(GaveUp::Unmodelled("unknown".into())));
    }
}
