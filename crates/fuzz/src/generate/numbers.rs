//! Pointers that pass through integers: where they lead must not depend on how the integer was computed. No behaviour
//! depends on where objects lie.

use super::{Context, Maker};
use crate::tree::{SourceNode, block, line};

pub(super) fn declarations() -> Vec<SourceNode> {
    let lines = [
        "int na = 1, nb = 2;",
        "uintptr_t num, fnum;",
        "unsigned half[2];",
        "struct { intptr_t off; int own, other; } rel;",
        "static void set_na(void) { na = 3; }",
        "static void set_nb(void) { nb = 3; }",
    ];
    lines.map(line).into()
}

pub(super) const SIGHTS: &[&str] = &["na", "nb", "rel.own", "rel.other", "(num == 0)"];

impl Maker {
    pub(super) fn number(&mut self) -> Vec<SourceNode> {
        let nodes = match self.random.below(9) {
            0..=2 => self.number_made(),
            3 | 4 => self.number_followed(),
            5 | 6 => self.relative(),
            7 => self.function_number(),
            _ => self.halves(),
        };
        self.with_assertion(nodes)
    }

    fn target(&mut self) -> String {
        let shared = self.shared_int();
        self.pick(&["na", "na", "nb", &shared]).to_string()
    }

    /// Stores an address as an integer: as a whole, bit by bit or byte by byte.
    fn number_made(&mut self) -> Vec<SourceNode> {
        let (target, u, from) = (self.target(), self.name("u"), self.name("u"));
        let k = self.name("k");
        let start = line(format!("uintptr_t {u} = 0, {from} = (uintptr_t)&{target};"));
        let rounds = |digits: u32, text: String| {
            block(format!("for (int {k} = 0; {k} < {digits}; {k}++) {{"), vec![line(text)])
        };
        let end = line(format!("num = {u};"));
        match self.random.below(5) {
            0 => vec![line(format!("num = (uintptr_t)&{target};"))],
            1 => {
                let bit = format!("if ({from} >> {k} & 1) {u} |= (uintptr_t)1 << {k};");
                vec![start, rounds(64, bit), end]
            }
            2 => {
                let both = self.name("p");
                vec![
                    line(format!("int *{both} = &{target};")),
                    line(format!("uintptr_t {u} = 0;")),
                    rounds(8, format!("memcpy((char *)&{u} + {k}, (char *)&{both} + {k}, 1);")),
                    end,
                ]
            }
            3 => vec![line(format!("num = -(uintptr_t)&{target};")), line("num = -num;")],
            _ => vec![line("num = 0;")],
        }
    }

    fn number_followed(&mut self) -> Vec<SourceNode> {
        let (u, v, r) = (self.name("u"), self.value(), self.local());
        let start = line(format!("uintptr_t {u} = num;"));
        let rest = match self.random.below(4) {
            0 => format!("if ({u}) *(int *){u} = {v};"),
            1 => format!("if ({u}) {r} = *(int *){u};"),
            2 => format!("if ({u}) *(int *)((char *)0 + {u}) = {v};"),
            _ => format!("if ({u} == (uintptr_t)&na) {r} = *(int *){u};"),
        };
        vec![start, line(rest)]
    }

    /// A pointer as its offset from the start of its object. No offset leads into another object: engines differ about
    /// what that means.
    fn relative(&mut self) -> Vec<SourceNode> {
        let (v, r) = (self.value(), self.local());
        let text = match self.random.below(6) {
            0 | 1 => "rel.off = (char *)&rel.own - (char *)&rel;".to_owned(),
            2 => "rel.off = (char *)&rel.other - (char *)&rel;".to_owned(),
            3 => format!("if (rel.off) *(int *)((char *)&rel + rel.off) = {v};"),
            4 => format!("if (rel.off) {r} = *(int *)((char *)&rel + rel.off);"),
            _ => format!("rel.own = {v};"),
        };
        vec![line(text)]
    }

    fn function_number(&mut self) -> Vec<SourceNode> {
        let (f, u, from, k) =
            (*self.pick(&["set_na", "set_nb"]), self.name("u"), self.name("u"), self.name("k"));
        match self.random.below(3) {
            0 => vec![line(format!("fnum = (uintptr_t){f};"))],
            1 => vec![
                line(format!("uintptr_t {u} = 0, {from} = (uintptr_t){f};")),
                block(
                    format!("for (int {k} = 0; {k} < 64; {k}++) {{"),
                    vec![line(format!("if ({from} >> {k} & 1) {u} |= (uintptr_t)1 << {k};"))],
                ),
                line(format!("fnum = {u};")),
            ],
            _ => vec![
                line(format!("uintptr_t {u} = fnum;")),
                line(format!("if ({u}) ((void (*)(void)){u})();")),
            ],
        }
    }

    /// An address in two halves, which another thread joins. With only one half written, the result is no address.
    fn halves(&mut self) -> Vec<SourceNode> {
        let (target, u, v) = (self.target(), self.name("u"), self.value());
        match self.chance(2) {
            true => vec![
                line(format!("half[0] = (uintptr_t)&{target} & 0xffffffff;")),
                line(format!("half[1] = (uintptr_t)&{target} >> 32;")),
            ],
            false => vec![
                line(format!("uintptr_t {u} = half[0] | (uintptr_t)half[1] << 32;")),
                line(format!("if ({u} == (uintptr_t)&{target}) *(int *){u} = {v};")),
            ],
        }
    }

    /// A union of locks of several kinds and a number.
    pub(super) fn lock_union(&mut self, at: Context) -> Vec<SourceNode> {
        let inside = Context { locked: Some("other"), depth: at.depth + 1, ..at };
        let (take, give) = *self.pick(&[
            ("pthread_mutex_lock(&lu.m);", "pthread_mutex_unlock(&lu.m);"),
            ("pthread_mutex_lock(&lu.m);", "pthread_mutex_unlock(&lu.m);"),
            ("pthread_mutex_lock(&lu.later.m);", "pthread_mutex_unlock(&lu.later.m);"),
            ("pthread_rwlock_wrlock(&lu.rw);", "pthread_rwlock_unlock(&lu.rw);"),
            ("pthread_rwlock_rdlock(&lu.rw);", "pthread_rwlock_unlock(&lu.rw);"),
            ("pthread_spin_lock(&lu.s);", "pthread_spin_unlock(&lu.s);"),
            ("lu.word = 0;", ""),
            ("lu.word++;", "lu.word--;"),
        ]);
        let mut nodes = vec![line(take)];
        nodes.extend(self.body(inside, 2));
        if !give.is_empty() {
            nodes.push(line(give));
        }
        vec![block("{", nodes)]
    }
}

pub(super) const UNION: &str = "union { pthread_mutex_t m; pthread_rwlock_t rw; pthread_spinlock_t s; int word; \
     struct { long before; pthread_mutex_t m; } later; } lu;";
