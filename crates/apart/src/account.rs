//! The facts of the analysis, written down so that others can check that they hold: program points, the facts at each,
//! and the edges between them. The crate `certify` says what each line means.
//!
//! Facts about what addresses decide are left out (`pointers`): an account that would need them is rejected.

mod lines;
mod pointers;

use crate::accesses::is_number;
use crate::ranks::ranks;
use std::collections::{BTreeMap, BTreeSet};
use tp_analysis::address::AddressBase;
use tp_analysis::callgraph::{AbstractThreadId, ContextId, InstSite};
use tp_analysis::escape::Escape;
use tp_analysis::footprint::{AccessMode, MemoryAccess, footprint};
use tp_analysis::joins::{JoinLoop, Rounds};
use tp_analysis::lockset::FlowState;
use tp_analysis::lockset::tests;
use tp_analysis::lockset::{LocksetVisitor, Locksets, writes_text};
use tp_analysis::pointsto::{PointsTo, PointsToSet, Taint};
use tp_analysis::threads::ThreadFacts;
use tp_ir::{BlockId, Body, Call, EntityRef, Inst, LockMode, Op, Operand, Reg, Terminator};
use tp_ir::{LockKind, SyncEffect};

/// The state before every instruction, and at the end of every block.
#[derive(Default)]
struct States {
    at: BTreeMap<InstSite, FlowState>,
    end: BTreeMap<(ContextId, BlockId), FlowState>,
}

impl LocksetVisitor for States {
    fn inst(&mut self, _: &Locksets<'_, '_>, site: InstSite, _: &Inst, state: &FlowState) {
        self.at.insert(site, state.clone());
    }

    fn effect(&mut self, _: &Locksets<'_, '_>, _: InstSite, _: &Call, _: SyncEffect, _: &FlowState) {}

    fn end(&mut self, context: ContextId, block: BlockId, state: &FlowState) {
        self.end.insert((context, block), state.clone());
    }
}

struct FlowEdge {
    from: usize,
    to: usize,
    word: &'static str,
    rest: String,
}

/// Whether a value may be only a part of an address; its objects, each with a base and a stride.
type Set = (bool, Vec<(usize, i64, u64)>);

struct Account<'a, 'f, 'p> {
    points_to: &'a PointsTo<'p>,
    threads: &'a ThreadFacts,
    locksets: &'a Locksets<'f, 'p>,
    states: States,
    points: Vec<(AbstractThreadId, FlowState)>,
    entries: BTreeMap<(ContextId, BlockId), usize>,
    /// By context: the points from which it returns.
    returns: BTreeMap<ContextId, Vec<usize>>,
    /// The point at which an object is allocated.
    made: BTreeMap<InstSite, usize>,
    edges: Vec<FlowEdge>,
    /// The context of the callee, the points before and after the call, and the call site.
    calls: Vec<(ContextId, usize, usize, InstSite)>,
    overs: Vec<(AbstractThreadId, usize)>,
    /// The instructions that write memory or start threads, each with the point before it.
    done: Vec<(InstSite, usize)>,
    /// The calls that store ids of threads in arrays, in the order of their lines.
    creates: Vec<InstSite>,
    /// Addresses near which locks are held, as contexts compute them.
    forms: BTreeMap<(ContextId, AddressBase), usize>,
    /// By context: the number of its first register.
    first: Vec<usize>,
    /// The points-to sets of registers and memory, numbered from 1; that of plain numbers is 0.
    sets: BTreeMap<Set, usize>,
}

/// The account of an analysis that has found no two accesses that may race.
pub fn account<'p>(
    points_to: &PointsTo<'p>,
    threads: &ThreadFacts,
    locksets: &Locksets<'_, 'p>,
    escape: &Escape,
) -> String {
    let mut states = States::default();
    locksets.visit(&mut states);
    let forms = forms(&states);
    let mut account = Account {
        points_to,
        threads,
        locksets,
        states,
        points: Vec::new(),
        entries: BTreeMap::new(),
        returns: BTreeMap::new(),
        made: BTreeMap::new(),
        edges: Vec::new(),
        calls: Vec::new(),
        overs: Vec::new(),
        done: Vec::new(),
        creates: Vec::new(),
        forms,
        first: Account::first_registers(points_to),
        sets: BTreeMap::new(),
    };
    account.places();
    account.returning();
    account.write(escape)
}

impl Account<'_, '_, '_> {
    fn point(&mut self, context: ContextId, state: &FlowState) -> usize {
        self.points.push((self.points_to.call_graph().thread_of(context), state.clone()));
        self.points.len() - 1
    }

    fn set(&mut self, points: &PointsToSet) -> usize {
        let places = points.iter().map(|(object, offset)| {
            let (base, stride) = offset.parts();
            (object.index(), base, stride)
        });
        let next = self.sets.len() + 1;
        match points.is_plain() {
            true => 0,
            false => *self.sets.entry((points.taint() != Taint::NONE, places.collect())).or_insert(next),
        }
    }

    /// How the address of an operand was computed, if locks are held near such addresses.
    fn form(&self, context: ContextId, operand: Operand) -> String {
        let address = if self.forms.is_empty() { None } else { self.locksets.address(context, operand) };
        let known = address.and_then(|(context, base, at)| Some((self.forms.get(&(context, base))?, at)));
        known.map_or(String::new(), |(form, at)| format!(" {form} {at}"))
    }

    fn forms_of(&self, context: ContextId) -> String {
        let forms = self.forms.iter().filter(|((of, _), _)| *of == context);
        forms.map(|(_, form)| format!(" {form}")).collect()
    }

    /// The forms whose address changes when these registers are assigned.
    fn renewed(&self, context: ContextId, registers: impl Iterator<Item = Reg>) -> String {
        let registers: Vec<Reg> = registers.collect();
        let is_renewed = |base: &AddressBase| registers.iter().any(|reg| base.uses(*reg));
        let forms = self.forms.iter().filter(|((of, base), _)| *of == context && is_renewed(base));
        forms.map(|(_, form)| format!(" {form}")).collect()
    }

    fn add(&mut self, from: usize, to: usize, word: &'static str, rest: String) {
        self.edges.push(FlowEdge { from, to, word, rest });
    }

    /// The state before an instruction, or at the end of its block.
    fn state(&self, body: &Body, site: InstSite) -> Option<FlowState> {
        match site.inst < body.blocks[site.block].insts.len() {
            true => self.states.at.get(&site).cloned(),
            false => self.states.end.get(&(site.context, site.block)).cloned(),
        }
    }

    fn places(&mut self) {
        let program = self.points_to.program();
        for context in self.points_to.call_graph().contexts() {
            let function = self.points_to.call_graph().function(context);
            let Some(body) = &program.functions[function].body else { continue };
            for block in body.blocks.keys() {
                if let Some(state) = self.state(body, InstSite { context, block, inst: 0 }) {
                    let point = self.point(context, &state);
                    self.entries.insert((context, block), point);
                }
            }
        }
        for (&(context, block), &point) in &self.entries.clone() {
            let function = self.points_to.call_graph().function(context);
            let Some(body) = &program.functions[function].body else { continue };
            self.block(context, body, block, point);
        }
    }

    fn block(&mut self, context: ContextId, body: &Body, block: BlockId, entry: usize) {
        let mut here = entry;
        for (inst, row) in body.blocks[block].insts.iter().enumerate() {
            let site = InstSite { context, block, inst };
            if let Op::Alloca { .. } | Op::HeapAlloc { .. } = row.op {
                self.made.insert(site, here);
            }
            let after = self.state(body, InstSite { inst: inst + 1, ..site });
            if let Op::ThreadExit = row.op {
                self.overs.push((self.points_to.call_graph().thread_of(context), here));
            }
            let renewed = self.renewed(context, row.results());
            if !is_a_step(&row.op) && after.is_some() && renewed.is_empty() {
                continue;
            }
            let mut next = after.as_ref().map(|state| self.point(context, state));
            self.inst(site, row, here, next);
            if let (Some(from), Some(state), false) = (next, &after, renewed.is_empty()) {
                let to = self.point(context, state);
                self.add(from, to, "renew", renewed);
                next = Some(to);
            }
            match next {
                Some(next) => here = next,
                None => return,
            }
        }
        let terminator = &body.blocks[block].terminator;
        if let Terminator::Return(_) = terminator {
            self.returns.entry(context).or_default().push(here);
            let thread = self.points_to.call_graph().thread_of(context);
            if self.points_to.call_graph().root(thread) == context {
                self.overs.push((thread, here));
            }
        }
        let function = self.points_to.call_graph().function(context);
        let definitions = self.locksets.definitions(function);
        for (target, test) in tests(self.points_to.program(), definitions, terminator) {
            if let Some(&to) = self.entries.get(&(context, target)) {
                let here = self.leave(context, block, target, here);
                let renewed = self.renewed(context, body.blocks[target].params.iter().copied());
                let to = match renewed.is_empty() {
                    true => to,
                    false => {
                        let state = self.points[to].1.clone();
                        let between = self.point(context, &state);
                        self.add(between, to, "renew", renewed);
                        between
                    }
                };
                match test {
                    Some((reg, true)) if self.points[here].1.tried.contains_key(&(context, reg)) => {
                        self.add(here, to, "zero", format!(" {}", self.register(context, reg)));
                    }
                    _ => self.add(here, to, "go", String::new()),
                }
            }
        }
    }

    /// Where a loop that joins threads is left, there is an extra point. Returns it, or `here`.
    fn leave(&mut self, context: ContextId, block: BlockId, target: BlockId, here: usize) -> usize {
        let mut here = here;
        let waited = self.locksets.joins(context, block, target).to_vec();
        for JoinLoop { base, scale, rounds, creates, over } in waited {
            let Some(&entry) = self.entries.get(&(context, BlockId::new(0))) else { continue };
            let mut state = self.points[here].1.clone();
            over.iter().for_each(|thread| self.locksets.is_over(*thread, &mut state));
            let next = self.point(context, &state);
            let numbers: Vec<String> = creates.iter().map(|site| self.create(*site).to_string()).collect();
            let (word, range) = match rounds {
                Rounds::Range(start, end) => ("join-range", format!("{start} {end}")),
                Rounds::Alike => ("join-alike", numbers.join(" ")),
            };
            let base = self.word(context, base);
            self.add(here, next, word, format!(" {base} {scale} {entry} {range}"));
            here = next;
        }
        here
    }

    fn create(&mut self, site: InstSite) -> usize {
        match self.creates.iter().position(|known| *known == site) {
            Some(known) => known,
            None => {
                self.creates.push(site);
                self.creates.len() - 1
            }
        }
    }

    fn inst(&mut self, site: InstSite, inst: &Inst, from: usize, next: Option<usize>) {
        // Accesses of an instruction after which control ends still need an edge: to an extra point.
        let to = match next {
            Some(next) => next,
            None if footprint(self.points_to.program(), &inst.op).next().is_none() => from,
            None => {
                let state = self.points[from].1.clone();
                self.point(
                    site.context,
                    &FlowState {
                        locks: BTreeMap::new(),
                        tried: BTreeMap::new(),
                        held_near: BTreeMap::new(),
                        atomic: 0,
                        ..state
                    },
                )
            }
        };
        let is_write = |touch: MemoryAccess| touch.how.is_write();
        if footprint(self.points_to.program(), &inst.op).any(is_write)
            || matches!(inst.op, Op::ThreadStart { .. })
        {
            self.done.push((site, from));
        }
        for touch in footprint(self.points_to.program(), &inst.op) {
            let value = self.word(site.context, touch.pointer);
            let len = touch.len.map_or("-".to_owned(), |len| len.to_string());
            let how = match touch.how {
                AccessMode::Read(_) => "r",
                AccessMode::End => "e",
                _ if is_number(self.points_to, site) => "n",
                _ => "w",
            };
            let how = if touch.how.is_atomic() { how.to_ascii_uppercase() } else { how.to_owned() };
            let word = if self.locksets.is_of_locks(site.context) { "lock" } else { "access" };
            let form = self.form(site.context, touch.pointer);
            self.add(from, to, word, format!(" {value} {len} {how}{form}"));
        }
        match &inst.op {
            Op::AtomicBegin => self.add(from, to, "enter", String::new()),
            Op::AtomicEnd => self.add(from, to, "leave", String::new()),
            Op::ThreadStart { arg, .. } => {
                let id = self.word(site.context, *arg);
                let started: Vec<AbstractThreadId> = self.points_to.call_graph().started(site).collect();
                for thread in started {
                    self.add(from, to, "start", format!(" {} {id}", thread.index()));
                }
            }
            Op::Call(call) => {
                if writes_text(self.points_to, site, call) {
                    let rest =
                        call.args.iter().map(|arg| format!(" {}", self.word(site.context, *arg))).collect();
                    self.add(from, to, "text", rest);
                }
                let callees: Vec<ContextId> = self.points_to.call_graph().callees(site).collect();
                for callee in callees {
                    if let Some(&entry) = self.entries.get(&(callee, BlockId::new(0))) {
                        let renewed = self.forms_of(callee);
                        self.add(from, entry, if renewed.is_empty() { "go" } else { "renew" }, renewed);
                    }
                    if next.is_some() {
                        self.calls.push((callee, from, to, site));
                    }
                }
            }
            // Control continues, whatever else the instruction does.
            _ if from != to => self.add(from, to, "go", String::new()),
            _ => {}
        }
    }

    /// The return edges of calls.
    fn returning(&mut self) {
        let calls = self.calls.iter().map(|(callee, _, _, site)| (site.context.index(), callee.index()));
        let recursive = ranks(self.points_to.call_graph().context_count(), &calls.collect::<Vec<_>>());
        for (callee, before, to, site) in std::mem::take(&mut self.calls) {
            let Op::Call(call) = &self.points_to.inst(site).op else { continue };
            let effect = self.threads.effect(self.points_to.call_graph().function(callee));
            let value =
                |i: usize| call.args.get(i).map_or("-".to_owned(), |arg| self.word(site.context, *arg));
            let form = |i: usize| call.args.get(i).map_or(String::new(), |arg| self.form(site.context, *arg));
            let (word, rest) = match effect {
                Some(SyncEffect::Lock(i, mode, kind)) => {
                    let mode = if mode == LockMode::Exclusive { "w" } else { "r" };
                    ("take", format!(" {} {mode} {}{}", value(i), letter(kind), form(i)))
                }
                Some(SyncEffect::Unlock(i, kind)) => {
                    ("give", format!(" {before} {} {}{}", value(i), letter(kind), form(i)))
                }
                Some(SyncEffect::Reset(i, kind)) => ("reset", format!(" {} {}", value(i), letter(kind))),
                Some(SyncEffect::Wait(i)) => ("again", format!(" {before} {}{}", value(i), form(i))),
                Some(SyncEffect::Join) => ("join", format!(" {}", value(0))),
                Some(SyncEffect::Try(i, mode, kind)) if !call.results.is_empty() => {
                    let mode = if mode == LockMode::Exclusive { "w" } else { "r" };
                    let result = self.register(site.context, call.results[0]);
                    ("try", format!(" {} {mode} {} {result}", value(i), letter(kind)))
                }
                // Registers have the values of another activation of the same function.
                None if recursive[site.context.index()] == recursive[callee.index()] => {
                    ("anew", self.forms_of(callee))
                }
                Some(
                    SyncEffect::Try(..)
                    | SyncEffect::Create
                    | SyncEffect::Detach
                    | SyncEffect::DetachedAttributes,
                )
                | None => ("go", String::new()),
            };
            for from in self.returns.get(&callee).cloned().unwrap_or_default() {
                self.add(from, to, word, rest.clone());
            }
        }
    }
}

/// The addresses near which locks are held.
fn forms(states: &States) -> BTreeMap<(ContextId, AddressBase), usize> {
    let all = states.at.values().chain(states.end.values());
    let forms: BTreeSet<(ContextId, AddressBase)> =
        all.flat_map(|state| state.held_near.keys()).map(|(context, base, _)| (*context, *base)).collect();
    forms.into_iter().enumerate().map(|(number, form)| (form, number)).collect()
}

/// Whether an instruction does something that the account records.
fn is_a_step(op: &Op) -> bool {
    !matches!(
        op,
        Op::Binary { .. }
            | Op::Cmp { .. }
            | Op::FloatUnary { .. }
            | Op::FloatBinary { .. }
            | Op::FloatCmp { .. }
            | Op::Cast { .. }
            | Op::Select { .. }
            | Op::PtrAdd { .. }
            | Op::Alloca { .. }
            | Op::HeapAlloc { .. }
    )
}

fn letter(kind: LockKind) -> &'static str {
    match kind {
        LockKind::Mutex => "m",
        LockKind::ReadWrite => "w",
        LockKind::Spin => "s",
    }
}
