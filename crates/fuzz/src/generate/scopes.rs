//! Locals of blocks and loop bodies whose address is kept: by the thread itself, or for all threads in `kept`.

use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

impl Maker {
    pub(super) fn scopes(&mut self, at: Context) -> Vec<SourceNode> {
        let nodes = match self.random.below(8) {
            0 | 1 => self.kept_between_rounds(),
            2 => self.shown_in_rounds(),
            3 | 4 => self.shown_in_block(at),
            5 => self.array_of_any_size(),
            _ => self.used_if_there(),
        };
        self.with_assertion(nodes)
    }

    /// An iteration may read a local of the previous one.
    fn kept_between_rounds(&mut self) -> Vec<SourceNode> {
        let (p, c, k) = (self.name("p"), self.name("c"), self.name("k"));
        let (v, r, x) = (self.value(), self.local(), self.shared_int());
        let rounds = 2 + self.random.below(2);
        let mut round = vec![line(format!("int {c} = {v} + {k};"))];
        let look = match self.chance(2) {
            true => format!("if ({p} && {} == {}) {r} += *{p};", self.local(), self.random.below(3)),
            false => format!("if ({p}) {r} += *{p};"),
        };
        round.push(line(look));
        round.push(line(match self.random.below(4) {
            0 => format!("{p} = &{c};"),
            1 => format!("{p} = {k} ? &{c} : &{x};"),
            2 => format!("if ({r} > 1) {p} = &{c};"),
            _ => format!("{p} = &{c}; *{p} += 1; {p} = &{x};"),
        }));
        if self.chance(4) {
            let leave = *self.pick(&["break;", "continue;"]);
            round.insert(1, line(format!("if ({r} == {}) {leave}", self.random.below(3))));
        }
        vec![
            line(format!("int *{p} = 0;")),
            block(format!("for (int {k} = 0; {k} < {rounds}; {k}++) {{"), round),
        ]
    }

    fn shown_in_rounds(&mut self) -> Vec<SourceNode> {
        let (c, k, v, r) = (self.name("c"), self.name("k"), self.value(), self.local());
        let mut round = vec![line(format!("int {c} = {v};")), line(format!("kept = &{c};"))];
        if self.chance(2) {
            round.push(line(format!("{r} = {c};")));
        }
        if self.chance(2) {
            round.push(line("kept = 0;"));
        }
        vec![block(format!("for (int {k} = 0; {k} < 2; {k}++) {{"), round)]
    }

    fn shown_in_block(&mut self, at: Context) -> Vec<SourceNode> {
        let (c, v) = (self.name("c"), self.value());
        let mut body = vec![line(format!("int {c} = {v};")), line(format!("kept = &{c};"))];
        if at.depth < 2 {
            body.extend(self.body(Context { depth: at.depth + 1, ..at }, 1));
        }
        if !self.chance(3) {
            body.push(line("kept = 0;"));
        }
        vec![block("{", body)]
    }

    fn array_of_any_size(&mut self) -> Vec<SourceNode> {
        let (n, c, v, r) = (self.name("n"), self.name("c"), self.value(), self.local());
        let mut body = vec![
            line(format!("int {n} = 1 + ({r} & 1);")),
            line(format!("int {c}[{n}];")),
            line(format!("{c}[{n} - 1] = {v};")),
        ];
        if self.chance(2) {
            body.push(line(format!("kept = {c} + {n} - 1;")));
        }
        body.push(line(format!("{r} = {c}[{n} - 1];")));
        if self.chance(2) {
            body.push(line("kept = 0;"));
        }
        vec![block("{", body)]
    }

    /// The scope of the local may have ended by then.
    fn used_if_there(&mut self) -> Vec<SourceNode> {
        let (p, r, v) = (self.name("p"), self.local(), self.value());
        let used = match self.chance(2) {
            true => format!("if ({p}) {r} = *{p};"),
            false => format!("if ({p}) *{p} = {v};"),
        };
        vec![line(format!("int *{p} = kept;")), line(used)]
    }
}
