//! A thread: its calls, its registers, what it holds and what it waits for.

use crate::finding::StackEntry;
use crate::memory::Arena;
use crate::race::Clocks;
use crate::trace::ThreadNumber;
use crate::value::{ObjectRef, Value};
use std::sync::Arc;
use tp_ir::{
    BlockId, Body, EntityRef, FuncId, GlobalId, LockMode, Operand, OperandKind, PlaceId, Reg, WaitKind,
};

/// A call in progress. The instruction at `pc` is the next one, or the call that the frame above belongs to.
#[derive(Copy, Clone)]
pub struct Frame<'p> {
    pub function: FuncId,
    pub body: &'p Body,
    pub block: BlockId,
    pub pc: usize,
    /// Where its registers start.
    pub base: usize,
    /// Where its locals start.
    pub locals: usize,
    /// The top of the stack when it was entered.
    pub sp: u64,
}

/// A frame as it was before an atomic step changed it.
#[derive(Clone)]
struct SavedFrame<'p> {
    index: usize,
    frame: Frame<'p>,
    regs: Vec<Value>,
    locals: Vec<ObjectRef>,
}

/// What is restored when an atomic step is undone.
#[derive(Clone)]
struct Saved<'p> {
    /// The frame in which the step began, then the callers that it returned to, innermost first.
    frames: Vec<SavedFrame<'p>>,
    held: Vec<HeldByThread>,
    sp: u64,
    thread_locals: usize,
    output: usize,
    made: u64,
    asked: u64,
    objects: u32,
    arena: Arena,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub struct HeldByThread {
    pub lock: Value,
    pub mode: LockMode,
    /// Where in the user's code, if a report is to say it.
    pub at: Option<PlaceId>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
pub struct Waiting {
    pub kind: WaitKind,
    pub object: Value,
    pub owner: Option<ThreadNumber>,
}

/// The index of no frame.
const NOWHERE: usize = usize::MAX;

#[derive(Clone)]
pub struct Thread<'p> {
    pub number: ThreadNumber,
    /// Its entry in vector clocks, and its stack's place in memory.
    pub entry: usize,
    pub frames: Vec<Frame<'p>>,
    pub regs: Vec<Value>,
    pub locals: Vec<ObjectRef>,
    pub sp: u64,
    pub atomic_depth: u32,
    pub clocks: Clocks,
    pub held: Vec<HeldByThread>,
    pub waiting: Option<Waiting>,
    /// The objects its last attempt read before it had to wait.
    pub watches: Vec<ObjectRef>,
    /// Its last attempt used inputs, and might have succeeded with others.
    pub blocked_by_input: bool,
    /// It takes no step any more, though it has not ended.
    pub stopped: bool,
    /// The calls of its last attempt at the moment when it had to wait, outermost first.
    pub blocked_at: Vec<(FuncId, PlaceId)>,
    pub started: Arc<[StackEntry]>,
    /// The user's function it was started with, once it was entered.
    pub root: Option<FuncId>,
    pub thread_locals: Vec<(GlobalId, ObjectRef)>,
    /// The outermost frame of an output function, which only writes text; `NOWHERE` without one.
    output: usize,
    /// Objects made, and inputs that belong to no object, outside of output functions; the counts identify them.
    made: u64,
    asked: u64,
    /// All objects made, and the part of the heap for the next one.
    objects: u32,
    pub arena: Arena,
    /// Bytes done of the copy or fill that is in progress.
    pub copied: u64,
    /// Since its last step, the scope of a local has ended whose address others may have.
    pub left_scope: bool,
    saved: Option<Saved<'p>>,
}

impl<'p> Thread<'p> {
    pub fn new(number: ThreadNumber, entry: usize) -> Thread<'p> {
        Thread {
            number,
            entry,
            frames: Vec::new(),
            regs: Vec::new(),
            locals: Vec::new(),
            sp: 0,
            atomic_depth: 0,
            clocks: Clocks::default(),
            held: Vec::new(),
            waiting: None,
            watches: Vec::new(),
            blocked_by_input: false,
            stopped: false,
            blocked_at: Vec::new(),
            started: Arc::default(),
            root: None,
            thread_locals: Vec::new(),
            output: NOWHERE,
            made: 0,
            asked: 0,
            objects: 0,
            arena: Arena::new(number),
            copied: 0,
            left_scope: false,
            saved: None,
        }
    }

    /// Becomes a copy, in the allocations that it has.
    pub fn assign(&mut self, other: &Thread<'p>) {
        self.number = other.number;
        self.entry = other.entry;
        self.frames.clone_from(&other.frames);
        self.regs.clone_from(&other.regs);
        self.locals.clone_from(&other.locals);
        self.sp = other.sp;
        self.atomic_depth = other.atomic_depth;
        self.clocks.clone_from(&other.clocks);
        self.held.clone_from(&other.held);
        self.waiting = other.waiting;
        self.watches.clone_from(&other.watches);
        self.blocked_by_input = other.blocked_by_input;
        self.stopped = other.stopped;
        self.blocked_at.clone_from(&other.blocked_at);
        self.started.clone_from(&other.started);
        self.root = other.root;
        self.thread_locals.clone_from(&other.thread_locals);
        self.output = other.output;
        self.made = other.made;
        self.asked = other.asked;
        self.objects = other.objects;
        self.arena = other.arena;
        self.copied = other.copied;
        self.left_scope = other.left_scope;
        self.saved.clone_from(&other.saved);
    }

    /// At the same program point with the same locals and locks; registers are not compared.
    pub fn same_point(&self, other: &Thread<'p>) -> bool {
        self.locals == other.locals
            && (self.made, self.objects) == (other.made, other.objects)
            && self.same_place(other)
    }

    /// It waits for another thread to end.
    pub fn waits_to_join(&self) -> bool {
        self.waiting.is_some_and(|w| w.kind == WaitKind::Join)
    }

    /// At the same instruction, with the same calls and locks; its locals may be other objects.
    pub fn same_place(&self, other: &Thread<'p>) -> bool {
        let place = |f: &Frame<'p>| (f.function, f.block, f.pc, f.base, f.locals, f.sp);
        self.frames.len() == other.frames.len()
            && self.frames.iter().rev().map(place).eq(other.frames.iter().rev().map(place))
            && self.locals.len() == other.locals.len()
            && self.held == other.held
            && (self.copied, self.left_scope, self.asked) == (other.copied, other.left_scope, other.asked)
            && self.thread_locals == other.thread_locals
    }

    /// A hash that is equal for threads for which `same_point` holds; it does not depend on object handles.
    pub fn place(&self) -> u64 {
        let mix = |h: u64, v: u64| (h ^ v).wrapping_mul(0x9e37_79b9_7f4a_7c15).rotate_left(29);
        let frames = self.frames.iter().fold(self.made, |h, f| {
            let place = (f.function.as_u32() as u64) << 32 | f.block.as_u32() as u64;
            mix(mix(h, place), (f.pc as u64) << 32 ^ f.base as u64)
        });
        [self.locals.len() as u64, self.held.len() as u64, self.copied, self.asked, self.objects as u64]
            .into_iter()
            .fold(frames, mix)
    }

    pub fn push_frame(&mut self, function: FuncId, body: &'p Body) {
        let base = self.regs.len();
        self.regs.resize(base + body.regs.len(), Value::ZERO);
        self.frames.push(Frame {
            function,
            body,
            block: BlockId::new(0),
            pc: 0,
            base,
            locals: self.locals.len(),
            sp: self.sp,
        });
    }

    #[inline(always)]
    pub fn get(&self, base: usize, constants: &[Value], operand: Operand) -> Value {
        match operand.kind() {
            OperandKind::Reg(r) => self.regs[base + r.index()],
            OperandKind::Const(c) => constants[c.index()],
        }
    }

    #[inline(always)]
    pub fn set(&mut self, base: usize, reg: Reg, value: Value) {
        self.regs[base + reg.index()] = value;
    }

    /// The frame at the top is one of an output function.
    pub fn enter_output(&mut self) {
        self.output = self.output.min(self.frames.len() - 1);
    }

    /// The frame at the top is left.
    #[inline(always)]
    pub fn pop_frame(&mut self) -> Option<Frame<'p>> {
        let frame = self.frames.pop();
        if self.frames.len() == self.output {
            self.output = NOWHERE;
        }
        frame
    }

    #[inline(always)]
    pub fn in_output(&self) -> bool {
        self.output != NOWHERE
    }

    /// The number of an object that it makes; `None` in an output function.
    pub fn count_object(&mut self) -> Option<u64> {
        if self.in_output() {
            return None;
        }
        self.made += 1;
        Some(self.made - 1)
    }

    /// The key of an object that it makes; see `Touch` and `touch::maker`.
    pub fn next_key(&mut self) -> u64 {
        self.objects += 1;
        (self.number as u64 + 1) << 32 | self.objects as u64
    }

    /// The number of an input that it asks for; `None` in an output function.
    pub fn count_input(&mut self) -> Option<u64> {
        if self.in_output() {
            return None;
        }
        self.asked += 1;
        Some(self.asked - 1)
    }

    /// Its calls, outermost first, each with its current place.
    pub fn calls(&self) -> impl DoubleEndedIterator<Item = (FuncId, PlaceId)> + '_ {
        self.frames.iter().map(|frame| {
            let block = &frame.body.blocks[frame.block];
            let place = block.insts.get(frame.pc).map_or(block.terminator_place, |i| i.place);
            (frame.function, place)
        })
    }

    fn save_frame(&mut self, index: usize) {
        let (Some(saved), Some(&frame)) = (&mut self.saved, self.frames.get(index)) else { return };
        if saved.frames.last().is_some_and(|s| s.index <= index) {
            return;
        }
        let end = |next: Option<usize>, len: usize| next.unwrap_or(len);
        let next = self.frames.get(index + 1);
        let regs_end = end(next.map(|f| f.base), self.regs.len());
        let locals_end = end(next.map(|f| f.locals), self.locals.len());
        saved.frames.push(SavedFrame {
            index,
            frame,
            regs: self.regs[frame.base..regs_end].to_vec(),
            locals: self.locals[frame.locals..locals_end].to_vec(),
        });
    }

    /// An atomic step begins here.
    pub fn save(&mut self) {
        self.saved = Some(Saved {
            frames: Vec::new(),
            held: self.held.clone(),
            sp: self.sp,
            thread_locals: self.thread_locals.len(),
            output: self.output,
            made: self.made,
            asked: self.asked,
            objects: self.objects,
            arena: self.arena,
        });
        self.save_frame(self.frames.len() - 1);
    }

    /// Before the frame at the top is left inside an atomic step.
    pub fn about_to_return(&mut self) {
        if self.saved.is_some() && self.frames.len() >= 2 {
            self.save_frame(self.frames.len() - 2);
        }
    }

    /// The atomic step is taken.
    pub fn keep(&mut self) {
        self.saved = None;
    }

    /// The atomic step is undone.
    pub fn restore(&mut self) {
        let Some(saved) = self.saved.take() else { return };
        if let Some(lowest) = saved.frames.last() {
            self.frames.truncate(lowest.index);
            self.regs.truncate(lowest.frame.base);
            self.locals.truncate(lowest.frame.locals);
        }
        for s in saved.frames.into_iter().rev() {
            self.frames.push(s.frame);
            self.regs.extend(s.regs);
            self.locals.extend(s.locals);
        }
        self.held = saved.held;
        self.sp = saved.sp;
        self.thread_locals.truncate(saved.thread_locals);
        self.output = saved.output;
        self.made = saved.made;
        self.asked = saved.asked;
        self.objects = saved.objects;
        self.arena = saved.arena;
        self.atomic_depth = 0;
        self.copied = 0;
    }
}
