//! `astragal studio`: the page of the studio, served to a browser on this machine alone, and the scripts of one folder.
//!
//! The page plays by itself, with an engine of its own: what is served are its files, and the scripts that it reads and
//! writes. Nobody but whoever knows the token in the address is answered, and no name of a host but this machine's: so no
//! other page in the same browser can reach it. Only scripts that lie directly in the folder are read and written, and their
//! tests (`studio/game_files.rs`).

mod game_files;

use crate::atomic_write;
use crate::gametest::scripts;
use astragal_dsl::library::{ENDING, MAX_FILE, Reach};
use serde_json::{Value, json};
use std::io::{self, Read};
use std::path::{Path, PathBuf};
use tiny_http::{Header, Method, Request, Response, Server};

/// The files of the page, by name; none if the program was built without.
const FILES: &[(&str, &[u8])] = include!(concat!(env!("OUT_DIR"), "/studio.rs"));

/// So many scripts are listed.
const LISTED: usize = 1000;

/// What a test came to has so many bytes at most when it is accepted.
const MAX_OUTCOME: u64 = 4 << 20;

/// Where the page comes from, and which scripts it may see.
pub(crate) struct Studio {
    server: Server,
    port: u16,
    token: String,
    folder: PathBuf,
    reach: Reach,
}

/// An answer: a status, what it is, and its bytes.
struct Answer {
    status: u16,
    kind: &'static str,
    body: Vec<u8>,
}

impl Answer {
    fn json(status: u16, value: &Value) -> Answer {
        Answer { status, kind: "application/json", body: value.to_string().into_bytes() }
    }

    /// Why something is refused, for the page to show.
    fn refusal(status: u16, why: impl Into<String>) -> Answer {
        Answer::json(status, &json!({ "error": why.into() }))
    }
}

/// Whether the program has a studio in it.
pub(crate) fn is_built() -> bool {
    FILES.iter().any(|(name, _)| *name == "index.html")
}

impl Studio {
    /// One for the scripts of a folder, at a port (0: any that is free).
    ///
    /// # Errors
    /// If there is no such folder, or nobody can be answered at this port.
    pub(crate) fn new(folder: &Path, port: u16) -> io::Result<Studio> {
        let reach = Reach::folder(folder)?;
        let folder = folder.canonicalize()?;
        let server = Server::http(("127.0.0.1", port)).map_err(io::Error::other)?;
        let port = server.server_addr().to_ip().map_or(port, |address| address.port());
        let token = format!("{:032x}", rand::random::<u128>());
        Ok(Studio { server, port, token, folder, reach })
    }

    /// The address of the page; of a script in the folder, if one is named.
    pub(crate) fn address(&self, script: Option<&str>) -> String {
        let query = script.map_or(String::new(), |name| format!("?script={}", encoded(name)));
        format!("http://127.0.0.1:{}/{}/{query}", self.port, self.token)
    }

    /// Answers until the process ends.
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
            // Whoever has gone needs no answer.
            let _ = request.respond(response);
        }
    }

    fn answer(&self, request: &mut Request) -> Answer {
        if !self.is_for_us(request) {
            return Answer::refusal(403, "open the address that 'astragal studio' has printed");
        }
        let url = request.url().to_owned();
        let (path, query) = url.split_once('?').unwrap_or((&url, ""));
        let path = path.trim_start_matches('/');
        let Some(path) = path.strip_prefix(&self.token) else {
            return Answer::refusal(403, "open the address that 'astragal studio' has printed");
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
            _ => Answer::refusal(405, "the studio does not know this request"),
        }
    }

    /// Whether a request names this machine, and comes from no other page. The first keeps away pages whose own name was made
    /// to lead here.
    fn is_for_us(&self, request: &Request) -> bool {
        let header = |name: &'static str| request.headers().iter().find(|header| header.field.equiv(name));
        let ours = [format!("127.0.0.1:{}", self.port), format!("localhost:{}", self.port)];
        let host = header("Host").is_some_and(|host| ours.iter().any(|ours| host.value.as_str() == ours));
        let origin = header("Origin")
            .is_none_or(|origin| ours.iter().any(|ours| origin.value.as_str().strip_prefix("http://") == Some(ours)));
        host && origin
    }

    /// The scripts of the folder, with what tells whether one has changed.
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
            // A link may lead elsewhere, and what is no file is not replaced.
            Ok(found) if !found.is_file() => Err("it is no regular file of the folder".into()),
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

    /// Accepts what a test comes to.
    fn accept_test(&self, name: &str, request: &mut Request) -> Answer {
        let accepted = body(request, "test's outcome", MAX_OUTCOME)
            .map(|text| game_files::accept(&self.folder, name, &text).map_err(|why| Answer::refusal(409, why)));
        accepted.flatten().map_or_else(|refusal| refusal, |()| Answer::json(200, &json!({})))
    }
}

/// The text that a request brings.
///
/// # Errors
/// The refusal, if it is too large or no text.
fn body(request: &mut Request, what: &str, most: u64) -> Result<String, Answer> {
    let mut bytes = Vec::new();
    if request.as_reader().take(most + 1).read_to_end(&mut bytes).is_err() || bytes.len() as u64 > most {
        return Err(Answer::refusal(413, format!("a {what} has at most {most} bytes")));
    }
    String::from_utf8(bytes).map_err(|_| Answer::refusal(400, format!("a {what} is text in UTF-8")))
}

/// The refusal of a name that no file directly in the folder has.
fn not_plain(what: &str, ending: &str) -> Answer {
    Answer::refusal(400, format!("a {what} is a file of the folder whose name ends in '{ending}'"))
}

/// A file of the page.
fn file(path: &str) -> Answer {
    let name = match path.trim_start_matches('/') {
        "" => "index.html",
        name => name,
    };
    let Some((_, bytes)) = FILES.iter().find(|(known, _)| *known == name) else {
        return Answer::refusal(404, "there is no such page");
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

/// Whether a name is that of a file with this ending that lies directly in a folder.
fn is_plain(name: &str, ending: &str) -> bool {
    name.ends_with(ending)
        && name.len() > ending.len()
        && !name.contains(['/', '\\', ':', '\0'])
        && !name.starts_with('.')
}

/// A text as part of an address.
fn encoded(text: &str) -> String {
    let one = |byte: u8| match byte {
        b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'.' | b'_' => char::from(byte).to_string(),
        byte => format!("%{byte:02X}"),
    };
    text.bytes().map(one).collect()
}

/// The text that stands in a part of an address.
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
