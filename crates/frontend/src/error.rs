//! Why a program could not be loaded, in words for the user.

use std::fmt;
use std::path::PathBuf;
use tp_ir::DataModel;

#[derive(Debug)]
pub enum FrontendError {
    NoInput,
    /// An input that cannot be read.
    Unreadable {
        path: PathBuf,
        reason: String,
    },
    /// A file whose name does not say what it is.
    UnknownKind {
        path: PathBuf,
    },
    ClangNotFound {
        tried: Vec<String>,
    },
    /// clang was found but could not be run.
    ClangFailed {
        clang: PathBuf,
        reason: String,
    },
    DoesNotCompile {
        path: PathBuf,
        messages: String,
    },
    /// The headers of the C++ library are not installed.
    NoCxxHeaders {
        path: PathBuf,
    },
    BadBitcode {
        path: PathBuf,
        reason: String,
    },
    UnsupportedTarget {
        path: PathBuf,
        target: String,
    },
    OtherDataModel {
        path: PathBuf,
        found: DataModel,
        wanted: DataModel,
    },
    DuplicateDefinition {
        name: String,
        first: PathBuf,
        second: PathBuf,
        /// Both are variables without a value of their own, as `int x;` is.
        tentative: bool,
    },
    /// An attribute of a model that names no known effect, or one that does not fit the parameters.
    BadEffect {
        path: PathBuf,
        function: String,
        text: String,
    },
    NoMain,
    BadCompileCommands {
        path: PathBuf,
        reason: String,
    },
    NotInCompileCommands {
        path: PathBuf,
        database: PathBuf,
    },
    /// A place for temporary files could not be made or written.
    TemporaryFiles {
        reason: String,
    },
    /// A model that comes with Threadproof is missing or damaged: a defect of the build.
    BrokenModels {
        reason: String,
    },
}

impl std::error::Error for FrontendError {}

impl fmt::Display for FrontendError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use FrontendError::*;
        match self {
            NoInput => write!(f, "no input files"),
            Unreadable { path, reason } => write!(f, "cannot read {}: {reason}", path.display()),
            UnknownKind { path } => write!(
                f,
                "cannot tell what {} is: inputs are C sources (.c, .i), C++ sources (.cpp, .cc, .cxx, .C, .c++, .ii) or LLVM bitcode (.bc, .ll)",
                path.display()
            ),
            ClangNotFound { tried } => write!(
                f,
                "clang was not found (tried {}); install the package clang-22, or name it with --clang",
                tried.join(", ")
            ),
            ClangFailed { clang, reason } => write!(f, "cannot run {}: {reason}", clang.display()),
            DoesNotCompile { path, messages } => {
                write!(f, "{} does not compile:\n{}", path.display(), messages.trim_end())
            }
            NoCxxHeaders { path } => write!(
                f,
                "{} is C++, and the headers of libc++ are missing: install the packages libc++-22-dev and libc++abi-22-dev",
                path.display()
            ),
            BadBitcode { path, reason } => {
                write!(f, "{} is not LLVM bitcode that can be read: {}", path.display(), reason.trim_end())
            }
            UnsupportedTarget { path, target } => write!(
                f,
                "{} was compiled for `{target}`; only x86 (32 or 64 bits) is supported",
                path.display()
            ),
            OtherDataModel { path, found, wanted } => write!(
                f,
                "{} was compiled for {}, but the program is {}; choose one with --data-model",
                path.display(),
                found.name(),
                wanted.name()
            ),
            DuplicateDefinition { name, first, second, tentative } => {
                write!(f, "`{name}` is defined twice: in {} and in {}", first.display(), second.display())?;
                match tentative {
                    true => f.write_str("; `-fcommon` makes one variable of definitions without a value"),
                    false => Ok(()),
                }
            }
            BadEffect { path, function, text } => write!(
                f,
                "{}: `{function}` cannot do \"{text}\"; models/README.md lists what models can say they do",
                path.display()
            ),
            NoMain => write!(f, "the program has no `main`"),
            BadCompileCommands { path, reason } => {
                write!(f, "{} is not a compilation database: {reason}", path.display())
            }
            NotInCompileCommands { path, database } => {
                write!(f, "{} has no entry in {}", path.display(), database.display())
            }
            TemporaryFiles { reason } => write!(f, "cannot write temporary files: {reason}"),
            BrokenModels { reason } => {
                write!(f, "the models of this build of Threadproof are damaged: {reason}")
            }
        }
    }
}
