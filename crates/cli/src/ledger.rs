//! What the verdict of `check` rests on.

use crate::args::CheckArgs;
use crate::stop::Reason;
use crate::unchecked;
use std::collections::BTreeSet;
use tp_engines::{Known, Outcome, Verdict};
use tp_ir::{
    BinOp, Callee, CastOp, Checks, CmpOp, Const, FuncId, Init, Inst, Op, Operand, OperandKind, Origin,
    Program,
};
use tp_report::{Already, Bounds, Ledger, Spot};

/// `stopped`: why the work was stopped from outside, if it was; `at`: the bound that was being checked last.
pub fn of(
    args: &CheckArgs,
    checks: Checks,
    program: &Program,
    outcome: &Outcome,
    stopped: Option<Reason>,
    at: u32,
) -> Ledger {
    let mut ledger = without_bounds(args, checks, program);
    ledger.bounds = bounds(args, program, outcome, stopped, at);
    ledger.already = already(outcome);
    ledger.leave_open(outcome.open);
    // Without an unfolding: the analysis is about executions up to their first undefined behaviour.
    ledger.until_undefined = matches!(outcome.verdict, Verdict::Safe) && outcome.bound.is_none();
    ledger.no_threads = outcome.reached.no_threads && matches!(outcome.verdict, Verdict::Safe);
    ledger.sees_addresses = outcome.statistics.encoded.sees_addresses;
    ledger
}

/// What an engine that does not answer knows of the question: of all of it, or of parts.
pub fn known_parts(checks: Checks, outcome: &Outcome) -> Vec<Already> {
    match &outcome.verdict {
        Verdict::WithinBounds { bound, .. } => {
            vec![Already::new(checks, &tp_report::Verdict::WithinBounds(*bound))]
        }
        _ => already(outcome),
    }
}

/// The parts of the question of which more is known than the verdict says.
fn already(outcome: &Outcome) -> Vec<Already> {
    let is_better = |known: &Known| match (&outcome.verdict, known) {
        (Verdict::Unknown(_), _) => true,
        (Verdict::WithinBounds { .. }, Known::Safe) => true,
        (Verdict::WithinBounds { bound, .. }, Known::WithinBounds { bound: shown, .. }) => shown > bound,
        _ => false,
    };
    let better = outcome.shown.0.iter().filter(|(_, known)| is_better(known));
    let verdict = |known: &Known| match known {
        Known::Safe => tp_report::Verdict::Safe,
        Known::WithinBounds { bound, .. } => tp_report::Verdict::WithinBounds(*bound),
    };
    better.map(|(checks, known)| Already::new(*checks, &verdict(known))).collect()
}

/// What a verdict rests on when loops were followed to their ends.
fn without_bounds(args: &CheckArgs, checks: Checks, program: &Program) -> Ledger {
    let mut ledger = args.source.ledger(checks);
    ledger.uses_conditions = uses_conditions(program);
    ledger.uses_weak_exchange = uses_weak_exchange(program);
    ledger.undefined_variables = undefined_variables(program);
    ledger.unchecked = unchecked::of(program);
    ledger.weak_orders = weak_orders(program);
    ledger.never_fail = CAN_FAIL.into_iter().filter(|name| calls(program, name)).collect();
    ledger.looks_at_clock = CLOCKS.into_iter().any(|name| calls(program, name));
    let compares = tp_frontend::compares_addresses(program);
    ledger.reuse = (compares && calls(program, "free")).then_some(!args.source.no_reuse);
    let may_tell = makes_numbers(program) || orders_pointers(program) || calls(program, "memcmp");
    ledger.frees_for_good = !compares && may_tell && calls(program, "free");
    ledger.moves_enlarged = compares && ["realloc", "reallocarray"].iter().any(|name| calls(program, name));
    ledger.compares_addresses = compares_ends(program);
    ledger.endless = endless(program);
    ledger.compares_locals = compares && has_shared_locals(program);
    ledger.repeats_seeds = tp_frontend::repeats_seeds(program);
    ledger.compares_threads = args.source.no_reuse && tp_frontend::compares_thread_ids(program);
    ledger
}

/// What a verdict rests on when executions were explored.
pub fn of_exploration(args: &CheckArgs, checks: Checks, program: &Program) -> Ledger {
    let mut ledger = without_bounds(args, checks, program);
    ledger.sees_addresses = sees_addresses(program);
    ledger.layout = "each object lies where a run puts it";
    ledger
}

/// How far loops were followed, where that limits the verdict.
fn bounds(
    args: &CheckArgs,
    program: &Program,
    outcome: &Outcome,
    stopped: Option<Reason>,
    at: u32,
) -> Option<Bounds> {
    let cut = match stopped {
        Some(Reason::Interrupted) => format!("Ctrl-C, at unwind {at}"),
        Some(Reason::Timeout) => format!("--timeout {}, at unwind {at}", args.timeout),
        Some(Reason::OutOfMemory) => format!("the limit of --memory, at unwind {at}"),
        None => format!("the size of the program, at unwind {at}"),
    };
    match &outcome.verdict {
        Verdict::Violated { .. } | Verdict::Safe => None,
        Verdict::WithinBounds { bound, loops } => {
            let mut spots: Vec<_> = loops.iter().filter_map(|l| tp_report::spot(program, *l)).collect();
            spots.sort();
            spots.dedup();
            let asked =
                args.unwind.filter(|unwind| unwind == bound).map(|unwind| format!("--unwind {unwind}"));
            let name = |f: &FuncId| program.functions[*f].name.to_string();
            let not_reached = outcome.reached.not_entered.iter().map(name).collect();
            let ended_by = asked.or(Some(cut));
            Some(Bounds { unwind: Some(*bound), loops: spots, not_reached, ended_by })
        }
        Verdict::Unknown(tp_engines::Reason::Stopped | tp_engines::Reason::TooLarge) => {
            Some(Bounds { unwind: outcome.bound, ended_by: Some(cut), ..Bounds::default() })
        }
        Verdict::Unknown(_) => Some(Bounds { unwind: outcome.bound, ..Bounds::default() }),
    }
}

fn undefined_variables(program: &Program) -> Vec<Box<str>> {
    let undefined = program.globals.values().filter(|g| g.init == Init::Unknown && g.origin == Origin::User);
    undefined.map(|g| g.name.clone()).collect()
}

/// Functions that want memory or threads, which there may be none of; the models always have some.
const CAN_FAIL: [&str; 14] = [
    "malloc",
    "calloc",
    "realloc",
    "reallocarray",
    "aligned_alloc",
    "posix_memalign",
    "memalign",
    "valloc",
    "strdup",
    "strndup",
    "asprintf",
    "vasprintf",
    "pthread_create",
    "thrd_create",
];

/// Functions that say what time it is.
const CLOCKS: [&str; 5] = ["time", "clock", "clock_gettime", "gettimeofday", "timespec_get"];

fn calls(program: &Program, name: &str) -> bool {
    program.functions.values().any(|f| f.origin == Origin::Model && &*f.name == name)
}

/// Whether the user's code compares a pointer that it has moved, which may be to the end of an object.
fn compares_ends(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let insts = || body.blocks.values().flat_map(|b| &b.insts);
        let is_moved = |inst: &&Inst| matches!(inst.op, Op::PtrAdd { .. });
        let moved: Vec<_> = insts().filter(is_moved).flat_map(Inst::results).collect();
        let may_be_end = |operand: Operand| match operand.kind() {
            OperandKind::Reg(r) => moved.contains(&r),
            OperandKind::Const(c) => match program.constants[c] {
                Const::Global { global, offset } => offset as u64 == program.globals[global].size,
                _ => false,
            },
        };
        insts().any(|inst| match inst.op {
            Op::Cmp { op: CmpOp::Eq | CmpOp::Ne, a, b, .. } => may_be_end(a) || may_be_end(b),
            _ => false,
        })
    })
}

/// Where the user's code stops for ever: `tp_ir::promote` has made such loops assumptions that do not hold.
fn endless(program: &Program) -> Vec<tp_report::Spot> {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    let insts = users.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    let is_endless = |inst: &&Inst| match inst.op {
        Op::Assume { cond } => cond.as_const().is_some(),
        _ => false,
    };
    insts.filter(is_endless).filter_map(|inst| tp_report::spot(program, inst.place)).collect()
}

/// Whether the address of some local leaves its function, and the function may end before the program does.
fn has_shared_locals(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin == Origin::User && &*f.name != "main");
    let mut insts =
        users.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    insts.any(|inst| matches!(inst.op, Op::Alloca { private: false, .. }))
}

/// Whether the user's code may compute with addresses as numbers. How far apart two of them are is not meant.
fn sees_addresses(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let insts = || body.blocks.values().flat_map(|b| &b.insts);
        let is_number = |i: &&Inst| matches!(i.op, Op::Cast { op: CastOp::PtrToInt, .. });
        let numbers: Vec<_> = insts().filter(is_number).flat_map(Inst::results).collect();
        let is_address = |o: Operand| matches!(o.kind(), OperandKind::Reg(r) if numbers.contains(&r));
        insts().any(|i| match i.op {
            Op::Binary { op: BinOp::Sub, a, b, .. } => is_address(a) != is_address(b),
            _ => {
                let mut uses = false;
                i.op.each_operand(|o, _| uses |= is_address(*o));
                uses
            }
        })
    })
}

/// Whether the user's code turns addresses into numbers, by a cast or to subtract them.
fn makes_numbers(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    let blocks = users.filter_map(|f| f.body.as_ref()).flat_map(|body| body.blocks.values());
    blocks.flat_map(|b| &b.insts).any(|i| matches!(i.op, Op::Cast { op: CastOp::PtrToInt, .. }))
}

/// Whether the user's code asks which of two pointers comes first in memory.
fn orders_pointers(program: &Program) -> bool {
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    users.filter_map(|f| f.body.as_ref()).any(|body| {
        let is_pointer =
            |operand: Operand| operand.as_reg().is_some_and(|reg| body.regs[reg].ty == tp_ir::Type::Ptr);
        body.blocks.values().flat_map(|b| &b.insts).any(|inst| match inst.op {
            Op::Cmp { op: CmpOp::Eq | CmpOp::Ne, .. } => false,
            Op::Cmp { a, b, .. } => is_pointer(a) || is_pointer(b),
            _ => false,
        })
    })
}

/// Lines of the user's code with atomics that are weaker than sequentially consistent ones, where threads could tell.
fn weak_orders(program: &Program) -> Vec<Spot> {
    if !program.starts_threads() {
        return Vec::new();
    }
    let users = program.functions.values().filter(|f| f.origin == Origin::User);
    let insts = users.filter_map(|f| f.body.as_ref()).flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    let weak = insts.filter(|i| i.op.is_weaker_than_seq_cst() || calls_with_weak_order(program, &i.op));
    let line = |i: &Inst| tp_report::spot(program, i.place).map(|spot| Spot { column: 0, ..spot });
    let lines: BTreeSet<Spot> = weak.filter_map(line).collect();
    lines.into_iter().collect()
}

/// Atomic objects of other sizes than the processor has are accessed by functions, which are told the order last.
fn calls_with_weak_order(program: &Program, op: &Op) -> bool {
    let Op::Call(call) = op else { return false };
    let Callee::Direct(callee) = call.callee else { return false };
    let callee = &program.functions[callee];
    let orders = match &*callee.name {
        "__atomic_load" | "__atomic_store" | "__atomic_exchange" => 1,
        "__atomic_compare_exchange" => 2,
        _ => return false,
    };
    const SEQ_CST: u128 = 5;
    let is_weak = |order: &Operand| match order.kind() {
        OperandKind::Const(c) => !matches!(program.constants[c], Const::Int { bits: SEQ_CST, .. }),
        OperandKind::Reg(_) => true,
    };
    callee.origin == Origin::Model && call.args.iter().rev().take(orders).any(is_weak)
}

/// Whether the program waits with one of the functions whose model can wake up without a signal.
fn uses_conditions(program: &Program) -> bool {
    let waits = [
        "pthread_cond_wait",
        "pthread_cond_timedwait",
        "pthread_cond_clockwait",
        "cnd_wait",
        "cnd_timedwait",
    ];
    program.functions.values().any(|f| f.origin == Origin::Model && waits.contains(&&*f.name))
}

fn uses_weak_exchange(program: &Program) -> bool {
    let bodies = program.functions.values().filter_map(|f| f.body.as_ref());
    let mut instructions = bodies.flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
    instructions.any(|i| matches!(i.op, Op::CmpXchg { fails: Some(_), .. }))
}
