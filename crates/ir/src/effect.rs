//! What a model does beyond what its instructions show: attributes in its source declare it (`TP_DOES` of models/tp.h;
//! see models/README.md). Reports, the ledger and the analyses ask for these, and know no function by its name.
//!
//! The text of an effect is the same in the source of a model and in the textual form of a program.

use crate::{LockMode, Type};
use std::fmt;

/// The effect of a call on locks and threads, up to the first undefined behaviour. Arguments are counted from 0.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum SyncEffect {
    /// Afterwards the thread holds the lock that this argument points to.
    Lock(usize, LockMode, LockKind),
    /// The same, if it returns 0.
    Try(usize, LockMode, LockKind),
    Unlock(usize, LockKind),
    /// Waits for a signal on the condition variable that the first argument points to: releases the mutex that this
    /// argument points to, and takes it again before it returns.
    Wait(usize),
    /// Initialises or destroys the lock: afterwards it is free, or may not be used.
    Reset(usize, LockKind),
    /// Starts a thread and puts its id where the first argument points to.
    Create,
    /// Waits for the thread whose id is the first argument.
    Join,
    /// Detaches the thread whose id is the first argument: no thread may join it any more.
    Detach,
    /// Sets attributes with which threads may be created detached.
    DetachedAttributes,
}

#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum LockKind {
    Mutex,
    ReadWrite,
    Spin,
}

impl LockKind {
    /// The size of the part of the lock that says who holds it.
    pub fn bytes(self) -> u64 {
        match self {
            LockKind::Mutex => 20,
            LockKind::ReadWrite => 52,
            LockKind::Spin => 4,
        }
    }
}

impl SyncEffect {
    /// The lock that it uses: the argument that points to it, and its kind.
    pub fn lock(self) -> Option<(usize, LockKind)> {
        use SyncEffect::*;
        match self {
            Lock(i, _, kind) | Try(i, _, kind) | Unlock(i, kind) | Reset(i, kind) => Some((i, kind)),
            Wait(i) => Some((i, LockKind::Mutex)),
            Create | Join | Detach | DetachedAttributes => None,
        }
    }
}

/// A word that holds numbers of threads, this many bytes after what an argument points to.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct NameWord {
    pub argument: usize,
    pub offset: u64,
    pub content: Names,
}

/// How a word holds numbers of threads.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Names {
    /// 32 bits: the number plus this, or less than this.
    Number(u32),
    /// 64 bits, one for each thread.
    Bits,
}

impl Names {
    pub fn bytes(self) -> u64 {
        match self {
            Names::Number(_) => 4,
            Names::Bits => 8,
        }
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub enum ModelEffect {
    Sync(SyncEffect),
    /// Wakes threads that wait on the condition variable that this argument points to.
    Wake(usize),
    /// What this argument points to may not be used afterwards.
    Destroy(usize),
    /// Asks for memory or a thread, which can fail in reality. The model never fails.
    CanFail,
    /// Frees memory.
    Free,
    /// May move memory to enlarge it.
    Enlarge,
    /// Compares bytes, which may be those of addresses.
    CompareBytes,
    /// Reads the clock.
    Clock,
    /// Asks a thread to end at its next cancellation point.
    Cancel,
    /// Compares the ids of threads, or returns one.
    ThreadId,
    /// Returns a number that depends on the number of the calling thread.
    ThreadNumber,
    /// Stores the number of the calling thread only in words that `Names` tells of.
    OwnNumber,
    /// From its call on, this word holds numbers of threads.
    Names(NameWord),
    /// Sets the seed of random numbers.
    Seed,
    /// Draws a random number.
    Draw,
    /// Programs use it to make accesses atomic.
    Atomic,
    /// The last arguments, this many, are memory orders as `<stdatomic.h>` numbers them.
    MemoryOrders(usize),
    /// Looks for a file by its name.
    FileNames,
    /// Opens something that has no name.
    Open,
    /// Opens a descriptor that is neither a file nor a pipe.
    Special,
    /// Makes or accepts a connection, which may be one with the outside.
    Connections,
    /// Locks or redirects a stream, which may be a standard one, or pushes back a character.
    StandardStreams,
    /// Its relaxed accesses order nothing.
    Quiet,
    /// Only writes text to the world: its return value is all that a program can observe.
    Output,
    /// This argument is a format of printf, and the next one the list of its arguments. If no conversion of the format
    /// stores, it only writes text to the first argument, a stream or a file descriptor.
    Format(usize),
    /// Code of a lock: the effects of its callers cover what it writes.
    LockCode,
    /// Does what another model does that it calls, whose effects count.
    Forward,
    /// Only accesses memory for its caller. It is code of a lock if all its callers are.
    Helper,
    /// Computes with addresses, but its effect does not depend on where objects lie.
    HidesAddresses,
    /// Its instructions that could not be imported compute numbers only, no addresses.
    LacksNumbers,
    /// Leaves functions by a jump buffer, if one is registered.
    Unwind,
    /// Registers a jump buffer.
    RegisterUnwind,
    /// Returns, and returns again when something jumps to it: `setjmp`.
    SetJump,
    /// Jumps to where the buffer was set that its first argument points to, with its second argument: `longjmp`.
    Jump,
    /// Has to do with signals.
    Signals,
    /// Installs a signal handler.
    Handlers,
    /// Sends a signal.
    SendsSignals,
    /// May be called in a signal handler.
    SignalSafe,
    /// A handler may run in it: it is called before accesses that other threads can observe.
    SignalPoint,
}

impl ModelEffect {
    /// The arguments that must be pointers.
    pub fn pointers(self) -> impl Iterator<Item = usize> {
        let (one, other) = match self {
            ModelEffect::Sync(SyncEffect::Wait(i)) => (Some(0), Some(i)),
            ModelEffect::Sync(SyncEffect::Create | SyncEffect::DetachedAttributes) => (Some(0), None),
            ModelEffect::Sync(sync) => (sync.lock().map(|(i, _)| i), None),
            ModelEffect::Wake(i) | ModelEffect::Destroy(i) | ModelEffect::Format(i) => (Some(i), None),
            ModelEffect::Names(word) => (Some(word.argument), None),
            _ => (None, None),
        };
        one.into_iter().chain(other)
    }

    /// Whether a function with these parameters can have this effect.
    pub fn fits(self, params: &[Type]) -> bool {
        let enough = match self {
            ModelEffect::MemoryOrders(count) => params.len() >= count,
            ModelEffect::Format(i) => params.len() > i + 1,
            ModelEffect::Sync(SyncEffect::Join | SyncEffect::Detach) => !params.is_empty(),
            _ => true,
        };
        enough && self.pointers().all(|i| params.get(i) == Some(&Type::Ptr))
    }

    /// Reads what `Display` writes.
    pub fn from_text(text: &str) -> Option<ModelEffect> {
        let words: Vec<&str> = text.split(' ').collect();
        if let [word] = words[..] {
            return PLAIN.iter().find(|(w, _)| *w == word).map(|(_, effect)| *effect);
        }
        let number = |i: usize| words.get(i)?.parse::<u8>().ok().map(usize::from);
        let mode = |i: usize| LockMode::from_word(words.get(i)?);
        let kind = |i: usize| LockKind::from_word(words.get(i)?);
        let (effect, length) = match words[0] {
            "lock" => (ModelEffect::Sync(SyncEffect::Lock(number(1)?, mode(2)?, kind(3)?)), 4),
            "try" => (ModelEffect::Sync(SyncEffect::Try(number(1)?, mode(2)?, kind(3)?)), 4),
            "unlock" => (ModelEffect::Sync(SyncEffect::Unlock(number(1)?, kind(2)?)), 3),
            "reset" => (ModelEffect::Sync(SyncEffect::Reset(number(1)?, kind(2)?)), 3),
            "wait" => (ModelEffect::Sync(SyncEffect::Wait(number(1)?)), 2),
            "wake" => (ModelEffect::Wake(number(1)?), 2),
            "destroy" => (ModelEffect::Destroy(number(1)?), 2),
            "memory-orders" => (ModelEffect::MemoryOrders(number(1)?), 2),
            "format" => (ModelEffect::Format(number(1)?), 2),
            "names-thread" => {
                let content = Names::Number(number(3)? as u32);
                (ModelEffect::Names(NameWord { argument: number(1)?, offset: number(2)? as u64, content }), 4)
            }
            "names-threads" => {
                let word = NameWord { argument: number(1)?, offset: number(2)? as u64, content: Names::Bits };
                (ModelEffect::Names(word), 3)
            }
            _ => return None,
        };
        (words.len() == length).then_some(effect)
    }
}

/// The effects without arguments, and their words.
const PLAIN: [(&str, ModelEffect); 37] = [
    ("create", ModelEffect::Sync(SyncEffect::Create)),
    ("join", ModelEffect::Sync(SyncEffect::Join)),
    ("detach", ModelEffect::Sync(SyncEffect::Detach)),
    ("detached-attributes", ModelEffect::Sync(SyncEffect::DetachedAttributes)),
    ("can-fail", ModelEffect::CanFail),
    ("free", ModelEffect::Free),
    ("enlarge", ModelEffect::Enlarge),
    ("compare-bytes", ModelEffect::CompareBytes),
    ("clock", ModelEffect::Clock),
    ("cancel", ModelEffect::Cancel),
    ("thread-id", ModelEffect::ThreadId),
    ("thread-number", ModelEffect::ThreadNumber),
    ("own-number", ModelEffect::OwnNumber),
    ("seed", ModelEffect::Seed),
    ("draw", ModelEffect::Draw),
    ("file-names", ModelEffect::FileNames),
    ("open", ModelEffect::Open),
    ("special", ModelEffect::Special),
    ("connections", ModelEffect::Connections),
    ("standard-streams", ModelEffect::StandardStreams),
    ("atomic", ModelEffect::Atomic),
    ("quiet", ModelEffect::Quiet),
    ("output", ModelEffect::Output),
    ("lock-code", ModelEffect::LockCode),
    ("forward", ModelEffect::Forward),
    ("helper", ModelEffect::Helper),
    ("hides-addresses", ModelEffect::HidesAddresses),
    ("lacks-numbers", ModelEffect::LacksNumbers),
    ("unwind", ModelEffect::Unwind),
    ("register-unwind", ModelEffect::RegisterUnwind),
    ("set-jump", ModelEffect::SetJump),
    ("jump", ModelEffect::Jump),
    ("signals", ModelEffect::Signals),
    ("handlers", ModelEffect::Handlers),
    ("sends-signals", ModelEffect::SendsSignals),
    ("signal-safe", ModelEffect::SignalSafe),
    ("signal-point", ModelEffect::SignalPoint),
];

impl fmt::Display for ModelEffect {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use SyncEffect::*;
        match *self {
            ModelEffect::Sync(Lock(i, mode, kind)) => write!(f, "lock {i} {} {}", mode.word(), kind.word()),
            ModelEffect::Sync(Try(i, mode, kind)) => write!(f, "try {i} {} {}", mode.word(), kind.word()),
            ModelEffect::Sync(Unlock(i, kind)) => write!(f, "unlock {i} {}", kind.word()),
            ModelEffect::Sync(Reset(i, kind)) => write!(f, "reset {i} {}", kind.word()),
            ModelEffect::Sync(Wait(i)) => write!(f, "wait {i}"),
            ModelEffect::Wake(i) => write!(f, "wake {i}"),
            ModelEffect::Destroy(i) => write!(f, "destroy {i}"),
            ModelEffect::MemoryOrders(count) => write!(f, "memory-orders {count}"),
            ModelEffect::Format(i) => write!(f, "format {i}"),
            ModelEffect::Names(NameWord { argument, offset, content: Names::Number(plus) }) => {
                write!(f, "names-thread {argument} {offset} {plus}")
            }
            ModelEffect::Names(NameWord { argument, offset, content: Names::Bits }) => {
                write!(f, "names-threads {argument} {offset}")
            }
            plain => {
                let row = PLAIN.iter().find(|(_, effect)| *effect == plain);
                f.write_str(row.map_or("?", |(word, _)| word))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn texts_are_read_as_they_are_written() {
        let all =
            ["lock 0 exclusive mutex", "try 1 shared rwlock", "unlock 0 spinlock", "reset 2 mutex", "wait 1"];
        let more = [
            "wake 0",
            "destroy 0",
            "memory-orders 2",
            "format 1",
            "names-thread 0 8 1",
            "names-threads 1 16",
        ];
        for text in all.into_iter().chain(more).chain(PLAIN.map(|(word, _)| word)) {
            assert_eq!(ModelEffect::from_text(text).map(|e| e.to_string()).as_deref(), Some(text));
        }
        for text in
            ["", "lock", "lock 0", "lock 0 exclusive", "wait x", "wait 1 2", "create 0", "no such", " output"]
        {
            assert_eq!(ModelEffect::from_text(text), None, "{text}");
        }
    }

    #[test]
    fn arguments_must_be_there() {
        let fits = |text: &str, params: &[Type]| ModelEffect::from_text(text).is_some_and(|e| e.fits(params));
        assert!(fits("lock 0 exclusive mutex", &[Type::Ptr]));
        assert!(!fits("lock 1 exclusive mutex", &[Type::Ptr]));
        assert!(!fits("wait 1", &[Type::Ptr, Type::Int(crate::Width::BOOL)]));
        assert!(!fits("format 0", &[Type::Ptr]));
        assert!(!fits("memory-orders 1", &[]));
        assert!(fits("output", &[]));
    }
}
