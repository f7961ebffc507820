//! A function that is only declared, as C declares it: from the debug information that clang leaves for calls, else from the
//! types of LLVM. The text needs no header of the program: structures are only named, type names are resolved.

use crate::debug_types::tag;
use crate::llvm::{Meta, Value};
use crate::types::leaf_types;
use std::collections::BTreeSet;
use tp_ir::{Type, Width};

/// Types nested deeper than this are not written out.
const DEEPEST: u32 = 16;

/// The declaration of a function, and what a definition of it needs to know.
#[derive(Clone, Debug, Default)]
pub struct Prototype {
    /// As in `int f(const char *p1, ...)`; parameters are named `p1`, `p2` …
    pub text: String,
    /// `struct s` and `union u` that it names.
    pub tags: BTreeSet<String>,
    /// Further declarations that it needs.
    pub before: String,
    pub parameters: Vec<Parameter>,
    pub result: Vec<Type>,
    /// The name of the structure that is returned, if the result has several parts.
    pub result_record: Option<String>,
    pub returns: bool,
    /// Only the types of LLVM were known.
    pub is_guessed: bool,
}

/// What a function can do with a parameter.
#[derive(Copy, Clone, PartialEq, Eq, Debug)]
pub enum Parameter {
    Value,
    /// A pointer to memory that the function may write.
    Memory,
    Function,
}

impl Prototype {
    pub fn of(function: Value<'_>) -> Prototype {
        let declared = function.subprogram().and_then(|s| s.subprogram_type());
        let known = declared.and_then(|ty| from_debug_info(&function.name(), ty));
        let mut prototype = known.unwrap_or_else(|| from_llvm(function));
        prototype.result = leaf_types(function.value_type().result()).unwrap_or_default();
        prototype.returns = !function.has_attribute(c"noreturn");
        if !prototype.returns {
            prototype.text.insert_str(0, "_Noreturn ");
        }
        prototype
    }
}

fn from_debug_info(name: &str, ty: Meta<'_>) -> Option<Prototype> {
    let signature = ty.signature();
    let (result, parameters) = signature.split_first()?;
    let mut tags = BTreeSet::new();
    let mut writer = Declarations { tags: &mut tags };
    let mut texts = Vec::new();
    let mut kinds = Vec::new();
    for (i, parameter) in parameters.iter().enumerate() {
        match parameter {
            Some(ty) => {
                texts.push(writer.declare(Some(*ty), format!("p{}", i + 1), 0)?);
                kinds.push(kind(*ty));
            }
            None => texts.push("...".to_owned()),
        }
    }
    // A list of nothing but `...` is `int f();`.
    let list = match &texts[..] {
        [] => "void".to_owned(),
        [only] if only == "..." => String::new(),
        _ => texts.join(", "),
    };
    let text = writer.declare(*result, format!("{name}({list})"), 0)?;
    Some(Prototype { text, tags, parameters: kinds, ..Prototype::default() })
}

fn kind(ty: Meta<'_>) -> Parameter {
    let ty = unqualified(ty);
    match ty.base_type().map(unqualified_but_const) {
        _ if ty.tag() != tag::POINTER => Parameter::Value,
        Some(to) if to.is_function_type() => Parameter::Function,
        Some(to) if to.tag() == tag::CONST => Parameter::Value,
        _ => Parameter::Memory,
    }
}

fn unqualified(mut ty: Meta<'_>) -> Meta<'_> {
    while let tag::TYPEDEF | tag::CONST | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC = ty.tag()
        && let Some(base) = ty.base_type()
    {
        ty = base;
    }
    ty
}

fn unqualified_but_const(mut ty: Meta<'_>) -> Meta<'_> {
    while let tag::TYPEDEF | tag::VOLATILE | tag::RESTRICT | tag::ATOMIC = ty.tag()
        && let Some(base) = ty.base_type()
    {
        ty = base;
    }
    ty
}

struct Declarations<'t> {
    tags: &'t mut BTreeSet<String>,
}

impl Declarations<'_> {
    /// The declaration of `inner`, which is a name with what C writes around it, so far. `None`: a type that cannot be
    /// written without the headers of the program, such as a structure that is passed by value.
    fn declare(&mut self, ty: Option<Meta<'_>>, inner: String, depth: u32) -> Option<String> {
        let Some(ty) = ty else { return Some(with_name("void", &inner)) };
        if depth > DEEPEST {
            return None;
        }
        let of = |this: &mut Self, inner: String| this.declare(ty.base_type(), inner, depth + 1);
        match ty.tag() {
            tag::BASE => is_c_type(&ty.type_name()).then(|| with_name(&ty.type_name(), &inner)),
            tag::POINTER => self.pointer(ty, &inner, depth),
            tag::TYPEDEF => of(self, inner),
            tag::CONST => self.qualified("const", ty, inner, depth),
            tag::VOLATILE => self.qualified("volatile", ty, inner, depth),
            tag::RESTRICT => of(self, format!("restrict {inner}")),
            tag::ATOMIC => self.qualified("_Atomic", ty, inner, depth),
            tag::ENUMERATION => match ty.base_type() {
                Some(_) => of(self, inner),
                None => Some(with_name("int", &inner)),
            },
            tag::ARRAY => {
                let size = |d: &Meta<'_>| d.dimension_count().map_or(String::new(), |n| n.to_string());
                let sizes: String = ty.elements().iter().map(|d| format!("[{}]", size(d))).collect();
                of(self, format!("{inner}{sizes}"))
            }
            _ if ty.is_function_type() => {
                let signature = ty.signature();
                let (result, parameters) = signature.split_first()?;
                let mut texts = Vec::new();
                for parameter in parameters {
                    texts.push(match parameter {
                        Some(ty) => self.declare(Some(*ty), String::new(), depth + 1)?,
                        None => "...".to_owned(),
                    });
                }
                let list = if texts.is_empty() { "void".to_owned() } else { texts.join(", ") };
                self.declare(*result, format!("{inner}({list})"), depth + 1)
            }
            _ => None,
        }
    }

    fn pointer(&mut self, pointer: Meta<'_>, inner: &str, depth: u32) -> Option<String> {
        let Some(to) = pointer.base_type() else { return Some(with_name("void", &format!("*{inner}"))) };
        let aim = unqualified(to);
        match aim.tag() {
            tag::STRUCTURE if aim.type_name() == "__va_list_tag" => {
                Some(with_name("__builtin_va_list", inner))
            }
            tag::STRUCTURE | tag::UNION | tag::CLASS => {
                let word = if aim.tag() == tag::UNION { "union" } else { "struct" };
                let name = match aim.type_name() {
                    name if name.is_empty() => "void".to_owned(),
                    name => {
                        let tagged = format!("{word} {name}");
                        self.tags.insert(tagged.clone());
                        tagged
                    }
                };
                let is_const = unqualified_but_const(to).tag() == tag::CONST;
                Some(with_name(
                    &format!("{}{name}", if is_const { "const " } else { "" }),
                    &format!("*{inner}"),
                ))
            }
            tag::ARRAY => self.declare(Some(to), format!("(*{inner})"), depth + 1),
            _ if aim.is_function_type() => self.declare(Some(to), format!("(*{inner})"), depth + 1),
            _ => self.declare(Some(to), format!("*{inner}"), depth + 1),
        }
    }

    /// The qualifier of a pointer stands after its star, others in front.
    fn qualified(&mut self, word: &str, ty: Meta<'_>, inner: String, depth: u32) -> Option<String> {
        let base = ty.base_type();
        if base.is_some_and(|base| unqualified(base).tag() == tag::POINTER) {
            return self.declare(base, with_name(word, &inner), depth + 1);
        }
        self.declare(base, inner, depth + 1).map(|text| format!("{word} {text}"))
    }
}

fn with_name(ty: &str, inner: &str) -> String {
    match inner {
        "" => ty.to_owned(),
        _ if ty.ends_with('*') => format!("{ty}{inner}"),
        _ => format!("{ty} {inner}"),
    }
}

fn is_c_type(name: &str) -> bool {
    let words =
        ["char", "short", "int", "long", "signed", "unsigned", "float", "double", "_Bool", "__int128"];
    !name.is_empty() && name.split(' ').all(|word| words.contains(&word))
}

/// What the ABI passes: structures in pieces, or by their address.
fn from_llvm(function: Value<'_>) -> Prototype {
    let (name, ty) = (function.name(), function.value_type());
    let mut texts = Vec::new();
    let mut parameters = Vec::new();
    for leaf in ty.parameters().iter().flat_map(|&p| leaf_types(p).unwrap_or_default()) {
        texts.push(with_name(c_type(leaf), &format!("p{}", texts.len() + 1)));
        parameters.push(if leaf == Type::Ptr { Parameter::Memory } else { Parameter::Value });
    }
    let list = match (texts.is_empty(), ty.is_variadic()) {
        (true, true) => String::new(),
        (true, false) => "void".to_owned(),
        (false, true) => texts.join(", ") + ", ...",
        (false, false) => texts.join(", "),
    };
    let (mut before, mut result_record) = (String::new(), None);
    let result = match &leaf_types(ty.result()).unwrap_or_default()[..] {
        [] => "void".to_owned(),
        &[only] => c_type(only).to_owned(),
        several => {
            let record = format!("struct {name}_result");
            let fields: String = several
                .iter()
                .enumerate()
                .map(|(i, &leaf)| format!("    {};\n", with_name(c_type(leaf), &format!("r{}", i + 1))))
                .collect();
            before = format!("{record} {{\n{fields}}};\n");
            result_record = Some(record.clone());
            record
        }
    };
    let text = with_name(&result, &format!("{name}({list})"));
    Prototype { text, before, parameters, result_record, is_guessed: true, ..Prototype::default() }
}

fn c_type(ty: Type) -> &'static str {
    match ty {
        Type::Ptr => "void *",
        Type::F32 => "float",
        Type::F64 => "double",
        Type::Int(Width::BOOL) => "_Bool",
        Type::Int(width) => match width.bits() {
            0..=8 => "char",
            9..=16 => "short",
            17..=32 => "int",
            33..=64 => "long long",
            _ => "__int128",
        },
    }
}
