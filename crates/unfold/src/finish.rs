//! What is known only after every thread was executed: initial values, the end of the program, nodes that wait.

use crate::knowledge::SymbolicObject;
use crate::memory::Contents;
use crate::pass::Pass;
use crate::store::Content;
use crate::*;
use tp_ir::{MemoryOrder, Width};

impl Pass<'_> {
    pub fn finish(mut self) -> GraphBuilder {
        let snapshot = self.snapshot.take().unwrap_or_default();
        for (cell, row) in self.out.cells.iter_mut() {
            if let Content::Known(value) = snapshot.get(cell) {
                row.first = value;
            }
        }
        self.claims_need_running();
        self.nodes_that_wait();
        self.out.layout_matters = self.know.layout_matters;
        self.out
    }

    /// After the program has ended nothing fails any more.
    fn claims_need_running(&mut self) {
        let object = self.add_object(SymbolicObject::Running, 1, 1, Contents::Zero, None);
        let out = &mut self.out;
        let first = out.terms.constant(Width::BOOL, 1);
        let cell = out.cells.push(Cell { object, offset: 0, bytes: 1, first });
        out.running = Some(cell);
        let value = out.terms.constant(Width::BOOL, 0);
        let order = MemoryOrder::Plain;
        out.writes.extend(out.exits.iter().map(|&(node, guard)| Write { node, cell, guard, value, order }));
        for i in 0..out.claims.len() {
            let Claim { node, fails, .. } = out.claims[i];
            out.claims[i].fails = out.while_running(node, fails);
        }
        for i in 0..out.limits.len() {
            let Limit { node, reached, .. } = out.limits[i];
            out.limits[i].reached = out.while_running(node, reached);
        }
    }

    /// The events of a node that waits happen only if it is passed.
    fn nodes_that_wait(&mut self) {
        let attempts = self.checks_waiting();
        let out = &mut self.out;
        let conditions = &self.waiting;
        for (i, read) in out.reads.iter_mut().enumerate() {
            if let Some(&condition) = conditions.get(&read.node) {
                if attempts {
                    out.attempted.push((i, read.guard));
                }
                read.guard = out.terms.and(read.guard, condition);
            }
        }
        for touch in out.touches.iter_mut().filter(|t| t.in_step) {
            if let Some(&condition) = conditions.get(&touch.node) {
                touch.guard = out.terms.and(touch.guard, condition);
                touch.waits = true;
            }
        }
        for (id, node) in out.nodes.iter_mut() {
            if let Some(&condition) = conditions.get(&id) {
                node.guard = out.terms.and(node.guard, condition);
            }
        }
        for thread in out.threads.values_mut() {
            for step in &mut thread.steps {
                if step.is_node
                    && let Some(&condition) = conditions.get(&step.node)
                {
                    step.guard = out.terms.and(step.guard, condition);
                }
            }
        }
    }
}
