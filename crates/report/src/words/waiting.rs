//! Threads that wait for each other, for a wake-up that nobody gives, or in loops.

use super::{Naming, Wording};
use tp_ir::{LockMode, WaitKind};
use tp_machine::{BlockedOn, Deadlock, DeadlockForm, HeldLock, MissedSignal, Moment, Stuck, WaitingThread};

/// A signal came too early for a thread that waits in a loop: the awaited condition changes without the mutex, or is
/// not what the loop tests.
const HELP_FOR_LOOP: &str =
    "change what the loop tests before the signal, and under the mutex that it is tested under";

/// The same for one that waits without a loop.
const HELP_FOR_WAIT: &str =
    "wait in a loop that tests a condition, and change that condition under the same mutex";

/// A thread, and what it waits for.
#[derive(Copy, Clone)]
struct Waiter<'f> {
    at: &'f Moment,
    wait: Option<&'f BlockedOn>,
}

impl<'f> Waiter<'f> {
    fn new(thread: &'f WaitingThread) -> Waiter<'f> {
        Waiter { at: &thread.at, wait: thread.wait.as_ref() }
    }

    /// The other thread, which may be itself, owns what it waits for, or holds it for reading.
    fn waits_for(self, other: Waiter<'_>) -> bool {
        self.wait.is_some_and(|wait| {
            wait.owner.as_ref().is_some_and(|owner| owner.thread == other.at.thread)
                || reads(other.at, wait.address)
        })
    }
}

fn is_lock(kind: WaitKind) -> bool {
    matches!(kind, WaitKind::Mutex | WaitKind::ReadLock | WaitKind::WriteLock | WaitKind::SpinLock)
}

/// A thread holds a lock for reading.
fn reads(at: &Moment, address: u64) -> bool {
    at.locks.iter().any(|held| held.mode == LockMode::Shared && held.address == address)
}

/// All that wait, the thread that the finding is about first.
fn waiters<'f>(at: &'f Moment, deadlock: &'f Deadlock) -> Vec<Waiter<'f>> {
    let first = Waiter { at, wait: deadlock.wait.as_ref() };
    [first].into_iter().chain(deadlock.others.iter().map(Waiter::new)).collect()
}

const NOT_WOKEN: &str =
    "the other threads go on, but no code that they can still reach writes to what is waited for";

/// A single thread waits, for a lock that it holds.
pub(super) fn waits_for_own_lock(at: &Moment, deadlock: &Deadlock) -> bool {
    match waiters(at, deadlock)[..] {
        [one] => one.wait.is_some_and(|wait| is_lock(wait.kind)) && one.waits_for(one),
        _ => false,
    }
}

impl<'f> Wording<'f> {
    pub(super) fn deadlock(&mut self, names: Naming<'_>, at: &'f Moment, deadlock: &'f Deadlock) {
        let threads = waiters(at, deadlock);
        let name = &at.thread_name;
        self.message = match (deadlock.form, threads.len()) {
            (DeadlockForm::Cycle { .. }, 1) => format!("thread `{name}` waits for itself"),
            (DeadlockForm::Cycle { others_go_on: false }, n) => format!("{n} threads wait for each other"),
            (DeadlockForm::Cycle { others_go_on: true }, n) => {
                format!("{n} threads wait for each other, while others go on")
            }
            (DeadlockForm::AllWait, 1) => {
                format!("thread `{name}` waits, and no other thread is left to wake it")
            }
            (DeadlockForm::AllWait, 2) => "both threads wait, and none is left to wake them".to_owned(),
            (DeadlockForm::AllWait, n) => format!("all {n} threads wait, and none is left to wake them"),
            (DeadlockForm::OthersGoOn, 1) => {
                format!("thread `{name}` waits, and none of the threads that go on can wake it")
            }
            (DeadlockForm::OthersGoOn, n) => {
                format!("{n} threads wait, and none of the threads that go on can wake them")
            }
        };
        for thread in &threads {
            self.label(waiting_text(names, *thread), thread.at);
            self.note_locks(names, thread.at);
        }
        self.help.extend(order_of_locks(names, &threads));
        self.help.extend(threads.iter().filter_map(|t| lock_in_the_way(names, *t)));
        for thread in &threads {
            self.missed_signal(names, *thread);
        }
        if deadlock.form == DeadlockForm::OthersGoOn {
            self.notes.push(NOT_WOKEN.to_owned());
        }
        self.help.dedup();
    }

    /// Why a thread that waits for a signal gets none, and what to do about it.
    fn missed_signal(&mut self, names: Naming<'_>, Waiter { at, wait }: Waiter<'_>) {
        let Some(BlockedOn { object, missed: Some(missed), .. }) = wait else { return };
        let (name, waiter) = (names.name(object), &at.thread_name);
        let signal = match missed {
            MissedSignal::Never => {
                return self.notes.push(format!("nobody has signalled `{name}` in this run"));
            }
            MissedSignal::TooEarly { signal, .. } | MissedSignal::WokeOther(signal) => {
                format!("the signal on `{name}` by thread `{}`{}", signal.thread_name, names.at(signal))
            }
        };
        if let MissedSignal::TooEarly { waits_in_loop, .. } = missed {
            self.notes.push(format!("{signal} came before thread `{waiter}` waited, and woke nobody"));
            let help = if *waits_in_loop { HELP_FOR_LOOP } else { HELP_FOR_WAIT };
            self.help.push(help.to_owned());
        } else {
            self.notes.push(format!("{signal} woke another thread than `{waiter}`"));
            self.help
                .push(format!("wake all that wait on `{name}` with a broadcast, or signal once for each"));
        }
    }

    pub(super) fn stuck(&mut self, names: Naming<'_>, at: &'f Moment, stuck: &'f Stuck) {
        self.message = match stuck.others.len() {
            0 => format!("thread `{}` waits in a loop that no thread will end", at.thread_name),
            n => format!("{} threads wait in loops that no thread will end", n + 1),
        };
        for spinning in [at].into_iter().chain(&stuck.others) {
            self.label(format!("thread `{}` spins here", spinning.thread_name), spinning);
        }
        for waiting in &stuck.waiting {
            self.label(waiting_text(names, Waiter::new(waiting)), &waiting.at);
        }
        self.help.push(
            "let another thread change what the loop reads, or leave the loop when none will".to_owned(),
        );
    }
}

fn waiting_text(names: Naming<'_>, Waiter { at, wait }: Waiter<'_>) -> String {
    let thread = &at.thread_name;
    let Some(wait) = wait else { return format!("thread `{thread}` waits here") };
    let (what, held) = (names.name(&wait.object), holder_text(at, wait));
    match wait.kind {
        WaitKind::Mutex => format!("thread `{thread}` waits for mutex `{what}`{held}"),
        WaitKind::ReadLock => format!("thread `{thread}` waits to read-lock `{what}`{held}"),
        WaitKind::WriteLock => format!("thread `{thread}` waits to write-lock `{what}`{held}"),
        WaitKind::SpinLock => format!("thread `{thread}` spins on `{what}`{held}"),
        WaitKind::Condition => format!("thread `{thread}` waits for a signal on `{what}`"),
        WaitKind::Join => {
            let owner = wait.owner.as_ref();
            let other = owner.map_or("a thread".to_owned(), |o| format!("thread `{}`", o.thread_name));
            format!("thread `{thread}` waits for {other} to end")
        }
        WaitKind::Barrier => format!("thread `{thread}` waits for others at barrier `{what}`"),
        WaitKind::Semaphore => format!("thread `{thread}` waits for semaphore `{what}`"),
        WaitKind::Stream => format!("thread `{thread}` waits for stream `{what}`{held}"),
        WaitKind::Pipe => format!("thread `{thread}` waits for a pipe"),
        WaitKind::Signal => format!("thread `{thread}` waits for a signal"),
        WaitKind::Descriptor => format!("thread `{thread}` waits for a descriptor"),
        WaitKind::Socket => format!("thread `{thread}` waits for a socket"),
        WaitKind::Once => format!("thread `{thread}` waits for the initialisation `{what}`{held}"),
    }
}

/// Who holds what a thread waits for.
fn holder_text(at: &Moment, wait: &BlockedOn) -> String {
    match &wait.owner {
        None => readers_text(at, wait),
        Some(owner) if owner.thread == at.thread => ", which it holds itself".to_owned(),
        Some(owner) if owner.has_ended => {
            format!(", held by thread `{}`, which has ended", owner.thread_name)
        }
        Some(owner) => format!(", held by thread `{}`", owner.thread_name),
    }
}

fn readers_text(at: &Moment, wait: &BlockedOn) -> String {
    if reads(at, wait.address) {
        return ", which it holds for reading itself".to_owned();
    }
    let names: Vec<String> = wait.readers.iter().map(|name| format!("`{name}`")).collect();
    match &names[..] {
        [] => String::new(),
        [one] => format!(", held for reading by thread {one}"),
        many => format!(", held for reading by threads {}", many.join(" and ")),
    }
}

/// Each thread waits for a lock of the next: taking these locks in one order would prevent it.
fn order_of_locks(names: Naming<'_>, circle: &[Waiter<'_>]) -> Option<String> {
    let mut wanted = Vec::new();
    for (i, thread) in circle.iter().enumerate() {
        let wait = thread.wait.filter(|wait| is_lock(wait.kind))?;
        let next = circle[(i + 1) % circle.len()];
        if circle.len() < 2 || !thread.waits_for(next) {
            return None;
        }
        wanted.push(format!("`{}`", names.name(&wait.object)));
    }
    wanted.sort();
    wanted.dedup();
    (wanted.len() > 1).then(|| {
        format!("take these locks in the same order everywhere, for example {}", wanted.join(" before "))
    })
}

/// A lock that will not be released, because of how it was taken or what its owner does.
fn lock_in_the_way(names: Naming<'_>, Waiter { at, wait }: Waiter<'_>) -> Option<String> {
    let wait = wait?;
    let (kind, name) = (wait.kind, names.name(&wait.object));
    let is_own = |held: &&HeldLock| held.address == wait.address && is_lock(kind);
    if let Some(own) = at.locks.iter().find(is_own) {
        return Some(match own.mode {
            LockMode::Shared => {
                format!("unlock `{name}` before it is taken for writing, or take it for writing at first")
            }
            LockMode::Exclusive if kind == WaitKind::Mutex => {
                format!(
                    "do not lock `{name}` where it is held already, or make it a PTHREAD_MUTEX_RECURSIVE one"
                )
            }
            LockMode::Exclusive => format!("do not lock `{name}` where it is held already"),
        });
    }
    let owner = wait.owner.as_ref()?;
    match owner.waits {
        _ if owner.has_ended => {
            Some(format!("unlock `{name}` on every way out of thread `{}`", owner.thread_name))
        }
        Some(WaitKind::Join) if is_lock(kind) => {
            Some(format!("unlock `{name}` before joining threads that take it"))
        }
        Some(WaitKind::Condition) if is_lock(kind) => Some(format!(
            "unlock `{name}` before waiting for a signal: the wait gives back only its own mutex"
        )),
        _ => None,
    }
}
