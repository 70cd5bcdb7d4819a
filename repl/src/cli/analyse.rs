//! `analyse`: analyzes the games of a record.

use super::args::Analyse;
use super::failure::{Answer, Failure, input, of_rule};
use super::plural::many;
use super::progress::Progress;
use super::records;
use crate::{atomic_write, signals, tables};
use astragal_dsl::record::{self, Record};
use astragal_lab::analyse::{AnalysisError, analyse as analysed};
use astragal_lab::learning::file;
use astragal_service::analysis_text;
use astragal_service::interrupt::StopToken;
use astragal_service::variant_cache::VariantCache;
use std::io::Write;
use std::sync::Arc;

/// `astragal analyse`.
pub(super) fn analyse(args: &Analyse, out: &mut impl Write) -> Answer {
    let text = records::read(&args.file)?;
    let stop = StopToken::default();
    signals::listen_for_end(&stop);
    match stop.during(|| each(args, &text, &stop, out)) {
        Err(_) if stop.is_requested() => Err(Failure::Stopped),
        answer => answer,
    }
}

/// Analyzes each game of a record, until `stop` is requested.
fn each(args: &Analyse, text: &str, stop: &StopToken, out: &mut impl Write) -> Answer {
    let mut cache = VariantCache::new();
    let name = args.file.display().to_string();
    let load = records::loader(&mut cache, args.variant.as_deref(), &name);
    let progress = Progress::new();
    for (index, game) in record::read_each(text, load).enumerate() {
        let Record { loaded, game, .. } = game.map_err(|error| input(format!("{name}: {error}")))?;
        let tables = tables::read_all(&args.tables, &loaded).map_err(input)?;
        let mut evaluation = tables.evaluation(&loaded).map_err(of_rule(&loaded))?;
        if let Some(path) = &args.learned {
            let read = |bytes: Vec<u8>| file::read(&bytes, &loaded).map_err(|error| error.to_string());
            let (_, values) =
                file::bytes(path).and_then(read).map_err(|why| input(format!("{}: {why}", path.display())))?;
            evaluation = evaluation.with_learned(Arc::new(values));
        }
        let show = |done: usize, of: usize| progress.show(|| format!("game {}: event {done} of {of}", index + 1));
        let analysis = analysed(&loaded, &Arc::new(evaluation), &game, args.level, &show);
        progress.clear();
        let analysis = analysis.map_err(|error: AnalysisError| match error.is_stop() && stop.is_requested() {
            true => Failure::Stopped,
            false => of_rule(&loaded)(error),
        })?;
        if let Some(file) = args.svg.as_ref().filter(|_| index == 0) {
            atomic_write::replace(file, analysis_text::svg(&analysis).as_bytes()).map_err(input)?;
        }
        match args.json {
            true => writeln!(out, "{}", analysis_text::json(&analysis))?,
            false => {
                let (gap, turns) = (if index > 0 { "\n" } else { "" }, record::turns(&game).len());
                writeln!(out, "{gap}{name}: {}, {}", loaded.title, many(turns, "turn"))?;
                write!(out, "{}", analysis_text::text(&analysis, args.ascii))?;
            }
        }
    }
    Ok(true)
}
