//! The validator: each rule with a program that breaks it and the sentences it gets.

use threadproof_ir::{parse, validate};

fn check(text: &str, expect: &[&str]) {
    let program = parse(text).unwrap_or_else(|error| panic!("{error}\n{text}"));
    let found: Vec<String> = match validate(&program) {
        Ok(()) => Vec::new(),
        Err(list) => list.iter().map(|invalid| invalid.to_string()).collect(),
    };
    assert_eq!(found, expect, "\n{text}");
}

/// `lines` are added to a program with an entry and a variadic function.
fn check_program(lines: &str, expect: &[&str]) {
    check(
        &format!("program LP64 entry &main\nfunc &main()\nfunc &take(i32, ...) -> i32, ptr\n{lines}"),
        expect,
    );
}

/// `expect`: the faults of this one instruction.
fn check_inst(inst: &str, expect: &[&str]) {
    let text = format!("func &f(%0: i32, %1: ptr, %2: i1, %3: f64) {{\nbb0:\n  {inst}\n  return\n}}");
    let expect: Vec<String> =
        expect.iter().map(|e| format!("function `f`, bb0, instruction 0: {e}")).collect();
    check_program(&text, &expect.iter().map(|e| &**e).collect::<Vec<_>>());
}

#[test]
fn well_formed() {
    check_inst("%4 = add i32 %0, 1 checked", &[]);
    check_inst("%4 = cmp ult i64 %1, null", &[]);
    check_inst("%4: i32, %5: ptr = call &take(%0, null)", &[]);
    check_inst("%4: i32 = call &take(%0, null)", &[]);
    check_inst("call indirect %1(%0)", &[]);
    check_inst("%4: i64 = stack_save", &[]);
    check_inst("unsupported \"x\"", &[]);
    check_inst("%4 = bitcast f64 to i64 %3", &[]);
}

#[test]
fn operands_and_results() {
    check_inst("%4 = add i64 %0, 1", &["operand %0 is i32, expected i64"]);
    check_inst("%4 = add i64 i8 3, 1", &["operand const0 is i8, expected i64"]);
    check_inst("%4 = cmp eq i32 %1, 0", &["operand %1 is ptr, expected i32 (or a pointer of that width)"]);
    check_inst("%4: i32 = load i8 %1", &["the result is i32, expected i8"]);
    check_inst("load i8 %1", &["the result is assigned to no register"]);
    check_inst("%4: i32 = yield", &["a result is assigned, but there is none"]);
    check_inst("output 1, %1, i32 5", &["operand const1 is i32, expected an integer of the pointer width"]);
    check_inst(
        "stack_restore %0",
        &["operand %0 is i32, expected a pointer or an integer of the pointer width"],
    );
    check_inst("%4: i32 = select %2, %0, %1", &["operand %1 is ptr, expected i32"]);
    check_inst("%4: i32 = select %0, %0, %0", &["operand %0 is i32, expected i1"]);
}

#[test]
fn operations() {
    check_inst("%4 = xor i32 %0, 1 checked", &["only add, sub and mul can be checked"]);
    check_inst("%4 = fneg i32 %0", &["this operation does not exist on i32"]);
    check_inst("%4 = rmw fadd i32 %1, 1 seq_cst", &["this operation does not exist on i32"]);
    check_inst("%4 = rmw add f64 %1, 1.0 seq_cst", &["this operation does not exist on f64"]);
    check_inst("%4 = zext i32 to i32 %0", &["zext cannot turn i32 into i32"]);
    check_inst("%4 = trunc i32 to i33 %0", &["trunc cannot turn i32 into i33"]);
    check_inst("%4 = bitcast f64 to i32 %3", &["bitcast cannot turn f64 into i32"]);
    check_inst("%4 = ptr_to_int i32 to i64 %0", &["ptr_to_int cannot turn i32 into i64"]);
    check_inst("%4 = float_to_float f64 to f64 %3", &["float_to_float cannot turn f64 into f64"]);
    let order = "this operation cannot have this memory order";
    check_inst("%4 = rmw add i32 %1, 1 plain", &[order]);
    check_inst("%4 = cmpxchg i32 %1, 1, 1 plain seq_cst", &[order]);
    check_inst("%4 = cmpxchg i32 %1, 1, 1 seq_cst release", &[order]);
    check_inst("fence relaxed", &[order]);
    check_inst("%4 = load i32 %1 release", &[order]);
    check_inst("store i32 1, %1 acquire", &[order]);
    check_inst(
        "%4 = alloca i64 4 align 0 typed type9",
        &["the alignment 0 is not a power of two", "there is no type9"],
    );
}

#[test]
fn calls() {
    check_inst("call &take(%0)", &["1 arguments, expected 2"]);
    check_inst("call &take(%1, %1)", &["argument 0 is ptr, expected i32"]);
    check_inst("call &take(%0, %0)", &["argument 1 is i32, expected ptr"]);
    check_inst("%4: i64 = call &take(%0, %1)", &["result 0 is i64, expected i32"]);
    check_inst("%4: i32, %5: ptr, %6: ptr = call &take(%0, %1)", &["3 results of the call, expected 2"]);
}

#[test]
fn effects() {
    check_program(
        "func &f(ptr) model embedded does \"wake 0\", \"wake 1\"\nfunc &g() does \"output\"\nfunc &h() embedded",
        &[
            "function `f`: `wake 1` is about an argument that is not there, or is no pointer",
            "function `g`: only a model can be embedded or say what it does",
            "function `h`: only a model can be embedded or say what it does",
        ],
    );
}

#[test]
fn thread_locals() {
    let function = "func &f() {\nbb0:\n  %0 = thread_local @shared\n  %1 = load i32 @own\n  return\n}\n\
                    global @shared size 4 align 4 = zero\nglobal @own thread_local size 4 align 4 = zero";
    check_program(
        function,
        &[
            "function `f`, bb0, instruction 0: global0 is not thread-local",
            "function `f`, bb0, instruction 1: global1 is thread-local: its address is not a constant",
        ],
    );
}

#[test]
fn assignments() {
    check_program(
        "func &f(%0: i1) {
        unassigned %4: i32
        bb0:
          %1 = add i32 %2, %1
          %2 = thread_self
          branch %0, bb1, bb2
        bb1:
          %3 = thread_self
          %2 = thread_self
          jump bb2
        bb2:
          %5 = add i32 %3, %4
          exit %1
          jump bb2
        bb3:
          exit %3
          %6 = add i32 %7, 1
          %7 = thread_self
          return
        }",
        &[
            "function `f`, bb1, instruction 1: %2 is assigned twice",
            "function `f`, bb0, instruction 0: %2 is not assigned on every path that leads here",
            "function `f`, bb0, instruction 0: %1 is not assigned on every path that leads here",
            "function `f`, bb2, instruction 0: %3 is not assigned on every path that leads here",
            "function `f`, bb2, instruction 0: %4 is not assigned on every path that leads here",
            "function `f`, bb3, instruction 1: %7 is not assigned on every path that leads here",
        ],
    );
}

#[test]
fn blocks() {
    check_program("func &f() {\n}", &["function `f`: the body has no blocks"]);
    check_program(
        "func &f(%0: i32) -> i32 {
        bb0(%1: i32):
          switch i2 1 { 0x7: bb1, 1: bb1(%0, true), 0x1: bb9, default: bb2 }
        bb1(%2: i32, %3: i32):
          return
        bb2:
          return null
        bb3:
          branch %0, bb1(%0, %0), bb0(%0)
        }",
        &[
            "function `f`, bb0, parameters: the first block has parameters",
            "function `f`, bb0, terminator: 0 block arguments, expected 2",
            "function `f`, bb0, terminator: block argument 1 is i1, expected i32",
            "function `f`, bb0, terminator: there is no bb9",
            "function `f`, bb0, terminator: the number 0x7 has bits above its width",
            "function `f`, bb0, terminator: the case 0x1 occurs twice",
            "function `f`, bb1, terminator: 0 results, expected 1",
            "function `f`, bb2, terminator: result 0 is ptr, expected i32",
            "function `f`, bb3, terminator: operand %0 is i32, expected i1",
        ],
    );
}

/// Programs that no text can express.
#[test]
fn handles() {
    use threadproof_ir::{Callee, FuncId, GlobalId, Op, PlaceId, Reg};
    let text = "program LP64 entry &f\nfunc &f() {\nbb0:\n  call &f()\n  %0 = thread_local @g\n  return\n}\n\
                global @g thread_local size 1 align 1 = zero";
    let mut program = parse(text).expect("a program");
    assert_eq!(validate(&program), Ok(()));
    program.entry = FuncId::from_u32(7);
    let f = FuncId::from_u32(0);
    let function = &mut program.functions[f];
    function.params.push(threadproof_ir::Type::Ptr);
    function.place = PlaceId::from_u32(9);
    let body = function.body.as_mut().expect("a body");
    let block = body.blocks.values_mut().next().expect("a block");
    block.insts[1].op = Op::ThreadLocal { global: GlobalId::from_u32(5) };
    block.insts[1].result = Some(Reg::from_u32(8));
    if let Op::Call(call) = &mut block.insts[0].op {
        call.callee = Callee::Direct(FuncId::from_u32(3));
        call.args = [Reg::from_u32(6).into()].into();
    }
    let found: Vec<String> = validate(&program).expect_err("faults").iter().map(|i| i.to_string()).collect();
    let expect = [
        "program: there is no fn7",
        "function `f`: there is no place9",
        "function `f`: 0 parameters, expected 1",
        "function `f`, bb0, instruction 1: there is no %8",
        "function `f`, bb0, instruction 0: there is no %6",
        "function `f`, bb0, instruction 0: there is no fn3",
        "function `f`, bb0, instruction 1: there is no global5",
    ];
    assert_eq!(found, expect);
    // An invalid program still prints.
    assert!(program.to_string().contains("call &#3(%6)"));
}

#[test]
fn tables() {
    check_program(
        "type0 = pointer to type7\nplaces 3:0:0, 0:1:1 inlined place1\nconstants i8 0x100",
        &[
            "program: there is no file3",
            "program: place1 is inlined at a place that does not come before it",
            "program: there is no type7",
            "program: the number 0x100 has bits above its width",
        ],
    );
    check("program LP64 entry &f\nfunc &f(i32)", &["program: the entry takes parameters"]);
    check("program LP64 entry &f\nfunc &f(...)", &["program: the entry takes parameters"]);
    check_program(
        "global @g thread_local size 8 align 3 typed type2 = \"abcd\" pointers 1: @g, 0: i64 5",
        &[
            "global `g`: there is no type2",
            "global `g`: the alignment 3 is not a power of two",
            "global `g`: 4 bytes initialise an object of 8",
            "global `g`: the pointer at 1 is not inside the object",
            "global `g`: global0 is thread-local: its address is not a constant",
            "global `g`: the pointer at 0 is not inside the object",
            "global `g`: const1 is not a pointer",
        ],
    );
}
