//! Output: formats with their arguments, sometimes with too few of them or to a null stream.

use super::Maker;
use crate::tree::{SourceNode, block, line};

/// Variadic functions that pass their arguments on: once, twice with `va_copy`, and twice without.
pub(super) fn declarations() -> Vec<SourceNode> {
    let once = ["va_list l;", "va_start(l, f);", "vprintf(f, l);", "va_end(l);"];
    let copied = [
        "char t[8];",
        "va_list l, c;",
        "va_start(l, f);",
        "va_copy(c, l);",
        "vsnprintf(t, sizeof t, f, l);",
        "vprintf(f, c);",
        "va_end(c);",
        "va_end(l);",
    ];
    let twice =
        ["va_list l;", "va_start(l, f);", "if (n) vprintf(f, l);", "i0 = va_arg(l, int);", "va_end(l);"];
    vec![
        block("static void say(const char *f, ...) {", once.map(line).into()),
        block("static void tell(const char *f, ...) {", copied.map(line).into()),
        block("static void follow(int n, const char *f, ...) {", twice.map(line).into()),
    ]
}

impl Maker {
    pub(super) fn print(&mut self) -> Vec<SourceNode> {
        let (r, v, x) = (self.local(), self.value(), self.shared());
        let is_short = self.chance(6);
        let given = |all: &str, fewer: &str| if is_short { fewer.to_owned() } else { all.to_owned() };
        let statement = match self.random.below(10) {
            0 => format!("printf(\"%d seats\\n\"{});", given(&format!(", {v}"), "")),
            1 => format!("printf(\"%d %d%%\\n\", {r}{});", given(&format!(", {v}"), "")),
            2 => format!("printf(\"%*d|%c\\n\", 2, {r}{});", given(", 'c'", "")),
            3 => format!("fprintf(stderr, \"%lld %p\\n\", 3LL{});", given(", (void *)&i0", "")),
            4 => format!("fprintf({}, \"%x\\n\", {v});", given("stderr", &format!("{r} ? stderr : 0"))),
            5 => format!("say(\"%d,%hd\\n\", {r}{});", given(", 1", "")),
            6 => format!("printf({r} ? \"%d\\n\" : \"%d %u\\n\", {r}{});", given(", 2u", "")),
            7 => format!("tell(\"%d,%d\\n\", {r}{});", given(", 1", "")),
            8 => format!("follow({}, \"%d\\n\", {v});", given("0", &r)),
            _ => format!("printf(\"%d\\n\", (int){x});"),
        };
        match self.chance(2) {
            true => vec![block(format!("if ({}) {{", self.condition()), vec![line(statement)])],
            false => vec![line(statement)],
        }
    }
}
