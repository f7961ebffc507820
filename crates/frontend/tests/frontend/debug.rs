//! Names, types and places that come from the debug information.

use crate::project::{Project, program};
use expect_test::expect;
use tp_ir::{Op, Place, Program, SourceTypeId, describe_offset};

fn place(program: &Program, place: &Place) -> String {
    let file = program.files[place.file].rsplit('/').next().unwrap_or_default().to_owned();
    format!("{file}:{}:{}", place.line, place.column)
}

/// The places of the stores in a function.
fn stores(program: &Program, function: &str) -> Vec<String> {
    let id = program.function_named(function).unwrap_or_else(|| panic!("no {function}"));
    let body = program.functions[id].body.as_ref().expect("the function has a body");
    let insts = body.blocks.values().flat_map(|b| &b.insts);
    insts
        .filter(|i| matches!(i.op, Op::Store { .. }))
        .map(|i| place(program, &program.places[i.place]))
        .collect()
}

#[test]
fn instructions_know_their_places() {
    let program = program("int x;\nint main(void) {\n  x = 1;\n    x = 2;\n  return 0; }\n");
    assert_eq!(stores(&program, "main"), ["main.c:3:5", "main.c:4:7"]);
}

#[test]
fn lines_of_preprocessed_files_are_their_own() {
    let source = "# 1 \"gone.c\"\n# 700 \"/usr/include/gone.h\" 3 4\nint x;\n# 99 \"gone.c\"\nint main(void) {\n x = 1; }\n";
    let program = Project::new(&[("pre.i", source)]).program();
    assert_eq!(stores(&program, "main"), ["pre.i:6:4"]);
    let id = program.global_named("x").expect("x is there");
    assert_eq!(place(&program, &program.places[program.globals[id].place]), "pre.i:3:0");
}

#[test]
fn names_with_dollars() {
    let program = Project::new(&[("a.i", "int a$x; int main(void) { a$x = 1; return 0; }\n")]).program();
    assert!(program.global_named("a$x").is_some());
}

#[test]
fn inlined_calls_keep_both_places() {
    let text = r#"
target datalayout = "e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128"
target triple = "x86_64-pc-linux-gnu"
@x = global i32 0
define i32 @main() !dbg !4 {
  store i32 1, ptr @x, !dbg !9
  ret i32 0, !dbg !8
}
!llvm.dbg.cu = !{!0}
!llvm.module.flags = !{!2}
!0 = distinct !DICompileUnit(language: DW_LANG_C11, file: !1, emissionKind: FullDebug)
!1 = !DIFile(filename: "in.c", directory: "/nowhere")
!2 = !{i32 2, !"Debug Info Version", i32 3}
!3 = !DISubroutineType(types: !{null})
!4 = distinct !DISubprogram(name: "main", file: !1, line: 10, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!5 = distinct !DISubprogram(name: "set", file: !1, line: 3, type: !3, unit: !0, spFlags: DISPFlagDefinition)
!8 = !DILocation(line: 12, column: 3, scope: !4)
!9 = !DILocation(line: 4, column: 5, scope: !5, inlinedAt: !10)
!10 = distinct !DILocation(line: 11, column: 7, scope: !4)
"#;
    let program = Project::new(&[("a.ll", text)]).program();
    assert_eq!(stores(&program, "main"), ["in.c:4:5"]);
    let inlined = program.places.values().find_map(|p| p.inlined_at).expect("a place was inlined");
    assert_eq!(place(&program, &program.places[inlined]), "in.c:11:7");
}

/// The parts of a variable at some offsets.
fn parts(program: &Program, ty: Option<SourceTypeId>, offsets: &[u64]) -> Vec<String> {
    let ty = ty.expect("the variable has a type");
    offsets.iter().map(|&at| describe_offset(program, ty, at)).collect()
}

#[test]
fn parts_of_globals_have_names() {
    let program = program(
        "typedef struct { int x, y; } point; struct list { struct list *next; point p[3]; char tag; };\n\
         struct list head; int grid[2][5]; const volatile struct list *volatile const shared[2]; enum colour { RED } c;\n\
         int main(void) { return head.tag + grid[1][1] + (shared[0] != 0) + c; }\n",
    );
    let global = |name: &str| program.global_named(name).and_then(|id| program.globals[id].ty);
    expect![".next .p[0].x .p[1].y .tag"]
        .assert_eq(&parts(&program, global("head"), &[0, 8, 20, 32]).join(" "));
    expect!["[0][0] [0][1] [1][4]"].assert_eq(&parts(&program, global("grid"), &[0, 4, 36]).join(" "));
    expect!["[0] [1]"].assert_eq(&parts(&program, global("shared"), &[0, 8]).join(" "));
}

#[test]
fn locals_and_parameters_have_names() {
    let program = program(
        "int g(int *); int main(int count, char **words) { int kept[3] = {count}; { int inner = 2; g(&inner); }\n\
         return g(kept) + words[0][0]; }\n",
    );
    let id = program.function_named("main").expect("main is there");
    let body = program.functions[id].body.as_ref().expect("main has a body");
    let mut names: Vec<&str> = body.regs.values().filter_map(|r| r.name.as_deref()).collect();
    for op in body.blocks.values().flat_map(|b| &b.insts).map(|i| &i.op) {
        if let Op::Alloca { info, .. } = op {
            names.extend(info.name.as_deref());
        }
    }
    assert_eq!(names, ["count", "words", "kept", "inner"]);
}

#[test]
fn models_have_no_places_of_the_machine_that_built_them() {
    let program = program(
        "#include <pthread.h>\npthread_mutex_t m; int main(void) { return pthread_mutex_lock(&m); }\n",
    );
    let models: Vec<&str> = program.files.values().map(|f| &**f).filter(|f| f.contains("models/")).collect();
    assert!(!models.is_empty());
    assert!(models.iter().all(|f| f.starts_with("models/")), "{models:?}");
}
