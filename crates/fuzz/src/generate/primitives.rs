//! What single calls order and return: a relaxed flag beside locks and semaphores, which exposes a race that an engine
//! wrongly takes to be ordered by the primitive; and waits with a deadline that is past, in the future or invalid.

use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

impl Maker {
    /// `fd` is accessed beside some primitive, and the flag says so, mostly without ordering anything.
    pub(super) fn read_flag(&mut self) -> Vec<SourceNode> {
        let (r, v) = (self.local(), self.value());
        let touch = match self.random.below(3) {
            0 => format!("{r} = fd;"),
            _ => format!("fd = {v};"),
        };
        let touched = self.beside_primitive(touch);
        let order = *self.pick(&["relaxed", "relaxed", "relaxed", "release"]);
        match self.random.below(5) {
            0 | 1 => {
                let store = line(format!("atomic_store_explicit(&ff, 1, memory_order_{order});"));
                touched.into_iter().chain([store]).collect()
            }
            2 | 3 => {
                let load = *self.pick(&["relaxed", "relaxed", "relaxed", "acquire"]);
                vec![block(format!("if (atomic_load_explicit(&ff, memory_order_{load})) {{"), touched)]
            }
            _ => touched,
        }
    }

    /// An access between, before or after the calls of a primitive that never wait for ever.
    fn beside_primitive(&mut self, touch: String) -> Vec<SourceNode> {
        let (before, after) = *self.pick(&[
            ("pthread_rwlock_rdlock(&fr_lock);", "pthread_rwlock_unlock(&fr_lock);"),
            ("pthread_rwlock_rdlock(&fr_lock);", "pthread_rwlock_unlock(&fr_lock);"),
            ("pthread_rwlock_wrlock(&fr_lock);", "pthread_rwlock_unlock(&fr_lock);"),
            ("pthread_mutex_lock(&fm);", "pthread_mutex_unlock(&fm);"),
            ("sem_trywait(&fs);", "sem_post(&fs);"),
            ("sem_post(&fs);", "sem_trywait(&fs);"),
            ("pthread_cond_signal(&fc);", "pthread_cond_broadcast(&fc);"),
        ]);
        let (before, after, touch) = (line(before), line(after), line(touch));
        match self.random.below(6) {
            0 => vec![touch, before, after],
            1 => vec![before, after, touch],
            2 => {
                let (tried, end) = *self.pick(&[
                    ("pthread_rwlock_tryrdlock(&fr_lock)", "pthread_rwlock_unlock(&fr_lock);"),
                    ("pthread_rwlock_trywrlock(&fr_lock)", "pthread_rwlock_unlock(&fr_lock);"),
                    ("pthread_mutex_trylock(&fm)", "pthread_mutex_unlock(&fm);"),
                    ("sem_trywait(&fs)", "sem_post(&fs);"),
                ]);
                vec![block(format!("if ({tried} == 0) {{"), vec![touch, line(end)])]
            }
            _ => vec![before, touch, after],
        }
    }

    /// A wait with a deadline.
    pub(super) fn timed(&mut self, at: Context) -> Vec<SourceNode> {
        let until = *self.pick(&["past", "later", "later", "never"]);
        let (r, v) = (self.local(), self.value());
        let body = self.under_guard(at, |m, _| vec![m.plain()]);
        let with = |end: &str| body.iter().cloned().chain([line(end)]).collect::<Vec<SourceNode>>();
        let how = *self.pick(&["rd", "wr"]);
        match self.random.below(9) {
            0 | 1 => vec![block(
                format!("if (pthread_mutex_timedlock(&tm, &{until}) == 0) {{"),
                with("pthread_mutex_unlock(&tm);"),
            )],
            2 => vec![line("sem_post(&ts);")],
            3 => vec![block(format!("if (sem_timedwait(&ts, &{until}) == 0) {{"), with("sem_post(&ts);"))],
            4 => vec![line(format!("{r} = sem_timedwait(&ts, &{until});"))],
            5 => vec![block(
                format!("if (pthread_rwlock_timed{how}lock(&tl_lock, &{until}) == 0) {{"),
                with("pthread_rwlock_unlock(&tl_lock);"),
            )],
            6 | 7 => vec![
                line("pthread_mutex_lock(&tm);"),
                line(format!("{r} = 0;")),
                block(
                    format!("while (!tready && {r} == 0) {{"),
                    vec![line(format!("{r} = pthread_cond_timedwait(&tc, &tm, &{until});"))],
                ),
                line(format!("td = {v};")),
                line("pthread_mutex_unlock(&tm);"),
            ],
            _ => vec![
                line("pthread_mutex_lock(&tm);"),
                line("tready = 1;"),
                line("pthread_cond_signal(&tc);"),
                line("pthread_mutex_unlock(&tm);"),
            ],
        }
    }
}
