//! Functions without a body that are taken to be pure: they return any value and change nothing.

use crate::*;

/// Gives every function without a body one that returns inputs, named after the function. Returns the names of these
/// functions.
pub fn assume_pure(program: &mut Program) -> Vec<Box<str>> {
    let without_body: Vec<FuncId> =
        program.functions.iter().filter(|(_, f)| f.body.is_none()).map(|(id, _)| id).collect();
    for &id in &without_body {
        let body = body_of_inputs(program, id);
        program.functions[id].body = Some(body);
    }
    without_body.into_iter().map(|id| program.functions[id].name.clone()).collect()
}

fn body_of_inputs(program: &mut Program, id: FuncId) -> Body {
    let Function { params, results, variadic, place, .. } = program.functions[id].clone();
    let mut body = Body::default();
    let area = variadic.then_some(Type::Ptr);
    for ty in params.into_iter().chain(area) {
        let reg = body.regs.push(RegInfo { ty, name: None });
        body.params.push(reg);
    }
    let mut insts = Vec::new();
    let mut returned = Vec::new();
    if !results.is_empty() {
        let name = name_of(program, id);
        for ty in results {
            let reg = body.regs.push(RegInfo { ty, name: None });
            let op = Op::Input { ty, signed: true, kind: InputKind::Value, name };
            insts.push(Inst { op, result: Some(reg), place });
            returned.push(Operand::from(reg));
        }
    }
    let terminator = Terminator::Return(returned.into());
    body.blocks.push(Block { params: Vec::new(), insts, terminator, terminator_place: place });
    body
}

/// A constant that points to the function's name.
fn name_of(program: &mut Program, id: FuncId) -> Operand {
    let Function { name, origin, place, .. } = &program.functions[id];
    let bytes = [name.as_bytes(), &[0]].concat();
    let global = program.globals.push(Global {
        name: format!("{name}.name").into(),
        size: bytes.len() as u64,
        align: 1,
        init: Init::Bytes { bytes, pointers: Vec::new() },
        constant: true,
        thread_local: false,
        origin: *origin,
        internal: false,
        ty: None,
        place: *place,
    });
    let constant = program.constants.push(Const::Global { global, offset: 0 });
    Operand::from(constant)
}
