//! The graph as text: threads with their nodes, what must not happen, where the unfolding stopped.
//!
//! Terms are written as expressions. One that is used more than once, or is deep, has a name and is written out at the end.

use crate::event::{CellId, LimitKind, NodeId, ObjectId};
use crate::graph::EventGraph;
use cranelift_entity::EntityRef;
use rustc_hash::FxHashMap;
use std::fmt::Write;
use tp_ir::{BinOp, MemoryOrder, PlaceId, Program, Width};
use tp_terms::{Relation, Term, TermKind};

/// A term of at most this depth is written out wherever it is used.
const SMALL: u32 = 1;

/// A deeper term has a name, however often it is used.
const DEEP: u32 = 8;

pub fn text(program: &Program, graph: &EventGraph) -> String {
    let mut printer = Printer::new(program, graph);
    printer.threads();
    printer.rest();
    printer.definitions();
    printer.text
}

struct Printer<'a> {
    program: &'a Program,
    graph: &'a EventGraph,
    text: String,
    uses: FxHashMap<Term, u32>,
    depths: FxHashMap<Term, u32>,
    /// Unknowns and objects have numbers in the order in which they are first shown.
    variables: FxHashMap<usize, usize>,
    objects: FxHashMap<ObjectId, usize>,
    /// Terms with names, in the order of the names.
    named: Vec<Term>,
    numbers: FxHashMap<Term, usize>,
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program, graph: &'a EventGraph) -> Printer<'a> {
        let mut printer = Printer {
            program,
            graph,
            text: String::new(),
            uses: FxHashMap::default(),
            depths: FxHashMap::default(),
            variables: FxHashMap::default(),
            objects: FxHashMap::default(),
            named: Vec::new(),
            numbers: FxHashMap::default(),
        };
        for root in roots(graph) {
            printer.count(root);
        }
        printer
    }

    /// Counts how often terms are used, and how deep they are: the depth of a term follows from those of its parts.
    fn count(&mut self, root: Term) {
        let mut open = vec![(root, false)];
        while let Some((term, are_parts_done)) = open.pop() {
            let parts = self.graph.terms().kind(term).parts();
            if are_parts_done {
                let depth = parts.map(|part| self.depths[&part] + 1).max().unwrap_or(0);
                self.depths.insert(term, depth);
                continue;
            }
            let uses = self.uses.entry(term).or_default();
            *uses += 1;
            if *uses == 1 {
                open.push((term, true));
                open.extend(parts.map(|part| (part, false)));
            }
        }
    }

    fn threads(&mut self) {
        for (thread, data) in self.graph.threads() {
            let started = data.parent.map_or(String::new(), |node| format!(", started by {node}"));
            self.line(&format!("thread {}{started}", thread.index()));
            let nodes: Vec<NodeId> = self
                .graph
                .nodes()
                .iter()
                .filter(|(_, node)| node.thread == thread)
                .map(|(id, _)| id)
                .collect();
            for node in nodes {
                self.node(node);
            }
        }
    }

    fn node(&mut self, id: NodeId) {
        let graph = self.graph;
        let node = &graph.nodes()[id];
        let when = self.when(node.guard);
        let place = self.place(node.place);
        self.line(&format!("  {id}{place}{when}"));
        for read in graph.reads().iter().filter(|read| read.node == id) {
            let (cell, value) = (self.cell(read.cell), self.term(read.value));
            let when = if read.guard == node.guard { String::new() } else { self.when(read.guard) };
            self.line(&format!("    read {cell} = {value}{}{when}", order(read.order)));
        }
        for write in graph.writes().iter().filter(|write| write.node == id) {
            let (cell, value) = (self.cell(write.cell), self.term(write.value));
            let when = if write.guard == node.guard { String::new() } else { self.when(write.guard) };
            self.line(&format!("    write {cell} := {value}{}{when}", order(write.order)));
        }
        for started in graph.started().iter().filter(|started| started.node == id) {
            let thread = started
                .thread
                .map_or("a thread that is not unfolded".to_owned(), |t| format!("thread {}", t.index()));
            self.line(&format!("    starts {thread}"));
        }
        for wait in graph.waits().iter().filter(|wait| wait.node == id) {
            let when = self.when(wait.blocked);
            self.line(&format!("    waits{when}"));
        }
        for (_, order) in graph.fences().iter().filter(|fence| fence.0 == id) {
            self.line(&format!("    fence {}", order.word()));
        }
        for (_, guard) in graph.exits().iter().filter(|exit| exit.0 == id) {
            let when = self.when(*guard);
            self.line(&format!("    ends the program{when}"));
        }
    }

    fn rest(&mut self) {
        let graph = self.graph;
        for input in graph.inputs() {
            let (value, when) = (self.term(input.value), self.when(input.guard));
            self.line(&format!("input {value} of thread {}{when}", input.thread.index()));
        }
        for spin in graph.spins() {
            let when = self.when(spin.guard);
            let nodes = format!("{} to before {}", spin.from, spin.to);
            self.line(&format!("spins: thread {}, {nodes}{when}", spin.thread.index()));
        }
        for (id, cell) in graph.cells() {
            let is_used = graph.reads().iter().any(|read| read.cell == id)
                || graph.writes().iter().any(|w| w.cell == id);
            if is_used {
                let (name, first) = (self.cell(id), self.term(cell.first));
                self.line(&format!("initially {name} = {first}"));
            }
        }
        for &assumption in graph.assumptions() {
            let assumption = self.term(assumption);
            self.line(&format!("always {assumption}"));
        }
        for claim in graph.claims() {
            let (place, when) = (self.place(claim.place), self.when(claim.fails));
            self.line(&format!("fails {} with {}{place}{when}", claim.property.word(), claim.node));
        }
        for limit in graph.limits() {
            let kind = match &limit.kind {
                LimitKind::Loop => "bound reached".to_owned(),
                LimitKind::Gap(what) => format!("not supported: {what}"),
                LimitKind::Unmodelled(function) => format!("no model for {function}"),
                LimitKind::Undefined(what) => format!("undefined: {what}"),
                LimitKind::Open(property, what) => format!("open: {}: {what}", property.word()),
            };
            let (place, when) = (self.place(limit.place), self.when(limit.reached));
            self.line(&format!("limit with {}{place}: {kind}{when}", limit.node));
        }
    }

    fn definitions(&mut self) {
        let mut next = 0;
        while let Some(&term) = self.named.get(next) {
            let value = self.expression(term, 0);
            next += 1;
            self.line(&format!("t{next} = {value}"));
        }
    }

    fn line(&mut self, line: &str) {
        // Writing to a `String` cannot fail.
        let _ = writeln!(self.text, "{line}");
    }

    /// ` when …`, unless it always holds.
    fn when(&mut self, guard: Term) -> String {
        match self.graph.terms().as_const(guard) {
            Some(1) => String::new(),
            _ => format!(" when {}", self.term(guard)),
        }
    }

    /// ` at file.c:12`.
    fn place(&self, place: PlaceId) -> String {
        let place = self.program.line_text(place);
        let name = place.as_deref().map(|place| place.rsplit('/').next().unwrap_or(place));
        name.map_or(String::new(), |name| format!(" at {name}"))
    }

    /// The object, with a range of bytes if the cell is only a part of it.
    fn cell(&mut self, cell: CellId) -> String {
        let cell = &self.graph.cells()[cell];
        let object = self.object(cell.object);
        match (cell.offset, u64::from(cell.bytes) >= self.graph.objects()[cell.object].size) {
            (0, true) => object,
            (offset, _) => format!("{object}[{offset}..{}]", offset + u64::from(cell.bytes)),
        }
    }

    fn object(&mut self, object: ObjectId) -> String {
        let data = &self.graph.objects()[object];
        match (data.global, data.function) {
            (Some(global), _) => self.program.globals[global].name.to_string(),
            (_, Some(function)) => self.program.functions[function].name.to_string(),
            _ => {
                let next = self.objects.len() + 1;
                format!("object{}", self.objects.entry(object).or_insert(next))
            }
        }
    }

    /// A term, or its name.
    fn term(&mut self, term: Term) -> String {
        self.nested(term, 0)
    }

    fn nested(&mut self, term: Term, binds: u8) -> String {
        if let Some(number) = self.numbers.get(&term) {
            return format!("t{}", number + 1);
        }
        let (depth, uses) = (self.depths[&term], self.uses[&term]);
        if depth > DEEP || depth > SMALL && uses > 1 {
            self.numbers.insert(term, self.named.len());
            self.named.push(term);
            return format!("t{}", self.named.len());
        }
        self.expression(term, binds)
    }

    /// In brackets if `binds` is not zero and the term is an infix expression.
    fn expression(&mut self, term: Term, binds: u8) -> String {
        let terms = &self.graph.terms();
        let text = match terms.kind(term) {
            TermKind::Const(Width::BOOL, bits) => {
                return if bits.value() == 1 { "true" } else { "false" }.into();
            }
            TermKind::Const(_, bits) => return bits.value().to_string(),
            TermKind::Var(variable) => {
                let next = self.variables.len() + 1;
                return format!("v{}", self.variables.entry(variable.index()).or_insert(next));
            }
            TermKind::Not(a) => {
                let not = if terms.width(a) == Width::BOOL { "!" } else { "~" };
                return format!("{not}{}", self.nested(a, 2));
            }
            TermKind::Concat(high, low) if terms.as_const(high) == Some(0) => {
                return format!("zext{}({})", terms.width(term).bits(), self.nested(low, 0));
            }
            TermKind::SignExtend(a, width) => return format!("sext{}({})", width.bits(), self.nested(a, 0)),
            TermKind::Extract { of, low, width } => {
                let end = u32::from(low) + width.bits();
                return format!("{}[{low}..{end}]", self.nested(of, 2));
            }
            TermKind::Concat(high, low) => format!("{} ++ {}", self.nested(high, 1), self.nested(low, 1)),
            TermKind::Binary(op, a, b) => {
                format!("{} {} {}", self.nested(a, 1), operator(op), self.nested(b, 1))
            }
            TermKind::Compare(relation, a, b) => {
                let sign = match relation {
                    Relation::Eq => "==",
                    Relation::Ult => "<",
                    Relation::Slt => "<s",
                };
                format!("{} {sign} {}", self.nested(a, 1), self.nested(b, 1))
            }
            TermKind::Ite(c, a, b) => {
                format!("{} ? {} : {}", self.nested(c, 1), self.nested(a, 1), self.nested(b, 1))
            }
        };
        if binds > 0 { format!("({text})") } else { text }
    }
}

/// All terms that are shown.
fn roots(graph: &EventGraph) -> Vec<Term> {
    let mut roots: Vec<Term> = graph.nodes().values().map(|node| node.guard).collect();
    roots.extend(graph.reads().iter().flat_map(|read| [read.guard, read.value]));
    roots.extend(graph.writes().iter().flat_map(|write| [write.guard, write.value]));
    roots.extend(graph.waits().iter().map(|wait| wait.blocked));
    roots.extend(graph.exits().iter().map(|exit| exit.1));
    roots.extend(graph.inputs().iter().flat_map(|input| [input.guard, input.value]));
    roots.extend(graph.spins().iter().map(|spin| spin.guard));
    roots.extend(graph.cells().values().map(|cell| cell.first));
    roots.extend(graph.assumptions());
    roots.extend(graph.claims().iter().map(|claim| claim.fails));
    roots.extend(graph.limits().iter().map(|limit| limit.reached));
    roots
}

/// ` (acquire)`; nothing for an ordinary access.
fn order(order: MemoryOrder) -> String {
    match order {
        MemoryOrder::Plain => String::new(),
        other => format!(" ({})", other.word()),
    }
}

fn operator(op: BinOp) -> &'static str {
    match op {
        BinOp::Add => "+",
        BinOp::Sub => "-",
        BinOp::Mul => "*",
        BinOp::And => "&",
        BinOp::Or => "|",
        BinOp::Xor => "^",
        BinOp::Shl => "<<",
        BinOp::LShr => ">>",
        BinOp::AShr => ">>s",
        BinOp::UDiv => "/",
        BinOp::SDiv => "/s",
        BinOp::URem => "%",
        BinOp::SRem => "%s",
    }
}
