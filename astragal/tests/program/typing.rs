//! How soon diagnostics follow an edit: a measurement of the language server for every bundled script, not a check.
//!
//! Run it with an optimized build on an idle machine:
//! `cargo test --release -p astragal --test program typing -- --ignored --nocapture`.

use crate::common::Folder;
use crate::lsp::Server;
use serde_json::{Value, json};
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::mpsc::{Receiver, channel};
use std::time::{Duration, Instant};

/// The time between two characters of a fast author.
const KEY: Duration = Duration::from_millis(80);

/// The scripts that are measured with more edits: the largest ones.
const LARGEST: usize = 5;

/// The time for everything that follows an edit.
const ENOUGH: Duration = Duration::from_secs(2);

/// A remark, typed again and again at the end of a line.
const REMARK: &str = " // a remark that is typed character by character";

/// The bundled scripts, the largest first.
fn scripts() -> Vec<PathBuf> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../variants");
    let files = [folder.clone(), folder.join("gallery")].into_iter().flat_map(|folder| {
        let entries = std::fs::read_dir(folder).expect("a folder");
        entries.map(|entry| entry.expect("a file").path())
    });
    let mut all: Vec<PathBuf> = files.filter(|file| file.extension().is_some_and(|end| end == "rhai")).collect();
    all.sort_by_key(|file| std::cmp::Reverse((file.metadata().map_or(0, |data| data.len()), file.clone())));
    all
}

/// An editor with one open script.
struct Author {
    server: Server,
    /// The version of each published list of diagnostics, and the time.
    published: Receiver<(i64, Instant)>,
    line: usize,
    column: usize,
    version: i64,
}

impl Author {
    fn open(state: &Folder, file: &Path) -> Author {
        let mut server = Server::start(state);
        server.ask("initialize", json!({ "capabilities": {} }));
        let mut reader = server.reader();
        let (sender, published) = channel();
        std::thread::spawn(move || {
            while let Some(message) = reader.read() {
                let version = message["params"]["version"].as_i64();
                if message["method"] == "textDocument/publishDiagnostics"
                    && sender.send((version.unwrap_or_default(), Instant::now())).is_err()
                {
                    return;
                }
            }
        });
        let text = std::fs::read_to_string(file).expect("a script");
        let line = text.lines().count() / 2;
        let column = text.lines().nth(line).map_or(0, |line| line.encode_utf16().count());
        let document = json!({ "uri": "file:///games/own.rhai", "languageId": "rhai", "version": 0, "text": text });
        server.notify("textDocument/didOpen", json!({ "textDocument": document }));
        std::thread::sleep(ENOUGH);
        while published.try_recv().is_ok() {}
        Author { server, published, line, column, version: 0 }
    }

    /// Types the next character. Returns the version and the time.
    fn types(&mut self) -> (i64, Instant) {
        let letter = &REMARK[self.version as usize % REMARK.len()..][..1];
        let at = json!({ "line": self.line, "character": self.column });
        (self.version, self.column) = (self.version + 1, self.column + 1);
        let document = json!({ "uri": "file:///games/own.rhai", "version": self.version });
        let change = json!([{ "range": { "start": at, "end": at }, "text": letter }]);
        let begun = Instant::now();
        let params = json!({ "textDocument": document, "contentChanges": change });
        self.server.notify("textDocument/didChange", params);
        (self.version, begun)
    }

    /// Types without a pause. Returns how long each text waited until its diagnostics, or those of a later text, were
    /// published.
    fn types_on(&mut self, edits: usize) -> Vec<Duration> {
        let typed: Vec<(i64, Instant)> = (0..edits)
            .map(|_| {
                let typed = self.types();
                std::thread::sleep(KEY);
                typed
            })
            .collect();
        std::thread::sleep(ENOUGH);
        let published: Vec<(i64, Instant)> = self.published.try_iter().collect();
        let until = |(version, begun): (i64, Instant)| {
            let first = published.iter().find(|(of, _)| *of >= version).expect("diagnostics");
            first.1.duration_since(begun)
        };
        typed.into_iter().map(until).collect()
    }

    /// Types with pauses. Returns how long each text waited for its complete diagnostics.
    fn types_slowly(&mut self, edits: usize) -> Vec<Duration> {
        let one = |_| {
            let (version, begun) = self.types();
            let mut last = begun;
            // Those of the text, and those of trial games.
            for _ in 0..2 {
                let Ok((of, at)) = self.published.recv_timeout(ENOUGH) else { break };
                assert_eq!(of, version);
                last = at;
            }
            last.duration_since(begun)
        };
        (0..edits).map(one).collect()
    }

    fn close(mut self) {
        self.server.notify("exit", Value::Null);
        self.server.wait();
    }
}

/// The median, the 99th percentile and the maximum, in milliseconds.
fn spread(mut times: Vec<Duration>) -> String {
    times.sort();
    let at = |part: f64| times[((times.len() - 1) as f64 * part).round() as usize].as_millis();
    format!("{:5} {:5} {:5}", at(0.5), at(0.99), at(1.0))
}

#[test]
#[ignore = "measures for minutes, on an idle machine"]
fn typing_is_followed_by_diagnostics() {
    let state = Folder::new("typing");
    println!("{:28} {:^17}   {:^17}", "milliseconds", "typing", "complete");
    println!("{:28} {:>5} {:>5} {:>5}   {:>5} {:>5} {:>5}", "", "half", "99 %", "most", "half", "99 %", "most");
    let (mut all, mut whole) = (Vec::new(), Vec::new());
    for (number, file) in scripts().into_iter().enumerate() {
        let (fast, slow) = if number < LARGEST { (100, 30) } else { (20, 5) };
        let mut author = Author::open(&state, &file);
        let (typing, complete) = (author.types_on(fast), author.types_slowly(slow));
        author.close();
        let name = file.file_name().unwrap_or_default().to_string_lossy();
        println!("{name:28} {}   {}", spread(typing.clone()), spread(complete.clone()));
        std::io::stdout().flush().expect("a terminal");
        all.extend(typing);
        whole.extend(complete);
    }
    println!("{:28} {}   {}", "all", spread(all), spread(whole));
}
