//! Collects the findings of all passes for one script with one choice of options: first from its text, then from its
//! declarations, and at last from trial games.

use super::endings::Endings;
use super::name_table::{NameTable, parse};
use super::report::Report;
use super::trial_games::{Permission, TIME, TrialStage, limits};
use super::{
    behind, counted, declared, definitions, die_faces, disjoint, echoes, endings, frozen, given_away, heap_counts,
    hidden_values, infer, literals, looks, names, no_difference, options, permits, populated, recovery, recursion,
    regions, rules, spelled_keys, stores, tracks, trait_values, trial_games, unused, verdicts,
};
use crate::diagnostic::{Code, Diagnostic, LoadError, Severity};
use crate::host::engine::Clock;
use crate::host::locate::place_of_function;
use crate::host::mixed_up;
use crate::host::script::{self, Script};
use crate::host::tokens::tokens;
use crate::library::Source;
use crate::load::Declared;
use crate::tree_growth::TreeGrowth;
use crate::vocabulary::Known;
use std::sync::Arc;

/// The findings for a script, with or without trial games.
pub(super) fn all_under(
    source: &Source,
    given: &[(String, String)],
    trials: Option<TrialStage<'_>>,
) -> Vec<Diagnostic> {
    let mut found = looked_at(source, given, trials);
    found.iter_mut().for_each(mixed_up::alike);
    found
}

fn looked_at(source: &Source, given: &[(String, String)], trials: Option<TrialStage<'_>>) -> Vec<Diagnostic> {
    let mut report = Report::new(source);
    if let Err(error) = script::refuse_size(source) {
        return of_load(source, error);
    }
    let mut recovered = recovery::recover(source);
    report.found.clone_from(&recovered.errors);
    let source = &recovered.source.clone();
    let Some(ast) = parse(&source.text).ok().filter(|_| recovered.whole) else {
        return of_recovered(report, &recovered).sorted();
    };
    let functions = definitions::definitions(&ast);
    let text = report.text.clone();
    let words = tokens(&text);
    let table = NameTable::of(&ast);
    let known = Known::of_language();
    names::check(&table, known, &mut report);
    recursion::check(&functions, &table, &mut report);
    let misnamed = rules::misnamed(&table, |name| place_of_function(&source.text, name), &mut report);
    rules::parameters(&table, |name| place_of_function(&source.text, name), &mut report);
    rules::endless(&table, &mut report);
    rules::never_takes(&table, |name| place_of_function(&source.text, name), &mut report);
    permits::looking(&table, &mut report);
    frozen::check(&ast, &functions, &mut report);
    permits::taken_away(&words, &mut report);
    declared::variables_twice(&words, &mut report);
    stores::check(&words, &mut report);
    no_difference::check(&words, &mut report);
    disjoint::check(&ast, &functions, &mut report);
    given_away::check(&words, &mut report);
    declared::board_too_late(&table, &mut report);
    let clock = Clock::start();
    let file = source.file();
    let at_cause = |said: &mut Diagnostic| at_cause(said, &table, &file, &text);
    let all = behind::declarations(&mut recovered, given, &limits(), &at_cause);
    let slow = clock.is_past(TIME / 2);
    let before = report.found.len();
    if let (Some((_, declared)), false) = (&all.loaded, all.partial) {
        heap_counts::check(&ast, &declared.variant, &declared.start, &mut report);
    }
    let endings = Endings::of(&ast, &functions, &table);
    let world = all.loaded.as_ref().map(|loaded| match all.partial {
        true if all.no_start => partly(loaded, &table, known, &mut report).without_start(),
        true => partly(loaded, &table, known, &mut report),
        false => whole(loaded, &table, known, &endings, &mut report),
    });
    infer::check(&ast, &functions, &words, known, world.as_ref(), &mut report);
    if world.is_some() && !all.partial {
        endings::settled(&endings, &mut report);
    }
    if all.partial {
        behind::without_followers(&mut report.found, before, &recovered);
    }
    for error in all.failed {
        failed(source, error, &mut report);
    }
    echoes::dropped(&mut report);
    if report.has_errors() {
        report.found.retain(|said| !options::may_follow(said));
    }
    if !all.partial && world.is_some() {
        unused::hiding(&table, &words, &mut report);
        // In a script with errors, something may be unused only because of an error.
        if !report.has_errors() {
            unused::check(&table, &words, &mut report);
        }
    }
    if let Some(TrialStage { begins, stop }) = trials.filter(|_| !report.has_errors() && !slow) {
        if let Some(begins) = begins {
            let mut known = of_recovered(report.clone(), &recovered).with_cures(&table).sorted();
            known.iter_mut().for_each(mixed_up::alike);
            begins(known);
        }
        let permission = Permission::new(stop);
        played(source, given, &table, &endings, (misnamed, &permission), &mut report);
        if permission.is_stopped() {
            return Vec::new();
        }
        report.at_their_cause();
    }
    of_recovered(report, &recovered).with_cures(&table).sorted()
}

/// The report without findings that exist only because unreadable code was removed.
fn of_recovered(mut report: Report, recovered: &recovery::Recovered) -> Report {
    if !recovered.errors.is_empty() {
        // The removed code may contain the only use of a name.
        let follows = |said: &Diagnostic| recovered.follows(said) || recovered.needs_what_is_out(said);
        let unused =
            |said: &Diagnostic| said.code == Some(Code::Unused) || said.message.ends_with("no rule mentions it");
        report.found.retain(|said| !follows(said) && !unused(said));
    }
    // Show the author's text, whatever was removed from it.
    let (file, text) = (report.file().to_string(), report.text.clone());
    report.found.iter_mut().filter(|said| said.file == file).for_each(|said| said.text = text.clone());
    // Always report a syntax error, even if all findings were filtered as consequences of another one.
    if let (Some(first), false) = (&recovered.first, report.has_errors()) {
        report.push(first.clone());
    }
    report
}

/// Moves the reason for a failed load to the place that causes it.
fn at_cause(said: &mut Diagnostic, table: &NameTable, file: &str, text: &Arc<str>) {
    declared::too_late(table, said);
    declared::first_place(table, said);
    declared::somewhere(said);
    populated::setup_left_out(table, said);
    declared::within_text(said);
    declared::board_again(table, said);
    declared::castling_place(table, said);
    declared::of_base(file, text, said);
}

/// Reports why a script cannot be loaded.
fn failed(source: &Source, error: LoadError, report: &mut Report) {
    for diagnostic in of_load(source, error) {
        // A warning on the line does not explain that it cannot run.
        let says_it = |d: &Diagnostic| d.severity == Severity::Error && d.line == diagnostic.line;
        let has_errors = report.has_errors();
        let known = report.found.iter_mut().find(|d| says_it(d) && d.file == diagnostic.file);
        match known {
            Some(known) => known.notes.extend(diagnostic.notes.into_iter().filter(|note| note == recovery::UNSEEN)),
            None if diagnostic.line > 0 || !has_errors => report.push(diagnostic),
            None => {}
        }
    }
}

/// Runs the checks that work even if some declarations are missing. Returns the world that the script's names refer to.
fn partly<'v>(
    (script, declared): &'v (Script, Declared),
    table: &NameTable,
    known: &Known,
    report: &mut Report,
) -> infer::World<'v> {
    let rules = table.reached(&rules::RULES, false);
    let reached = table.reached(&rules::RULES, true);
    literals::check(table, known, script, &reached, &rules, report);
    options::check(table, &declared.options, report);
    options::twice(table, report);
    options::same(table, &declared.options, &report.text.clone(), report);
    declared::twice(script, table, report);
    declared::side_names(table, report);
    looks::check(table, &declared.variant, report);
    die_faces::check(table, &declared.variant, &declared.faces, report);
    spelled_keys::check(&declared.variant, report);
    infer::World::of(&declared.variant, &declared.start, table)
}

/// Runs the further checks that require a complete top level.
fn whole<'v>(
    loaded: &'v (Script, Declared),
    table: &NameTable,
    known: &Known,
    endings: &Endings,
    report: &mut Report,
) -> infer::World<'v> {
    let world = partly(loaded, table, known, report);
    let declared = &loaded.1;
    permits::royals(table, &declared.variant, report);
    permits::castling(table, &declared.variant, report);
    permits::from_nowhere(table, &declared.variant, report);
    permits::not_along(table, &declared.variant, report);
    declared::castlings(table, &declared.variant, report);
    declared::hands(table, &declared.variant, report);
    declared::heaps(table, &declared.variant, report);
    declared::glyphs(table, &declared.variant, report);
    tracks::check(table, &declared.variant, report);
    if !report.has_errors() {
        declared::no_set_up(table, &declared.variant, &declared.start, report);
    }
    declared::written(table, report);
    populated::no_royals(table, &declared.variant, report);
    declared::promotions(table, &declared.variant, report);
    declared::promotes_to_itself(table, &declared.variant, report);
    declared::empty_hands(table, &declared.variant, &declared.start, report);
    regions::check(table, &declared.variant, &declared.start, report);
    regions::outside(table, &declared.variant, &declared.start, report);
    endings::check(endings, table, &declared.variant, &declared.start, report);
    tracks::short_of_the_end(table, endings, &declared.variant, report);
    counted::check(table, endings, &declared.variant, report);
    populated::unlike(table, &declared.variant, &declared.start, declared.symmetry.is_some(), report);
    trait_values::twice(table, &declared.variant, &declared.start, report);
    populated::past_the_hand(table, &declared.variant, report);
    populated::never_comes(table, &declared.variant, &declared.start, report);
    world
}

/// Reports the problems that trial games reveal.
fn played(
    source: &Source,
    given: &[(String, String)],
    table: &NameTable,
    endings: &Endings,
    (misnamed, permission): (bool, &Permission),
    report: &mut Report,
) {
    let played = trial_games::play(source, &given.to_vec(), permission, report);
    let Some(trials) = played.filter(|_| !permission.is_stopped()) else { return };
    let loaded = &trials.tried[0].loaded;
    for failed in report.found.iter_mut().filter(|said| said.code == Some(Code::Play)) {
        populated::without_pieces(table, &loaded.set.variant, &loaded.start, failed);
    }
    permits::never(loaded, table, report);
    permits::sideless(loaded, report);
    tracks::entering(&trials.coverage, &source.name, report);
    hidden_values::secrets(loaded, report);
    hidden_values::never_filled(table, loaded, report);
    if misnamed || report.has_errors() {
        return;
    }
    for (rule, growth) in &trials.tried[0].shown.growing {
        slow(source, rule, growth.as_ref(), report);
    }
    verdicts::check(source, table, endings, &trials, report);
}

/// Notes a rule that depends on too many values to be cached, at the query most responsible.
fn slow(source: &Source, rule: &str, growth: Option<&TreeGrowth>, report: &mut Report) {
    let own =
        |place: &&astragal_core::rule::SourceLocation| place.file.as_deref().is_none_or(|file| file == source.file());
    let place = growth.and_then(|growth| growth.place.as_ref());
    let here = place.filter(own).map(|place| (place.line, place.column));
    let at = here.unwrap_or_else(|| place_of_function(&source.text, rule));
    let shown = match (place, here) {
        (_, Some(_)) => "this place".to_string(),
        (Some(place), None) => format!("line {} of {}", place.line, place.file.as_deref().unwrap_or_default()),
        (None, None) => "one place".to_string(),
    };
    let (why, help) = growth.map(|growth| growth.cause.words(&shown)).unzip();
    let why = why.map_or(String::new(), |why| format!(" ({why})"));
    let message = format!("the rule `{rule}` is slow: it reads too many values to be cached{why}");
    let help = help.unwrap_or("test sets of squares instead of single squares").to_string();
    report.verdict(Severity::Note, Code::Play, at, (message, help), Vec::new(), Vec::new());
}

fn of_load(source: &Source, error: LoadError) -> Vec<Diagnostic> {
    match error {
        LoadError::Script(all) => all,
        other => {
            let text: Arc<str> = source.text.as_str().into();
            vec![Diagnostic::error(&source.file(), &text, 0, 0, other.to_string())]
        }
    }
}
