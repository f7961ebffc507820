//! The models that come with Threadproof: their bitcode, compiled by the build script, and the headers that programs
//! may include.

use std::collections::HashMap;
use tp_ir::DataModel;

/// One source file of the models, compiled for one data model.
pub struct ModelFile {
    pub name: &'static str,
    pub bitcode: &'static [u8],
    /// The functions and variables that it defines for others.
    pub defines: &'static [&'static str],
}

include!(concat!(env!("OUT_DIR"), "/models.rs"));

pub fn files(data_model: DataModel) -> &'static [ModelFile] {
    match data_model {
        DataModel::Ilp32 => ILP32,
        DataModel::Lp64 => LP64,
    }
}

/// Which file defines a name.
pub fn index(data_model: DataModel) -> HashMap<&'static str, usize> {
    let rows = files(data_model).iter().enumerate();
    rows.flat_map(|(i, file)| file.defines.iter().map(move |name| (*name, i))).collect()
}

/// Headers by the name they are included with, and their text.
pub fn headers() -> &'static [(&'static str, &'static str)] {
    HEADERS
}
