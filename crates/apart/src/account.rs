//! The facts of the analysis, written down so that others can check that they hold: points of the program, what each of
//! them knows, and the ways between them. The crate `certify` says what each line means.
//!
//! What addresses decide is left out (`pointers`): where a proof needs it, what is written is refused.

mod lines;
mod pointers;

use crate::accesses::is_number;
use crate::flow::{Flow, Watch, writes_text};
use crate::frames::{FrameId, Site, ThreadId};
use crate::joins::{Rounds, Waited};
use crate::marks::Marks;
use crate::models::{Effect, Kind};
use crate::points::Points;
use crate::ranks::ranks;
use crate::solved::Solved;
use crate::state::State;
use crate::tested::tests;
use crate::touched::{How, Touch, touched};
use std::collections::{BTreeMap, BTreeSet};
use tp_analysis::address::Base;
use tp_ir::{BlockId, Body, Call, EntityRef, Inst, LockMode, Op, Operand, Reg, Terminator};

/// What holds at every instruction, and at the end of every block.
#[derive(Default)]
struct States {
    at: BTreeMap<Site, State>,
    end: BTreeMap<(FrameId, BlockId), State>,
}

impl Watch for States {
    fn inst(&mut self, _: &Flow<'_, '_>, site: Site, _: &Inst, state: &State) {
        self.at.insert(site, state.clone());
    }

    fn effect(&mut self, _: &Flow<'_, '_>, _: Site, _: &Call, _: Effect, _: &State) {}

    fn end(&mut self, frame: FrameId, block: BlockId, state: &State) {
        self.end.insert((frame, block), state.clone());
    }
}

struct Way {
    from: usize,
    to: usize,
    word: &'static str,
    rest: String,
}

/// Objects, each with a base and a stride; and whether it may be part of an address.
type Set = (bool, Vec<(u32, i64, u64)>);

struct Account<'a, 'f, 'p> {
    solved: &'a Solved<'p>,
    flow: &'a Flow<'f, 'p>,
    effects: &'a [Option<Effect>],
    states: States,
    points: Vec<(ThreadId, State)>,
    entries: BTreeMap<(FrameId, BlockId), usize>,
    /// By frame: the points from which it returns.
    returns: BTreeMap<FrameId, Vec<usize>>,
    /// The point that an object is made at.
    made: BTreeMap<Site, usize>,
    ways: Vec<Way>,
    /// The frame that is called, the point before, the point where control comes back to, and the call.
    calls: Vec<(FrameId, usize, usize, Site)>,
    overs: Vec<(ThreadId, usize)>,
    /// Where memory is written and threads are started: the instruction, and the point that it is done from.
    done: Vec<(Site, usize)>,
    /// The calls that put ids of threads into arrays, in the order of their lines.
    creates: Vec<Site>,
    /// Addresses that locks are held beside, as frames compute them.
    forms: BTreeMap<(FrameId, Base), usize>,
    /// By frame: the number of its first register.
    first: Vec<usize>,
    /// The sets that registers and memory have, numbered from 1; that of numbers is 0.
    sets: BTreeMap<Set, usize>,
}

/// The account of an analysis that has found no two accesses that may race.
pub fn account<'p>(
    solved: &Solved<'p>,
    flow: &mut Flow<'_, 'p>,
    effects: &[Option<Effect>],
    escaped: &[bool],
) -> String {
    let mut states = States::default();
    flow.watch(&mut states);
    let forms = forms(&states);
    let mut account = Account {
        solved,
        flow,
        effects,
        states,
        points: Vec::new(),
        entries: BTreeMap::new(),
        returns: BTreeMap::new(),
        made: BTreeMap::new(),
        ways: Vec::new(),
        calls: Vec::new(),
        overs: Vec::new(),
        done: Vec::new(),
        creates: Vec::new(),
        forms,
        first: Account::first_registers(solved),
        sets: BTreeMap::new(),
    };
    account.places();
    account.returning();
    account.write(escaped)
}

impl Account<'_, '_, '_> {
    fn point(&mut self, frame: FrameId, state: &State) -> usize {
        self.points.push((self.solved.frames.frame(frame).thread, state.clone()));
        self.points.len() - 1
    }

    fn set(&mut self, points: &Points) -> usize {
        let places = points.iter().map(|(object, offset)| {
            let (base, stride) = offset.parts();
            (object.0, base, stride)
        });
        let next = self.sets.len() + 1;
        match points.is_plain() {
            true => 0,
            false => *self.sets.entry((points.marks != Marks::NONE, places.collect())).or_insert(next),
        }
    }

    /// How the address of an operand was computed, if locks are held beside such addresses.
    fn form(&self, frame: FrameId, operand: Operand) -> String {
        let address = if self.forms.is_empty() { None } else { self.flow.address(frame, operand) };
        let known = address.and_then(|(frame, base, at)| Some((self.forms.get(&(frame, base))?, at)));
        known.map_or(String::new(), |(form, at)| format!(" {form} {at}"))
    }

    fn forms_of(&self, frame: FrameId) -> String {
        let forms = self.forms.iter().filter(|((of, _), _)| *of == frame);
        forms.map(|(_, form)| format!(" {form}")).collect()
    }

    /// The forms that are another address when these registers are assigned.
    fn renewed(&self, frame: FrameId, registers: impl Iterator<Item = Reg>) -> String {
        let registers: Vec<Reg> = registers.collect();
        let is_renewed = |base: &Base| registers.iter().any(|reg| base.uses(*reg));
        let forms = self.forms.iter().filter(|((of, base), _)| *of == frame && is_renewed(base));
        forms.map(|(_, form)| format!(" {form}")).collect()
    }

    fn add(&mut self, from: usize, to: usize, word: &'static str, rest: String) {
        self.ways.push(Way { from, to, word, rest });
    }

    /// What holds before an instruction, or before the end of its block.
    fn state(&self, body: &Body, site: Site) -> Option<State> {
        match site.inst < body.blocks[site.block].insts.len() {
            true => self.states.at.get(&site).cloned(),
            false => self.states.end.get(&(site.frame, site.block)).cloned(),
        }
    }

    fn places(&mut self) {
        let program = self.solved.program;
        for frame in self.solved.frames.ids() {
            let function = self.solved.frames.frame(frame).function;
            let Some(body) = &program.functions[function].body else { continue };
            for block in body.blocks.keys() {
                if let Some(state) = self.state(body, Site { frame, block, inst: 0 }) {
                    let point = self.point(frame, &state);
                    self.entries.insert((frame, block), point);
                }
            }
        }
        for (&(frame, block), &point) in &self.entries.clone() {
            let function = self.solved.frames.frame(frame).function;
            let Some(body) = &program.functions[function].body else { continue };
            self.block(frame, body, block, point);
        }
    }

    fn block(&mut self, frame: FrameId, body: &Body, block: BlockId, entry: usize) {
        let mut here = entry;
        for (inst, row) in body.blocks[block].insts.iter().enumerate() {
            let site = Site { frame, block, inst };
            if let Op::Alloca { .. } | Op::HeapAlloc { .. } = row.op {
                self.made.insert(site, here);
            }
            let after = self.state(body, Site { inst: inst + 1, ..site });
            if let Op::ThreadExit = row.op {
                self.overs.push((self.solved.frames.frame(frame).thread, here));
            }
            let renewed = self.renewed(frame, row.results());
            if !is_a_step(&row.op) && after.is_some() && renewed.is_empty() {
                continue;
            }
            let mut next = after.as_ref().map(|state| self.point(frame, state));
            self.inst(site, row, here, next);
            if let (Some(from), Some(state), false) = (next, &after, renewed.is_empty()) {
                let to = self.point(frame, state);
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
            self.returns.entry(frame).or_default().push(here);
            let thread = self.solved.frames.frame(frame).thread;
            if self.solved.frames.thread(thread).root == frame {
                self.overs.push((thread, here));
            }
        }
        let function = self.solved.frames.frame(frame).function;
        let definitions = self.flow.definitions.get(&function);
        for (target, test) in tests(self.solved.program, definitions, terminator) {
            if let Some(&to) = self.entries.get(&(frame, target)) {
                let here = self.leave(frame, block, target, here);
                let renewed = self.renewed(frame, body.blocks[target].params.iter().copied());
                let to = match renewed.is_empty() {
                    true => to,
                    false => {
                        let state = self.points[to].1.clone();
                        let between = self.point(frame, &state);
                        self.add(between, to, "renew", renewed);
                        between
                    }
                };
                match test {
                    Some((reg, true)) if self.points[here].1.tried.contains_key(&(frame, reg)) => {
                        self.add(here, to, "zero", format!(" {}", self.register(frame, reg)));
                    }
                    _ => self.add(here, to, "go", String::new()),
                }
            }
        }
    }

    /// A loop that waits for threads is left for a point of its own.
    fn leave(&mut self, frame: FrameId, block: BlockId, target: BlockId, here: usize) -> usize {
        let mut here = here;
        let waited = self.flow.joins.get(&(frame, block, target)).cloned().unwrap_or_default();
        for Waited { base, scale, rounds, creates, over } in waited {
            let Some(&entry) = self.entries.get(&(frame, BlockId::new(0))) else { continue };
            let mut state = self.points[here].1.clone();
            over.iter().for_each(|thread| self.flow.is_over(*thread, &mut state));
            let next = self.point(frame, &state);
            let numbers: Vec<String> = creates.iter().map(|site| self.create(*site).to_string()).collect();
            let (word, range) = match rounds {
                Rounds::Range(start, end) => ("join-range", format!("{start} {end}")),
                Rounds::Alike => ("join-alike", numbers.join(" ")),
            };
            let base = self.word(frame, base);
            self.add(here, next, word, format!(" {base} {scale} {entry} {range}"));
            here = next;
        }
        here
    }

    fn create(&mut self, site: Site) -> usize {
        match self.creates.iter().position(|known| *known == site) {
            Some(known) => known,
            None => {
                self.creates.push(site);
                self.creates.len() - 1
            }
        }
    }

    fn inst(&mut self, site: Site, inst: &Inst, from: usize, next: Option<usize>) {
        // What is done before control ends is done as well: to a point of its own.
        let to = match next {
            Some(next) => next,
            None if touched(self.solved.program, &inst.op).next().is_none() => from,
            None => {
                let state = self.points[from].1.clone();
                self.point(
                    site.frame,
                    &State {
                        locks: BTreeMap::new(),
                        tried: BTreeMap::new(),
                        held_near: BTreeMap::new(),
                        atomic: 0,
                        ..state
                    },
                )
            }
        };
        let is_write = |touch: Touch| touch.how.is_write();
        if touched(self.solved.program, &inst.op).any(is_write) || matches!(inst.op, Op::ThreadStart { .. }) {
            self.done.push((site, from));
        }
        for touch in touched(self.solved.program, &inst.op) {
            let value = self.word(site.frame, touch.pointer);
            let len = touch.len.map_or("-".to_owned(), |len| len.to_string());
            let how = match touch.how {
                How::Read(_) => "r",
                How::End => "e",
                _ if is_number(self.solved, site) => "n",
                _ => "w",
            };
            let how = if touch.how.is_atomic() { how.to_ascii_uppercase() } else { how.to_owned() };
            let word = if self.flow.is_of_locks(site.frame) { "lock" } else { "access" };
            let form = self.form(site.frame, touch.pointer);
            self.add(from, to, word, format!(" {value} {len} {how}{form}"));
        }
        match &inst.op {
            Op::AtomicBegin => self.add(from, to, "enter", String::new()),
            Op::AtomicEnd => self.add(from, to, "leave", String::new()),
            Op::ThreadStart { arg, .. } => {
                let id = self.word(site.frame, *arg);
                let started: Vec<ThreadId> = self.solved.frames.started(site).collect();
                for thread in started {
                    self.add(from, to, "start", format!(" {} {id}", thread.0));
                }
            }
            Op::Call(call) => {
                if writes_text(self.solved, site, call) {
                    let rest =
                        call.args.iter().map(|arg| format!(" {}", self.word(site.frame, *arg))).collect();
                    self.add(from, to, "text", rest);
                }
                let callees: Vec<FrameId> = self.solved.frames.callees(site).collect();
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
            // Control goes on, whatever else is done.
            _ if from != to => self.add(from, to, "go", String::new()),
            _ => {}
        }
    }

    /// The ways back from functions that are called.
    fn returning(&mut self) {
        let calls = self.calls.iter().map(|(callee, _, _, site)| (site.frame.0 as usize, callee.0 as usize));
        let recursive = ranks(self.solved.frames.frames.len(), &calls.collect::<Vec<_>>());
        for (callee, before, to, site) in std::mem::take(&mut self.calls) {
            let Op::Call(call) = &self.solved.inst(site).op else { continue };
            let effect = self.effects[self.solved.frames.frame(callee).function.index()];
            let value = |i: usize| call.args.get(i).map_or("-".to_owned(), |arg| self.word(site.frame, *arg));
            let form = |i: usize| call.args.get(i).map_or(String::new(), |arg| self.form(site.frame, *arg));
            let (word, rest) = match effect {
                Some(Effect::Lock(i, mode, kind)) => {
                    let mode = if mode == LockMode::Exclusive { "w" } else { "r" };
                    ("take", format!(" {} {mode} {}{}", value(i), letter(kind), form(i)))
                }
                Some(Effect::Unlock(i, kind)) => {
                    ("give", format!(" {before} {} {}{}", value(i), letter(kind), form(i)))
                }
                Some(Effect::Reset(i, kind)) => ("reset", format!(" {} {}", value(i), letter(kind))),
                Some(Effect::Wait(i)) => ("again", format!(" {before} {}{}", value(i), form(i))),
                Some(Effect::Join) => ("join", format!(" {}", value(0))),
                Some(Effect::Try(i, mode, kind)) if !call.results.is_empty() => {
                    let mode = if mode == LockMode::Exclusive { "w" } else { "r" };
                    let result = self.register(site.frame, call.results[0]);
                    ("try", format!(" {} {mode} {} {result}", value(i), letter(kind)))
                }
                // Registers have the values of another call of the same function.
                None if recursive[site.frame.0 as usize] == recursive[callee.0 as usize] => {
                    ("anew", self.forms_of(callee))
                }
                Some(Effect::Try(..) | Effect::Create | Effect::Detach | Effect::DetachedAttributes)
                | None => ("go", String::new()),
            };
            for from in self.returns.get(&callee).cloned().unwrap_or_default() {
                self.add(from, to, word, rest.clone());
            }
        }
    }
}

/// The addresses that locks are held beside.
fn forms(states: &States) -> BTreeMap<(FrameId, Base), usize> {
    let all = states.at.values().chain(states.end.values());
    let forms: BTreeSet<(FrameId, Base)> =
        all.flat_map(|state| state.held_near.keys()).map(|(frame, base, _)| (*frame, *base)).collect();
    forms.into_iter().enumerate().map(|(number, form)| (form, number)).collect()
}

/// Whether an instruction does something that the account says.
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

fn letter(kind: Kind) -> &'static str {
    match kind {
        Kind::Mutex => "m",
        Kind::ReadWrite => "w",
        Kind::Spin => "s",
    }
}
