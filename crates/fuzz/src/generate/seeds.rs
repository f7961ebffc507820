//! Random numbers: the same seed gives the same numbers again.

use super::Maker;
use crate::tree::{SourceNode, line};

impl Maker {
    pub(super) fn seed(&mut self) -> Vec<SourceNode> {
        let (r, k, n) = (self.local(), self.name("k"), self.random.below(2));
        // A random number multiplies the executions: the oracle tries every value.
        self.left -= 3;
        match self.random.below(4) {
            0 => vec![line(format!("srand({r} & 1);"))],
            1 => vec![line(format!("srand({n});")), line(format!("{r} = rand() & 1;"))],
            2 => vec![line(format!("{r} = rand() & 1;"))],
            _ => vec![
                line(format!("srand({n});")),
                line(format!("int {k} = rand() & 1;")),
                line(format!("srand({r} ? 1 : {n});")),
                line(format!("{r} = ((rand() & 1) == {k});")),
            ],
        }
    }
}
