//! Explores C programs and prints how many traces they have: `count FILE.c [-DN=3 …]`. Only assertions are checked.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use threadproof_explore::{Limits, explore};
use tp_ir::{Checks, Property};

fn main() {
    let (clang_args, inputs): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let options = tp_frontend::Options {
        inputs: inputs.iter().map(PathBuf::from).collect(),
        clang_args: clang_args.clone(),
        ..Default::default()
    };
    let program = match tp_frontend::load(&options) {
        Ok(loaded) => loaded.program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let stop = AtomicBool::new(false);
    let limits = Limits {
        max_steps: 1 << 20,
        max_executions: 1 << 40,
        max_memory: 1 << 28,
        max_depth: 1000,
        stop: &stop,
    };
    let begin = Instant::now();
    let found = explore(&program, Checks::NONE.with(Property::Assert), &limits, &mut ());
    let seconds = begin.elapsed().as_secs_f64();
    println!(
        "{} {}: {} traces, {} of them blocked, {} redundant, {} steps, {seconds:.3} s, {:.0} traces/s, {:?}",
        inputs.join(" "),
        clang_args.join(" "),
        found.traces,
        found.blocked,
        found.redundant,
        found.steps,
        found.traces as f64 / seconds,
        found.outcome,
    );
}
