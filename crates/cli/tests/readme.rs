//! The outputs in README.md are what the commands above them print.

use std::path::{Path, PathBuf};
use std::process::Command;

#[test]
fn outputs_in_the_readme_are_real() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let readme = std::fs::read_to_string(root.join("README.md")).unwrap();
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("readme");
    // A folder of its own, because a run leaves its witness behind.
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(&folder).unwrap();
    std::os::unix::fs::symlink(root.join("examples").canonicalize().unwrap(), folder.join("examples"))
        .unwrap();

    let mut commands = 0;
    for block in readme.split("```console\n$ ./threadproof ").skip(1) {
        let block = block.split("```").next().unwrap();
        let (arguments, expect) = block.split_once('\n').unwrap();
        let mut command = Command::new(env!("CARGO_BIN_EXE_threadproof"));
        // Which of two engines answers first depends on the machine.
        command.env("THREADPROOF_ENGINE", "order");
        let output = command.args(arguments.split_whitespace()).current_dir(&folder).output().unwrap();
        let printed = String::from_utf8_lossy(&output.stdout);
        assert_eq!(printed, expect, "\n{printed}\n");
        commands += 1;
    }
    assert!(commands > 0, "README.md has no example");
}
