//! The judge: a wrong engine is caught, whatever it is wrong about, and the program is shrunk to what shows it.

mod common;

use common::scratch;
use std::path::Path;
use std::sync::atomic::Ordering;
use std::time::{Duration, Instant};
use threadproof_fuzz::ask::{self, JudgeLimits, Said, Subject};
use threadproof_fuzz::judge::{Judgement, NotReady, compile, judge, with_claim};
use threadproof_fuzz::question::Question;
use threadproof_fuzz::shrink;
use threadproof_fuzz::table::{Ask, JudgedEngine, ORACLE, engines};
use threadproof_fuzz::tally::Tally;
use threadproof_fuzz::tree::{self, SourceNode};
use tp_driver::{Report, Status};
use tp_ir::Program;
use tp_machine::Trace;

fn parsed(text: &str) -> Vec<SourceNode> {
    tree::parse(text).expect("braces match")
}

fn compiled(program: &[SourceNode], folder: &Path) -> Program {
    compile(program, folder).unwrap_or_else(|e| panic!("{e}"))
}

const THE_ORACLE: JudgedEngine = JudgedEngine {
    name: ORACLE,
    answers: &Question::ALL,
    follows: false,
    may_be_slow: false,
    ask: Ask::Own(ask::oracle),
};
const BLIND: JudgedEngine = JudgedEngine {
    name: "blind",
    answers: &Question::ALL,
    follows: true,
    may_be_slow: false,
    ask: Ask::Own(|_, _, _| Said::Safe),
};
const SEES_GHOSTS: JudgedEngine = JudgedEngine {
    name: "ghosts",
    answers: &Question::ALL,
    follows: true,
    may_be_slow: false,
    ask: Ask::Own(|_, _, _| Said::Violated(Trace::default())),
};
const PANICS: JudgedEngine = JudgedEngine {
    name: "panics",
    answers: &Question::ALL,
    follows: true,
    may_be_slow: false,
    ask: Ask::Own(|_, _, _| panic!("out of cheese")),
};

const WORKS_ON: JudgedEngine = JudgedEngine {
    name: "works on",
    answers: &Question::ALL,
    follows: true,
    may_be_slow: false,
    ask: Ask::Own(|_, _, stop| {
        while !stop.load(Ordering::Relaxed) {}
        Said::Safe
    }),
};
/// Works longer than an engine may take to stop.
const NEVER_STOPS: JudgedEngine = JudgedEngine {
    name: "never stops",
    answers: &Question::ALL,
    follows: true,
    may_be_slow: false,
    ask: Ask::Own(|_, _, _| {
        let begin = Instant::now();
        while begin.elapsed() < Duration::from_secs(20) {}
        Said::Safe
    }),
};

const PROGRAM: &str = "#include <assert.h>
    #include <pthread.h>
    #include <stdlib.h>
    int x, y = 1, z;
    int *p;
    pthread_mutex_t m = PTHREAD_MUTEX_INITIALIZER;
    void *f(void *arg) {
    int r = y;
    pthread_mutex_lock(&m);
    if (r) {
    BODY
    }
    pthread_mutex_unlock(&m);
    y = 2;
    return 0;
    }
    int main(void) {
    pthread_t t;
    p = malloc(sizeof *p);
    *p = 1;
    pthread_create(&t, 0, f, 0);
    pthread_join(t, 0);
    free(p);
    return 0;
    }";

/// A program in which this statement is executed.
fn with(statement: &str) -> Vec<SourceNode> {
    parsed(&PROGRAM.replace("BODY", statement))
}

fn judged(program: &[SourceNode], name: &str, questions: &[Question], engines: &[JudgedEngine]) -> Judgement {
    let subject = Subject::new(compiled(program, &scratch(name)), JudgeLimits::default());
    judge(&subject, questions, engines)
}

/// An engine that overlooks this is caught, and the program is shrunk to less than half.
#[track_caller]
fn check(question: Question, statement: &str) {
    let program = with(statement);
    let name = format!("judge-{}", question.word());
    let wrong = judged(&program, &name, &[question], &[THE_ORACLE, BLIND]).wrong();
    let [wrong] = &wrong[..] else { panic!("{wrong:?}") };
    assert_eq!((wrong.answer.engine, wrong.answer.question), ("blind", question));
    assert_eq!(wrong.shown_by, Some(ORACLE));
    let folder = scratch(&name);
    let small = shrink::answer(program.clone(), wrong, &[THE_ORACLE, BLIND], &folder, JudgeLimits::default());
    let text = tree::print(&small);
    assert!(tree::count(&small) * 2 < tree::count(&program), "{text}");
    assert!(!text.contains("y = 2") && !text.contains("if (r)"), "{text}");
    assert!(!judged(&small, &name, &[question], &[THE_ORACLE, BLIND]).wrong().is_empty(), "{text}");
}

#[test]
fn a_failure_is_overlooked() {
    check(Question::Failures, "assert(x);");
}

#[test]
fn a_race_is_overlooked() {
    // Main writes before it joins the thread.
    let program = with("x = 1;");
    let before = "pthread_join(t, 0);";
    let program = parsed(&tree::print(&program).replace(before, "x = 2;\npthread_join(t, 0);"));
    let wrong = judged(&program, "judge-race", &[Question::Races], &[THE_ORACLE, BLIND]).wrong();
    let folder = scratch("judge-race");
    let small = shrink::answer(program, &wrong[0], &[THE_ORACLE, BLIND], &folder, JudgeLimits::default());
    let text = tree::print(&small);
    assert!(text.contains("x = 1;") && text.contains("x = 2;") && !text.contains("mutex_lock"), "{text}");
}

#[test]
fn a_deadlock_is_overlooked() {
    check(Question::Deadlocks, "pthread_mutex_lock(&m);");
}

#[test]
fn an_overflow_is_overlooked() {
    check(Question::Overflows, "x = 2147483647 + y;");
}

#[test]
fn a_wrong_access_is_overlooked() {
    check(Question::Memory, "p[1] = 1;");
}

#[test]
fn a_leak_is_overlooked() {
    check(Question::Leaks, "p = 0;");
}

#[test]
fn a_division_is_overlooked() {
    check(Question::Arithmetic, "x = y / z;");
}

#[test]
fn alarms_that_are_none_and_panics_are_broken() {
    let program = with("x = 1;");
    for question in Question::ALL {
        let judgement = judged(&program, "judge-broken", &[question], &[THE_ORACLE, SEES_GHOSTS, PANICS]);
        let said: Vec<String> = judgement.wrong().iter().map(|w| w.answer.said.to_string()).collect();
        assert_eq!(said.len(), 2, "{said:?}");
        assert!(said[0].starts_with("broken: not replayed"), "{said:?}");
        assert_eq!(said[1], "broken: panic: out of cheese");
    }
}

/// An engine like those in the driver's table, and asked in the same way.
static TRUSTS: tp_driver::Engine = tp_driver::Engine {
    name: "trusts",
    about: "Says that everything holds",
    suits: |_| None,
    begins_late: false,
    bounds_contexts: false,
    suits_bound: None,
    has_tree: false,
    kind: tp_driver::EngineKind::Solves,
    certifies: false,
    effort: &[],
    progress: |so_far| so_far.counters.to_string(),
    ask: |task, _| Report { status: vec![(task.checks, Status::Holds)], ..Report::nothing_yet(task.checks) },
};

#[test]
fn an_engine_of_the_driver_joins_by_its_line() {
    let program = with("assert(x);");
    let wrong =
        judged(&program, "judge-joins", &[Question::Failures], &[THE_ORACLE, JudgedEngine::of(&TRUSTS)]);
    let wrong = wrong.wrong();
    assert_eq!(wrong.len(), 1, "{wrong:?}");
    assert_eq!((wrong[0].answer.engine, wrong[0].shown_by), ("trusts", Some(ORACLE)));
}

/// What one engine has executed is a fact, even if the explorer says otherwise.
#[test]
fn the_explorer_may_be_the_one_who_is_wrong() {
    let blind = JudgedEngine { name: ORACLE, follows: false, ..BLIND };
    let program = with("assert(x);");
    let run = tp_driver::ENGINES.iter().find(|engine| engine.name == "run").expect("it is in the table");
    let run = JudgedEngine::of(run);
    let wrong = judged(&program, "judge-explorer", &[Question::Failures], &[blind, run]).wrong();
    assert_eq!(wrong.len(), 1);
    assert_eq!((wrong[0].answer.engine, wrong[0].shown_by), (ORACLE, Some("run")));
}

/// Engines that follow the explorer are not asked what it has not decided.
#[test]
fn some_follow_the_explorer() {
    let unsure = JudgedEngine {
        name: ORACLE,
        answers: &Question::ALL,
        follows: false,
        may_be_slow: false,
        ask: Ask::Own(|_, _, _| Said::Undecided("tired".into())),
    };
    let judgement = judged(&with("assert(x);"), "judge-follow", &[Question::Failures], &[unsure, BLIND]);
    assert_eq!(judgement.answers.len(), 1);
    assert_eq!(judgement.verdict(Question::Failures), None);
}

#[test]
fn everybody_in_the_table_agrees_about_this() {
    let program = with("assert(y == 1);");
    let judgement = judged(&program, "judge-all", &Question::ALL, &engines());
    assert!(judgement.wrong().is_empty(), "{:?}", judgement.wrong());
    for question in Question::ALL {
        assert_eq!(judgement.verdict(question), Some(true), "{}", question.word());
    }
    assert!(engines().iter().all(|e| judgement.answers.iter().any(|a| a.engine == e.name)));
}

/// An engine that takes too long is listed, and is no disagreement; one that does not stop when told to is broken.
/// Neither keeps the others waiting.
#[test]
fn slow_engines_are_listed() {
    let limits = JudgeLimits { time: Duration::from_millis(300), ..JudgeLimits::default() };
    let subject = Subject::new(compiled(&with("x = 1;"), &scratch("judge-slow")), limits);
    let begin = Instant::now();
    let judgement = judge(&subject, &[Question::Failures], &[THE_ORACLE, WORKS_ON, NEVER_STOPS]);
    assert!(begin.elapsed() < Duration::from_secs(15));
    let wrong = judgement.wrong();
    assert!(matches!(&wrong[..], [only] if only.answer.engine == "never stops"), "{judgement:?}");
    let mut tally = Tally::default();
    tally.judged(7, &["locks"], &judgement);
    let text = tally.to_string();
    assert!(text.contains("seed 7: works on is slow: unreach-call"), "{text}");
    assert_eq!((tally.of_topic("locks"), tally.of_topic("lists")), (1, 0));
}

/// So is a slow stage before any engine is asked.
#[test]
fn slow_stages_are_listed() {
    let outcome = threadproof_fuzz::generate::OUTCOME;
    let many = "for (int i = 0; i < 4; i++) { z += __VERIFIER_nondet_int() & 3; }";
    let source = format!(
        "#include <assert.h>\n#include <pthread.h>\nint __VERIFIER_nondet_int(void);\nint z, outcome;\n\
         void *f(void *a) {{\n{many}\nreturn 0;\n}}\nint main(void) {{\npthread_t t;\n\
         pthread_create(&t, 0, f, 0);\n{many}\noutcome = z;\nassert(outcome != {outcome});\nreturn 0;\n}}"
    );
    let limits = JudgeLimits { time: Duration::from_nanos(3), ..JudgeLimits::default() };
    let ready = with_claim(parsed(&source), 1, &scratch("judge-stage"), limits);
    let Err(why @ NotReady::Slow("claim" | "compile")) = ready else { panic!("not slow") };
    let mut tally = Tally::default();
    tally.not_ready(1, &why);
    assert!(tally.disagreements.is_empty(), "{tally}");
    assert!(tally.to_string().contains(&format!("seed 1: {why}")), "{tally}");
}
