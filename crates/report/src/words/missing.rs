//! Functions without body and model: all of them at once, so that one look is enough, and how to go on.

use crate::verdict::count;
use tp_ir::{MissingFunction, Program};

/// The other functions that the program uses, a line for each.
pub fn further_missing(program: &Program, others: &[&MissingFunction]) -> Option<String> {
    let line = |missing: &&MissingFunction| {
        let name = &program.functions[missing.function].name;
        let at = program.line_text(missing.first).map_or(String::new(), |at| format!(", first at {at}"));
        let uses = count(missing.uses as u64, "use");
        format!("\n`{name}`: {uses}{}", if missing.uses == 1 { at.replacen("first ", "", 1) } else { at })
    };
    let lines: String = others.iter().map(line).collect();
    let (functions, have) = match others.len() {
        0 => return None,
        1 => ("one further function".to_owned(), "has"),
        n => (format!("{n} further functions"), "have"),
    };
    Some(format!("{functions} that the program uses {have} neither:{lines}"))
}

/// `of_program`: the function that was reached is one that the program uses, not a case that a model does not have.
pub fn ways_past_missing(of_program: bool, others: usize) -> Vec<String> {
    let several = others > 0;
    let (what, them) = if several { ("they do", "them") } else { ("it does", "it") };
    let mut ways = vec![format!("write what {what} in C and add it with `--models FILE.c`")];
    if of_program || several {
        ways[0] += "; `--write-models FILE.c` writes a file to begin with";
    }
    let each = if several { "each of them returns" } else { "it returns" };
    ways.push(format!("`--unmodelled pure` goes on without {them}: {each} any value and changes nothing"));
    ways
}
