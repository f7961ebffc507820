//! What a run found, as people and programs read it.
//!
//! | module | what is in it |
//! |---|---|
//! | `diagnostic` | a finding, or why a run could not go on, with its places resolved; what `--json` shows |
//! | `words` | the sentences for a finding, how to fix it, and its CWE number |
//! | `terminal` | a diagnostic with source snippets |
//! | `token` | the part of a source line that a caret points at |
//! | `ledger` | what a verdict rests on |
//! | `lanes` | the steps of a run, a column for each thread |
//! | `verdict` | the last line |
//! | `witness` | the file that a run is replayed from |
//!
//! The crate reads no files: source text comes in through a closure, and everything comes out as text or data.

mod diagnostic;
mod lanes;
mod ledger;
mod terminal;
mod token;
mod verdict;
mod witness;
mod words;

pub use diagnostic::{
    Diagnostic, Severity, ShownLabel, ShownMissing, ShownThread, SourceSpot, StackFrame, spot,
};
pub use lanes::{EventRow, event_rows, lanes};
pub use ledger::{Already, Bounds, CertificateFile, Ledger, LedgerFile};
pub use terminal::{Style, render};
pub use verdict::{Verdict, count};
pub use witness::{
    ProgramKey, RecordedAddress, RecordedFile, RecordedInput, RecordedMemory, SourceFile, Witness,
    WitnessError, WitnessOptions, WitnessSummary, content_hash,
};
pub use words::{Assumption, end_reason, not_replayed, sentence, unsupported};
