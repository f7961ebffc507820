//! A diagnostic on a terminal: the message, each place with its line of source, and the notes.

use crate::diagnostic::{Diagnostic, Severity, ShownLabel, ShownThread, SourceSpot, StackFrame};
use crate::token::token_at;
use annotate_snippets::renderer::DecorStyle;
use annotate_snippets::{AnnotationKind, Element, Group, Level, Origin, Renderer, Snippet};

#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Style {
    Plain,
    Coloured,
}

/// Calls of a stack that are shown; a recursion can be thousands deep.
const CALLS_SHOWN: usize = 8;

/// The diagnostic as text, without a newline at its end. `source` gives the text of a file, if it can.
pub fn render(diagnostic: &Diagnostic, style: Style, source: &dyn Fn(&str) -> Option<String>) -> String {
    let level = match diagnostic.severity {
        Severity::Error => Level::ERROR,
        Severity::Warning => Level::WARNING,
    };
    let mut elements: Vec<Element<'_>> = Vec::new();
    for (i, label) in diagnostic.labels.iter().enumerate() {
        let kind = if i == 0 { AnnotationKind::Primary } else { AnnotationKind::Context };
        elements.extend(label_elements(label, kind, source));
    }
    let [facts, ways, next] = notes(diagnostic).map(|list| list.into_iter());
    elements.extend(facts.map(|n| Level::NOTE.message(n).into()));
    elements.extend(ways.map(|n| Level::HELP.message(n).into()));
    elements.extend(next.map(|n| Level::NOTE.message(n).into()));
    let title = level.primary_title(diagnostic.message.as_str()).id(diagnostic.id);
    let renderer = match style {
        Style::Plain => Renderer::plain(),
        Style::Coloured => Renderer::styled(),
    };
    renderer.decor_style(DecorStyle::Unicode).render(&[Group::with_title(title).elements(elements)])
}

fn label_elements<'a>(
    label: &'a ShownLabel,
    kind: AnnotationKind,
    source: &dyn Fn(&str) -> Option<String>,
) -> Vec<Element<'a>> {
    let Some(spot) = &label.spot else {
        return vec![Level::NOTE.message(label.text.as_str()).into()];
    };
    let line = source(&spot.file).and_then(|text| line_of(&text, spot));
    match line.as_deref().and_then(|l| token_at(l, spot.column)).zip(line.clone()) {
        Some((token, line)) => {
            let annotation = kind.span(token).label(label.text.as_str());
            let snippet = Snippet::source(line).line_start(spot.line as usize).path(spot.file.as_str());
            vec![snippet.annotation(annotation).into()]
        }
        None => {
            let origin = Origin::path(spot.file.as_str()).line(spot.line as usize);
            let origin = if spot.column > 0 { origin.char_column(spot.column as usize) } else { origin };
            vec![origin.into(), Level::NOTE.message(label.text.as_str()).into()]
        }
    }
}

fn line_of(text: &str, spot: &SourceSpot) -> Option<String> {
    text.lines().nth((spot.line as usize).checked_sub(1)?).map(str::to_owned)
}

/// Three lists: the notes, with how each place was reached (the calls, and where its thread was started); how to fix
/// it; the CWE number and the hints.
fn notes(diagnostic: &Diagnostic) -> [Vec<String>; 3] {
    let mut notes = diagnostic.notes.clone();
    let threads: Vec<&ShownThread> = diagnostic.labels.iter().filter_map(|l| l.thread.as_ref()).collect();
    notes.extend(threads.iter().filter_map(|t| calls(t)));
    for thread in threads {
        if let Some(spot) = thread.started.iter().find_map(|f| f.spot.as_ref()) {
            notes.push(format!("thread `{}` was started at {spot}", thread.name));
        }
    }
    let mut seen = Vec::new();
    notes.retain(|n| {
        !seen.contains(n) && {
            seen.push(n.clone());
            true
        }
    });
    let number = diagnostic.cwe.map(|cwe| format!("CWE-{cwe}"));
    [notes, diagnostic.help.clone(), number.into_iter().chain(diagnostic.hints.iter().cloned()).collect()]
}

/// "in `f`, called from `g` at x.c:3:4, from `main` at x.c:9:2"; nothing for a call stack of one.
fn calls(thread: &ShownThread) -> Option<String> {
    let (innermost, outer) = thread.stack.split_first()?;
    if outer.is_empty() {
        return None;
    }
    let mut text = format!("thread `{}` in `{}`, called from ", thread.name, innermost.function);
    let repeated: Vec<&[StackFrame]> = outer.chunk_by(|a, b| a == b).collect();
    let shown = repeated.iter().take(CALLS_SHOWN).map(|frames| repeated_frame(frames));
    text += &shown.collect::<Vec<_>>().join(", from ");
    let more: usize = repeated.iter().skip(CALLS_SHOWN).map(|frames| frames.len()).sum();
    if more > 0 {
        text += &format!(", and {more} more calls");
    }
    Some(text)
}

/// A recursion is many frames that look the same.
fn repeated_frame(frames: &[StackFrame]) -> String {
    let Some(frame) = frames.first() else { return String::new() };
    let at = frame.spot.as_ref().map_or(String::new(), |spot| format!(" at {spot}"));
    let times = if frames.len() > 1 { format!(" ({} times)", frames.len()) } else { String::new() };
    format!("`{}`{at}{times}", frame.function)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn frame(function: &str, line: u32) -> StackFrame {
        let spot = Some(SourceSpot { file: "bank.c".to_owned(), line, column: 5 });
        StackFrame { function: function.to_owned(), spot }
    }

    fn label(
        text: &str,
        thread: &str,
        number: u32,
        stack: Vec<StackFrame>,
        started: Vec<StackFrame>,
    ) -> ShownLabel {
        ShownLabel {
            text: text.to_owned(),
            spot: stack.first().and_then(|f| f.spot.clone()),
            function: stack.first().map(|f| f.function.clone()),
            thread: Some(ShownThread { name: thread.to_owned(), number, locks: Vec::new(), stack, started }),
        }
    }

    fn race() -> Diagnostic {
        Diagnostic {
            severity: Severity::Error,
            id: "race",
            property: Some("race"),
            cwe: Some(362),
            message: "two threads access `balance` at the same time, one of them writes".to_owned(),
            labels: vec![
                label(
                    "(2) write by thread `withdraw#2`, holding no lock",
                    "withdraw#2",
                    2,
                    vec![frame("take", 2), frame("withdraw", 6)],
                    vec![frame("main", 8)],
                ),
                label(
                    "(1) write by thread `deposit#1`, holding `m`",
                    "deposit#1",
                    1,
                    vec![frame("deposit", 4)],
                    vec![frame("main", 7)],
                ),
            ],
            notes: vec!["nothing orders them".to_owned()],
            help: vec!["hold `m` at (2) as well".to_owned()],
            hints: vec!["replay with: threadproof replay bank.witness".to_owned()],
            missing: Vec::new(),
        }
    }

    const SOURCE: &str = "
    balance = balance - amount;

    balance = balance + amount;

    take(5);
";

    fn check(source: Option<&str>, expect: &str) {
        let text = render(&race(), Style::Plain, &|_| source.map(str::to_owned));
        assert_eq!(text, expect.trim_matches('\n'), "\n{text}\n");
    }

    #[test]
    fn with_the_source() {
        check(
            Some(SOURCE),
            "
error[race]: two threads access `balance` at the same time, one of them writes
  ╭▸ bank.c:2:5
  │
2 │     balance = balance - amount;
  │     ━━━━━━━ (2) write by thread `withdraw#2`, holding no lock
  │
  ⸬  bank.c:4:5
  │
4 │     balance = balance + amount;
  │     ─────── (1) write by thread `deposit#1`, holding `m`
  │
  ├ note: nothing orders them
  ├ note: thread `withdraw#2` in `take`, called from `withdraw` at bank.c:6:5
  ├ note: thread `withdraw#2` was started at bank.c:8:5
  ├ note: thread `deposit#1` was started at bank.c:7:5
  ├ help: hold `m` at (2) as well
  ├ note: CWE-362
  ╰ note: replay with: threadproof replay bank.witness
",
        );
    }

    #[test]
    fn without_the_source() {
        check(
            None,
            "
error[race]: two threads access `balance` at the same time, one of them writes
 ╭▸ bank.c:2:5
 ├ note: (2) write by thread `withdraw#2`, holding no lock
 ⸬  bank.c:4:5
 ├ note: (1) write by thread `deposit#1`, holding `m`
 ├ note: nothing orders them
 ├ note: thread `withdraw#2` in `take`, called from `withdraw` at bank.c:6:5
 ├ note: thread `withdraw#2` was started at bank.c:8:5
 ├ note: thread `deposit#1` was started at bank.c:7:5
 ├ help: hold `m` at (2) as well
 ├ note: CWE-362
 ╰ note: replay with: threadproof replay bank.witness
",
        );
    }
}
