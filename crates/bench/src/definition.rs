//! SV-COMP's task definitions: a `.yml` file beside the programs, in the formats 1.0 and 2.0.
//!
//! A definition names its input files and, for each property, the known verdict. In format 2.0 `options` may hold
//! anything; here only `data_model` counts. File names are taken as they are: the format allows patterns, which nobody
//! uses for programs.

use crate::error::Error;
use crate::task::{BenchTask, Expected, Id};
use serde::Deserialize;
use serde::de::IgnoredAny;
use std::path::Path;
use tp_ir::DataModel;

#[derive(Deserialize)]
struct Definition {
    format_version: String,
    input_files: Files,
    properties: Option<Vec<Property>>,
    options: Option<Options>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Files {
    One(String),
    Many(Vec<String>),
}

#[derive(Deserialize)]
struct Property {
    property_file: String,
    expected_verdict: Option<bool>,
    subproperty: Option<String>,
}

#[derive(Deserialize)]
#[serde(untagged)]
enum Options {
    OfPrograms { data_model: DataModelName },
    Others(IgnoredAny),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum DataModelName {
    Text(String),
    Other(IgnoredAny),
}

/// Keys that tell a task definition from other `.yml` files.
#[derive(Deserialize)]
struct Marks {
    format_version: Option<IgnoredAny>,
    input_files: Option<IgnoredAny>,
}

/// Whether the text is meant as a task definition: `.yml` files hold other things too. A malformed definition is one,
/// so that its error is reported.
pub fn is_definition(text: &str) -> bool {
    match serde_saphyr::from_str::<Marks>(text) {
        Ok(marks) => marks.format_version.is_some() && marks.input_files.is_some(),
        Err(_) => {
            ["format_version:", "input_files:"].iter().all(|key| text.lines().any(|l| l.starts_with(key)))
        }
    }
}

/// The tasks of a definition, one for each property.
pub fn tasks(path: &Path, set: &str, text: &str) -> Result<Vec<BenchTask>, Error> {
    let definition = parse(path, text)?;
    let data_model = definition.data_model(path)?;
    let folder = path.parent().unwrap_or(Path::new(""));
    let files = match definition.input_files {
        Files::One(file) => vec![folder.join(file)],
        Files::Many(files) => files.iter().map(|file| folder.join(file)).collect(),
    };
    if files.is_empty() {
        return Err(Error::malformed(path, "`input_files` names no file"));
    }
    let program = path.file_name().unwrap_or_default().to_string_lossy().into_owned();
    let task = |property: Property| {
        let file = folder.join(&property.property_file);
        let word = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        let id =
            Id { set: set.to_owned(), program: program.clone(), property: word, arguments: String::new() };
        BenchTask {
            id,
            files: files.clone(),
            property_file: file.is_file().then_some(file),
            expected: property.expected_verdict.map(|verdict| match verdict {
                true => Expected::True,
                false => Expected::False { subproperty: property.subproperty },
            }),
            data_model,
            arguments: Vec::new(),
        }
    };
    Ok(definition.properties.unwrap_or_default().into_iter().map(task).collect())
}

/// The data model that the definition names.
pub fn data_model(path: &Path, text: &str) -> Result<Option<DataModel>, Error> {
    parse(path, text)?.data_model(path)
}

fn parse(path: &Path, text: &str) -> Result<Definition, Error> {
    let definition: Definition =
        serde_saphyr::from_str(text).map_err(|error| Error::malformed(path, error.to_string()))?;
    match definition.format_version.as_str() {
        "1.0" | "2.0" => Ok(definition),
        other => {
            Err(Error::malformed(path, format!("`format_version` is `{other}`; 1.0 and 2.0 can be read")))
        }
    }
}

impl Definition {
    fn data_model(&self, path: &Path) -> Result<Option<DataModel>, Error> {
        match &self.options {
            Some(Options::OfPrograms { data_model: DataModelName::Text(name) }) => match name.as_str() {
                "ILP32" => Ok(Some(DataModel::Ilp32)),
                "LP64" => Ok(Some(DataModel::Lp64)),
                other => Err(Error::malformed(path, format!("`data_model` is `{other}`, not ILP32 or LP64"))),
            },
            Some(Options::OfPrograms { data_model: DataModelName::Other(_) }) => {
                Err(Error::malformed(path, "`data_model` is no name; ILP32 and LP64 can be read"))
            }
            Some(Options::Others(_)) | None => Ok(None),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(text: &str) -> Result<Vec<BenchTask>, String> {
        tasks(Path::new("a/b/task.yml"), "b", text).map_err(|e| e.to_string())
    }

    #[test]
    fn a_definition_has_a_task_for_each_property() {
        let text = "format_version: '2.0'\n# comment\ninput_files: 'p.i'\nproperties:\n\
                    \x20 - property_file: ../properties/unreach-call.prp\n    expected_verdict: true\n\
                    \x20 - property_file: ../properties/valid-memsafety.prp\n    expected_verdict: false\n\
                    \x20   subproperty: valid-deref\n\
                    \x20 - property_file: ../properties/termination.prp\n\
                    options:\n  language: C\n  data_model: ILP32\n";
        let tasks = read(text).unwrap();
        let expected: Vec<_> = tasks
            .iter()
            .map(|t| (t.id.property.as_str(), t.expected.as_ref().map(Expected::to_string)))
            .collect();
        let verdict = |text: &str| Some(text.to_owned());
        assert_eq!(
            expected,
            [
                ("unreach-call", verdict("true")),
                ("valid-memsafety", verdict("false(valid-deref)")),
                ("termination", None)
            ]
        );
        assert!(tasks.iter().all(|t| t.files == [Path::new("a/b/p.i")]));
        assert!(tasks.iter().all(|t| t.data_model == Some(DataModel::Ilp32) && t.id.path() == "b/task.yml"));
    }

    #[test]
    fn what_else_a_definition_may_be() {
        let with = |rest: &str| read(&format!("format_version: 1.0\n{rest}"));
        let many = with("input_files: [p.c, q.c]\nproperties: [{property_file: x.prp}]").unwrap();
        assert_eq!(many[0].files, [Path::new("a/b/p.c"), Path::new("a/b/q.c")]);
        assert_eq!(many[0].data_model, None);
        assert_eq!(with("input_files: p.c"), Ok(Vec::new()));
        let other = "input_files: p.c\nproperties: [{property_file: x.prp}]\noptions: {com.example: [1, 2]}";
        assert_eq!(with(other).unwrap()[0].data_model, None);
    }

    #[test]
    fn what_is_no_definition() {
        let check = |text: &str, part: &str| {
            let error = read(text).unwrap_err();
            assert!(error.starts_with("a/b/task.yml: ") && error.contains(part), "{error}");
        };
        check("format_version: '3.0'\ninput_files: p.c\n", "`format_version` is `3.0`");
        check("input_files: p.c\n", "format_version");
        check("format_version: '2.0'\ninput_files: []\n", "names no file");
        check(
            "format_version: '2.0'\ninput_files: p.c\noptions:\n  data_model: LP32\n",
            "`data_model` is `LP32`",
        );
        check("format_version: '2.0\ninput_files: p.c\n", "");
    }

    #[test]
    fn other_yml_files_are_told_apart() {
        assert!(is_definition("format_version: '2.0'\ninput_files: p.c\n"));
        assert!(is_definition("format_version: '9'\ninput_files: 7\n"), "a malformed definition is one");
        assert!(is_definition("format_version: '2.0'\ninput_files: 'p.c\n"), "also if it is not even YAML");
        assert!(!is_definition("jobs:\n  build: {}\n"));
        assert!(!is_definition("- entry_type: violation_sequence\n"));
    }
}
