//! Runs clang: every input becomes bitcode in memory.
//!
//! Bitcode from elsewhere is first read by clang, because LLVM's reader may crash on damaged input: then clang's
//! process dies, not ours. Clang's output is not used, since it changes the target to that of this machine.

use crate::headers::Headers;
use crate::{FrontendError, flags, folded, models};
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;
use tp_ir::DataModel;

/// One file to compile.
pub struct Job {
    pub path: PathBuf,
    kind: Kind,
    /// Where clang runs; `None`: here.
    pub directory: Option<PathBuf>,
    pub args: Vec<String>,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Kind {
    Source(Language),
    Preprocessed(Language),
    Bitcode,
}

#[derive(Copy, Clone, PartialEq, Eq)]
enum Language {
    C,
    Cxx,
}

impl Kind {
    /// By the ending of the name, as clang does.
    fn of(path: &Path) -> Option<Kind> {
        Some(match path.extension()?.to_str()? {
            "c" => Kind::Source(Language::C),
            "cpp" | "cc" | "cxx" | "C" | "c++" | "CPP" | "cp" => Kind::Source(Language::Cxx),
            "i" => Kind::Preprocessed(Language::C),
            "ii" => Kind::Preprocessed(Language::Cxx),
            "bc" | "ll" => Kind::Bitcode,
            _ => return None,
        })
    }
}

/// The result of a job.
pub struct Compiled {
    pub path: PathBuf,
    pub bitcode: Vec<u8>,
    /// The same source compiled with checks, see `folded`.
    pub checked: Option<Vec<u8>>,
    pub warnings: String,
    /// Which functions come from headers of the library.
    pub headers: Headers,
    /// The input was bitcode or textual IR, and is not verified yet.
    pub foreign: bool,
}

impl Job {
    pub fn new(path: PathBuf, directory: Option<PathBuf>, args: Vec<String>) -> Result<Job, FrontendError> {
        let Some(kind) = Kind::of(&path) else { return Err(FrontendError::UnknownKind { path }) };
        let from_here = directory.as_ref().map_or_else(|| path.clone(), |d| d.join(&path));
        let unreadable = |reason: String| FrontendError::Unreadable { path: path.clone(), reason };
        let found = fs::metadata(&from_here).map_err(|e| unreadable(e.to_string()))?;
        if found.is_dir() {
            return Err(unreadable("it is a directory".to_owned()));
        }
        Ok(Job { path, kind, directory, args })
    }

    fn contents(&self) -> Result<Vec<u8>, FrontendError> {
        let from = self.directory.as_ref().map_or_else(|| self.path.clone(), |d| d.join(&self.path));
        fs::read(&from)
            .map_err(|e| FrontendError::Unreadable { path: self.path.clone(), reason: e.to_string() })
    }

    pub fn is_bitcode(&self) -> bool {
        self.kind == Kind::Bitcode
    }
}

/// The compiler, and what all jobs share.
pub struct Clang {
    program: PathBuf,
    data_model: DataModel,
    /// Headers of ours and rewritten sources.
    folder: TempDir,
}

impl Clang {
    pub fn new(program: Option<&Path>, data_model: DataModel) -> Result<Clang, FrontendError> {
        let program = match program {
            Some(path) => path.to_owned(),
            None => find_clang()?,
        };
        let folder = tempfile::Builder::new().prefix("threadproof-").tempdir().map_err(temporary)?;
        for (name, text) in models::headers() {
            let path = folder.path().join("include").join(name);
            if let Some(parent) = path.parent() {
                fs::create_dir_all(parent).map_err(temporary)?;
            }
            fs::write(path, text).map_err(temporary)?;
        }
        Ok(Clang { program, data_model, folder })
    }

    /// Compiles all jobs on all cores. Results are in the order of the jobs; so is the first error.
    pub fn compile(&self, jobs: &[Job]) -> Result<Vec<Compiled>, FrontendError> {
        if let [job] = jobs {
            return Ok(vec![self.compile_one(0, job)?]);
        }
        let next = AtomicUsize::new(0);
        let worker = || {
            let mut done = Vec::new();
            loop {
                let i = next.fetch_add(1, Ordering::Relaxed);
                let Some(job) = jobs.get(i) else { return done };
                done.push((i, self.compile_one(i, job)));
            }
        };
        let cores = std::thread::available_parallelism().map_or(1, |n| n.get()).min(jobs.len());
        let mut all: Vec<_> = std::thread::scope(|scope| {
            let workers: Vec<_> = (0..cores).map(|_| scope.spawn(worker)).collect();
            workers.into_iter().filter_map(|w| w.join().ok()).flatten().collect()
        });
        all.sort_by_key(|(i, _)| *i);
        all.into_iter().map(|(_, result)| result).collect()
    }

    fn compile_one(&self, number: usize, job: &Job) -> Result<Compiled, FrontendError> {
        let mut plain = self.command(number, job)?;
        let listing = self.folder.path().join(format!("{number}.d"));
        if job.kind == Kind::Source(Language::Cxx) {
            plain.args(["-MMD", "-MF"]).arg(&listing);
        }
        let with_checks = job.kind != Kind::Bitcode && !folded::is_defined(&job.args);
        let checked = with_checks.then(|| self.command(number, job)).transpose()?;
        // Both at the same time.
        let plain = self.start(plain, &[])?;
        let checked = checked.map(|command| self.start(command, folded::CHECKS)).transpose()?;
        let output = plain.wait_with_output().map_err(|e| self.cannot_run(&e))?;
        let checked = checked.map(|c| c.wait_with_output()).transpose().map_err(|e| self.cannot_run(&e))?;
        let messages = String::from_utf8_lossy(&output.stderr).into_owned();
        if output.status.success() {
            let foreign = job.kind == Kind::Bitcode;
            let bitcode = if foreign { job.contents()? } else { output.stdout };
            let checked = checked.filter(|c| c.status.success()).map(|c| c.stdout);
            let path = job.path.clone();
            let headers = self.headers(job, &listing)?;
            return Ok(Compiled { path, bitcode, checked, warnings: messages, headers, foreign });
        }
        let path = job.path.clone();
        Err(match job.kind {
            Kind::Bitcode => FrontendError::BadBitcode { path, reason: first_error(&messages) },
            Kind::Source(Language::Cxx) if !self.has_cxx_headers() => FrontendError::NoCxxHeaders { path },
            Kind::Source(_) | Kind::Preprocessed(_) => FrontendError::DoesNotCompile { path, messages },
        })
    }

    /// `listing` names the files of the program itself, if clang was asked for them.
    fn headers(&self, job: &Job, listing: &Path) -> Result<Headers, FrontendError> {
        match job.kind {
            Kind::Source(Language::Cxx) => {
                let text = fs::read_to_string(listing).map_err(temporary)?;
                Ok(Headers::all_but_listed(&text, job.directory.as_deref()))
            }
            Kind::Preprocessed(Language::Cxx) => Ok(Headers::marked(&job.contents()?)),
            _ => Ok(Headers::default()),
        }
    }

    fn has_cxx_headers(&self) -> bool {
        let mut command = Command::new(&self.program);
        command.args(["-x", "c++", flags::CXX_LIBRARY, "-fsyntax-only", "-include", "__config", "/dev/null"]);
        let status = command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null()).status();
        status.is_ok_and(|status| status.success())
    }

    fn start(&self, mut command: Command, more: &[&str]) -> Result<Child, FrontendError> {
        command.args(more).stdin(Stdio::null()).stdout(Stdio::piped()).stderr(Stdio::piped());
        command.spawn().map_err(|e| self.cannot_run(&e))
    }

    /// Compiles to bitcode on standard output.
    fn command(&self, number: usize, job: &Job) -> Result<Command, FrontendError> {
        let mut command = Command::new(&self.program);
        if let Some(directory) = &job.directory {
            command.current_dir(directory);
        }
        match job.kind {
            Kind::Bitcode => {
                command
                    .args([
                        "-x",
                        "ir",
                        "-c",
                        "-emit-llvm",
                        "-Xclang",
                        "-disable-llvm-passes",
                        "-w",
                        "-fno-crash-diagnostics",
                    ])
                    .arg(&job.path);
            }
            Kind::Source(language) => {
                self.add_flags(&mut command, job, language);
                if language == Language::Cxx {
                    command.args(["-x", "c++"]);
                }
                command.arg(&job.path);
            }
            Kind::Preprocessed(language) => {
                self.add_flags(&mut command, job, language);
                let kind = if language == Language::C { "cpp-output" } else { "c++-cpp-output" };
                command.args(["-w", "-x", kind]).arg(self.without_line_markers(number, job)?);
            }
        }
        command.args(["-o", "-"]);
        Ok(command)
    }

    fn add_flags(&self, command: &mut Command, job: &Job, language: Language) {
        command.args(&job.args).args(flags::FLAGS);
        command.args(if language == Language::C { flags::C } else { flags::CXX });
        if language == Language::Cxx {
            command.arg("-isystem").arg(self.folder.path().join("include/c++"));
        }
        self.add_target(command);
    }

    fn add_target(&self, command: &mut Command) {
        // Searched before the system's headers: our <pthread.h> wraps theirs.
        let include = self.folder.path().join("include");
        // The folder's name differs from run to run; the program must not.
        command.arg(format!("-ffile-prefix-map={}=models/include", include.display()));
        command.arg("-isystem").arg(include);
        match self.data_model {
            DataModel::Lp64 => command.arg("-m64"),
            // The headers of the 64-bit library serve both; only some systems look there for 32-bit programs.
            DataModel::Ilp32 => command.args(["-m32", "-idirafter", "/usr/include/x86_64-linux-gnu"]),
        };
    }

    /// A copy of a preprocessed file without its line markers, which name lines of files that are not here.
    fn without_line_markers(&self, number: usize, job: &Job) -> Result<PathBuf, FrontendError> {
        let text = job.contents()?;
        let name = job.path.to_string_lossy().replace('\\', "\\\\").replace('"', "\\\"");
        let mut copy = format!("# 1 \"{name}\"\n").into_bytes();
        for line in text.split_inclusive(|&b| b == b'\n') {
            copy.extend_from_slice(if is_line_marker(line) { b"\n" } else { line });
        }
        let to = self.folder.path().join(format!("{number}.i"));
        fs::write(&to, copy).map_err(temporary)?;
        Ok(to)
    }

    fn cannot_run(&self, error: &std::io::Error) -> FrontendError {
        if error.kind() == std::io::ErrorKind::NotFound {
            return FrontendError::ClangNotFound { tried: vec![self.program.display().to_string()] };
        }
        FrontendError::ClangFailed { clang: self.program.clone(), reason: error.to_string() }
    }
}

fn temporary(error: std::io::Error) -> FrontendError {
    FrontendError::TemporaryFiles { reason: error.to_string() }
}

/// `# 12 "file.c" 3 4` or `#line 12 "file.c"`.
pub fn is_line_marker(line: &[u8]) -> bool {
    let Some(rest) = line.trim_ascii_start().strip_prefix(b"#") else { return false };
    let rest = rest.trim_ascii_start();
    let rest = rest.strip_prefix(b"line").map_or(rest, |r| r.trim_ascii_start());
    rest.first().is_some_and(u8::is_ascii_digit)
}

/// Clang's message about a file that it cannot read, without clang's own stack trace.
fn first_error(messages: &str) -> String {
    let line =
        messages.lines().filter(|line| !line.contains("command failed")).find_map(|l| l.split_once("error:"));
    line.map_or_else(|| "it is damaged".to_owned(), |(_, text)| text.trim().to_owned())
}

fn find_clang() -> Result<PathBuf, FrontendError> {
    let names = ["clang-22", "clang"];
    let path = std::env::var_os("PATH").unwrap_or_default();
    let find =
        |name: &&str| std::env::split_paths(&path).map(|folder| folder.join(name)).find(|p| p.is_file());
    names
        .iter()
        .find_map(find)
        .ok_or_else(|| FrontendError::ClangNotFound { tried: names.iter().map(|n| n.to_string()).collect() })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn line_markers() {
        for marker in ["# 1 \"a.c\"", "# 33 \"/usr/x.h\" 3 4", "  #line 7 \"b.c\"", "#line 7"] {
            assert!(is_line_marker(marker.as_bytes()), "{marker}");
        }
        for other in ["#pragma pack(1)", "int x; # 1", "", "#"] {
            assert!(!is_line_marker(other.as_bytes()), "{other}");
        }
    }
}
