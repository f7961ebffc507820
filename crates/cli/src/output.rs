//! Writing to the outside. A reader that goes away (`threadproof … | head`) ends the command quietly.

use std::io::{self, IsTerminal, Write};
use tp_report::Style;

pub struct Out {
    to: Box<dyn Write>,
    /// The text so far does not end in the middle of a line.
    at_line_start: bool,
}

impl Out {
    pub fn stdout() -> Out {
        Out { to: Box::new(io::stdout().lock()), at_line_start: true }
    }

    pub fn stderr() -> Out {
        Out { to: Box::new(io::stderr().lock()), at_line_start: true }
    }

    pub fn bytes(&mut self, bytes: &[u8]) {
        if let Some(&last) = bytes.last() {
            self.at_line_start = last == b'\n';
            give_up_on_error(self.to.write_all(bytes));
        }
    }

    pub fn text(&mut self, text: &str) {
        self.bytes(text.as_bytes());
    }

    /// A line of its own, also after output that does not end in a newline.
    pub fn line(&mut self, text: &str) {
        self.end_line();
        self.text(text);
        self.text("\n");
    }

    pub fn end_line(&mut self) {
        if !self.at_line_start {
            self.text("\n");
        }
    }

    pub fn document(&mut self, document: &impl serde::Serialize) {
        match serde_json::to_string_pretty(document) {
            Ok(text) => self.line(&text),
            Err(error) => eprintln!("error: internal error: {error}"),
        }
    }

    pub fn flush(&mut self) {
        give_up_on_error(self.to.flush());
    }
}

impl Drop for Out {
    fn drop(&mut self) {
        self.flush();
    }
}

/// After a write error there is nobody left to tell.
fn give_up_on_error(result: io::Result<()>) {
    if let Err(error) = result {
        if error.kind() != io::ErrorKind::BrokenPipe {
            // Standard error may be gone as well.
            let _ = writeln!(io::stderr(), "error: cannot write: {error}");
        }
        std::process::exit(crate::exit::Exit::Usage as i32);
    }
}

/// Colours on a terminal, unless the user does not want them (no-color.org).
pub fn style() -> Style {
    let wanted = std::env::var_os("NO_COLOR").is_none_or(|v| v.is_empty());
    if wanted && io::stdout().is_terminal() { Style::Coloured } else { Style::Plain }
}
