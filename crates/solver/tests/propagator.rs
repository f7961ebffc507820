//! Theories inside the search: one that does nothing, one that enforces "exactly one" of groups lazily in each of the
//! ways a theory can, and ones that break the rules.

use fastrand::Rng;
use std::cell::RefCell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_solver::{Cadical, Lit, Propagator, Sat, SatResult, SolverFault};

/// Does nothing but check that it is told what the interface promises.
#[derive(Default)]
struct Null {
    trail: Vec<Lit>,
    levels: Vec<usize>,
    told: usize,
}

impl Propagator for Null {
    fn assigned(&mut self, lits: &[Lit]) {
        for &lit in lits {
            assert!(!self.trail.iter().any(|l| l.var() == lit.var()), "told twice");
            self.trail.push(lit);
        }
        self.told += lits.len();
    }
    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }
    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
    }
    fn lemma(&mut self, _: &mut Vec<Lit>) -> bool {
        false
    }
    fn check_model(&mut self, model: &[Lit]) -> bool {
        assert!(self.trail.iter().all(|l| model.contains(l)));
        assert_eq!(self.trail.len(), model.len());
        true
    }
}

/// How the theory below takes part.
#[derive(Copy, Clone, PartialEq, Debug)]
enum Style {
    /// Says nothing before there is a model.
    OnlyModels,
    /// Propagates with reasons, and decides.
    Propagation,
    /// Gives clauses as soon as they matter.
    Lemmas,
}

/// Exactly one literal of each group is true.
struct OneOfEach {
    style: Style,
    groups: Vec<Vec<Lit>>,
    trail: Vec<Lit>,
    levels: Vec<usize>,
    lemmas: Vec<Vec<Lit>>,
    /// Propagated literals with their clauses, the newest last.
    reasons: Vec<(Lit, Vec<Lit>)>,
}

impl OneOfEach {
    fn new(style: Style, groups: Vec<Vec<Lit>>) -> Self {
        OneOfEach { style, groups, trail: vec![], levels: vec![], lemmas: vec![], reasons: vec![] }
    }

    fn is_true(&self, lit: Lit) -> bool {
        self.trail.contains(&lit)
    }

    /// A clause of the theory that is false or unit, with the literal to propagate.
    fn next_clause(&self) -> Option<(Lit, Vec<Lit>)> {
        for group in &self.groups {
            let mut clauses = vec![group.clone()];
            for (i, &a) in group.iter().enumerate() {
                clauses.extend(group[i + 1..].iter().map(|&b| vec![!a, !b]));
            }
            for clause in clauses {
                let left: Vec<Lit> = clause.iter().copied().filter(|&l| !self.is_true(!l)).collect();
                match left[..] {
                    [] => return Some((clause[0], clause)),
                    [last] if !self.is_true(last) => return Some((last, clause)),
                    _ => {}
                }
            }
        }
        None
    }
}

impl Propagator for OneOfEach {
    fn assigned(&mut self, lits: &[Lit]) {
        for &lit in lits {
            assert!(!self.is_true(lit) && !self.is_true(!lit), "told twice");
            self.trail.push(lit);
        }
    }

    fn new_level(&mut self) {
        self.levels.push(self.trail.len());
    }

    fn backtrack(&mut self, level: usize) {
        self.trail.truncate(self.levels[level]);
        self.levels.truncate(level);
    }

    fn decide(&mut self) -> Option<Lit> {
        if self.style != Style::Propagation {
            return None;
        }
        // Deliberately regardless of what is assigned: such advice has to be ignored.
        self.groups.first().and_then(|g| g.first().copied())
    }

    fn propagate(&mut self) -> Option<Lit> {
        if self.style != Style::Propagation {
            return None;
        }
        let (lit, clause) = self.next_clause()?;
        self.reasons.push((lit, clause));
        Some(lit)
    }

    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let (_, reason) = self.reasons.iter().rev().find(|(l, _)| *l == lit).unwrap();
        clause.extend(reason.iter().copied().filter(|&l| l != lit));
    }

    fn lemma(&mut self, clause: &mut Vec<Lit>) -> bool {
        if self.style == Style::Lemmas
            && let Some((_, lemma)) = self.next_clause()
        {
            clause.extend(lemma);
            return true;
        }
        match self.lemmas.pop() {
            Some(lemma) => {
                clause.extend(lemma);
                true
            }
            None => false,
        }
    }

    fn check_model(&mut self, model: &[Lit]) -> bool {
        for group in &self.groups {
            let held: Vec<Lit> = group.iter().copied().filter(|l| model.contains(l)).collect();
            match held[..] {
                [_] => {}
                [] => self.lemmas.push(group.clone()),
                [a, b, ..] => self.lemmas.push(vec![!a, !b]),
            }
        }
        self.lemmas.is_empty()
    }
}

const VARS: usize = 9;

fn random_clauses(rng: &mut Rng, vars: &[Lit], n: usize) -> Vec<Vec<Lit>> {
    let mut lit = || vars[rng.usize(0..vars.len())].negated_if(rng.bool());
    (0..n).map(|_| (0..3).map(|_| lit()).collect()).collect()
}

fn brute_force(vars: &[Lit], clauses: &[Vec<Lit>], groups: &[Vec<Lit>], assumptions: &[Lit]) -> bool {
    (0..1u32 << vars.len()).any(|choice| {
        let holds = |l: &Lit| {
            let i = vars.iter().position(|v| v.var() == l.var()).unwrap();
            (choice >> i & 1 == 1) != l.is_negative()
        };
        clauses.iter().all(|c| c.iter().any(holds))
            && groups.iter().all(|g| g.iter().filter(|l| holds(l)).count() == 1)
            && assumptions.iter().all(holds)
    })
}

fn expected(sat: bool) -> Result<SatResult, SolverFault> {
    Ok(if sat { SatResult::Sat } else { SatResult::Unsat })
}

#[test]
fn a_theory_that_does_nothing_changes_nothing() {
    let mut rng = Rng::with_seed(4);
    for n in [40; 60].into_iter().chain([150; 4]) {
        let mut plain = Cadical::new();
        let mut watched = Cadical::new();
        let null = Rc::new(RefCell::new(Null::default()));
        let vars: Vec<Lit> = (0..n).map(|_| plain.new_var()).collect();
        for &v in &vars {
            assert_eq!(watched.new_var(), v);
        }
        watched.connect(null.clone());
        for &v in &vars[..n / 2] {
            watched.observe(v);
        }
        let clauses = random_clauses(&mut rng, &vars, n * 17 / 4);
        for clause in &clauses {
            plain.add_clause(clause);
            watched.add_clause(clause);
        }
        for _ in 0..3 {
            let assumptions = [vars[rng.usize(0..n)], !vars[rng.usize(0..n)]];
            let outcome = watched.solve(&assumptions);
            assert_eq!(plain.solve(&assumptions), outcome);
            if outcome == Ok(SatResult::Sat) {
                for clause in &clauses {
                    assert!(clause.iter().any(|&l| watched.value(l) == Some(true)));
                }
            }
        }
        assert!(null.borrow().told > 0);
    }
}

#[test]
fn a_lazy_theory_as_by_trying_all() {
    let mut rng = Rng::with_seed(5);
    for style in [Style::OnlyModels, Style::Propagation, Style::Lemmas] {
        let (mut with, mut without) = (0, 0);
        for round in 0..300 {
            let mut sat = Cadical::new();
            let vars: Vec<Lit> = (0..VARS).map(|_| sat.new_var()).collect();
            let group = |rng: &mut Rng| -> Vec<Lit> {
                // The first is always in it: a clause without literals propagates none.
                let mut some: Vec<Lit> =
                    vars.iter().copied().filter(|&v| v == vars[0] || rng.u8(0..3) > 0).collect();
                some.iter_mut().for_each(|l| *l = l.negated_if(rng.u8(0..4) == 0));
                some
            };
            let groups = vec![group(&mut rng), group(&mut rng)];
            // The order of connecting and observing does not matter.
            let theory = Rc::new(RefCell::new(OneOfEach::new(style, groups.clone())));
            if round % 2 == 0 {
                sat.connect(theory.clone());
            }
            groups.iter().flatten().for_each(|&l| sat.observe(l));
            if round % 2 == 1 {
                sat.connect(theory.clone());
            }
            let mut clauses = Vec::new();
            for _ in 0..3 {
                for clause in random_clauses(&mut rng, &vars, 5) {
                    sat.add_clause(&clause);
                    clauses.push(clause);
                }
                let assumptions = random_clauses(&mut rng, &vars, 1).remove(0);
                let found = brute_force(&vars, &clauses, &groups, &assumptions);
                assert_eq!(sat.solve(&assumptions), expected(found), "{style:?} {groups:?} {clauses:?}");
                *(if found { &mut with } else { &mut without }) += 1;
                if !found && sat.solve(&[]) == Ok(SatResult::Sat) {
                    // Assumptions outside the core are not needed.
                    sat.solve(&assumptions).unwrap();
                    let core: Vec<Lit> = assumptions.iter().copied().filter(|&l| sat.failed(l)).collect();
                    assert!(!brute_force(&vars, &clauses, &groups, &core));
                }
            }
        }
        assert!(with > 50 && without > 50, "{style:?}: {with} with a model, {without} without");
    }
}

#[test]
fn lemmas_and_reasons_are_counted() {
    let mut sat = Cadical::new();
    let vars: Vec<Lit> = (0..3).map(|_| sat.new_var()).collect();
    sat.connect(Rc::new(RefCell::new(OneOfEach::new(Style::OnlyModels, vec![vars.clone()]))));
    vars.iter().for_each(|&l| sat.observe(l));
    assert_eq!(sat.solve(&[vars[0], vars[1]]), Ok(SatResult::Unsat));
    assert!(sat.statistics().lemmas > 0);
}

/// Does one thing wrong.
enum Wrong {
    Unobserved(Lit),
    NoClause,
}

impl Propagator for Wrong {
    fn assigned(&mut self, _: &[Lit]) {}
    fn new_level(&mut self) {}
    fn backtrack(&mut self, _: usize) {}
    fn propagate(&mut self) -> Option<Lit> {
        match self {
            Wrong::Unobserved(lit) => Some(*lit),
            Wrong::NoClause => None,
        }
    }
    fn lemma(&mut self, _: &mut Vec<Lit>) -> bool {
        false
    }
    fn check_model(&mut self, _: &[Lit]) -> bool {
        false
    }
}

#[test]
fn broken_rules_are_faults_and_no_answers() {
    let mut sat = Cadical::new();
    let (a, b) = (sat.new_var(), sat.new_var());
    sat.observe(a);
    sat.connect(Rc::new(RefCell::new(Wrong::Unobserved(b))));
    assert_eq!(sat.solve(&[]), Err(SolverFault::NotObserved(b)));
    assert_eq!(sat.solve(&[]), Err(SolverFault::NotObserved(b)));
    assert_eq!(sat.value(a), None);

    let mut sat = Cadical::new();
    let a = sat.new_var();
    sat.observe(a);
    sat.connect(Rc::new(RefCell::new(Wrong::NoClause)));
    assert_eq!(sat.solve(&[]), Err(SolverFault::RefusedWithoutClause));

    let mut sat = Cadical::new();
    let a = sat.new_var();
    assert_eq!(sat.solve(&[a]), Ok(SatResult::Sat));
    sat.observe(a);
    assert_eq!(sat.solve(&[a]), Err(SolverFault::ObservedLate(a)));
}

#[test]
fn new_variables_join_between_questions() {
    let mut sat = Cadical::new();
    let first: Vec<Lit> = (0..3).map(|_| sat.new_var()).collect();
    let theory = Rc::new(RefCell::new(OneOfEach::new(Style::Propagation, vec![first.clone()])));
    sat.connect(theory.clone());
    first.iter().for_each(|&l| sat.observe(l));
    assert_eq!(sat.solve(&[!first[0], !first[1]]), Ok(SatResult::Sat));
    let second: Vec<Lit> = (0..3).map(|_| sat.new_var()).collect();
    second.iter().for_each(|&l| sat.observe(l));
    theory.borrow_mut().groups.push(second.clone());
    assert_eq!(sat.solve(&[!second[0], !second[1], !second[2]]), Ok(SatResult::Unsat));
    assert_eq!(sat.solve(&[!second[0], !second[1]]), Ok(SatResult::Sat));
    assert_eq!(sat.value(second[2]), Some(true));
}

/// The solver reports such a variable when it is observed, and again when it goes through its trail.
#[test]
fn what_is_fixed_before_it_is_observed_is_told_once() {
    let mut sat = Cadical::new();
    let null = Rc::new(RefCell::new(Null::default()));
    sat.connect(null.clone());
    let (a, b) = (sat.new_var(), sat.new_var());
    sat.add_clause(&[a]);
    sat.add_clause(&[!a, b]);
    sat.observe(a);
    sat.observe(b);
    assert_eq!(sat.solve(&[]), Ok(SatResult::Sat));
    assert_eq!(null.borrow().told, 2);
}

#[test]
fn a_raised_flag_ends_the_search() {
    let mut sat = Cadical::new();
    // Eleven pigeons in ten holes: takes long to refute.
    let n = 11;
    let hole: Vec<Vec<Lit>> = (0..n).map(|_| (1..n).map(|_| sat.new_var()).collect()).collect();
    for pigeon in &hole {
        sat.add_clause(pigeon);
    }
    for h in 0..n - 1 {
        for (p, a) in hole.iter().enumerate() {
            for b in &hole[p + 1..] {
                sat.add_clause(&[!a[h], !b[h]]);
            }
        }
    }
    let flag = Arc::new(AtomicBool::new(true));
    sat.stop_when(flag.clone());
    assert_eq!(sat.solve(&[]), Ok(SatResult::Unknown));
    assert_eq!(sat.value(hole[0][0]), None);
    assert!(!sat.failed(hole[0][0]));
}

#[test]
fn the_empty_clause_and_no_clause() {
    let mut sat = Cadical::new();
    assert_eq!(sat.solve(&[]), Ok(SatResult::Sat));
    sat.add_clause(&[]);
    assert_eq!(sat.solve(&[]), Ok(SatResult::Unsat));
    assert_eq!(Lit::from_dimacs(0), None);
    assert_eq!(Lit::from_dimacs(i32::MIN), None);
}
