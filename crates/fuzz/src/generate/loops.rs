//! Loops that wait, that try a few times, that are jumped into, that read shared memory in every iteration.
//!
//! A loop that only waits has no state that grows with its iterations; `/* spin */` marks it for the reader.

use super::guard::locked;
use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

fn do_while(body: Vec<SourceNode>, condition: &str) -> SourceNode {
    SourceNode::Block { open: "do {".into(), body, close: format!("}} while ({condition});") }
}

impl Maker {
    pub(super) fn spin(&mut self, at: Context) -> Vec<SourceNode> {
        match self.random.below(8) {
            0 | 1 => self.wait(),
            2 if self.chance(2) => vec![block("{", locked("pm", vec![line("flag = 1;")]))],
            2 => vec![line("flag = 1;")],
            3 => vec![line(*self.pick(&["phase = 1;", "phase = 2;", "phase++;", "phase = 1; phase = 2;"]))],
            4 | 5 => self.spin_lock(at),
            6 => self.tries(at),
            _ => self.counted_wait(),
        }
    }

    /// Waits for a flag or a phase, in loops of many shapes.
    fn wait(&mut self) -> Vec<SourceNode> {
        let (k, l, r, c) = (self.name("k"), self.name("L"), self.local(), self.local());
        let until = 1 + self.random.below(2);
        let nodes = match self.random.below(13) {
            0 => vec![line("while (!flag); /* spin */")],
            10 => {
                let mut polls = locked("pm", vec![line(format!("{r} = flag; /* spin */"))]);
                polls.push(line(format!("if ({r}) break;")));
                vec![block("for (;;) {", polls)]
            }
            1 => vec![do_while(vec![line(format!("{r} = phase; /* spin */"))], &format!("{r} != {until}"))],
            2 => vec![line("while (1) { if (flag) break; } /* spin */")],
            3 => vec![line(format!("for (;;) {{ if (phase < {until}) continue; break; }} /* spin */"))],
            4 => vec![
                line(format!("int {k} = 0; {r} = 0;")),
                block(
                    format!("while ({k} != {until}) {{"),
                    vec![line(format!("{r} = {k};")), line(format!("{k} = phase; /* spin */"))],
                ),
            ],
            5 => vec![line(format!("while (({c} = phase) < {until}) if ({c} > {r}) {r} = {c}; /* spin */"))],
            6 => vec![line("while (!flag && !phase); /* spin */")],
            // A jump into the loop.
            7 | 8 => vec![
                line(format!("int {k} = 0;")),
                line(format!("if ({}) goto {l};", self.jump_condition())),
                block(
                    format!("while ({k} != {until}) {{"),
                    vec![line(format!("{l}: {k} = phase; /* spin */"))],
                ),
                line(format!("{r} = {k};")),
            ],
            9 => vec![
                line(format!("int {k} = 0; int j{k} = 0;")),
                line(format!("if ({}) goto {l}; else goto in{l};", self.jump_condition())),
                line(format!("{l}: if ({k} == {until}) goto out{l};")),
                line(format!("j{k} = 0;")),
                line(format!("in{l}: {k} = phase; /* spin */")),
                line(format!("j{k} = {k};")),
                line(format!("goto {l};")),
                line(format!("out{l}: {r} = j{k};")),
            ],
            // The local stays in memory.
            11 => vec![
                line(format!("int {k};")),
                do_while(vec![line(format!("keep(&{k}, phase); /* spin */"))], &format!("{k} < {until}")),
                line(format!("{r} = {k};")),
            ],
            _ => vec![
                line(format!("int {k} = __VERIFIER_nondet_bool();")),
                line(format!("switch ({k}) {{ case 0: while (phase < {until}) {{ /* spin */")),
                line("default: ; } }"),
            ],
        };
        self.with_assertion(nodes)
    }

    fn jump_condition(&mut self) -> String {
        match self.random.below(3) {
            0 => "__VERIFIER_nondet_bool()".into(),
            _ if self.needs_guard() => self.local(),
            1 => self.local(),
            _ => self.shared(),
        }
    }

    fn spin_lock(&mut self, at: Context) -> Vec<SourceNode> {
        let inside = Context { locked: Some("other"), depth: at.depth + 1, ..at };
        let lock = match self.random.below(6) {
            0 | 1 => line("while (!__sync_bool_compare_and_swap(&spin, 0, 1)); /* spin */"),
            2 => line("while (__atomic_exchange_n(&spin, 1, 5)); /* spin */"),
            3 => line("while (__atomic_fetch_or(&spin, 1, 5) & 1); /* spin */"),
            _ if self.is_guarded() => line(
                "do { while (__atomic_load_n(&spin, 5)); } while (__atomic_exchange_n(&spin, 1, 5)); /* spin */",
            ),
            4 => line("do { while (spin); } while (__atomic_exchange_n(&spin, 1, 5)); /* spin */"),
            _ => line(
                "for (;;) { if (spin) continue; if (__sync_bool_compare_and_swap(&spin, 0, 1)) break; } /* spin */",
            ),
        };
        let mut body = vec![lock];
        body.extend(self.body(inside, 2));
        body.push(line("__atomic_store_n(&spin, 0, 5);"));
        vec![block("{", body)]
    }

    /// Tries a lock a few times, or repeats a compare-exchange until no other thread interferes.
    fn tries(&mut self, at: Context) -> Vec<SourceNode> {
        let (k, e, r, v) = (self.name("k"), self.name("e"), self.local(), self.value());
        let inside = Context { locked: Some("other"), depth: at.depth + 1, ..at };
        let nodes = match self.random.below(3) {
            0 => {
                let mut body = self.body(inside, 1);
                body.push(line("__atomic_store_n(&spin, 0, 5);"));
                vec![
                    line(format!("int {k} = 0;")),
                    line(format!("while (__atomic_exchange_n(&spin, 1, 5)) {{ if (++{k} == 2) break; }}")),
                    block(format!("if ({k} < 2) {{"), body),
                    line(format!("{r} = {k};")),
                ]
            }
            _ if self.is_guarded() => vec![
                line(format!("int {e} = phase;")),
                line(format!("while (!atomic_compare_exchange_strong(&phase, &{e}, {e} + 1)) {{ {r}++; }}")),
            ],
            1 => vec![
                line(format!("int {e} = phase;")),
                line(format!(
                    "while (!__atomic_compare_exchange_n(&phase, &{e}, {e} + 1, 0, 5, 5)) {{ {r}++; }}"
                )),
            ],
            _ => vec![
                line(format!("int {e};")),
                do_while(
                    vec![line(format!("{e} = spin;"))],
                    &format!("!__sync_bool_compare_and_swap(&spin, {e}, {e})"),
                ),
                line(format!("{r} = {e} + {v};")),
            ],
        };
        self.with_assertion(nodes)
    }

    /// Waits for a few iterations at most, and does something in each.
    fn counted_wait(&mut self) -> Vec<SourceNode> {
        let (k, r, x) = (self.name("k"), self.local(), self.shared());
        let most = 1 + self.random.below(3);
        let round = match self.random.below(4) {
            _ if self.needs_guard() => format!("{r}++;"),
            0 => format!("{x}++;"),
            1 => format!("{r} += {x};"),
            2 => format!("if ({x}) break;"),
            _ => format!("if ({x}) continue; {r}++;"),
        };
        let nodes = vec![
            line(format!("int {k} = 0;")),
            block("while (!flag) {", vec![line(format!("__VERIFIER_assume({k}++ < {most});")), line(round)]),
            line(format!("{r} += {k};")),
        ];
        self.with_assertion(nodes)
    }

    pub(super) fn loops(&mut self, at: Context) -> Vec<SourceNode> {
        if at.depth >= 2 {
            return Vec::new();
        }
        self.left -= 2;
        let (i, x, r) = (self.name("c"), self.shared(), self.local());
        let l = self.name("L");
        let inside = Context { depth: at.depth + 1, ..at };
        let mut body = self.body(inside, 1);
        match self.random.below(9) {
            0 => vec![block(format!("for (int {i} = 0; {i} < 2; {i}++) {{"), body)],
            1 => vec![block(format!("for (int {i} = 0; {i} < ({x} & 3); {i}++) {{"), body)],
            2 => vec![block(format!("for (int {i} = 0; {i} < 3 && {x} < 2; {i}++) {{"), body)],
            3 => {
                body.push(line(format!("if (++{i} == 3) break;")));
                vec![line(format!("int {i} = 0;")), do_while(body, &format!("{x} == 1"))]
            }
            4 => {
                body.insert(0, line(format!("if ({x} == {i}) continue;")));
                vec![block(format!("for (int {i} = 0; {i} < 2; {i}++) {{"), body)]
            }
            5 => {
                body.insert(0, line(format!("{r} += {i};")));
                body.insert(1, line(format!("{l}: {i}++;")));
                vec![
                    line(format!("int {i} = 0;")),
                    line(format!("if ({}) goto {l};", self.jump_condition())),
                    block(format!("while ({i} < 2) {{"), body),
                ]
            }
            6 => {
                let cases = vec![
                    line(format!("case 0: {r}++; break;")),
                    line(format!("case 1: {x} = 2; continue;")),
                    line(format!("default: {r} = {i};")),
                ];
                body.insert(0, block(format!("switch ({x} & 3) {{"), cases));
                vec![block(format!("for (int {i} = 0; {i} < 2; {i}++) {{"), body)]
            }
            7 => {
                let inner = format!("for (int j{i} = 0; j{i} < {i}; j{i}++) {{ if ({x}) break; {r}++; }}");
                body.push(line(inner));
                vec![block(format!("for (int {i} = 0; {i} < 3; {i}++) {{"), body)]
            }
            _ => {
                let jump = format!("if ({i}++ < 1 && {x}) goto {l};");
                let mut nodes = vec![line(format!("int {i} = 0;")), line(format!("{l}: ;"))];
                nodes.append(&mut body);
                nodes.push(line(jump));
                nodes
            }
        }
    }
}
