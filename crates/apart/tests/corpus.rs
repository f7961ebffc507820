//! The programs of `tests/corpus`: those that the analysis calls free of races are free, and their number is pinned.

use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use threadproof_apart::{may_race, reasons};
use tp_frontend::{FrontendOptions, load};

struct Task {
    program: PathBuf,
    is_free: bool,
    arguments: Vec<String>,
}

fn tasks() -> Vec<Task> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../tests/corpus");
    let table = std::fs::read_to_string(folder.join("tasks.tsv")).expect("the corpus has a table");
    let task = |line: &str| match line.split('\t').collect::<Vec<_>>()[..] {
        [set, program, "no-data-race", expected, ref rest @ ..] => Some(Task {
            program: folder.join(set).join(program),
            is_free: expected == "true",
            arguments: rest.iter().flat_map(|r| r.split_whitespace()).map(str::to_owned).collect(),
        }),
        _ => None,
    };
    table.lines().filter_map(task).collect()
}

#[test]
fn what_is_called_free_is_free() {
    let tasks = tasks();
    let (next, certified) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let found: Mutex<(usize, Vec<String>)> = Mutex::default();
    let work = || {
        while let Some(task) = tasks.get(next.fetch_add(1, Ordering::Relaxed)) {
            let clang_args = [vec!["-w".to_owned()], task.arguments.clone()].concat();
            let options = FrontendOptions {
                inputs: vec![task.program.clone()],
                clang_args,
                ..FrontendOptions::default()
            };
            let program = load(&options).unwrap_or_else(|error| panic!("{error}")).program;
            let stop = AtomicBool::new(false);
            let is_called_free = may_race(&program, &stop).is_ok_and(|open| open.pairs.is_empty());
            let reasons =
                is_called_free.then(|| reasons(&program, &stop).expect("it did not give up before"));
            let accepted = reasons.map(|text| tp_certify::check_races(text.as_bytes()));
            if let Some(Err(why)) = &accepted {
                println!("{}: {why}", task.program.display());
            }
            certified.fetch_add(usize::from(accepted.is_some_and(|a| a.is_ok())), Ordering::Relaxed);
            let mut found = found.lock().expect("nobody fails while it is locked");
            if is_called_free && task.is_free {
                found.0 += 1;
            } else if is_called_free {
                found.1.push(task.program.display().to_string());
            }
        }
    };
    std::thread::scope(|scope| {
        scope.spawn(work);
        scope.spawn(work);
    });
    let (free, wrong) = found.into_inner().expect("nobody failed");
    assert_eq!(wrong, Vec::<String>::new());
    let expected = tasks.iter().filter(|task| task.is_free).count();
    assert_eq!((free, expected), (295, 457), "programs proved to be free of races, and all that are");
    assert_eq!(certified.into_inner(), free, "all have an accepted certificate");
}
