//! Helpers that write small sources to a folder of their own and load them.

use std::path::{Path, PathBuf};
use tempfile::TempDir;
use threadproof_frontend::{FrontendError, FrontendOptions, Loaded, load};
use tp_ir::{DataModel, FuncId, Op, Program, print_function, validate};

/// A folder of sources, with the options to load them by.
pub struct Project {
    folder: TempDir,
    pub options: FrontendOptions,
}

impl Project {
    /// Each source is a name and a text. All of them are inputs.
    pub fn new(sources: &[(&str, &str)]) -> Project {
        let folder = TempDir::new().expect("a temporary folder can be made");
        let mut project = Project {
            folder,
            options: FrontendOptions { data_model: Some(DataModel::Lp64), ..FrontendOptions::default() },
        };
        for (name, text) in sources {
            let path = project.write(name, text.as_bytes());
            project.options.inputs.push(path);
        }
        project
    }

    pub fn write(&self, name: &str, bytes: &[u8]) -> PathBuf {
        let path = self.folder.path().join(name);
        std::fs::write(&path, bytes).expect("the temporary folder can be written");
        path
    }

    pub fn path(&self) -> &Path {
        self.folder.path()
    }

    pub fn load(&self) -> Result<Loaded, FrontendError> {
        load(&self.options)
    }

    /// The program, which must be valid.
    pub fn program(&self) -> Program {
        let program = match self.load() {
            Ok(loaded) => loaded.program,
            Err(error) => panic!("{error}"),
        };
        if let Err(faults) = validate(&program) {
            let list: Vec<String> = faults.iter().map(|f| f.to_string()).collect();
            panic!("{}\n{program}", list.join("\n"));
        }
        program
    }

    /// The sentence that the user gets, with the folder's name cut out.
    pub fn error(&self) -> String {
        match self.load() {
            Ok(_) => panic!("the project loads, but an error was expected"),
            Err(error) => error.to_string().replace(&format!("{}/", self.folder.path().display()), ""),
        }
    }
}

pub fn program(source: &str) -> Program {
    Project::new(&[("main.c", source)]).program()
}

/// A function as text, without the places.
pub fn text(program: &Program, name: &str) -> String {
    let id = program.function_named(name).unwrap_or_else(|| panic!("no function {name}"));
    let lines = print_function(program, id);
    lines.lines().map(|line| line.split(" @ ").next().unwrap_or(line).to_owned() + "\n").collect()
}

/// The instructions of a function.
pub fn ops(program: &Program, id: FuncId) -> impl Iterator<Item = &Op> {
    program.functions[id].body.iter().flat_map(|b| b.blocks.values()).flat_map(|b| &b.insts).map(|i| &i.op)
}

/// The instructions of a function that could not be imported.
pub fn unsupported(program: &Program, name: &str) -> Vec<String> {
    let id = program.function_named(name).unwrap_or_else(|| panic!("no function {name}"));
    ops(program, id)
        .filter_map(|op| match op {
            Op::Unsupported { what } => Some(what.to_string()),
            _ => None,
        })
        .collect()
}
