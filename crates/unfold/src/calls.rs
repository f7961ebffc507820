//! Calls. Those of functions that only write text are skipped where that makes no difference.

use crate::exec::Regs;
use crate::formats::Reads;
use crate::pass::{Alive, Pass};
use crate::state::State;
use crate::*;
use tp_ir::{Call, Callee, EntityRef, FuncId, ModelEffect, Type, Width};

impl Pass<'_> {
    pub fn execute_call(&mut self, mut state: State, regs: &mut Regs, call: &Call) -> Alive<State> {
        let arguments: Vec<Term> = call.args.iter().map(|a| self.operand(regs, *a)).collect();
        let functions = match &call.callee {
            Callee::Direct(function) => vec![(self.out_true(), *function)],
            Callee::Indirect(pointer) => {
                let p = self.operand(regs, *pointer);
                match self.functions_at(&mut state, p) {
                    Some(functions) => functions,
                    None => return Ok(None),
                }
            }
        };
        let mut merged: Option<(State, Vec<Term>)> = None;
        for (condition, function) in functions {
            let mut state = state.clone();
            if !state.guard.add(&mut self.out.terms, condition) {
                continue;
            }
            let place = self.thread.place;
            let returned = if let Some(reads) = self.left_out(&state, function, &arguments) {
                self.touch_output(&state, &arguments, true);
                if self.claim_reads(&mut state, &reads)?.is_none() {
                    continue;
                }
                let results = self.output_results(&state, function, !call.results.is_empty());
                Some((state, results))
            } else if self.program.functions[function].is_output() {
                let has_format = self.has_format(function);
                self.touch_output(&state, &arguments, has_format);
                self.thread.outputs += 1;
                let returned = self.call(state, function, &arguments)?;
                self.thread.outputs -= 1;
                returned
            } else {
                self.call(state, function, &arguments)?
            };
            self.thread.place = place;
            let Some((state, mut results)) = returned else { continue };
            let missing = self.out.terms.bool(false);
            results.resize(results.len().max(call.results.len()), missing);
            merged = Some(match merged {
                None => (state, results),
                Some((other, others)) if Self::can_merge(&other, &state) => {
                    let (state, first) = self.merge(other, state);
                    let both = others.into_iter().zip(results);
                    let pick = |(x, y)| if x == y { x } else { self.out.terms.ite(first, x, y) };
                    (state, both.map(pick).collect())
                }
                Some(kept) => {
                    self.limit(&state, LimitKind::Gap(Gap::SectionOnSomePaths));
                    kept
                }
            });
        }
        let Some((state, results)) = merged else { return Ok(None) };
        for (&r, value) in call.results.iter().zip(results) {
            regs[r.index()] = Some(value);
        }
        Ok(Some(state))
    }

    /// `Some`: the call only writes text and is skipped, but these reads of it are checked. `None`: it is executed.
    fn left_out(&mut self, state: &State, function: FuncId, arguments: &[Term]) -> Option<Reads> {
        if !self.has_format(function) {
            return None;
        }
        let has_stream = self.program.functions[function].params.first() == Some(&Type::Ptr);
        self.reads_of_numbers(state, arguments, has_stream)
    }

    fn has_format(&self, function: FuncId) -> bool {
        let function = &self.program.functions[function];
        function.is_output() && function.does(ModelEffect::Format(1))
    }

    /// The results of a skipped call: any values.
    fn output_results(&mut self, state: &State, function: FuncId, are_used: bool) -> Vec<Term> {
        if are_used {
            let (guard, gap) = (state.guard.term(), Gap::OutputResult);
            self.out.guesses.push(Guess { guard, gap, place: self.thread.place });
        }
        let results = &self.program.functions[function].results;
        let widths: Vec<Width> = results.iter().map(|t| t.width(self.program.data_model)).collect();
        widths.into_iter().map(|w| self.out.terms.variable(w)).collect()
    }
}
