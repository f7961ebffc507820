//! Turns local variables into registers and marks those whose address does not escape, without touching any access that
//! another thread could observe.
//!
//! What it does to each function, in this order:
//! - blocks that the entry does not reach are removed;
//! - a local that is only loaded and stored as a whole becomes registers (`ssa`): the reads of a racy program see the
//!   same values as before, because no address of such a local exists; one that is used after its scope has ended stays
//!   (`scope`), because that is an error to report;
//! - a local whose address stays in the function is marked `private` (`private`);
//! - unused registers are removed;
//! - a thread stops in a loop that does nothing and never ends (`endless`).
//!
//! Then the `Alloca` of a local whose address may outlive its scope moves to where the scope begins (`anew`), and the
//! variables that only the models can touch are marked (`internal`).
//!
//! **Invariant:** no access to memory is moved, merged, repeated or speculated: accesses are removed (of promoted locals)
//! or left as they are.
//!
//! The program must be valid, and stays so.

mod anew;
mod clean;
mod endless;
mod internal;
mod params;
mod private;
mod scope;
mod ssa;

use crate::Program;

pub fn promote(program: &mut Program) {
    let Program { functions, constants, data_model, .. } = program;
    for function in functions.values_mut() {
        if let Some(body) = &mut function.body {
            clean::remove_unreachable_blocks(body);
            while ssa::promote_locals(body, constants, *data_model) {}
            private::mark(body);
            clean::remove_unused_registers(body);
            endless::stop_in_loops(body, constants);
        }
    }
    anew::make_anew(program);
    internal::mark(program);
}
