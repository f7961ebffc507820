//! What the program finds when it starts: arguments, environment, and the options that models ask for. The names are
//! those of models/tp.h.

use crate::files::{self, Files};
use crate::tables::Tables;
use tp_ir::{Const, DataModel, Global, GlobalId, Init, Origin, Width};

/// How often a thread that waits on a condition variable may be woken without a signal. The numbers are those of models/tp.h.
#[derive(Copy, Clone, PartialEq, Eq, Default, Debug)]
pub enum SpuriousWakeups {
    #[default]
    Never = 0,
    Once = 1,
    Always = 2,
}

pub struct World {
    /// The name of the program first.
    pub arguments: Vec<String>,
    pub environment: Vec<(String, String)>,
    pub spurious_wakeups: SpuriousWakeups,
    pub spurious_failures: bool,
    pub files: Files,
    /// How many bytes the outside sends on each of its connections.
    pub connections: Vec<u32>,
    pub io_errors: bool,
}

impl World {
    /// The variable that a model declares and the front end defines.
    pub fn global(&self, tables: &mut Tables, name: &str, data_model: DataModel) -> Option<GlobalId> {
        match name {
            "__tp_argc" => Some(number(tables, name, self.arguments.len() as u32)),
            "__tp_option_spurious_wakeups" => Some(number(tables, name, self.spurious_wakeups as u32)),
            // Decided once the whole program is imported; see `reuse`, `seeds`, `load`, `files` and `signals`.
            "__tp_option_reuse"
            | "__tp_option_reuse_ids"
            | "__tp_option_seeds"
            | "__tp_option_clock"
            | "__tp_option_cancel"
            | "__tp_option_files"
            | "__tp_option_special"
            | "__tp_option_signals"
            | "__tp_option_sends"
            | "__tp_option_threads" => Some(number(tables, name, 0)),
            "__tp_option_io_errors" => Some(number(tables, name, self.io_errors.into())),
            "__tp_option_connections" => Some(number(tables, name, self.connections.len() as u32)),
            "__tp_connections" => Some(files::connections(tables, &self.connections, data_model)),
            "__tp_files" => Some(files::table(tables, &self.files, data_model)),
            "__tp_stdin" => Some(files::standard_input(tables, &self.files, data_model)),
            "__tp_argv" => Some(strings(tables, "argv", &self.arguments, data_model)),
            "__tp_environ" => {
                let rows: Vec<String> = self.environment.iter().map(|(k, v)| format!("{k}={v}")).collect();
                Some(strings(tables, "environ", &rows, data_model))
            }
            _ => None,
        }
    }
}

pub fn define(
    tables: &mut Tables,
    name: &str,
    (size, align): (u64, u32),
    init: Init,
    constant: bool,
) -> GlobalId {
    let name = tables.unique_name(name.to_owned(), false);
    let place = tables.unknown_place();
    let origin = Origin::Model;
    tables.globals.push(Global {
        name,
        size,
        align,
        init,
        constant,
        thread_local: false,
        origin,
        internal: false,
        ty: None,
        place,
    })
}

fn number(tables: &mut Tables, name: &str, value: u32) -> GlobalId {
    let init = Init::Bytes { bytes: value.to_le_bytes().to_vec(), pointers: Vec::new() };
    define(tables, name, (Width::W32.bytes() as u64, Width::W32.bytes()), init, true)
}

/// An array of pointers to strings with a null pointer at its end, under the names that users know.
fn strings(tables: &mut Tables, name: &str, rows: &[String], data_model: DataModel) -> GlobalId {
    let pointer = data_model.pointer_width().bytes() as u64;
    let mut pointers = Vec::new();
    for (i, row) in rows.iter().enumerate() {
        let at = i as u64 * pointer;
        let global = tables.c_string(&format!("{name}[{i}]"), row);
        // The program may change its arguments (C11 5.1.2.2.1).
        tables.globals[global].constant = false;
        pointers.push((at, tables.constants.intern(Const::Global { global, offset: 0 })));
    }
    let size = pointer * (rows.len() as u64 + 1);
    let init = Init::Bytes { bytes: vec![0; size as usize], pointers };
    define(tables, name, (size, pointer as u32), init, false)
}
