//! Asks several engines in parallel until one of them knows.
//!
//! Each works in a thread of its own and polls its flag. An engine that does not react to the flag is not waited for:
//! what it has told so far is its answer, and it ends with the process.

use crate::monitor::Monitor;
use crate::report::Report;
use crate::stop::{Stop, StopReason};
use crate::table::{Engine, EngineKind};
use crate::task::Task;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::mpsc::{RecvTimeoutError, Sender, channel};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

const TICK: Duration = Duration::from_millis(20);

/// How long an engine may take to react to its flag.
const GRACE: Duration = Duration::from_secs(3);

/// For this long after the start, answers of other engines wait for the first engine, which finds shorter failing runs.
/// So small programs get the same answer each time.
const A_MOMENT: Duration = Duration::from_secs(1);

/// How much later engines begin that are marked so.
const HEAD_START: Duration = Duration::from_millis(300);

/// Engines that only test have this part of the time, or this long if there is no limit. They go on as long as other engines
/// work and none of them has a formula yet: then the program is large, or solvers cannot decide it.
const SHARE_OF_TESTS: u32 = 10;
const TIME_OF_TESTS: Duration = Duration::from_secs(10);

/// The answer of an engine.
pub struct EngineReport {
    pub engine: &'static Engine,
    pub report: Report,
    pub took: Duration,
}

/// The answers of several.
pub struct Answers {
    /// The first final answer, or the best one.
    pub best: EngineReport,
    /// Why the work was stopped, if it was.
    pub stopped: Option<StopReason>,
    /// How far another engine was, if the work was stopped without a final answer.
    pub beside: Option<EngineReport>,
}

/// Asks these engines; `show` gets a line about their progress now and then.
///
/// # Panics
///
/// If there are no engines.
pub fn ask(
    engines: &[&'static Engine],
    task: &Arc<Task>,
    stop: &Stop,
    show: &mut dyn FnMut(&dyn Fn() -> String),
) -> Answers {
    let (send, receive) = channel();
    // An engine that is asked alone is not held up.
    let (mut later, now): (Vec<_>, Vec<_>) =
        engines.iter().partition(|engine| engine.begins_late && engines.len() > 1);
    let tests_end = HEAD_START
        + stop.timeout.map_or(TIME_OF_TESTS, |seconds| Duration::from_secs(seconds) / SHARE_OF_TESTS);
    let mut working: Vec<Working> =
        now.into_iter().map(|engine| Working::start(engine, task, send.clone())).collect();
    // Once no engine is to be started any more, the channel ends with the last answer.
    let mut send = (!later.is_empty()).then_some(send);
    let mut stopped: Option<(StopReason, Instant)> = None;
    let mut best: Option<(usize, EngineReport)> = None;
    let begin = Instant::now();
    loop {
        let position = |engine: &Engine| engines.iter().position(|e| std::ptr::eq(*e, engine)).unwrap_or(0);
        match receive.recv_timeout(TICK) {
            Ok(answer) => {
                let at = position(answer.engine);
                for one in working.iter_mut().filter(|w| std::ptr::eq(w.engine, answer.engine)) {
                    one.has_answered = true;
                }
                best = Some(better(best, (at, answer)));
            }
            Err(RecvTimeoutError::Timeout) => {}
            Err(RecvTimeoutError::Disconnected) => break,
        }
        let is_awaited = |at: usize| at > 0 && begin.elapsed() < A_MOMENT;
        if let Some((_, answer)) = best.take_if(|(at, answer)| answer.report.is_final() && !is_awaited(*at)) {
            return Answers { best: answer, stopped: stopped.map(|s| s.0), beside: None };
        }
        if let Some(reason) = stop.reason() {
            let (_, since) = stopped.get_or_insert_with(|| (reason, Instant::now()));
            working.iter().for_each(Working::stop);
            if since.elapsed() > GRACE || stop.is_far_beyond_memory() {
                break;
            }
        }
        // Engines that execute need much memory, and must not take that of the others.
        let solves = |w: &Working| w.engine.kind == EngineKind::Solves;
        if working.iter().any(solves) && stop.is_half_of_memory_taken() {
            working.iter().filter(|w| !solves(w)).for_each(Working::stop);
        }
        if begin.elapsed() > HEAD_START
            && let Some(send) = send.take()
        {
            working.extend(later.drain(..).map(|engine| Working::start(engine, task, send.clone())));
        }
        if begin.elapsed() > tests_end && engines.len() > 1 {
            let (tests, others): (Vec<_>, Vec<_>) =
                working.iter().filter(|w| !w.has_answered).partition(|w| w.engine.kind == EngineKind::Tests);
            if others.is_empty() || others.iter().any(|w| solves(w) && w.has_formula()) {
                tests.into_iter().for_each(Working::stop);
            }
        }
        show(&|| working.iter().map(Working::in_words).collect::<Vec<_>>().join("; "));
    }
    let mut best = best.map_or_else(|| working[0].so_far(), |best| best.1);
    // An engine that is still at work may have found memory that is not freed, and be looking for something worse.
    if !best.report.is_final()
        && let Some(working) = working.iter().find(|w| w.latest().is_final())
    {
        best = working.so_far();
    }
    let is_other = |w: &&Working| !std::ptr::eq(w.engine, best.engine);
    let beside = working.iter().find(is_other).filter(|_| stopped.is_some() && !best.report.is_final());
    let beside = beside.map(Working::so_far);
    Answers { beside, stopped: stopped.map(|s| s.0), best }
}

/// A final answer is best, then one that gives a reason, then that of the engine that comes first. Reasons of engines that
/// begin late do not count: they give up early on programs that are not for them.
fn better(earlier: Option<(usize, EngineReport)>, later: (usize, EngineReport)) -> (usize, EngineReport) {
    let rank = |(at, answer): &(usize, EngineReport)| {
        let says_something = answer.report.says_something() && !answer.engine.begins_late;
        (!answer.report.is_final(), !says_something, *at)
    };
    match earlier {
        Some(earlier) if rank(&earlier) <= rank(&later) => earlier,
        _ => later,
    }
}

/// An engine at work.
struct Working {
    engine: &'static Engine,
    task: Arc<Task>,
    begin: Instant,
    flag: Arc<AtomicBool>,
    latest: Arc<Mutex<Report>>,
    has_answered: bool,
}

impl Working {
    fn start(engine: &'static Engine, task: &Arc<Task>, send: Sender<EngineReport>) -> Working {
        let working = Working {
            engine,
            task: task.clone(),
            begin: Instant::now(),
            flag: Arc::default(),
            latest: Arc::new(Mutex::new(Report::nothing_yet(task.checks))),
            has_answered: false,
        };
        let (begin, flag, latest) = (working.begin, working.flag.clone(), working.latest.clone());
        let task = task.clone();
        std::thread::spawn(move || {
            let report = (engine.ask)(&task, &mut Monitor::new(flag, &mut |now| *lock(&latest) = now));
            // The receiver is gone once there is an answer.
            let _ = send.send(EngineReport { engine, report, took: begin.elapsed() });
        });
        working
    }

    fn stop(&self) {
        self.flag.store(true, Ordering::Relaxed);
    }

    fn has_formula(&self) -> bool {
        self.latest().counters.get("clauses").is_some_and(|clauses| clauses > 0)
    }

    fn latest(&self) -> MutexGuard<'_, Report> {
        lock(&self.latest)
    }

    /// What it has told so far, as its answer.
    fn so_far(&self) -> EngineReport {
        let report = std::mem::replace(&mut *self.latest(), Report::nothing_yet(self.task.checks));
        EngineReport { engine: self.engine, report, took: self.begin.elapsed() }
    }

    fn in_words(&self) -> String {
        (self.engine.progress)(&self.latest())
    }
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
