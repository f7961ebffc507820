//! Runs that are decided from outside and go back.

mod common;

use common::{program, run_checking};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use threadproof_machine::{
    Attempt, Beside, Checks, Config, End, Environment, NextStepKind, Random, RandomInputs, RandomSchedule,
    Replay, ReplayInputs, Session, run_from,
};

/// Two threads that lock, allocate, write through pointers, ask for inputs and free.
const PROGRAM: &str = "global @lock size 4 align 4 = zero
global @head size 8 align 8 = zero
global @name constant size 2 align 1 = \"i\\00\"
func &main() {
bb0:
  %0 = thread_start &worker, null
  %1 = thread_start &worker, null
  return
}
func &worker(%arg.0: ptr) {
bb0:
  %1 = alloca i64 4 align 4
  %2 = input i8 @name
  store i8 %2, %1
  %3 = heap_alloc i64 align i64 16, 8
  store ptr %1, %3
  atomic_begin
  %4 = load i32 @lock
  %5 = cmp eq i32 %4, 0
  await %5
  store i32 1, @lock
  atomic_end
  %6 = load ptr @head
  store ptr %3, @head
  atomic_begin
  store i32 0, @lock
  atomic_end
  %7 = cmp eq i64 %6, null
  branch %7, bb2, bb1
bb1:
  heap_free %6
  return
bb2:
  return
}
";

fn config(checks: Checks, stop: &AtomicBool) -> Config<'_> {
    Config {
        checks,
        max_steps: 100_000,
        max_memory: 1 << 20,
        max_depth: 100,
        stop,
        record_events: false,
        wakers: None,
    }
}

#[test]
fn what_is_left_after_going_back_is_the_trace() {
    check_traces(PROGRAM);
}

#[test]
fn races_on_large_objects_are_those_of_the_trace() {
    check_traces(&LARGE.replace(" seq_cst", ""));
}

/// A run that went back ends like one that takes the decisions that are left.
fn check_traces(text: &str) {
    let program = program(text);
    let stop = AtomicBool::new(false);
    let config = config(Checks::ALL, &stop);
    let mut went_back = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut inputs = RandomInputs::new(seed);
        let Ok(mut session) = Session::new(&program, &config, &mut inputs, None) else { panic!("it starts") };
        let end = loop {
            if session.depth() > 3 && random.below(8) == 0 {
                session.back_to(random.below(session.depth() as u64) as usize);
                went_back += 1;
            }
            let ready: Vec<u32> = (0..session.threads()).filter(|&t| session.is_alive(t)).collect();
            let first = random.below(ready.len().max(1) as u64) as usize;
            let mut order = ready[first..].iter().chain(&ready[..first]);
            let before = session.depth();
            match order.find_map(|&t| Some(session.attempt(t)).filter(|a| *a != Attempt::Waits)) {
                Some(Attempt::Taken) => assert_eq!(session.depth(), before + 1),
                Some(Attempt::Ends(end)) => break *end,
                Some(other) => panic!("{other:?}"),
                None => break session.nobody_can_step(),
            }
        };
        let trace = Arc::new(session.trace().clone());
        let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace.clone()));
        let run = run_checking(&program, Checks::ALL, &mut schedule, &mut inputs);
        assert_eq!(run.trace, *trace, "seed {seed}");
        assert_eq!(std::mem::discriminant(&run.end), std::mem::discriminant(&end), "seed {seed}: {end:?}");
        assert!(run.end.is_same(&end), "seed {seed}: {end:?}");
    }
    assert!(went_back > 100, "{went_back}");
}

/// Two threads that change parts of large objects: few and many in a step, numbers, pointers, unwritten bytes.
const LARGE: &str = "global @table size 1024 align 8 = zero
global @name constant size 2 align 1 = \"i\\00\"
func &main() {
bb0:
  %0 = thread_start &worker, null
  %1 = thread_start &worker, null
  return
}
func &worker(%arg.0: ptr) {
bb0:
  %1 = heap_alloc i64 align i64 600, 8
  %2 = input i64 @name
  %3 = and i64 %2, 63
  %4 = ptradd i64 * 8 @table, %3
  %5 = load i64 %4 seq_cst
  store i64 %2, %4 seq_cst
  %6 = ptradd i64 * 8 %1, %3
  store ptr %1, %6
  atomic_begin
  store ptr %1, @table+512
  store i64 %5, @table+520
  store i64 %2, @table+512
  copy i64 @table+600, @table, 200
  copy i64 @table+256, %1, 64
  atomic_end
  set i64 %1, 7, 300
  %7 = load i64 @table+600 seq_cst
  %8 = cmp eq i64 %7, 0
  branch %8, bb1, bb2(i64 0)
bb1:
  store i64 1, @table+8 seq_cst
  heap_free %1
  return
bb2(%9: i64):
  %10 = ptradd i64 * 8 %1, %9
  store i64 %9, %10
  %11 = add i64 %9, 1
  %12 = cmp ult i64 %11, 60
  branch %12, bb2(%11), bb3
bb3:
  store i64 %7, @table+16 seq_cst
  heap_free %1
  return
}
";

#[test]
fn contents_of_large_objects_are_restored() {
    let program = program(LARGE);
    let stop = AtomicBool::new(false);
    let config = config(Checks::NONE, &stop);
    let beside = Beside { tracked: &[], counts_heap: true, has_key: &|_| true, sets: &[] };
    let mut went_back = 0;
    for seed in 0..200 {
        let mut random = Random::new(seed);
        let mut inputs = RandomInputs::new(seed);
        let Ok(mut session) = Session::new(&program, &config, &mut inputs, None) else { panic!("it starts") };
        // By depth, the digest of the state before the step.
        let mut digests = vec![session.digest(&beside)];
        for _ in 0..60 {
            if session.depth() > 3 && random.below(4) == 0 {
                let depth = random.below(session.depth() as u64) as usize;
                session.back_to(depth);
                digests.truncate(depth + 1);
                assert_eq!(session.digest(&beside), digests[depth], "seed {seed}");
                went_back += 1;
            }
            let ready: Vec<u32> = (0..session.threads()).filter(|&t| session.is_alive(t)).collect();
            let Some(&thread) = ready.get(random.below(ready.len().max(1) as u64) as usize) else { break };
            match session.attempt(thread) {
                Attempt::Taken => digests.push(session.digest(&beside)),
                Attempt::Waits => {}
                other => panic!("{other:?}"),
            }
        }
        let trace = Arc::new(session.trace().clone());
        let mut inputs = ReplayInputs::new(trace.clone());
        let Ok(mut again) = Session::new(&program, &config, &mut inputs, None) else { panic!("it starts") };
        for &(thread, steps) in trace.schedule() {
            (0..steps).for_each(|_| assert_eq!(again.attempt(thread), Attempt::Taken));
        }
        assert_eq!(again.digest(&beside), session.digest(&beside), "seed {seed}");
    }
    assert!(went_back > 100, "{went_back}");
}

#[test]
fn a_step_that_changes_nothing_is_a_loop_that_waits() {
    let program = program(
        "global @x size 4 align 4 = zero
func &main() {
bb0:
  %0 = thread_start &other, null
  jump bb1
bb1:
  %1 = load i32 @x seq_cst
  %2 = cmp eq i32 %1, 0
  branch %2, bb1, bb2
bb2:
  exit 0
  unreachable
}
func &other(%arg.0: ptr) {
bb0:
  store i32 1, @x seq_cst
  return
}
",
    );
    let stop = AtomicBool::new(false);
    let config = Config {
        checks: Checks::NONE,
        max_steps: 1000,
        max_memory: 1 << 20,
        max_depth: 100,
        stop: &stop,
        record_events: false,
        wakers: None,
    };
    let mut inputs = RandomInputs::new(0);
    let Ok(mut session) = Session::new(&program, &config, &mut inputs, None) else { panic!("it starts") };
    assert_eq!(session.attempt(0), Attempt::Taken);
    assert_eq!(session.attempt(0), Attempt::Spins);
    assert_eq!(session.touched().len(), 1);
    assert_eq!(session.depth(), 1);
    assert_eq!(session.attempt(1), Attempt::Taken);
    assert_eq!(session.attempt(0), Attempt::Taken);
    assert_eq!(session.next_step_kind(0), Some(NextStepKind::Exit));
    assert_eq!(session.attempt(0), Attempt::Ends(Box::new(End::Exited { status: 0 })));
}

/// Steps of random threads that are alive; the end, if the run reaches it.
fn step_at_random(session: &mut Session<'_, '_>, random: &mut Random, steps: u32) -> Option<End> {
    for _ in 0..steps {
        let ready: Vec<u32> = (0..session.threads()).filter(|&t| session.is_alive(t)).collect();
        let first = random.below(ready.len().max(1) as u64) as usize;
        let mut order = ready[first..].iter().chain(&ready[..first]);
        match order.find_map(|&t| Some(session.attempt(t)).filter(|a| *a != Attempt::Waits)) {
            Some(Attempt::Taken) => {}
            Some(Attempt::Ends(end)) => return Some(*end),
            Some(other) => panic!("{other:?}"),
            None => return Some(session.nobody_can_step()),
        }
    }
    None
}

#[test]
fn a_run_goes_on_from_a_copy_of_its_state() {
    let program = program(PROGRAM);
    let stop = AtomicBool::new(false);
    let config = threadproof_machine::RunLimits::default().config(Checks::ALL, &stop, false);
    for seed in 0..100 {
        let mut inputs = RandomInputs::new(seed);
        let Ok(mut session) = Session::new(&program, &config, &mut inputs, None) else { panic!("it starts") };
        let mut random = Random::new(seed);
        if step_at_random(&mut session, &mut random, 1 + seed as u32 % 9).is_some() {
            continue;
        }
        // Attempts that fail or are undone make no difference to the copy.
        for thread in 0..session.threads() {
            let before = session.depth();
            session.attempt(thread);
            session.back_to(before);
        }
        let state = session.state();
        let steps = session.steps();
        // In the session itself, then from the copy, with other decisions.
        let first = step_at_random(&mut session, &mut random, 1000).expect("it is short");
        let whole = session.trace().clone();
        session.restore(state.clone());
        assert_eq!((session.steps(), session.depth()), (steps, 0));
        step_at_random(&mut session, &mut random, 1000).expect("it is short");
        let other = Arc::new(session.trace().clone());
        session.back_to(0);
        assert_eq!(session.steps(), steps);
        // Memory is what it was: other decisions from there replay as well.
        step_at_random(&mut session, &mut random, 1000).expect("it is short");
        let again = Arc::new(session.trace().clone());
        session.back_to(0);
        let replay = |trace: &Arc<threadproof_machine::Trace>| {
            let (mut schedule, mut inputs) = (Replay::new(trace.clone()), ReplayInputs::new(trace.clone()));
            run_checking(&program, Checks::ALL, &mut schedule, &mut inputs)
        };
        assert_eq!(replay(&other).trace, *other, "seed {seed}");
        assert_eq!(replay(&again).trace, *again, "seed {seed}");
        assert!(replay(&Arc::new(whole)).end.is_same(&first), "seed {seed}");
        // An ordinary run from the copy: its trace is that of the whole run.
        let mut schedule = RandomSchedule::new(seed + 1000);
        let mut inputs = RandomInputs::new(seed + 1000);
        let environment =
            Environment { schedule: &mut schedule, inputs: &mut inputs, output: &mut |_, _| {} };
        let run = run_from(&program, &config, state, environment);
        let again = replay(&Arc::new(run.trace.clone()));
        assert_eq!(again.trace, run.trace, "seed {seed}");
        assert!(again.end.is_same(&run.end), "seed {seed}: {:?} {:?}", again.end, run.end);
    }
}
