//! Every task of tests/corpus: the verdict of every engine is right, and is found with the effort that is pinned.
//!
//! `tasks.tsv` says what is true of each program; `effort.tsv` what each engine says of it, and which counts (lemmas,
//! refinements, conflicts, traces) it takes. A program is compiled once, and all engines are asked within this process.
//! `BLESS=1 cargo test --test corpus` writes `effort.tsv` anew. A verdict that is wrong fails even then, and nothing is
//! written. `FILTER=word` picks some programs.
//!
//! Answers that take too much, by counts, are left out, and `effort.tsv` says so: `BLESS=all` asks for those as well.

mod ask;
#[path = "../common/mod.rs"]
mod common;
mod pins;

use ask::Asked;
use pins::{Key, Pins, Said};
use std::collections::{BTreeMap, BTreeSet};
use std::path::PathBuf;
use std::sync::Arc;
use tp_bench::find::{self, Places};
use tp_bench::{BenchTask, Expected};
use tp_driver::{Counters, ENGINES, Engine, EngineKind, ProgramShape, Report, Status};
use tp_frontend::FrontendOptions;
use tp_ir::{Checks, DataModel, Program, Property};
use tp_machine::Within;

/// The folder whose programs have no single verdict to ask for: `explore` counts their traces in tests of its own.
const COUNTED_ELSEWHERE: &str = "dpor";

/// Properties for which all engines are asked. They differ in how they find an order of steps, so that those of `auto`
/// are enough for what is mostly decided within a thread.
const ABOUT_ORDER: [&str; 2] = ["unreach-call", "no-data-race"];

/// What the command understands by the word for a property.
struct Meaning {
    checks: Checks,
    /// The engines that are asked: those that can decide it, or enough of them.
    engines: Vec<&'static Engine>,
}

/// A program with its arguments, and the tasks that are about it.
struct Case {
    file: PathBuf,
    arguments: Vec<String>,
    tasks: Vec<BenchTask>,
}

/// The answers of the engines for a case, or an error that must not be pinned.
type Heard = Result<Vec<(Key, Option<Asked>)>, String>;

fn corpus() -> PathBuf {
    common::root().join("tests/corpus")
}

fn tasks() -> Vec<BenchTask> {
    find::tasks(&[corpus().join("tasks.tsv")], &Places::default()).expect("the tasks can be read")
}

fn cases() -> Vec<Case> {
    let filter = std::env::var("FILTER").unwrap_or_default();
    let mut cases: Vec<Case> = Vec::new();
    let mut places = BTreeMap::new();
    for task in tasks().into_iter().filter(|t| t.id.path().contains(&filter)) {
        let place = *places.entry((task.id.path(), task.id.arguments.clone())).or_insert(cases.len());
        if place == cases.len() {
            let file = task.files.first().expect("a list names a program").clone();
            cases.push(Case { file, arguments: task.arguments.clone(), tasks: Vec::new() });
        }
        cases[place].tasks.push(task);
    }
    assert!(!cases.is_empty(), "no program was found");
    cases
}

#[test]
fn verdicts_are_right_and_take_what_is_pinned() {
    let (pins, cases) = (Pins::read(&corpus()), cases());
    let bless = std::env::var("BLESS").ok();
    let meanings = meanings("verdicts", cases.iter().flat_map(|c| &c.tasks));
    let is_asked = |key: &Key| bless.as_deref() == Some("all") || pins.said(key) != Some(&Said::LeftOut);
    let heard = tp_bench::each(&cases, 2, |case| Some(hear(case, &meanings, &is_asked)), |_| {});
    let wrong: Vec<&String> = heard.iter().filter_map(|h| h.as_ref().err()).collect();
    for complaint in &wrong {
        eprintln!("── {complaint}\n");
    }
    assert!(wrong.is_empty(), "{} programs with wrong answers", wrong.len());
    let answers: BTreeMap<Key, Option<Asked>> = heard.into_iter().flatten().flatten().collect();
    let is_whole = std::env::var_os("FILTER").is_none();
    if bless.is_some() {
        return pins.bless(&corpus(), &answers, is_whole);
    }
    let complaints = pins.compare(&answers, is_whole);
    for complaint in &complaints {
        eprintln!("{complaint}");
    }
    let left_out = answers.values().filter(|a| a.is_none()).count();
    println!(
        "{} answers as pinned, {left_out} left out because they take too much",
        answers.len() - left_out
    );
    assert!(complaints.is_empty(), "{} differences; if they are right: cargo xtask bless", complaints.len());
    assert!(
        left_out <= answers.len() / 10 || !is_whole,
        "{left_out} are left out, too many to mean something"
    );
}

/// For each program, all that is pinned as safe is proved at once, races and waiting for ever included, and the proof
/// is accepted.
#[test]
fn what_is_safe_is_certified() {
    let (pins, cases) = (Pins::read(&corpus()), cases());
    let certifying = ENGINES.iter().find(|engine| engine.certifies).expect("one leaves proofs");
    let meanings = meanings("proofs", cases.iter().flat_map(|c| &c.tasks));
    let prove = |case: &Case| -> Result<Option<ask::Proof>, String> {
        let is_safe = |task: &&BenchTask| pins.is_safe(&Key::new(task, certifying));
        let safe = case.tasks.iter().filter(is_safe).map(|t| meanings[&t.id.property].checks);
        let of = |checks: Checks| Property::ALL.into_iter().filter(move |p| checks.has(*p));
        let checks = safe.flat_map(of).fold(Checks::NONE, Checks::with);
        if checks == Checks::NONE {
            return Ok(None);
        }
        let program = compile(case)?;
        ask::proof(&Arc::new(program), certifying, checks)
            .map(Some)
            .map_err(|defect| format!("{}: {defect}", name(case)))
    };
    let proofs = tp_bench::each(&cases, 2, |case| Some(prove(case)), |_| {});
    let wrong: Vec<&String> = proofs.iter().filter_map(|p| p.as_ref().err()).collect();
    assert!(wrong.is_empty(), "{} programs: {wrong:#?}", wrong.len());
    let count = |proof: ask::Proof| proofs.iter().filter(|p| **p == Ok(Some(proof))).count();
    let (accepted, without) = (count(ask::Proof::Accepted), count(ask::Proof::None));
    println!("{accepted} proofs were accepted, {without} programs have none");
    let is_whole = std::env::var_os("FILTER").is_none();
    assert!(!is_whole || without == 0, "{accepted} accepted, {without} without");
}

fn name(case: &Case) -> String {
    case.tasks.first().map(|t| t.id.path()).unwrap_or_default()
}

fn compile(case: &Case) -> Result<Program, String> {
    let name = name(case);
    if let Some(other) = case.arguments.iter().find(|a| !a.starts_with("-D")) {
        return Err(format!("{name}: `{other}` is not an argument that this test knows"));
    }
    let options = FrontendOptions {
        inputs: vec![case.file.clone()],
        clang_args: case.arguments.clone(),
        data_model: Some(DataModel::Lp64),
        reuse: true,
        ..FrontendOptions::default()
    };
    Ok(tp_frontend::load(&options).map_err(|error| format!("{name}: {error}"))?.program)
}

/// Compiles a program, and asks all engines about it.
fn hear(
    case: &Case,
    meanings: &BTreeMap<String, Meaning>,
    is_asked: &(dyn Fn(&Key) -> bool + Sync),
) -> Heard {
    let program = Arc::new(compile(case)?);
    let mut heard = Vec::new();
    for task in &case.tasks {
        let Meaning { checks, engines } = &meanings[&task.id.property];
        for &engine in engines {
            let key = Key::new(task, engine);
            let answer = match is_asked(&key) {
                true => Some(ask::watched(&program, engine, *checks)),
                false => None,
            };
            let answer = answer.transpose().map_err(|defect| format!("{key}: {defect}"))?;
            let expected = task.expected.as_ref().ok_or_else(|| format!("{key}: no verdict is expected"))?;
            if let Some(answer) = answer.as_ref().filter(|a| a.verdict.contradicts(expected)) {
                return Err(format!("{key}: {}, but {expected} is expected", answer.verdict));
            }
            heard.push((key, answer));
        }
    }
    Ok(heard)
}

/// Asks the command what the words of the tasks mean, for a test.
fn meanings<'a>(test: &str, tasks: impl Iterator<Item = &'a BenchTask>) -> BTreeMap<String, Meaning> {
    let folder =
        common::scratch_with(&format!("corpus/{test}"), "nothing.c", "int main(void) { return 0; }\n");
    let words: BTreeSet<&String> = tasks.map(|t| &t.id.property).collect();
    let check = |word: &str, engine: &Engine| {
        let arguments = ["check", "nothing.c", "--engine", engine.name, "--json", "--property", word];
        common::run(&folder, &arguments)
    };
    let meaning = |word: &str| {
        let executing =
            ENGINES.iter().find(|engine| engine.kind == EngineKind::Explores).expect("one executes");
        let done = check(word, executing);
        let document: serde_json::Value =
            serde_json::from_str(&done.stdout).unwrap_or_else(|e| panic!("{word}: {e}\n{}", done.stderr));
        let checks = document["ledger"]["checks"].as_array().expect("the ledger lists what is checked");
        let properties = checks.iter().map(|w| w.as_str().and_then(Property::from_word).expect("a property"));
        let checks = properties.fold(Checks::NONE, Checks::with);
        let may_be_asked = |engine: &Engine| {
            let shape = |has_large_inputs| ProgramShape { starts_threads: true, has_large_inputs };
            [true, false].into_iter().any(|large| (engine.suits)(shape(large)).is_some())
        };
        // Those that solve within a bound on context switches are slow without one; `context_formulas` asks them with one.
        let needs_bound = |engine: &Engine| engine.bounds_contexts && engine.kind == EngineKind::Solves;
        let is_enough =
            |engine: &&Engine| may_be_asked(engine) || ABOUT_ORDER.contains(&word) && !needs_bound(engine);
        let engines = ENGINES.iter().filter(|engine| engine.looks_for(checks)).filter(is_enough);
        Meaning { checks, engines: engines.collect() }
    };
    words.into_iter().map(|word| (word.clone(), meaning(word))).collect()
}

#[test]
fn every_program_is_in_the_table_and_there() {
    let folder = corpus();
    let tasks = tasks();
    let named: BTreeSet<&PathBuf> = tasks.iter().flat_map(|t| &t.files).collect();
    let there = common::c_files(&folder);
    let counted = folder.join(COUNTED_ELSEWHERE);
    let missing: Vec<&PathBuf> =
        there.iter().filter(|f| !named.contains(f) && !f.starts_with(&counted)).collect();
    assert!(missing.is_empty(), "not in tasks.tsv: {missing:?}");
    let gone: Vec<&&PathBuf> = named.iter().filter(|f| !f.exists()).collect();
    assert!(gone.is_empty(), "in tasks.tsv, but not there: {gone:?}");
    let unknown = tasks.iter().filter(|t| t.expected.is_none()).count();
    assert_eq!(unknown, 0, "tasks without a verdict");
}

#[test]
fn a_wrong_verdict_is_told_from_one_that_says_less() {
    use ask::Verdict;
    let check = |verdict: Verdict, expected: &str, wrong: bool| {
        let known: Expected = expected.parse().expect("true or false");
        assert_eq!(verdict.contradicts(&known), wrong, "{verdict}, {expected}");
    };
    check(Verdict::Safe, "true", false);
    check(Verdict::Safe, "false", true);
    check(Verdict::Violated, "true", true);
    check(Verdict::Violated, "false", false);
    check(Verdict::WithinBounds(Within::unwind(3)), "true", false);
    check(Verdict::WithinBounds(Within::unwind(3)), "false", false);
    check(Verdict::Unknown("why".into()), "true", false);
    check(Verdict::Unknown("why".into()), "false", false);
}

/// An engine like those in the driver's table: it is asked and pinned as they are.
static GUESSES: Engine = Engine {
    name: "guesses",
    about: "Says that everything holds, after so many guesses",
    suits: |_| None,
    begins_late: false,
    bounds_contexts: false,
    suits_bound: None,
    has_tree: false,
    kind: EngineKind::Solves,
    certifies: false,
    effort: &["guesses"],
    progress: |so_far| so_far.counters.to_string(),
    ask: |task, _| Report {
        status: vec![(task.checks, Status::Holds)],
        counters: Counters(vec![("guesses", 3)]),
        ..Report::nothing_yet(task.checks)
    },
};

#[test]
fn an_engine_joins_by_its_line() {
    let case = cases().into_iter().next().expect("there are programs");
    let checks = Checks::NONE.with(Property::Race);
    let program = Arc::new(compile(&case).expect("it compiles"));
    let answer = ask::watched(&program, &GUESSES, checks).expect("it answers");
    assert_eq!(answer.verdict, ask::Verdict::Safe);
    let key = Key::new(&case.tasks[0], &GUESSES);
    assert!(key.to_string().ends_with(", guesses"), "{key}");
    assert_eq!(answer.effort.get("guesses"), Some(&3));
}
