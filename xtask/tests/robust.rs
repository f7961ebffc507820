//! Some changed files for every reader; `cargo xtask robust --count N` takes more.

use std::process::Command;

const COUNT: u64 = 60;

#[test]
fn readers_of_files_break_on_nothing() {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let findings = env!("CARGO_TARGET_TMPDIR");
    let output = xtask.args(["robust", "--count", &COUNT.to_string(), "--findings", findings]).output();
    let output = output.expect("it was just built");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(output.status.success(), "{said}{}", String::from_utf8_lossy(&output.stderr));
    let mut targets = 0;
    for line in said.lines().skip(1) {
        let [accepted, refused, llvm, broken] = numbers(line);
        assert_eq!(accepted + refused + llvm + broken, COUNT, "{line}");
        // Otherwise nothing was changed, or the stage behind the reader is never reached. Changed bitcode is hardly
        // ever accepted.
        assert!(refused > 0 && (accepted > 0 || line.starts_with("bitcode")), "{line}");
        targets += 1;
    }
    assert!(targets >= 10, "{said}");
}

#[test]
fn what_breaks_is_noticed() {
    let mut xtask = Command::new(env!("CARGO_BIN_EXE_xtask"));
    let findings = concat!(env!("CARGO_TARGET_TMPDIR"), "/trap");
    let output =
        xtask.args(["robust", "trap", "--count", "12", "--time", "2", "--findings", findings]).output();
    let output = output.expect("it was just built");
    let said = String::from_utf8_lossy(&output.stdout);
    assert!(!output.status.success(), "{said}");
    for how in ["the trap", "dies of signal", "takes more than 2 s"] {
        assert!(said.contains(how), "`{how}` is not in:\n{said}");
    }
}

fn numbers(line: &str) -> [u64; 4] {
    let found: Vec<u64> = line.split_whitespace().skip(1).filter_map(|word| word.parse().ok()).collect();
    found.try_into().unwrap_or_else(|_| panic!("four numbers: {line}"))
}
