//! Places in the source: from debug locations to rows of the program's table.

use crate::llvm::{Meta, Value};
use crate::tables::Tables;
use std::collections::HashMap;
use std::path::{Component, Path, PathBuf};
use tp_ir::{FileId, Place, PlaceId};

/// Remembers the places of locations and the names of files.
pub struct Places<'a> {
    files: HashMap<Meta<'a>, FileId>,
    locations: HashMap<Meta<'a>, PlaceId>,
    here: Option<PathBuf>,
}

impl Default for Places<'_> {
    fn default() -> Self {
        Places { files: HashMap::new(), locations: HashMap::new(), here: std::env::current_dir().ok() }
    }
}

impl<'a> Places<'a> {
    fn file(&mut self, tables: &mut Tables, file: Meta<'a>) -> FileId {
        if let Some(&id) = self.files.get(&file) {
            return id;
        }
        let (directory, name) = file.file_path();
        let id = tables.files.intern(shown_path(&directory, &name, self.here.as_deref()).into());
        self.files.insert(file, id);
        id
    }

    /// The place of a location; `None` when it has no line.
    pub fn of_location(&mut self, tables: &mut Tables, location: Meta<'a>) -> Option<PlaceId> {
        if let Some(&id) = self.locations.get(&location) {
            return Some(id);
        }
        let (line, column) = location.line_and_column();
        let file = location.location_scope().and_then(|scope| scope.scope_file())?;
        if line == 0 {
            return None;
        }
        let file = self.file(tables, file);
        // The recursion is shallow: chains of inlining are short.
        let inlined_at = location.inlined_at().and_then(|at| self.of_location(tables, at));
        let id = tables.places.intern(Place { file, line, column, inlined_at });
        self.locations.insert(location, id);
        Some(id)
    }

    pub fn of_function(&mut self, tables: &mut Tables, function: Value<'a>) -> PlaceId {
        let subprogram = function.subprogram();
        let file = subprogram.and_then(|s| s.scope_file());
        let line = subprogram.map_or(0, |s| s.subprogram_line());
        self.line_of(tables, file, line)
    }

    pub fn of_global(&mut self, tables: &mut Tables, variable: Option<Meta<'a>>) -> PlaceId {
        let file = variable.and_then(|v| v.variable_file());
        let line = variable.map_or(0, |v| v.variable_line());
        self.line_of(tables, file, line)
    }

    fn line_of(&mut self, tables: &mut Tables, file: Option<Meta<'a>>, line: u32) -> PlaceId {
        match file {
            Some(file) => {
                let file = self.file(tables, file);
                tables.places.intern(Place { file, line, column: 0, inlined_at: None })
            }
            None => tables.unknown_place(),
        }
    }
}

/// The path as the user would write it: relative when the file is below the current directory.
fn shown_path(directory: &str, name: &str, here: Option<&Path>) -> String {
    let path: PathBuf =
        Path::new(directory).join(name).components().filter(|c| *c != Component::CurDir).collect();
    let shown = here.and_then(|here| path.strip_prefix(here).ok()).unwrap_or(&path);
    shown.to_string_lossy().into_owned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_below_the_current_directory_are_relative() {
        let check = |directory: &str, name: &str, expect: &str| {
            assert_eq!(shown_path(directory, name, Some(Path::new("/project/here"))), expect);
        };
        check("/project/here", "src/a.c", "src/a.c");
        check("/project/here", "/project/here/a.c", "a.c");
        check("/project/other", "a.c", "/project/other/a.c");
        check("/project/here", "/usr/include/stdio.h", "/usr/include/stdio.h");
        check(".", "models/mutex.c", "models/mutex.c");
        check("/project/here", "./a.c", "a.c");
    }
}
