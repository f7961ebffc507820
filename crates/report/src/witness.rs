//! The witness: a file that holds the decisions of one run, and enough about the program to run it again.
//!
//! It is JSON with a version. Values are decimal strings, so that 128 bits survive readers that think in doubles. Paths
//! are as they were given on the command line.

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};
use std::collections::BTreeMap;
use std::fmt;
use tp_ir::{DataModel, FuncId, GlobalId, Program, Property};
use tp_machine::{End, Finding, Input, InputSource, Layout, ObjectName, Trace};

use crate::diagnostic::spot;
use crate::words::sentence;

const FORMAT: &str = "threadproof-trace";
const VERSION: u32 = 1;

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct Witness {
    /// The tool and its version that recorded it.
    pub tool: String,
    pub program: ProgramKey,
    pub options: WitnessOptions,
    /// Runs of steps: the number of the thread, and how many steps it takes.
    pub schedule: Vec<(u32, u64)>,
    pub inputs: Vec<RecordedInput>,
    /// What waiting threads read from memory that was never written.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub found: Vec<RecordedMemory>,
    /// Addresses, where the run depends on them.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub layout: Vec<RecordedAddress>,
    pub end: WitnessSummary,
}

/// Where an object lies.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedAddress {
    #[serde(flatten)]
    pub object: RecordedObject,
    pub address: u64,
}

/// The value of memory that was never written.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedMemory {
    #[serde(flatten)]
    pub object: RecordedObject,
    /// How often the scope of the local had begun.
    pub scope: u64,
    pub offset: u64,
    pub input: RecordedInput,
}

/// Functions and variables are numbered within the program, objects that a thread makes within the thread.
#[derive(Copy, Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "object", rename_all = "kebab-case")]
pub enum RecordedObject {
    Function { function: u32 },
    Global { variable: u32 },
    ThreadLocal { thread: u32, variable: u32 },
    Made { thread: u32, nth: u64 },
}

/// Which program it was, and how to load it again.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct ProgramKey {
    pub inputs: Vec<SourceFile>,
    pub data_model: String,
    pub clang_args: Vec<String>,
    pub compile_commands: Option<String>,
    pub models: Vec<SourceFile>,
    pub program_args: Vec<String>,
    pub environment: Vec<(String, String)>,
    /// The files that were there when the program began.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub files: Vec<RecordedFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub stdin: Option<SourceFile>,
    /// How many bytes the outside sends on each of its connections.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub connections: Vec<u32>,
    /// Reads and writes of files may fail or stop early.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub io_errors: bool,
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub no_signals: bool,
    /// Threads may be woken without a signal any number of times; or, with `spurious_once`, once each.
    pub spurious_wakeups: bool,
    #[serde(default)]
    pub spurious_once: bool,
    #[serde(default)]
    pub spurious_failures: bool,
    #[serde(default)]
    pub reuse: bool,
    /// Whether functions without body and model return any value and change nothing.
    #[serde(default)]
    pub assume_pure: bool,
    /// The hash of the program's textual form.
    pub hash: String,
}

/// A file of the program: its contents are those of another one, or this many bytes of input.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedFile {
    pub name: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub contents: Option<SourceFile>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub any: Option<u32>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct SourceFile {
    pub path: String,
    pub hash: String,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct WitnessOptions {
    /// The properties that were checked, by word.
    pub checks: Vec<String>,
    pub max_steps: u64,
    pub max_memory: u64,
    /// Races that were known and passed over: the file and line of each access.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub past: Vec<Vec<(String, u32)>>,
}

#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub struct RecordedInput {
    pub name: String,
    /// `i32` is signed, `u32` is not.
    #[serde(rename = "type")]
    pub ty: String,
    pub value: String,
    /// Nothing happens if it is 0.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub rare: bool,
}

/// How the run ended, as far as a replay must end the same way.
#[derive(Clone, PartialEq, Eq, Debug, Serialize, Deserialize)]
#[serde(tag = "kind", rename_all = "kebab-case")]
pub enum WitnessSummary {
    Exited {
        status: i32,
    },
    Violation {
        property: String,
        message: String,
        place: Option<String>,
    },
    Undefined {
        property: String,
        message: String,
        place: Option<String>,
    },
    Assumption,
    Unmodelled {
        function: String,
    },
    Unsupported {
        what: String,
    },
    TooManySteps,
    OutOfMemory,
    TooDeep,
    TooManyThreads,
    Diverged,
    /// Ended from outside: a replay ends where the schedule does.
    Stopped,
}

impl WitnessSummary {
    pub fn of(program: &Program, end: &End) -> WitnessSummary {
        let place = |f: &Finding| spot(program, f.place()?).map(|s| s.to_string());
        match end {
            End::Exited { status } => WitnessSummary::Exited { status: *status },
            End::Violation(f) => WitnessSummary::Violation {
                property: f.property.word().to_owned(),
                message: sentence(program, f),
                place: place(f),
            },
            End::Undefined(f) => WitnessSummary::Undefined {
                property: f.property.word().to_owned(),
                message: sentence(program, f),
                place: place(f),
            },
            End::Assumption => WitnessSummary::Assumption,
            End::Unmodelled { function, .. } => WitnessSummary::Unmodelled { function: function.clone() },
            End::Unsupported { what, .. } => WitnessSummary::Unsupported { what: what.clone() },
            End::TooManySteps => WitnessSummary::TooManySteps,
            End::OutOfMemory { .. } => WitnessSummary::OutOfMemory,
            End::TooDeep { .. } => WitnessSummary::TooDeep,
            End::TooManyThreads { .. } => WitnessSummary::TooManyThreads,
            End::Diverged { .. } => WitnessSummary::Diverged,
            End::Stopped => WitnessSummary::Stopped,
        }
    }
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum WitnessError {
    NotJson {
        line: usize,
        column: usize,
    },
    OtherFormat,
    NewerVersion {
        found: u32,
    },
    /// It has the right format, and something in it is missing or wrong.
    Malformed {
        what: String,
    },
    /// These files are not what they were.
    FilesChanged {
        paths: Vec<String>,
    },
    /// The files are the same and the program is not.
    OtherProgram {
        tool: String,
    },
    /// The decisions do not lead to the end that is recorded with them.
    OtherEnd {
        step: u64,
    },
}

impl fmt::Display for WitnessError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            WitnessError::NotJson { line, column } => {
                write!(f, "this is not a witness: no JSON at line {line}, column {column}")
            }
            WitnessError::OtherFormat => write!(f, "this is not a witness: its format is not `{FORMAT}`"),
            WitnessError::NewerVersion { found } => {
                write!(f, "the trace has version {found}; this threadproof reads versions up to {VERSION}")
            }
            WitnessError::Malformed { what } => write!(f, "the trace is damaged: {what}"),
            WitnessError::OtherEnd { step } => {
                write!(
                    f,
                    "the trace is damaged: after step {step} it does not lead to the end that it records"
                )
            }
            WitnessError::FilesChanged { paths } => {
                write!(
                    f,
                    "this trace was recorded with another version of the program: {} changed",
                    paths.join(", ")
                )
            }
            WitnessError::OtherProgram { tool } => write!(
                f,
                "this trace was recorded with another version of the program: the given files are the same, but a \
                 header, a model or threadproof itself (recorded with {tool}) changed"
            ),
        }
    }
}

impl std::error::Error for WitnessError {}

/// What identifies the contents of a file or a program.
pub fn content_hash(bytes: &[u8]) -> String {
    Sha256::digest(bytes).iter().map(|b| format!("{b:02x}")).collect()
}

impl ProgramKey {
    /// All files that the program is made of, and those that it reads.
    pub fn source_files(&self) -> impl Iterator<Item = &SourceFile> {
        let given = self.files.iter().filter_map(|file| file.contents.as_ref()).chain(&self.stdin);
        self.inputs.iter().chain(&self.models).chain(given)
    }
}

#[derive(Deserialize)]
struct Header {
    format: Option<String>,
    version: Option<u32>,
}

impl Witness {
    pub fn parse(text: &str) -> Result<Witness, WitnessError> {
        let malformed = |e: serde_json::Error| WitnessError::Malformed { what: e.to_string() };
        let header: Header = serde_json::from_str(text).map_err(|e| match e.classify() {
            serde_json::error::Category::Data => WitnessError::OtherFormat,
            _ => WitnessError::NotJson { line: e.line(), column: e.column() },
        })?;
        if header.format.as_deref() != Some(FORMAT) {
            return Err(WitnessError::OtherFormat);
        }
        match header.version {
            Some(VERSION) => {
                let witness: Witness = serde_json::from_str(text).map_err(malformed)?;
                witness.check_words().map_err(|what| WitnessError::Malformed { what })?;
                Ok(witness)
            }
            Some(found) if found > VERSION => Err(WitnessError::NewerVersion { found }),
            _ => Err(WitnessError::Malformed { what: "it has no version".to_owned() }),
        }
    }

    /// Checks that each word has a meaning and that a source is named; the error says what is wrong.
    fn check_words(&self) -> Result<(), String> {
        let key = &self.program;
        if ![DataModel::Ilp32, DataModel::Lp64].iter().any(|m| m.name() == key.data_model) {
            return Err(format!("there is no data model `{}`", key.data_model));
        }
        if let Some(word) = self.options.checks.iter().find(|w| Property::from_word(w).is_none()) {
            return Err(format!("there is no property `{word}`"));
        }
        if key.inputs.is_empty() && key.compile_commands.is_none() {
            return Err("it names no source".to_owned());
        }
        Ok(())
    }

    /// The decisions, for the machine.
    pub fn trace(&self) -> Result<Trace, WitnessError> {
        let inputs = self.inputs.iter().map(RecordedInput::to_input).collect::<Result<_, _>>()?;
        let mut trace = Trace::new(self.schedule.clone(), inputs);
        for row in &self.found {
            trace.found.extend(row.source().zip(Some(row.input.to_input()?)));
        }
        trace.layout = self.layout.iter().map(|row| (row.object.name(), row.address)).collect();
        Ok(trace)
    }

    /// Whether the program that was loaded now is the one of the trace. `hash_of` gives the hash of a file as it is
    /// now.
    pub fn check_program(
        &self,
        program_hash: &str,
        hash_of: &dyn Fn(&str) -> Option<String>,
    ) -> Result<(), WitnessError> {
        if program_hash == self.program.hash {
            return Ok(());
        }
        let files = self.program.source_files();
        let changed = files.filter(|f| hash_of(&f.path).as_ref() != Some(&f.hash)).map(|f| f.path.clone());
        let paths: Vec<String> = changed.collect();
        if paths.is_empty() {
            Err(WitnessError::OtherProgram { tool: self.tool.clone() })
        } else {
            Err(WitnessError::FilesChanged { paths })
        }
    }

    /// The same document as a part of a larger one.
    pub fn to_json(&self) -> serde_json::Value {
        let mut document = serde_json::json!({ "format": FORMAT, "version": VERSION });
        if let (Some(all), Ok(serde_json::Value::Object(own))) =
            (document.as_object_mut(), serde_json::to_value(self))
        {
            all.extend(own);
        }
        document
    }

    /// The file: a key per line, so that two of them can be compared by eye.
    pub fn to_text(&self) -> String {
        let mut text = format!("{{\n\"format\": {},\n\"version\": {VERSION},\n", json(&FORMAT));
        text += &format!("\"tool\": {},\n\"program\": {},\n", json(&self.tool), json(&self.program));
        text += &format!("\"options\": {},\n", json(&self.options));
        text += &format!("\"schedule\": [{}],\n", rows(&self.schedule, 16));
        text += &format!("\"inputs\": [{}],\n", rows(&self.inputs, 1));
        if !self.found.is_empty() {
            text += &format!("\"found\": [{}],\n", rows(&self.found, 1));
        }
        if !self.layout.is_empty() {
            text += &format!("\"layout\": [{}],\n", rows(&self.layout, 1));
        }
        text += &format!("\"end\": {}\n}}\n", json(&self.end));
        text
    }
}

/// Strings, numbers and structs of them always have a form in JSON.
fn json(value: &impl Serialize) -> String {
    serde_json::to_string(value).unwrap_or_default()
}

fn rows<T: Serialize>(items: &[T], per_line: usize) -> String {
    let lines = items.chunks(per_line).map(|chunk| chunk.iter().map(json).collect::<Vec<_>>().join(", "));
    lines.collect::<Vec<_>>().join(",\n  ")
}

impl RecordedAddress {
    pub fn all(layout: &Layout) -> Vec<RecordedAddress> {
        let rows = layout.iter();
        rows.map(|(name, address)| RecordedAddress { object: RecordedObject::of(*name), address: *address })
            .collect()
    }
}

impl RecordedMemory {
    pub fn all(found: &BTreeMap<InputSource, Input>) -> Vec<RecordedMemory> {
        let row = |(source, input): (&InputSource, &Input)| {
            let (name, scope, offset) = match *source {
                InputSource::Memory { made_by, nth, scope, offset } => {
                    (ObjectName::Made(made_by, nth), scope, offset)
                }
                InputSource::Global { global, offset } => (ObjectName::Global(global), 0, offset),
                InputSource::ThreadLocal { thread, global, offset } => {
                    (ObjectName::ThreadLocal(thread, global), 0, offset)
                }
                InputSource::Call { .. } | InputSource::Register { .. } | InputSource::Output => return None,
            };
            let (object, input) = (RecordedObject::of(name), RecordedInput::of(input));
            Some(RecordedMemory { object, scope, offset, input })
        };
        found.iter().filter_map(row).collect()
    }

    fn source(&self) -> Option<InputSource> {
        let (scope, offset) = (self.scope, self.offset);
        Some(match self.object.name() {
            ObjectName::Made(made_by, nth) => InputSource::Memory { made_by, nth, scope, offset },
            ObjectName::Global(global) => InputSource::Global { global, offset },
            ObjectName::ThreadLocal(thread, global) => InputSource::ThreadLocal { thread, global, offset },
            ObjectName::Function(_) => return None,
        })
    }
}

impl RecordedObject {
    fn of(name: ObjectName) -> RecordedObject {
        match name {
            ObjectName::Function(f) => RecordedObject::Function { function: f.as_u32() },
            ObjectName::Global(g) => RecordedObject::Global { variable: g.as_u32() },
            ObjectName::ThreadLocal(thread, g) => {
                RecordedObject::ThreadLocal { thread, variable: g.as_u32() }
            }
            ObjectName::Made(thread, nth) => RecordedObject::Made { thread, nth },
        }
    }

    fn name(self) -> ObjectName {
        // `u32::MAX` is not a handle, but a damaged file may have it.
        let most = u32::MAX - 1;
        match self {
            RecordedObject::Function { function } => {
                ObjectName::Function(FuncId::from_u32(function.min(most)))
            }
            RecordedObject::Global { variable } => ObjectName::Global(GlobalId::from_u32(variable.min(most))),
            RecordedObject::ThreadLocal { thread, variable } => {
                ObjectName::ThreadLocal(thread, GlobalId::from_u32(variable.min(most)))
            }
            RecordedObject::Made { thread, nth } => ObjectName::Made(thread, nth),
        }
    }
}

impl RecordedInput {
    pub fn of(input: &Input) -> RecordedInput {
        let shift = 128 - input.width.clamp(1, 128);
        let bits = input.bits << shift;
        let (letter, value) = match input.signed {
            true => ('i', (bits as i128 >> shift).to_string()),
            false => ('u', (bits >> shift).to_string()),
        };
        let (name, ty) = (input.name.clone(), format!("{letter}{}", input.width));
        RecordedInput { name, ty, value, rare: input.rare }
    }

    fn to_input(&self) -> Result<Input, WitnessError> {
        let read = || {
            let signed = self.ty.starts_with('i');
            let width: u32 =
                self.ty.strip_prefix(['i', 'u'])?.parse().ok().filter(|w| (1..=128).contains(w))?;
            let value =
                if signed { self.value.parse::<i128>().ok()? as u128 } else { self.value.parse().ok()? };
            let bits = value << (128 - width) >> (128 - width);
            Some(Input { name: self.name.clone(), width, signed, rare: self.rare, bits })
        };
        read().ok_or_else(|| WitnessError::Malformed {
            what: format!("the input `{}` has the value `{}` of type `{}`", self.name, self.value, self.ty),
        })
    }
}

#[cfg(test)]
mod tests;
