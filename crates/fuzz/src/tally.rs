//! Counts of the answers to each question, and the time they took.

use crate::ask::Said;
use crate::generate::Weights;
use crate::judge::{Judgement, NotReady};
use crate::native::Stressed;
use crate::question::Question;
use std::collections::BTreeMap;
use std::fmt;
use std::time::Duration;

#[derive(Default)]
pub struct Tally {
    pub programs: u64,
    /// How many judged programs use each topic.
    topics: BTreeMap<&'static str, u64>,
    /// For each question: holds, is violated, is not known.
    questions: BTreeMap<Question, [u64; 3]>,
    /// For each question and engine: the answers that it holds, is violated, is not known.
    engines: BTreeMap<(Question, &'static str), [u64; 3]>,
    /// Explored executions.
    pub executions: u64,
    /// Compiled programs that were run, states that were seen, possible states.
    native: [u64; 3],
    /// Why programs were skipped or questions not decided, and how often.
    reasons: BTreeMap<String, u64>,
    times: BTreeMap<&'static str, Duration>,
    pub disagreements: Vec<String>,
    /// Slow engines and stages. They are no disagreements.
    slow: Vec<String>,
}

impl Tally {
    /// `topics`: those that the program uses. They count if any engine decides any question.
    pub fn judged(&mut self, seed: u64, topics: &[&'static str], judgement: &Judgement) {
        self.programs += 1;
        if judgement.answers.iter().any(|a| a.said.decides()) {
            topics.iter().for_each(|topic| *self.topics.entry(topic).or_default() += 1);
        }
        let mut questions: Vec<Question> = judgement.answers.iter().map(|a| a.question).collect();
        questions.dedup();
        for question in questions {
            let column = match judgement.verdict(question) {
                Some(true) => 0,
                Some(false) => 1,
                None => 2,
            };
            self.questions.entry(question).or_default()[column] += 1;
        }
        for answer in &judgement.answers {
            let column = match &answer.said {
                Said::Safe | Said::SafeWithin(_) => 0,
                Said::Violated(_) => 1,
                Said::Undecided(_) | Said::Slow | Said::Broken(_) => 2,
            };
            self.engines.entry((answer.question, answer.engine)).or_default()[column] += 1;
            if let Said::Undecided(why) = &answer.said {
                // The text after these words is about one program.
                let why = ["undefined behaviour comes first", "undefined"]
                    .into_iter()
                    .find(|w| why.starts_with(w))
                    .unwrap_or(why);
                let why = why.split(" (line").next().unwrap_or(why);
                self.count(format!("{}: {why}", answer.engine));
            }
            if let Said::Slow = &answer.said {
                let (engine, said, question) = (answer.engine, &answer.said, answer.question.word());
                self.slow.push(format!("seed {seed}: {engine} is {said}: {question}"));
            }
            self.took(answer.engine, answer.time);
        }
    }

    pub fn stressed(&mut self, stressed: &Stressed) {
        match stressed {
            Stressed::Agrees { seen, of } => {
                self.native[0] += 1;
                self.native[1] += *seen as u64;
                self.native[2] += *of as u64;
            }
            Stressed::Skipped(why) => self.count(format!("native: {why}")),
            Stressed::Slow => self.count("native: slow".to_owned()),
            Stressed::Impossible(..) => self.native[0] += 1,
        }
    }

    /// A program that no engine can be asked about. If clang refuses it, the generator is wrong.
    pub fn not_ready(&mut self, seed: u64, why: &NotReady) {
        self.programs += 1;
        match why {
            NotReady::NotCompiled(error) => {
                let first = error.lines().find(|l| l.contains("error:")).unwrap_or(error);
                self.disagreements.push(format!("seed {seed}: not compiled: {first}"));
            }
            NotReady::Slow(stage) => self.slow_stage(seed, stage),
            NotReady::Panicked(_) => self.disagreements.push(format!("seed {seed}: {why}")),
        }
    }

    /// A stage that took too long.
    pub fn slow_stage(&mut self, seed: u64, stage: &str) {
        self.slow.push(format!("seed {seed}: {stage} is slow"));
    }

    pub fn took(&mut self, what: &'static str, time: Duration) {
        *self.times.entry(what).or_default() += time;
    }

    pub fn count(&mut self, reason: String) {
        // Numbers differ from program to program.
        let reason: String = reason.split_whitespace().map(without_numbers).collect::<Vec<_>>().join(" ");
        *self.reasons.entry(reason).or_default() += 1;
    }

    /// In how many programs it holds, is violated, is not known.
    pub fn of(&self, question: Question) -> [u64; 3] {
        self.questions.get(&question).copied().unwrap_or_default()
    }

    /// How many judged programs use this topic.
    pub fn of_topic(&self, topic: &str) -> u64 {
        self.topics.get(topic).copied().unwrap_or_default()
    }

    /// Compiled programs that were compared.
    pub fn native(&self) -> u64 {
        self.native[0]
    }
}

fn without_numbers(word: &str) -> &str {
    let is_number = word.strip_prefix('-').unwrap_or(word).chars().all(|c| c.is_ascii_digit());
    if is_number && !word.is_empty() { "…" } else { word }
}

impl fmt::Display for Tally {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "{:<14} {:<8} {:>8} {:>8} {:>9}", "question", "engine", "true", "false", "undecided")?;
        for (question, counts) in &self.questions {
            row(f, question.word(), "all", counts)?;
            for ((_, engine), counts) in self.engines.iter().filter(|((q, _), _)| q == question) {
                row(f, "", engine, counts)?;
            }
        }
        let [programs, seen, of] = self.native;
        writeln!(f, "\nnative: {programs} programs compared, {seen} of {of} states seen")?;
        writeln!(f, "executions: {}", self.executions)?;
        let times = self.times.iter().map(|(what, time)| format!("{what} {:.1}", time.as_secs_f64()));
        writeln!(f, "seconds: {}\n\nundecided and skipped:", times.collect::<Vec<_>>().join(", "))?;
        for (reason, count) in &self.reasons {
            writeln!(f, "{count:>7}  {reason}")?;
        }
        writeln!(f, "\n{:<20} {:>8}", "topic", "programs")?;
        for topic in Weights::words() {
            writeln!(f, "{topic:<20} {:>8}", self.of_topic(topic))?;
        }
        let fewest = Weights::words().into_iter().map(|topic| self.of_topic(topic)).min();
        writeln!(f, "{:<20} {:>8}\n", "fewest", fewest.unwrap_or_default())?;
        for disagreement in self.slow.iter().chain(&self.disagreements) {
            writeln!(f, "{disagreement}")?;
        }
        Ok(())
    }
}

fn row(f: &mut fmt::Formatter<'_>, question: &str, engine: &str, counts: &[u64; 3]) -> fmt::Result {
    let [holds, violated, unknown] = counts;
    writeln!(f, "{question:<14} {engine:<8} {holds:>8} {violated:>8} {unknown:>9}")
}
