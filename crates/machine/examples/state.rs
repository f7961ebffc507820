//! What it costs to step, to go back and to copy the state of a run: `cargo run --release --example state -p
//! threadproof-machine [OBJECTS]`. Two threads write to a variable in turn, beside this many objects on the heap.

use std::sync::atomic::AtomicBool;
use std::time::Instant;
use threadproof_machine::{Attempt, Checks, RandomInputs, RoundRobin, RunLimits, Session};
use tp_ir::Program;

const STEPS: u32 = 20_000;

fn program(objects: u32) -> Program {
    let text = format!(
        "program LP64 entry &main
global @x size 4 align 4 = zero
func &main() {{
bb0:
  jump bb1(i32 0)
bb1(%i.0: i32):
  %1 = heap_alloc i64 align i64 16, 64
  store i32 %i.0, %1
  %2 = add i32 %i.0, 1
  %3 = cmp ult i32 %2, {objects}
  branch %3, bb1(%2), bb2
bb2:
  %4 = thread_start &worker, %1
  jump bb3
bb3:
  store i32 1, @x seq_cst
  jump bb3
}}
func &worker(%arg.0: ptr) {{
bb0:
  jump bb1
bb1:
  store i32 2, @x seq_cst
  jump bb1
}}
"
    );
    tp_ir::parse(&text).expect("it is a program")
}

fn main() {
    let objects = std::env::args().nth(1).and_then(|n| n.parse().ok()).unwrap_or(100);
    let program = program(objects);
    let stop = AtomicBool::new(false);
    let limits = RunLimits { max_steps: 4_000_000, ..RunLimits::default() };
    let config = limits.config(Checks::ALL.without(tp_ir::Property::Race), &stop, false);
    let mut inputs = RandomInputs::new(0);
    let begin = Instant::now();
    let run = threadproof_machine::run(&program, &config, &mut RoundRobin, &mut inputs, &mut |_, _| {});
    let each = begin.elapsed().as_nanos() as f64 / run.steps as f64;
    println!("a run: {each:.0} ns a step, {} steps", run.steps);
    let mut inputs = RandomInputs::new(0);
    let Ok(mut session) = Session::new(&program, &config, &mut inputs, None) else { return };
    while session.threads() < 2 {
        session.attempt(0);
    }
    let depth = session.depth();
    let begin = Instant::now();
    for i in 0..STEPS {
        assert_eq!(session.attempt(i % 2), Attempt::Taken);
    }
    println!("a session: {} ns a step, with a mark", begin.elapsed().as_nanos() / STEPS as u128);
    let begin = Instant::now();
    for i in (0..STEPS as usize).rev() {
        session.back_to(depth + i);
    }
    println!("going back: {} ns a step", begin.elapsed().as_nanos() / STEPS as u128);
    let begin = Instant::now();
    let copies: Vec<_> = (0..100).map(|_| session.state()).collect();
    println!("a copy of the state with {objects} objects: {} ns", begin.elapsed().as_nanos() / 100);
    let begin = Instant::now();
    copies.into_iter().for_each(|state| session.restore(state));
    println!("going on from a copy: {} ns", begin.elapsed().as_nanos() / 100);
}
