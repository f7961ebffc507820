//! Statements that may be undefined or wait for ever: overflows, divisions, indices, null pointers, freed memory, locks
//! in the wrong order. Each has variants that cannot fail, or fail only when other threads interfere.

use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

/// The largest int.
const MAX: &str = "2147483647";

impl Maker {
    pub(super) fn overflow(&mut self) -> Vec<SourceNode> {
        let (x, r, s) = (self.shared(), self.local(), self.local());
        let most = 1 + self.random.below(2);
        vec![line(match self.random.below(9) {
            0 => format!("{r} = {x} + {MAX};"),
            1 => format!("{r} += 1073741824;"),
            2 => format!("{r} = -{MAX} - {x};"),
            3 => format!("if ({x} < {most}) {r} = {x} + ({MAX} - {most});"),
            4 => format!("if ({r} < 1) {s} = {r} + {MAX};"),
            5 => format!("{r} = {MAX} - ({x} & 3);"),
            6 => format!("{s} = (int)((unsigned){r} + {MAX}u) >> 1;"),
            7 => format!("{r} = ({s} & 3) * 1073741823;"),
            _ => format!("{r} = -({x} - {MAX} - 1);"),
        })]
    }

    /// Divisions and shifts.
    pub(super) fn division(&mut self) -> Vec<SourceNode> {
        let (x, r, s) = (self.shared(), self.local(), self.local());
        vec![line(match self.random.below(9) {
            0 => format!("{r} = 7 / {x};"),
            1 => format!("{r} = {s} % {x};"),
            2 => format!("if ({x}) {r} = 7 / {x};"),
            3 => format!("if ({s}) {r} = 7 % {s};"),
            4 => format!("{r} = 1 << {s};"),
            5 => format!("{r} = {x} >> ({s} & 31);"),
            6 => format!("if ({x} >= 0 && {x} < 32) {r} = 1u << {x};"),
            7 => format!("{r} = 5 / ({x} - 2);"),
            _ => format!("{r} = 1 << ({x} - 1);"),
        })]
    }

    pub(super) fn bounds(&mut self) -> Vec<SourceNode> {
        let (x, r, v) = (self.shared(), self.local(), self.value());
        vec![line(match self.random.below(8) {
            0 => format!("a[{x}] = {v};"),
            1 => format!("{r} = a[{x}];"),
            2 => format!("if ({x} >= 0 && {x} < 4) a[{x}] = {v};"),
            3 => format!("if ({r} >= 0 && {r} < 4) a[{r}] = {v};"),
            4 => format!("{r} = a[({x} & 3) + 1];"),
            5 => format!("a[{x} & 3] = {v};"),
            6 => format!("{r} = a[({r} & 1) + 2];"),
            _ => format!("{r} = (a + 1)[({x} & 1) - 1];"),
        })]
    }

    pub(super) fn null(&mut self) -> Vec<SourceNode> {
        let (p, r, v, x) = (self.name("p"), self.local(), self.value(), self.shared_int());
        match self.random.below(7) {
            0 | 1 => vec![line(format!("np = &{x};"))],
            2 => vec![line("np = 0;")],
            3 => vec![line(format!("*np = {v};"))],
            4 => vec![line(format!("if (np) {r} = *np;"))],
            5 => vec![line(format!("if (np) *np = {v};"))],
            _ => vec![line(format!("int *{p} = np;")), line(format!("if ({p}) {r} = *{p};"))],
        }
    }

    /// Memory that is freed too early, twice, never, or by the thread that took it out of the shared pointer.
    pub(super) fn freed(&mut self) -> Vec<SourceNode> {
        let (p, r, v) = (self.name("p"), self.local(), self.value());
        match self.random.below(11) {
            0 => vec![line("free(fr);")],
            1 => vec![line("if (fr) { free(fr); fr = 0; }")],
            2 => vec![line(format!("struct node *{p} = fr;")), line("fr = 0;"), line(format!("free({p});"))],
            3 => vec![line(format!("if (fr) {r} = fr->v;"))],
            4 => vec![line(format!("if (fr) fr->v = {v};"))],
            5 => vec![line("fr = 0;")],
            6 => vec![
                line(format!("struct node *{p} = malloc(sizeof *{p});")),
                line(format!("{p}->v = {v}; {p}->next = 0;")),
                line(format!("if (!fr) fr = {p}; else free({p});")),
            ],
            7 if self.chance(4) => vec![line(*self.pick(&["free(&i0);", "free(&fr->next);"]))],
            7 | 8 => vec![
                line(format!("struct node *{p} = atomic_exchange(&fx, 0);")),
                line(format!("if ({p}) {{ {r} = {p}->v; free({p}); }}")),
            ],
            9 => vec![line(format!("struct node *{p} = fx;")), line(format!("if ({p}) {p}->v = {v};"))],
            _ => vec![
                line(format!("struct node *{p} = fx;")),
                line(format!("if (atomic_compare_exchange_strong(&fx, &{p}, 0)) free({p});")),
            ],
        }
    }

    /// Two locks, in either order.
    pub(super) fn lock_order(&mut self, at: Context) -> Vec<SourceNode> {
        let body = block("{", self.under_guard(at, |m, _| vec![m.plain()]));
        let (one, two) = if self.chance(2) { ("da", "db") } else { ("db", "da") };
        let lock = |m: &str| line(format!("pthread_mutex_lock(&{m});"));
        let unlock = |m: &str| line(format!("pthread_mutex_unlock(&{m});"));
        let nodes = match self.random.below(12) {
            0..=5 => vec![lock(one), lock(two), body, unlock(two), unlock(one)],
            6 => vec![lock(one), lock(two), unlock(one), body, unlock(two)],
            7 | 8 => vec![lock(one), body, unlock(one)],
            9 => vec![
                lock(one),
                block(format!("if (pthread_mutex_trylock(&{two}) == 0) {{"), vec![body, unlock(two)]),
                unlock(one),
            ],
            10 => vec![lock(one), body],
            _ => vec![body, unlock(one)],
        };
        vec![block("{", nodes)]
    }

    /// A read-write lock and a mutex, in either order.
    pub(super) fn read_write(&mut self, at: Context) -> Vec<SourceNode> {
        let body = block("{", self.under_guard(at, |m, _| vec![m.plain()]));
        let take = |how: &str| line(format!("pthread_rwlock_{how}lock(&rw);"));
        let give = || line("pthread_rwlock_unlock(&rw);");
        let (lock, unlock) = (line("pthread_mutex_lock(&rm);"), line("pthread_mutex_unlock(&rm);"));
        let how = *self.pick(&["rd", "rd", "wr"]);
        let nodes = match self.random.below(12) {
            0..=4 => vec![take(how), body, give()],
            5 | 6 => vec![take(how), lock, body, unlock, give()],
            7 | 8 => vec![lock, take(how), body, give(), unlock],
            9 => vec![block(format!("if (pthread_rwlock_try{how}lock(&rw) == 0) {{"), vec![body, give()])],
            10 => vec![take("rd"), take(how), body, give(), give()],
            _ => vec![body, give()],
        };
        vec![block("{", nodes)]
    }

    /// Atomics with memory orders, mostly weaker than sequential consistency.
    pub(super) fn ordering(&mut self) -> Vec<SourceNode> {
        let (r, v) = (self.local(), self.value());
        let store = *self.pick(&["release", "release", "relaxed", "seq_cst"]);
        let load = *self.pick(&["acquire", "acquire", "relaxed", "seq_cst"]);
        let both = *self.pick(&["acq_rel", "relaxed", "acquire", "release"]);
        let fails = *self.pick(&["relaxed", "acquire"]);
        match self.random.below(11) {
            7 => vec![line(format!("atomic_store_explicit(&wq, 2, memory_order_{store});"))],
            8 => vec![line(format!("if (atomic_load_explicit(&wq, memory_order_{load}) == 2) {r} = data;"))],
            9 | 10 => {
                let (e, want) = (self.name("e"), 1 + self.random.below(2));
                vec![
                    line(format!("int {e} = {want};")),
                    line(format!(
                        "if (atomic_compare_exchange_strong_explicit(&wq, &{e}, 2, memory_order_{both}, \
                         memory_order_{fails}) || {e} == 1) {r} = data;"
                    )),
                ]
            }
            0 | 1 => vec![
                line(format!("data = {v};")),
                line(format!("atomic_store_explicit(&wq, 1, memory_order_{store});")),
            ],
            2 | 3 => vec![line(format!("if (atomic_load_explicit(&wq, memory_order_{load})) {r} = data;"))],
            4 => vec![line(format!("{r} = atomic_fetch_add_explicit(&wq, 1, memory_order_{both});"))],
            5 => vec![line(format!("atomic_thread_fence(memory_order_{both});"))],
            _ => vec![line(format!(
                "if (atomic_fetch_add_explicit(&wq, 1, memory_order_{both}) == 1) data = {v};"
            ))],
        }
    }
}
