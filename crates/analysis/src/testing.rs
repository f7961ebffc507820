//! Programs for the tests of this crate.

use crate::callgraph::ContextId;
use crate::pointsto::{AbstractObject, ObjectId, PointsTo};
use std::sync::atomic::AtomicBool;
use tp_ir::{BlockId, Body, Program, parse};

pub fn block(number: u32) -> BlockId {
    BlockId::from_u32(number)
}

pub fn program(text: &str) -> Program {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let faults = tp_ir::validate(&program);
    assert!(faults.is_ok(), "{:?}", faults.err());
    program
}

/// The body of the function `f`.
pub fn body_of_f(program: &Program) -> &Body {
    let f = program.function_named("f").expect("there is a function f");
    program.functions[f].body.as_ref().expect("it is defined")
}

/// A function with these successors of each block. A block without successors returns.
pub fn body(edges: &[&[u32]]) -> Body {
    let mut text = String::from("program LP64 entry &f\nfunc &f() {\n");
    for (block, targets) in edges.iter().enumerate() {
        let end = match targets {
            [] => "return".to_owned(),
            [to] => format!("jump bb{to}"),
            [a, b] => format!("branch true, bb{a}, bb{b}"),
            _ => unreachable!("at most two targets"),
        };
        text += &format!("bb{block}:\n  {end}\n");
    }
    let program = program(&(text + "}\n"));
    body_of_f(&program).clone()
}

/// Where pointers point in a program.
pub fn points_to(program: &Program) -> PointsTo<'_> {
    PointsTo::new(program, &AtomicBool::new(false)).expect("it is analysed")
}

/// The object of a variable.
pub fn variable(points_to: &PointsTo<'_>, name: &str) -> ObjectId {
    let global = points_to.program().global_named(name).expect("there is such a variable");
    points_to.objects().known(AbstractObject::Global(global)).expect("each variable is an object")
}

/// The contexts of a function.
pub fn contexts_of(points_to: &PointsTo<'_>, name: &str) -> Vec<ContextId> {
    let function = points_to.program().function_named(name).expect("there is such a function");
    let calls = points_to.call_graph();
    calls.contexts().filter(|context| calls.function(*context) == function).collect()
}
