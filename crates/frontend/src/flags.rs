// The flags that every source is compiled with, programs and models alike. The build script includes this file.
//
// `-O1` without any pass, because `-O0` drops the bodies of C99 `inline` functions and emits no lifetime marks; the
// code is otherwise the same. What `-O1` turns on in headers and in the code itself is turned off again.

pub const FLAGS: &[&str] = &[
    "-c",
    "-emit-llvm",
    "-g",
    "-O1",
    "-Xclang",
    "-disable-llvm-passes",
    "-U__OPTIMIZE__",
    "-D__NO_INLINE__=1",
    "-U_FORTIFY_SOURCE",
    "-D__THREADPROOF__=1",
    // Each access and each operation means what the source shows.
    "-fno-strict-aliasing",
    "-ffp-contract=off",
    // `sqrt(x)` becomes an operation instead of a call.
    "-fno-math-errno",
    // These would become intrinsics with two results; as calls they have models.
    "-fno-builtin-modf",
    "-fno-builtin-modff",
    "-fno-builtin-sincos",
    "-fno-builtin-sincosf",
    "-fno-stack-protector",
    "-fno-color-diagnostics",
    // A crash of clang becomes an error message of ours, and leaves no files behind.
    "-fno-crash-diagnostics",
    "-Qunused-arguments",
    "-Wno-unknown-warning-option",
];

pub const C: &[&str] = &[
    // Old programs rely on these; other compilers only warn.
    "-Wno-error=implicit-function-declaration",
    "-Wno-error=implicit-int",
    "-Wno-error=int-conversion",
    "-Wno-error=incompatible-function-pointer-types",
    "-Wno-error=incompatible-pointer-types",
    "-Wno-error=return-mismatch",
    "-Wno-error=return-type",
];

/// The C++ library whose headers programs are compiled with: models/cxx_*.c are what it has in its object files.
#[allow(dead_code, reason = "the build script, which includes this file, compiles no C++")]
pub const CXX_LIBRARY: &str = "-stdlib=libc++";

#[allow(dead_code, reason = "the build script, which includes this file, compiles no C++")]
pub const CXX: &[&str] = &[CXX_LIBRARY, "-Wno-error=return-type"];
