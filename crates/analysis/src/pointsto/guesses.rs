//! Numbers that are compared with addresses: a program that counts up to an address, or tests whether an input equals
//! it, knows the address without computing it. Pointers to different objects are equal only if one of them has left its
//! object, by an index that was found in this way.
//!
//! That a value holds no address is known only when all addresses have been propagated. So this runs after the
//! propagation, and both repeat until nothing is new. Not covered: a number that was not computed from an address, and
//! is loaded as a pointer without a cast.

use super::solve::{PointsToSolver, is_pointer};
use super::{PointsToSet, Taint};
use crate::callgraph::{ContextId, InstSite};
use tp_ir::{Body, CastOp, Op, Operand};

impl PointsToSolver<'_, '_> {
    /// Returns whether something is new.
    pub fn guess(&mut self) -> bool {
        let mut found = Vec::new();
        let mut is_guessed = self.is_guessed;
        for context in self.points_to.call_graph.contexts() {
            let function = self.points_to.call_graph.function(context);
            let Some(body) = &self.points_to.program.functions[function].body else { continue };
            if self.hides(context) {
                continue;
            }
            for (block, row) in &body.blocks {
                for (inst, row) in row.insts.iter().enumerate() {
                    let site = InstSite { context, block, inst };
                    if self.guesses.contains(&site) {
                        continue;
                    }
                    if let Some(leaks) = self.compares(context, body, &row.op) {
                        is_guessed = true;
                        found.push((site, leaks));
                    } else if self.is_address_of_nothing(context, &row.op)
                        && !self.points_to.leaked.is_empty()
                    {
                        found.push((site, PointsToSet::default()));
                    }
                }
            }
        }
        let is_new = !found.is_empty() || is_guessed != self.is_guessed;
        self.is_guessed = is_guessed;
        for (site, leaks) in found {
            self.guesses.insert(site);
            self.leak(&leaks);
        }
        if is_new {
            self.points_to.call_graph.contexts().for_each(|context| self.enqueue(context));
        }
        is_new
    }

    /// The addresses that a comparison reveals, because it is with a number or with a pointer to another object.
    fn compares(&mut self, context: ContextId, body: &Body, op: &Op) -> Option<PointsToSet> {
        let Op::Cmp { a, b, .. } = op else { return None };
        let (x, y) = (self.points_to.points(context, *a), self.points_to.points(context, *b));
        let tells = match (x.has_places(), y.has_places()) {
            (false, false) => false,
            (true, false) => self.is_number(context, body, *b) && !y.taint().has(Taint::NUMBER),
            (false, true) => self.is_number(context, body, *a) && !x.taint().has(Taint::NUMBER),
            (true, true) => is_apart(&x, &y),
        };
        tells.then(|| {
            let mut both = x;
            both.add_all(&y);
            both
        })
    }

    /// Whether a value that holds no address may be something other than null.
    fn is_number(&mut self, context: ContextId, body: &Body, operand: Operand) -> bool {
        let Some(reg) = operand.as_reg() else { return false };
        let function = self.points_to.call_graph.function(context);
        let Some(body_here) = &self.points_to.program.functions[function].body else { return false };
        let origins = self.origins(function, body_here);
        let is_made = matches!(
            origins.definition(reg),
            Some(Op::Cast { op: CastOp::IntToPtr, .. } | Op::PtrAdd { .. })
        );
        is_made || !is_pointer(body, reg)
    }

    /// Whether an instruction makes a pointer of a number that holds no known address.
    fn is_address_of_nothing(&self, context: ContextId, op: &Op) -> bool {
        let is_number = |operand: Operand| {
            operand.as_reg().is_some() && !self.points_to.points(context, operand).has_places()
        };
        match op {
            Op::Cast { op: CastOp::IntToPtr, a, .. } => is_number(*a),
            Op::PtrAdd { base, index, .. } => {
                !self.points_to.points(context, *base).has_places() && is_number(*index)
            }
            _ => false,
        }
    }
}

/// Whether two pointers have no object in common, and one of them has no exact offset: it may have left its object.
fn is_apart(x: &PointsToSet, y: &PointsToSet) -> bool {
    let has_none = x.iter().all(|(a, _)| y.iter().all(|(b, _)| a != b));
    has_none && x.iter().chain(y.iter()).any(|(_, offset)| offset.as_exact().is_none())
}
