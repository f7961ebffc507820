//! Functions without a body that are taken to be pure.

use threadproof_ir::{assume_pure, parse, print_function, validate};

#[test]
fn results_are_inputs() {
    let text = "program LP64 entry &main\nfunc &sensor(i32, ...) -> i16, ptr\nfunc &log(ptr)\nfunc &main() {\nbb0:\n  return\n}\n";
    let mut program = parse(text).unwrap_or_else(|error| panic!("{error}"));
    let names = assume_pure(&mut program);
    assert_eq!(names.iter().map(|n| &**n).collect::<Vec<_>>(), ["sensor", "log"]);
    validate(&program).expect("the bodies are well formed");
    let sensor = program.function_named("sensor").expect("it is declared");
    let printed = print_function(&program, sensor);
    assert_eq!(printed.matches("input").count(), 2, "{printed}");
    let log = program.function_named("log").expect("it is declared");
    assert!(!print_function(&program, log).contains("input"));
    assert!(assume_pure(&mut program).is_empty(), "all have a body now");
}
