//! `astragal lsp` as an editor starts it: a process that reads and writes messages of the Language Server Protocol.

use crate::common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};
use std::time::{Duration, Instant};

/// A server process and the client's side of its input and output.
pub(super) struct Server {
    child: Child,
    input: Option<ChildStdin>,
    output: Option<Reader>,
    next: i64,
}

/// The messages of a server.
pub(super) struct Reader(BufReader<ChildStdout>);

impl Reader {
    /// The next message; `None` after the last one.
    pub(super) fn read(&mut self) -> Option<Value> {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.0.read_line(&mut line).ok()?;
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.0.read_exact(&mut bytes).ok()?;
        serde_json::from_slice(&bytes).ok()
    }
}

impl Server {
    pub(super) fn start(state: &Folder) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .args(["lsp", "--stdio"])
            .env("ASTRAGAL_STATE", state.path())
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        Server { child, input, output: Some(Reader(BufReader::new(output))), next: 0 }
    }

    /// Takes the messages, to read them on another thread.
    pub(super) fn reader(&mut self) -> Reader {
        self.output.take().expect("messages")
    }

    fn send(&mut self, message: &Value) {
        let text = message.to_string();
        let input = self.input.as_mut().expect("open");
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        input.flush().expect("the server reads");
    }

    pub(super) fn notify(&mut self, method: &str, params: Value) {
        self.send(&json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        self.output.as_mut().and_then(Reader::read).expect("a message")
    }

    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = self.next;
        self.send(&json!({ "jsonrpc": "2.0", "id": id, "method": method, "params": params }));
        loop {
            let message = self.receive();
            if message["id"] == id {
                return message["result"].clone();
            }
        }
    }

    /// The exit code.
    pub(super) fn wait(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn an_editor_is_served_by_a_process() {
    let state = Folder::new("lsp");
    let mut server = Server::start(&state);
    let result = server.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": {} }));
    assert_eq!(result["serverInfo"]["name"], "astragal");
    server.notify("initialized", json!({}));
    let uri = "untitled:Untitled-1";
    let text = "board(3, 3);\npiece(\"man\", \"M\", \"W\");\nsetup(\"m2/3/2M w\");\nfn turn() { plya(any()); }\n";
    let document = json!({ "uri": uri, "languageId": "rhai", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let problems = server.receive();
    assert_eq!(problems["method"], "textDocument/publishDiagnostics");
    assert!(problems["params"]["diagnostics"][0]["message"].as_str().expect("a text").contains("plya"), "{problems}");
    let at = json!({ "textDocument": { "uri": uri }, "position": { "line": 3, "character": 18 } });
    let hover = server.ask("textDocument/hover", at);
    assert!(hover["contents"]["value"].as_str().expect("a text").contains("any()"), "{hover}");
    assert_eq!(server.ask("shutdown", Value::Null), Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.wait(), Some(0));
}

#[test]
fn the_server_ends_with_its_editor() {
    let state = Folder::new("lsp-crash");
    let mut server = Server::start(&state);
    server.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(server.wait(), Some(1), "the input has ended without 'shutdown'");
    let mut server = Server::start(&state);
    server.input.as_mut().expect("open").write_all(b"no header at all\r\n\r\n").expect("the server reads");
    assert_eq!(server.wait(), Some(1));
}

/// With the largest shipped script, problems are published soon after an edit, and questions are answered while a check
/// runs.
#[test]
fn answers_do_not_wait_for_checks() {
    let state = Folder::new("lsp-quick");
    let mut server = Server::start(&state);
    server.ask("initialize", json!({ "capabilities": {} }));
    let variant = astragal::load("backgammon").expect("it is bundled");
    let text = variant.script();
    let uri = "file:///games/large.rhai";
    let document = json!({ "uri": uri, "languageId": "rhai", "version": 1, "text": text });
    server.notify("textDocument/didOpen", json!({ "textDocument": document }));
    let begun = Instant::now();
    let params = json!({ "textDocument": { "uri": uri } });
    let tokens = server.ask("textDocument/semanticTokens/full", params);
    assert!(tokens["data"].as_array().is_some_and(|data| data.len() > 1_000));
    // A check of this script takes longer in an unoptimized build.
    assert!(begun.elapsed() < Duration::from_secs(10), "{:?}", begun.elapsed());
    server.ask("shutdown", Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.wait(), Some(0));
}

/// Requests that were canceled while earlier ones were answered, as when a user types fast.
#[test]
fn canceled_requests_are_not_computed() {
    let state = Folder::new("lsp-cancel");
    let mut server = Server::start(&state);
    server.ask("initialize", json!({ "capabilities": {} }));
    let variant = astragal::load("backgammon").expect("it is bundled");
    let uri = "file:///games/large.rhai";
    let document = json!({ "uri": uri, "languageId": "rhai", "version": 1, "text": variant.script() });
    server.notify("textDocument/didOpen", json!({ "textDocument": document }));
    for id in 100..140 {
        let params = json!({ "textDocument": { "uri": uri } });
        server.send(
            &json!({ "jsonrpc": "2.0", "id": id, "method": "textDocument/semanticTokens/full", "params": params }),
        );
    }
    for id in 100..140 {
        server.notify("$/cancelRequest", json!({ "id": id }));
    }
    let mut errors = Vec::new();
    for _ in 100..140 {
        let answer = loop {
            let message = server.receive();
            if message["id"].is_i64() {
                break message;
            }
        };
        errors.extend(answer["error"]["code"].as_i64());
    }
    assert!(!errors.is_empty() && errors.iter().all(|code| *code == -32800), "{errors:?}");
    server.ask("shutdown", Value::Null);
    server.notify("exit", Value::Null);
    assert_eq!(server.wait(), Some(0));
}
