//! What threads synchronise with: mutexes, condition variables, semaphores, barriers, `pthread_once`, atomics, atomic
//! sections; and thread-specific values (keys).

use super::guard::locked;
use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

impl Maker {
    pub(super) fn mutex(&mut self, at: Context) -> Vec<SourceNode> {
        let m = match at.locked {
            _ if self.is_guarded() => "m",
            Some(_) => "n",
            None => *self.pick(&["m", "m", "n"]),
        };
        let inside = Context { locked: Some(m), depth: at.depth + 1, ..at };
        let mut body = match self.is_guarded() {
            true => self.holding_guard(|maker| maker.body(Context { locked: Some("other"), ..inside }, 2)),
            false => self.body(inside, 2),
        };
        match self.random.below(5) {
            0 => {
                body.push(line(format!("pthread_mutex_unlock(&{m});")));
                vec![block(format!("if (pthread_mutex_trylock(&{m}) == 0) {{"), body)]
            }
            // One function takes several locks.
            1 => {
                body.insert(0, line(format!("take(&{m});")));
                body.push(line(format!("give(&{m});")));
                vec![block("{", body)]
            }
            _ => vec![block("{", locked(m, body))],
        }
    }

    pub(super) fn condition_variable(&mut self, at: Context) -> Vec<SourceNode> {
        let inside = Context { locked: Some("other"), depth: at.depth + 1, ..at };
        let m = if self.is_guarded() { "m" } else { "cm" };
        let waits = self.chance(2);
        let body = match self.is_guarded() {
            true => self.holding_guard(|maker| maker.body(inside, 1)),
            false => self.body(inside, 1),
        };
        let nodes = match waits {
            true => {
                let wait = line(format!("pthread_cond_wait(&cv, &{m});"));
                std::iter::once(block("while (!ready) {", vec![wait])).chain(body).collect()
            }
            false => {
                let wake = *self.pick(&["pthread_cond_signal(&cv);", "pthread_cond_broadcast(&cv);"]);
                body.into_iter().chain([line("ready = 1;"), line(wake)]).collect()
            }
        };
        vec![block("{", locked(m, nodes))]
    }

    pub(super) fn semaphore(&mut self, at: Context) -> Vec<SourceNode> {
        let inside = Context { locked: Some("other"), depth: at.depth + 1, ..at };
        match self.random.below(6) {
            0 => vec![line("sem_post(&sem);")],
            1 => vec![line("sem_wait(&sem);")],
            2 => vec![block("if (sem_trywait(&sem) == 0) {", self.body(inside, 1))],
            _ => {
                let mut body = vec![line("sem_wait(&sem);")];
                body.extend(self.body(inside, 2));
                body.push(line("sem_post(&sem);"));
                vec![block("{", body)]
            }
        }
    }

    /// A barrier for two: a third thread waits, perhaps for ever.
    pub(super) fn barrier(&mut self) -> Vec<SourceNode> {
        let r = self.local();
        vec![line(match self.chance(2) {
            true => "pthread_barrier_wait(&ba);".to_owned(),
            false => format!("{r} = pthread_barrier_wait(&ba) == PTHREAD_BARRIER_SERIAL_THREAD;"),
        })]
    }

    pub(super) fn once(&mut self) -> Vec<SourceNode> {
        let r = self.local();
        let mut nodes = vec![line("pthread_once(&once, first);")];
        if self.chance(2) && !self.is_guarded() {
            nodes.push(line(format!("{r} = first_done;")));
        }
        nodes
    }

    pub(super) fn key(&mut self) -> Vec<SourceNode> {
        let (r, x) = (self.local(), self.shared_int());
        vec![line(match self.random.below(4) {
            0 | 1 => format!("pthread_setspecific(key, &{x});"),
            2 => "pthread_setspecific(key, 0);".to_owned(),
            _ => format!("{r} = pthread_getspecific(key) == &{x};"),
        })]
    }

    pub(super) fn atomic(&mut self) -> Vec<SourceNode> {
        let (v, r, e) = (self.value(), self.local(), self.name("e"));
        match self.random.below(9) {
            0 => vec![line(format!("{r} = atomic_fetch_add(&q, {v});"))],
            1 => vec![
                line(format!("int {e} = {};", self.random.below(2))),
                line(format!("{r} = atomic_compare_exchange_strong(&q, &{e}, {v}) ? {e} : {e} + 1;")),
            ],
            2 => {
                vec![line(format!("{r} = __sync_bool_compare_and_swap(&w, {}, {v});", self.random.below(2)))]
            }
            3 => vec![line(format!("{r} = atomic_exchange(&q, {v});"))],
            4 => vec![line(format!("atomic_store(&q, {v});"))],
            5 => vec![line(format!("{r} = atomic_load(&q);"))],
            6 => vec![line(format!("{r} = __sync_fetch_and_or(&w, {v});"))],
            7 => vec![line(format!("q -= {v};"))],
            _ => vec![line(format!("{r} = w;"))],
        }
    }

    /// A condition that reads shared memory.
    pub(super) fn reading_condition(&mut self) -> String {
        let (x, c) = (self.shared(), self.random.below(3));
        format!("{x} {} {c}", self.pick(&["==", "!=", ">", "<="]))
    }

    pub(super) fn atomic_section(&mut self, at: Context) -> Vec<SourceNode> {
        let inside = Context { atomic: true, depth: at.depth + 1, ..at };
        let mut body = vec![line("__VERIFIER_atomic_begin();")];
        if self.chance(4) {
            let condition = self.reading_condition();
            body.push(line(format!("__VERIFIER_assume({condition});")));
        }
        if self.chance(3) {
            body.extend(self.branch(inside));
        }
        body.extend(self.body(inside, 3));
        if self.chance(6) {
            let condition = self.reading_condition();
            body.push(line(format!("__VERIFIER_assume({condition});")));
        }
        body.push(line("__VERIFIER_atomic_end();"));
        vec![block("{", body)]
    }
}
