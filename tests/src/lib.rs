//! What must hold for any input whatever. The suite checks it on random texts, and the fuzz targets (`fuzz/`) on texts that
//! they generate.

pub mod properties;
