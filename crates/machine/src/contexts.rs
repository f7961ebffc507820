//! Bounds on the context switches of an execution, and what a verdict within bounds covers.
//!
//! A *context* is a part of an execution in which one thread steps without another one in between; a *context switch* is
//! where the next context begins. Most concurrency bugs need few of them (Qadeer and Rehof, TACAS 2005), so a bound on
//! switches makes a search small that would not end otherwise.

use std::fmt;

/// How many context switches are followed.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub enum ContextBound {
    /// All.
    #[default]
    None,
    /// Executions with at most this many.
    AtMost(u32),
    /// 0, then 1, then 2 and so on, until something fails or no execution has more.
    Auto,
}

/// The executions that a verdict covers. `None`: there is no such bound.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Default)]
pub struct Within {
    /// The iterations of loops, and the depth of recursions.
    pub unwind: Option<u32>,
    /// Context switches.
    pub contexts: Option<u32>,
}

impl Within {
    pub fn unwind(bound: u32) -> Within {
        Within { unwind: Some(bound), contexts: None }
    }

    pub fn contexts(bound: u32) -> Within {
        Within { unwind: None, contexts: Some(bound) }
    }

    /// Whether everything that these bounds cover is covered by the others, too.
    pub fn is_covered_by(&self, other: &Within) -> bool {
        let covered = |mine: Option<u32>, theirs: Option<u32>| match (mine, theirs) {
            (_, None) => true,
            (None, Some(_)) => false,
            (Some(mine), Some(theirs)) => mine <= theirs,
        };
        covered(self.unwind, other.unwind) && covered(self.contexts, other.contexts)
    }

    /// For the smallest of several: fewer context switches first, then fewer iterations.
    pub fn rank(&self) -> (u32, u32) {
        (self.contexts.unwrap_or(u32::MAX), self.unwind.unwrap_or(u32::MAX))
    }
}

impl fmt::Display for Within {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let unwind = self.unwind.map(|bound| format!("unwind {bound}"));
        let contexts = self.contexts.map(|bound| format!("contexts {bound}"));
        let bounds: Vec<String> = unwind.into_iter().chain(contexts).collect();
        f.write_str(&bounds.join(", "))
    }
}

#[cfg(test)]
mod tests {
    use super::Within;

    #[test]
    fn bounds_cover_each_other() {
        let both = Within { unwind: Some(4), contexts: Some(3) };
        assert!(both.is_covered_by(&both));
        assert!(both.is_covered_by(&Within::contexts(3)));
        assert!(!both.is_covered_by(&Within::contexts(2)));
        assert!(!Within::contexts(3).is_covered_by(&both));
        assert!(Within::contexts(3).rank() < Within::unwind(1).rank());
    }

    #[test]
    fn as_in_the_verdict() {
        assert_eq!(Within::unwind(4).to_string(), "unwind 4");
        assert_eq!(Within { unwind: Some(4), contexts: Some(3) }.to_string(), "unwind 4, contexts 3");
    }
}
