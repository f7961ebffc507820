//! Compiles the models to bitcode for both data models and lists what each file defines, so that a program loads only
//! the models that it uses.

use std::collections::HashMap;
use std::env;
use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::sync::atomic::{AtomicUsize, Ordering};

include!("src/flags.rs");

const DATA_MODELS: [(&str, &str); 2] = [("ilp32", "-m32"), ("lp64", "-m64")];

fn main() {
    if let Err(why) = build() {
        println!("cargo::error={}", why.replace('\n', " | "));
        std::process::exit(1);
    }
}

fn build() -> Result<(), String> {
    let manifest = PathBuf::from(variable("CARGO_MANIFEST_DIR")?);
    let out = PathBuf::from(variable("OUT_DIR")?);
    let root = manifest.join("../..");
    let models = root.join("models");
    println!("cargo::rerun-if-changed={}", models.display());
    println!("cargo::rerun-if-changed=src/flags.rs");
    println!("cargo::rerun-if-changed=include");

    let sources = files_in(&models, "c")?;
    let jobs: Vec<(&String, usize)> = sources.iter().flat_map(|s| [(s, 0), (s, 1)]).collect();
    let compiled =
        in_parallel(&jobs, |&(source, data_model)| compile(&root, &out, source, DATA_MODELS[data_model]))?;

    no_name_twice(&jobs, &compiled)?;

    let mut text = String::new();
    for (data_model, (name, _)) in DATA_MODELS.iter().enumerate() {
        let rows = jobs.iter().zip(&compiled).filter(|((_, d), _)| *d == data_model);
        let mut names = Vec::new();
        writeln!(text, "static {}: Models = Models {{ files: &[", name.to_uppercase())
            .map_err(|e| e.to_string())?;
        for (file, ((source, _), defined)) in rows.enumerate() {
            let bitcode = out.join(format!("{source}.{name}.bc"));
            let path = format!("models/{source}.c");
            writeln!(text, "    ModelFile {{ name: {path:?}, bitcode: include_bytes!({bitcode:?}) }},")
                .map_err(|e| e.to_string())?;
            names.extend(defined.iter().map(|name| (name, file)));
        }
        names.sort();
        writeln!(text, "], names: &{names:?} }};").map_err(|e| e.to_string())?;
    }
    text.push_str(&headers(&manifest, &models)?);
    fs::write(out.join("models.rs"), text).map_err(|e| e.to_string())
}

/// A name that two models define would be a conflict only in programs that use both files.
fn no_name_twice(jobs: &[(&String, usize)], compiled: &[Vec<String>]) -> Result<(), String> {
    let mut known = HashMap::new();
    for ((source, data_model), names) in jobs.iter().zip(compiled) {
        for name in names {
            if let Some(other) = known.insert((name, data_model), source) {
                return Err(format!("models/{other}.c and models/{source}.c both define {name}"));
            }
        }
    }
    Ok(())
}

fn variable(name: &str) -> Result<String, String> {
    env::var(name).map_err(|_| format!("{name} is not set"))
}

/// The names, without the extension, of the files of a folder, in order.
fn files_in(folder: &Path, extension: &str) -> Result<Vec<String>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut names: Vec<String> = entries
        .filter_map(|e| e.ok().map(|e| e.path()))
        .filter(|p| p.extension().is_some_and(|e| e == extension))
        .filter_map(|p| p.file_stem().map(|s| s.to_string_lossy().into_owned()))
        .collect();
    names.sort();
    Ok(names)
}

/// All files of a folder and the folders in it, in order.
fn files_below(folder: &Path) -> Result<Vec<PathBuf>, String> {
    let entries = fs::read_dir(folder).map_err(|e| format!("{}: {e}", folder.display()))?;
    let mut paths: Vec<PathBuf> = entries.filter_map(|e| e.ok().map(|e| e.path())).collect();
    paths.sort();
    let mut files = Vec::new();
    for path in paths {
        if path.is_dir() { files.extend(files_below(&path)?) } else { files.push(path) }
    }
    Ok(files)
}

/// The headers that programs may include, with their contents.
fn headers(manifest: &Path, models: &Path) -> Result<String, String> {
    let mut list = vec![
        ("gnu/stubs-32.h".to_owned(), manifest.join("include/gnu/stubs-32.h")),
        ("tp.h".to_owned(), models.join("tp.h")),
    ];
    let include = models.join("include");
    for path in files_below(&include)? {
        let name = path.strip_prefix(&include).map_err(|e| e.to_string())?.display().to_string();
        list.push((name, path));
    }
    let mut text = String::from("static HEADERS: &[(&str, &str)] = &[\n");
    for (name, path) in list {
        let path = path.canonicalize().map_err(|e| format!("{}: {e}", path.display()))?;
        writeln!(text, "    ({name:?}, include_str!({path:?})),").map_err(|e| e.to_string())?;
    }
    Ok(text + "];\n")
}

/// Does the work for every job on all cores; results come in the order of the jobs.
fn in_parallel<J: Sync, R: Send>(
    jobs: &[J],
    work: impl Fn(&J) -> Result<R, String> + Sync,
) -> Result<Vec<R>, String> {
    let next = AtomicUsize::new(0);
    let worker = || {
        let mut done = Vec::new();
        loop {
            let i = next.fetch_add(1, Ordering::Relaxed);
            let Some(job) = jobs.get(i) else { return done };
            done.push((i, work(job)));
        }
    };
    let cores = std::thread::available_parallelism().map_or(1, |n| n.get());
    let mut all: Vec<(usize, Result<R, String>)> = std::thread::scope(|scope| {
        let handles: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
        handles.into_iter().filter_map(|h| h.join().ok()).flatten().collect()
    });
    all.sort_by_key(|(i, _)| *i);
    all.into_iter().map(|(_, r)| r).collect()
}

/// Compiles one model for one data model; returns the names that it defines for others.
fn compile(root: &Path, out: &Path, source: &str, data_model: (&str, &str)) -> Result<Vec<String>, String> {
    let (name, flag) = data_model;
    let bitcode = out.join(format!("{source}.{name}.bc"));
    clang(root, source, flag, &["-o".as_ref(), bitcode.as_os_str()])?;
    let listing = clang(root, source, flag, &["-S".as_ref(), "-o".as_ref(), "-".as_ref()])?;
    Ok(listing.lines().filter_map(defined_name).map(str::to_owned).collect())
}

fn clang(root: &Path, source: &str, flag: &str, more: &[&std::ffi::OsStr]) -> Result<String, String> {
    let output = Command::new("clang-22")
        .current_dir(root)
        .args(FLAGS)
        .args(C)
        // No path of the build machine may end up in the bitcode. Lines are enough: columns take time to read.
        .args(["-ffreestanding", "-gline-tables-only", "-gno-column-info", "-fdebug-compilation-dir=."])
        .args(["-I", "models", flag])
        .arg(format!("models/{source}.c"))
        .args(more)
        .output()
        .map_err(|e| format!("clang-22: {e}; install the package clang-22"))?;
    if !output.status.success() {
        return Err(format!("models/{source}.c: {}", String::from_utf8_lossy(&output.stderr)));
    }
    Ok(String::from_utf8_lossy(&output.stdout).into_owned())
}

/// The name that a line of textual IR defines with a linkage that other files see.
fn defined_name(line: &str) -> Option<&str> {
    let (before, after) = line.split_once('@')?;
    if before.starts_with("define ") {
        let local = before.split(' ').any(|word| word == "internal" || word == "private");
        return (!local).then(|| after.split('(').next()).flatten();
    }
    if !before.is_empty() {
        return None;
    }
    let (name, rest) = after.split_once(" = ")?;
    // `appending`: lists such as `llvm.global.annotations`.
    let hidden = ["internal", "private", "external", "extern_weak", "appending"];
    let mut words = rest.split(' ');
    (!words.any(|word| hidden.contains(&word))).then_some(name)
}
