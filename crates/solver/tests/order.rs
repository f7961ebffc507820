//! The order theory against brute force, and on programs for which weaker rules are not enough.

use std::cell::RefCell;
use std::rc::Rc;
use threadproof_solver::order::{Candidate, FinalCheck, OrderNode, OrderPropagator, OrderTheory};
use threadproof_solver::{Cadical, Lit, Sat, SatResult};

fn lit(n: i32) -> Lit {
    Lit::from_dimacs(n).expect("not zero")
}

/// A small program: threads are lists of steps; a step reads and writes places, reads first.
#[derive(Clone, Debug)]
struct Program {
    threads: Vec<Vec<Step>>,
    /// Fixed edges between steps, by their number.
    edges: Vec<(usize, usize)>,
}

#[derive(Clone, Debug, Default)]
struct Step {
    reads: Vec<u8>,
    writes: Vec<u8>,
    /// The step's writes happen only if this is chosen.
    guarded: bool,
}

/// Step numbers: 0 is the initial step, which writes every place; then thread by thread.
struct Steps<'a> {
    all: Vec<&'a Step>,
    first: Vec<usize>,
}

impl Program {
    fn steps(&self) -> Steps<'_> {
        let mut all = Vec::new();
        let mut first = Vec::new();
        for thread in &self.threads {
            first.push(all.len() + 1);
            all.extend(thread);
        }
        Steps { all, first }
    }
}

/// The choices of an execution: for each read (in step order) the step it reads from, and which guards are on.
type Choices = (Vec<usize>, Vec<bool>);

/// All choices that some total order allows, by trying every interleaving.
fn possible(program: &Program) -> std::collections::BTreeSet<Choices> {
    let steps = program.steps();
    let guarded: Vec<usize> = (0..steps.all.len()).filter(|&i| steps.all[i].guarded).collect();
    let mut found = std::collections::BTreeSet::new();
    for mask in 0..1u32 << guarded.len() {
        let on: Vec<bool> = (0..guarded.len()).map(|i| mask >> i & 1 == 1).collect();
        let active = |step: usize| guarded.iter().position(|&g| g == step).is_none_or(|i| on[i]);
        let mut position = vec![0; program.threads.len()];
        let mut last = [0usize; 8];
        let mut seen = vec![vec![]; steps.all.len()];
        interleave(program, &steps, &active, &mut position, &mut last, &mut seen, &mut vec![], &mut |seen| {
            found.insert((seen.concat(), on.clone()));
        });
    }
    found
}

#[expect(clippy::too_many_arguments, reason = "a recursion, with all that it changes in plain sight")]
fn interleave(
    program: &Program,
    steps: &Steps<'_>,
    active: &dyn Fn(usize) -> bool,
    position: &mut Vec<usize>,
    last: &mut [usize; 8],
    seen: &mut Vec<Vec<usize>>,
    done: &mut Vec<usize>,
    found: &mut dyn FnMut(&[Vec<usize>]),
) {
    if done.len() == steps.all.len() {
        found(seen);
        return;
    }
    for t in 0..program.threads.len() {
        if position[t] == program.threads[t].len() {
            continue;
        }
        let number = steps.first[t] + position[t];
        if program.edges.iter().any(|&(from, to)| to == number && !done.contains(&from)) {
            continue;
        }
        let step = steps.all[number - 1];
        seen[number - 1] = step.reads.iter().map(|&place| last[place as usize]).collect();
        let before = *last;
        if active(number - 1) {
            for &place in &step.writes {
                last[place as usize] = number;
            }
        }
        position[t] += 1;
        done.push(number);
        interleave(program, steps, active, position, last, seen, done, found);
        done.pop();
        position[t] -= 1;
        *last = before;
    }
}

/// The same program as the theory sees it: variables of read-from choices and guards.
struct Encoded {
    theory: OrderTheory,
    nodes: Vec<OrderNode>,
    /// For each read: its step, and (step it may read from, literal).
    reads: Vec<(usize, Vec<(usize, Lit)>)>,
    /// The guarded steps and their guards.
    guards: Vec<(usize, Lit)>,
    variables: i32,
}

fn encode(program: &Program, spare: i32) -> Encoded {
    let steps = program.steps();
    let mut theory = OrderTheory::new();
    let mut nodes = Vec::new();
    let start = theory.add_thread();
    nodes.push(theory.add_node(start));
    for thread in &program.threads {
        let chain = theory.add_thread();
        for i in 0..thread.len() {
            let node = theory.add_node(chain);
            if i == 0 {
                theory.add_order(nodes[0], node);
            }
            nodes.push(node);
        }
    }
    for &(from, to) in &program.edges {
        theory.add_order(nodes[from], nodes[to]);
    }
    let mut variables = 0;
    let mut fresh = || {
        variables += 1;
        lit(variables)
    };
    let guard_of: Vec<Option<Lit>> = steps.all.iter().map(|s| s.guarded.then(&mut fresh)).collect();
    let mut reads = Vec::new();
    for (i, step) in steps.all.iter().enumerate() {
        for &place in &step.reads {
            let mut choices = vec![(0, fresh())];
            let writers = steps.all.iter().enumerate().filter(|(j, s)| *j != i && s.writes.contains(&place));
            choices.extend(writers.map(|(j, _)| (j + 1, fresh())));
            let own = step.writes.contains(&place).then_some((i + 1, None));
            let mut candidates: Vec<Candidate> = choices
                .iter()
                .map(|&(w, reads_from)| Candidate {
                    write: nodes[w],
                    reads_from,
                    active: if w == 0 { None } else { guard_of[w - 1] },
                })
                .collect();
            // A write on the step of the read itself may be listed; it comes after the read.
            if let Some((w, active)) = own {
                candidates.push(Candidate { write: nodes[w], reads_from: fresh(), active });
            }
            theory.add_read(nodes[i + 1], candidates);
            reads.push((i + 1, choices));
        }
    }
    for _ in 0..spare {
        theory.add_spare_literal(fresh());
    }
    let guards = guard_of.into_iter().enumerate().filter_map(|(i, g)| Some((i + 1, g?))).collect();
    Encoded { theory, nodes, reads, guards, variables }
}

/// A plain search that enumerates all models: decides variables in order, one read-from choice true for each read, and
/// lets the theory propagate. Every reason is checked to be true when it is given.
struct Search {
    encoded: Encoded,
    value: Vec<Option<bool>>,
    level: usize,
    found: std::collections::BTreeSet<Choices>,
    pairs_used: usize,
}

impl Search {
    fn set(&mut self, literal: Lit, trail: &mut Vec<Lit>) {
        self.value[literal.var()] = Some(!literal.is_negative());
        self.encoded.theory.assign(literal);
        trail.push(literal);
    }

    fn is(&self, literal: Lit) -> Option<bool> {
        self.value[literal.var()].map(|v| v != literal.is_negative())
    }

    /// `false`: a conflict.
    fn propagate(&mut self, trail: &mut Vec<Lit>) -> bool {
        loop {
            match self.encoded.theory.propagate() {
                Err(conflict) => {
                    assert!(
                        conflict.iter().all(|&l| self.is(l) == Some(true)),
                        "a conflict among true literals"
                    );
                    return false;
                }
                Ok(implied) => {
                    let mut new = false;
                    for i in implied {
                        let because = self.encoded.theory.explain(&i).expect("it has just followed");
                        assert!(
                            because.iter().all(|&l| self.is(l) == Some(true)),
                            "a reason of true literals"
                        );
                        match self.is(i.literal) {
                            Some(true) => {}
                            Some(false) => return false,
                            None => {
                                self.set(i.literal, trail);
                                new = true;
                            }
                        }
                    }
                    if !new {
                        return true;
                    }
                }
            }
        }
    }

    /// At most one true reads-from literal for each read.
    fn clauses_hold(&self) -> bool {
        self.encoded
            .reads
            .iter()
            .all(|(_, choices)| choices.iter().filter(|(_, l)| self.is(*l) == Some(true)).count() <= 1)
    }

    fn search(&mut self) {
        let mut trail = Vec::new();
        self.encoded.theory.new_level();
        self.level += 1;
        if self.propagate(&mut trail) && self.clauses_hold() {
            self.branch();
        }
        self.level -= 1;
        self.encoded.theory.backtrack(self.level);
        for l in trail {
            self.value[l.var()] = None;
        }
    }

    fn with(&mut self, literals: &[Lit]) {
        let mut trail = Vec::new();
        self.encoded.theory.new_level();
        self.level += 1;
        if literals.iter().all(|&l| self.is(l) != Some(false)) {
            for &l in literals {
                if self.is(l).is_none() {
                    self.set(l, &mut trail);
                }
            }
            self.search();
        }
        self.level -= 1;
        self.encoded.theory.backtrack(self.level);
        for l in trail {
            self.value[l.var()] = None;
        }
    }

    fn branch(&mut self) {
        let open_guard = self.encoded.guards.iter().copied().find(|&(_, g)| self.is(g).is_none());
        if let Some((_, g)) = open_guard {
            self.with(&[g]);
            self.with(&[!g]);
            return;
        }
        let open = self
            .encoded
            .reads
            .iter()
            .find(|(_, choices)| !choices.iter().any(|(_, l)| self.is(*l) == Some(true)));
        if let Some((_, choices)) = open.cloned() {
            for (w, l) in &choices {
                let active = *w == 0 || self.active(*w);
                if active {
                    let literals: Vec<Lit> =
                        choices.iter().map(|(_, o)| if o == l { *o } else { !*o }).collect();
                    self.with(&literals);
                }
            }
            return;
        }
        if let Some(v) = (1..=self.encoded.variables).map(lit).find(|&l| self.is(l).is_none()) {
            // Spare literals and those that do not matter: both values, but one order is enough.
            let before = self.found.len();
            self.with(&[!v]);
            if self.found.len() == before {
                self.with(&[v]);
            }
            return;
        }
        self.finish();
    }

    fn active(&self, step: usize) -> bool {
        let guard = self.encoded.guards.iter().find(|(s, _)| *s == step);
        guard.is_none_or(|&(_, g)| self.is(g) == Some(true))
    }

    fn finish(&mut self) {
        match self.encoded.theory.check() {
            FinalCheck::Order(order) => {
                self.check_order(&order);
                let seen = self.encoded.reads.iter().map(|(_, choices)| {
                    choices.iter().find(|(_, l)| self.is(*l) == Some(true)).map_or(usize::MAX, |(w, _)| *w)
                });
                let guards = self.encoded.guards.iter().map(|&(_, g)| self.is(g) == Some(true)).collect();
                self.found.insert((seen.collect(), guards));
            }
            FinalCheck::Conflict(conflict) => {
                assert!(conflict.iter().all(|&l| self.is(l) == Some(true)));
            }
            FinalCheck::Undecided => {
                self.pairs_used += 1;
                let mut trail = Vec::new();
                if self.propagate(&mut trail) {
                    self.finish();
                }
            }
            FinalCheck::NeedsLiteral => panic!("too few spare literals"),
        }
    }

    /// The order has every step once, and every read sees what it says.
    fn check_order(&self, order: &[OrderNode]) {
        assert_eq!(order.len(), self.encoded.nodes.len());
        let place = |step: usize| {
            order.iter().position(|n| *n == self.encoded.nodes[step]).expect("every step is there")
        };
        for (step, choices) in &self.encoded.reads {
            let seen = choices.iter().find(|(_, l)| self.is(*l) == Some(true)).map_or(0, |(w, _)| *w);
            assert!(place(seen) < place(*step));
            for (other, _) in choices {
                let between = place(seen) < place(*other) && place(*other) < place(*step);
                assert!(!between || !(*other == 0 || self.active(*other)), "another write in between");
            }
        }
    }
}

/// What the theory allows, and how many order literals it took.
fn allowed(program: &Program) -> (std::collections::BTreeSet<Choices>, usize) {
    let encoded = encode(program, 12);
    let value = vec![None; encoded.variables as usize + 1];
    let mut search = Search { encoded, value, level: 0, found: Default::default(), pairs_used: 0 };
    search.search();
    (search.found, search.pairs_used)
}

#[track_caller]
fn check(program: &Program) -> usize {
    let (found, pairs) = allowed(program);
    let possible = possible(program);
    assert_eq!(found, possible, "{program:?}");
    assert_eq!(solved(program), possible, "inside the SAT solver: {program:?}");
    pairs
}

/// What CaDiCaL with the theory inside finds, one model after the other.
fn solved(program: &Program) -> std::collections::BTreeSet<Choices> {
    let mut encoded = encode(program, 12);
    let mut sat = Cadical::new();
    let variables: Vec<Lit> = (0..encoded.variables).map(|_| sat.new_var()).collect();
    assert_eq!(variables.last().map(|l| l.to_dimacs()), (encoded.variables > 0).then_some(encoded.variables));
    let theory = std::mem::take(&mut encoded.theory);
    let propagator = Rc::new(RefCell::new(OrderPropagator::new(theory)));
    sat.connect(propagator.clone());
    variables.iter().for_each(|&v| sat.observe(v));
    for (_, choices) in &encoded.reads {
        let all: Vec<Lit> = choices.iter().map(|(_, l)| *l).collect();
        sat.add_clause(&all);
        for (i, &a) in all.iter().enumerate() {
            all[..i].iter().for_each(|&b| sat.add_clause(&[!a, !b]));
        }
        for (w, l) in choices {
            if let Some((_, g)) = encoded.guards.iter().find(|(step, _)| step == w) {
                sat.add_clause(&[!*l, *g]);
            }
        }
    }
    let mut found = std::collections::BTreeSet::new();
    while sat.solve(&[]) == Ok(SatResult::Sat) {
        assert!(propagator.borrow_mut().take_order().is_some(), "a model comes with its order");
        let mut blocked = Vec::new();
        let mut seen = Vec::new();
        for (_, choices) in &encoded.reads {
            let (w, l) =
                choices.iter().find(|(_, l)| sat.value(*l) == Some(true)).expect("one choice is true");
            seen.push(*w);
            blocked.push(!*l);
        }
        let mut guards = Vec::new();
        for &(_, g) in &encoded.guards {
            let on = sat.value(g) == Some(true);
            guards.push(on);
            blocked.push(if on { !g } else { g });
        }
        assert!(found.insert((seen, guards)), "every model once");
        if blocked.is_empty() {
            break;
        }
        sat.add_clause(&blocked);
    }
    found
}

fn step(reads: &[u8], writes: &[u8]) -> Step {
    Step { reads: reads.to_vec(), writes: writes.to_vec(), guarded: false }
}

#[test]
fn store_buffering_never_reads_both_old_values() {
    let program = Program {
        threads: vec![vec![step(&[], &[0]), step(&[1], &[])], vec![step(&[], &[1]), step(&[0], &[])]],
        edges: vec![],
    };
    check(&program);
    let (found, _) = allowed(&program);
    assert!(!found.contains(&(vec![0, 0], vec![])));
    assert_eq!(found.len(), 3);
}

#[test]
fn independent_readers_agree() {
    check(&Program {
        threads: vec![
            vec![step(&[], &[0])],
            vec![step(&[], &[1])],
            vec![step(&[0], &[]), step(&[1], &[])],
            vec![step(&[1], &[]), step(&[0], &[])],
        ],
        edges: vec![],
    });
}

#[test]
fn updates_are_one_step() {
    check(&Program {
        threads: vec![
            vec![step(&[0], &[0])],
            vec![step(&[0], &[0])],
            vec![step(&[0], &[0]), step(&[0], &[])],
        ],
        edges: vec![],
    });
}

/// Two writers of two places each, and readers that see one order of the first place together with the other order of
/// the second: no cycle follows from the rules alone.
#[test]
fn the_butterfly_has_no_order() {
    let program = Program {
        threads: vec![
            vec![step(&[], &[0]), step(&[], &[1]), step(&[1], &[])],
            vec![step(&[], &[1]), step(&[], &[0]), step(&[0], &[])],
            vec![step(&[], &[0])],
            vec![step(&[], &[1])],
        ],
        edges: vec![],
    };
    check(&program);
}

/// A fixed sequence of numbers, so that every run tests the same programs.
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, n: u64) -> u64 {
        self.0 = self.0.wrapping_mul(6364136223846793005).wrapping_add(1442695040888963407);
        (self.0 >> 33) % n
    }
}

#[test]
fn random_programs_agree_with_brute_force() {
    let mut numbers = Numbers(1);
    let mut pairs = 0;
    for _ in 0..600 {
        let threads = 2 + numbers.below(3) as usize;
        let places = 1 + numbers.below(2);
        let mut budget = 7usize;
        let mut program = Program { threads: vec![], edges: vec![] };
        for _ in 0..threads {
            let len = (1 + numbers.below(3) as usize).min(budget);
            budget -= len;
            let mut steps = Vec::new();
            for _ in 0..len {
                let place = numbers.below(places) as u8;
                let mut s = match numbers.below(5) {
                    0 | 1 => step(&[place], &[]),
                    2 | 3 => step(&[], &[place]),
                    _ => step(&[place], &[place]),
                };
                s.guarded = !s.writes.is_empty() && numbers.below(5) == 0;
                steps.push(s);
            }
            program.threads.push(steps);
        }
        let total: usize = program.threads.iter().map(Vec::len).sum();
        if numbers.below(3) == 0 && total > 2 {
            let (a, b) = (1 + numbers.below(total as u64) as usize, 1 + numbers.below(total as u64) as usize);
            if a < b {
                program.edges.push((a, b));
            }
        }
        pairs += check(&program);
    }
    assert!(pairs > 0, "some programs need an order literal");
}
