//! The server as a client sees it: messages in, messages out.

use super::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::thread::JoinHandle;
use std::time::Duration;

pub(super) const URI: &str = "file:///games/own.rhai";

/// A small game without problems.
pub(super) const GAME: &str = "// \u{1f3b2} A race.\nboard(3, 3);\npiece(\"man\", \"M\", \"K\"); // \u{1f3b2}\n\
                    setup(\"m2/3/2M w\");\nfn turn() { play(any()); }\n\
                    fn outcome() { if count(to_move()) == 0 { win(mover(), \"all taken\"); } }\n";

/// A client that is connected to a server on another thread.
pub(super) struct Client {
    connection: Connection,
    server: Option<JoinHandle<bool>>,
    next: i32,
    version: i32,
}

impl Client {
    /// Connects without sending a message.
    pub(super) fn connect() -> Client {
        let (connection, other) = Connection::memory();
        Client::of(connection, other)
    }

    /// Starts a server, which may already have messages to read.
    pub(super) fn of(connection: Connection, other: Connection) -> Client {
        let copies = std::env::temp_dir().join(format!("astragal-lsp-{}", std::process::id()));
        let server = std::thread::spawn(move || serve(&other, Some(copies)));
        Client { connection, server: Some(server), next: 0, version: 0 }
    }

    /// Connects, and initializes the server with these capabilities.
    pub(super) fn with(capabilities: Value) -> Client {
        let mut client = Client::connect();
        client.ask("initialize", json!({ "processId": null, "rootUri": null, "capabilities": capabilities }));
        client.notify("initialized", json!({}));
        client
    }

    pub(super) fn new() -> Client {
        Client::with(json!({
            "textDocument": {
                "codeAction": { "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } } },
                "hover": { "contentFormat": ["markdown"] },
                "documentSymbol": { "hierarchicalDocumentSymbolSupport": true },
            },
        }))
    }

    pub(super) fn send(&self, message: impl Into<Message>) {
        self.connection.sender.send(message.into()).expect("the server runs");
    }

    pub(super) fn notify(&self, method: &str, params: Value) {
        self.send(Notification { method: method.into(), params });
    }

    /// Sends a request without waiting for the answer.
    pub(super) fn request(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request { id: id.clone(), method: method.into(), params });
        id
    }

    pub(super) fn receive(&self) -> Message {
        self.connection.receiver.recv_timeout(Duration::from_secs(120)).expect("a message")
    }

    /// The next response.
    pub(super) fn response(&self) -> Response {
        loop {
            if let Message::Response(response) = self.receive() {
                return response;
            }
        }
    }

    /// The result of a request.
    pub(super) fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let response = self.response();
        assert_eq!(response.id, id);
        match response.response_kind() {
            Ok(result) => result,
            Err((code, message)) => panic!("{method}: {code} {message}"),
        }
    }

    /// The code and message of the error that answers a request.
    pub(super) fn refused(&mut self, method: &str, params: Value) -> (i32, String) {
        self.request(method, params);
        self.response().response_kind().expect_err("an error")
    }

    pub(super) fn open(&mut self, text: &str) {
        self.version = 1;
        let document = json!({ "uri": URI, "languageId": "rhai", "version": 1, "text": text });
        self.notify("textDocument/didOpen", json!({ "textDocument": document }));
    }

    pub(super) fn change(&mut self, changes: Value) {
        self.version += 1;
        let document = json!({ "uri": URI, "version": self.version });
        self.notify("textDocument/didChange", json!({ "textDocument": document, "contentChanges": changes }));
    }

    /// The diagnostics of the current version.
    pub(super) fn problems(&self) -> Vec<Value> {
        loop {
            let Message::Notification(message) = self.receive() else { continue };
            assert_eq!(message.method, "textDocument/publishDiagnostics");
            // Without a version, the document has been closed.
            let Some(version) = message.params["version"].as_i64() else { continue };
            assert!(version <= self.version.into(), "{version}");
            if version == i64::from(self.version) {
                return message.params["diagnostics"].as_array().expect("a list").clone();
            }
        }
    }

    pub(super) fn at(line: u32, character: u32) -> Value {
        json!({ "textDocument": { "uri": URI }, "position": { "line": line, "character": character } })
    }

    /// Ends the session in order. Returns whether the server reports the same.
    pub(super) fn end(mut self) -> bool {
        self.ask("shutdown", Value::Null);
        self.notify("exit", Value::Null);
        self.server.take().expect("a server").join().expect("no panic")
    }
}

/// The result of a response, or its error.
pub(super) trait Kind {
    fn response_kind(self) -> Result<Value, (i32, String)>;
}

impl Kind for Response {
    fn response_kind(self) -> Result<Value, (i32, String)> {
        let value = serde_json::to_value(Message::from(self)).expect("a message");
        match value.get("error") {
            Some(error) => {
                let code = error["code"].as_i64().expect("a code") as i32;
                Err((code, error["message"].as_str().unwrap_or_default().to_string()))
            }
            None => Ok(value.get("result").cloned().unwrap_or(Value::Null)),
        }
    }
}

/// The text after applying edits, which count columns in UTF-16.
pub(super) fn edited(text: &str, edits: &Value) -> String {
    use astragal_editor::lines::{Lines, Place, Units};
    let lines = Lines::of(text);
    let offset = |at: &Value| {
        let number = |key: &str| at[key].as_u64().expect("a number") as u32;
        lines.offset(text, Place { line: number("line"), column: number("character") }, Units::Utf16)
    };
    let list = edits.as_array().expect("a list").iter();
    let mut parts: Vec<(usize, usize, String)> = list
        .map(|edit| {
            let (range, new) = (&edit["range"], edit["newText"].as_str().expect("a text"));
            (offset(&range["start"]), offset(&range["end"]), new.to_string())
        })
        .collect();
    parts.sort_by_key(|part| std::cmp::Reverse(part.0));
    let mut text = text.to_string();
    for (start, end, new) in parts {
        text.replace_range(start..end, &new);
    }
    text
}

#[test]
fn problems_follow_the_text_and_are_fixed_by_their_actions() {
    let mut client = Client::new();
    let wrong = GAME.replace("play(any())", "plya(any())");
    client.open(&wrong);
    let problems = client.problems();
    assert_eq!(problems.len(), 1, "{problems:#?}");
    assert_eq!(problems[0]["range"]["start"], json!({ "line": 4, "character": 12 }));
    let range = &problems[0]["range"];
    let context = json!({ "diagnostics": [], "only": ["quickfix"] });
    let params = json!({ "textDocument": { "uri": URI }, "range": range, "context": context });
    let actions = client.ask("textDocument/codeAction", params);
    let right = edited(&wrong, &actions[0]["edit"]["changes"][URI]);
    assert_eq!(right, GAME);
    client.change(json!([{ "text": right }]));
    assert_eq!(client.problems(), Vec::<Value>::new());
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": URI } }));
    let (code, _) = client.refused("textDocument/hover", Client::at(0, 0));
    assert_eq!(code, -32602);
    assert!(client.end());
}

#[test]
fn columns_count_as_the_client_counts_them() {
    let line = 2;
    let after = |units: &str| {
        let capabilities = json!({ "general": { "positionEncodings": [units] } });
        let mut client = Client::with(capabilities);
        client.open(
            "board(3, 3); piece(\"\u{1f3b2}\", \"M\", \"W\"); setup(\"m2/3/2M w\");\n\nfn turn() { play(any()); }",
        );
        client.problems();
        let document = json!({ "textDocument": { "uri": URI } });
        let symbols = client.ask("textDocument/documentSymbol", document);
        let list = symbols.as_array().expect("a list").clone();
        let turn = list.iter().find(|one| one["name"] == "turn").expect("a function");
        assert_eq!(turn["location"]["range"]["start"]["line"], line);
        let params = json!({ "textDocument": { "uri": URI }, "position": { "line": 0, "character": 10_000 } });
        client.change(json!([{ "range": { "start": params["position"], "end": params["position"] }, "text": " x" }]));
        client.problems()[0]["range"]["start"]["character"].as_u64().expect("a column")
    };
    assert_eq!(after("utf-8"), after("utf-16") + 2);
}

#[test]
fn what_the_protocol_forbids_is_refused() {
    let mut client = Client::connect();
    assert_eq!(client.refused("textDocument/hover", Client::at(0, 0)).0, -32002);
    client.ask("initialize", json!({ "capabilities": {} }));
    assert_eq!(client.refused("initialize", json!({ "capabilities": {} })).0, -32600);
    assert_eq!(client.refused("textDocument/unheardOf", json!({})).0, -32601);
    assert_eq!(client.refused("textDocument/hover", json!({ "position": 7 })).0, -32602);
    client.notify("textDocument/didChange", json!({ "nonsense": true }));
    client.notify("$/setTrace", json!({ "value": "off" }));
    client.ask("shutdown", Value::Null);
    assert_eq!(client.refused("textDocument/hover", Client::at(0, 0)).0, -32600);
    client.notify("exit", Value::Null);
    assert!(client.server.take().expect("a server").join().expect("no panic"));
}

#[test]
fn a_client_that_goes_away_ends_the_server() {
    let client = Client::new();
    client.notify("exit", Value::Null);
    let Client { connection, server, .. } = client;
    assert!(!server.expect("a server").join().expect("no panic"), "without 'shutdown', the exit code is 1");
    drop(connection);
    let Client { connection, server, .. } = Client::new();
    drop(connection);
    assert!(!server.expect("a server").join().expect("no panic"));
}

#[test]
fn a_cancelled_request_is_answered_once() {
    let mut client = Client::new();
    client.open(GAME);
    let ids: Vec<RequestId> =
        (0..20).map(|_| client.request("textDocument/semanticTokens/full", Client::at(0, 0))).collect();
    client.notify("$/cancelRequest", json!({ "id": client.next }));
    let answers: Vec<Response> = ids.iter().map(|_| client.response()).collect();
    let mut answered: Vec<RequestId> = answers.iter().map(|one| one.id.clone()).collect();
    answered.sort_by_key(ToString::to_string);
    let mut asked = ids;
    asked.sort_by_key(ToString::to_string);
    assert_eq!(answered, asked);
    for answer in answers {
        if let Err((code, _)) = answer.response_kind() {
            assert_eq!(code, -32800);
        }
    }
    assert!(client.end());
}

#[test]
fn a_definition_in_a_bundled_script_opens_a_copy() {
    let mut client = Client::new();
    client.open("import \"chess\" as chess;\nchess::setup();\nfn turn() { play(any()); }\n");
    client.problems();
    let found = client.ask("textDocument/definition", Client::at(1, 8));
    let uri = found["uri"].as_str().expect("a URI");
    let path = PathBuf::from(uri.strip_prefix("file://").expect("a file"));
    let text = std::fs::read_to_string(&path).expect("a copy");
    let line = text.lines().nth(found["range"]["start"]["line"].as_u64().expect("a line") as usize);
    assert!(line.is_some_and(|line| line.contains("fn setup")), "{line:?}");
    assert!(client.end());
}

#[test]
fn the_board_is_a_picture() {
    let mut client = Client::new();
    client.open(GAME);
    client.problems();
    let params = json!({ "command": "astragal.board", "arguments": [URI] });
    let svg = client.ask("workspace/executeCommand", params)["svg"].as_str().expect("a picture").to_string();
    assert!(svg.starts_with("<svg"), "{svg}");
    let params = json!({ "command": "astragal.board", "arguments": ["file:///nothing"] });
    assert_eq!(client.refused("workspace/executeCommand", params).0, -32602);
    assert!(client.end());
}

/// Pseudorandom numbers that are the same on every machine.
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        (self.0 >> 33) as usize % bound.max(1)
    }
}

/// After more than ten thousand edits of all sizes, the server returns the same results as a new one.
#[test]
fn after_ten_thousand_edits_the_server_is_as_fresh() {
    let start = astragal_dsl::library::bundled("dice-chess").expect("a script").text;
    let mut text = start.clone();
    let mut client = Client::new();
    client.open(&text);
    let mut random = Random(40);
    let pieces = [
        "play(",
        ")",
        "\"queen\"",
        "{",
        "}",
        "\n",
        "fn f() {",
        "// \u{1f3b2} ",
        "\"",
        "any()",
        ";",
        "x",
        "\r\n",
        "#{ a: ",
    ];
    for step in 0..10_030 {
        if step % 50 == 49 {
            // Return to a playable script now and then, as authors do.
            text.clone_from(&start);
            client.change(json!([{ "text": text }]));
            continue;
        }
        let chars: Vec<usize> = text.char_indices().map(|(at, _)| at).chain([text.len()]).collect();
        let first = random.below(chars.len());
        let last = (first + random.below(4) * random.below(6)).min(chars.len() - 1);
        let new = if random.below(3) == 0 { "" } else { pieces[random.below(pieces.len())] };
        let place = |at: usize| {
            let lines = astragal_editor::lines::Lines::of(&text);
            let place = lines.place(&text, at, astragal_editor::lines::Units::Utf16);
            json!({ "line": place.line, "character": place.column })
        };
        // Editors cannot refer to a position between \r and \n.
        let splits = |at: usize| at > 0 && &text[at - 1..at] == "\r" && text[at..].starts_with('\n');
        let is_char = |at: usize| at > 0 && text.is_char_boundary(at - 1);
        if [chars[first], chars[last]].into_iter().any(|at| is_char(at) && splits(at)) {
            continue;
        }
        let range = json!({ "start": place(chars[first]), "end": place(chars[last]) });
        client.change(json!([{ "range": range, "text": new }]));
        text.replace_range(chars[first]..chars[last], new);
    }
    let document = json!({ "textDocument": { "uri": URI } });
    let seen = client.problems();
    let tokens = client.ask("textDocument/semanticTokens/full", document.clone());
    let mut fresh = Client::new();
    fresh.open(&text);
    assert_eq!(seen, fresh.problems());
    assert_eq!(tokens, fresh.ask("textDocument/semanticTokens/full", document));
    assert!(client.end() && fresh.end());
}
