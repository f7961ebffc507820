//! Objects that threads allocate while others run: read before they are written, published early or late, directly or
//! through another object, and freed.

use super::guard::locked;
use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

impl Maker {
    pub(super) fn fresh(&mut self, at: Context) -> Vec<SourceNode> {
        let nodes = match self.random.below(13) {
            0 | 1 => self.looked_at_first(),
            2 | 3 => self.shown(),
            4 | 5 => self.shown_through_another(),
            6..=8 => self.others_object(),
            9 => self.hidden(),
            10 => self.array_of_objects(),
            11 if at.depth < 2 => self.made_on_one_way(),
            _ if self.in_main && !self.is_guarded() => self.own_variable(),
            _ => self.looked_at_first(),
        };
        self.with_assertion(nodes)
    }

    fn looked_at_first(&mut self) -> Vec<SourceNode> {
        let (p, v, r) = (self.name("p"), self.value(), self.local());
        let mut nodes = vec![line(format!("int *{p} = calloc(1, sizeof *{p});"))];
        if !self.chance(3) {
            nodes.push(line(format!("{r} = *{p};")));
        }
        nodes.push(line(format!("*{p} = {v} + 1;")));
        match self.random.below(3) {
            0 => nodes.push(line(format!("ip = {p};"))),
            1 => nodes.push(line(format!("{r} = *{p};"))),
            _ => {}
        }
        nodes
    }

    /// An object that is written before or after it is published.
    fn shown(&mut self) -> Vec<SourceNode> {
        let (n, v, w) = (self.name("n"), self.value(), self.value());
        let mut nodes = vec![line(match self.chance(2) {
            true => format!("struct node *{n} = calloc(1, sizeof *{n});"),
            false => format!("struct node *{n} = malloc(sizeof *{n}); {n}->next = 0; {n}->v = {v};"),
        })];
        if self.chance(2) {
            nodes.push(line(format!("{n}->v = {w};")));
        }
        nodes.push(line(match self.random.below(3) {
            0 => format!("ip = &{n}->v;"),
            1 => format!("{n}->next = pub; pub = {n};"),
            _ => format!("pub = {n};"),
        }));
        if self.chance(2) {
            nodes.push(line(format!("{n}->v = {v} + 2;")));
        }
        nodes
    }

    fn shown_through_another(&mut self) -> Vec<SourceNode> {
        let (n, q, v, w) = (self.name("n"), self.name("q"), self.value(), self.value());
        let mut nodes = vec![
            line(format!("struct node *{n} = malloc(sizeof *{n});")),
            line(format!("struct node *{q} = calloc(1, sizeof *{q});")),
            line(format!("{n}->v = {v};")),
            line(format!("{n}->next = {q};")),
            line(format!("pub = {n};")),
            line(format!("{q}->v = {w} + 1;")),
        ];
        if self.chance(3) {
            let last = nodes.len() - 1;
            let other = nodes.len() - 1 - self.random.below(3) as usize;
            nodes.swap(last, other);
        }
        if self.chance(3) {
            nodes.push(line(format!("{q}->v = 2;")));
        }
        nodes
    }

    /// An object that another thread may have published.
    fn others_object(&mut self) -> Vec<SourceNode> {
        let (n, v, r, u) = (self.name("n"), self.value(), self.local(), self.name("u"));
        match self.random.below(5) {
            0 => vec![line(format!("int *{n} = ip;")), line(format!("if ({n}) {r} = *{n};"))],
            1 => vec![
                line(format!("struct node *{n} = pub;")),
                block(format!("if ({n}) {{"), vec![line(format!("{r} = {n}->v;"))]),
            ],
            2 => vec![
                line(format!("struct node *{n} = pub;")),
                block(format!("if ({n} && {n}->next) {{"), vec![line(format!("{r} = {n}->next->v;"))]),
            ],
            3 => vec![
                line(format!("struct node *{n} = pub;")),
                block(format!("if ({n}) {{"), vec![line(format!("{n}->v = {v};"))]),
            ],
            _ => vec![line(format!("uintptr_t {u} = hid;")), line(format!("if ({u}) {r} = *(int *)~{u};"))],
        }
    }

    /// Published as a number that is not its address.
    fn hidden(&mut self) -> Vec<SourceNode> {
        let (p, v) = (self.name("p"), self.value());
        vec![
            line(format!("int *{p} = calloc(1, sizeof *{p});")),
            line(format!("hid = ~(uintptr_t){p};")),
            line(format!("*{p} = {v} + 1;")),
        ]
    }

    fn array_of_objects(&mut self) -> Vec<SourceNode> {
        let (p, i, v, r) = (self.name("p"), self.index(), self.value(), self.local());
        let mut nodes = vec![line(format!("int *{p} = calloc(4, sizeof *{p});"))];
        let uses = [
            format!("{p}[{i}] = {v};"),
            format!("{r} = {p}[{i}];"),
            format!("ip = &{p}[{i}];"),
            format!("{p}[1] = 2;"),
        ];
        for _ in 0..3 {
            nodes.push(line(self.pick(&uses).clone()));
        }
        nodes
    }

    fn made_on_one_way(&mut self) -> Vec<SourceNode> {
        let (p, v, r, c) = (self.name("p"), self.value(), self.local(), self.local());
        vec![
            line(format!("int *{p} = calloc(1, sizeof *{p});")),
            block(format!("if ({c}) {{"), vec![line(format!("ip = {p};"))]),
            line(format!("*{p} = {v} + 1;")),
            line(format!("{r} = *{p};")),
        ]
    }

    /// Two locals of main, one reachable through the other. Main may have returned when another thread reads them.
    fn own_variable(&mut self) -> Vec<SourceNode> {
        let (n, x, v) = (self.name("n"), self.name("x"), self.value());
        vec![
            line(format!("struct node {n} = {{1, 0}}, {x};")),
            line(format!("{x}.v = {v}; {x}.next = 0;")),
            line(format!("{n}.next = &{x};")),
            line(format!("pub = &{n};")),
            line(format!("{x}.v = 3;")),
        ]
    }

    /// An object that only the holder of the lock uses.
    pub(super) fn owned(&mut self) -> Vec<SourceNode> {
        let (p, v, r) = (self.name("p"), self.value(), self.local());
        let body = match self.random.below(5) {
            0 => vec![line(format!("if (!own) {{ own = calloc(1, sizeof *own); own->v = {v}; }}"))],
            1 => vec![line("if (own) { free(own); own = 0; }")],
            2 => vec![line(format!("if (own) {r} = own->v;"))],
            3 => vec![line(format!("if (own) own->v += {v};"))],
            _ => vec![
                line(format!("struct node *{p} = own;")),
                line("own = malloc(sizeof *own);"),
                line(format!("own->v = {p} ? {p}->v + 1 : {v};")),
                line(format!("free({p});")),
            ],
        };
        let m = if self.is_guarded() { "m" } else { "om" };
        self.with_assertion(vec![block("{", locked(m, body))])
    }
}
