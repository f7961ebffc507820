//! Auxiliary cells that the program does not have. They order two nodes: one reads what the other one has written.

use tp_ir::{MemoryOrder, Width};
use tp_solver::Term;
use tp_unfold::{Cell, CellId, NodeId, Object, Read, Unfolded, Write};

/// Something to be written and read that is not of the program, and what it holds at first: 0.
pub(crate) fn new_cell(program: &mut Unfolded, width: Width) -> (CellId, Term) {
    let first = program.terms.constant(width, 0);
    let bytes = width.bytes();
    let object = program.objects.push(Object { size: bytes as u64, ..Object::default() });
    (program.cells.push(Cell { object, offset: 0, bytes, first }), first)
}

/// The node writes this value if a condition holds.
pub(crate) fn leaves(program: &mut Unfolded, node: NodeId, cell: CellId, guard: Term, value: Term) {
    program.writes.push(Write { node, cell, guard, value, order: MemoryOrder::Plain });
}

/// The node sees this value if a condition holds.
pub(crate) fn sees(program: &mut Unfolded, node: NodeId, cell: CellId, guard: Term, expected: Term) {
    let terms = &mut program.terms;
    let value = terms.variable(terms.width(expected));
    let is_seen = terms.eq(value, expected);
    let holds = terms.implies(guard, is_seen);
    program.reads.push(Read { node, cell, guard, value, order: MemoryOrder::Plain });
    program.assumptions.push(holds);
}
