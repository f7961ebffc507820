//! A random program that the race analysis calls free of races has none in any execution.

mod common;

use common::scratch;
use std::sync::atomic::AtomicBool;
use threadproof_fuzz::ask::{self, JudgeLimits, Said, Subject};
use threadproof_fuzz::generate::{self, Weights};
use threadproof_fuzz::judge::compile;
use threadproof_fuzz::question::Question;
use threadproof_fuzz::tree;

const PROGRAMS: u64 = 300;

#[test]
fn what_is_free_of_races_has_none() {
    let folder = scratch("apart");
    let limits = JudgeLimits { traces: 2_000, ..JudgeLimits::default() };
    let (mut free, mut open_and_racy) = (0, 0);
    for seed in 0..PROGRAMS {
        let made = generate::program(seed, &Weights::default());
        let program = compile(&made.program, &folder).unwrap_or_else(|e| panic!("seed {seed}: {e}"));
        let subject = Subject::new(program, limits);
        let is_free = tp_apart::may_race(&subject.program, &AtomicBool::new(false))
            .is_ok_and(|open| open.pairs.is_empty());
        let said = ask::oracle(&subject, Question::Races, Default::default());
        let is_racy = matches!(said, Said::Violated(_));
        assert!(!is_free || !is_racy, "seed {seed}\n{}", tree::print(&made.program));
        free += u64::from(is_free);
        open_and_racy += u64::from(!is_free && is_racy);
    }
    assert_eq!((free, open_and_racy), (174, 77), "how many are free, and how many race");
}
