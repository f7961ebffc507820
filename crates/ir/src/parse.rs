//! Reads the textual form that `print` writes: `parse(program.to_string())` is the program again, handles included.
//!
//! A text written by hand may be shorter: constants and places that are not in the tables are added to them, the tables
//! may be left out, lines may come in any order, and a line that begins with `;` is a comment.
//!
//! Only the form is checked here; whether the program makes sense is the validator's business. Time and memory are
//! linear in the text, whatever it says.

mod body;
mod cursor;
mod error;
mod inst;
mod value;

pub use error::{ParseError, Problem};

use crate::print::MOST_ZERO_BYTES;
use crate::{
    DataModel, Field, FileId, FuncId, Function, Global, GlobalId, Init, ModelEffect, Origin, Place,
    PrimaryMap, Program, SourceType, SourceTypeId,
};
use body::BodyParser;
use cranelift_entity::EntityRef;
use cursor::{Cursor, Result};
use value::{Names, Tables};

pub fn parse(text: &str) -> std::result::Result<Program, ParseError> {
    if text.len() > i32::MAX as usize {
        return Err(Cursor::new(1, "").error(Problem::TooLong));
    }
    let items = Items::new(text)?;
    let (data_model, mut entry) = match items.header.clone() {
        Some(mut header) => (data_model(&mut header)?, header),
        None => return Cursor::new(1, "").expected("a line `program LP64 entry &main`"),
    };
    let (mut functions, mut globals) = (Names::new(), Names::new());
    for func in &items.functions {
        let mut cursor = func.head.clone();
        cursor.expect("&")?;
        functions.define(&mut cursor)?;
    }
    for mut cursor in items.globals.iter().cloned() {
        cursor.expect("@")?;
        globals.define(&mut cursor)?;
    }
    entry.expect("entry")?;
    entry.expect("&")?;
    let entry_id = functions.find("function", &mut entry)?;
    entry.end()?;
    let program = Program {
        data_model,
        files: numbered(items.files, "file", |c| c.text())?,
        places: PrimaryMap::new(),
        source_types: numbered(items.types, "type", source_type)?,
        constants: PrimaryMap::new(),
        globals: PrimaryMap::new(),
        functions: PrimaryMap::new(),
        entry: entry_id,
    };
    let mut tables = Tables::new(program, functions, globals);
    rows(items.constants, |c| tables.constant_row(c))?;
    rows(items.places, |c| tables.place_row(c))?;
    fill_first_place(&mut tables);
    let mut zeros_left = MOST_ZERO_BYTES;
    for cursor in items.globals {
        let global = global(&mut tables, cursor, &mut zeros_left)?;
        tables.program.globals.push(global);
    }
    for func in items.functions {
        let function = function(&mut tables, func)?;
        tables.program.functions.push(function);
    }
    Ok(tables.program)
}

/// Lines without a place have the first one, so there must be one.
fn fill_first_place(tables: &mut Tables<'_>) {
    if tables.program.files.is_empty() {
        tables.program.files.push("".into());
    }
    if tables.program.places.is_empty() {
        tables.push_place(Place { file: FileId::from_u32(0), line: 0, column: 0, inlined_at: None });
    }
}

/// The lines of a text by what they define. Cursors are after the first word; those of files and types, before it.
#[derive(Default)]
struct Items<'a> {
    header: Option<Cursor<'a>>,
    files: Vec<Cursor<'a>>,
    types: Vec<Cursor<'a>>,
    globals: Vec<Cursor<'a>>,
    functions: Vec<Func<'a>>,
    constants: Vec<Cursor<'a>>,
    places: Vec<Cursor<'a>>,
}

struct Func<'a> {
    head: Cursor<'a>,
    /// The lines between the braces.
    body: Option<Vec<Cursor<'a>>>,
}

impl<'a> Items<'a> {
    fn new(text: &'a str) -> Result<Items<'a>> {
        let mut items = Items::default();
        let mut lines = (1..).zip(text.lines()).filter(|(_, line)| {
            let line = line.trim_start();
            !line.is_empty() && !line.starts_with(';')
        });
        while let Some((number, line)) = lines.next() {
            let mut cursor = Cursor::new(number, line);
            let start = cursor.clone();
            match cursor.word() {
                "program" if items.header.is_some() => return Err(start.error(Problem::SecondHeader)),
                "program" => items.header = Some(cursor),
                "global" => items.globals.push(cursor),
                "constants" => items.constants.push(cursor),
                "places" => items.places.push(cursor),
                "func" => {
                    let body = match line.trim_end().strip_suffix('{') {
                        Some(_) => Some(body_lines(&start, &mut lines)?),
                        None => None,
                    };
                    items.functions.push(Func { head: cursor, body });
                }
                word if word.starts_with("file") => items.files.push(start),
                word if word.starts_with("type") => items.types.push(start),
                word => return start.unknown("the beginning of a line here", word),
            }
        }
        Ok(items)
    }
}

fn body_lines<'a>(
    start: &Cursor<'a>,
    lines: &mut impl Iterator<Item = (u32, &'a str)>,
) -> Result<Vec<Cursor<'a>>> {
    let mut body = Vec::new();
    for (number, line) in lines {
        if line.trim() == "}" {
            return Ok(body);
        }
        body.push(Cursor::new(number, line));
    }
    Err(start.error(Problem::OpenFunction))
}

fn data_model(cursor: &mut Cursor<'_>) -> Result<DataModel> {
    cursor.find_word("a data model", |word| {
        [DataModel::Ilp32, DataModel::Lp64].into_iter().find(|model| model.name() == word)
    })
}

/// Lines `file0 = …`, numbered in order.
fn numbered<'a, K: EntityRef + std::fmt::Display, T>(
    lines: Vec<Cursor<'a>>,
    prefix: &'static str,
    row: impl Fn(&mut Cursor<'a>) -> Result<T>,
) -> Result<PrimaryMap<K, T>> {
    let mut table = PrimaryMap::new();
    for mut cursor in lines {
        let next: K = table.next_key();
        let start = cursor.clone();
        if cursor.handle(prefix)? as usize != next.index() {
            return Err(start.error(Problem::OutOfOrder { expected: next.to_string().into() }));
        }
        cursor.expect("=")?;
        table.push(row(&mut cursor)?);
        cursor.end()?;
    }
    Ok(table)
}

/// Lines of rows separated by commas.
fn rows<'a>(lines: Vec<Cursor<'a>>, mut row: impl FnMut(&mut Cursor<'a>) -> Result<()>) -> Result<()> {
    for mut cursor in lines {
        row(&mut cursor)?;
        while cursor.eat(",") {
            row(&mut cursor)?;
        }
        cursor.end()?;
    }
    Ok(())
}

fn type_handle(cursor: &mut Cursor<'_>) -> Result<SourceTypeId> {
    Ok(SourceTypeId::from_u32(cursor.handle("type")?))
}

fn source_type(c: &mut Cursor<'_>) -> Result<SourceType> {
    let start = c.clone();
    match c.word() {
        "scalar" => {
            let name = c.name()?.into();
            c.expect("size")?;
            Ok(SourceType::Scalar { name, size: c.number()? })
        }
        "pointer" => {
            let to = if c.eat_word("to") { Some(type_handle(c)?) } else { None };
            Ok(SourceType::Pointer { to })
        }
        "array" => {
            let count = c.number()?;
            c.expect("of")?;
            let element = type_handle(c)?;
            c.expect("stride")?;
            Ok(SourceType::Array { element, count, element_size: c.number()? })
        }
        "record" => {
            let name = c.name()?.into();
            c.expect("size")?;
            let size = c.number()?;
            c.expect("{")?;
            let mut fields = Vec::new();
            while !c.eat("}") {
                if !fields.is_empty() {
                    c.expect(",")?;
                }
                let name = c.name()?.into();
                c.expect(":")?;
                let ty = type_handle(c)?;
                c.expect("at")?;
                fields.push(Field { name, offset: c.number()?, ty });
            }
            Ok(SourceType::Record { name, size, fields: fields.into() })
        }
        word => start.unknown("a kind of type", word),
    }
}

fn global<'a>(tables: &mut Tables<'a>, mut cursor: Cursor<'a>, zeros_left: &mut u64) -> Result<Global> {
    let c = &mut cursor;
    let id: GlobalId = tables.program.globals.next_key();
    c.expect("@")?;
    skip_defined_name(c)?;
    let constant = c.eat_word("constant");
    let thread_local = c.eat_word("thread_local");
    let origin = origin(c);
    let internal = c.eat_word("internal");
    c.expect("size")?;
    let size = c.number()?;
    c.expect("align")?;
    let align = c.number()?;
    let ty = if c.eat_word("typed") { Some(type_handle(c)?) } else { None };
    c.expect("=")?;
    let init = init(tables, c, zeros_left)?;
    let place = tables.place(c)?;
    c.end()?;
    let name = tables.globals.row(id);
    Ok(Global { name, size, align, init, constant, thread_local, origin, internal, ty, place })
}

fn skip_defined_name(c: &mut Cursor<'_>) -> Result<()> {
    c.name()?;
    if c.peek() == Some(b'#') {
        c.expect("#")?;
        c.index()?;
    }
    Ok(())
}

fn origin(c: &mut Cursor<'_>) -> Origin {
    if c.eat_word("model") {
        Origin::Model
    } else if c.eat_word("library") {
        Origin::Library
    } else {
        Origin::User
    }
}

fn init<'a>(tables: &mut Tables<'a>, c: &mut Cursor<'a>, zeros_left: &mut u64) -> Result<Init> {
    if c.eat_word("zero") {
        return Ok(Init::Zero);
    }
    if c.eat_word("unknown") {
        return Ok(Init::Unknown);
    }
    let mut bytes = Vec::new();
    let mut pieces = 0;
    loop {
        if c.eat_word("zeros") {
            let start = c.clone();
            let count: u64 = c.number()?;
            match zeros_left.checked_sub(count) {
                Some(left) => *zeros_left = left,
                None => return Err(start.error(Problem::TooManyZeros)),
            }
            bytes.resize(bytes.len() + count as usize, 0);
        } else if c.is_quote_next() {
            c.string(&mut bytes)?;
        } else if pieces == 0 {
            return c.expected("an initialiser");
        } else {
            break;
        }
        pieces += 1;
    }
    let mut pointers = Vec::new();
    let mut more = c.eat_word("pointers");
    while more {
        let offset = c.number()?;
        c.expect(":")?;
        pointers.push((offset, tables.const_operand(c, None)?));
        more = c.eat(",");
    }
    Ok(Init::Bytes { bytes, pointers })
}

fn function<'a>(tables: &mut Tables<'a>, func: Func<'a>) -> Result<Function> {
    let id: FuncId = tables.program.functions.next_key();
    let name = tables.functions.row(id);
    let mut cursor = func.head;
    let c = &mut cursor;
    c.expect("&")?;
    skip_defined_name(c)?;
    c.expect("(")?;
    let mut parser = BodyParser::new(tables);
    let (mut params, mut variadic) = (Vec::new(), false);
    let mut more = !c.eat(")");
    while more {
        variadic = c.eat("...");
        match (&func.body, variadic) {
            (Some(_), true) => {
                parser.param(c)?;
            }
            (Some(_), false) => params.push(parser.param(c)?),
            (None, true) => {}
            (None, false) => params.push(c.ty()?),
        }
        more = !variadic && c.eat(",");
        if !more {
            c.expect(")")?;
        }
    }
    let mut results = Vec::new();
    let mut more = c.eat("->");
    while more {
        results.push(c.ty()?);
        more = c.eat(",");
    }
    let origin = origin(c);
    let embedded = c.eat_word("embedded");
    let effects = effects(c)?;
    let place = parser.tables.place(c)?;
    let body = match func.body {
        Some(lines) => {
            c.expect("{")?;
            for line in lines {
                parser.line(line)?;
            }
            Some(parser.finish()?)
        }
        None => None,
    };
    c.end()?;
    Ok(Function { name, params, results, variadic, origin, embedded, effects, place, body })
}

/// `does "…", "…"`, if present.
fn effects(c: &mut Cursor<'_>) -> Result<Vec<ModelEffect>> {
    let mut effects = Vec::new();
    let mut more = c.eat_word("does");
    while more {
        let start = c.clone();
        let text = c.text()?;
        match ModelEffect::from_text(&text) {
            Some(effect) => effects.push(effect),
            None => return start.unknown("something that a model does", &text),
        }
        more = c.eat(",");
    }
    Ok(effects)
}
