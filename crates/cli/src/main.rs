//! The `threadproof` command: arguments, progress, output and exit status. Everything else is in the crates it calls.
//!
//! | module | what is in it |
//! |---|---|
//! | `args` | the command line |
//! | `property`, `input` | `--property` and `--input` |
//! | `load` | from the command line to a program, and back to its source text |
//! | `check`, `failing`, `statistics` | `threadproof check`: the question, what fails, what the answer took |
//! | `certify` | `threadproof certify`, and the certificates that `check` leaves |
//! | `run`, `campaign`, `verdict` | `threadproof run`: many runs, their totals, the answer |
//! | `replay` | `threadproof replay` |
//! | `events` | `threadproof events`: the event graph as text |
//! | `bench` | `threadproof bench`: many tasks with known verdicts |
//! | `execution` | how one run of a trace is shown |
//! | `record` | writing and reading witnesses |
//! | `tree` | the interleavings of `lazy` as a picture |
//! | `stop`, `progress`, `output`, `exit` | the world outside |

mod args;
mod bench;
mod campaign;
mod certify;
mod check;
mod events;
mod execution;
mod exit;
mod failing;
mod input;
mod load;
mod output;
mod progress;
mod property;
mod record;
mod replay;
mod run;
mod statistics;
mod stop;
mod tree;
mod verdict;

use args::{Args, Command, IrArgs};
use clap::Parser;
use exit::{CommandError, Exit};
use output::Out;
use std::process::ExitCode;

fn main() -> ExitCode {
    std::panic::set_hook(Box::new(|panic| {
        eprintln!("error: internal error: {panic}");
        eprintln!("please report it, with the program if you can");
        std::process::exit(Exit::Internal as i32);
    }));
    let args = match Args::try_parse_from(args::with_flags_of_compilers(std::env::args_os())) {
        Ok(args) => args,
        Err(error) => {
            // A closed pipe is no reason to complain about a help text.
            let _ = error.print();
            let exit = if error.use_stderr() { Exit::Usage } else { Exit::Safe };
            return ExitCode::from(exit as u8);
        }
    };
    let json = match &args.command {
        Command::Check(args) => args.json,
        Command::Certify(args) => args.json,
        Command::Run(args) => args.json,
        Command::Replay(args) => args.json,
        Command::Bench(args) => args.json,
        Command::Ir(args) => args.json,
        Command::Events(_) => false,
    };
    let result = match args.command {
        Command::Check(args) => check::check(&args),
        Command::Certify(args) => certify::certify(&args),
        Command::Run(args) => run::run(&args),
        Command::Replay(args) => replay::replay(&args),
        Command::Bench(args) => bench::bench(&args),
        Command::Ir(args) => ir(&args),
        Command::Events(args) => events::events(&args),
    };
    match result {
        Ok(exit) => ExitCode::from(exit as u8),
        Err(failure) => {
            if json {
                let error = failure.to_string();
                Out::stdout().document(&serde_json::json!({ "tool": record::TOOL, "error": error }));
            }
            eprintln!("error: {failure}");
            ExitCode::from(failure.exit() as u8)
        }
    }
}

/// `threadproof ir`: the program as the other parts see it.
fn ir(args: &IrArgs) -> Result<Exit, CommandError> {
    let program = load::load_source(&args.source)?.program;
    let text = program.to_string();
    if args.json {
        Out::stdout().document(&serde_json::json!({ "ir": text }));
    } else {
        Out::stdout().text(&text);
    }
    Ok(Exit::Safe)
}
