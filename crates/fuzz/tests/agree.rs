//! All engines agree about random programs, and compiled ones do nothing impossible. `cargo xtask fuzz` tries many
//! more.

mod common;

use common::scratch;
use std::sync::Mutex;
use std::sync::atomic::{AtomicU64, Ordering};
use threadproof_fuzz::ask::JudgeLimits;
use threadproof_fuzz::generate::{self, Weights};
use threadproof_fuzz::judge::{judge, with_claim};
use threadproof_fuzz::native::{Build, Native, Stressed, explored, with_state};
use threadproof_fuzz::question::Question;
use threadproof_fuzz::table::engines;
use threadproof_fuzz::tally::Tally;
use threadproof_fuzz::tree;

const PROGRAMS: u64 = 100;
/// From this seed on, every question has programs that violate it.
const FIRST: u64 = 7700;
/// How many of them are also compiled and run.
const NATIVE: u64 = 10;

#[test]
fn all_agree() {
    let next = AtomicU64::new(0);
    let tally: Mutex<Tally> = Mutex::default();
    let limits = JudgeLimits { traces: 2000, bound: 3, ..JudgeLimits::default() };
    let work = |worker: u32| {
        let folder = scratch(&format!("agree-{worker}"));
        let native = Native::new(&folder, 30).expect("the system has a compiler");
        loop {
            let nth = next.fetch_add(1, Ordering::Relaxed);
            if nth >= PROGRAMS {
                return;
            }
            let seed = FIRST + nth;
            let made = generate::program(seed, &Weights::default());
            let (program, subject) = with_claim(made.program, seed, &folder, limits)
                .unwrap_or_else(|e| panic!("seed {seed}: {e}"));
            let judgement = judge(&subject, &Question::ALL, &engines());
            let mut complaints: Vec<String> =
                judgement.wrong().iter().map(|w| format!("{:?}\n{}", w, tree::print(&program))).collect();
            let mut stressed = Stressed::Skipped("not its turn".into());
            if nth < NATIVE && !made.is_ours_only {
                let program = with_state(&program, &made.state);
                stressed = native.stress(&program, &folder, Build::of(seed), limits, explored).unwrap();
                if let Stressed::Impossible(..) = stressed {
                    complaints.push(format!("{stressed}\n{}", tree::print(&program)));
                }
            }
            let mut tally = tally.lock().unwrap();
            tally.judged(seed, &made.topics, &judgement);
            tally.stressed(&stressed);
            tally.disagreements.extend(complaints.into_iter().map(|c| format!("seed {seed}: {c}")));
        }
    };
    std::thread::scope(|scope| {
        for worker in 0..2 {
            scope.spawn(move || work(worker));
        }
    });
    let tally = tally.into_inner().unwrap();
    assert!(tally.disagreements.is_empty(), "{}", tally.disagreements.join("\n"));
    // Otherwise nothing is tested.
    for question in Question::ALL {
        let [holds, violated, unknown] = tally.of(question);
        assert!(
            holds > 0 && violated > 0 && unknown < PROGRAMS / 4,
            "{}: {:?}",
            question.word(),
            tally.of(question)
        );
    }
    assert!(tally.native() >= 3, "{tally}");
}
