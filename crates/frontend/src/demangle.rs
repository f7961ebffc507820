//! Names of C++ as the source has them: `worker(int)` for `_Z6workeri`.

use cpp_demangle::{DemangleOptions, Symbol};

/// What users write differently: the namespace that holds the version of the library, and long names for short types.
const SHORTER: [(&str, &str); 2] = [
    ("std::__1::", "std::"),
    ("std::basic_string<char, std::char_traits<char>, std::allocator<char> >", "std::string"),
];

/// With the types of parameters, or without. `None`: it is not a mangled name.
pub fn demangled(name: &str, with_parameters: bool) -> Option<String> {
    if !name.starts_with("_Z") {
        return None;
    }
    let options = DemangleOptions::new().no_return_type();
    let options = if with_parameters { options } else { options.no_params() };
    let mut text = Symbol::new(name).ok()?.demangle_with_options(&options).ok()?;
    for (long, short) in SHORTER {
        text = text.replace(long, short);
    }
    Some(without_abi_tags(&text))
}

/// Tags as in `get[abi:v1]()` name versions of the library.
fn without_abi_tags(text: &str) -> String {
    let mut parts = text.split("[abi:");
    let first = parts.next().unwrap_or_default().to_owned();
    parts.fold(first, |text, part| text + part.split_once(']').map_or(part, |(_, rest)| rest))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names() {
        let check = |name, expect| assert_eq!(demangled(name, true).as_deref(), expect, "{name}");
        check("_Z6workeri", Some("worker(int)"));
        check("_ZN5Queue4pushEi", Some("Queue::push(int)"));
        check("_ZNSt3__15mutex4lockEv", Some("std::mutex::lock()"));
        check("_ZZ2f1vE1v", Some("f1()::v"));
        check("_Z5twiceIiET_S0_", Some("twice<int>(int)"));
        check("_ZZ4mainENK3$_0clEv", Some("main::$_0::operator()() const"));
        check(
            "_Z3logNSt3__112basic_stringIcNS_11char_traitsIcEENS_9allocatorIcEEEE",
            Some("log(std::string)"),
        );
        check("_ZNSt3__13getB8ne220108Ev", Some("std::get()"));
        check("worker", None);
        check("_Zebra", None);
        assert_eq!(demangled("_ZNSt3__15mutex4lockEv", false).as_deref(), Some("std::mutex::lock"));
    }
}
