//! C constructs and the instructions that they become.

use crate::project::{Project, ops, program, text, unsupported};
use expect_test::{Expect, expect};
use tp_ir::{DataModel, Init, Op, Terminator};

/// Compares the function `f` of a source that has no `main`.
fn check(source: &str, expect: Expect) {
    let program = program(&format!("{source}\nint main(void) {{ return ((int (*)(void))f)(); }}\n"));
    expect.assert_eq(&text(&program, "f"));
}

#[test]
fn arithmetic_is_checked_when_signed() {
    check(
        "int f(int a, unsigned b) { return a * 3 + (b - 1) / 2; }",
        expect![[r#"
        func &f(%a.0: i32, %b.1: i32) -> i32
        bb0:
          %2 = mul i32 %a.0, 3 checked
          %3 = sub i32 %b.1, 1
          %4 = udiv i32 %3, 2
          %5 = add i32 %2, %4
          return %5
        }
    "#]],
    );
}

#[test]
fn loops_and_scopes() {
    check(
        "int f(int n) { int s = 0; for (int i = 0; i < n; i++) s += i; return s; }",
        expect![[r#"
        func &f(%n.0: i32) -> i32
        bb0:
          jump bb1(i32 0, i32 0)
        bb1(%s.4: i32, %i.5: i32):
          %1 = cmp slt i32 %i.5, %n.0
          branch %1, bb3, bb2
        bb2:
          jump bb5
        bb3:
          %s.2 = add i32 %s.4, %i.5 checked
          jump bb4
        bb4:
          %i.3 = add i32 %i.5, 1 checked
          jump bb1(%s.2, %i.3)
        bb5:
          return %s.4
        }
    "#]],
    );
}

#[test]
fn fields_and_elements() {
    check(
        "struct s { char c; int v[4]; } *p; int f(int i) { return p->v[i] + p[2].c; }",
        expect![[r#"
        func &f(%i.0: i32) -> i32
        bb0:
          %1 = load ptr @p
          %2 = ptradd i64 * 1 %1, 4
          %3 = sext i32 to i64 %i.0
          %4 = ptradd i64 * 4 %2, %3
          %5 = load i32 %4
          %6 = load ptr @p
          %7 = ptradd i64 * 1 %6, 40
          %8 = load i8 %7
          %9 = sext i8 to i32 %8
          %10 = add i32 %5, %9 checked
          return %10
        }
    "#]],
    );
}

#[test]
fn bit_fields() {
    check(
        "struct { unsigned a : 3, b : 7; } s; void f(unsigned x) { s.b = x; }",
        expect![[r#"
        func &f(%x.0: i32)
        bb0:
          %1 = trunc i32 to i16 %x.0
          %2 = load i16 @s
          %3 = and i16 %1, 127
          %4 = shl i16 %3, 3
          %5 = and i16 %2, -1017
          %6 = or i16 %5, %4
          store i16 %6, @s
          %7 = zext i16 to i32 %3
          return
        }
    "#]],
    );
}

#[test]
fn atomics() {
    check(
        "#include <stdatomic.h>\natomic_int a; int f(int e) {\n\
         atomic_store_explicit(&a, 1, memory_order_release);\n\
         atomic_fetch_add_explicit(&a, 2, memory_order_relaxed);\n\
         atomic_compare_exchange_strong_explicit(&a, &e, 3, memory_order_acq_rel, memory_order_acquire);\n\
         atomic_thread_fence(memory_order_seq_cst); atomic_signal_fence(memory_order_seq_cst);\n\
         return __sync_lock_test_and_set((int *)&a, 4); }",
        expect![[r#"
            func &f(%e.0: i32) -> i32
            bb0:
              store i32 1, @a release
              %1 = rmw add i32 @a, 2 relaxed
              %e.2 = cmpxchg i32 @a, %e.0, 3 acq_rel acquire
              %3 = cmp eq i32 %e.2, %e.0
              branch %3, bb2, bb1
            bb1:
              jump bb2
            bb2:
              %4 = zext i1 to i8 %3
              %5 = trunc i8 to i1 %4
              fence seq_cst
              %6 = rmw exchange i32 @a, 4 seq_cst
              return %6
            }
        "#]],
    );
}

#[test]
fn aggregates_in_registers() {
    check(
        "struct pair { float x, y; }; struct pair g(struct pair); float f(struct pair p) { return g(p).y; }",
        expect![[r#"
            func &f(%0: f32, %1: f32) -> f32
            bb0:
              %2 = alloca i32 8 align 4 private named p typed type0
              %3 = alloca i32 8 align 4 private
              store f32 %0, %2
              %4 = ptradd i64 * 1 %2, 4
              store f32 %1, %4
              scope_begin %3
              %5 = load f32 %2
              %6 = ptradd i64 * 1 %2, 4
              %7 = load f32 %6
              %8: f32, %9: f32 = call &g(%5, %7)
              store f32 %8, %3
              %10 = ptradd i64 * 1 %3, 4
              store f32 %9, %10
              %11 = ptradd i64 * 1 %3, 4
              %12 = load f32 %11
              scope_end %3
              return %12
            }
        "#]],
    );
}

#[test]
fn struct_passed_by_value_is_copied_by_the_callee() {
    check(
        "struct big { int v[9]; }; int f(struct big b, int i) { b.v[0] = i; return b.v[i]; }",
        expect![[r#"
        func &f(%0: ptr, %i.1: i32) -> i32
        bb0:
          %2 = alloca i64 36 align 4 private named b typed type0
          copy i64 %2, %0, 36
          store i32 %i.1, %2
          %3 = sext i32 to i64 %i.1
          %4 = ptradd i64 * 4 %2, %3
          %5 = load i32 %4
          return %5
        }
    "#]],
    );
}

#[test]
fn variable_arguments_of_a_64_bit_program() {
    check(
        "#include <stdarg.h>\nint f(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); return x; }",
        expect![[r#"
            func &f(%n.0: i32, ...%1: ptr) -> i32
            bb0:
              %3 = alloca i32 24 align 16 private named ap typed type1
              scope_begin %3
              store i32 48, %3
              %4 = ptradd i64 * 1 %3, 4
              store i32 176, %4
              %5 = ptradd i64 * 1 %3, 8
              store ptr %1, %5
              %6 = ptradd i64 * 1 %3, 16
              store ptr null, %6
              %7 = load i32 %3
              %8 = cmp ule i32 %7, 40
              branch %8, bb1, bb2
            bb1:
              %12 = ptradd i64 * 1 %3, 16
              %13 = load ptr %12
              %14 = ptradd i32 * 1 %13, %7
              %15 = add i32 %7, 8
              store i32 %15, %3
              jump bb3(%14)
            bb2:
              %9 = ptradd i64 * 1 %3, 8
              %10 = load ptr %9
              %11 = ptradd i64 * 1 %10, 8
              store ptr %11, %9
              jump bb3(%10)
            bb3(%2: ptr):
              %x.16 = load i32 %2
              scope_end %3
              return %x.16
            }
        "#]],
    );
    check(
        "int g(int, ...); int f(void) { return g(1, 2, 3.0, \"x\"); }",
        expect![[r#"
            func &f() -> i32
            bb0:
              %0 = alloca i64 24 align 16 named ...
              scope_begin %0
              store i32 2, %0
              %1 = ptradd i64 * 1 %0, 8
              store f64 3.0, %1
              %2 = ptradd i64 * 1 %0, 16
              store ptr @.str, %2
              %3: i32 = call &g(i32 1, %0)
              scope_end %0
              return %3
            }
        "#]],
    );
}

#[test]
fn variable_arguments_of_a_32_bit_program() {
    let source = "#include <stdarg.h>\n\
        int f(int n, ...) { va_list ap; va_start(ap, n); int x = va_arg(ap, int); return x; }\n\
        int main(void) { return f(1, 2.0, 3); }\n";
    let mut project = Project::new(&[("main.c", source)]);
    project.options.data_model = Some(DataModel::Ilp32);
    let program = project.program();
    expect![[r#"
        func &f(%n.0: i32, ...%ap.1: ptr) -> i32
        bb0:
          %ap.2 = ptradd i32 * 1 %ap.1, 4
          %x.3 = load i32 %ap.1
          return %x.3
        }
        func &main() -> i32
        bb0:
          %0 = alloca i32 12 align 16 named ...
          scope_begin %0
          store f64 2.0, %0
          %1 = ptradd i32 * 1 %0, 8
          store i32 3, %1
          %2: i32 = call &f(i32 1, %0)
          scope_end %0
          return %2
        }
    "#]]
    .assert_eq(&(text(&program, "f") + &text(&program, "main")));
    let again = tp_ir::parse::parse(&program.to_string()).expect("what is printed is read");
    assert_eq!(again.to_string(), program.to_string());
}

#[test]
fn arguments_that_disagree_with_the_callee() {
    let project = Project::new(&[
        ("a.c", "int g(); int main(void) { return g(1, 2L); }"),
        ("b.c", "char g(char a, void *b, int c) { return a + c + (b != 0); }"),
    ]);
    expect![[r#"
        func &main() -> i32
        bb0:
          %0 = int_to_ptr i64 to ptr 2
          %1 = uninit i32
          %2: i8 = call &g(i8 1, %0, %1)
          %3 = sext i8 to i32 %2
          return %3
        }
    "#]]
    .assert_eq(&text(&project.program(), "main"));
}

#[test]
fn switch_and_computed_goto() {
    check(
        "int f(char c) { switch (c) { case 1: return 5; case -2: return 6; default: return 7; } }",
        expect![[r#"
            func &f(%c.0: i8) -> i32
            bb0:
              %1 = sext i8 to i32 %c.0
              switch i32 %1 { 1: bb1, -2: bb2, default: bb3 }
            bb1:
              jump bb4(i32 5)
            bb2:
              jump bb4(i32 6)
            bb3:
              jump bb4(i32 7)
            bb4(%2: i32):
              return %2
            }
        "#]],
    );
    check(
        "int f(int i) { static void *t[] = {&&a, &&b}; goto *t[i]; a: return 1; b: return 2; }",
        expect![[r#"
            func &f(%i.0: i32) -> i32
            bb0:
              %2 = sext i32 to i64 %i.0
              %3 = ptradd i64 * 8 @f.t, %2
              %4 = load ptr %3
              jump bb4(%4)
            bb1:
              jump bb3(i32 1)
            bb2:
              jump bb3(i32 2)
            bb3(%6: i32):
              return %6
            bb4(%1: ptr):
              %5 = ptr_to_int ptr to i64 %1
              switch i64 %5 { 2: bb1, 3: bb2, default: bb5 }
            bb5:
              unreachable
            }
        "#]],
    );
}

#[test]
fn variable_length_array() {
    check(
        "int f(int n) { int v[n]; v[0] = n; return v[0]; }",
        expect![[r#"
        func &f(%n.0: i32) -> i32
        bb0:
          %1 = zext i32 to i64 %n.0
          %2 = stack_save
          %3 = mul i64 %1, 4
          %4 = alloca i64 %3 align 16 private named v typed type2
          store i32 %n.0, %4
          %5 = load i32 %4
          stack_restore %2
          return %5
        }
    "#]],
    );
}

#[test]
fn thread_local_variable() {
    check(
        "static _Thread_local int t[2]; int f(void) { return t[1]; }",
        expect![[r#"
        func &f() -> i32
        bb0:
          %0 = thread_local @t
          %1 = ptradd i64 * 1 %0, 4
          %2 = load i32 %1
          return %2
        }
    "#]],
    );
}

#[test]
fn overflow_builtins() {
    check(
        "_Bool f(int a, int *r) { return __builtin_mul_overflow(a, 3, r); }",
        expect![[r#"
            func &f(%a.0: i32, %r.1: ptr) -> i1
            bb0:
              %2 = sext i32 to i64 %a.0
              %3 = mul i64 %2, 3
              %4 = trunc i64 to i32 %3
              %5 = sext i32 to i64 %4
              %6 = cmp ne i64 %5, %3
              store i32 %4, %r.1
              return %6
            }
        "#]],
    );
}

#[test]
fn integer_pointers() {
    check(
        "int f(void *p) { return p == (void *)-1 || (unsigned long)p % 8; }",
        expect![[r#"
        func &f(%p.0: ptr) -> i32
        bb0:
          %2 = int_to_ptr i64 to ptr -1
          %3 = cmp eq i64 %p.0, %2
          branch %3, bb2(true), bb1
        bb1:
          %4 = ptr_to_int ptr to i64 %p.0
          %5 = urem i64 %4, 8
          %6 = cmp ne i64 %5, 0
          jump bb2(%6)
        bb2(%1: i1):
          %7 = zext i1 to i32 %1
          return %7
        }
    "#]],
    );
}

#[test]
fn compiler_barriers_and_fences() {
    check(
        "int f(int x) { __asm__ volatile(\"\" ::: \"memory\"); __asm__(\"\" : \"+r\"(x));\n\
         __asm__ volatile(\"pause\"); __asm__ volatile(\"mfence\" ::: \"memory\"); return x; }",
        expect![[r#"
            func &f(%x.0: i32) -> i32
            bb0:
              yield
              fence seq_cst
              return %x.0
            }
        "#]],
    );
}

#[test]
fn missing_return_value_is_uninitialised() {
    check(
        "int f(int x) { if (x) return 1; }",
        expect![[r#"
        func &f(%x.0: i32) -> i32
        bb0:
          %3 = uninit i32
          %1 = cmp ne i32 %x.0, 0
          branch %1, bb1, bb2(%3)
        bb1:
          jump bb2(i32 1)
        bb2(%2: i32):
          return %2
        }
    "#]],
    );
}

#[test]
fn atomic_functions_by_name() {
    let program = program(
        "int x; void __VERIFIER_atomic_add(int n) { if (n) { x += n; return; } x = 0; }\n\
         int main(void) { __VERIFIER_atomic_add(1); }\n",
    );
    expect![[r#"
        func &__VERIFIER_atomic_add(%n.0: i32)
        bb0:
          atomic_begin
          %1 = cmp ne i32 %n.0, 0
          branch %1, bb1, bb2
        bb1:
          %2 = load i32 @x
          %3 = add i32 %2, %n.0 checked
          store i32 %3, @x
          jump bb3
        bb2:
          store i32 0, @x
          jump bb3
        bb3:
          atomic_end
          return
        }
    "#]]
    .assert_eq(&text(&program, "__VERIFIER_atomic_add"));
}

#[test]
fn error_function_of_the_user() {
    let program = program("void reach_error(void) {} int main(void) { reach_error(); }\n");
    expect![[r#"
        func &reach_error()
        bb0:
          assert reach-error false, @reach_error.message
          return
        }
    "#]]
    .assert_eq(&text(&program, "reach_error"));
}

#[test]
fn what_is_not_supported_reports_itself_where_it_stands() {
    let program = program(
        "long double g(long double x) { return x; }\n\
         int main(void) { unsigned a; __asm__ volatile(\"rdtsc\" : \"=a\"(a));\n\
         return a + (int)g(1.5L) + (__builtin_return_address(0) != 0); }\n",
    );
    expect![[r#"
        the inline assembly `rdtsc`
        values of type `long double`
        values of type `long double`
        the intrinsic `llvm.returnaddress`"#]]
    .assert_eq(&unsupported(&program, "main").join("\n"));
}

#[test]
fn every_bit_operation_is_expanded() {
    let program = program(
        "int main(int x, char **v) { unsigned u = x; unsigned long long w = u; int r;\n\
         return __builtin_popcount(u) + __builtin_clzll(w) + __builtin_ctz(u) + __builtin_bswap32(u)\n\
         + __builtin_bitreverse8(u) + __builtin_rotateleft32(u, 3) + __builtin_abs(x)\n\
         + __builtin_elementwise_max(x, 3) + __builtin_elementwise_add_sat(x, 9)\n\
         + __builtin_sub_overflow(u, 3u, &u) + __builtin_isnormal((double)x) + __builtin_expect(x, 1); }\n",
    );
    assert_eq!(unsupported(&program, "main"), Vec::<String>::new());
}

#[test]
fn initialisers() {
    let program = program(
        "struct s { char c; int *p; short v[3]; union { float f; int i; } u; };\n\
         int a[4] = {1, -2}; struct s g = {'x', &a[2], {5, 6}, {1.0f}}; struct s *h = &g; int z[1000];\n\
         long distance = (char *)&a[3] - (char *)a; void *all = (void *)-1; extern int unknown;\n\
         const char *text[] = {\"one\", \"two\" + 1};\n\
         int main(void) { return g.c + h->c + z[0] + a[0] + distance + (all != 0) + unknown + text[1][0]; }\n",
    );
    let rows: Vec<String> = program
        .to_string()
        .lines()
        .filter(|line| line.starts_with("global") && !line.contains("model"))
        .map(|line| line.split(" @ ").next().unwrap_or(line).to_owned())
        .collect();
    expect![[r#"
        global @g size 32 align 8 typed type0 = "x\00\00\00\00\00\00\00\00\00\00\00\00\00\00\00\05\00\06\00\00\00\00\00\00\00\80?\00\00\00\00" pointers 8: @a+8
        global @h size 8 align 8 typed type8 = "\00\00\00\00\00\00\00\00" pointers 0: @g
        global @z size 4000 align 16 typed type9 = zero
        global @a size 16 align 16 typed type10 = "\01\00\00\00\fe\ff\ff\ff\00\00\00\00\00\00\00\00"
        global @distance size 8 align 8 typed type11 = "\0c\00\00\00\00\00\00\00"
        global @all size 8 align 8 typed type12 = "\ff\ff\ff\ff\ff\ff\ff\ff"
        global @unknown size 4 align 4 = unknown
        global @text size 16 align 16 typed type13 = zeros 16 pointers 0: @.str, 8: @.str.1+1
        global @.str constant size 4 align 1 typed type15 = "one\00"
        global @.str.1 constant size 4 align 1 typed type15 = "two\00""#]].assert_eq(&rows.join("\n"));
    let unknown = program.global_named("unknown").map(|id| &program.globals[id].init);
    assert_eq!(unknown, Some(&Init::Unknown));
}

#[test]
fn wide_constants_are_whole() {
    check(
        "__int128 f(void) { return ((__int128)1 << 100) - 3; }",
        expect![[r#"
        func &f() -> i128
        bb0:
          return i128 1267650600228229401496703205373
        }
    "#]],
    );
    check(
        "__int128 f(void) { return -((__int128)1 << 100); }",
        expect![[r#"
        func &f() -> i128
        bb0:
          return i128 -1267650600228229401496703205376
        }
    "#]],
    );
}

#[test]
fn no_access_is_moved_or_merged() {
    let program = program("int x, y; int main(void) { if (x) return y; return x + x + y; }\n");
    let main = program.function_named("main").expect("main is there");
    let loads = ops(&program, main).filter(|op| matches!(op, Op::Load { .. })).count();
    assert_eq!(loads, 5);
}

#[test]
fn arguments_and_environment() {
    let mut project = Project::new(&[("prog.c", "int main(int c, char **v, char **e) { return c; }\n")]);
    project.options.program_args = vec!["one".to_owned(), "two words".to_owned()];
    project.options.environment = vec![("HOME".to_owned(), "/tmp".to_owned())];
    let program = project.program();
    let text = program.to_string();
    let names = ["@__tp_arg", "@argv", "@\"argv", "@environ", "@\"environ"];
    let rows = text.lines().filter(|l| l.starts_with("global") && names.iter().any(|name| l.contains(name)));
    let globals = rows.map(|l| l.rsplit_once(" @ ").map_or(l, |p| p.0));
    expect![[r#"
        global @__tp_argc constant model size 4 align 4 = "\03\00\00\00"
        global @"argv[0]" model size 5 align 1 = "prog\00"
        global @"argv[1]" model size 4 align 1 = "one\00"
        global @"argv[2]" model size 10 align 1 = "two words\00"
        global @argv model size 32 align 8 = zeros 32 pointers 0: @"argv[0]", 8: @"argv[1]", 16: @"argv[2]"
        global @"environ[0]" model size 10 align 1 = "HOME=/tmp\00"
        global @environ model size 16 align 8 = zeros 16 pointers 0: @"environ[0]""#]]
    .assert_eq(&globals.collect::<Vec<_>>().join("\n"));
}

#[test]
fn entry_calls_constructors_first() {
    let program = program(
        "int x; __attribute__((constructor(102))) static void second(void) { x *= 2; }\n\
         __attribute__((constructor(101))) static void first(void) { x = 1; }\n\
         __attribute__((destructor)) static void last(void) { x = 0; }\n\
         int main(void) { return x; }\n",
    );
    expect![[r#"
        func &__tp_start() model
        bb0:
          call &atexit(&last)
          call &first()
          call &second()
          call &__tp_main()
          return
        }
    "#]]
    .assert_eq(&text(&program, "__tp_start"));
    let entry = &program.functions[program.entry];
    assert!(entry.params.is_empty());
    let body = entry.body.as_ref().expect("the entry has a body");
    assert!(body.blocks.values().all(|b| matches!(b.terminator, Terminator::Return(_))));
}
