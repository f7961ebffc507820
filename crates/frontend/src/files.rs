//! The files that the program finds when it begins, and whether it can have files at all.
//!
//! They are variables of the program, in the form that models/files.h gives them, so that the bytes of a file are memory
//! like any other.

use crate::FrontendError;
use crate::tables::Tables;
use crate::world;
use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use tp_ir::{Const, ConstId, DataModel, GlobalId, Init, ModelEffect, Program};

/// A file that the user gives.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GivenFile {
    /// As the program names it.
    pub name: String,
    pub contents: FileContents,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum FileContents {
    /// Those of this file.
    Of(PathBuf),
    /// This many bytes, each an input.
    Any(u32),
}

/// The same with their contents, which are read before the program is imported.
#[derive(Default)]
pub struct Files {
    named: Vec<(String, Contents)>,
    stdin: Option<Contents>,
}

enum Contents {
    Bytes(Vec<u8>),
    Any(u32),
}

impl Files {
    pub fn read(given: &[GivenFile], stdin: Option<&Path>) -> Result<Files, FrontendError> {
        let read = |path: &Path| {
            std::fs::read(path).map(Contents::Bytes).map_err(|e| {
                let (path, reason) = (path.to_owned(), e.to_string());
                FrontendError::Unreadable { path, reason }
            })
        };
        let contents = |file: &GivenFile| {
            let contents = match &file.contents {
                FileContents::Of(path) => read(path)?,
                FileContents::Any(size) => Contents::Any(*size),
            };
            Ok((resolved(&file.name), contents))
        };
        let named = given.iter().map(contents).collect::<Result<_, FrontendError>>()?;
        Ok(Files { named, stdin: stdin.map(read).transpose()? })
    }

    /// The directories that the files are in.
    fn directories(&self) -> BTreeSet<&str> {
        let slashes = |name: &str| name.match_indices('/').map(|(at, _)| at).collect::<Vec<_>>();
        let parents = self.named.iter().flat_map(|(name, _)| slashes(name).into_iter().map(|at| &name[..at]));
        parents.filter(|name| !name.is_empty() && *name != "/tmp").collect()
    }
}

/// The name as `__tpm_path` of models/files.c has it.
fn resolved(path: &str) -> String {
    let mut parts: Vec<&str> = Vec::new();
    for part in path.split('/') {
        match part {
            "" | "." => {}
            ".." => _ = parts.pop(),
            part => parts.push(part),
        }
    }
    let root = if path.starts_with('/') { "/" } else { "" };
    format!("{root}{}", parts.join("/"))
}

/// Files can be open if the program opens some; the standard streams can be other than they are at first if it asks for
/// that, or the user does.
pub fn decide(program: &mut Program, stdin: bool) {
    let special = program.has_effect(ModelEffect::Special);
    let opens =
        special || program.has_effect(ModelEffect::FileNames) || program.has_effect(ModelEffect::Open);
    let level = match stdin || program.has_effect(ModelEffect::StandardStreams) {
        true => 2,
        false => opens.into(),
    };
    tp_ir::decide_option(program, tp_ir::FILES, level);
    tp_ir::decide_option(program, tp_ir::SPECIAL, special.into());
}

/// `enum __tpm_kind`.
#[derive(Copy, Clone)]
enum Kind {
    Regular = 0,
    Directory = 1,
    Pipe = 2,
    Console = 3,
}

/// The members of `struct __tpm_file`, each of the size of a pointer.
const MEMBERS: u64 = 11;
/// The place of the pointer to the next one among them.
const NEXT: u64 = 10;

/// An array of files, as it is built.
struct Rows {
    pointer: u64,
    bytes: Vec<u8>,
    pointers: Vec<(u64, ConstId)>,
}

impl Rows {
    fn new(data_model: DataModel) -> Rows {
        let pointer = data_model.pointer_width().bytes().into();
        Rows { pointer, bytes: Vec::new(), pointers: Vec::new() }
    }

    fn push(&mut self, tables: &mut Tables, name: Option<&str>, contents: &Contents, kind: Kind) {
        let row = self.bytes.len() as u64;
        self.bytes.resize((row + MEMBERS * self.pointer) as usize, 0);
        let (bytes, any) = match contents {
            Contents::Bytes(bytes) => (bytes.clone(), false),
            Contents::Any(size) => (vec![0; *size as usize], true),
        };
        let size = bytes.len() as u64;
        if let Some(name) = name {
            let global = tables.c_string("file name", name);
            self.pointers.push((row, tables.constants.intern(Const::Global { global, offset: 0 })));
        }
        if size > 0 {
            let init = Init::Bytes { bytes, pointers: Vec::new() };
            let global = world::define(tables, name.unwrap_or("stdin"), (size, 1), init, false);
            let at = row + self.pointer;
            self.pointers.push((at, tables.constants.intern(Const::Global { global, offset: 0 })));
        }
        for (member, value) in [(2, size), (3, size), (4, kind as u64), (5, any.into())] {
            let at = (row + member * self.pointer) as usize;
            let width = self.pointer as usize;
            self.bytes[at..at + width].copy_from_slice(&value.to_le_bytes()[..width]);
        }
    }

    /// Each file points to the next one.
    fn define(mut self, tables: &mut Tables, name: &str) -> GlobalId {
        let size = self.bytes.len() as u64;
        let row = MEMBERS * self.pointer;
        let (pointer, bytes) = (self.pointer as u32, std::mem::take(&mut self.bytes));
        let init = Init::Bytes { bytes, pointers: Vec::new() };
        let global = world::define(tables, name, (size, pointer), init, false);
        for next in (1..size / row).map(|i| i * row) {
            let constant = tables.constants.intern(Const::Global { global, offset: next as i64 });
            self.pointers.push((next - row + NEXT * self.pointer, constant));
        }
        self.pointers.sort_by_key(|(at, _)| *at);
        if let Init::Bytes { pointers, .. } = &mut tables.globals[global].init {
            *pointers = self.pointers;
        }
        global
    }
}

/// The list of files that are there, with a first one that has no name, so that it is never empty.
pub fn table(tables: &mut Tables, files: &Files, data_model: DataModel) -> GlobalId {
    let mut rows = Rows::new(data_model);
    let nothing = Contents::Bytes(Vec::new());
    rows.push(tables, None, &nothing, Kind::Regular);
    for directory in files.directories() {
        rows.push(tables, Some(directory), &nothing, Kind::Directory);
    }
    for (name, contents) in &files.named {
        rows.push(tables, Some(name), contents, Kind::Regular);
    }
    rows.define(tables, "__tp_files")
}

/// What the outside sends on each of its connections: as pipes that nobody writes to any more.
pub fn connections(tables: &mut Tables, sizes: &[u32], data_model: DataModel) -> GlobalId {
    let mut rows = Rows::new(data_model);
    for (i, size) in sizes.iter().enumerate() {
        rows.push(tables, Some(&format!("connection {}", i + 1)), &Contents::Any(*size), Kind::Pipe);
    }
    if sizes.is_empty() {
        rows.push(tables, None, &Contents::Any(0), Kind::Pipe);
    }
    rows.define(tables, "__tp_connections")
}

pub fn standard_input(tables: &mut Tables, files: &Files, data_model: DataModel) -> GlobalId {
    let mut rows = Rows::new(data_model);
    match &files.stdin {
        Some(contents) => rows.push(tables, None, contents, Kind::Regular),
        None => rows.push(tables, None, &Contents::Bytes(Vec::new()), Kind::Console),
    }
    rows.define(tables, "__tp_stdin")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |path: &str, expect: &str| assert_eq!(resolved(path), expect, "{path}");
        check("a.txt", "a.txt");
        check("./a//b.txt", "a/b.txt");
        check("a/../b/./c", "b/c");
        check("/tmp/x/", "/tmp/x");
        check("/..", "/");
        check(".", "");
    }
}
