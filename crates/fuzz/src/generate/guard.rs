//! Programs without data races: statements access shared memory under one lock, `m`.

use super::topics::Topic;
use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

impl Maker {
    pub(super) fn is_guarded(&self) -> bool {
        self.topics.has(Topic::Guard)
    }

    /// Shared memory must not be accessed here.
    pub(super) fn needs_guard(&self) -> bool {
        self.is_guarded() && !self.guarded
    }

    /// The statements that `make` returns, under the lock if they need it.
    pub(super) fn under_guard(
        &mut self,
        at: Context,
        make: impl FnOnce(&mut Maker, Context) -> Vec<SourceNode>,
    ) -> Vec<SourceNode> {
        if !self.needs_guard() || at.atomic {
            return make(self, at);
        }
        self.used.insert(Topic::Guard);
        let made = self.holding_guard(|m| make(m, Context { locked: Some("other"), ..at }));
        if made.is_empty() { made } else { vec![block("{", locked("m", made))] }
    }

    /// What `make` returns for a place where the lock is held.
    pub(super) fn holding_guard<T>(&mut self, make: impl FnOnce(&mut Maker) -> T) -> T {
        let before = std::mem::replace(&mut self.guarded, true);
        let made = make(self);
        self.guarded = before;
        made
    }
}

/// The statements between lock and unlock.
pub(super) fn locked(mutex: &str, statements: Vec<SourceNode>) -> Vec<SourceNode> {
    let mut nodes = vec![line(format!("pthread_mutex_lock(&{mutex});"))];
    nodes.extend(statements);
    nodes.push(line(format!("pthread_mutex_unlock(&{mutex});")));
    nodes
}
