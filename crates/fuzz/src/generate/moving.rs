//! Pointers that are moved within their object, and arithmetic on addresses: where a pointer leads must not depend on
//! how the source computes it.

use super::Maker;
use crate::tree::{SourceNode, block, line};

/// Elements that a far move goes forth and back: more than any other object holds.
const FAR: u64 = 1100;

impl Maker {
    pub(super) fn moving(&mut self) -> Vec<SourceNode> {
        match self.random.below(11) {
            0..=2 => self.moved(),
            3 => self.moved_far(),
            10 => self.index_that_wraps(),
            4 | 5 => self.moved_structure(),
            6 => self.moved_in_grid(),
            _ => self.moved_shared(),
        }
    }

    /// A pointer into `b` that is moved back, or forth and back.
    fn moved(&mut self) -> Vec<SourceNode> {
        let (p, i, v, r) = (self.name("p"), self.index(), self.value(), self.local());
        let start = match self.random.below(3) {
            0 => format!("int *{p} = &b[1 + ({i})];"),
            1 => format!("int *{p} = b + 1; {p} += {i};"),
            _ => format!("int *{p} = b + ({i}) + 1;"),
        };
        let (there, back) = (1 + self.random.below(3), 1 + self.random.below(3));
        let rest = match self.random.below(7) {
            0 => format!("{p}[-1] = {v};"),
            1 => format!("{r} = {p}[-1];"),
            2 => format!("*--{p} = {v};"),
            3 => format!("{r} = *--{p};"),
            4 => format!("{p} += {there}; {p} -= {}; *{p} = {v};", back.min(there + 1)),
            5 => format!("{r} = *{p}--; {r} += *{p};"),
            _ => format!("{p} -= 1; {r} = {p} - b;"),
        };
        self.with_assertion(vec![line(start), line(rest)])
    }

    /// An index for which the offset in bytes does not fit an address, if the input is 1.
    fn index_that_wraps(&mut self) -> Vec<SourceNode> {
        let (p, v, r, by) = (self.name("p"), self.value(), self.local(), 57 + self.random.below(6));
        let start = line(format!("struct odd *{p} = od + ((long)__VERIFIER_nondet_bool() << {by});"));
        let rest = match self.random.below(3) {
            0 => format!("{p}->b = {v};"),
            1 => format!("{r} = {p} != od;"),
            _ => format!("{r} = {p} == od ? {p}->c : {v};"),
        };
        self.with_assertion(vec![start, line(rest)])
    }

    fn moved_far(&mut self) -> Vec<SourceNode> {
        let (p, i, v, r) = (self.name("p"), self.index(), self.value(), self.local());
        let back = FAR - self.random.below(3);
        let rest = if self.chance(2) { format!("*{p} = {v};") } else { format!("{r} = *{p};") };
        let moved = match self.random.below(3) {
            0 => format!("int *{p} = far + {FAR} + ({i}); {p} -= {back};"),
            1 => format!("int *{p} = far + ({i}); {p} += {FAR}; {p} -= {back};"),
            _ => format!(
                "uintptr_t u{p} = (uintptr_t)far + 4 * ({FAR} + ({i})); int *{p} = (int *)(u{p} - {});",
                4 * back
            ),
        };
        self.with_assertion(vec![line(moved), line(rest)])
    }

    fn moved_structure(&mut self) -> Vec<SourceNode> {
        let (p, i, v, r) = (self.name("p"), self.index(), self.value(), self.local());
        let member = *self.pick(&["a", "b", "c"]);
        let lines = match self.random.below(6) {
            0 => vec![format!("struct odd *{p} = &od[1 + ({i})];"), format!("{p}[-1].{member} = {v};")],
            1 => vec![
                format!("struct odd *{p} = od + 1 + ({i});"),
                format!("{p}--;"),
                format!("{r} = {p}->{member};"),
            ],
            2 => vec![
                format!("int *{p} = &od[{i}].{member};"),
                format!("((struct odd *)((char *){p} - offsetof(struct odd, {member})))->b = {v};"),
            ],
            3 => vec![
                format!("struct odd *{p} = &od[({i}) + 1];"),
                format!("{p} = (struct odd *)((char *){p} - sizeof *{p});"),
                format!("{r} = {p}->{member} + ({p} == od);"),
            ],
            4 => vec![format!("op = &od[1 + ({i})];"), format!("{r} = op[-1].{member};")],
            _ => vec![format!("op->{member} = {v};"), format!("{r} = op - od;")],
        };
        self.with_assertion(lines.into_iter().map(line).collect())
    }

    fn moved_in_grid(&mut self) -> Vec<SourceNode> {
        let (p, i, v, r) = (self.name("p"), self.index(), self.value(), self.local());
        let lines = match self.random.below(4) {
            0 => vec![format!("int *{p} = &grid[1][{i}];"), format!("{p}[-4] = {v};")],
            1 => vec![format!("int (*{p})[4] = grid + 1 + ({i}) % 2;"), format!("{r} = {p}[-1][{i}];")],
            2 => vec![format!("int *{p} = grid[2] + ({i}); {p} -= 7;"), format!("*{p} = {v};")],
            _ => vec![format!("grid[({i}) % 3][{i}] = {v};"), format!("{r} = grid[1][1];")],
        };
        self.with_assertion(lines.into_iter().map(line).collect())
    }

    /// A pointer or an index that other threads move too, perhaps out of bounds.
    fn moved_shared(&mut self) -> Vec<SourceNode> {
        let (i, v, r, p) = (self.index(), self.value(), self.local(), self.name("p"));
        let nodes = match self.random.below(9) {
            0 => vec![line(format!("top = b + 1 + ({i});"))],
            1 => vec![line("if (top < b + 6) top++;")],
            2 => vec![line("if (top > b) top--;")],
            3 => vec![line(format!("if (top > b) top[-1] = {v};"))],
            4 => vec![line(format!("int *{p} = top;")), line(format!("if ({p} != b) *--{p} = {v};"))],
            5 => vec![line(format!("{r} = *top;"))],
            6 => vec![line("ix = (ix + 1) & 3;")],
            7 => vec![line(format!("int *{p} = b + 1 + (ix & 3);")), line(format!("{p}[-1] = {v};"))],
            _ => vec![line(format!("int *{p} = &b[(ix & 3) + 1];")), line(format!("{r} = *--{p};"))],
        };
        self.with_assertion(nodes)
    }

    /// Addresses as integers.
    pub(super) fn address(&mut self) -> Vec<SourceNode> {
        let (u, i, v, r) = (self.name("u"), self.index(), self.value(), self.local());
        let nodes = match self.random.below(14) {
            0 => vec![line(format!("word = (uintptr_t)&cell[{i}] | 1;"))],
            1 => vec![
                line(format!("uintptr_t {u} = word;")),
                line(format!("if ({u} & 1) {r} = *(int *)({u} & ~(uintptr_t)1);")),
            ],
            2 => vec![
                line(format!("uintptr_t {u} = word;")),
                line(format!("if ({u}) *(int *)({u} ^ 1) = {v};")),
            ],
            3 => vec![line(format!("both = (uintptr_t)&cell[0] ^ (uintptr_t)&b[{i}];"))],
            4 => vec![
                line(format!("uintptr_t {u} = both;")),
                line(format!("if ({u}) {r} = *(int *)({u} ^ (uintptr_t)&cell[0]);")),
            ],
            5 => vec![line(format!("way = (intptr_t)&b[{i}] - (intptr_t)cell;"))],
            6 => vec![line(format!("{r} = *(int *)((intptr_t)cell + way);"))],
            7 => vec![line(format!("*(int *)((intptr_t)cell + way) = {v};"))],
            8 => vec![block("for (int k = 0; k < 20; k++) {", vec![line("wide = &many[k];")])],
            9 => vec![line(format!("table[((uintptr_t)wide / 4) % 8] = {v};"))],
            10 => vec![
                line(format!("int *{u} = {r} ? wide : &cell[{i}];")),
                line(format!("table[((uintptr_t){u} >> 2) & 7]++;")),
            ],
            11 => vec![
                line(format!("uintptr_t {u} = (uintptr_t)wide + 0x100000;")),
                line(format!("{r} = *(int *)({u} - 0x100000);")),
            ],
            12 => vec![
                line("high = (uintptr_t)wide + 0x100000;"),
                line(format!("{r} = *(int *)(high - 0x100000);")),
            ],
            _ => self.pieces(),
        };
        self.with_assertion(nodes)
    }

    /// A pointer that is copied in pieces.
    fn pieces(&mut self) -> Vec<SourceNode> {
        let (i, r) = (self.index(), self.local());
        let (u, k) = (self.name("u"), self.name("k"));
        match self.random.below(3) {
            0 => vec![line(format!("parts.p = &cell[{i}];"))],
            1 => vec![
                line(format!("union parts {u};")),
                block(
                    format!("for (int {k} = 0; {k} < 4; {k}++) {{"),
                    vec![line(format!("{u}.h[{k}] = parts.h[{k}];"))],
                ),
                line(format!("{r} = *{u}.p;")),
            ],
            _ => vec![
                line(format!("int *{u};")),
                line(format!("memcpy(&{u}, &parts.p, sizeof {u});")),
                line(format!("{r} = *{u};")),
            ],
        }
    }
}
