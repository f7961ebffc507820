//! Literals as small numbers: a file may number variables as it likes, and tables are as long as it has variables.

use std::collections::HashMap;
use std::ops::Not;

/// A variable or its negation.
#[derive(Copy, Clone, PartialEq, Eq, Hash, Debug)]
pub(crate) struct Literal(u32);

impl Literal {
    pub fn index(self) -> usize {
        self.0 as usize
    }
}

impl Not for Literal {
    type Output = Literal;
    fn not(self) -> Literal {
        Literal(self.0 ^ 1)
    }
}

/// The variables so far.
#[derive(Default)]
pub(crate) struct Names {
    variables: HashMap<u32, u32>,
}

impl Names {
    /// The literal for a number in the file, which is not 0.
    pub fn literal(&mut self, number: i32) -> Literal {
        let next = self.variables.len() as u32;
        let variable = *self.variables.entry(number.unsigned_abs()).or_insert(next);
        Literal(2 * variable + u32::from(number < 0))
    }

    pub fn is_known(&self, number: i32) -> bool {
        self.variables.contains_key(&number.unsigned_abs())
    }
}
