//! `bench machine`: how fast programs run, and how much memory they take. Everything runs on one core.

use super::source;
use crate::threadproof;
use anyhow::{Context, Result, anyhow, bail};
use std::process::Command;
use std::sync::atomic::AtomicBool;
use std::time::{Duration, Instant};
use tp_machine::{Checks, End, RandomInputs, RandomSchedule, Run, RunLimits};

/// The best of this many tries counts: others use the machine as well.
const TRIES: u32 = 5;

pub fn machine() -> Result<()> {
    row("what", "measured", "wanted");
    row("---", "---", "---");
    let (run, time) = best("arithmetic.c")?;
    let rate = millions(run.instructions, time);
    row("thread-local arithmetic", &format!("{rate:.1} million instructions/s"), "at least 30");
    let (run, time) = best("interleave.c")?;
    let rate = millions(run.steps, time);
    row("two threads on shared memory, races checked", &format!("{rate:.1} million steps/s"), "at least 5");
    whole_command()?;
    for count in [1_000, 10_000, 100_000] {
        threads(count)?;
    }
    Ok(())
}

fn row(what: &str, measured: &str, wanted: &str) {
    println!("| {what:<45} | {measured:<32} | {wanted:<14} |");
}

fn millions(count: u64, time: Duration) -> f64 {
    count as f64 / time.as_secs_f64() / 1e6
}

fn load(name: &str, clang_args: Vec<String>) -> Result<tp_ir::Program> {
    let options =
        tp_frontend::FrontendOptions { inputs: vec![source(name)], clang_args, ..Default::default() };
    Ok(tp_frontend::load(&options).map_err(|e| anyhow!("{e}"))?.program)
}

fn run_once(program: &tp_ir::Program) -> Result<(Run, Duration)> {
    let stop = AtomicBool::new(false);
    let limits = RunLimits { max_steps: u64::MAX, ..RunLimits::default() };
    let config = limits.config(Checks::ALL, &stop, false);
    let begin = Instant::now();
    let mut schedule = RandomSchedule::new(1);
    let mut inputs = RandomInputs::new(1);
    let run = tp_machine::run(program, &config, &mut schedule, &mut inputs, &mut |_, _| {});
    let time = begin.elapsed();
    match run.end {
        End::Exited { .. } => Ok((run, time)),
        end => bail!("the program ended in {end:?}"),
    }
}

fn best(name: &str) -> Result<(Run, Duration)> {
    let program = load(name, Vec::new())?;
    let mut best = run_once(&program)?;
    for _ in 1..TRIES {
        let again = run_once(&program)?;
        if again.1 < best.1 {
            best = again;
        }
    }
    Ok(best)
}

/// `threadproof run` of a short program, and the part of it that is clang.
fn whole_command() -> Result<()> {
    let mut run = Command::new(threadproof()?);
    run.args(["run", "--runs", "1"]).arg(source("fifty.c"));
    let mut clang = Command::new("clang-22");
    clang.args(["-c", "-g", "-emit-llvm", "-o", "/dev/null"]).arg(source("fifty.c"));
    let (all, clang) = (shortest(&mut run)?, shortest(&mut clang)?);
    let measured = format!("{:.3} s, {:.1} times clang alone", all, all / clang);
    row("`threadproof run` of 50 lines, clang included", &measured, "under 0.2 s");
    Ok(())
}

fn shortest(command: &mut Command) -> Result<f64> {
    let mut shortest = f64::INFINITY;
    for _ in 0..2 * TRIES {
        let begin = Instant::now();
        command.output().with_context(|| format!("cannot run {command:?}"))?;
        shortest = shortest.min(begin.elapsed().as_secs_f64());
    }
    Ok(shortest)
}

/// In a process of its own, so that the peak memory is that of this run.
fn threads(count: u32) -> Result<()> {
    let this = std::env::current_exe().context("cannot find this program")?;
    let output = Command::new(this).args(["bench-threads", &count.to_string()]).output()?;
    if !output.status.success() {
        bail!("{}", String::from_utf8_lossy(&output.stderr).trim());
    }
    let measured = String::from_utf8_lossy(&output.stdout).trim().to_owned();
    row(&format!("{count} threads, created and joined in turn"), &measured, "flat memory");
    Ok(())
}

pub fn threads_in_this_process(count: u32) -> Result<()> {
    let program = load("threads.c", vec![format!("-DCOUNT={count}")])?;
    let (run, time) = run_once(&program)?;
    let status = std::fs::read_to_string("/proc/self/status").context("cannot read /proc/self/status")?;
    let peak = status.lines().find_map(|l| l.strip_prefix("VmHWM:")).context("no VmHWM")?;
    let peak: u64 = peak.trim().trim_end_matches(" kB").parse().context("VmHWM is not a number")?;
    println!("{:.2} s, {} MB, program {} B", time.as_secs_f64(), peak / 1024, run.peak_memory);
    Ok(())
}
