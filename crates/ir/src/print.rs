//! The textual form of a program. It keeps everything: `parse` gives back an equal program, handles included.
//!
//! One construct is one line. Functions come before the tables of constants and places, which only fix the handles:
//! instructions show constants and places by value.
//!
//! ```text
//! program LP64 entry &main
//! file0 = "counter.c"
//! type0 = scalar int size 4
//! global @counter size 4 align 4 typed type0 = zero @ 0:1:5
//! func &main() -> i32 @ 0:3:1 {
//! bb0:
//!   %old.0 = load i32 @counter @ 0:4:5
//!   %1 = add i32 %old.0, 1 checked @ 0:4:12
//!   store i32 %1, @counter @ 0:4:5
//!   return i32 0 @ 0:5:1
//! }
//! constants i32 1, @counter, i32 0
//! places 0:0:0, 0:1:5, 0:3:1, 0:4:5, 0:4:12, 0:5:1
//! ```
//!
//! What a text leaves out has one meaning: an instruction without `@` has `place0`, a constant without a type has the
//! one its instruction implies. A row of a table that is not the first of its value is written by its handle
//! (`const7`, `place3`, `@name#5`).

mod inst;
mod value;

use crate::{
    Const, ConstId, Field, FuncId, Function, Global, GlobalId, Init, Origin, Place, PlaceId, Program, Reg,
    SourceType,
};
use cranelift_entity::{EntityRef, PrimaryMap};
use std::collections::HashMap;
use std::fmt::{self, Write};
use value::{Name, Quoted};
pub(crate) use value::{is_name_part, is_name_start};

/// Runs of at least this many zero bytes are written as their number …
const SHORTEST_ZERO_RUN: usize = 16;
/// … while all of a program's runs stay within this sum, so that a small text cannot make a reader run out of memory.
pub(crate) const MOST_ZERO_BYTES: u64 = 64 << 20;
const ROWS_PER_LINE: usize = 8;

/// One function as text.
pub fn print_function(program: &Program, id: FuncId) -> String {
    let mut out = String::new();
    // Writing to a `String` cannot fail.
    let _ = Printer::new(program).function(&mut out, id);
    out
}

impl fmt::Display for Program {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        Printer::new(self).program(f)
    }
}

/// A program with, for each value in a table, the first row that has it: only those rows are written by value.
pub(crate) struct Printer<'a> {
    program: &'a Program,
    constants: HashMap<&'a Const, ConstId>,
    places: HashMap<Place, PlaceId>,
    globals: HashMap<&'a str, GlobalId>,
    functions: HashMap<&'a str, FuncId>,
}

fn firsts<'a, K: EntityRef, V, T: Eq + std::hash::Hash>(
    table: &'a PrimaryMap<K, V>,
    key: impl Fn(&'a V) -> T,
) -> HashMap<T, K> {
    let mut map = HashMap::with_capacity(table.len());
    for (id, row) in table {
        map.entry(key(row)).or_insert(id);
    }
    map
}

impl<'a> Printer<'a> {
    fn new(program: &'a Program) -> Printer<'a> {
        Printer {
            program,
            constants: firsts(&program.constants, |c| c),
            places: firsts(&program.places, |p| *p),
            globals: firsts(&program.globals, |g| &*g.name),
            functions: firsts(&program.functions, |f| &*f.name),
        }
    }

    fn program(&self, out: &mut impl Write) -> fmt::Result {
        let program = self.program;
        write!(out, "program {} entry ", program.data_model.name())?;
        self.func_name(out, program.entry)?;
        out.write_str("\n\n")?;
        for (id, name) in &program.files {
            writeln!(out, "{id} = {}", Quoted(name.as_bytes()))?;
        }
        for (id, ty) in &program.source_types {
            write!(out, "{id} = ")?;
            source_type(out, ty)?;
            out.write_char('\n')?;
        }
        if !program.globals.is_empty() {
            out.write_char('\n')?;
        }
        let mut zeros_left = MOST_ZERO_BYTES;
        for (id, global) in &program.globals {
            self.global(out, id, global, &mut zeros_left)?;
        }
        for id in program.functions.keys() {
            out.write_char('\n')?;
            self.function(out, id)?;
        }
        out.write_char('\n')?;
        self.table(out, "constants", &program.constants, |out, c| self.constant(out, c, None))?;
        self.table(out, "places", &program.places, place_row)
    }

    fn table<W: Write, K: EntityRef, V>(
        &self,
        out: &mut W,
        word: &str,
        table: &PrimaryMap<K, V>,
        row: impl Fn(&mut W, &V) -> fmt::Result,
    ) -> fmt::Result {
        for (i, value) in table.values().enumerate() {
            match i % ROWS_PER_LINE {
                0 => write!(out, "{word} ")?,
                _ => out.write_str(", ")?,
            }
            row(out, value)?;
            if i % ROWS_PER_LINE == ROWS_PER_LINE - 1 || i + 1 == table.len() {
                out.write_char('\n')?;
            }
        }
        Ok(())
    }

    fn global(
        &self,
        out: &mut impl Write,
        id: GlobalId,
        global: &Global,
        zeros_left: &mut u64,
    ) -> fmt::Result {
        out.write_str("global ")?;
        self.global_name(out, id)?;
        if global.constant {
            out.write_str(" constant")?;
        }
        if global.thread_local {
            out.write_str(" thread_local")?;
        }
        out.write_str(origin(global.origin))?;
        if global.internal {
            out.write_str(" internal")?;
        }
        write!(out, " size {} align {}", global.size, global.align)?;
        if let Some(ty) = global.ty {
            write!(out, " typed {ty}")?;
        }
        out.write_str(" =")?;
        match &global.init {
            Init::Zero => out.write_str(" zero")?,
            Init::Unknown => out.write_str(" unknown")?,
            Init::Bytes { bytes, pointers } => {
                init_bytes(out, bytes, zeros_left)?;
                for (i, (offset, c)) in pointers.iter().enumerate() {
                    write!(out, "{} {offset}: ", if i == 0 { " pointers" } else { "," })?;
                    self.const_operand(out, *c, None)?;
                }
            }
        }
        self.place(out, global.place)?;
        out.write_char('\n')
    }

    fn function(&self, out: &mut impl Write, id: FuncId) -> fmt::Result {
        let Some(function) = self.program.functions.get(id) else { return Ok(()) };
        out.write_str("func ")?;
        self.func_name(out, id)?;
        self.signature(out, function)?;
        out.write_str(origin(function.origin))?;
        if function.embedded {
            out.write_str(" embedded")?;
        }
        for (i, effect) in function.effects.iter().enumerate() {
            let text = effect.to_string();
            write!(out, "{} {}", if i == 0 { " does" } else { "," }, Quoted(text.as_bytes()))?;
        }
        self.place(out, function.place)?;
        if let Some(body) = &function.body {
            out.write_str(" {\n")?;
            self.body(out, body)?;
            out.write_char('}')?;
        }
        out.write_char('\n')
    }

    fn signature(&self, out: &mut impl Write, function: &Function) -> fmt::Result {
        out.write_char('(')?;
        let mut separator = "";
        match &function.body {
            Some(body) => {
                for (i, param) in body.params.iter().enumerate() {
                    let area = function.variadic && i + 1 == body.params.len();
                    write!(out, "{separator}{}", if area { "..." } else { "" })?;
                    self.typed_reg(out, body, *param)?;
                    separator = ", ";
                }
            }
            None => {
                for ty in &function.params {
                    write!(out, "{separator}{ty}")?;
                    separator = ", ";
                }
                if function.variadic {
                    write!(out, "{separator}...")?;
                }
            }
        }
        out.write_char(')')?;
        for (i, ty) in function.results.iter().enumerate() {
            write!(out, "{} {ty}", if i == 0 { " ->" } else { "," })?;
        }
        Ok(())
    }

    fn func_name(&self, out: &mut impl Write, id: FuncId) -> fmt::Result {
        match self.program.functions.get(id) {
            Some(function) => {
                write!(out, "&{}", Name(&function.name))?;
                unless_first(out, self.functions.get(&*function.name), id)
            }
            None => write!(out, "&#{}", id.as_u32()),
        }
    }

    fn global_name(&self, out: &mut impl Write, id: GlobalId) -> fmt::Result {
        match self.program.globals.get(id) {
            Some(global) => {
                write!(out, "@{}", Name(&global.name))?;
                unless_first(out, self.globals.get(&*global.name), id)
            }
            None => write!(out, "@#{}", id.as_u32()),
        }
    }

    fn typed_reg(&self, out: &mut impl Write, body: &crate::Body, reg: Reg) -> fmt::Result {
        self.reg(out, body, reg)?;
        match body.regs.get(reg) {
            Some(info) => write!(out, ": {}", info.ty),
            None => Ok(()),
        }
    }
}

fn unless_first<K: EntityRef>(out: &mut impl Write, first: Option<&K>, id: K) -> fmt::Result {
    if first == Some(&id) { Ok(()) } else { write!(out, "#{}", id.index()) }
}

fn place_row(out: &mut impl Write, place: &Place) -> fmt::Result {
    write!(out, "{}:{}:{}", place.file.as_u32(), place.line, place.column)?;
    match place.inlined_at {
        Some(at) => write!(out, " inlined {at}"),
        None => Ok(()),
    }
}

fn source_type(out: &mut impl Write, ty: &SourceType) -> fmt::Result {
    match ty {
        SourceType::Scalar { name, size } => write!(out, "scalar {} size {size}", Name(name)),
        SourceType::Pointer { to: None } => out.write_str("pointer"),
        SourceType::Pointer { to: Some(to) } => write!(out, "pointer to {to}"),
        SourceType::Record { name, size, fields } => {
            write!(out, "record {} size {size} {{", Name(name))?;
            for (i, Field { name, offset, ty }) in fields.iter().enumerate() {
                write!(out, "{} {}: {ty} at {offset}", if i == 0 { "" } else { "," }, Name(name))?;
            }
            out.write_str(" }")
        }
        SourceType::Array { element, count, element_size } => {
            write!(out, "array {count} of {element} stride {element_size}")
        }
    }
}

/// Quoted pieces, and the number of bytes of long runs of zeros between them.
fn init_bytes(out: &mut impl Write, bytes: &[u8], zeros_left: &mut u64) -> fmt::Result {
    if bytes.is_empty() {
        return out.write_str(" \"\"");
    }
    let (mut start, mut at) = (0, 0);
    while at < bytes.len() {
        let run = bytes[at..].iter().take_while(|b| **b == 0).count();
        if run >= SHORTEST_ZERO_RUN && run as u64 <= *zeros_left {
            if start < at {
                write!(out, " {}", Quoted(&bytes[start..at]))?;
            }
            write!(out, " zeros {run}")?;
            *zeros_left -= run as u64;
            start = at + run;
        }
        at += run.max(1);
    }
    if start < bytes.len() {
        write!(out, " {}", Quoted(&bytes[start..]))?;
    }
    Ok(())
}

fn origin(origin: Origin) -> &'static str {
    match origin {
        Origin::User => "",
        Origin::Library => " library",
        Origin::Model => " model",
    }
}
