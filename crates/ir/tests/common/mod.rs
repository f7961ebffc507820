//! What tests of textual IR share.

/// Removes the indentation of the Rust source.
pub fn dedent(text: &str) -> String {
    let text = text.trim();
    let closing = text.lines().last().unwrap_or("");
    let indent = closing.len() - closing.trim_start().len();
    let lines = text
        .lines()
        .enumerate()
        .map(|(i, line)| if i == 0 { line } else { line.get(indent..).unwrap_or("") });
    lines.collect::<Vec<_>>().join("\n")
}
