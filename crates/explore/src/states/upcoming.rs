//! The next step of a thread.

use tp_ir::{BlockId, Body, FuncId, LockKind, MemoryOrder, Op, Origin, Program, SyncEffect};
use tp_machine::{Session, ThreadNumber};

/// An instruction, and where the user's code calls the model that it is in.
pub type Site = [(FuncId, BlockId, usize); 2];

/// What the next step of a thread is, as far as its instruction tells.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum StepKind {
    /// It ends the program.
    Exit,
    /// A plain access, or nothing that others can observe.
    Plain,
    /// It releases a mutex or a spin lock.
    Unlock,
    /// It locks one, and waits for that if necessary.
    Lock,
    /// It waits on a condition variable: the thread holds the mutex, or waits for it.
    Wait,
    /// It waits for the end of a thread.
    Join,
    /// It ends the thread.
    End,
    /// Everything else that synchronises.
    Other,
}

/// The next step of a thread.
#[derive(Copy, Clone, Debug)]
pub struct Upcoming {
    pub kind: StepKind,
    pub site: Site,
    /// It takes or releases a lock of any kind.
    pub relocks: bool,
}

pub fn upcoming(program: &Program, session: &Session<'_, '_>, thread: ThreadNumber) -> Option<Upcoming> {
    let (function, block, index, op) = session.upcoming(thread)?;
    let at = (function, block, index);
    let user = session.positions(thread).rev().find(|p| program.functions[p.0].origin == Origin::User);
    let site = [at, user.unwrap_or(at)];
    let mut relocks = false;
    let kind = match op {
        Op::Exit { .. } => StepKind::Exit,
        Op::Load { order: MemoryOrder::Plain, .. }
        | Op::Store { order: MemoryOrder::Plain, .. }
        | Op::Copy { .. }
        | Op::Set { .. }
        | Op::HeapFree { .. }
        | Op::ScopeBegin { .. }
        | Op::Yield
        | Op::Output { .. } => StepKind::Plain,
        Op::AtomicBegin => {
            relocks =
                matches!(session.upcoming_sync(thread), Some(SyncEffect::Lock(..) | SyncEffect::Unlock(..)));
            let ends = || program.functions[function].body.as_ref().is_some_and(ends_thread);
            match session.upcoming_sync(thread) {
                Some(SyncEffect::Unlock(_, LockKind::Mutex | LockKind::Spin)) => StepKind::Unlock,
                Some(SyncEffect::Lock(_, _, LockKind::Mutex | LockKind::Spin)) => StepKind::Lock,
                Some(SyncEffect::Wait(_)) => StepKind::Wait,
                Some(SyncEffect::Join) => StepKind::Join,
                None if ends() => StepKind::End,
                _ => StepKind::Other,
            }
        }
        _ => StepKind::Other,
    };
    Some(Upcoming { kind, site, relocks })
}

/// Whether a section that begins in this function ends with the thread.
fn ends_thread(body: &Body) -> bool {
    let has = |is_it: fn(&Op) -> bool| body.blocks.values().flat_map(|b| &b.insts).any(|i| is_it(&i.op));
    has(|op| matches!(op, Op::ThreadExit)) && !has(|op| matches!(op, Op::AtomicEnd))
}
