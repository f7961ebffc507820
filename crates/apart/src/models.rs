//! What the models of locks and threads do, as far as it cannot be seen from their instructions: that a mutex is held is a
//! fact about values, and nothing here follows values.
//!
//! A model is known by its name and by the file that it stands in, so a function of the user with such a name is only
//! code. What is said here holds up to the first undefined behaviour; `lock` of POSIX always ends with the lock held.

use tp_ir::{Callee, EntityRef, FuncId, LockMode, Op, Origin, Program};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Effect {
    /// After it the lock that this argument points to is held.
    Lock(usize, LockMode, Kind),
    /// The same, if it returns 0.
    Try(usize, LockMode, Kind),
    Unlock(usize, Kind),
    /// Gives the mutex back and takes it again before it returns.
    Wait(usize),
    /// Makes the lock a free one, or one that may not be used.
    Reset(usize, Kind),
    /// Starts a thread and puts its id where the first argument points to.
    Create,
    /// Waits for the thread that the first argument is the id of.
    Join,
    /// Makes it impossible to wait for the thread that the first argument is the id of.
    Detach,
    /// Makes attributes by which threads may be detached.
    DetachedAttributes,
}

impl Effect {
    /// The lock that it uses: which argument points to it, and what it is taken to be.
    pub fn lock(self) -> Option<(usize, Kind)> {
        match self {
            Effect::Lock(i, _, kind) | Effect::Try(i, _, kind) => Some((i, kind)),
            Effect::Unlock(i, kind) | Effect::Reset(i, kind) => Some((i, kind)),
            Effect::Wait(i) => Some((i, Kind::Mutex)),
            Effect::Create | Effect::Join | Effect::Detach | Effect::DetachedAttributes => None,
        }
    }
}

/// What a lock is.
#[derive(Copy, Clone, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Kind {
    Mutex,
    ReadWrite,
    Spin,
}

impl Kind {
    /// How many bytes say who holds it.
    pub fn bytes(self) -> u64 {
        match self {
            Kind::Mutex => 20,
            Kind::ReadWrite => 52,
            Kind::Spin => 4,
        }
    }
}

const EFFECTS: &[(&str, &str, Effect)] = {
    use Effect::*;
    use Kind::{Mutex, ReadWrite, Spin};
    use LockMode::{Exclusive, Shared};
    &[
        ("models/mutex.c", "pthread_mutex_lock", Lock(0, Exclusive, Mutex)),
        ("models/mutex.c", "pthread_mutex_trylock", Try(0, Exclusive, Mutex)),
        ("models/mutex.c", "pthread_mutex_timedlock", Try(0, Exclusive, Mutex)),
        ("models/mutex.c", "pthread_mutex_clocklock", Try(0, Exclusive, Mutex)),
        ("models/mutex.c", "pthread_mutex_unlock", Unlock(0, Mutex)),
        ("models/mutex.c", "__tpm_mutex_release", Unlock(0, Mutex)),
        ("models/mutex.c", "pthread_mutex_init", Reset(0, Mutex)),
        ("models/mutex.c", "__tpm_mutex_make", Reset(0, Mutex)),
        ("models/mutex.c", "pthread_mutex_destroy", Reset(0, Mutex)),
        ("models/c11threads.c", "mtx_lock", Lock(0, Exclusive, Mutex)),
        ("models/c11threads.c", "mtx_trylock", Try(0, Exclusive, Mutex)),
        ("models/c11threads.c", "mtx_timedlock", Try(0, Exclusive, Mutex)),
        ("models/rwlock.c", "pthread_rwlock_rdlock", Lock(0, Shared, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_tryrdlock", Try(0, Shared, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_timedrdlock", Try(0, Shared, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_wrlock", Lock(0, Exclusive, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_trywrlock", Try(0, Exclusive, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_timedwrlock", Try(0, Exclusive, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_unlock", Unlock(0, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_init", Reset(0, ReadWrite)),
        ("models/rwlock.c", "pthread_rwlock_destroy", Reset(0, ReadWrite)),
        ("models/spin.c", "pthread_spin_lock", Lock(0, Exclusive, Spin)),
        ("models/spin.c", "pthread_spin_trylock", Try(0, Exclusive, Spin)),
        ("models/spin.c", "pthread_spin_unlock", Unlock(0, Spin)),
        ("models/spin.c", "pthread_spin_init", Reset(0, Spin)),
        ("models/spin.c", "pthread_spin_destroy", Reset(0, Spin)),
        ("models/condition.c", "pthread_cond_wait", Wait(1)),
        ("models/condition.c", "pthread_cond_timedwait", Wait(1)),
        ("models/condition.c", "pthread_cond_clockwait", Wait(1)),
        ("models/thread.c", "pthread_create", Create),
        ("models/thread.c", "pthread_join", Join),
        ("models/c11threads.c", "thrd_create", Create),
        ("models/c11threads.c", "thrd_join", Join),
        ("models/thread.c", "pthread_detach", Detach),
        ("models/attributes.c", "pthread_attr_setdetachstate", DetachedAttributes),
    ]
};

/// What each function does beyond its instructions.
pub fn effects(program: &Program) -> Vec<Option<Effect>> {
    program.functions.keys().map(|f| effect(program, f)).collect()
}

fn effect(program: &Program, function: FuncId) -> Option<Effect> {
    let file = model_file(program, function)?;
    let name = &*program.functions[function].name;
    EFFECTS.iter().find(|(f, n, _)| *f == file && *n == name).map(|(_, _, effect)| *effect)
}

/// The files of which all that they write is known by the effects of their functions.
const LOCKS: [&str; 3] = ["models/mutex.c", "models/rwlock.c", "models/spin.c"];

/// What each of them has a copy of.
const SHARED: &str = "models/internal.h";

/// By function: whether what it writes is part of what taking, giving back or making a lock does.
pub fn of_locks(program: &Program) -> Vec<bool> {
    let is_of_locks = |f| model_file(program, f).is_some_and(|file| LOCKS.contains(&file));
    let mut of_locks: Vec<bool> = program.functions.keys().map(is_of_locks).collect();
    let (mut called_by_locks, mut called_by_others) = (of_locks.clone(), vec![false; of_locks.len()]);
    for (caller, function) in &program.functions {
        let insts = function.body.iter().flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
        for inst in insts {
            let callers = if of_locks[caller.index()] { &mut called_by_locks } else { &mut called_by_others };
            if let Op::Call(call) = &inst.op
                && let Callee::Direct(callee) = call.callee
            {
                callers[callee.index()] = true;
            }
        }
    }
    for f in program.functions.keys().filter(|f| model_file(program, *f) == Some(SHARED)) {
        of_locks[f.index()] = called_by_locks[f.index()] && !called_by_others[f.index()];
    }
    of_locks
}

/// Whether what a function does is the same wherever objects lie, though it computes with their addresses: threads are found
/// by their ids.
pub fn hides_addresses(program: &Program, function: FuncId) -> bool {
    model_file(program, function) == Some("models/thread.c")
}

/// The file of a model.
fn model_file(program: &Program, function: FuncId) -> Option<&str> {
    let row = &program.functions[function];
    let file = program.places.get(row.place).and_then(|place| program.files.get(place.file));
    file.map(|file| &**file).filter(|_| row.origin == Origin::Model)
}

const FORMAT: &str = "models/format.c";

/// What could not be imported of this function are numbers: `printf` knows no `long double`.
pub fn lacks_only_numbers(program: &Program, function: FuncId) -> bool {
    model_file(program, function) == Some(FORMAT)
}

/// Whether a function that is defined nowhere is called by a model only after something that this program does not do: it
/// does not use the C library's macros for cleanup handlers.
pub fn is_never_called(program: &Program, caller: FuncId, function: FuncId) -> bool {
    model_file(program, caller) == Some("models/cleanup.c")
        && &*program.functions[function].name == "__pthread_unwind_next"
        && program.function_named("__pthread_register_cancel").is_none()
}

/// The argument with the format of a function that only writes text if no conversion of the format stores something.
pub fn format_of(program: &Program, function: FuncId) -> Option<usize> {
    let is_print = matches!(&*program.functions[function].name, "__tpm_print" | "__tpm_print_on");
    (is_print && model_file(program, function) == Some(FORMAT)).then_some(1)
}

/// Whether a format has no conversion that stores, nor numbered arguments.
pub fn only_writes(format: &[u8]) -> bool {
    let text = format.split(|b| *b == 0).next().unwrap_or_default();
    !text.contains(&b'$') && !stores(text)
}

/// Whether there is a `%…n`.
fn stores(text: &[u8]) -> bool {
    let mut rest = text;
    while let Some(at) = rest.iter().position(|b| *b == b'%') {
        let after = &rest[at + 1..];
        let modifiers = after.iter().take_while(|b| b"-+ #'*.0123456789hlqjztZL".contains(b)).count();
        match after.get(modifiers) {
            None => return false,
            Some(b'n') => return true,
            Some(_) => rest = &after[modifiers + 1..],
        }
    }
    false
}

#[cfg(test)]
mod tests {
    use super::{Kind, effects, of_locks, only_writes};
    use std::path::Path;
    use tp_frontend::{Options, load};
    use tp_ir::{Callee, DataModel, EntityRef, Op};

    #[test]
    fn formats_that_store_are_found() {
        for text in ["", "no\n", "%d %s %5.2f%%\n", "100%%n", "%"] {
            assert!(only_writes(text.as_bytes()), "{text}");
        }
        for text in ["%n", "%d%n", "%-5hhn", "%1$d", "%%%n"] {
            assert!(!only_writes(text.as_bytes()), "{text}");
        }
        assert!(only_writes(b"%d\0%n"), "after the end");
    }

    /// The compiler has no objection to a program that ends with this, after the source of a model.
    fn holds(model: &str, claim: &str, data_model: DataModel) -> bool {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("main.c");
        let source = format!(
            "#include \"{}\"\n{claim}\nint main(void) {{ return 0; }}\n",
            models.join(model).display()
        );
        std::fs::write(&path, source).expect("the temporary folder can be written");
        let options = Options { inputs: vec![path], data_model: Some(data_model), ..Options::default() };
        load(&options).is_ok()
    }

    #[test]
    fn locks_are_as_large_as_their_models_say() {
        let locks = [
            ("mutex.h", "sizeof(struct __tpm_mutex)", Kind::Mutex),
            ("rwlock.c", "sizeof(struct rwlock)", Kind::ReadWrite),
            ("spin.c", "_Generic(pthread_spin_lock, int (*)(unsigned *): sizeof(unsigned))", Kind::Spin),
        ];
        for (model, size, kind) in locks {
            let bytes = kind.bytes();
            let claim = |most: u64| format!("_Static_assert({size} <= {most}, \"the lock is larger\");");
            assert!(holds(model, &claim(bytes), DataModel::Lp64), "{model}: it has more than {bytes} bytes");
            assert!(
                !holds(model, &claim(bytes - 1), DataModel::Lp64),
                "{model}: it has less than {bytes} bytes"
            );
            assert!(
                holds(model, &claim(bytes), DataModel::Ilp32),
                "{model}: it has more than {bytes} bytes there"
            );
        }
    }

    const ALL_LOCKS: &str = "
#include <pthread.h>
#include <threads.h>
int main(void) {
    pthread_mutex_t m; pthread_cond_t c; pthread_rwlock_t l; pthread_spinlock_t s; mtx_t t; cnd_t d; struct timespec u;
    pthread_mutex_init(&m, 0); pthread_mutex_lock(&m); pthread_mutex_trylock(&m); pthread_mutex_timedlock(&m, &u);
    pthread_mutex_unlock(&m); pthread_mutex_destroy(&m);
    pthread_cond_init(&c, 0); pthread_cond_wait(&c, &m); pthread_cond_timedwait(&c, &m, &u); pthread_cond_destroy(&c);
    pthread_rwlock_init(&l, 0); pthread_rwlock_rdlock(&l); pthread_rwlock_tryrdlock(&l); pthread_rwlock_timedrdlock(&l, &u);
    pthread_rwlock_wrlock(&l); pthread_rwlock_trywrlock(&l); pthread_rwlock_timedwrlock(&l, &u);
    pthread_rwlock_unlock(&l); pthread_rwlock_destroy(&l);
    pthread_spin_init(&s, 0); pthread_spin_lock(&s); pthread_spin_trylock(&s); pthread_spin_unlock(&s);
    pthread_spin_destroy(&s);
    mtx_init(&t, 0); mtx_lock(&t); mtx_trylock(&t); mtx_timedlock(&t, &u); mtx_unlock(&t); mtx_destroy(&t);
    cnd_init(&d); cnd_wait(&d, &t); cnd_timedwait(&d, &t, &u); cnd_destroy(&d);
    return 0;
}";

    /// What the code of locks writes is not looked at, so whoever calls it from elsewhere must know what it does.
    #[test]
    fn nothing_is_done_to_locks_without_an_effect() {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("main.c");
        std::fs::write(&path, ALL_LOCKS).expect("the temporary folder can be written");
        let program =
            load(&Options { inputs: vec![path], ..Options::default() }).expect("it compiles").program;
        let (effects, of_locks) = (effects(&program), of_locks(&program));
        let mut calls = 0;
        for (caller, function) in &program.functions {
            let insts = function.body.iter().flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts);
            let outside = !of_locks[caller.index()] && effects[caller.index()].is_none();
            for inst in insts.filter(|_| outside) {
                if let Op::Call(call) = &inst.op
                    && let Callee::Direct(callee) = call.callee
                    && of_locks[callee.index()]
                {
                    let name = &program.functions[callee].name;
                    assert!(effects[callee.index()].is_some(), "{} calls {name}", function.name);
                    calls += 1;
                }
            }
        }
        assert!(calls > 20, "only {calls} calls");
    }
}
