//! Explores a program and prints how many traces it has: `count FILE.c [-DN=3 …]` or `count FILE.tp`. Only assertions are checked.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use std::time::Instant;
use threadproof_explore::{ExploreLimits, explore};
use tp_ir::{Checks, Program, Property};

/// A program in the textual IR (`.tp`), or in C.
fn load(inputs: &[String], clang_args: &[String]) -> Result<Program, String> {
    if let [input] = inputs
        && input.ends_with(".tp")
    {
        let text = std::fs::read_to_string(input).map_err(|error| error.to_string())?;
        return tp_ir::parse(&text).map_err(|error| error.to_string());
    }
    let inputs = inputs.iter().map(PathBuf::from).collect();
    let options =
        tp_frontend::FrontendOptions { inputs, clang_args: clang_args.to_vec(), ..Default::default() };
    Ok(tp_frontend::load(&options).map_err(|error| error.to_string())?.program)
}

/// Seconds of processor time of this thread: others use the machine as well.
fn processor_time() -> Option<f64> {
    let text = std::fs::read_to_string("/proc/thread-self/schedstat").ok()?;
    Some(text.split(' ').next()?.parse::<f64>().ok()? / 1e9)
}

fn main() {
    let (clang_args, inputs): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let program = match load(&inputs, &clang_args) {
        Ok(program) => program,
        Err(error) => {
            eprintln!("{error}");
            std::process::exit(2);
        }
    };
    let stop = AtomicBool::new(false);
    let limits = ExploreLimits {
        run: tp_machine::RunLimits { max_steps: 1 << 20, max_memory: 1 << 28, max_depth: 1000 },
        max_executions: 1 << 40,
        contexts: tp_machine::ContextBound::None,
        inputs_below: None,
        stop: &stop,
    };
    let (begin, processor) = (Instant::now(), processor_time());
    let found = explore(&program, Checks::NONE.with(Property::Assert), &limits, &mut ());
    let passed = begin.elapsed().as_secs_f64();
    let seconds = processor_time().zip(processor).map_or(passed, |(now, then)| now - then);
    println!(
        "{} {}: {} traces, {} of them blocked, {} redundant, {} steps, {seconds:.3} s of the processor, {:.0} traces/s, {:?}",
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
