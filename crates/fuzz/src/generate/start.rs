//! What main does: it may end early, start threads one by one, in a loop or in one case only, and wait for them.

use super::topics::Topic;
use super::{Context, Maker, create};
use crate::tree::{SourceNode, block, line};

const OUTSIDE: Context = Context { atomic: false, locked: None, depth: 0 };

impl Maker {
    pub(super) fn main(&mut self, threads: usize) -> SourceNode {
        self.in_main = true;
        self.claims_now = self.claims == Some(threads);
        let mut body = self.locals();
        body.extend(self.topics.initialisation());
        if self.topics.has(Topic::SetUp) {
            body.extend(self.set_up());
            self.used.insert(Topic::SetUp);
        }
        if self.chance(6) {
            body.extend(self.early_end());
        }
        self.left = 2;
        if self.chance(4) {
            body.extend(self.statement(OUTSIDE));
        }
        let own: Vec<usize> = (0..threads).filter(|&i| self.nested != Some(i)).collect();
        let in_one_case = self.chance(5);
        let condition = if self.chance(2) { "__VERIFIER_nondet_bool()".into() } else { self.condition() };
        let mut concurrent = Vec::new();
        // Then memory differs where the paths join again.
        if in_one_case && self.chance(2) {
            concurrent.extend(self.statement(OUTSIDE));
        }
        concurrent.extend(match self.alike && self.chance(3) {
            true => self.many(threads),
            false => self.one_by_one(&own),
        });
        self.left = 4;
        if self.chance(4) || threads == 0 {
            concurrent.extend(self.statement(OUTSIDE));
        }
        if self.chance(2) {
            concurrent.extend(self.assertion());
        }
        if in_one_case && self.claims_now {
            concurrent.extend(self.outcome(None));
        }
        match in_one_case {
            true => body.push(block(format!("if ({condition}) {{"), concurrent)),
            false => body.extend(concurrent),
        }
        body.extend(self.assertion());
        if self.claims_now {
            body.extend(self.outcome(None));
        }
        body.push(line(if self.chance(12) { "pthread_exit(0);" } else { "return 0;" }));
        block("int main(void) {", body)
    }

    /// Stores an input if it is small; otherwise main may return before any thread is started.
    fn early_end(&mut self) -> Vec<SourceNode> {
        let (n, x, most) = (self.name("n"), self.shared_int(), 1 + self.random.below(2));
        let mut nodes = vec![line(format!("unsigned {n} = __VERIFIER_nondet_uint();"))];
        match self.chance(3) {
            true => nodes.push(line(format!("if ({n} <= {most}) {x} = {n};"))),
            false => {
                nodes.push(line(format!("if ({n} > {most}) return 0;")));
                nodes.push(line(format!("{x} = {n};")));
            }
        }
        nodes
    }

    fn one_by_one(&mut self, own: &[usize]) -> Vec<SourceNode> {
        let mut body = Vec::new();
        let common = self.argument();
        for &i in own {
            let argument = if self.twins { common.clone() } else { self.argument() };
            let function = if self.alike { 0 } else { i };
            let start = line(create(i, function, &argument));
            // A thread that is not started must not be joined.
            body.push(match self.chance(12) && !self.twins {
                true => block(
                    format!("if ({}) {{", self.condition()),
                    vec![start, line(format!("pthread_join(t{i}, 0);")), line("return 0;")],
                ),
                false => start,
            });
        }
        self.left = 3;
        if self.chance(3) {
            body.extend(self.statement(OUTSIDE));
        }
        if self.chance(8) {
            return body;
        }
        if self.twins {
            body.extend(own.iter().map(|i| line(format!("pthread_join(t{i}, 0);"))));
            return body;
        }
        for &i in own {
            let join = line(format!("pthread_join(t{i}, 0);"));
            let started =
                body.iter().any(|n| matches!(n, SourceNode::Line(l) if l.contains(&format!("(&t{i},"))));
            body.push(match self.random.below(8) {
                _ if !started => continue,
                0 if self.chance(2) => line(format!("pthread_detach(t{i});")),
                0 => continue,
                1 => block(
                    "{",
                    vec![
                        line("void *result;"),
                        line(format!("pthread_join(t{i}, &result);")),
                        line("r2 = (int)(long)result;"),
                    ],
                ),
                _ => join,
            });
        }
        body
    }

    /// Starts threads in a loop: all of them, or as many as an input says.
    fn many(&mut self, threads: usize) -> Vec<SourceNode> {
        let count = match self.chance(2) {
            true => "__VERIFIER_nondet_int() & 1".to_owned(),
            false => threads.to_string(),
        };
        let argument =
            if self.pointed || self.twins { self.argument() } else { "(void *)(long)k".to_owned() };
        let mut nodes =
            vec![line(format!("pthread_t ts[{}];", threads.max(1))), line(format!("int count = {count};"))];
        let start = line(format!("pthread_create(&ts[k], 0, thread0, {argument});"));
        nodes.push(block("for (int k = 0; k < count; k++) {", vec![start]));
        self.left = 3;
        if self.chance(3) {
            nodes.extend(self.statement(OUTSIDE));
        }
        if !self.chance(6) {
            nodes.push(block("for (int k = 0; k < count; k++) {", vec![line("pthread_join(ts[k], 0);")]));
        }
        nodes
    }

    fn argument(&mut self) -> String {
        match self.random.below(3) {
            // A local of main, which may be using it at the same time.
            0 if self.pointed && !self.is_guarded() => "&r1".into(),
            _ if self.pointed => format!("&{}", self.shared_int()),
            0 => "(void *)1".into(),
            1 => format!("&{}", self.shared_int()),
            _ => "0".into(),
        }
    }
}
