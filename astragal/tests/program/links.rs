//! Links in the texts for people work: every link within the repository has a target, every heading that is linked to
//! exists, and the index of `docs/` lists every page.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

/// A path without `.` and `..`, relative to the repository.
fn plain(path: &Path) -> PathBuf {
    let mut out = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => drop(out.pop()),
            Component::CurDir => {}
            part => out.push(part),
        }
    }
    out
}

/// The pages, relative to the repository: those at its root and all below `docs/`.
fn pages() -> Vec<PathBuf> {
    let mut found = Vec::new();
    let mut folders = vec![(PathBuf::new(), false), (PathBuf::from("docs"), true)];
    while let Some((folder, deep)) = folders.pop() {
        for entry in fs::read_dir(root().join(&folder)).unwrap() {
            let path = folder.join(entry.unwrap().file_name());
            if path.extension().is_some_and(|ending| ending == "md") {
                found.push(path);
            } else if deep && root().join(&path).is_dir() {
                folders.push((path, true));
            }
        }
    }
    found.sort();
    found
}

/// The text of a page without its blocks of code and the code within lines.
fn prose(text: &str) -> String {
    let mut code = false;
    let mut out = String::new();
    for line in text.lines() {
        if line.trim_start().starts_with("```") {
            code = !code;
        } else if !code {
            let parts = line.split('`').enumerate().map(|(i, part)| if i % 2 == 0 { part } else { "" });
            out.extend(parts);
            out.push('\n');
        }
    }
    out
}

/// The targets of the links in a text, as `[words](target)`.
fn links(text: &str) -> Vec<String> {
    let after = |part: &str| part.split_once(')').map(|(target, _)| target.trim().to_owned());
    prose(text).split("](").skip(1).filter_map(after).collect()
}

/// The anchors of a page's headings, as the usual viewers make them, and the named anchors before them.
fn anchors(text: &str) -> BTreeSet<String> {
    let mut code = false;
    let mut out = BTreeSet::new();
    for line in text.lines() {
        code ^= line.trim_start().starts_with("```");
        out.extend(
            line.strip_prefix("<a id=\"").and_then(|rest| rest.split_once('"')).map(|(name, _)| name.to_string()),
        );
        let Some(heading) = line.strip_prefix('#').filter(|_| !code) else { continue };
        let words = heading.trim_start_matches('#').trim().to_lowercase();
        let letters = words.chars().filter(|c| c.is_alphanumeric() || matches!(c, ' ' | '-' | '_'));
        out.insert(letters.map(|c| if c == ' ' { '-' } else { c }).collect());
    }
    out
}

/// What is wrong with a link of a page, if anything.
fn wrong(page: &Path, target: &str) -> Option<String> {
    // Nothing asks the net: what lies there may be away for a day.
    if target.starts_with("https://") {
        return None;
    }
    let (file, anchor) = target.split_once('#').unwrap_or((target, ""));
    let path = match file {
        "" => page.to_owned(),
        file => plain(&page.parent().unwrap_or(Path::new("")).join(file)),
    };
    let there = root().join(&path);
    if !there.exists() {
        return Some(format!("{}: there is no {}", page.display(), path.display()));
    }
    let known = anchor.is_empty() || anchors(&fs::read_to_string(there).unwrap_or_default()).contains(anchor);
    (!known).then(|| format!("{}: {} has no heading '{anchor}'", page.display(), path.display()))
}

#[test]
fn no_link_is_dead() {
    let (mut seen, mut dead) = (0, Vec::new());
    for page in pages() {
        for target in links(&fs::read_to_string(root().join(&page)).unwrap()) {
            seen += 1;
            dead.extend(wrong(&page, &target));
        }
    }
    assert!(seen > 60, "only {seen} links were found");
    assert!(dead.is_empty(), "dead links:\n{}", dead.join("\n"));
}

#[test]
fn dead_links_are_found() {
    let page = Path::new("docs/README.md");
    assert!(wrong(page, "nowhere.md").is_some_and(|why| why.contains("docs/nowhere.md")));
    assert!(wrong(page, "../README.md#no-such-heading").is_some());
    assert_eq!(wrong(page, "../README.md#from-rust"), None);
    let text = "[a](b.md) and `[c](d.md)`\n```text\n[e](f.md)\n# no heading\n```\n# A `b`, c\n";
    assert_eq!(links(text), ["b.md"]);
    assert_eq!(anchors(text), BTreeSet::from(["a-b-c".to_owned()]));
}

/// The pages that a page leads to.
fn led_to(page: &str) -> BTreeSet<PathBuf> {
    let folder = Path::new(page).parent().unwrap();
    let text = fs::read_to_string(root().join(page)).unwrap();
    links(&text).iter().map(|target| plain(&folder.join(target.split('#').next().unwrap()))).collect()
}

#[test]
fn the_indexes_leave_no_page_out() {
    let indexes = ["docs/README.md", "docs/language.md", "docs/cookbook/README.md"];
    let index: BTreeSet<PathBuf> = indexes.iter().flat_map(|page| led_to(page)).collect();
    let decisions = led_to("docs/decisions/README.md");
    for page in pages().into_iter().filter(|page| page.starts_with("docs")) {
        let name = page.file_name().unwrap() == "README.md";
        let known = if page.starts_with("docs/decisions") { &decisions } else { &index };
        assert!(name || known.contains(&page), "{} stands in no index", page.display());
    }
}
