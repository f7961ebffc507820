//! A proof, checkable by others, that there is no execution.
//!
//! The search is not traced: the solver that answered has theories inside, assumptions, and a history. Instead, a
//! solver without any of these gets the formula, the goals, and the lemmas about order that the search has found, and
//! proves that they have no model. Where a lemma is missing it finds a model; the order theory then says why that is
//! not an execution, which is a further lemma. Of the resulting proof, only what the empty clause depends on is kept,
//! and only the lemmas in it are justified (`justify`). A lemma that cannot be justified is a fault.
//!
//! Where the race analysis has shown that nothing races, its facts are the proof. If an address decides something (a
//! branch, an index, the order of two objects), they are not enough for the checker; then the solver proves it again.

mod ground;
mod justify;

use crate::check::{Certified, CheckOptions, KnownVerdict};
use crate::counted::Counted;
use crate::encode::Formula;
use crate::engine::{Answer, GraphSolver, Method, Unknown};
use crate::order::{OrderEngine, OrderProblem};
use ground::{Ground, NodeNumber};
use justify::justify;
use rustc_hash::{FxHashMap, FxHashSet};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use tp_certify::{Certificate, Derivation, Goal, Part, PartKind, Proof};
use tp_events::{EventGraph, LimitKind, Query};
use tp_ir::{PlaceId, Program};
use tp_solver::order::{self, OrderPropagator};
use tp_solver::{Clauses, Lit, Premise, Propagator, Prover, Refutation, Sat, SatResult};
use tp_terms::Term;

/// Why there is no certificate.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Uncertified {
    /// The stop flag was raised.
    Stopped,
    /// The analysis has proved that nothing races, with facts that the checker cannot verify.
    NotSimple,
    /// A defect of this program.
    Fault(String),
}

/// What engines have proved, collected for a certificate; `None`: no certificate is wanted.
pub(crate) struct Proved<'g>(Option<Vec<Unreached<'g>>>);

/// Goals that an engine has proved unreachable.
struct Unreached<'g> {
    query: Query<'g>,
    engine: GraphSolver,
    goals: Vec<(Term, String)>,
    shows: String,
}

impl<'g> Proved<'g> {
    pub fn new(is_wanted: bool) -> Proved<'g> {
        Proved(is_wanted.then(Vec::new))
    }

    pub fn is_wanted(&self) -> bool {
        self.0.is_some()
    }

    /// An engine has proved that none of the goals is reached; each goal comes with its description.
    pub fn add(&mut self, query: Query<'g>, engine: GraphSolver, goals: Vec<(Term, String)>, shows: &str) {
        if let Some(all) = &mut self.0 {
            all.push(Unreached { query, engine, goals, shows: shows.to_owned() });
        }
    }

    /// The program has no goals of this kind: there is nothing to prove.
    pub fn add_nothing(&mut self, shows: &str, stop: &Arc<AtomicBool>) {
        if self.is_wanted() {
            let mut query = Query::empty();
            let engine = GraphSolver::certifying(&mut query, stop.clone());
            self.add(query, engine, Vec::new(), shows);
        }
    }

    /// The certificate, with one part for each proof.
    pub fn certificate(self, options: &CheckOptions, known: &KnownVerdict) -> Certified {
        let verdict = match known {
            KnownVerdict::Safe => "safe".to_owned(),
            KnownVerdict::WithinBounds { within, .. } => format!("safe within bounds ({within})"),
        };
        let parts = self.0?.into_iter().map(|unreached| unreached.certify(options)).collect();
        Some(Result::map(parts, |parts| Certificate { verdict, parts, ..Certificate::default() }))
    }
}

impl Unreached<'_> {
    fn certify(mut self, options: &CheckOptions) -> Result<Part, Uncertified> {
        let (terms, words): (Vec<Term>, Vec<String>) = self.goals.into_iter().unzip();
        if options.method != Method::Order {
            // All engines start from the same formula: what another has shown, the order theory shows again.
            self.engine = GraphSolver::certifying(&mut self.query, options.stop.clone());
            for &goal in &terms {
                match self.engine.ask(&self.query, goal) {
                    Answer::No => {}
                    Answer::Unknown(Unknown::Stopped) => return Err(Uncertified::Stopped),
                    Answer::Execution { .. } => return Err(fault("the engines do not agree")),
                    Answer::Fault(why) => return Err(fault(&why.to_string())),
                }
            }
        }
        let (literals, proof) = self.engine.certify(&self.query, &terms)?;
        let goals = literals.into_iter().zip(words);
        let goals = goals.filter_map(|(literal, what)| Some(Goal { literal: literal?, what })).collect();
        Ok(Part { shows: self.shows, kind: PartKind::Order { goals, proof } })
    }
}

/// An engine that remembers what a certificate needs, if one is wanted.
pub(crate) fn engine(options: &CheckOptions, query: &mut Query<'_>, counted: &Counted) -> GraphSolver {
    match options.method {
        Method::Order if options.certify => GraphSolver::certifying(query, options.stop.clone()),
        method => GraphSolver::within(method, query, counted, options.stop.clone()),
    }
}

/// The part that shows that nothing races, by the facts of the analysis.
pub(crate) fn certify_races(program: &Program, stop: &AtomicBool) -> Result<Part, Uncertified> {
    let text = tp_apart::reasons(program, stop).map_err(|_| Uncertified::Stopped)?;
    match tp_certify::check_races(text.as_bytes()) {
        Ok(_) => Ok(Part { shows: RACES.to_owned(), kind: PartKind::Races(text) }),
        Err(_) => Err(Uncertified::NotSimple),
    }
}

/// What parts show, in words.
pub(crate) const FAILURES: &str = "nothing fails, and the program was followed to its end";
pub(crate) const FAILURES_WITHIN_BOUNDS: &str = "nothing fails within the loop bound";
pub(crate) const WAITING: &str = "no thread waits for ever";
pub(crate) const RACES: &str = "no two accesses race";

/// What must not happen, each with a description. Within bounds, loops may go on.
pub(crate) fn goals(
    program: &Program,
    options: &CheckOptions,
    graph: &EventGraph,
    known: &KnownVerdict,
) -> Vec<(Term, String)> {
    let place = |at: PlaceId| match program.places.get(at) {
        Some(p) if p.line > 0 => {
            let file = program.files.get(p.file).map_or("", |f| f);
            format!(" at {file}:{}:{}", p.line, p.column)
        }
        _ => String::new(),
    };
    let claims = graph.claims().iter();
    let mut goals: Vec<(Term, String)> =
        claims.map(|c| (c.fails, format!("{}{}", c.property.title(), place(c.place)))).collect();
    for limit in graph.limits() {
        let what = match &limit.kind {
            LimitKind::Loop if *known == KnownVerdict::Safe => "a loop or recursion goes on".to_owned(),
            LimitKind::Loop => continue,
            LimitKind::Open(property, _) if options.may_stay_open.has(*property) => continue,
            LimitKind::Gap(gap) | LimitKind::Open(_, gap) => format!("not supported: {gap}"),
            LimitKind::Undefined(what) => format!("undefined and not checked: {what}"),
            LimitKind::Unmodelled(function) => format!("no model for `{function}`"),
        };
        goals.push((limit.reached, format!("{what}{}", place(limit.place))));
    }
    goals
}

fn go_on(stop: &AtomicBool) -> Result<(), Uncertified> {
    if stop.load(Ordering::Relaxed) { Err(Uncertified::Stopped) } else { Ok(()) }
}

fn fault(what: &str) -> Uncertified {
    Uncertified::Fault(format!("the proof cannot be certified: {what}"))
}

/// Proves that no execution reaches any of the goals. The clauses of the formula have to be recorded.
pub(crate) fn prove(
    formula: &mut Formula,
    order: &OrderEngine,
    goals: &[Lit],
    stop: &Arc<AtomicBool>,
) -> Result<Proof, Uncertified> {
    let sat = formula.blaster.sat();
    let (inputs, mut lemmas) = (sat.recorded_clauses(), distinct(&sat.recorded_lemmas()));
    let mut prover = Prover::new(stop.clone());
    prover.add_clause(goals);
    for clause in inputs.iter().chain(lemmas.iter()) {
        go_on(stop)?;
        prover.add_clause(clause);
    }
    let mut critic = Critic::new(formula, order);
    loop {
        go_on(stop)?;
        match prover.solve() {
            SatResult::Unsat => break,
            SatResult::Unknown => return Err(Uncertified::Stopped),
            SatResult::Sat => {}
        }
        let lemma = critic.why_not(formula, &mut prover)?;
        prover.add_clause(&lemma);
        lemmas.push(lemma);
    }
    let refutation =
        prover.refutation().ok_or_else(|| fault("the steps of the SAT solver are incomplete"))?;
    let ground = Ground::new(formula, &critic.order_literals());
    Assembly { ground: &ground, inputs: &inputs, lemmas: &lemmas, refutation }.assemble(stop)
}

/// Each clause once.
fn distinct(clauses: &Clauses) -> Clauses {
    let mut seen = FxHashSet::default();
    let mut distinct = Clauses::default();
    for clause in clauses.iter() {
        let mut clause = clause.to_vec();
        clause.sort_unstable();
        if seen.insert(clause.clone()) {
            distinct.push(clause);
        }
    }
    distinct
}

/// Finds out why a model is not an execution.
struct Critic {
    propagator: OrderPropagator,
    observed: Vec<Lit>,
}

impl Critic {
    fn new(formula: &Formula, order: &OrderEngine) -> Critic {
        let OrderProblem { mut theory, mut observed, .. } = OrderProblem::new(formula);
        for (literal, first, second) in order.literals() {
            theory.add_order_literal(literal, first, second);
            observed.push(literal);
        }
        observed.iter_mut().for_each(|l| *l = l.positive());
        observed.sort_unstable();
        observed.dedup();
        Critic { propagator: OrderPropagator::new(theory), observed }
    }

    fn order_literals(&self) -> Vec<(Lit, NodeNumber, NodeNumber)> {
        let node = |n: order::OrderNode| n.index() as NodeNumber;
        self.propagator.theory.order_literals().map(|(l, a, b)| (l, node(a), node(b))).collect()
    }

    /// A clause that holds in every execution and is false in this model.
    fn why_not(&mut self, formula: &mut Formula, prover: &mut Prover) -> Result<Vec<Lit>, Uncertified> {
        loop {
            let model: Vec<Lit> = self.observed.iter().map(|&l| l.negated_if(!prover.value(l))).collect();
            self.propagator.new_level();
            self.propagator.assigned(&model);
            let accepted = self.propagator.check_model(&model);
            let mut clause = Vec::new();
            let found = !accepted && self.propagator.lemma(&mut clause);
            let is_execution = self.propagator.take_order().is_some();
            self.propagator.backtrack(0);
            if found {
                if clause.iter().any(|&l| prover.value(l)) {
                    return Err(fault("a lemma does not say why a model is none"));
                }
                return Ok(clause);
            }
            if is_execution {
                return Err(fault("there is an execution after all"));
            }
            // The theory needs a literal for the order of two nodes.
            let spare = formula.blaster.sat_mut().new_var();
            self.propagator.theory.add_spare_literal(spare);
            self.observed.push(spare);
        }
    }
}

/// The parts of a proof, before they are numbered.
struct Assembly<'a> {
    ground: &'a Ground,
    inputs: &'a Clauses,
    lemmas: &'a Clauses,
    refutation: Refutation,
}

impl Assembly<'_> {
    fn assemble(self, stop: &AtomicBool) -> Result<Proof, Uncertified> {
        let mut proof = self.ground.structure();
        // By index in the order of adding: the number of a clause in the certificate. The goals are clause 0.
        let mut numbers = FxHashMap::from_iter([(0, 0)]);
        let numbers_of = |lits: &[Lit]| lits.iter().map(|l| l.to_dimacs()).collect::<Vec<i32>>();
        for &given in self.refutation.given.iter().filter(|&&g| g > 0) {
            go_on(stop)?;
            numbers.insert(given, numbers.len() as u32);
            let at = given as usize - 1;
            if let Some(clause) = self.inputs.get(at) {
                proof.clauses.push(numbers_of(clause));
            } else if let Some(clause) = self.lemmas.get(at - self.inputs.len()) {
                let lemma = justify(self.ground, clause);
                proof.lemmas.push(lemma.ok_or_else(|| fault(&format!("the lemma {clause:?} has no cycle")))?);
            }
        }
        let first_step = numbers.len() as u32;
        for step in &self.refutation.steps {
            let number = |premise: &Premise| match premise {
                Premise::Given(at) => numbers[at],
                Premise::Step(at) => first_step + at,
            };
            let hints = step.premises.iter().map(number).collect();
            proof.steps.push(tp_certify::RupStep { clause: numbers_of(&step.clause), hints });
        }
        self.add_what_is_used(&mut proof);
        Ok(proof)
    }

    /// The reads and order literals that lemmas use; the reads are renumbered.
    fn add_what_is_used(&self, proof: &mut Proof) {
        let mut is_used = vec![false; self.ground.rows.len()];
        let mut literals = FxHashSet::default();
        for lemma in &mut proof.lemmas {
            literals.extend(lemma.clause.iter().map(|l| l.abs()));
            lemma.derivation.iter_mut().filter_map(read_of).for_each(|r| is_used[*r as usize - 1] = true);
        }
        let mut numbers = vec![0; is_used.len()];
        for (i, row) in self.ground.rows.iter().enumerate().filter(|(i, _)| is_used[*i]) {
            proof.reads.push(row.clone());
            numbers[i] = proof.reads.len() as u32;
        }
        for derivation in proof.lemmas.iter_mut().flat_map(|l| &mut l.derivation) {
            if let Some(read) = read_of(derivation) {
                *read = numbers[*read as usize - 1];
            }
        }
        let mut orders: Vec<_> = self.ground.orders.iter().filter(|(l, _)| literals.contains(l)).collect();
        orders.sort_unstable();
        let order = |(&literal, &(first, second))| tp_certify::OrderLiteral { literal, first, second };
        proof.orders = orders.into_iter().map(order).collect();
    }
}

fn read_of(derivation: &mut Derivation) -> Option<&mut u32> {
    match derivation {
        Derivation::Sees { read, .. } | Derivation::Earlier { read, .. } | Derivation::Later { read, .. } => {
            Some(read)
        }
        Derivation::Ordered { .. } => None,
    }
}
