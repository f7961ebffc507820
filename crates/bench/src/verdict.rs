//! What a verifier said: `check` in its JSON document, others in their lines.

use crate::process::{LimitReached, ProcessEnd};
use serde_json::Value;
use std::fmt;
use std::str::FromStr;
use tp_ir::Property;

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ScoredVerdict {
    True,
    /// With the violated part of the property, if the tool says so.
    False(Option<String>),
    /// No violation within the bounds of the search.
    WithinBounds,
    Unknown,
    /// A crash, an internal error, a program that is not understood: no verdict at all.
    Broken,
}

impl fmt::Display for ScoredVerdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            ScoredVerdict::True => f.write_str("true"),
            ScoredVerdict::False(None) => f.write_str("false"),
            ScoredVerdict::False(Some(part)) => write!(f, "false({part})"),
            ScoredVerdict::WithinBounds => f.write_str("within bounds"),
            ScoredVerdict::Unknown => f.write_str("unknown"),
            ScoredVerdict::Broken => f.write_str("broken"),
        }
    }
}

impl FromStr for ScoredVerdict {
    type Err = ();

    fn from_str(text: &str) -> Result<ScoredVerdict, ()> {
        match text {
            "true" => Ok(ScoredVerdict::True),
            "within bounds" => Ok(ScoredVerdict::WithinBounds),
            "unknown" => Ok(ScoredVerdict::Unknown),
            "broken" => Ok(ScoredVerdict::Broken),
            _ => {
                let rest = text.strip_prefix("false").ok_or(())?;
                Ok(ScoredVerdict::False(in_parentheses(rest)))
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ToolAnswer {
    pub verdict: ScoredVerdict,
    /// What is violated, or why there is no answer; may be empty.
    pub reason: String,
}

impl ToolAnswer {
    pub fn new(verdict: ScoredVerdict, reason: impl Into<String>) -> ToolAnswer {
        ToolAnswer { verdict, reason: reason.into() }
    }
}

/// What `check --json` said. It observes its limits, so a process that had to be killed is broken.
pub fn of_check(ended: &ProcessEnd) -> ToolAnswer {
    match ended.reached {
        Some(LimitReached::Time) => {
            return ToolAnswer::new(ScoredVerdict::Broken, "killed: did not end in time");
        }
        Some(LimitReached::Memory) => {
            return ToolAnswer::new(ScoredVerdict::Broken, "killed: took too much memory");
        }
        Some(LimitReached::Unwanted) | None => {}
    }
    if let Some(signal) = ended.signal() {
        return ToolAnswer::new(
            ScoredVerdict::Broken,
            because(format!("crashed: {signal}"), &ended.complaint()),
        );
    }
    let document: Value = serde_json::from_slice(&ended.stdout).unwrap_or_default();
    let text = |key: &str| document.get(key).and_then(Value::as_str).unwrap_or("");
    let reason = text("reason").to_owned();
    match text("verdict") {
        "safe" => ToolAnswer::new(ScoredVerdict::True, reason),
        "violated" => ToolAnswer::new(ScoredVerdict::False(part_of_memory_safety(&reason)), reason),
        "safe within bounds" => ToolAnswer::new(ScoredVerdict::WithinBounds, reason),
        "unknown" => ToolAnswer::new(ScoredVerdict::Unknown, reason),
        "possible" => ToolAnswer::new(ScoredVerdict::Unknown, format!("possible: {reason}")),
        _ if text("error").is_empty() => {
            ToolAnswer::new(ScoredVerdict::Broken, because(ended.status.to_string(), &ended.complaint()))
        }
        _ => ToolAnswer::new(ScoredVerdict::Broken, text("error")),
    }
}

/// What happened, and why if that is known.
pub fn because(what: String, why: &str) -> String {
    if why.is_empty() { what } else { format!("{what}: {why}") }
}

/// Which part of SV-COMP's `valid-memsafety` a violation with this title is.
fn part_of_memory_safety(title: &str) -> Option<String> {
    let property = Property::ALL.into_iter().find(|p| p.title() == title)?;
    let part = match property {
        Property::InvalidDeref | Property::OutOfBounds | Property::UseAfterFree => "valid-deref",
        Property::DoubleFree | Property::InvalidFree => "valid-free",
        Property::Leak => "valid-memtrack",
        Property::Cleanup => "valid-memcleanup",
        _ => return None,
    };
    Some(part.to_owned())
}

/// Texts that mean a verdict, besides the usual ones.
#[derive(Clone, Default, Debug)]
pub struct Texts {
    pub is_true: Option<String>,
    pub is_false: Option<String>,
}

/// What another verifier said: the last line of its output that is a verdict. A verdict before a crash does not count:
/// the process that was to confirm or revoke it is gone.
pub fn of_other(ended: &ProcessEnd, texts: &Texts) -> ToolAnswer {
    match ended.reached {
        Some(LimitReached::Time) => return ToolAnswer::new(ScoredVerdict::Unknown, "timeout"),
        Some(LimitReached::Memory) => return ToolAnswer::new(ScoredVerdict::Unknown, "out of memory"),
        Some(LimitReached::Unwanted) | None => {}
    }
    let output = [&ended.stderr, &ended.stdout].map(|bytes| String::from_utf8_lossy(bytes));
    let lines: Vec<&str> = output.iter().flat_map(|text| text.lines()).collect();
    match (lines.iter().rev().find_map(|line| in_line(line, texts)), ended.signal()) {
        (Some(verdict), Some(signal)) => {
            ToolAnswer::new(ScoredVerdict::Unknown, format!("crashed: {signal}, after it said {verdict}"))
        }
        (None, Some(signal)) => {
            ToolAnswer::new(ScoredVerdict::Broken, because(format!("crashed: {signal}"), &ended.complaint()))
        }
        (Some(ScoredVerdict::False(_)), None) if is_only_unwinding(&lines) => {
            ToolAnswer::new(ScoredVerdict::Unknown, "a loop goes on beyond its bound")
        }
        (Some(verdict), None) => ToolAnswer::new(verdict, ""),
        (None, None) => {
            let what = format!("no verdict ({})", ended.status);
            ToolAnswer::new(ScoredVerdict::Unknown, because(what, &ended.complaint()))
        }
    }
}

/// What precedes the word in lines with a verdict.
const BEFORE: [&str; 6] = [
    // Threadproof.
    "verdict: ",
    // CPAchecker and others of SV-COMP.
    "Verification result: ",
    "SV-COMP result: ",
    "Result: ",
    // CBMC, ESBMC and what is built on them.
    "VERIFICATION ",
    // The word alone, as SV-COMP's wrappers print it.
    "",
];

/// The verdict in a line.
fn in_line(line: &str, texts: &Texts) -> Option<ScoredVerdict> {
    let has = |text: &Option<String>| text.as_ref().is_some_and(|text| line.contains(text));
    if has(&texts.is_true) {
        return Some(ScoredVerdict::True);
    }
    if has(&texts.is_false) {
        return Some(ScoredVerdict::False(None));
    }
    let line = line.trim();
    BEFORE.iter().find_map(|before| {
        let rest = line.strip_prefix(before)?;
        let end = rest.find(|c: char| !c.is_ascii_alphabetic()).unwrap_or(rest.len());
        let (word, rest) = rest.split_at(end);
        // Without a prefix the word must be the whole line: `FALSE alarm` in a log is no verdict.
        if before.is_empty() && !rest.is_empty() && in_parentheses(rest).is_none() {
            return None;
        }
        match word.to_ascii_lowercase().as_str() {
            "safe" if rest.trim_start().starts_with("within bounds") => Some(ScoredVerdict::WithinBounds),
            "true" | "safe" | "successful" => Some(ScoredVerdict::True),
            "false" | "violated" | "unsafe" | "failed" => Some(ScoredVerdict::False(in_parentheses(rest))),
            "unknown" | "inconclusive" => Some(ScoredVerdict::Unknown),
            _ => None,
        }
    })
}

/// `valid-deref` of `(valid-deref)` and what follows.
fn in_parentheses(text: &str) -> Option<String> {
    let (part, _) = text.strip_prefix('(')?.split_once(')')?;
    Some(part.to_owned())
}

/// Bounded checkers also report a loop that exceeds its bound as a failure. That is no violation, unless another check
/// fails too.
fn is_only_unwinding(lines: &[&str]) -> bool {
    let mut failures = lines.iter().filter(|line| line.trim_end().ends_with(": FAILURE")).peekable();
    if failures.peek().is_some() {
        return failures.all(|line| line.contains("unwinding assertion"));
    }
    // ESBMC names the violated property a few lines below this one.
    let violated = lines.iter().rposition(|line| line.trim() == "Violated property:");
    violated
        .is_some_and(|i| lines[i..].iter().take(4).any(|line| line.trim().starts_with("unwinding assertion")))
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::process::ExitStatusExt;
    use std::process::ExitStatus;

    fn ended(stdout: &str, stderr: &str, status: i32, reached: Option<LimitReached>) -> ProcessEnd {
        let (stdout, stderr) = (stdout.as_bytes().to_vec(), stderr.as_bytes().to_vec());
        ProcessEnd {
            status: ExitStatus::from_raw(status),
            reached,
            wall: 0.0,
            cpu: 0.0,
            memory: 0,
            stdout,
            stderr,
        }
    }

    #[test]
    fn answers_of_check() {
        let check = |stdout: &str, expect: (&str, &str)| {
            let answer = of_check(&ended(stdout, "error: it\nmore", 6 << 8, None));
            assert_eq!((answer.verdict.to_string().as_str(), answer.reason.as_str()), expect);
            assert_eq!(answer.verdict.to_string().parse(), Ok(answer.verdict));
        };
        check(r#"{"verdict": "safe", "reason": null}"#, ("true", ""));
        check(r#"{"verdict": "violated", "reason": "data race"}"#, ("false", "data race"));
        check(r#"{"verdict": "violated", "reason": "double free"}"#, ("false(valid-free)", "double free"));
        check(r#"{"verdict": "safe within bounds", "reason": "unwind 4"}"#, ("within bounds", "unwind 4"));
        check(r#"{"verdict": "unknown", "reason": "timeout"}"#, ("unknown", "timeout"));
        check(r#"{"error": "it does not replay"}"#, ("broken", "it does not replay"));
        check("", ("broken", "exit status: 6: error: it"));
        let killed = of_check(&ended(r#"{"verdict": "safe"}"#, "", 9, Some(LimitReached::Time)));
        assert_eq!(killed, ToolAnswer::new(ScoredVerdict::Broken, "killed: did not end in time"));
        let crashed = of_check(&ended(r#"{"verdict": "safe"}"#, "", 11, None));
        assert_eq!(crashed, ToolAnswer::new(ScoredVerdict::Broken, "crashed: SIGSEGV"));
    }

    fn other(stdout: &str) -> ToolAnswer {
        of_other(&ended(stdout, "", 0, None), &Texts::default())
    }

    #[test]
    fn verdicts_of_others() {
        let check = |line: &str, expect: &str| {
            assert_eq!(other(line).verdict.to_string(), expect, "{line}");
        };
        check("verdict: safe", "true");
        check("verdict: safe within bounds (unwind 4)", "within bounds");
        check("verdict: violated (data race)", "false");
        check("Verification result: TRUE. No property violation found by chosen configuration.", "true");
        check("Verification result: FALSE. Property violation found.", "false");
        check("Verification result: UNKNOWN, incomplete analysis.", "unknown");
        check("SV-COMP result: true", "true");
        check("VERIFICATION SUCCESSFUL\n", "true");
        check("VERIFICATION FAILED\n", "false");
        check("VERIFICATION UNKNOWN\n", "unknown");
        check("TRUE", "true");
        check("FALSE(valid-deref)", "false(valid-deref)");
        check("TRUE\nverdict: unknown", "unknown");
        check("FALSE alarm", "unknown");
        check("nothing of the kind", "unknown");
    }

    #[test]
    fn a_loop_that_goes_on_is_no_violation() {
        let unwinding = "[main.unwind.0] line 7 unwinding assertion loop 0: FAILURE\n";
        let real = "[main.assertion.1] line 9 assertion x: FAILURE\n";
        assert_eq!(other(&format!("{unwinding}VERIFICATION FAILED")).verdict, ScoredVerdict::Unknown);
        assert_eq!(
            other(&format!("{unwinding}{real}VERIFICATION FAILED")).verdict,
            ScoredVerdict::False(None)
        );
        let esbmc =
            |what: &str| format!("Violated property:\n  file p.c line 7\n  {what}\n\nVERIFICATION FAILED");
        assert_eq!(other(&esbmc("unwinding assertion loop 1")).verdict, ScoredVerdict::Unknown);
        assert_eq!(other(&esbmc("assertion x == 1")).verdict, ScoredVerdict::False(None));
    }

    #[test]
    fn texts_that_the_user_gives_come_first() {
        let texts = Texts { is_true: Some("all good".to_owned()), is_false: Some("TRUE BUG".to_owned()) };
        let answer = |line: &str| of_other(&ended(line, "", 0, None), &texts).verdict;
        assert_eq!(answer("it is all good"), ScoredVerdict::True);
        assert_eq!(answer("verdict: TRUE BUG"), ScoredVerdict::False(None));
    }

    #[test]
    fn others_that_do_not_answer() {
        let answer = |status, reached| of_other(&ended("", "oh\nno", status, reached), &Texts::default());
        assert_eq!(answer(9, Some(LimitReached::Time)), ToolAnswer::new(ScoredVerdict::Unknown, "timeout"));
        assert_eq!(
            answer(9, Some(LimitReached::Memory)),
            ToolAnswer::new(ScoredVerdict::Unknown, "out of memory")
        );
        assert_eq!(
            answer(3 << 8, None),
            ToolAnswer::new(ScoredVerdict::Unknown, "no verdict (exit status: 3): oh")
        );
        assert_eq!(answer(11, None), ToolAnswer::new(ScoredVerdict::Broken, "crashed: SIGSEGV: oh"));
    }

    #[test]
    fn what_is_said_before_a_crash_does_not_count() {
        let answer = |status| of_other(&ended("FALSE(valid-deref)", "", status, None), &Texts::default());
        assert_eq!(
            answer(11),
            ToolAnswer::new(ScoredVerdict::Unknown, "crashed: SIGSEGV, after it said false(valid-deref)")
        );
        assert_eq!(answer(40).reason, "crashed: signal 40, after it said false(valid-deref)");
        assert_eq!(answer(11 << 8).verdict.to_string(), "false(valid-deref)");
    }

    #[test]
    fn a_reason_that_is_not_known_leaves_no_colon() {
        let answer = |status| of_other(&ended("", "", status, None), &Texts::default()).reason;
        assert_eq!(answer(3 << 8), "no verdict (exit status: 3)");
        assert_eq!(answer(6), "crashed: SIGABRT");
        assert_eq!(of_check(&ended("", "", 6 << 8, None)).reason, "exit status: 6");
    }
}
