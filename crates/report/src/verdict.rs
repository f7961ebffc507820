//! The answer in one line: `verdict: violated (data race)`.

use std::fmt;
use tp_ir::Property;
use tp_machine::Within;

/// What is known about the program. Running it can never show that it is safe.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Verdict {
    /// With the properties, each once.
    Violated(Vec<Property>),
    /// The same, if what is assumed of the program holds.
    Possible(Vec<Property>),
    Safe,
    /// Nothing fails within these bounds.
    WithinBounds(Within),
    /// With the reason.
    Unknown(String),
}

impl Verdict {
    /// The words for programs to read.
    pub fn word(&self) -> &'static str {
        match self {
            Verdict::Violated(_) => "violated",
            Verdict::Possible(_) => "possible",
            Verdict::Safe => "safe",
            Verdict::WithinBounds(_) => "safe within bounds",
            Verdict::Unknown(_) => "unknown",
        }
    }

    /// For people, inside of a line.
    pub fn words(&self) -> String {
        let reason = self.reason().map_or(String::new(), |reason| format!(" ({reason})"));
        format!("{}{reason}", self.word())
    }

    /// What stands in parentheses.
    pub fn reason(&self) -> Option<String> {
        match self {
            Verdict::Violated(properties) | Verdict::Possible(properties) => {
                let titles: Vec<&str> = properties.iter().map(|p| p.title()).collect();
                Some(titles.join(", "))
            }
            Verdict::Safe => None,
            Verdict::WithinBounds(within) => Some(within.to_string()),
            Verdict::Unknown(reason) => Some(reason.clone()),
        }
    }
}

impl fmt::Display for Verdict {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "verdict: {}", self.words())
    }
}

/// The number with its noun in the right form.
pub fn count(n: u64, what: &str) -> String {
    let ending = match n {
        1 => "",
        _ if what.ends_with("ch") => "es",
        _ => "s",
    };
    format!("{n} {what}{ending}")
}

#[cfg(test)]
mod tests {
    use super::Verdict;
    use tp_ir::Property;
    use tp_machine::Within;

    #[test]
    fn the_last_line() {
        let check = |verdict: Verdict, expect: &str| assert_eq!(verdict.to_string(), expect);
        check(Verdict::Violated(vec![Property::Race]), "verdict: violated (data race)");
        let both = vec![Property::Race, Property::Leak];
        check(Verdict::Violated(both), "verdict: violated (data race, memory leak)");
        check(Verdict::Possible(vec![Property::InvalidDeref]), "verdict: possible (invalid pointer)");
        check(Verdict::Safe, "verdict: safe");
        check(Verdict::WithinBounds(Within::unwind(4)), "verdict: safe within bounds (unwind 4)");
        check(Verdict::WithinBounds(Within::contexts(3)), "verdict: safe within bounds (contexts 3)");
        check(Verdict::Unknown("timeout".to_owned()), "verdict: unknown (timeout)");
    }
}
