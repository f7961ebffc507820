//! What the models of locks and threads do beyond what their instructions show: that a mutex is held is a fact about
//! values, and these analyses do not track values.
//!
//! Models declare it by attributes. Only the models that come with Threadproof are trusted: user functions, and models
//! that the user adds, are plain code. The declarations hold up to the first undefined behaviour; `lock` of POSIX
//! always returns with the lock held.

use tp_ir::{Callee, EntityRef, FuncId, Function, ModelEffect, Op, Program, SyncEffect};

/// What each function does beyond its instructions.
pub fn effects(program: &Program) -> Vec<Option<SyncEffect>> {
    program.functions.values().map(effect).collect()
}

fn effect(function: &Function) -> Option<SyncEffect> {
    function.trusted_effects().iter().find_map(|effect| match effect {
        ModelEffect::Sync(sync) => Some(*sync),
        _ => None,
    })
}

fn says(function: &Function, effect: ModelEffect) -> bool {
    function.trusted_effects().contains(&effect)
}

/// By function: whether it is part of the implementation of locks, so that lock effects cover its writes.
pub fn of_locks(program: &Program) -> Vec<bool> {
    let is_of_locks = |f| says(f, ModelEffect::LockCode);
    let mut of_locks: Vec<bool> = program.functions.values().map(is_of_locks).collect();
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
    for (f, _) in program.functions.iter().filter(|(_, f)| says(f, ModelEffect::Helper)) {
        of_locks[f.index()] = called_by_locks[f.index()] && !called_by_others[f.index()];
    }
    of_locks
}

/// Whether a function computes with addresses, but behaves the same for every memory layout: threads are looked up by
/// their ids.
pub fn hides_addresses(program: &Program, function: FuncId) -> bool {
    says(&program.functions[function], ModelEffect::HidesAddresses)
}

/// Whether the parts of a function that could not be imported only compute numbers: `printf` has no `long double`.
pub fn lacks_only_numbers(program: &Program, function: FuncId) -> bool {
    says(&program.functions[function], ModelEffect::LacksNumbers)
}

/// Whether a model's call of an undefined function is unreachable: it only unwinds for the C library's macros for
/// cleanup handlers, which this program does not use.
pub fn is_never_called(program: &Program, caller: FuncId) -> bool {
    let unwinds = says(&program.functions[caller], ModelEffect::Unwind);
    unwinds && !program.has_effect(ModelEffect::RegisterUnwind)
}

/// The index of the format argument, for a function that only writes text unless a conversion of the format stores.
pub fn format_of(program: &Program, function: FuncId) -> Option<usize> {
    program.functions[function].trusted_effects().iter().find_map(|effect| match effect {
        ModelEffect::Format(i) => Some(*i),
        _ => None,
    })
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
    use super::{effects, of_locks, only_writes};
    use std::path::Path;
    use tp_frontend::{FrontendOptions, load};
    use tp_ir::LockKind;
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

    /// Whether the source of a model compiles with this declaration after it.
    fn holds(model: &str, claim: &str, data_model: DataModel) -> bool {
        let models = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../models");
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("main.c");
        let source = format!(
            "#include \"{}\"\n{claim}\nint main(void) {{ return 0; }}\n",
            models.join(model).display()
        );
        std::fs::write(&path, source).expect("the temporary folder can be written");
        let options = FrontendOptions {
            inputs: vec![path],
            data_model: Some(data_model),
            ..FrontendOptions::default()
        };
        load(&options).is_ok()
    }

    #[test]
    fn locks_are_as_large_as_their_models_say() {
        let locks = [
            ("mutex.h", "sizeof(struct __tpm_mutex)", LockKind::Mutex),
            ("rwlock.c", "sizeof(struct rwlock)", LockKind::ReadWrite),
            ("spin.c", "_Generic(pthread_spin_lock, int (*)(unsigned *): sizeof(unsigned))", LockKind::Spin),
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

    /// Writes of lock code are ignored, so every function of it that other code calls must declare its effect.
    #[test]
    fn nothing_is_done_to_locks_without_an_effect() {
        let folder = tempfile::tempdir().expect("there is a place for temporary files");
        let path = folder.path().join("main.c");
        std::fs::write(&path, ALL_LOCKS).expect("the temporary folder can be written");
        let program = load(&FrontendOptions { inputs: vec![path], ..FrontendOptions::default() })
            .expect("it compiles")
            .program;
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
