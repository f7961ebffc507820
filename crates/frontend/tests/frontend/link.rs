//! Several inputs, models, and which definition a name stands for.

use crate::project::{Project, program, text};
use expect_test::expect;
use tp_ir::{DataModel, Origin, Program};

/// The functions that come from the program's own sources.
fn own_functions(program: &Program) -> Vec<&str> {
    let own = program.functions.values().filter(|f| f.origin == Origin::User && f.body.is_some());
    own.map(|f| &*f.name).collect()
}

#[test]
fn static_names_stay_apart() {
    let project = Project::new(&[
        (
            "a.c",
            "static int n = 1; static int get(void) { return n; } int b(void); int main(void) { return get() + b(); }",
        ),
        ("b.c", "static int n = 2; static int get(void) { return n; } int b(void) { return get(); }"),
    ]);
    let program = project.program();
    assert_eq!(own_functions(&program), ["main", "get", "b", "get.1"]);
    expect![[r#"
        func &get() -> i32
        bb0:
          %0 = load i32 @n
          return %0
        }
        func &get.1() -> i32
        bb0:
          %0 = load i32 @n.1
          return %0
        }
    "#]]
    .assert_eq(&(text(&program, "get") + &text(&program, "get.1")));
}

#[test]
fn only_what_is_reached_is_imported() {
    let program = program("int unused(void) { return 1; } int g; int main(void) { return g; }\n");
    assert_eq!(own_functions(&program), ["main"]);
    assert!(program.functions.len() < 10, "{}", program.functions.len());
}

#[test]
fn inline_functions_keep_their_bodies() {
    let program = program("int x; inline void inc(void) { x++; } int main(void) { inc(); return x; }\n");
    assert_eq!(own_functions(&program), ["main", "inc"]);
}

#[test]
fn weak_definitions_give_way() {
    let project = Project::new(&[
        ("a.c", "__attribute__((weak)) int f(void) { return 1; } int main(void) { return f(); }"),
        ("b.c", "int f(void) { return 2; }"),
    ]);
    let program = project.program();
    assert_eq!(own_functions(&program), ["main", "f"]);
    expect![[r#"
        func &f() -> i32
        bb0:
          return i32 2
        }
    "#]]
    .assert_eq(&text(&program, "f"));
}

#[test]
fn weak_function_that_nobody_defines_is_null() {
    let program = program("__attribute__((weak)) int f(void); int main(void) { return f ? f() : 3; }\n");
    expect![[r#"
        func &main() -> i32
        bb0:
          %1 = cmp ne i64 null, null
          branch %1, bb1, bb2
        bb1:
          %2: i32 = call &f()
          jump bb3(%2)
        bb2:
          jump bb3(i32 3)
        bb3(%0: i32):
          return %0
        }
    "#]]
    .assert_eq(&text(&program, "main"));
}

#[test]
fn aliases_are_what_they_stand_for() {
    let program = program(
        "int f(void) { return 1; } int g(void) __attribute__((alias(\"f\"))); int main(void) { return g(); }\n",
    );
    assert_eq!(own_functions(&program), ["main", "f"]);
}

#[test]
fn own_definitions_win_over_models() {
    let program = program(
        "#include <stddef.h>\nsize_t strlen(const char *s) { return 7; }\n\
         int time = 3; int main(int c, char **v) { return strlen(v[0]) + time; }\n",
    );
    let strlen = program.function_named("strlen").map(|id| program.functions[id].origin);
    assert_eq!(strlen, Some(Origin::User));
    assert!(program.global_named("time").is_some());
}

#[test]
fn models_of_the_user_win_over_ours() {
    let mut project = Project::new(&[(
        "a.c",
        "int rand(void); int shiny(int); int main(void) { return rand() + shiny(2); }",
    )]);
    let model = "#include <tp.h>\nint rand(void) { return 4; } int shiny(int x) { return __tp_input_i32(\"shiny\") + x; }\n";
    project.options.models = vec![project.write("mine.c", model.as_bytes())];
    let program = project.program();
    for name in ["rand", "shiny"] {
        let function = program.function_named(name).map(|id| &program.functions[id]);
        let function = function.unwrap_or_else(|| panic!("no {name}"));
        assert_eq!(function.origin, Origin::Model);
        assert!(function.body.is_some());
    }
    expect![[r#"
        func &rand() -> i32 model
        bb0:
          return i32 4
        }
    "#]]
    .assert_eq(&text(&program, "rand"));
}

/// The effects that a function declares, and whether they are trusted.
fn said(program: &Program, name: &str) -> (Vec<String>, bool) {
    let id = program.function_named(name).unwrap_or_else(|| panic!("no {name}"));
    let function = &program.functions[id];
    (function.effects.iter().map(ToString::to_string).collect(), !function.trusted_effects().is_empty())
}

#[test]
fn models_say_what_they_do() {
    let source = "#include <pthread.h>\n#include <stdlib.h>\n#include <tp.h>\nvoid mine(void *);\n\
        TP_DOES(\"free\") int free_all(void) { return 1; }\n\
        int main(void) { static pthread_mutex_t m; pthread_mutex_destroy(&m); mine(&m); return free_all(); }\n";
    let model = "#include <tp.h>\nTP_DOES(\"lock 0 exclusive mutex\") void mine(void *lock) { }\n";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut project = Project::new(&[("main.c", source)]);
        project.options.data_model = Some(data_model);
        project.options.models = vec![project.write("mine.c", model.as_bytes())];
        let program = project.program();
        let destroy = ["reset 0 mutex", "destroy 0", "signal-safe", "lock-code", "own-number"];
        assert_eq!(said(&program, "pthread_mutex_destroy"), (destroy.map(str::to_owned).to_vec(), true));
        assert_eq!(said(&program, "mine"), (vec!["lock 0 exclusive mutex".to_owned()], false));
        assert_eq!(said(&program, "free_all"), (Vec::new(), false));
    }
}

#[test]
fn what_a_model_says_must_be_known() {
    let check = |attribute: &str, message: &str| {
        let mut project = Project::new(&[("main.c", "void mine(int); int main(void) { mine(1); }")]);
        let model = format!("#include <tp.h>\nTP_DOES(\"{attribute}\") void mine(int x) {{ }}\n");
        let path = project.write("mine.c", model.as_bytes());
        project.options.models = vec![path.clone()];
        let error =
            threadproof_frontend::load(&project.options).expect_err("it says something wrong").to_string();
        assert_eq!(error.replace(&*path.to_string_lossy(), "mine.c"), message);
    };
    let rest = "models/README.md lists what models can say they do";
    check("awake 0", &format!("mine.c: `mine` cannot do \"awake 0\"; {rest}"));
    check("wake 0", &format!("mine.c: `mine` cannot do \"wake 0\"; {rest}"));
}

#[test]
fn function_without_a_model_has_no_body() {
    let program = program("int nobody_has_this(int); int main(void) { return nobody_has_this(1); }\n");
    let function = program.function_named("nobody_has_this").map(|id| &program.functions[id]);
    assert!(function.is_some_and(|f| f.body.is_none()));
}

#[test]
fn threads_pull_in_their_models_for_both_data_models() {
    let source = "#include <pthread.h>\n#include <stdio.h>\nvoid *t(void *p) { return p; }\n\
        int main(void) { pthread_t id; pthread_create(&id, 0, t, 0); pthread_join(id, 0); printf(\"%d\\n\", 1); }\n";
    for data_model in [DataModel::Lp64, DataModel::Ilp32] {
        let mut project = Project::new(&[("main.c", source)]);
        project.options.data_model = Some(data_model);
        let program = project.program();
        assert_eq!(program.data_model, data_model);
        for name in ["pthread_create", "pthread_join", "printf"] {
            let function = program.function_named(name).map(|id| &program.functions[id]);
            assert!(function.is_some_and(|f| f.body.is_some() && f.origin == Origin::Model), "{name}");
        }
    }
}

#[test]
fn c_and_bitcode_together() {
    let project = Project::new(&[
        ("a.c", "int twice(int); int main(void) { return twice(4); }"),
        (
            "b.ll",
            "target datalayout = \"e-m:e-p270:32:32-p271:32:32-p272:64:64-i64:64-i128:128-f80:128-n8:16:32:64-S128\"\n\
             target triple = \"x86_64-pc-linux-gnu\"\n\
             define i32 @twice(i32 %x) {\n  %r = shl i32 %x, 1\n  ret i32 %r\n}\n",
        ),
    ]);
    expect![[r#"
        func &twice(%0: i32) -> i32
        bb0:
          %1 = shl i32 %0, 1
          return %1
        }
    "#]]
    .assert_eq(&text(&project.program(), "twice"));
}

#[test]
fn flags_of_a_compilation_database() {
    let mut project = Project::new(&[]);
    project.write("a.c", b"int f(void); int main(void) { return f() + VALUE; }\n");
    project.write("b.c", b"int f(void) { return OTHER; }\n");
    let rows = r#"[{"directory": ".", "file": "a.c", "command": "cc -O2 -DVALUE=11 -c a.c -o a.o"},
        {"directory": ".", "file": "b.c", "arguments": ["cc", "-DOTHER=22", "-Werror", "-c", "b.c"]}]"#;
    project.options.compile_commands = Some(project.write("compile_commands.json", rows.as_bytes()));
    let program = project.program();
    assert_eq!(own_functions(&program), ["main", "f"]);
    expect![[r#"
        func &main() -> i32
        bb0:
          %0: i32 = call &f()
          %1 = add i32 %0, 11 checked
          return %1
        }
        func &f() -> i32
        bb0:
          return i32 22
        }
    "#]]
    .assert_eq(&(text(&program, "main") + &text(&program, "f")));
}

#[test]
fn arguments_for_clang() {
    let mut project = Project::new(&[("a.c", "#include <x.h>\nint main(void) { return X + Y; }\n")]);
    project.write("x.h", b"#define X 3\n");
    project.options.clang_args = vec![format!("-I{}", project.path().display()), "-DY=4".to_owned()];
    expect![[r#"
        func &main() -> i32
        bb0:
          return i32 7
        }
    "#]]
    .assert_eq(&text(&project.program(), "main"));
}
