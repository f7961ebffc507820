//! The command for a task, and what it says: `threadproof check`, or any verifier that a template describes.

use crate::error::Error;
use crate::process::{self, ProcessEnd, ProcessLimits};
use crate::row::{Row, Took};
use crate::task::BenchTask;
use crate::verdict::{self, ScoredVerdict, Texts, ToolAnswer};
use std::path::{Path, PathBuf};
use std::process::Command;
use std::time::Duration;
use tp_ir::DataModel;

/// What each task may take.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub struct Budget {
    /// Seconds on the clock.
    pub timeout: u64,
    /// Bytes.
    pub memory: u64,
}

#[derive(Clone, Debug)]
pub enum Tool {
    /// `check` of this very program, with more arguments. It observes its limits by itself.
    Check {
        program: PathBuf,
        arguments: Vec<String>,
    },
    Other {
        template: Template,
        texts: Texts,
    },
}

/// `check` is killed this long after its time limit, or at this multiple of its memory limit.
const GRACE: Duration = Duration::from_secs(15);
const MEMORY_GRACE: u64 = 2;

impl Tool {
    /// Runs a task; `None` if the result is no longer wanted.
    pub fn run(
        &self,
        task: &BenchTask,
        budget: &Budget,
        unwanted: &(dyn Fn() -> bool + Sync),
    ) -> Option<Row> {
        if unwanted() {
            return None;
        }
        let row = |answer, took| Row { id: task.id.clone(), expected: task.expected.clone(), answer, took };
        let words = self.words(task, budget);
        let Some((program, arguments)) = words.split_first() else {
            return Some(row(ToolAnswer::new(ScoredVerdict::Broken, "there is no command"), Took::default()));
        };
        let mut command = Command::new(program);
        command.args(arguments);
        match process::run(&mut command, &self.limits(budget), unwanted) {
            Ok(ended) if ended.reached == Some(process::LimitReached::Unwanted) => None,
            Ok(ended) => {
                let took = Took { wall: ended.wall, cpu: ended.cpu, memory: ended.memory };
                Some(row(self.answer(&ended), took))
            }
            Err(error) => {
                let reason = format!("cannot run {program}: {error}");
                Some(row(ToolAnswer::new(ScoredVerdict::Broken, reason), Took::default()))
            }
        }
    }

    /// Why the tool cannot run this task.
    pub fn objection(&self, task: &BenchTask) -> Option<Error> {
        match self {
            Tool::Other { template, .. } => template.objection(task),
            Tool::Check { .. } => None,
        }
    }

    /// A command for people to repeat a task with.
    pub fn shown(&self, task: &BenchTask, budget: &Budget) -> String {
        let words = match self {
            Tool::Check { arguments, .. } => {
                let mut words = vec!["threadproof".to_owned(), "check".to_owned()];
                words.extend(of_check(arguments, task, budget));
                words
            }
            Tool::Other { .. } => self.words(task, budget),
        };
        // Only a zero byte cannot be quoted, and no argument of a command holds one.
        shlex::try_join(words.iter().map(String::as_str)).unwrap_or_else(|_| words.join(" "))
    }

    fn words(&self, task: &BenchTask, budget: &Budget) -> Vec<String> {
        match self {
            Tool::Check { program, arguments } => {
                let mut words = vec![text(program)];
                words.extend(["check", "--json", "--witness", "/dev/null"].map(str::to_owned));
                words.extend(of_check(arguments, task, budget));
                words
            }
            Tool::Other { template, .. } => template.words(task, budget),
        }
    }

    fn limits(&self, budget: &Budget) -> ProcessLimits {
        let timeout = Duration::from_secs(budget.timeout);
        let (wall, memory) = match self {
            Tool::Check { .. } => (timeout.saturating_add(GRACE), budget.memory.saturating_mul(MEMORY_GRACE)),
            Tool::Other { .. } => (timeout, budget.memory),
        };
        ProcessLimits { wall: Some(wall), memory: Some(memory), ..ProcessLimits::default() }
    }

    fn answer(&self, ended: &ProcessEnd) -> ToolAnswer {
        match self {
            Tool::Check { .. } => verdict::of_check(ended),
            Tool::Other { texts, .. } => verdict::of_other(ended, texts),
        }
    }
}

/// The arguments of `check` for a task.
fn of_check(more: &[String], task: &BenchTask, budget: &Budget) -> Vec<String> {
    let mut words = vec!["--property".to_owned(), task.id.property.clone()];
    words.extend(["--timeout".to_owned(), budget.timeout.to_string()]);
    words.extend(["--memory".to_owned(), size(budget.memory)]);
    if let Some(model) = task.data_model {
        let name = match model {
            DataModel::Ilp32 => "ILP32",
            DataModel::Lp64 => "LP64",
        };
        words.extend(["--data-model".to_owned(), name.to_owned()]);
    }
    words.extend(more.iter().chain(&task.arguments).cloned());
    words.extend(task.files.iter().map(|file| text(file)));
    words
}

/// As `--memory` takes it, and people read it.
fn size(bytes: u64) -> String {
    if bytes.is_multiple_of(1 << 20) { format!("{}M", bytes >> 20) } else { bytes.to_string() }
}

fn text(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}

/// A command with `{names}` for what depends on the task.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Template {
    words: Vec<String>,
}

/// The names that a template may have.
const NAMES: [&str; 6] =
    ["{file}", "{property}", "{property_file}", "{data_model}", "{timeout}", "{arguments}"];

impl Template {
    pub fn new(command: &str) -> Result<Template, Error> {
        let words = shlex::split(command)
            .ok_or_else(|| Error::Usage(format!("`{command}` has a quotation mark without its end")))?;
        if words.is_empty() {
            return Err(Error::Usage("the command of the tool is empty".to_owned()));
        }
        if let Some(program) = words.first().filter(|program| !is_there(program)) {
            return Err(Error::Usage(format!("there is no command `{program}`")));
        }
        let template = Template { words };
        if !template.has("{file}") {
            let names = NAMES.join(", ");
            return Err(Error::Usage(format!(
                "`{command}` does not say where {{file}} goes; it may have {names}"
            )));
        }
        Ok(template)
    }

    fn has(&self, name: &str) -> bool {
        self.words.iter().any(|word| word.contains(name))
    }

    fn objection(&self, task: &BenchTask) -> Option<Error> {
        let is_missing = self.has("{property_file}") && task.property_file.is_none();
        is_missing.then(|| {
            Error::Usage(format!(
                "there is no property file for `{}`; instead of {{property_file}}, a path with {{property}} in it may be \
                 given",
                task.id
            ))
        })
    }

    /// `{file}` and `{arguments}` alone become a word for each; arguments without a place come last.
    fn words(&self, task: &BenchTask, budget: &Budget) -> Vec<String> {
        let files: Vec<String> = task.files.iter().map(|file| text(file)).collect();
        let bits = if task.data_model == Some(DataModel::Ilp32) { "32bit" } else { "64bit" };
        let timeout = budget.timeout.to_string();
        let property_file = task.property_file.as_deref().map(text).unwrap_or_default();
        let mut words = Vec::new();
        for word in &self.words {
            match word.as_str() {
                "{file}" => words.extend(files.iter().cloned()),
                "{arguments}" => words.extend(task.arguments.iter().cloned()),
                _ => words.push(replaced(
                    word,
                    [&files.join(" "), &task.id.property, &property_file, bits, &timeout, &task.id.arguments],
                )),
            }
        }
        if !self.has("{arguments}") {
            words.extend(task.arguments.iter().cloned());
        }
        words
    }
}

/// Whether a command can be found, as a shell looks for it.
fn is_there(program: &str) -> bool {
    if program.contains('/') {
        return Path::new(program).is_file();
    }
    let path = std::env::var_os("PATH").unwrap_or_default();
    std::env::split_paths(&path).any(|folder| folder.join(program).is_file())
}

/// The word with values in place of `NAMES`. What a value contains is not replaced again.
fn replaced(word: &str, values: [&str; NAMES.len()]) -> String {
    let mut rest = word;
    let mut text = String::new();
    while let Some(at) = rest.find('{') {
        text += &rest[..at];
        rest = &rest[at..];
        match NAMES.iter().zip(values).find(|(name, _)| rest.starts_with(**name)) {
            Some((name, value)) => {
                text += value;
                rest = &rest[name.len()..];
            }
            None => {
                text.push('{');
                rest = &rest[1..];
            }
        }
    }
    text + rest
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::task::{Expected, Id};

    const BUDGET: Budget = Budget { timeout: 20, memory: 1 << 30 };

    fn task(arguments: &str) -> BenchTask {
        let id = Id {
            set: "s".to_owned(),
            program: "p q.c".to_owned(),
            property: "unreach-call".to_owned(),
            arguments: arguments.to_owned(),
        };
        BenchTask {
            id,
            files: vec![PathBuf::from("s/p q.c"), PathBuf::from("s/r.c")],
            property_file: None,
            expected: Some(Expected::True),
            data_model: Some(DataModel::Ilp32),
            arguments: shlex::split(arguments).unwrap(),
        }
    }

    #[test]
    fn a_command_of_check_can_be_repeated() {
        let tool = Tool::Check {
            program: PathBuf::from("/x/tp"),
            arguments: vec!["--unwind".to_owned(), "3".to_owned()],
        };
        assert_eq!(
            tool.shown(&task("-DN=3"), &BUDGET),
            "threadproof check --property unreach-call --timeout 20 --memory 1024M --data-model ILP32 \
             --unwind 3 '-DN=3' 's/p q.c' s/r.c"
        );
        assert_eq!(tool.words(&task(""), &BUDGET)[..3], ["/x/tp", "check", "--json"]);
    }

    #[test]
    fn templates_are_filled() {
        let check = |template: &str, expect: &[&str]| {
            let template = Template::new(template).unwrap();
            assert_eq!(template.words(&task("-DN=3"), &BUDGET), expect);
        };
        check("sh {file}", &["sh", "s/p q.c", "s/r.c", "-DN=3"]);
        check(
            "sh --prp 'a b/{property}.prp' -t{timeout} --{data_model} {arguments} {x} {file}",
            &["sh", "--prp", "a b/unreach-call.prp", "-t20", "--32bit", "-DN=3", "{x}", "s/p q.c", "s/r.c"],
        );
    }

    #[test]
    fn templates_that_cannot_work() {
        let check = |template: &str, part: &str| {
            let error = Template::new(template).unwrap_err().to_string();
            assert!(error.contains(part), "{error}");
        };
        check("", "is empty");
        check("sh 'x", "quotation mark");
        check("there-is-no-such-command {file}", "there is no command `there-is-no-such-command`");
        check("sh --all", "does not say where {file} goes");
        let template = Template::new("sh {property_file} {file}").unwrap();
        assert!(template.objection(&task("")).is_some());
        let with = BenchTask { property_file: Some(PathBuf::from("x.prp")), ..task("") };
        assert_eq!(template.objection(&with), None);
    }

    #[test]
    fn what_is_filled_in_is_not_replaced_again() {
        assert_eq!(replaced("{file}-{property}{", ["{property}", "p", "", "", "", ""]), "{property}-p{");
    }

    #[test]
    fn a_tool_that_is_not_there_is_broken() {
        let template = Template { words: vec!["there-is-no-such-command".to_owned()] };
        let tool = Tool::Other { template, texts: Texts::default() };
        let row = tool.run(&task(""), &BUDGET, &|| false).unwrap();
        assert_eq!(row.answer.verdict, ScoredVerdict::Broken);
        assert!(row.answer.reason.starts_with("cannot run there-is-no-such-command: "));
        assert!(tool.run(&task(""), &BUDGET, &|| true).is_none());
    }
}
