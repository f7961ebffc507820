//! An observer sees the accesses of the steps that are taken, and changes nothing.

mod common;

use common::{program, run_checking};
use std::sync::atomic::AtomicBool;
use threadproof_machine::{
    AccessKind, Checks, Environment, ObservedAccess, Observer, RandomInputs, RandomSchedule, RunLimits,
    run_observed,
};

/// Main sets a counter and then a flag; the worker adds to the counter in a section that waits for the flag.
const PROGRAM: &str = "global @flag size 4 align 4 = zero
global @count size 4 align 4 = zero
func &main() {
bb0:
  %0 = thread_start &worker, null
  store i32 1, @count
  store i32 1, @flag seq_cst
  return
}
func &worker(%arg.0: ptr) {
bb0:
  atomic_begin
  %1 = load i32 @flag
  %2 = cmp eq i32 %1, 1
  await %2
  %3 = load i32 @count
  %4 = add i32 %3, 1
  store i32 %4, @count
  atomic_end
  return
}
";

/// Which write each read has seen: pairs of steps, by object.
#[derive(Default)]
struct DefinitionsAndUses {
    last: std::collections::BTreeMap<u64, u64>,
    pairs: Vec<(u64, u64)>,
    steps: Vec<u64>,
}

impl Observer for DefinitionsAndUses {
    fn access(&mut self, access: ObservedAccess) {
        self.steps.push(access.step);
        match access.kind {
            AccessKind::Read => {
                self.pairs.extend(self.last.get(&access.object).map(|write| (*write, access.step)))
            }
            _ => _ = self.last.insert(access.object, access.step),
        }
    }
}

#[test]
fn attempts_that_fail_are_not_seen() {
    let program = program(PROGRAM);
    let stop = AtomicBool::new(false);
    let config = RunLimits::default().config(Checks::NONE, &stop, false);
    for seed in 0..50 {
        let mut seen = DefinitionsAndUses::default();
        let (mut schedule, mut inputs) = (RandomSchedule::new(seed), RandomInputs::new(seed));
        let environment =
            Environment { schedule: &mut schedule, inputs: &mut inputs, output: &mut |_, _| {} };
        let run = run_observed(&program, &config, &[], environment, &mut seen);
        let plain = run_checking(
            &program,
            Checks::NONE,
            &mut RandomSchedule::new(seed),
            &mut RandomInputs::new(seed),
        );
        assert_eq!(run.trace, plain.trace, "seed {seed}");
        assert!(seen.steps.is_sorted(), "seed {seed}: {:?}", seen.steps);
        // The section is taken once, after both writes of the first thread: it reads the flag and the counter.
        assert_eq!(seen.steps.len(), 5, "seed {seed}: {:?}", seen.steps);
        assert_eq!(seen.pairs.len(), 2, "seed {seed}: {:?}", seen.pairs);
    }
}
