//! Loads files and prints what was imported.
use threadproof_frontend::{Options, load};
use tp_ir::DataModel;

fn main() {
    let mut options = Options::default();
    let mut quiet = false;
    for a in std::env::args().skip(1) {
        match a.as_str() {
            "-m32" => options.data_model = Some(DataModel::Ilp32),
            "-q" => quiet = true,
            _ => options.inputs.push(a.into()),
        }
    }
    let t = std::time::Instant::now();
    match load(&options) {
        Ok(l) => {
            eprintln!(
                "{} functions, {} globals, {:?}",
                l.program.functions.len(),
                l.program.globals.len(),
                t.elapsed()
            );
            for w in l.warnings {
                eprint!("{w}");
            }
            if let Err(e) = tp_ir::validate(&l.program) {
                for e in e.iter().take(5) {
                    println!("invalid: {e}");
                }
            }
            if quiet {
                for f in l.program.functions.values() {
                    for b in f.body.iter().flat_map(|b| b.blocks.values()) {
                        for i in &b.insts {
                            if let tp_ir::Op::Unsupported { what } = &i.op {
                                println!("unsupported in {}: {what}", f.name);
                            }
                        }
                    }
                    if f.body.is_none() {
                        println!("no body: {}", f.name);
                    }
                }
                for g in l.program.globals.values() {
                    if g.init == tp_ir::Init::Unknown {
                        println!("unknown global {}", g.name);
                    }
                }
                return;
            }
            print!("{}", l.program);
        }
        Err(e) => {
            println!("error: {e}");
            std::process::exit(2);
        }
    }
}
