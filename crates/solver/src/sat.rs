//! The interfaces of a SAT solver and of a theory inside it. The names are the usual ones of incremental solving:
//! literals, clauses, assumptions, and a propagator that watches the search.

use std::cell::RefCell;
use std::fmt;
use std::num::NonZeroI32;
use std::ops::Not;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

/// A variable of the solver or its negation; negative numbers are negations, as in DIMACS.
#[derive(Copy, Clone, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Lit(NonZeroI32);

impl Lit {
    /// `None` for the two numbers that no literal has: 0 and `i32::MIN`.
    pub fn from_dimacs(number: i32) -> Option<Lit> {
        NonZeroI32::new(number).filter(|n| n.get() != i32::MIN).map(Lit)
    }

    #[inline]
    pub fn to_dimacs(self) -> i32 {
        self.0.get()
    }

    /// The number of its variable, from 1.
    #[inline]
    pub fn var(self) -> usize {
        self.0.get().unsigned_abs() as usize
    }

    #[inline]
    pub fn is_negative(self) -> bool {
        self.0.get() < 0
    }

    /// The variable itself, not negated.
    #[inline]
    pub fn positive(self) -> Lit {
        if self.is_negative() { !self } else { self }
    }

    /// This literal or, with `flip`, its negation.
    #[inline]
    pub fn negated_if(self, flip: bool) -> Lit {
        if flip { !self } else { self }
    }
}

impl Not for Lit {
    type Output = Lit;
    #[inline]
    fn not(self) -> Lit {
        Lit(-self.0)
    }
}

impl fmt::Debug for Lit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.0)
    }
}

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SatResult {
    Sat,
    Unsat,
    /// Stopped before an answer was found.
    Unknown,
}

/// A rule of this interface that was broken by its user or by the propagator. It is never an answer: a solver that saw
/// one gives the same fault to every later question.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum SolverFault {
    /// A propagator used a literal that is not observed.
    NotObserved(Lit),
    /// A variable was first observed after a call to `solve`, which may have simplified it away.
    ObservedLate(Lit),
    /// A propagator refused a model and gave no clause that says why.
    RefusedWithoutClause,
    /// More variables than a literal can number.
    TooManyVariables,
}

impl fmt::Display for SolverFault {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            SolverFault::NotObserved(lit) => {
                write!(f, "the propagator used literal {lit:?}, which is not observed")
            }
            SolverFault::ObservedLate(lit) => {
                write!(f, "literal {lit:?} was first observed after a call to solve")
            }
            SolverFault::RefusedWithoutClause => {
                f.write_str("the propagator refused a model and gave no clause that says why")
            }
            SolverFault::TooManyVariables => f.write_str("there are more variables than literals can number"),
        }
    }
}

impl std::error::Error for SolverFault {}

/// The size of the formula and of the search so far.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub struct SatStatistics {
    pub variables: u64,
    /// Clauses that were added from outside, not those that were learned.
    pub clauses: u64,
    pub conflicts: u64,
    pub decisions: u64,
    /// Clauses that the propagator added during the search.
    pub lemmas: u64,
    /// Literals that the propagator propagated and whose reasons were asked for.
    pub reasons: u64,
}

/// An incremental SAT solver.
pub trait Sat {
    /// A new variable, as its positive literal.
    fn new_var(&mut self) -> Lit;

    /// Adds a clause permanently. The model and the failed assumptions of the last answer are gone after it.
    fn add_clause(&mut self, clause: &[Lit]);

    /// Is there a model of the clauses in which the assumptions hold? The assumptions are for this question only.
    fn solve(&mut self, assumptions: &[Lit]) -> Result<SatResult, SolverFault>;

    /// Whether the literal is true in the model; `None` when there is no model now.
    fn value(&mut self, lit: Lit) -> Option<bool>;

    /// Whether the last answer was `Unsat` and this assumption was needed for it.
    fn failed(&mut self, assumption: Lit) -> bool;

    /// From now on every question ends with `Unknown` soon after the flag is raised.
    fn stop_when(&mut self, flag: Arc<AtomicBool>);

    /// Connects a theory to the search, instead of the one before. It must not be borrowed while a question is being
    /// solved.
    fn connect(&mut self, propagator: Rc<RefCell<dyn Propagator>>);

    /// Shows the variable of `lit` to the propagator, which may only use observed variables and is told only of these.
    /// A variable has to be observed before the first call to `solve` after it was made.
    fn observe(&mut self, lit: Lit);

    fn statistics(&self) -> SatStatistics;
}

/// A theory that watches the search and takes part in it.
///
/// Decision levels are counted from 0, where nothing is decided. What is assigned at level 0 is never taken back. Calls
/// come on the thread that solves; a panic in one ends the process, since C++ is below it.
pub trait Propagator {
    /// These observed literals are true now, in the order in which they became so. A literal is reported once; after
    /// `backtrack` took it back it may be reported again, possibly at a lower level than before.
    fn assigned(&mut self, lits: &[Lit]);

    /// A decision follows.
    fn new_level(&mut self);

    /// Everything assigned above `level` is taken back.
    fn backtrack(&mut self, level: usize);

    /// The literal to decide next. It is advice: one that is assigned already, or not observed, is ignored.
    fn decide(&mut self) -> Option<Lit> {
        None
    }

    /// A literal that follows from what is assigned. Called again until there is none. A literal that is false signals
    /// a conflict.
    fn propagate(&mut self) -> Option<Lit> {
        None
    }

    /// The clause that made `lit` follow: `lit` (added if it is missing) and literals that were all false *when it was
    /// propagated*. It may be asked for much later, outside `solve` too, and never for literals taken back. The solver
    /// may forget the clause and ask for it again.
    fn reason(&mut self, lit: Lit, clause: &mut Vec<Lit>) {
        let _ = (lit, clause);
    }

    /// Puts the next clause to add into the empty `clause` and returns true, or returns false when there is none. Any
    /// clause that holds is allowed; the solver keeps it. Called again until there is none.
    fn lemma(&mut self, clause: &mut Vec<Lit>) -> bool;

    /// All variables are assigned, the observed ones as in `model`. If it returns false, `lemma` has to give a clause.
    fn check_model(&mut self, model: &[Lit]) -> bool;
}
