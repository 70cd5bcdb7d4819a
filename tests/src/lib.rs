//! What must hold for any input whatever. The suite checks it on random texts, the fuzz targets
//! (`fuzz/`) on texts that they breed.

pub mod properties;
