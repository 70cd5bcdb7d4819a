//! `list`, `new` and `rules`: the available variants, a new script, and a script's rulebook.

use super::args::{List, New, Reference, Rules};
use super::failure::{Answer, Failure, input, layout, of_rule};
use super::stderr::tell;
use super::theme;
use crate::atomic_write;
use crate::gametest::write;
use crate::prompt::wrap::wrapped;
use astragal_core::{Game, Stream};
use astragal_dsl::notation::nearest;
use astragal_dsl::printable::in_a_line;
use astragal_dsl::{Diagnostic, Severity, check_under, library, manual, render_all, rulebook};
use astragal_lab::learning::file::is_shipped;
use astragal_service::gametest::{property, text};
use astragal_service::rpc;
use astragal_service::variant_cache::VariantCache;
use serde_json::json;
use std::io::{ErrorKind, Write};
use std::path::Path;
use std::sync::Arc;

/// `astragal list`.
pub(super) fn list(args: &List, out: &mut impl Write) -> Answer {
    let mut cache = VariantCache::new();
    let mut good = true;
    let names = library::names();
    let width = names.iter().map(|name| name.len()).max().unwrap_or(0);
    for name in names {
        match cache.load(name, &[]) {
            Ok(loaded) if args.json => {
                let options = rpc::options_json(&loaded.options);
                let about = json!({
                    "version": 1, "name": loaded.name, "title": loaded.title, "about": loaded.about, "options": options,
                    "trained": is_shipped(name),
                });
                writeln!(out, "{about}")?;
            }
            Ok(loaded) => {
                let about = first_sentence(&loaded.title, &loaded.about);
                writeln!(out, "{}", in_a_line(&shortened(&format!("{name:width$}  {about}"))))?;
                for option in loaded.options.iter().filter(|_| args.options) {
                    let values = option.values.join(" | ");
                    writeln!(out, "    --set {}", in_a_line(&format!("{}={values}", option.name)))?;
                    writeln!(out, "        {}", option.why)?;
                }
            }
            Err(error) => {
                good = false;
                match args.json {
                    true => writeln!(out, "{}", json!({"version": 1, "name": name, "error": error.to_string()}))?,
                    false => writeln!(out, "{name}: {error}")?,
                }
            }
        }
    }
    let trained: Vec<&str> = library::names().into_iter().filter(|name| is_shipped(name)).collect();
    if !args.json && !trained.is_empty() {
        let names = trained.join(", ");
        let note = format!("The player 'learned' comes with these games, trained in advance: {names}.");
        writeln!(out, "\n{}", wrapped(&note, LINE))?;
    }
    Ok(good)
}

/// The longest line of a list, in characters; longer ones wrap on a terminal.
const LINE: usize = 80;

/// A line, cut at a word if it is too long for a terminal.
fn shortened(line: &str) -> String {
    if line.chars().count() <= LINE {
        return line.into();
    }
    let kept: String = line.chars().take(LINE - 3).collect();
    let end = kept.rfind(' ').unwrap_or(kept.len());
    format!("{}...", kept[..end].trim_end_matches([' ', ',', ':', ';', '.']))
}

/// One line about a variant: its title and the first sentence of its description. If the description begins with the title
/// or a one-line heading, its second paragraph is used.
fn first_sentence(title: &str, about: &str) -> String {
    let paragraphs: Vec<&str> = about.split("\n\n").map(str::trim).filter(|text| !text.is_empty()).collect();
    let is_title = |text: &str| text.trim_end_matches('.') == title;
    let is_heading = |text: &str| text.lines().count() == 1 && text.chars().count() < LINE / 2;
    let described = match paragraphs.as_slice() {
        [] => return title.into(),
        [first, second, ..] if is_title(first) || is_heading(first) && !second.starts_with("Source") => second,
        [only] if is_title(only) => return title.into(),
        [first, ..] => first,
    };
    let text = described.lines().collect::<Vec<_>>().join(" ");
    let sentence = text.find(". ").map_or(text.as_str(), |end| &text[..=end]);
    let mark = if title.ends_with(['.', '!', '?']) { "" } else { "." };
    format!("{title}{mark} {sentence}")
}

/// `astragal new`.
pub(super) fn new(args: &New, out: &mut impl Write) -> Answer {
    let name = args.name.strip_suffix(".rhai").unwrap_or(&args.name);
    let fits = |c: char| c.is_ascii_lowercase() || c.is_ascii_digit() || c == '-';
    if name.is_empty() || !name.chars().all(fits) {
        return Err(input(format!("expected a variant name of lowercase letters, digits and '-', found '{name}'")));
    }
    if library::bundled(name).is_some() {
        let help = format!("to start from its rules, use 'astragal new my-{name} --from {name}'");
        return Err(input(format!("{name} is the name of a built-in variant; {help}")));
    }
    let source = library::resolve(&args.from).map_err(input)?;
    let text = retitled(&source.text, &title(name));
    let (file, game) = (format!("{name}.rhai"), format!("{name}.game"));
    atomic_write::create(Path::new(&file), text.as_bytes()).map_err(|error| match error.kind() {
        ErrorKind::AlreadyExists => input(format!("{file} exists already")),
        _ => input(format!("cannot write {file}: {error}")),
    })?;
    first_test(&file, &game)?;
    writeln!(out, "{file} contains the rules of {}, and {game} is a first test. Edit them, then run:", source.name)?;
    writeln!(out, "  astragal check {file}")?;
    writeln!(out, "  astragal test {file}")?;
    writeln!(out, "  astragal play {file}")?;
    Ok(true)
}

/// The number of events in the first test of a script.
const FIRST_EVENTS: usize = 6;

/// Writes a short game of a script as its first test, with its result.
fn first_test(script: &str, game: &str) -> Result<(), Failure> {
    if Path::new(game).exists() {
        return Err(input(format!("{game} exists already")));
    }
    let loaded = VariantCache::new().load(script, &[]).map_err(|error| input(error.render(layout())))?;
    let mut play = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 0).map_err(of_rule(&loaded))?;
    // A fixed seed: the first test of a variant is always the same.
    let mut random = Stream::new(0, 0);
    for _ in 0..FIRST_EVENTS {
        let Some(event) = property::random_event(play.state(), &mut random) else { break };
        play.apply(&event).map_err(of_rule(&loaded))?;
    }
    let comments = [
        format!("A test of {script}: 'astragal test' plays it and compares the result with"),
        format!("snapshots/{}. 'astragal help test' lists what you can write here.", game.replace(".game", ".snap")),
    ];
    let seen = write::script_seen_from(Path::new(game), &loaded);
    let text = text::game_text(&seen, &loaded, &play, "First turns", &comments, &["moves"]);
    write::save(Path::new(game), &text, &loaded.title).map_err(input)
}

/// `my-game` as `My Game`.
fn title(name: &str) -> String {
    let word = |word: &str| {
        let mut letters = word.chars();
        letters.next().map(|c| c.to_ascii_uppercase()).into_iter().chain(letters).collect::<String>()
    };
    name.split('-').filter(|part| !part.is_empty()).map(word).collect::<Vec<_>>().join(" ")
}

/// The script with another title.
fn retitled(text: &str, title: &str) -> String {
    let line = |line: &str| match line.trim_start().starts_with("title(") {
        true => format!("title(\"{title}\");"),
        false => line.to_owned(),
    };
    text.lines().map(line).collect::<Vec<_>>().join("\n") + "\n"
}

/// `astragal rules`. For a script in a file, the errors that `check` finds follow the rulebook, on standard error.
pub(super) fn rules(args: &Rules, color: bool, out: &mut impl Write) -> Answer {
    let loaded =
        VariantCache::new().load(&args.script, &args.set).map_err(|error| input(error.render(theme::layout(color))))?;
    let text = if args.sources { rulebook::with_sources(&loaded) } else { astragal_service::leaflet(&loaded) };
    write!(out, "{text}")?;
    // If a rule fails, the example is left out, and the text about a rule may not match its effect.
    let wrong = if loaded.source.path.is_some() { check_under(&loaded.source, &args.set) } else { Vec::new() };
    let errors: Vec<Diagnostic> = wrong.into_iter().filter(|one| one.severity == Severity::Error).collect();
    if !errors.is_empty() {
        out.flush()?;
        tell(&format!("These rules cannot be played:\n{}", render_all(&errors, layout())));
    }
    Ok(errors.is_empty())
}

/// `astragal reference`.
pub(super) fn reference(args: &Reference, out: &mut impl Write) -> Answer {
    let text = match &args.function {
        _ if args.definitions => manual::definitions(),
        None => manual::markdown(),
        Some(name) => about(name.trim_end_matches("()"))?,
    };
    write!(out, "{text}")?;
    Ok(true)
}

/// The reference of a function, in lines that fit a terminal.
fn about(name: &str) -> Result<String, Failure> {
    let names: Vec<&str> = manual::entries().into_iter().map(|entry| entry.name).collect();
    manual::about(name).map(|text| wrapped(&text, LINE)).ok_or_else(|| {
        let near = nearest(name, names).map(|near| format!("; did you mean '{near}'?"));
        input(format!("there is no function called '{name}'{}", near.unwrap_or_default()))
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_title_is_made_from_a_name() {
        assert_eq!(title("my-own-2"), "My Own 2");
        assert_eq!(retitled("// a\ntitle(\"B\");\nx();", "C"), "// a\ntitle(\"C\");\nx();\n");
    }

    #[test]
    fn long_lines_end_at_a_word() {
        assert_eq!(shortened("short"), "short");
        let cut = shortened(&"words, ".repeat(20));
        assert!(cut.len() <= LINE && cut.ends_with("words..."), "{cut}");
        assert_eq!(shortened(&"x".repeat(100)).len(), LINE);
    }

    #[test]
    fn a_variant_in_one_line() {
        let about = "Chess.\n\nOrthodox chess, and more. Another one.";
        assert_eq!(first_sentence("Chess", about), "Chess. Orthodox chess, and more.");
        assert_eq!(first_sentence("Chess", ""), "Chess");
        assert_eq!(first_sentence("Chess", "Chess."), "Chess");
        let headed = "A race.\n\nFour dice say\nhow far. More.\n\nSource: a book.";
        assert_eq!(first_sentence("Run!", headed), "Run! Four dice say how far.");
        assert_eq!(first_sentence("Run", "A race of men.\n\nSource: a book."), "Run. A race of men.");
    }
}
