//! Inline assembly: compiler barriers, spin-wait hints and fences are understood; everything else reports itself.

use super::FunctionImport;
use super::values::Leaf;
use crate::llvm::Value;
use crate::types::{Lowered, leaf_types, unsupported};
use tp_ir::{MemoryOrder, Op};

/// What a template does.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
enum Meaning {
    /// Only keeps the compiler from moving things.
    Barrier,
    Pause,
    Fence(MemoryOrder),
}

fn meaning(template: &str) -> Option<Meaning> {
    let words: Vec<String> = template
        .split(|c: char| c.is_whitespace() || c == ';')
        .filter(|word| !word.is_empty())
        .map(str::to_lowercase)
        .collect();
    let words: Vec<&str> = words.iter().map(String::as_str).collect();
    Some(match words[..] {
        [] | ["nop"] => Meaning::Barrier,
        ["pause"] | ["rep", "nop"] => Meaning::Pause,
        ["mfence"] => Meaning::Fence(MemoryOrder::SeqCst),
        ["lfence"] => Meaning::Fence(MemoryOrder::Acquire),
        ["sfence"] => Meaning::Fence(MemoryOrder::Release),
        // The old way to write a full fence: a locked addition of 0 to the top of the stack.
        ["lock", add, zero] if add.starts_with("add") && is_zero_to_stack(zero) => {
            Meaning::Fence(MemoryOrder::SeqCst)
        }
        _ => return None,
    })
}

fn is_zero_to_stack(operands: &str) -> bool {
    let Some((zero, address)) = operands.split_once(',') else { return false };
    let is_zero = matches!(zero.trim_start_matches('$'), "0" | "0x0");
    is_zero && (address.ends_with("(%esp)") || address.ends_with("(%rsp)"))
}

impl<'a> FunctionImport<'_, 'a> {
    pub fn assembly(&mut self, call: Value<'a>, callee: Value<'a>) -> Lowered<Option<Vec<Leaf>>> {
        let (template, constraints) = callee.inline_asm();
        match meaning(&template) {
            Some(Meaning::Barrier) => {}
            Some(Meaning::Pause) => self.effect(Op::Yield),
            Some(Meaning::Fence(order)) => self.effect(Op::Fence { order }),
            None => return unsupported(format!("the inline assembly `{}`", template.trim())),
        }
        let results = leaf_types(call.ty())?;
        if results.is_empty() {
            return Ok(None);
        }
        self.tied_outputs(call, &constraints).map(Some)
    }

    /// The outputs of an empty template: each is the input that is tied to it.
    fn tied_outputs(&mut self, call: Value<'a>, constraints: &str) -> Lowered<Vec<Leaf>> {
        let types = leaf_types(call.ty())?;
        let mut leaves: Vec<Leaf> = types.iter().map(|&ty| Leaf::Undefined(ty)).collect();
        for (argument, output) in tied(constraints) {
            if let Some(argument) = call.arguments().get(argument).copied()
                && let [leaf] = self.leaves(argument)?[..]
                && let Some(slot) = leaves.get_mut(output)
            {
                *slot = leaf;
            }
        }
        Ok(leaves)
    }
}

/// The arguments that are tied to results, each with the index of its result. An output in memory (`=*m`) is an argument
/// and no result, but counts where a constraint names an output by its number.
fn tied(constraints: &str) -> Vec<(usize, usize)> {
    let (mut outputs, mut results, mut arguments) = (Vec::new(), 0, 0);
    let mut pairs = Vec::new();
    for constraint in constraints.split(',').filter(|c| !c.starts_with('~')) {
        match constraint.strip_prefix('=') {
            Some(place) if place.contains('*') => {
                outputs.push(None);
                arguments += 1;
            }
            Some(_) => {
                outputs.push(Some(results));
                results += 1;
            }
            None => {
                let output =
                    constraint.parse::<usize>().ok().and_then(|nth| outputs.get(nth).copied().flatten());
                pairs.extend(output.map(|output| (arguments, output)));
                arguments += 1;
            }
        }
    }
    pairs
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn templates() {
        let check =
            |template: &str, expect: Option<Meaning>| assert_eq!(meaning(template), expect, "{template}");
        check("", Some(Meaning::Barrier));
        check("\n\t", Some(Meaning::Barrier));
        check("pause\n", Some(Meaning::Pause));
        check("rep; nop", Some(Meaning::Pause));
        check("mfence", Some(Meaning::Fence(MemoryOrder::SeqCst)));
        check("lock; addl $$0,0(%esp)", Some(Meaning::Fence(MemoryOrder::SeqCst)));
        check("lock; addl $$1,$0", None);
        check("rdtsc", None);
    }

    #[test]
    fn tied_operands() {
        let check = |constraints: &str, expect: &[(usize, usize)]| {
            assert_eq!(tied(constraints), expect, "{constraints}");
        };
        check("=r,0,~{memory},~{dirflag}", &[(0, 0)]);
        check("=r,=r,0,1,~{memory}", &[(0, 0), (1, 1)]);
        // An output in memory is an argument and no result.
        check("=*m,=r,1", &[(1, 0)]);
        check("=*m,=r,*m,1", &[(2, 0)]);
        check("=r,r", &[]);
    }
}
