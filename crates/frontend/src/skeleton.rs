//! The file that `--write-models` writes: a stub for each function that has neither body nor model.

use crate::prototype::{Parameter, Prototype};
use std::collections::BTreeSet;
use std::fmt::Write;
use tp_ir::{MissingFunction, Program, Type, Width};

/// A function without body and model, and its declaration in C.
#[derive(Clone, Debug)]
pub struct Undefined {
    pub missing: MissingFunction,
    pub prototype: Prototype,
}

/// A source that defines these functions. It compiles and can be given to `--models` as it is.
pub fn models_skeleton(program: &Program, undefined: &[Undefined]) -> String {
    let mut text = "/* Functions that the program uses and Threadproof has no model of.
 *
 * As they stand, they return any value and change nothing. Write what they do, in C and with what <tp.h> declares; its
 * comments and models/README.md of Threadproof say how. Add the file with `--models`. */
#include <tp.h>
"
    .to_owned();
    if undefined.iter().any(|u| u.prototype.is_guessed) {
        text += "\n/* Some types below are those of the call: pointers are `void *`. */\n\
            #pragma clang diagnostic ignored \"-Wincompatible-library-redeclaration\"\n";
    }
    let tags: BTreeSet<&String> = undefined.iter().flat_map(|u| &u.prototype.tags).collect();
    if !tags.is_empty() {
        text += "\n";
        tags.iter().for_each(|tag| text += &format!("{tag};\n"));
    }
    undefined.iter().for_each(|function| text += &stub(program, function));
    text
}

fn stub(program: &Program, Undefined { missing, prototype }: &Undefined) -> String {
    let name = &program.functions[missing.function].name;
    let place = program.line_text(missing.first);
    let used = match (missing.uses, place) {
        (1, Some(at)) => format!("used at {at}"),
        (n, Some(at)) => format!("used {n} times, first at {at}"),
        (n, None) => format!("used {n} times"),
    };
    let mut text = format!("\n/* {name}: {used}.\n");
    let gaps = gaps(prototype);
    let last = gaps.len().saturating_sub(1);
    for (i, gap) in gaps.iter().enumerate() {
        let (begin, end) = (if i == 0 { "To fill in: " } else { "" }, if i == last { ". */" } else { ";" });
        // Writing to a string does not fail.
        let _ = writeln!(text, " * {begin}{gap}{end}");
    }
    let _ = write!(text, "{}{}\n{{\n", prototype.before, prototype.text);
    for i in 1..=prototype.parameters.len() {
        let _ = writeln!(text, "    (void)p{i};");
    }
    text + &end(name, prototype) + "}\n"
}

/// What the stub leaves open.
fn gaps(prototype: &Prototype) -> Vec<String> {
    let those = |wanted: Parameter| {
        let numbered = prototype.parameters.iter().enumerate().filter(move |(_, kind)| **kind == wanted);
        numbered.map(|(i, _)| format!("p{}", i + 1)).collect::<Vec<_>>().join(", ")
    };
    let (memory, functions) = (those(Parameter::Memory), those(Parameter::Function));
    let mut gaps = Vec::new();
    if !prototype.returns {
        gaps.push("what happens before it ends the thread or the program".to_owned());
    } else if !prototype.result.is_empty() {
        gaps.push("which values it can return".to_owned());
    }
    if !memory.is_empty() {
        gaps.push(format!("what it reads and writes through {memory}"));
    }
    if !functions.is_empty() {
        gaps.push(format!("whether it calls {functions}, and in which thread"));
    }
    if gaps.is_empty() {
        gaps.push("what it changes".to_owned());
    }
    gaps
}

fn end(name: &str, prototype: &Prototype) -> String {
    if !prototype.returns {
        return "    __tp_exit(1);\n".to_owned();
    }
    let inputs: Vec<String> =
        prototype.result.iter().map(|&ty| format!("{}(\"{name}\")", input(ty))).collect();
    match (&prototype.result_record, &inputs[..]) {
        (_, []) => String::new(),
        (Some(record), _) => format!("    return ({record}){{ {} }};\n", inputs.join(", ")),
        (None, [first, ..]) => format!("    return {first};\n"),
    }
}

/// The primitive of <tp.h> that gives any value of a type.
fn input(ty: Type) -> &'static str {
    match ty {
        Type::Ptr => "__tp_input_pointer",
        Type::F32 => "__tp_input_float",
        Type::F64 => "__tp_input_double",
        Type::Int(Width::BOOL) => "__tp_input_bool",
        Type::Int(width) => match width.bits() {
            0..=8 => "__tp_input_i8",
            9..=16 => "__tp_input_i16",
            17..=32 => "__tp_input_i32",
            _ => "__tp_input_i64",
        },
    }
}
