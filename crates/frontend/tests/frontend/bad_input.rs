//! Every bad input ends in a sentence, never in a crash.

use crate::project::Project;
use expect_test::expect;
use std::path::PathBuf;
use threadproof_frontend::FrontendError;
use tp_ir::DataModel;

const MAIN: &str = "int main(void) { return 0; }\n";

#[test]
fn no_input() {
    expect!["no input files"].assert_eq(&Project::new(&[]).error());
}

#[test]
fn missing_file() {
    let mut project = Project::new(&[]);
    project.options.inputs = vec![PathBuf::from("nowhere.c")];
    expect!["cannot read nowhere.c: No such file or directory (os error 2)"].assert_eq(&project.error());
}

#[test]
fn directory() {
    let mut project = Project::new(&[]);
    let path = project.path().join("folder.c");
    std::fs::create_dir(&path).expect("the temporary folder can be written");
    project.options.inputs = vec![path];
    expect!["cannot read folder.c: it is a directory"].assert_eq(&project.error());
}

#[test]
fn unknown_kind() {
    let project = Project::new(&[("notes.txt", MAIN)]);
    expect!["cannot tell what notes.txt is: inputs are C sources (.c, .i), C++ sources (.cpp, .cc, .cxx, .C, .c++, .ii) or LLVM bitcode (.bc, .ll)"]
        .assert_eq(&project.error());
}

#[test]
fn no_clang() {
    let mut project = Project::new(&[("a.c", MAIN)]);
    project.options.clang = Some(PathBuf::from("no-such-clang"));
    expect![
        "clang was not found (tried no-such-clang); install the package clang-22, or name it with --clang"
    ]
    .assert_eq(&project.error());
}

#[test]
fn does_not_compile() {
    let project = Project::new(&[("a.c", "int main(void) { return x; }\n")]);
    expect![[r#"
        a.c does not compile:
        a.c:1:25: error: use of undeclared identifier 'x'
            1 | int main(void) { return x; }
              |                         ^
        1 error generated."#]]
    .assert_eq(&project.error());
}

#[test]
fn no_main() {
    expect!["the program has no `main`"]
        .assert_eq(&Project::new(&[("a.c", "int f(void) { return 0; }\n")]).error());
}

#[test]
fn main_that_is_not_a_function() {
    expect!["the program has no `main`"].assert_eq(&Project::new(&[("a.c", "int main = 195;\n")]).error());
}

#[test]
fn defined_twice() {
    let project =
        Project::new(&[("a.c", MAIN), ("b.c", "int x; int f(void) { return 1; }"), ("c.c", "int f;")]);
    expect!["`f` is defined twice: in b.c and in c.c"].assert_eq(&project.error());
}

#[test]
fn text_that_is_not_llvm() {
    expect!["a.ll is not LLVM bitcode that can be read: expected top-level entity"]
        .assert_eq(&Project::new(&[("a.ll", "hello\n")]).error());
    let project = Project::new(&[("a.bc", "BC, but only by name\n")]);
    assert!(matches!(project.load(), Err(FrontendError::BadBitcode { .. })), "{}", project.error());
}

#[test]
fn module_that_breaks_the_rules_of_llvm() {
    let text = "target triple = \"x86_64-pc-linux-gnu\"\ndefine i32 @main() {\n  ret i64 0\n}\n";
    let project = Project::new(&[("a.ll", text)]);
    assert!(matches!(project.load(), Err(FrontendError::BadBitcode { .. })), "{}", project.error());
}

#[test]
fn foreign_target() {
    let text = "target triple = \"aarch64-linux-gnu\"\ndefine i32 @main() {\n  ret i32 0\n}\n";
    expect!["a.ll was compiled for `aarch64-linux-gnu`; only x86 (32 or 64 bits) is supported"]
        .assert_eq(&Project::new(&[("a.ll", text)]).error());
}

const LAYOUT32: &str = "target datalayout = \"e-m:e-p:32:32-p270:32:32-p271:32:32-p272:64:64-i128:128-f64:32:64\
-f80:32-n8:16:32-S128\"\ntarget triple = \"i686-pc-linux-gnu\"\ndefine i32 @main() {\n  ret i32 0\n}\n";

#[test]
fn other_data_model() {
    let project = Project::new(&[("a.ll", LAYOUT32)]);
    expect!["a.ll was compiled for ILP32, but the program is LP64; choose one with --data-model"]
        .assert_eq(&project.error());
}

#[test]
fn bitcode_alone_decides_the_data_model() {
    let mut project = Project::new(&[("a.ll", LAYOUT32)]);
    project.options.data_model = None;
    assert_eq!(project.program().data_model, DataModel::Ilp32);
}

#[test]
fn compilation_databases() {
    let mut project = Project::new(&[("a.c", MAIN)]);
    project.options.compile_commands = Some(project.write("none.json", b"{"));
    expect!["none.json is not a compilation database: EOF while parsing an object at line 1 column 1"]
        .assert_eq(&project.error());
    project.options.compile_commands = Some(project.write("empty.json", b"[]"));
    expect!["a.c has no entry in empty.json"].assert_eq(&project.error());
    project.options.compile_commands = Some(project.write("poor.json", br#"[{"file": "a.c"}]"#));
    expect![[
        r#"poor.json is not a compilation database: the entry for a.c has neither "arguments" nor "command""#
    ]]
    .assert_eq(&project.error());
}

/// A generator with a fixed seed (xorshift), so that a failure can be reproduced.
struct Random(u64);

impl Random {
    fn below(&mut self, n: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 % n as u64) as usize
    }
}

/// Bitcode of a program with a bit of everything.
fn bitcode(project: &Project) -> Vec<u8> {
    let source = "struct s { int a; struct s *next; double d[3]; } x = {1, &x, {2.5}};\n\
        int f(int n, ...) { int v[n]; v[0] = 1; switch (n) { case 1: return v[0]; default: return x.a; } }\n\
        int main(void) { return f(2, 3, 4.5) + x.next->a; }\n";
    let from = project.write("source.c", source.as_bytes());
    let to = project.path().join("source.bc");
    let status = std::process::Command::new("clang-22")
        .args(["-c", "-emit-llvm", "-g", "-O1", "-Xclang", "-disable-llvm-passes", "-o"])
        .args([&to, &from])
        .status()
        .expect("clang-22 runs");
    assert!(status.success());
    std::fs::read(to).expect("clang wrote its output")
}

#[test]
fn damaged_bitcode() {
    let mut project = Project::new(&[]);
    let good = bitcode(&project);
    let mut random = Random(88172645463325252);
    for round in 0..40 {
        let mut bytes = good.clone();
        if round % 4 == 0 {
            bytes.truncate(random.below(good.len()));
        } else {
            for _ in 0..1 + random.below(4) {
                let at = random.below(bytes.len());
                bytes[at] ^= 1 << random.below(8);
            }
        }
        project.options.inputs = vec![project.write("damaged.bc", &bytes)];
        if let Ok(loaded) = project.load() {
            assert!(tp_ir::validate(&loaded.program).is_ok(), "round {round}");
        }
    }
}
