//! Functions that run before and after `main` (`__attribute__((constructor))`, `__attribute__((destructor))`).

use crate::importer::Importer;
use crate::llvm::{Module, Value};
use tp_ir::{Block, Body, Call, Callee, Const, FuncId, Function, Inst, Op, Operand, Origin, Terminator};

/// The entry itself or, when the program has constructors or destructors, a function that deals with them and then
/// calls the entry.
pub fn entry<'a>(importer: &mut Importer<'a>, own: &[Module<'a>], entry: Value<'a>) -> FuncId {
    let constructors = listed(own, "llvm.global_ctors");
    let destructors = listed(own, "llvm.global_dtors");
    let entry = importer.function(entry);
    if constructors.is_empty() && destructors.is_empty() {
        return entry;
    }
    let mut calls: Vec<(FuncId, Vec<Operand>)> = Vec::new();
    // A destructor is an exit handler that is registered before all others, so that it runs after them.
    if let Some(register) = importer.linker.model("atexit") {
        for function in destructors {
            let function = importer.function(function);
            let handler = importer.tables.constant(Const::Function(function));
            calls.push((importer.function(register), vec![handler]));
        }
    }
    for function in constructors {
        calls.push((importer.function(function), Vec::new()));
    }
    calls.push((entry, Vec::new()));
    let place = importer.tables.unknown_place();
    let call = |(callee, args): (FuncId, Vec<Operand>)| Inst {
        op: Op::Call(Box::new(Call {
            callee: Callee::Direct(callee),
            args: args.into(),
            results: Box::default(),
        })),
        result: None,
        place,
    };
    let mut body = Body::default();
    body.blocks.push(Block {
        params: Vec::new(),
        insts: calls.into_iter().map(call).collect(),
        terminator: Terminator::Return(Box::default()),
        terminator_place: place,
    });
    let name = importer.tables.unique_name("__tp_start".to_owned(), false);
    let origin = Origin::Model;
    let (params, results) = (Vec::new(), Vec::new());
    importer.tables.functions.push(Function {
        name,
        params,
        results,
        variadic: false,
        origin,
        embedded: false,
        effects: Vec::new(),
        place,
        body: Some(body),
    })
}

/// The functions in one of LLVM's lists of constructors or destructors, by priority.
fn listed<'a>(own: &[Module<'a>], list: &str) -> Vec<Value<'a>> {
    let lists =
        own.iter().flat_map(|m| m.globals()).filter(|g| g.name() == list).filter_map(|g| g.initializer());
    let rows = lists.flat_map(|list| (0..).map_while(move |i| list.element(i)));
    let mut functions: Vec<(u128, Value<'a>)> = rows
        .filter_map(|row| Some((row.element(0)?.int_bits(32)?, row.element(1)?)))
        .filter(|(_, function)| crate::importer::is_function(*function))
        .collect();
    functions.sort_by_key(|(priority, _)| *priority);
    functions.into_iter().map(|(_, function)| function).collect()
}
