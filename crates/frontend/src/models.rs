//! The models that come with Threadproof: their bitcode, compiled by the build script, and the headers that programs
//! may include.

use tp_ir::DataModel;

/// One source file of the models, compiled for one data model.
pub struct ModelFile {
    pub name: &'static str,
    pub bitcode: &'static [u8],
}

/// All source files for one data model.
pub struct Models {
    pub files: &'static [ModelFile],
    /// The functions and variables that files define for others, with the number of the file; sorted by name.
    names: &'static [(&'static str, usize)],
}

include!(concat!(env!("OUT_DIR"), "/models.rs"));

pub fn models(data_model: DataModel) -> &'static Models {
    match data_model {
        DataModel::Ilp32 => &ILP32,
        DataModel::Lp64 => &LP64,
    }
}

impl Models {
    /// The number of the file that defines a name.
    pub fn defining(&self, name: &str) -> Option<usize> {
        let at = self.names.binary_search_by_key(&name, |(name, _)| name).ok()?;
        Some(self.names[at].1)
    }
}

/// Headers by the name they are included with, and their text.
pub fn headers() -> &'static [(&'static str, &'static str)] {
    HEADERS
}
