//! `merge`: combines the parts of a simulation.

use super::args::Merge;
use super::failure::{Answer, input};
use crate::atomic_write;
use astragal_lab::{Report, part, part_folder};
use std::io::Write;

/// `astragal merge`.
pub(super) fn merge(args: &Merge, out: &mut impl Write) -> Answer {
    let parts = part_folder::read(&args.folders).map_err(input)?;
    let (experiment, games, tally) = part::merge(parts).map_err(input)?;
    let report = Report::new(&experiment, games, &tally);
    if let Some(file) = &args.html {
        atomic_write::replace(file, report.html().as_bytes()).map_err(input)?;
    }
    match args.json {
        true => writeln!(out, "{}", report.json())?,
        false => write!(out, "{}", report.text())?,
    }
    Ok(true)
}
