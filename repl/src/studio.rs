//! `astragal studio`: serves the studio page to a browser on this machine only, and the scripts of one folder.
//!
//! The page contains its own engine: the server provides only the page's files, and the scripts that it reads and writes.
//! It accepts only requests with the token from the URL and with a host name of this machine, so no other page in the same
//! browser can reach it. Only scripts directly in the folder are read and written, and their tests
//! (`studio/game_files.rs`).

mod game_files;

use crate::atomic_write;
use crate::gametest::scripts;
use astragal_dsl::library::{ENDING, MAX_FILE, Reach};
use astragal_lab::learning::file::shipped_bytes;
use serde_json::{Value, json};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tiny_http::{Header, Method, Request, Response, Server};

/// The files of the page, by name; empty if the program was built without it.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/studio.rs"));

/// The port without the option `--port`. It stays the same, because browsers keep the games of each port separate.
pub(crate) const USUAL_PORT: u16 = 7243;

/// The maximum number of scripts that are listed.
const LISTED: usize = 1000;

/// The largest accepted result of a test, in bytes.
const MAX_OUTCOME: u64 = 4 << 20;

/// The server of the page, and the scripts that the page can access.
pub(crate) struct Studio {
    server: Server,
    port: u16,
    token: String,
    folder: PathBuf,
    reach: Reach,
}

/// A response: a status, a content type, and its bytes.
struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn json(status: u16, value: &Value) -> Answer {
        Answer { status, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// A refusal, with a reason for the page to show.
    fn refusal(status: u16, why: impl Into<String>) -> Answer {
        Answer::json(status, &json!({ "error": why.into() }))
    }
}

/// Whether the program contains the studio.
pub(crate) fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == "index.html")
}

impl Studio {
    /// A server for the scripts of a folder, at a port (0: any free port), or at the usual port if it is free.
    ///
    /// # Errors
    /// If the folder does not exist, or the port cannot be used.
    pub(crate) fn new(folder: &Path, port: Option<u16>) -> io::Result<Studio> {
        match port {
            Some(port) => Studio::at(folder, port),
            // If the folder is the problem, the second attempt reports it, too.
            None => Studio::at(folder, USUAL_PORT).or_else(|_| Studio::at(folder, 0)),
        }
    }

    fn at(folder: &Path, port: u16) -> io::Result<Studio> {
        let reach = Reach::folder(folder)?;
        let folder = folder.canonicalize()?;
        let server = Server::http(("127.0.0.1", port)).map_err(io::Error::other)?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        let token = format!("{:032x}", rand::random::<u128>());
        Ok(Studio { server, port, token, folder, reach })
    }

    /// Whether it listens on the usual port.
    pub(crate) fn is_at_usual_port(&self) -> bool {
        self.port == USUAL_PORT
    }

    /// The URL of the page, with a script of the folder if one is given.
    pub(crate) fn address(&self, script: Option<&str>) -> String {
        let query = script.map_or(String::new(), |name| format!("?script={}", encoded(name)));
        format!("http://127.0.0.1:{}/{}/{query}", self.port, self.token)
    }

    /// Answers requests until the process ends.
    pub(crate) fn run(&self) {
        for mut request in self.server.incoming_requests() {
            let answer = self.answer(&mut request);
            let headers = [
                ("Content-Type", answer.kind),
                ("Cache-Control", "no-store"),
                ("X-Content-Type-Options", "nosniff"),
                ("Referrer-Policy", "no-referrer"),
                ("Cross-Origin-Resource-Policy", "same-origin"),
            ];
            let mut response = Response::from_data(answer.body).with_status_code(answer.status);
            for (name, value) in headers {
                if let Ok(header) = Header::from_bytes(name, value) {
                    response.add_header(header);
                }
            }
            // The client may have gone, and then needs no response.
            let _ = request.respond(response);
        }
    }

    fn answer(&self, request: &mut Request) -> Answer {
        if !self.is_for_us(request) {
            return Answer::refusal(403, "open the URL that 'astragal studio' printed");
        }
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let path = path.trim_start_matches('/');
        let Some(path) = path.strip_prefix(&self.token) else {
            return Answer::refusal(403, "open the URL that 'astragal studio' printed");
        };
        let name = query.split('&').find_map(|pair| pair.strip_prefix("name=")).map(decoded);
        match (request.method(), path, name) {
            (Method::Get, "/api/scripts", _) => self.list(),
            (Method::Get, "/api/tests", Some(name)) => self.tests(&name),
            (Method::Put, "/api/test", Some(name)) => self.add_test(&name, request),
            (Method::Put, "/api/accepted", Some(name)) => self.accept_test(&name, request),
            (Method::Get, "/api/script", Some(name)) => self.read(&name),
            (Method::Put, "/api/script", Some(name)) => self.write(&name, request),
            (Method::Get, path, _) => file(path),
            _ => Answer::refusal(405, "unknown request"),
        }
    }

    /// Whether a request names this machine and comes from no other page. The first check stops pages on host names that
    /// resolve to this machine (DNS rebinding).
    fn is_for_us(&self, request: &Request) -> bool {
        let header = |name: &'static str| request.headers().iter().find(|header| header.field.equiv(name));
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = header("Host").is_some_and(|host| ours.iter().any(|ours| host.value.as_str() == ours));
        let origin = header("Origin")
            .is_none_or(|origin| ours.iter().any(|ours| origin.value.as_str().strip_prefix("http://") == Some(ours)));
        host && origin
    }

    /// The scripts of the folder, with a value that changes when the file changes.
    fn list(&self) -> Answer {
        let one = |name: String| {
            let found = std::fs::metadata(self.folder.join(&name)).ok()?;
            let changed = found.modified().ok()?.duration_since(std::time::UNIX_EPOCH).ok()?;
            Some(json!({ "name": name, "changed": format!("{}-{}", changed.as_nanos(), found.len()) }))
        };
        let scripts: Vec<Value> = self.reach.listed(LISTED).into_iter().filter_map(one).collect();
        Answer::json(200, &json!({ "folder": self.folder.display().to_string(), "scripts": scripts }))
    }

    fn read(&self, name: &str) -> Answer {
        if !is_plain(name, ENDING) {
            return not_plain("script", ENDING);
        }
        match self.reach.resolve(name) {
            Ok(source) if source.path.is_some() => Answer::json(200, &json!({ "text": source.text })),
            Ok(_) => Answer::refusal(404, "there is no such script in the folder"),
            Err(error) => Answer::refusal(404, error.to_string()),
        }
    }

    fn write(&self, name: &str, request: &mut Request) -> Answer {
        if !is_plain(name, ENDING) {
            return not_plain("script", ENDING);
        }
        let text = match body(request, "script", MAX_FILE) {
            Ok(text) => text,
            Err(refusal) => return refusal,
        };
        let path = self.folder.join(name);
        let written = match std::fs::symlink_metadata(&path) {
            // A link may lead elsewhere, and only regular files are replaced.
            Ok(found) if !found.is_file() => Err("it is not a regular file in the folder".into()),
            Ok(_) => atomic_write::replace(&path, text.as_bytes()),
            Err(_) => atomic_write::create(&path, text.as_bytes()).map_err(|error| error.to_string()),
        };
        match written {
            Ok(()) => self.list(),
            Err(why) => Answer::refusal(409, format!("{name}: {why}")),
        }
    }

    /// The tests of a script.
    fn tests(&self, script: &str) -> Answer {
        if !is_plain(script, ENDING) {
            return not_plain("script", ENDING);
        }
        match game_files::listed(&self.folder, &self.folder.join(script)) {
            Ok(tests) => Answer::json(200, &json!({ "tests": tests })),
            Err(why) => Answer::refusal(404, why),
        }
    }

    /// Writes a new test.
    fn add_test(&self, name: &str, request: &mut Request) -> Answer {
        if !is_plain(name, game_files::ENDING) {
            return not_plain("new test", game_files::ENDING);
        }
        let written = body(request, "test", scripts::MAX_FILE)
            .map(|text| game_files::add(&self.folder, name, &text).map_err(|why| Answer::refusal(409, why)));
        written.flatten().map_or_else(|refusal| refusal, |()| Answer::json(200, &json!({})))
    }

    /// Accepts the result of a test.
    fn accept_test(&self, name: &str, request: &mut Request) -> Answer {
        let accepted = body(request, "test's outcome", MAX_OUTCOME)
            .map(|text| game_files::accept(&self.folder, name, &text).map_err(|why| Answer::refusal(409, why)));
        accepted.flatten().map_or_else(|refusal| refusal, |()| Answer::json(200, &json!({})))
    }
}

/// The text in the body of a request.
///
/// # Errors
/// The refusal, if it is too large or not text.
fn body(request: &mut Request, what: &str, most: u64) -> Result<String, Answer> {
    let mut bytes = Vec::new();
    if request.as_reader().take(most + 1).read_to_end(&mut bytes).is_err() || bytes.len() as u64 > most {
        return Err(Answer::refusal(413, format!("a {what} can have at most {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Answer::refusal(400, format!("a {what} must be UTF-8 text")))
}

/// The refusal of a name that cannot belong to a file directly in the folder.
fn not_plain(what: &str, ending: &str) -> Answer {
    Answer::refusal(400, format!("a {what} must be directly in the folder, with a name that ends in '{ending}'"))
}

/// A file of the page.
fn file(path: &str) -> Answer {
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let player = name.strip_prefix("players/").and_then(|name| shipped_bytes(name.strip_suffix(".learned")?));
    let Some(bytes) = player.or_else(|| Some(FILES.iter().find(|(known, _)| *known == name)?.1)) else {
        return Answer::refusal(404, "page not found");
    };
    let kind = match name.rsplit_once('.').map(|(_, ending)| ending) {
        Some("html") => "text/html; charset=utf-8",
        Some("js") => "text/javascript; charset=utf-8",
        Some("css") => "text/css; charset=utf-8",
        Some("svg") => "image/svg+xml",
        Some("wasm") => "application/wasm",
        _ => "application/octet-stream",
    };
    Answer { status: 200, kind, body: bytes.to_vec() }
}

/// Whether a name belongs to a file with this ending directly in a folder.
fn is_plain(name: &str, ending: &str) -> bool {
    name.ends_with(ending)
        && name.len() > ending.len()
        && !name.contains(['/', '\\', ':', '\0'])
        && !name.starts_with('.')
}

/// A text encoded for a URL.
fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

/// The text decoded from a part of a URL.
fn decoded(text: &str) -> String {
    let bytes = text.as_bytes();
    let (mut out, mut at) = (Vec::new(), 0);
    while at < bytes.len() {
        let code = (bytes[at] == b'%').then(|| text.get(at + 1..at + 3)).flatten();
        match code.and_then(|code| u8::from_str_radix(code, 16).ok()) {
            Some(byte) => {
                out.push(byte);
                at += 3;
            }
            None => {
                out.push(bytes[at]);
                at += 1;
            }
        }
    }
    String::from_utf8_lossy(&out).into_owned()
}

#[cfg(test)]
mod tests;
