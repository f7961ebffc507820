//! The bounds within which a verdict holds.

use super::{SHOWN, more, shown};
use crate::diagnostic::SourceSpot;
use crate::verdict::count;
use serde::Serialize;

/// How far loops, recursions and context switches were followed.
#[derive(Clone, PartialEq, Eq, Debug, Default, Serialize)]
pub struct Bounds {
    /// The last unwinding bound that was checked completely; `None`: not even 1.
    pub unwind: Option<u32>,
    /// The bound on context switches, if there is one.
    #[serde(skip_serializing_if = "Option::is_none")]
    pub contexts: Option<u32>,
    /// Loops and recursions that go further.
    pub loops: Vec<SourceSpot>,
    /// Functions that were not entered within the bound.
    #[serde(skip_serializing_if = "Vec::is_empty")]
    pub not_reached: Vec<String>,
    /// Why the bound was not raised further.
    pub ended_by: Option<String>,
}

impl Bounds {
    pub(super) fn lines(&self) -> Vec<String> {
        let mut lines = Vec::new();
        if let (Some(unwind), false) = (self.unwind, self.loops.is_empty()) {
            let (shown, more) = (shown(&self.loops), more(self.loops.len()));
            lines.push(format!("may need more than {}: {shown}{more}", count(unwind.into(), "iteration")));
        }
        if let Some(contexts) = self.contexts {
            let switches = count(contexts.into(), "context switch");
            lines.push(format!("not followed: executions with more than {switches}"));
        }
        if !self.not_reached.is_empty() {
            let shown = self.not_reached.iter().take(SHOWN).map(|name| format!("`{name}`"));
            let more = more(self.not_reached.len());
            lines.push(format!("not reached: {}{more}", shown.collect::<Vec<_>>().join(", ")));
        }
        if let Some(why) = &self.ended_by {
            lines.push(format!("ended by: {why}"));
        }
        lines
    }
}
