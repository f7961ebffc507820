//! Programs that depend on where objects lie: on which comes first in memory, on a freed block that is reused, on
//! unwritten memory, which may hold any address. Also a loop that needs a few iterations before main starts a thread.

use super::Maker;
use crate::tree::{SourceNode, block, line};

impl Maker {
    /// A shared pointer whose block threads take out, free and replace, and compare with one seen before (ABA).
    pub(super) fn reuse(&mut self) -> Vec<SourceNode> {
        let (p, q, r, v) = (self.name("p"), self.name("q"), self.local(), self.value());
        let new = |p: &str| line(format!("struct node *{p} = malloc(sizeof *{p});"));
        let nodes = match self.random.below(11) {
            0 => vec![
                line(format!("struct node *{p} = atomic_exchange(&ab, 0);")),
                line(format!("free({p});")),
            ],
            9 | 10 => self.reallocated(),
            1 | 2 => vec![
                new(&p),
                line(format!("{p}->v = {v}; {p}->next = 0;")),
                line(format!("struct node *{q} = atomic_exchange(&ab, {p});")),
                line(format!("free({q});")),
            ],
            3 | 4 => vec![
                line(format!("struct node *{p} = ab;")),
                line(format!("{r} = ({p} == seen);")),
                line(format!("if (atomic_compare_exchange_strong(&ab, &{p}, 0)) free({p});")),
            ],
            5 => vec![line("seen = ab;")],
            6 => vec![line(format!("{r} = ab == seen;"))],
            7 => vec![new(&p), line(format!("seen = {p};")), line(format!("free({p});"))],
            _ => vec![
                new(&p),
                line(format!("free({p});")),
                new(&q),
                line(format!("{r} = {p} == {q};")),
                line(format!("free({q});")),
            ],
        };
        self.with_assertion(nodes)
    }

    /// A block that `realloc` shrinks or grows, in place or elsewhere.
    fn reallocated(&mut self) -> Vec<SourceNode> {
        let (p, q, r, v) = (self.name("p"), self.name("q"), self.local(), self.value());
        let new = line(format!("int *{p} = malloc(2 * sizeof *{p});"));
        let size = 1 + self.random.below(4);
        let moved = line(format!("int *{q} = realloc({p}, {size} * sizeof *{q});"));
        let rest = match self.random.below(4) {
            0 => format!("{r} = {q} == {p};"),
            1 => format!("if ({q} == {p}) {p}[{}] = {v};", self.random.below(2)),
            2 => format!("{r} = {q}[0];"),
            _ => format!("{q}[{}] = {v};", self.random.below(2)),
        };
        let first = line(format!("{p}[0] = {v}; {p}[1] = 1;"));
        vec![new, first, moved, line(rest), line(format!("free({q});"))]
    }

    /// Which of two objects comes first in memory.
    pub(super) fn object_order(&mut self) -> Vec<SourceNode> {
        let (p, r, v) = (self.name("p"), self.local(), self.value());
        let things = ["&i0", "&i1", "od0", "od0 + 1", "od1", "&od2"];
        let (a, b) = (*self.pick(&things), *self.pick(&things));
        let op = *self.pick(&["<", "<=", ">", ">="]);
        let nodes = match self.random.below(6) {
            0 | 1 => vec![line(format!("{r} = (char *)({a}) {op} (char *)({b});"))],
            2 => vec![line(format!("{r} = (uintptr_t)({a}) {op} (uintptr_t)({b});"))],
            3 => vec![
                line(format!("int *{p} = (char *)({a}) {op} (char *)({b}) ? {a} : {b};")),
                line(format!("*{p} = {v};")),
            ],
            4 => vec![
                line(format!("int *{p} = malloc(sizeof *{p});")),
                line(format!("{r} = (char *){p} {op} (char *)({a});")),
                line(format!("free({p});")),
            ],
            _ => vec![
                line(format!("{r} = (char *)({a}) {op} (char *)({b}) && (char *)({b}) {op} (char *)&od2;")),
                line(format!("if ({r}) {r} = 1 + ((char *)({a}) {op} (char *)&od2);")),
            ],
        };
        self.with_assertion(nodes)
    }

    /// Unwritten memory, compared with addresses.
    pub(super) fn unwritten(&mut self) -> Vec<SourceNode> {
        let (p, r, v) = (self.name("p"), self.local(), self.value());
        let nodes = match self.random.below(5) {
            4 => vec![
                line(format!("_Atomic int *{p} = malloc(sizeof *{p});")),
                line(format!("int e{p} = {v};")),
                line(format!("if (atomic_compare_exchange_strong({p}, &e{p}, 3)) {r} = *{p} == 3;")),
                line(format!("else {r} = *{p} == e{p} && e{p} != {v};")),
                line(format!("free({p});")),
            ],
            0 => vec![
                line(format!("struct node *{p} = malloc(sizeof *{p});")),
                line(format!("if ({p}->next == &un) {r} = {v};")),
                line(format!("free({p});")),
            ],
            1 => vec![
                line(format!("struct node *{p} = malloc(sizeof *{p});")),
                line(format!("{p}->next = {v} ? &un : 0;")),
                line(format!("{r} = {p}->next == &un;")),
                line(format!("free({p});")),
            ],
            2 => vec![
                line(format!("int *{p};")),
                line(format!("if ({r}) {p} = &i0;")),
                line(format!("if ({p} == &i0) {r} = {v};")),
            ],
            _ => vec![
                line(format!("struct node *{p} = malloc(sizeof *{p});")),
                line(format!("if ({p}->next == {p}) {r} = {p}->next->v == {v};")),
                line(format!("free({p});")),
            ],
        };
        self.with_assertion(nodes)
    }

    /// What main does first: a loop has to count far enough before any thread is started.
    pub(super) fn set_up(&mut self) -> Vec<SourceNode> {
        let (k, most, least) = (self.name("k"), 3 + self.random.below(4), 1 + self.random.below(3));
        let round = match self.chance(2) {
            true => "up += __VERIFIER_nondet_bool();".to_owned(),
            false => format!("if (__VERIFIER_nondet_bool()) up = {k} + 1;"),
        };
        vec![
            block(format!("for (int {k} = 0; {k} < {most} && up < {least}; {k}++) {{"), vec![line(round)]),
            line(format!("if (up < {least}) return 0;")),
        ]
    }
}
