//! Prints for each file whether the analysis excludes data races: `free`, or the pairs of accesses that may race.
//!
//!     cargo run -p threadproof-apart --example apart -- [-32] [-q] FILE…
//!
//! With `-r`, prints the facts instead, as `threadproof certify` reads them.

use std::path::PathBuf;
use std::sync::atomic::AtomicBool;
use threadproof_apart::{Instruction, Open, may_race, place, reasons};
use tp_frontend::{FrontendOptions, load};
use tp_ir::{DataModel, Program};

fn main() {
    let (options, files): (Vec<String>, Vec<String>) =
        std::env::args().skip(1).partition(|a| a.starts_with('-'));
    let is_set = |name: &str| options.iter().any(|o| o == name);
    let data_model = if is_set("-32") { DataModel::Ilp32 } else { DataModel::Lp64 };
    for file in files {
        let options = FrontendOptions {
            inputs: vec![PathBuf::from(&file)],
            data_model: Some(data_model),
            assume_pure: true,
            ..FrontendOptions::default()
        };
        match load(&options) {
            Err(error) => println!("{file}\terror\t{}", error.to_string().lines().next().unwrap_or_default()),
            Ok(loaded) if is_set("-r") => match reasons(&loaded.program, &AtomicBool::new(false)) {
                Ok(text) => print!("{text}"),
                Err(why) => println!("{file}\tgave up\t{why:?}"),
            },
            Ok(loaded) => judge(&file, &loaded.program, is_set("-q")),
        }
    }
}

fn judge(file: &str, program: &Program, is_quiet: bool) {
    match may_race(program, &AtomicBool::new(false)) {
        Err(why) => println!("{file}\tgave up\t{why:?}"),
        Ok(open) if open.pairs.is_empty() => println!("{file}\tfree"),
        Ok(Open { pairs, .. }) => {
            println!("{file}\topen\t{} pairs", pairs.len());
            for pair in pairs.iter().take(if is_quiet { 0 } else { 40 }) {
                println!(
                    "    {}: {} and {}",
                    pair.object,
                    text(program, pair.first),
                    text(program, pair.second)
                );
            }
        }
    }
}

fn text(program: &Program, at: Instruction) -> String {
    let name = &program.functions[at.function].name;
    let place = place(program, at).map(|p| &program.places[p]);
    place.map_or_else(|| name.to_string(), |p| format!("{name}:{}:{}", p.line, p.column))
}
