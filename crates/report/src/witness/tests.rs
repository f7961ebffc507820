//! A witness is read as it was written, and everything else is refused with a reason.

use super::*;

fn example() -> Witness {
    let input = |signed, width, bits| {
        RecordedInput::of(&Input { name: "n".to_owned(), width, signed, rare: false, bits })
    };
    Witness {
        tool: "threadproof 0.1.0".to_owned(),
        program: ProgramKey {
            inputs: vec![SourceFile { path: "bank.c".to_owned(), hash: content_hash(b"bank") }],
            data_model: "LP64".to_owned(),
            clang_args: vec!["-DX".to_owned()],
            compile_commands: None,
            models: Vec::new(),
            program_args: Vec::new(),
            environment: vec![("K".to_owned(), "V".to_owned())],
            files: vec![
                RecordedFile {
                    name: "words.txt".to_owned(),
                    contents: Some(SourceFile { path: "w".to_owned(), hash: content_hash(b"bank") }),
                    any: None,
                },
                RecordedFile { name: "input.bin".to_owned(), contents: None, any: Some(4) },
            ],
            stdin: None,
            connections: vec![3],
            io_errors: true,
            no_signals: true,
            spurious_wakeups: false,
            spurious_once: true,
            spurious_failures: false,
            reuse: true,
            assume_pure: false,
            hash: content_hash(b"program"),
        },
        options: WitnessOptions {
            checks: vec!["race".to_owned()],
            max_steps: 100,
            max_memory: 1 << 20,
            past: Vec::new(),
        },
        found: Vec::new(),
        layout: Vec::new(),
        schedule: vec![(0, 3), (1, 1), (0, u64::MAX)],
        inputs: vec![
            input(true, 32, 0xffff_ffff),
            input(false, 128, u128::MAX),
            input(true, 128, 1 << 127),
            input(false, 1, 1),
        ],
        end: WitnessSummary::Violation {
            property: "race".to_owned(),
            message: "two threads …".to_owned(),
            place: Some("bank.c:17:5".to_owned()),
        },
    }
}

#[test]
fn is_read_as_it_was_written() {
    let witness = example();
    let text = witness.to_text();
    let again = Witness::parse(&text).unwrap();
    assert_eq!(again, witness);
    assert_eq!(again.to_text(), text);
    let trace = again.trace().unwrap();
    assert_eq!(trace.schedule(), &[(0, 3), (1, 1), (0, u64::MAX)]);
    let bits: Vec<u128> = trace.inputs.iter().map(|i| i.bits).collect();
    assert_eq!(bits, [0xffff_ffff, u128::MAX, 1 << 127, 1]);
    assert_eq!(again.inputs[0].value, "-1");
}

fn check_refused(text: &str, expect: &str) {
    let error = Witness::parse(text).and_then(|w| w.trace().map(|_| w)).unwrap_err();
    assert!(error.to_string().contains(expect), "{error}");
}

#[test]
fn what_is_refused() {
    let text = example().to_text();
    check_refused("", "no JSON at line 1");
    check_refused("\u{7f}ELF", "no JSON at line 1");
    check_refused(&text[..text.len() / 2], "no JSON at line");
    check_refused("[1, 2]", "format is not");
    check_refused("{}", "format is not");
    check_refused("{\"format\": \"other\", \"version\": 1}", "format is not");
    check_refused("{\"format\": \"threadproof-trace\"}", "no version");
    check_refused("{\"format\": \"threadproof-trace\", \"version\": 1}", "missing field");
    check_refused(&text.replace("\"version\": 1", "\"version\": 2"), "version 2");
    check_refused(&text.replace("\"i32\"", "\"i0\""), "type `i0`");
    check_refused(&text.replace("\"-1\"", "\"minus one\""), "`minus one`");
}

#[test]
fn another_program() {
    let witness = example();
    let check = |hash: &str, file: &[u8]| witness.check_program(hash, &|_| Some(content_hash(file)));
    assert_eq!(check(&content_hash(b"program"), b"bank"), Ok(()));
    let changed = check(&content_hash(b"other"), b"other").unwrap_err();
    assert!(changed.to_string().ends_with("program: bank.c, w changed"), "{changed}");
    let other = check(&content_hash(b"other"), b"bank").unwrap_err();
    assert!(other.to_string().contains("threadproof 0.1.0"), "{other}");
}

#[test]
fn words_that_mean_nothing_are_named() {
    let refused = |change: fn(&mut Witness), reason: &str| {
        let mut witness = example();
        change(&mut witness);
        let error = Witness::parse(&witness.to_text()).map(|_| ()).unwrap_err();
        assert_eq!(error.to_string(), format!("the trace is damaged: {reason}"));
    };
    refused(|w| w.program.data_model = "ILP64".to_owned(), "there is no data model `ILP64`");
    refused(|w| w.options.checks.push("luck".to_owned()), "there is no property `luck`");
    refused(|w| w.program.inputs.clear(), "it names no source");
}
