//! Programs about which engines once disagreed. The first line of each has its seed, and what is known about it now.

mod common;

use common::scratch;
use std::path::PathBuf;
use threadproof_fuzz::ask::{JudgeLimits, Subject};
use threadproof_fuzz::judge::{compile, judge};
use threadproof_fuzz::question::Question;
use threadproof_fuzz::table::engines;
use threadproof_fuzz::tree::line;

/// `// 14. unreach-call: violated, no-leak: safe`
fn known(source: &str) -> Vec<(Question, bool)> {
    let first = source.lines().next().unwrap_or("");
    let (_, rest) = first.split_once(". ").expect("a seed and a full stop");
    let one = |text: &str| {
        let (word, verdict) = text.split_once(": ").expect("word: verdict");
        let question = Question::ALL.into_iter().find(|q| q.word() == word).expect("a question");
        assert!(["safe", "violated"].contains(&verdict), "{verdict}");
        (question, verdict == "safe")
    };
    rest.split(", ").map(one).collect()
}

#[test]
fn nobody_disagrees_any_more() {
    let folder = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/found");
    let mut count = 0;
    for entry in std::fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        let source = std::fs::read_to_string(&path).unwrap();
        let program = compile(&[line(source.as_str())], &scratch("found")).unwrap_or_else(|e| panic!("{e}"));
        for one_by_one in [false, true] {
            let limits = JudgeLimits { one_by_one, ..JudgeLimits::default() };
            let judgement = judge(&Subject::new(program.clone(), limits), &Question::ALL, &engines());
            assert!(judgement.wrong().is_empty(), "{}: {:?}", path.display(), judgement.wrong());
            for (question, safe) in known(&source) {
                assert_eq!(
                    judgement.verdict(question),
                    Some(safe),
                    "{}: {}",
                    path.display(),
                    question.word()
                );
            }
        }
        count += 1;
    }
    assert!(count >= 10);
}
