//! From C sources and LLVM bitcode to a `Program`, with the models linked in. The only part of Threadproof that knows
//! LLVM, and the only one of the lower parts that reads files and starts processes.
//!
//! | module | what is in it |
//! |---|---|
//! | `clang`, `flags`, `commands` | every input becomes bitcode: the driver, its flags, compilation databases |
//! | `folded` | errors in constant arithmetic, which clang would fold away |
//! | `headers`, `demangle` | C++: which code comes from the headers of the library; names as the source has them |
//! | `llvm` | a safe layer over LLVM's C interface |
//! | `models`, `effects`, `linker` | the models that come with Threadproof, the effects they declare, and which definition a name stands for |
//! | `importer`, `tables`, `startup`, `world` | the program as it grows from its entry; what is there before `main` |
//! | `types`, `constants`, `gep` | types and constants of LLVM in our terms |
//! | `debug`, `debug_types` | places, and types as the source declares them |
//! | `prototype`, `skeleton` | functions that nobody defines: their declarations in C, a file of stubs |
//! | `lower` | the instructions of a function |
//! | `files` | the files that the program finds, and whether it can open any |
//! | `jumps` | `setjmp` and `longjmp`, as calls that return at once |
//! | `signals` | whether signals come, and where their handlers may run |
//! | `optimised`, `reuse`, `seeds` | whether bitcode was optimised before; whether the program can observe reused addresses and repeated seeds |
//!
//! **Invariant:** no pass of LLVM runs; memory accesses are imported as they stand in the source, one by one.

mod clang;
mod commands;
mod constants;
mod debug;
mod debug_types;
mod demangle;
mod effects;
mod error;
mod files;
mod flags;
mod folded;
mod gep;
mod headers;
mod importer;
mod jumps;
mod linker;
mod llvm;
mod lower;
mod models;
mod optimised;
mod prototype;
mod reuse;
mod seeds;
mod signals;
mod skeleton;
mod startup;
mod tables;
mod types;
mod world;

pub use error::FrontendError;
pub use files::{FileContents, GivenFile};
pub use reuse::{
    can_tell as compares_addresses, can_tell_ids as compares_thread_ids,
    library_compares as library_compares_addresses,
};
pub use seeds::can_tell as repeats_seeds;
pub use signals::can_have_handlers;
pub use skeleton::{Undefined, models_skeleton};

use clang::{Clang, Compiled, Job};
use importer::{Imported, Importer};
use linker::Linker;
use llvm::{Context, Module, Value};
use prototype::Prototype;
use std::collections::HashMap;
use std::path::PathBuf;
use std::rc::Rc;
use tp_ir::{DataModel, FuncId, MissingFunction, ModelEffect, Program};

pub use world::SpuriousWakeups;
use world::World;

/// What to load, and how.
#[derive(Clone, Debug, Default)]
pub struct FrontendOptions {
    /// Sources in C (.c, preprocessed .i) and C++ (.cpp and its kin, preprocessed .ii), and LLVM modules (.bc, .ll).
    pub inputs: Vec<PathBuf>,
    /// `None`: `clang-22` or `clang`, as found on the PATH.
    pub clang: Option<PathBuf>,
    /// `-I`, `-D`, `-std` and the like, for every C source. Those that optimise, instrument or link are ignored.
    pub clang_args: Vec<String>,
    /// A compilation database: gives the flags, and the inputs if none are named.
    pub compile_commands: Option<PathBuf>,
    /// `None`: that of the bitcode if all inputs are bitcode, else that of this machine.
    pub data_model: Option<DataModel>,
    /// Sources of the user's own models.
    pub models: Vec<PathBuf>,
    /// The arguments of `main` after the name of the program.
    pub program_args: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// The files that are there when the program begins.
    pub files: Vec<GivenFile>,
    /// What standard input is; otherwise each character of it is an input.
    pub stdin: Option<PathBuf>,
    /// How many bytes the outside sends on each of its connections, each an input.
    pub connections: Vec<u32>,
    /// Let reads and writes fail or stop early.
    pub io_errors: bool,
    /// Let no signal come, and no handler run.
    pub no_signals: bool,
    /// How often each thread may wake up spuriously from waiting on a condition variable.
    pub spurious_wakeups: SpuriousWakeups,
    /// Let a weak compare-exchange fail where it would succeed.
    pub spurious_failures: bool,
    /// Freed memory and the ids of ended threads may be reused, where the program can observe it.
    pub reuse: bool,
    /// Assume that functions with neither body nor model return any value and change nothing.
    pub assume_pure: bool,
}

/// A program, ready to run or to analyse.
#[derive(Debug)]
pub struct Loaded {
    pub program: Program,
    /// The functions that the program uses and that have neither body nor model, the most used first.
    pub undefined: Vec<Undefined>,
    /// The functions that were assumed to be pure.
    pub assumed_pure: Vec<Box<str>>,
    /// Inputs that were optimised before: races in them may not be in the source.
    pub optimised: Vec<String>,
    /// What clang had to say about sources that it accepted.
    pub warnings: Vec<String>,
}

/// The data model of the machine that this runs on.
fn host_data_model() -> DataModel {
    if cfg!(target_pointer_width = "32") { DataModel::Ilp32 } else { DataModel::Lp64 }
}

pub fn load(options: &FrontendOptions) -> Result<Loaded, FrontendError> {
    let mut jobs = program_jobs(options)?;
    let own = jobs.len();
    let world = world(options, &jobs)?;
    jobs.extend(model_jobs(options)?);
    let wanted = options.data_model.unwrap_or_else(host_data_model);
    let mut compiled = Clang::new(options.clang.as_deref(), wanted)?.compile(&jobs)?;

    let context = Context::new();
    let only_bitcode = options.data_model.is_none() && jobs.iter().all(Job::is_bitcode);
    let modules = read_modules(&context, &compiled, if only_bitcode { None } else { Some(wanted) })?;
    let data_model = modules.first().map_or(wanted, |&m| data_model_of(m));
    let foreign = modules.iter().zip(&compiled).take(own).filter(|(_, unit)| unit.foreign);
    let optimised = foreign.filter(|(module, _)| optimised::is_optimised(**module));
    let optimised: Vec<String> =
        optimised.map(|(_, unit)| unit.path.to_string_lossy().into_owned()).collect();
    let mut linker = Linker::new(&context, data_model);
    for (i, (&module, unit)) in modules.iter().zip(&mut compiled).enumerate() {
        if i < own {
            linker.add_program(module, &unit.path, std::mem::take(&mut unit.headers))?;
        } else {
            linker.add_user_models(module, &unit.path)?;
        }
    }
    let (mut program, undefined) = import(linker, &modules[..own], data_model, (world, !options.no_signals))?;
    reuse::decide(&mut program, options.reuse);
    seeds::decide(&mut program);
    for (option, effect) in [(tp_ir::CLOCK, ModelEffect::Clock), (tp_ir::CANCEL, ModelEffect::Cancel)] {
        let has_it = program.has_effect(effect);
        tp_ir::decide_option(&mut program, option, has_it.into());
    }
    files::decide(&mut program, options.stdin.is_some());
    signals::decide(&mut program, !options.no_signals);
    jumps::lower(&mut program);
    tp_ir::promote(&mut program);
    signals::add_points(&mut program);
    let assumed_pure = if options.assume_pure { tp_ir::assume_pure(&mut program) } else { Vec::new() };
    let moved = |path: &String| {
        format!(
            "warning: {path} was optimised before: a race in it need not be one of its source; compile it with -O0"
        )
    };
    let warnings = compiled.into_iter().map(|c| c.warnings).filter(|w| !w.is_empty());
    let warnings = warnings.chain(optimised.iter().map(moved)).collect();
    Ok(Loaded { program, undefined, assumed_pure, optimised, warnings })
}

/// Whether an option of the models that guards code has to be on.
fn needs(program: &Program, option: &str, signals: bool) -> bool {
    match option {
        tp_ir::CANCEL => program.has_effect(ModelEffect::Cancel),
        _ => signals::level(program, signals) > 0,
    }
}

fn program_jobs(options: &FrontendOptions) -> Result<Vec<Job>, FrontendError> {
    let given = commands::meaningful(&options.clang_args);
    let jobs: Vec<Job> = match &options.compile_commands {
        Some(database) => commands::select(commands::read(database)?, &options.inputs, database)?
            .into_iter()
            .map(|c| Job::new(c.file, Some(c.directory), [c.args, given.clone()].concat()))
            .collect::<Result<_, _>>()?,
        None => {
            let job = |path: &PathBuf| Job::new(path.clone(), None, given.clone());
            options.inputs.iter().map(job).collect::<Result<_, _>>()?
        }
    };
    if jobs.is_empty() { Err(FrontendError::NoInput) } else { Ok(jobs) }
}

fn model_jobs(options: &FrontendOptions) -> Result<Vec<Job>, FrontendError> {
    let given = commands::meaningful(&options.clang_args);
    options.models.iter().map(|path| Job::new(path.clone(), None, given.clone())).collect()
}

fn world(options: &FrontendOptions, jobs: &[Job]) -> Result<World, FrontendError> {
    let stem = jobs.first().and_then(|job| job.path.file_stem());
    let name = stem.map_or_else(|| "program".to_owned(), |stem| stem.to_string_lossy().into_owned());
    Ok(World {
        arguments: std::iter::once(name).chain(options.program_args.iter().cloned()).collect(),
        environment: options.environment.clone(),
        spurious_wakeups: options.spurious_wakeups,
        spurious_failures: options.spurious_failures,
        files: files::Files::read(&options.files, options.stdin.as_deref())?,
        connections: options.connections.clone(),
        io_errors: options.io_errors,
    })
}

/// Reads what clang wrote. All modules must agree on a data model: `wanted`, or that of the first.
fn read_modules<'a>(
    context: &'a Context,
    compiled: &[Compiled],
    mut wanted: Option<DataModel>,
) -> Result<Vec<Module<'a>>, FrontendError> {
    let mut modules = Vec::with_capacity(compiled.len());
    for unit in compiled {
        let path = &unit.path;
        let bad = |reason| FrontendError::BadBitcode { path: path.clone(), reason };
        let module = if unit.foreign {
            let module = context.parse_any(&unit.bitcode).map_err(bad)?;
            module.verify().map_err(bad)?;
            module
        } else {
            let checked =
                unit.checked.as_ref().map(|bytes| context.parse_bitcode(bytes).map_err(bad)).transpose()?;
            match checked.filter(|&module| folded::has_failing_check(module)) {
                Some(module) => module,
                None => context.parse_bitcode(&unit.bitcode).map_err(bad)?,
            }
        };
        let target = module.triple();
        let is_x86 = target.starts_with("x86_64")
            || (target.starts_with('i') && target[1..].starts_with(char::is_numeric));
        if !is_x86 || !module.layout().is_little_endian() {
            return Err(FrontendError::UnsupportedTarget { path: path.clone(), target });
        }
        let found = data_model_of(module);
        let wanted = *wanted.get_or_insert(found);
        if found != wanted {
            return Err(FrontendError::OtherDataModel { path: path.clone(), found, wanted });
        }
        modules.push(module);
    }
    Ok(modules)
}

fn data_model_of(module: Module<'_>) -> DataModel {
    if module.layout().pointer_bytes() == 4 { DataModel::Ilp32 } else { DataModel::Lp64 }
}

/// Options that most programs do not need, and that guard much code of the models.
const GUARDING: [&str; 2] = [tp_ir::CANCEL, tp_ir::SIGNALS];

/// Code of the models that is guarded by an option is imported only if the program needs the option. That is known once the
/// rest has been imported; then all is imported once more.
fn import<'a>(
    mut linker: Linker<'a>,
    own: &[Module<'a>],
    data_model: DataModel,
    (world, signals): (World, bool),
) -> Result<(Program, Vec<Undefined>), FrontendError> {
    linker.main().ok_or(FrontendError::NoMain)?;
    let missing = || FrontendError::BrokenModels { reason: "the function __tp_main is missing".to_owned() };
    let entry = linker.model("__tp_main").ok_or_else(missing)?;
    let (world, mut off) = (Rc::new(world), GUARDING.to_vec());
    let Imported { program, mut linker, functions } = loop {
        let given = (world.clone(), off.clone());
        let mut importer = Importer::new(linker, own, entry.module().layout(), data_model, given);
        let entry = startup::entry(&mut importer, own, entry);
        let imported = importer.import(entry);
        let before = off.len();
        off.retain(|option| !needs(&imported.program, option, signals));
        if off.len() == before {
            break imported;
        }
        linker = imported.linker;
    };
    if let Some(error) = linker.take_error() {
        return Err(error);
    }
    let declared: HashMap<FuncId, Value<'a>> = functions.into_iter().map(|(value, id)| (id, value)).collect();
    let undefined = |missing: MissingFunction| {
        let prototype = Prototype::of(*declared.get(&missing.function)?);
        Some(Undefined { missing, prototype })
    };
    let undefined = tp_ir::missing_functions(&program).into_iter().filter_map(undefined).collect();
    Ok((program, undefined))
}
