//! Statements, expressions and assertions.

use super::guard::locked;
use super::topics::{Topic, Topics};
use super::{Context, LOCALS, Maker, OUTCOME};
use crate::tree::{self, SourceNode, block, line};

impl Maker {
    pub(super) fn local(&mut self) -> String {
        self.pick(&LOCALS).to_string()
    }

    /// A shared variable of any type.
    pub(super) fn shared(&mut self) -> String {
        let variables = self.topics.variables.clone();
        let others = ["i0", "i1"];
        match self.random.below(5) {
            0 => self.pick(&others).to_string(),
            _ => self.pick(&variables).name.to_string(),
        }
    }

    /// A shared variable that is an int.
    pub(super) fn shared_int(&mut self) -> String {
        let ints: Vec<&str> =
            self.topics.variables.iter().filter(|v| v.ty == "int").map(|v| v.name).collect();
        match self.random.below(3) {
            0 if !ints.is_empty() => self.pick(&ints).to_string(),
            _ => self.pick(&["i0", "i1"]).to_string(),
        }
    }

    /// A value that needs no shared memory.
    pub(super) fn value(&mut self) -> String {
        match self.random.below(6) {
            0..=2 => self.random.below(4).to_string(),
            3..=4 => self.local(),
            _ => self.operation(1),
        }
    }

    fn operation(&mut self, depth: u32) -> String {
        let side = |m: &mut Maker| if depth > 0 { m.value_at(depth - 1) } else { m.local() };
        let (a, b) = (side(self), side(self));
        match self.random.below(13) {
            0 => format!("({a} + {b})"),
            1 => format!("({a} - {b})"),
            2 => format!("({a} * {b} & 7)"),
            3 => format!("({a} & {b})"),
            4 => format!("({a} | {b})"),
            5 => format!("({a} ^ {b})"),
            6 => format!("({a} == {b})"),
            7 => format!("({a} < {b})"),
            8 => format!("(({a}) / (({b} & 3) + 1))"),
            9 => format!("(({a}) % (({b} & 3) + 1))"),
            10 => format!("(({a} & 3) << ({b} & 3))"),
            11 => format!("({a} >> ({b} & 3))"),
            _ => format!("({a} ? {b} : ~{a})"),
        }
    }

    fn value_at(&mut self, depth: u32) -> String {
        match self.random.below(4) {
            0 => self.random.below(4).to_string(),
            1 if depth > 0 => self.operation(depth - 1),
            _ => self.local(),
        }
    }

    pub(super) fn condition(&mut self) -> String {
        let (x, c) = (self.shared(), self.random.below(3));
        let local = self.local();
        match self.random.below(5) {
            _ if self.needs_guard() => format!("{local} == {c}"),
            0 => format!("{x} == {c}"),
            1 => format!("{x} != {c}"),
            2 => format!("{x} > {c}"),
            3 => {
                self.left += 1;
                format!("{local} == {c}")
            }
            _ => format!("{x} < {local}"),
        }
    }

    /// An expression that reads shared memory, perhaps that of a topic.
    fn seen(&mut self) -> String {
        let topics = self.topics.chosen.clone();
        let topic = *self.pick(&topics);
        let of_topic = if self.chance(2) { &[] } else { Topics::sights(topic) };
        if of_topic.is_empty() { self.shared() } else { self.pick(of_topic).to_string() }
    }

    /// The statements, perhaps followed by an assertion or a claim.
    pub(super) fn with_assertion(&mut self, mut nodes: Vec<SourceNode>) -> Vec<SourceNode> {
        if self.chance(4) {
            nodes.extend(self.assertion());
        }
        if self.claims_now && self.chance(2) {
            let text = tree::print(&nodes);
            let changed = LOCALS.iter().find(|r| text.contains(&format!("{r} = ")));
            nodes.extend(self.outcome(changed.copied()));
        }
        nodes
    }

    /// Packs three values into one number, and claims that it is never `OUTCOME`. A program has one such claim.
    pub(super) fn outcome(&mut self, first: Option<&str>) -> Vec<SourceNode> {
        self.claims_now = false;
        let part = |m: &mut Maker| if m.chance(2) { m.seen() } else { m.local() };
        let (x, y, z) = (first.map_or_else(|| part(self), str::to_owned), part(self), part(self));
        let nodes = vec![
            line(format!("int end = ({x} & 7) | ({y} & 7) << 3 | ({z} & 7) << 6;")),
            line("outcome = end;"),
            line(format!("assert(end != {OUTCOME});")),
        ];
        if self.needs_guard() { vec![block("{", locked("m", nodes))] } else { nodes }
    }

    /// An assertion, if there may be one more.
    pub(super) fn assertion(&mut self) -> Option<SourceNode> {
        self.assertions = self.assertions.checked_sub(1)?;
        let claim = self.claim();
        Some(if self.needs_guard() { block("{", locked("m", vec![claim])) } else { claim })
    }

    fn claim(&mut self) -> SourceNode {
        let (x, y, r) = (self.seen(), self.seen(), self.local());
        let (c, d) = (self.random.below(4), self.random.below(4));
        let condition = match self.random.below(11) {
            9 | 10 => format!("{r} != {c}"),
            0 => format!("{x} == {c}"),
            1 => format!("{x} != {c}"),
            2 => format!("{x} + {y} <= {}", 2 + c),
            3 => format!("!({r} == {c} && {x} == {d})"),
            4 => format!("{r} != {}", 1 + c),
            5 => format!("{r} < {}", 2 + c),
            6 => format!("{x} || {r} != {c}"),
            7 => format!("{x} <= {c}"),
            _ => format!("!({x} == {c} && {y} == {d})"),
        };
        match self.chance(6) {
            true => block(format!("if (!({condition})) {{"), vec![line("reach_error();")]),
            false => line(format!("assert({condition});")),
        }
    }

    /// One statement, perhaps of several lines.
    pub(super) fn statement(&mut self, at: Context) -> Vec<SourceNode> {
        self.left -= 1;
        if at.depth < 2 && self.chance(8) {
            return self.under_guard(at, |m, at| m.branch(at));
        }
        let topics = self.topics.chosen.clone();
        if self.pointed && !self.in_main && self.chance(4) {
            return self.under_guard(at, |m, _| vec![m.through_argument()]);
        }
        if self.chance(5) {
            return self.under_guard(at, |m, _| vec![m.plain()]);
        }
        let topic = *self.pick(&topics);
        let made = match topic.waits() {
            true => self.about(topic, at),
            false => self.under_guard(at, |m, at| m.about(topic, at)),
        };
        if made.is_empty() {
            return self.under_guard(at, |m, _| vec![m.plain()]);
        }
        self.used.insert(topic);
        made
    }

    pub(super) fn body(&mut self, at: Context, most: u64) -> Vec<SourceNode> {
        let count = 1 + self.random.below(most);
        (0..count).flat_map(|_| self.statement(at)).collect()
    }

    pub(super) fn branch(&mut self, at: Context) -> Vec<SourceNode> {
        let condition = self.condition();
        let inside = Context { depth: at.depth + 1, ..at };
        let mut nodes = vec![block(format!("if ({condition}) {{"), self.body(inside, 2))];
        if self.chance(3) {
            nodes.push(block("else {", self.body(inside, 1)));
        }
        nodes
    }

    /// An access to a shared variable.
    pub(super) fn plain(&mut self) -> SourceNode {
        let (x, r, v) = (self.shared(), self.local(), self.value());
        self.left -= 1;
        line(match self.random.below(9) {
            0 | 1 => format!("{x} = {v};"),
            2 | 3 => format!("{r} = {x};"),
            4 => format!("{x}++;"),
            5 => format!("{x} += {v};"),
            6 => format!("{r} += {x};"),
            7 => format!("{x} = {} + {};", self.shared(), self.random.below(3)),
            _ => format!("{r} = {x} {} {r};", self.pick(&["^", "&", "|", "-", "=="])),
        })
    }

    /// An access through the pointer that the thread was given.
    fn through_argument(&mut self) -> SourceNode {
        let (v, r) = (self.value(), self.local());
        line(match self.random.below(3) {
            0 => format!("*(int *)arg = {v};"),
            1 => format!("{r} = *(int *)arg;"),
            _ => "++*(int *)arg;".to_owned(),
        })
    }

    fn about(&mut self, topic: Topic, at: Context) -> Vec<SourceNode> {
        match topic {
            Topic::Array => self.array(),
            Topic::Pointer => self.pointer(),
            Topic::PointerToPointer => self.pointer_to_pointer(),
            Topic::List if !at.atomic => self.list(),
            Topic::Struct if !at.atomic => self.structs(),
            Topic::Bytes => self.bytes(),
            Topic::Mutex if !at.atomic && matches!(at.locked, None | Some("m")) => self.mutex(at),
            Topic::Condition if !at.atomic && at.locked.is_none() => self.condition_variable(at),
            Topic::Semaphore if !at.atomic && at.locked.is_none() => self.semaphore(at),
            Topic::Atomic => self.atomic(),
            Topic::AtomicSection if !at.atomic => self.atomic_section(at),
            Topic::Assume => vec![line(format!("__VERIFIER_assume({});", self.reading_condition()))],
            Topic::Spin if !at.atomic && at.locked.is_none() && at.depth == 0 => self.spin(at),
            Topic::Loop => self.loops(at),
            Topic::Call => self.call(),
            Topic::FunctionPointer => self.function_pointer(),
            Topic::ThreadLocal => self.thread_local(),
            Topic::Heap => self.heap(),
            Topic::Input => self.input(),
            Topic::Moving => self.moving(),
            Topic::Address => self.address(),
            Topic::Fresh => self.fresh(at),
            Topic::Owned if !at.atomic && at.locked.is_none() => self.owned(),
            Topic::LockOrder if !at.atomic && at.locked.is_none() => self.lock_order(at),
            Topic::ReadWrite if !at.atomic && at.locked.is_none() => self.read_write(at),
            Topic::ReadFlag if !at.atomic => self.under_guard(at, |m, _| m.read_flag()),
            Topic::Timed if !at.atomic && at.locked.is_none() => self.timed(at),
            Topic::Ordering => self.ordering(),
            Topic::Overflow => self.overflow(),
            Topic::Division => self.division(),
            Topic::Bounds => self.bounds(),
            Topic::Null => self.null(),
            Topic::Freed => self.freed(),
            Topic::Scope => self.scopes(at),
            Topic::Barrier if !at.atomic && at.locked.is_none() => self.barrier(),
            Topic::Once if !at.atomic && at.locked.is_none() => self.once(),
            Topic::Key if !at.atomic => self.key(),
            Topic::Reuse if !at.atomic => self.reuse(),
            Topic::ObjectOrder => self.object_order(),
            Topic::Unwritten => self.unwritten(),
            Topic::Number if !at.atomic => self.number(),
            Topic::Seed if !at.atomic => self.seed(),
            Topic::Print if !at.atomic => self.print(),
            Topic::LockUnion if !at.atomic && at.locked.is_none() => self.lock_union(at),
            _ => Vec::new(),
        }
    }

    /// Between 0 and 3.
    pub(super) fn index(&mut self) -> String {
        match self.random.below(4) {
            0 => "__VERIFIER_nondet_int() & 3".into(),
            1 => format!("{} & 3", self.local()),
            2 => format!("{} & 1", self.shared()),
            _ => self.random.below(4).to_string(),
        }
    }

    fn array(&mut self) -> Vec<SourceNode> {
        let (i, v, r) = (self.index(), self.value(), self.local());
        vec![line(match self.random.below(5) {
            0 | 1 => format!("a[{i}] = {v};"),
            2 => format!("{r} = a[{i}];"),
            3 => format!("ca[{r} & 1] = {v};"),
            _ => format!("{r} = ca[{}] + a[{i}];", self.random.below(2)),
        })]
    }

    fn pointer(&mut self) -> Vec<SourceNode> {
        let (p, v, r) = (self.name("p"), self.value(), self.local());
        let (one, two) = (self.shared_int(), self.shared_int());
        match self.random.below(5) {
            0 => vec![line(format!("gp = &{one};"))],
            1 => vec![line(format!("*gp = {v};"))],
            2 => vec![line(format!("{r} = *gp;"))],
            3 => vec![line(format!("int *{p} = {r} ? &{one} : &{two};")), line(format!("*{p} = {v};"))],
            _ => vec![
                line(format!("int *{p} = __VERIFIER_nondet_bool() ? &{one} : gp;")),
                line(format!("{r} = *{p};")),
            ],
        }
    }

    fn pointer_to_pointer(&mut self) -> Vec<SourceNode> {
        let (v, r, x) = (self.value(), self.local(), self.shared_int());
        vec![line(match self.random.below(6) {
            0 => "pp = &kp;".to_owned(),
            1 => "pp = &hp;".to_owned(),
            2 => format!("*pp = &{x};"),
            3 => format!("**pp = {v};"),
            4 => format!("{r} = **pp;"),
            _ => format!("hp = &{x};"),
        })]
    }

    fn list(&mut self) -> Vec<SourceNode> {
        let (n, v, r) = (self.name("n"), self.value(), self.local());
        match self.random.below(4) {
            0 | 1 => vec![
                line(format!("struct node *{n} = malloc(sizeof *{n});")),
                line(format!("{n}->v = {v};")),
                line(format!("{n}->next = head;")),
                line(format!("head = {n};")),
            ],
            2 => vec![block(
                format!("for (struct node *{n} = head; {n}; {n} = {n}->next) {{"),
                vec![line(format!("{r} += {n}->v;"))],
            )],
            _ => vec![line(format!("head->v = {v};"))],
        }
    }

    fn structs(&mut self) -> Vec<SourceNode> {
        let (l, v, r) = (self.name("l"), self.value(), self.local());
        match self.random.below(7) {
            0 => vec![line("s = t;")],
            1 => vec![line(format!("struct pair {l} = s;")), line(format!("{r} = {l}.a + {l}.b;"))],
            2 => vec![line(format!("struct pair {l} = {{{v}, {v}, 1}};")), line(format!("t = {l};"))],
            3 => vec![line("memcpy(&t, &s, sizeof t);")],
            4 => vec![line(format!("s.b = {v};"))],
            5 => vec![line(format!("{r} = t.c;"))],
            _ => vec![line(format!("t.a = {v};"))],
        }
    }

    fn bytes(&mut self) -> Vec<SourceNode> {
        let (v, r, i) = (self.value(), self.local(), self.random.below(4));
        let x = self.shared_int();
        vec![line(match self.random.below(7) {
            0 => format!("((unsigned char *)&s)[{i}] = {v};"),
            1 => format!("{r} = ((unsigned char *)&s)[{i}];"),
            2 => format!("{r} = s.a;"),
            3 => format!("s.a = {v};"),
            4 => format!("((unsigned char *)&{x})[{}] = {v};", i % 2),
            5 => format!("{r} = ((unsigned char *)&{x})[{r} & 1];"),
            _ => format!("((unsigned char *)&s)[{r} & 3] = {v};"),
        })]
    }

    fn call(&mut self) -> Vec<SourceNode> {
        let (v, r, x) = (self.value(), self.local(), self.shared_int());
        vec![line(match self.random.below(4) {
            0 => format!("{r} = f0({v});"),
            1 => format!("{r} = f1({v});"),
            2 => format!("add(&{x}, {v});"),
            _ => format!("add(&{r}, {v});"),
        })]
    }

    fn function_pointer(&mut self) -> Vec<SourceNode> {
        let (v, r, g) = (self.value(), self.local(), self.name("g"));
        match self.random.below(4) {
            0 => vec![line("fp = f1;")],
            1 | 2 => vec![line(format!("{r} = fp({v});"))],
            _ => vec![
                line(format!("int (*{g})(int) = {} ? f0 : f1;", self.local())),
                line(format!("{r} = {g}({v});")),
            ],
        }
    }

    fn thread_local(&mut self) -> Vec<SourceNode> {
        let (v, r) = (self.value(), self.local());
        vec![line(match self.random.below(4) {
            0 => "tl++;".to_owned(),
            1 => format!("tl = {v};"),
            2 => format!("{r} = tl;"),
            _ => format!("{} = tl;", self.shared()),
        })]
    }

    fn heap(&mut self) -> Vec<SourceNode> {
        let (v, r) = (self.value(), self.local());
        vec![line(match self.random.below(4) {
            0 => format!("heap[{}] = {v};", self.random.below(2)),
            1 => format!("heap[{r} & 1] = {v};"),
            2 => format!("{r} = heap[{r} & 1];"),
            _ => "heap[0]++;".to_owned(),
        })]
    }

    fn input(&mut self) -> Vec<SourceNode> {
        let (x, r, u) = (self.shared(), self.local(), self.name("u"));
        match self.random.below(5) {
            0 => vec![line(format!("{x} = __VERIFIER_nondet_bool();"))],
            1 => vec![line(format!("{r} = __VERIFIER_nondet_int() & 3;"))],
            2 => vec![line(format!("{r} += __VERIFIER_nondet_uchar() & 1;"))],
            3 => vec![line(format!("int {u};")), line(format!("{r} = {u} & 3;"))],
            _ => vec![line(format!("{x} += __VERIFIER_nondet_bool();"))],
        }
    }
}
