//! The effects that models declare: attributes of their functions (`TP_DOES` of models/tp.h), which clang lists in a
//! variable.

use crate::FrontendError;
use crate::llvm::{Module, Value};
use crate::types::leaf_types;
use std::collections::HashMap;
use std::path::Path;
use tp_ir::{ModelEffect, Type};

/// The prefix of the attributes that are meant for us.
const MARK: &str = "tp:";

/// Adds the effects that the functions of a module declare, in the order of the source.
pub fn read<'a>(
    module: Module<'a>,
    path: &Path,
    effects: &mut HashMap<Value<'a>, Vec<ModelEffect>>,
) -> Result<(), FrontendError> {
    for (function, text) in annotations(module) {
        let Some(text) = text.strip_prefix(MARK) else { continue };
        let parameters = function.value_type().parameters();
        let params: Vec<Type> = parameters.iter().flat_map(|&p| leaf_types(p).unwrap_or_default()).collect();
        match ModelEffect::from_text(text).filter(|effect| effect.fits(&params)) {
            Some(effect) => effects.entry(function).or_default().push(effect),
            None => {
                let (path, function, text) = (path.to_owned(), function.name(), text.to_owned());
                return Err(FrontendError::BadEffect { path, function, text });
            }
        }
    }
    Ok(())
}

/// The functions with `annotate("…")` attributes, each with the text of one.
fn annotations<'a>(module: Module<'a>) -> impl Iterator<Item = (Value<'a>, String)> {
    let list = module.globals().find(|g| g.name() == "llvm.global.annotations").and_then(|g| g.initializer());
    let rows = list.into_iter().flat_map(|list| (0..).map_while(move |i| list.element(i)));
    rows.filter_map(|row| {
        let function = row.element(0).filter(|f| crate::importer::is_function(*f))?;
        let bytes = row.element(1)?.initializer()?.raw_data();
        let text = bytes.split(|b| *b == 0).next().unwrap_or_default();
        Some((function, String::from_utf8_lossy(text).into_owned()))
    })
}
