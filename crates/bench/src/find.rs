//! From paths to tasks: a directory of definitions, a definition, a list.

use crate::definition;
use crate::error::Error;
use crate::list;
use crate::task::{BenchTask, Id};
use std::collections::btree_map::Entry;
use std::collections::{BTreeMap, BTreeSet};
use std::path::{Path, PathBuf};
use tp_ir::DataModel;

/// The folder of the programs, if not that of their list, and the data model of tasks that name none.
#[derive(Clone, Default, Debug)]
pub struct Places {
    pub folder: Option<PathBuf>,
    pub data_model: Option<DataModel>,
}

/// All tasks of the inputs, in the order of the inputs and, within a directory, of their paths.
pub fn tasks(inputs: &[PathBuf], places: &Places) -> Result<Vec<BenchTask>, Error> {
    let mut tasks = Vec::new();
    for input in inputs {
        let kind = input.extension().and_then(|e| e.to_str()).unwrap_or_default();
        tasks.extend(match kind {
            _ if input.is_dir() => of_folder(input)?,
            "yml" | "yaml" => definition::tasks(input, &name_of_folder(input), &read(input)?)?,
            "tsv" => of_list(input, places)?,
            _ if !input.exists() => return Err(Error::unreadable(input, &"there is no such file")),
            _ => {
                let what = "it is no directory, no task definition (.yml) and no list of tasks (.tsv)";
                return Err(Error::malformed(input, what));
            }
        });
    }
    for task in &mut tasks {
        task.data_model = task.data_model.or(places.data_model);
    }
    without_repetitions(tasks)
}

/// Which tasks to take.
pub struct Wanted<'a> {
    /// A text that `set/program` has to contain.
    pub only: &'a str,
    /// Names of properties; all if empty.
    pub properties: &'a [String],
    /// Whether the tool knows the property.
    pub known: &'a dyn Fn(&str) -> bool,
}

/// The tasks to run, and how many are left out because the tool does not know their property.
#[derive(Default, Debug)]
pub struct Selection {
    pub tasks: Vec<BenchTask>,
    pub skipped: BTreeMap<String, usize>,
}

pub fn select(tasks: Vec<BenchTask>, wanted: &Wanted<'_>) -> Result<Selection, Error> {
    let mut selection = Selection::default();
    for task in tasks {
        let property = &task.id.property;
        let is_wanted = wanted.properties.is_empty() || wanted.properties.contains(property);
        if !is_wanted || !task.id.path().contains(wanted.only) {
            continue;
        }
        if (wanted.known)(property) {
            selection.tasks.push(task);
        } else {
            *selection.skipped.entry(property.clone()).or_default() += 1;
        }
    }
    all_there(&selection.tasks)?;
    Ok(selection)
}

fn all_there(tasks: &[BenchTask]) -> Result<(), Error> {
    let files: BTreeSet<&PathBuf> = tasks.iter().flat_map(|t| &t.files).filter(|f| !f.exists()).collect();
    match (files.first(), files.len()) {
        (None, _) => Ok(()),
        (Some(file), 1) => Err(Error::unreadable(file, &"there is no such program")),
        (Some(file), n) => {
            let reason = format!("there is no such program (and {} more)", n - 1);
            Err(Error::unreadable(file, &reason))
        }
    }
}

fn of_folder(folder: &Path) -> Result<Vec<BenchTask>, Error> {
    let mut tasks = Vec::new();
    for path in definitions(folder)? {
        let text = read(&path)?;
        if definition::is_definition(&text) {
            let set = path.parent().and_then(|p| p.strip_prefix(folder).ok()).unwrap_or(Path::new(""));
            let set = if set == Path::new("") { name_of_folder(&path) } else { set.display().to_string() };
            tasks.extend(definition::tasks(&path, &set, &text)?);
        }
    }
    Ok(tasks)
}

/// All `.yml` files below a folder, in order. Links to folders are not followed: they may form a cycle.
fn definitions(folder: &Path) -> Result<Vec<PathBuf>, Error> {
    let mut files = Vec::new();
    let mut folders = vec![folder.to_owned()];
    while let Some(folder) = folders.pop() {
        let unreadable = |error: std::io::Error| Error::unreadable(&folder, &error);
        for entry in std::fs::read_dir(&folder).map_err(unreadable)? {
            let entry = entry.map_err(unreadable)?;
            let is_hidden = entry.file_name().to_string_lossy().starts_with('.');
            if !is_hidden && entry.file_type().map_err(unreadable)?.is_dir() {
                folders.push(entry.path());
            } else if !is_hidden && entry.path().extension().is_some_and(|e| e == "yml" || e == "yaml") {
                files.push(entry.path());
            }
        }
    }
    files.sort();
    Ok(files)
}

fn of_list(path: &Path, places: &Places) -> Result<Vec<BenchTask>, Error> {
    let beside = path.parent().unwrap_or(Path::new(""));
    let folder = places.folder.as_deref().unwrap_or(beside);
    let mut tasks = list::tasks(path, folder, &read(path)?)?;
    let mut known: BTreeMap<PathBuf, Option<DataModel>> = BTreeMap::new();
    for task in &mut tasks {
        let Some(program) = task.files.first() else { continue };
        let yml = program.with_extension("yml");
        task.data_model = match known.entry(yml) {
            Entry::Occupied(entry) => *entry.get(),
            Entry::Vacant(entry) => {
                let model = data_model_of(entry.key())?;
                *entry.insert(model)
            }
        };
    }
    Ok(tasks)
}

/// The data model in a definition, if the file exists.
fn data_model_of(yml: &Path) -> Result<Option<DataModel>, Error> {
    let Ok(text) = std::fs::read_to_string(yml) else { return Ok(None) };
    if definition::is_definition(&text) { definition::data_model(yml, &text) } else { Ok(None) }
}

/// Keeps one of equal tasks. Different tasks of the same name are an error: the output could not distinguish them.
fn without_repetitions(tasks: Vec<BenchTask>) -> Result<Vec<BenchTask>, Error> {
    let mut seen: BTreeMap<Id, usize> = BTreeMap::new();
    let mut kept: Vec<BenchTask> = Vec::new();
    for task in tasks {
        match seen.get(&task.id).and_then(|i| kept.get(*i)) {
            None => {
                seen.insert(task.id.clone(), kept.len());
                kept.push(task);
            }
            Some(other) if *other == task => {}
            Some(other) => {
                let name = |t: &BenchTask| t.files.first().map_or(String::new(), |f| f.display().to_string());
                return Err(Error::Usage(format!(
                    "two tasks are called `{}`, with {} and with {}, and do not say the same",
                    task.id,
                    name(other),
                    name(&task)
                )));
            }
        }
    }
    Ok(kept)
}

fn name_of_folder(file: &Path) -> String {
    let folder = file.canonicalize().ok().and_then(|f| f.parent().map(Path::to_owned));
    let name = folder.as_deref().and_then(Path::file_name).unwrap_or_default();
    name.to_string_lossy().into_owned()
}

fn read(path: &Path) -> Result<String, Error> {
    std::fs::read_to_string(path).map_err(|error| Error::unreadable(path, &error))
}

#[cfg(test)]
mod tests {
    use super::*;
    use tempfile::TempDir;

    const YML: &str = "format_version: '2.0'\ninput_files: p.c\nproperties:\n\
                       - {property_file: unreach-call.prp, expected_verdict: true}\n\
                       - {property_file: termination.prp}\noptions: {data_model: LP64}\n";

    fn folder(files: &[(&str, &str)]) -> TempDir {
        let folder = tempfile::tempdir().unwrap();
        for (name, text) in files {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        folder
    }

    fn names(tasks: &[BenchTask]) -> Vec<String> {
        tasks.iter().map(|t| t.id.to_string()).collect()
    }

    #[test]
    fn directories_are_searched_in_order() {
        let files = [
            ("b/t.yml", YML),
            ("a/c/t.yml", YML),
            ("x.yml", "on: push"),
            (".git/t.yml", "format_version: 3"),
        ];
        let folder = folder(&files);
        let found = tasks(&[folder.path().to_owned()], &Places::default()).unwrap();
        let all = [
            "a/c/t.yml unreach-call",
            "a/c/t.yml termination",
            "b/t.yml unreach-call",
            "b/t.yml termination",
        ];
        assert_eq!(names(&found), all);
        let single = tasks(&[folder.path().join("b/t.yml")], &Places::default()).unwrap();
        assert_eq!(names(&single), all[2..]);
    }

    #[test]
    fn data_models_come_from_beside_the_program() {
        let list =
            "set\tprogram\tproperty\texpected\nb\tt.c\tunreach-call\ttrue\nb\tu.c\tunreach-call\ttrue\n";
        let folder = folder(&[("b/t.yml", YML), ("l.tsv", list)]);
        let places = Places { data_model: Some(DataModel::Ilp32), ..Places::default() };
        let found = tasks(&[folder.path().join("l.tsv")], &places).unwrap();
        let models: Vec<_> = found.iter().map(|t| t.data_model).collect();
        assert_eq!(models, [Some(DataModel::Lp64), Some(DataModel::Ilp32)]);
        let elsewhere = Places { folder: Some(PathBuf::from("elsewhere")), ..Places::default() };
        let found = tasks(&[folder.path().join("l.tsv")], &elsewhere).unwrap();
        assert_eq!(found[0].files, [Path::new("elsewhere/b/t.c")]);
    }

    #[test]
    fn the_same_task_is_run_once() {
        let folder = folder(&[("a/b/t.yml", YML), ("c/b/t.yml", YML)]);
        let path = |name: &str| folder.path().join(name);
        let twice = tasks(&[path("a/b/t.yml"), path("a/b/t.yml")], &Places::default()).unwrap();
        assert_eq!(twice.len(), 2);
        let error = tasks(&[path("a/b/t.yml"), path("c/b/t.yml")], &Places::default()).unwrap_err();
        assert!(error.to_string().starts_with("two tasks are called `b/t.yml unreach-call`"), "{error}");
    }

    #[test]
    fn tasks_are_selected() {
        let folder = folder(&[("a/t.yml", YML), ("b/t.yml", YML), ("a/p.c", "")]);
        let all = tasks(&[folder.path().to_owned()], &Places::default()).unwrap();
        let one = ["unreach-call".to_owned()];
        let known = |word: &str| word == "unreach-call";
        let take = |only, properties| select(all.clone(), &Wanted { only, properties, known: &known });
        let selection = take("a/", &[]).unwrap();
        assert_eq!(names(&selection.tasks), ["a/t.yml unreach-call"]);
        assert_eq!(selection.skipped.into_iter().collect::<Vec<_>>(), [("termination".to_owned(), 1)]);
        let selection = take("a/", &one).unwrap();
        assert_eq!((selection.tasks.len(), selection.skipped.len()), (1, 0));
        let error = take("", &[]).unwrap_err().to_string();
        assert!(error.ends_with("b/p.c: there is no such program"), "{error}");
    }

    #[test]
    fn bad_inputs_are_named() {
        let folder = folder(&[("p.c", "")]);
        let check = |name: &str, part: &str| {
            let error = tasks(&[folder.path().join(name)], &Places::default()).unwrap_err().to_string();
            assert!(error.contains(name) && error.contains(part), "{error}");
        };
        check("p.c", "no task definition (.yml)");
        check("q.c", "there is no such file");
        check("q.tsv", "cannot read");
        check("q.yml", "cannot read");
    }
}
