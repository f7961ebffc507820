//! Letting engines search: one, or two beside one another until one of them knows.
//!
//! Each works in a thread of its own and looks at its flag now and then. One that does not heed it is not waited for: what
//! it has told so far is its answer, and it ends with the process.

use crate::args::{CheckArgs, EngineArg};
use crate::stop::{Reason, Stop};
use crate::verdict::count;
use crate::{explore, progress, property};
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};
use tp_engines::{Method, Options, Outcome, Progress, Statistics, Uncertified, Verdict};
use tp_explore::Exploration;
use tp_ir::{Checks, Program, Property};
use tp_machine::Identity;

/// Instructions that are followed for one bound; a program that wants more is too large.
const MAX_INSTRUCTIONS: u64 = 100_000_000;

const TICK: Duration = Duration::from_millis(20);

/// How long an engine may take to heed its flag.
const GRACE: Duration = Duration::from_secs(3);

/// So long after its start what was explored waits for an answer of the solver, whose way to a failure is shorter; so small
/// programs get the same answer each time.
const A_MOMENT: Duration = Duration::from_secs(1);

/// What an engine has to say.
pub enum Found {
    /// Also the bound that was being checked last.
    Solved(Box<Outcome>, u32),
    /// Also how long it took.
    Explored(Exploration, Duration),
}

impl Found {
    /// No other engine could say more.
    fn is_final(&self) -> bool {
        match self {
            Found::Solved(outcome, _) => match &outcome.verdict {
                Verdict::Violated { .. } | Verdict::Safe => true,
                Verdict::WithinBounds { .. } => false,
                Verdict::Unknown(reason) => reason.is_defect(),
            },
            Found::Explored(explored, _) => !matches!(explored.outcome, tp_explore::Outcome::Unknown(_)),
        }
    }

    /// It is more than that time was up.
    fn says_something(&self) -> bool {
        match self {
            Found::Solved(outcome, _) => {
                !matches!(outcome.verdict, Verdict::Unknown(tp_engines::Reason::Stopped))
            }
            Found::Explored(explored, _) => self.is_final() || explored.knows_why(),
        }
    }
}

/// The answer of a search.
pub struct Searched {
    pub found: Found,
    /// Why the work was stopped, if it was.
    pub stopped: Option<Reason>,
    /// How far the other engine was when the work was stopped without a final answer.
    pub beside: Option<Found>,
}

impl Searched {
    fn of(found: Found, stopped: Option<(Reason, Instant)>) -> Searched {
        Searched { found, stopped: stopped.map(|s| s.0), beside: None }
    }
}

/// What is asked of the engines, and which of them.
pub struct Search {
    pub program: Arc<Program>,
    pub checks: Checks,
    /// Nobody has asked for these by name.
    pub may_stay_open: Checks,
    pub max_bound: Option<u32>,
    pub certify: bool,
    /// Findings that are known already: others are looked for.
    pub known: Vec<Identity>,
    pub method: Option<Method>,
    pub explores: bool,
}

impl Search {
    pub fn new(args: &CheckArgs, checks: Checks, program: Arc<Program>, known: Vec<Identity>) -> Search {
        let certify = args.certify.is_some();
        let is_auto = args.engine == EngineArg::Auto;
        let method = match args.engine {
            EngineArg::Auto | EngineArg::Order => Some(Method::Order),
            EngineArg::Refine => Some(Method::Refine),
            EngineArg::Clocks => Some(Method::Clocks),
            EngineArg::Explore => None,
        };
        // Of two that can answer, only one leaves a proof, and only one decides everything.
        let method = method.filter(|_| !is_auto || property::is_decided(checks));
        let explores = args.engine == EngineArg::Explore || is_auto && (!certify || method.is_none());
        let leaks = Checks::NONE.with(Property::Leak);
        let may_stay_open = if property::is_usual(&args.property) { leaks } else { Checks::NONE };
        Search { program, checks, may_stay_open, max_bound: args.unwind, certify, known, method, explores }
    }

    /// The first answer that is final, or the better of two.
    pub fn run(self, stop: &Stop) -> Searched {
        let (send, receive) = channel();
        let solver = self.method.map(|method| Solver::start(&self, method, send.clone()));
        let explorer = self.explores.then(|| Explorer::start(&self, send));
        let mut line = progress::Progress::of_search();
        let mut stopped: Option<(Reason, Instant)> = None;
        let mut so_far: Option<Found> = None;
        let begin = Instant::now();
        loop {
            let waits = solver.is_some() && begin.elapsed() < A_MOMENT;
            match receive.recv_timeout(TICK) {
                Ok(found @ Found::Solved(..)) if found.is_final() => return Searched::of(found, stopped),
                Ok(found) => so_far = Some(better(so_far, found)),
                Err(RecvTimeoutError::Timeout) => {}
                Err(RecvTimeoutError::Disconnected) => break,
            }
            if let Some(found) = so_far.take_if(|found| found.is_final() && !waits) {
                return Searched::of(found, stopped);
            }
            if let Some(reason) = stop.reason() {
                let (_, since) = stopped.get_or_insert_with(|| (reason, Instant::now()));
                solver.iter().for_each(|s| s.flag.store(true, Ordering::Relaxed));
                explorer.iter().for_each(|e| e.flag.store(true, Ordering::Relaxed));
                if since.elapsed() > GRACE || stop.is_far_beyond_memory() {
                    break;
                }
            }
            // One that remembers much must not take the memory of the other.
            if let (Some(_), Some(explorer)) = (&solver, &explorer)
                && stop.is_half_of_memory_taken()
            {
                explorer.flag.store(true, Ordering::Relaxed);
            }
            line.show_search(|| in_words(solver.as_ref(), explorer.as_ref()));
        }
        drop(line);
        let known = || match (&solver, &explorer) {
            (Some(solver), _) => solver.known(),
            (None, Some(explorer)) => {
                Found::Explored(explorer.latest().clone().as_it_is(), explorer.begin.elapsed())
            }
            (None, None) => Found::Explored(explore::nothing(), Duration::ZERO),
        };
        let found = so_far.unwrap_or_else(known);
        let explored = || {
            let explorer = explorer.as_ref()?;
            Some(Found::Explored(explorer.latest().clone().as_it_is(), explorer.begin.elapsed()))
        };
        // It may know of memory that is not freed, and have looked for something worse.
        let found = match explored().filter(|e| !found.is_final() && e.is_final()) {
            Some(explored) => explored,
            None => found,
        };
        let beside = match &found {
            _ if stopped.is_none() || found.is_final() => None,
            Found::Solved(..) => explored(),
            Found::Explored(..) => solver.map(|s| s.known()),
        };
        Searched { beside, ..Searched::of(found, stopped) }
    }
}

/// Of two answers of which not both are final, the one that is; otherwise the one that knows why there is none, and then the
/// one that says how far loops were followed.
fn better(earlier: Option<Found>, later: Found) -> Found {
    match earlier {
        Some(earlier) if earlier.is_final() => earlier,
        Some(earlier) if later.is_final() || !earlier.says_something() && later.says_something() => later,
        Some(solved @ Found::Solved(..)) => solved,
        Some(earlier) if earlier.says_something() && !later.says_something() => earlier,
        _ => later,
    }
}

/// An engine that solves, at work.
struct Solver {
    flag: Arc<AtomicBool>,
    latest: Arc<Mutex<Progress>>,
}

impl Solver {
    fn start(search: &Search, method: Method, send: Sender<Found>) -> Solver {
        let flag = Arc::new(AtomicBool::new(false));
        let latest = Arc::new(Mutex::new(Progress { bound: 1, ..Progress::default() }));
        let solver = Solver { flag: flag.clone(), latest: latest.clone() };
        let options = Options {
            method,
            checks: search.checks,
            may_stay_open: search.may_stay_open,
            max_bound: search.max_bound,
            max_instructions: MAX_INSTRUCTIONS,
            certify: search.certify,
            known: search.known.clone(),
            stop: flag,
        };
        let program = search.program.clone();
        std::thread::spawn(move || {
            let outcome = tp_engines::check(&program, &options, &mut |now| *lock(&latest) = now);
            let bound = lock(&latest).bound;
            // Nobody listens once there is an answer.
            let _ = send.send(Found::Solved(Box::new(outcome), bound));
        });
        solver
    }

    fn latest(&self) -> MutexGuard<'_, Progress> {
        lock(&self.latest)
    }

    /// Its answer if it is asked to end now and does not.
    fn known(&self) -> Found {
        let now = self.latest().clone();
        let outcome = Outcome {
            bound: None,
            shown: now.shown,
            open: Checks::NONE,
            reached: Default::default(),
            statistics: now.statistics,
            certificate: now.known.as_ref().map(|_| Err(Uncertified::Stopped)),
            verdict: now.known.map_or_else(
                || Verdict::Unknown(now.reason.unwrap_or(tp_engines::Reason::Stopped)),
                Into::into,
            ),
        };
        Found::Solved(Box::new(outcome), now.bound)
    }
}

/// The explorer, at work.
struct Explorer {
    begin: Instant,
    flag: Arc<AtomicBool>,
    latest: Arc<Mutex<Exploration>>,
}

impl Explorer {
    fn start(search: &Search, send: Sender<Found>) -> Explorer {
        let flag = Arc::new(AtomicBool::new(false));
        let latest = Arc::new(Mutex::new(explore::nothing()));
        let begin = Instant::now();
        let explorer = Explorer { begin, flag: flag.clone(), latest: latest.clone() };
        let (program, checks, known) = (search.program.clone(), search.checks, search.known.clone());
        std::thread::spawn(move || {
            let tell = &mut |now: &Exploration| *lock(&latest) = now.clone();
            let explored = explore::explore(&program, checks, &known, &flag, tell);
            let _ = send.send(Found::Explored(explored, begin.elapsed()));
        });
        explorer
    }

    fn latest(&self) -> MutexGuard<'_, Exploration> {
        lock(&self.latest)
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

/// The progress line.
fn in_words(solver: Option<&Solver>, explorer: Option<&Explorer>) -> String {
    let solver = solver.map(|s| solving_in_words(&s.latest()));
    let explorer = explorer.map(|e| explore::in_words(&e.latest()));
    solver.into_iter().chain(explorer).collect::<Vec<_>>().join("; ")
}

/// The numbers are those of the last bound that was encoded.
fn solving_in_words(now: &Progress) -> String {
    let Statistics { encoded, clauses, conflicts, lemmas, .. } = &now.statistics;
    let bound = format!("unwind {}", now.bound);
    if encoded.events == 0 {
        return bound;
    }
    let numbers =
        [(encoded.events, "event"), (*clauses, "clause"), (*conflicts, "conflict"), (*lemmas, "lemma")];
    numbers.iter().fold(bound, |line, (number, what)| format!("{line}, {}", count(*number, what)))
}
