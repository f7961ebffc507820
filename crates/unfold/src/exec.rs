//! Functions, block by block. Paths that meet at a block in the same iterations of its loops are merged.

use crate::iterations::{Iteration, IterationStart};
use crate::knowledge::CreationSite;
use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::*;
use std::collections::BTreeMap;
use std::rc::Rc;
use tp_ir::cfg::Cfg;
use tp_ir::loops::LoopForest;
use tp_ir::{BlockId, Body, EntityRef, FuncId, Operand, OperandKind, Origin, Terminator};

/// The registers of a call; `None` before they are assigned.
pub(crate) type Regs = Vec<Option<Term>>;

/// A path that has reached the start of a block.
struct Pending {
    block: BlockId,
    state: State,
    regs: Regs,
    iterations: Vec<Iteration>,
}

/// A call in progress.
struct Activation<'b> {
    body: &'b Body,
    loops: Rc<LoopForest>,
    pending: BTreeMap<Vec<u32>, Vec<Pending>>,
    results: Option<(State, Vec<Term>)>,
}

/// Deeper calls are a limit, also where constants decide the recursion. The machine goes deeper (`RunLimits::max_depth` in
/// `tp_machine`): there a nested call costs a frame. Here it is followed again in every pass and for every bound, also if
/// the recursion never ends, in time that grows with the square of the depth: 2 seconds for 20,000 calls.
const MAX_DEPTH: usize = 400;

impl<'a> Pass<'a> {
    /// Executes a call. The state and the results where it returns; `None`: it does not.
    pub fn call(&mut self, state: State, function: FuncId, arguments: &[Term]) -> Alive<(State, Vec<Term>)> {
        let program = self.program;
        let f = &program.functions[function];
        let Some(body) = &f.body else {
            self.limit(&state, LimitKind::Unmodelled(f.name.to_string()));
            return Ok(None);
        };
        if self.undecided_calls(&state, function) > self.config.bound_in(&state) as usize {
            self.limit(&state, LimitKind::Loop);
            return Ok(None);
        }
        if self.thread.calls.len() >= MAX_DEPTH {
            self.limit(&state, LimitKind::Gap(Gap::NestedCalls(MAX_DEPTH)));
            return Ok(None);
        }
        self.out.entered.insert(function);
        let loops =
            self.loops.entry(function).or_insert_with(|| Rc::new(LoopForest::new(&Cfg::new(body)))).clone();
        let mut regs: Regs = vec![None; body.regs.len()];
        for (i, &param) in body.params.iter().enumerate() {
            let width = body.regs[param].ty.width(program.data_model);
            regs[param.index()] = Some(match arguments.get(i) {
                Some(&value) => self.out.terms.resize_unsigned(value, width),
                None => self.out.terms.variable(width),
            });
        }
        self.thread.calls.push((function, state.guard.len()));
        let locals = self.thread.locals.len();
        let mut act = Activation { body, loops, pending: BTreeMap::new(), results: None };
        let entry = Pending { block: BlockId::new(0), state, regs, iterations: Vec::new() };
        self.arrive(&mut act, entry, Vec::new());
        while let Some((_, paths)) = act.pending.pop_first() {
            for path in paths {
                self.run_block(&mut act, function, path)?;
            }
        }
        self.thread.calls.pop();
        let ended = self.thread.locals.split_off(locals);
        if let Some((state, _)) = &mut act.results {
            ended.into_iter().for_each(|object| self.set_ended(state, object, true));
        }
        Ok(act.results)
    }

    /// How many of the calls of this function that are under way were made under more conditions than the one before
    /// them, counting one that would be made here.
    fn undecided_calls(&self, state: &State, function: FuncId) -> usize {
        let conditions = self.thread.calls.iter().filter(|c| c.0 == function).map(|c| c.1);
        let next = conditions.clone().skip(1).chain([state.guard.len()]);
        conditions.zip(next).filter(|(before, after)| before < after).count()
    }

    pub fn operand(&mut self, regs: &Regs, operand: Operand) -> Term {
        match operand.kind() {
            // A register is assigned before it is used; the validator has made sure.
            OperandKind::Reg(r) => regs[r.index()].unwrap_or_else(|| self.out.terms.bool(false)),
            OperandKind::Const(c) => self.constant(c),
        }
    }

    fn run_block(
        &mut self,
        act: &mut Activation<'a>,
        function: FuncId,
        path: Pending,
    ) -> Result<(), Refusal> {
        let Pending { block: id, mut state, mut regs, iterations } = path;
        let block = &act.body.blocks[id];
        let is_user = self.program.functions[function].origin == Origin::User;
        for (index, inst) in block.insts.iter().enumerate() {
            self.spend()?;
            if is_user {
                self.thread.place = inst.place;
            }
            let site = CreationSite(mix(mix(function.as_u32() as u64, id.as_u32() as u64), index as u64));
            self.thread.site.push(site);
            if is_user {
                self.thread.site.drain(..self.thread.site.len() - 1);
            }
            let depth = self.thread.site.len();
            let next = self.execute(state, &mut regs, inst)?;
            self.thread.site.truncate(depth - 1);
            match next {
                Some(next) => state = next,
                None => return Ok(()),
            }
        }
        if is_user {
            self.thread.place = block.terminator_place;
        }
        self.leave(act, Pending { block: id, state, regs, iterations })
    }

    /// Executes the terminator of a block.
    fn leave(&mut self, act: &mut Activation<'a>, mut path: Pending) -> Result<(), Refusal> {
        self.spend()?;
        let terminator = &act.body.blocks[path.block].terminator;
        let mut ways: Vec<(Term, &tp_ir::Target)> = Vec::new();
        match terminator {
            Terminator::Jump(target) => ways.push((self.out_true(), target)),
            Terminator::Branch { cond, then, otherwise } => {
                let c = self.operand(&path.regs, *cond);
                let not = self.out.terms.not(c);
                ways.push((c, then));
                ways.push((not, otherwise));
            }
            Terminator::Switch(switch) => {
                let value = self.operand(&path.regs, switch.value);
                let mut none = self.out_true();
                for (case, target) in &switch.cases {
                    let here = self.equals(value, *case);
                    let not = self.out.terms.not(here);
                    none = self.out.terms.and(none, not);
                    ways.push((here, target));
                }
                ways.push((none, &switch.default));
            }
            Terminator::Return(values) => {
                let values = values.iter().map(|v| self.operand(&path.regs, *v)).collect();
                self.returned(act, path.state, values);
                return Ok(());
            }
            Terminator::Unreachable => {
                self.limit(&path.state, LimitKind::Undefined(UndefinedBehaviour::Unreachable));
                return Ok(());
            }
        }
        self.note_exits(act, &mut path, &ways);
        ways.retain(|w| self.out.terms.as_const(w.0) != Some(0));
        let last = ways.len().saturating_sub(1);
        let mut path = Some(path);
        for (i, (condition, target)) in ways.into_iter().enumerate() {
            let this = match &path {
                Some(p) if i < last => Pending {
                    block: p.block,
                    state: p.state.clone(),
                    regs: p.regs.clone(),
                    iterations: p.iterations.clone(),
                },
                _ => match path.take() {
                    Some(p) => p,
                    None => break,
                },
            };
            self.go(act, this, condition, target);
        }
        Ok(())
    }

    /// Notes the loops that a branch can leave, and whether a constant decides that.
    fn note_exits(&self, act: &Activation<'a>, path: &mut Pending, ways: &[(Term, &tp_ir::Target)]) {
        if ways.len() < 2 {
            return;
        }
        for iteration in &mut path.iterations {
            let leaves = |w: &&(Term, &tp_ir::Target)| !act.loops.heads(w.1.block).contains(&iteration.head);
            for (condition, _) in ways.iter().filter(leaves) {
                match self.out.terms.as_const(*condition) {
                    Some(_) => iteration.constant_exit = true,
                    None => iteration.open_exit = true,
                }
            }
        }
    }

    fn go(&mut self, act: &mut Activation<'a>, mut path: Pending, condition: Term, target: &tp_ir::Target) {
        if !path.state.guard.add(&mut self.out.terms, condition) {
            return;
        }
        let from = path.block;
        let values: Vec<Term> = target.args.iter().map(|a| self.operand(&path.regs, *a)).collect();
        let params = &act.body.blocks[target.block].params;
        let mut iterations = std::mem::take(&mut path.iterations);
        let heads = act.loops.heads(target.block);
        let common = iterations.iter().zip(heads).take_while(|(r, h)| r.head == **h).count();
        iterations.truncate(common);
        let goes_back = common > 0 && act.loops.position(target.block) <= act.loops.position(from);
        if goes_back && !self.another_iteration(&mut path.state, &mut iterations, target.block, &values) {
            return;
        }
        for (&param, &value) in params.iter().zip(&values) {
            path.regs[param.index()] = Some(value);
        }
        let begins = goes_back || heads.len() > common;
        if begins {
            let start = |head: BlockId| {
                Rc::new(IterationStart {
                    in_step: path.state.step.is_some(),
                    node: self.next_node(),
                    inputs: self.out.inputs.len(),
                    store: path.state.store.clone(),
                    effects: path.state.effects.clone(),
                    params: (head == target.block).then(|| values.iter().copied().map(Some).collect()),
                })
            };
            if goes_back && let Some(iteration) = iterations.last_mut() {
                iteration.start = start(iteration.head);
            }
            for &head in &heads[common..] {
                let start = start(head);
                iterations.push(Iteration {
                    head,
                    number: 0,
                    events: 0,
                    counted: self.events(),
                    instructions: self.instructions,
                    undecided: 0,
                    constant_exit: false,
                    open_exit: false,
                    start,
                });
            }
        }
        path.block = target.block;
        self.arrive(act, path, iterations);
    }

    pub fn events(&self) -> usize {
        self.out.reads.len() + self.out.writes.len()
    }

    fn arrive(&mut self, act: &mut Activation<'a>, mut path: Pending, iterations: Vec<Iteration>) {
        let mut key = Vec::with_capacity(2 * iterations.len() + 1);
        for iteration in &iterations {
            key.push(act.loops.position(iteration.head));
            key.push(iteration.number);
        }
        key.push(act.loops.position(path.block));
        path.iterations = iterations;
        let waiting = act.pending.entry(key).or_default();
        let partner = waiting.iter().position(|w| Self::can_merge(&w.state, &path.state));
        match partner {
            Some(i) => {
                let other = waiting.swap_remove(i);
                let merged = self.merge_paths(act.body, other, path);
                waiting.push(merged);
            }
            None => waiting.push(path),
        }
    }

    fn merge_paths(&mut self, body: &Body, a: Pending, b: Pending) -> Pending {
        let (state, first) = self.merge(a.state, b.state);
        let mut regs = a.regs;
        for (x, y) in regs.iter_mut().zip(b.regs) {
            *x = match (*x, y) {
                (Some(p), Some(q)) if p == q => Some(p),
                (Some(p), Some(q)) => Some(self.out.terms.ite(first, p, q)),
                _ => None,
            };
        }
        let mut iterations = a.iterations;
        for (r, s) in iterations.iter_mut().zip(b.iterations) {
            r.events = r.events.max(s.events);
            r.counted = r.counted.min(s.counted);
            r.instructions = r.instructions.min(s.instructions);
            r.undecided = r.undecided.max(s.undecided);
            r.constant_exit &= s.constant_exit;
            r.open_exit |= s.open_exit;
            if !Rc::ptr_eq(&r.start, &s.start) {
                // Paths that meet at the head of a loop begin the iteration together.
                let params = &body.blocks[a.block].params;
                let values = || params.iter().map(|p| regs[p.index()]).collect();
                r.start = Rc::new(IterationStart {
                    in_step: state.step.is_some(),
                    node: self.next_node(),
                    inputs: self.out.inputs.len(),
                    store: state.store.clone(),
                    effects: state.effects.clone(),
                    params: (r.head == a.block).then(values),
                });
            }
        }
        Pending { block: a.block, state, regs, iterations }
    }

    fn returned(&mut self, act: &mut Activation<'a>, state: State, values: Vec<Term>) {
        act.results = Some(match act.results.take() {
            None => (state, values),
            Some((other, others)) if Self::can_merge(&other, &state) => {
                let (state, first) = self.merge(other, state);
                let mut merged = Vec::new();
                for (x, y) in others.into_iter().zip(values) {
                    merged.push(if x == y { x } else { self.out.terms.ite(first, x, y) });
                }
                (state, merged)
            }
            Some(kept) => {
                // The function returns inside a step on one path and outside on another.
                self.limit(&state, LimitKind::Gap(Gap::SectionOnSomePaths));
                kept
            }
        });
    }
}

/// Hashes two numbers into one.
pub(crate) fn mix(a: u64, b: u64) -> u64 {
    let x = (a ^ 0x9e37_79b9_7f4a_7c15).wrapping_mul(0xbf58_476d_1ce4_e5b9) ^ b;
    (x ^ (x >> 29)).wrapping_mul(0x94d0_49bb_1331_11eb)
}
