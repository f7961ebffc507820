//! A task: a program, a property, and the known verdict.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;
use tp_ir::DataModel;

/// What identifies a task, here and in a saved run.
#[derive(Clone, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub struct Id {
    /// The folder of the program, relative to the folder of all tasks.
    pub set: String,
    pub program: String,
    /// Its name in SV-COMP, or ours.
    pub property: String,
    /// As in the list: shell words.
    pub arguments: String,
}

impl Id {
    /// `set/program`.
    pub fn path(&self) -> String {
        format!("{}/{}", self.set, self.program)
    }
}

impl fmt::Display for Id {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {}", self.path(), self.property)?;
        if self.arguments.is_empty() { Ok(()) } else { write!(f, " {}", self.arguments) }
    }
}

/// The known verdict.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum Expected {
    True,
    /// With the violated part, if the property has several.
    False {
        subproperty: Option<String>,
    },
}

impl Expected {
    pub fn is_true(&self) -> bool {
        *self == Expected::True
    }
}

impl fmt::Display for Expected {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Expected::True => f.write_str("true"),
            Expected::False { subproperty: None } => f.write_str("false"),
            Expected::False { subproperty: Some(part) } => write!(f, "false({part})"),
        }
    }
}

impl FromStr for Expected {
    type Err = ();

    /// `true`, `false`, `false(valid-deref)`.
    fn from_str(text: &str) -> Result<Expected, ()> {
        match text {
            "true" => Ok(Expected::True),
            "false" => Ok(Expected::False { subproperty: None }),
            _ => {
                let part = text.strip_prefix("false(").and_then(|t| t.strip_suffix(')')).ok_or(())?;
                Ok(Expected::False { subproperty: Some(part.to_owned()) })
            }
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub struct BenchTask {
    pub id: Id,
    pub files: Vec<PathBuf>,
    /// The file that describes the property, if it is there.
    pub property_file: Option<PathBuf>,
    pub expected: Option<Expected>,
    pub data_model: Option<DataModel>,
    /// For the tool, after its own.
    pub arguments: Vec<String>,
}
