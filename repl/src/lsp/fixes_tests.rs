//! Parts of the protocol that depend on timing, on files, or on the capabilities of the client.

use super::tests::{Client, GAME, Kind, URI, edited};
use super::{buffered, convert};
use lsp_server::{Connection, Notification, Request, RequestId};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

fn open(client: &Client, uri: &str, language: &str, text: &str) {
    let document = json!({ "uri": uri, "languageId": language, "version": 1, "text": text });
    client.notify("textDocument/didOpen", json!({ "textDocument": document }));
}

fn close(client: &Client, uri: &str) {
    client.notify("textDocument/didClose", json!({ "textDocument": { "uri": uri } }));
}

/// Receives messages up to the diagnostics without a version that the server sends when a document is closed.
fn await_close(client: &Client) {
    loop {
        let message = serde_json::to_value(client.receive()).expect("a message");
        if message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"].is_null() {
            return;
        }
    }
}

/// The next diagnostics of a document that satisfy a condition.
fn until(client: &Client, uri: &str, condition: impl Fn(&[Value]) -> bool) -> Vec<Value> {
    loop {
        let message = serde_json::to_value(client.receive()).expect("a message");
        let params = &message["params"];
        let is_it = message["method"] == "textDocument/publishDiagnostics" && params["uri"] == uri;
        if is_it && !params["version"].is_null() && condition(list(&params["diagnostics"])) {
            return list(&params["diagnostics"]).to_vec();
        }
    }
}

fn has_error(problems: &[Value]) -> bool {
    problems.iter().any(|one| one["severity"] == 1)
}

/// A new folder with a script and a `.game` file that tests it, and the URIs of both.
fn folder(name: &str) -> (PathBuf, String, String) {
    let folder = std::env::temp_dir().join(format!("astragal-lsp-{}-{name}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    std::fs::write(folder.join("own.rhai"), GAME).expect("a script");
    std::fs::write(folder.join("own.game"), "variant: own.rhai\n").expect("a file");
    let uri = |file: &str| convert::uri(&folder.join(file)).expect("a URI").as_str().to_string();
    let (script, game) = (uri("own.rhai"), uri("own.game"));
    (folder, script, game)
}

#[test]
fn messages_are_taken_before_they_are_handled() {
    let (sender, messages) = crossbeam_channel::bounded(0);
    let taken = buffered(messages).expect("a thread");
    for number in 0..50 {
        let message = Notification { method: number.to_string(), params: Value::Null };
        sender.send_timeout(message.into(), Duration::from_secs(60)).expect("the message is taken");
    }
    drop(sender);
    assert_eq!(taken.iter().count(), 50);
}

#[test]
fn cancellations_skip_the_queue() {
    let (connection, other) = Connection::memory();
    let send = |message: lsp_server::Message| connection.sender.send(message).expect("a channel");
    let request = |id: i32, method: &str, params: Value| {
        send(Request { id: RequestId::from(id), method: method.into(), params }.into());
    };
    let notify = |method: &str, params: Value| send(Notification { method: method.into(), params }.into());
    request(1, "initialize", json!({ "capabilities": {} }));
    notify("initialized", json!({}));
    let document = json!({ "uri": URI, "languageId": "rhai", "version": 1, "text": GAME });
    notify("textDocument/didOpen", json!({ "textDocument": document }));
    for id in 2..22 {
        request(id, "textDocument/semanticTokens/full", Client::at(0, 0));
    }
    for id in 2..21 {
        notify("$/cancelRequest", json!({ "id": id }));
    }
    let client = Client::of(connection, other);
    let results: Vec<_> = (1..22).map(|_| client.response().response_kind()).collect();
    let canceled = results.iter().filter(|result| matches!(result, Err((-32800, _)))).count();
    assert_eq!((canceled, results.iter().filter(|result| result.is_ok()).count()), (19, 2));
    assert!(client.end());
}

#[test]
fn problems_of_an_imported_script_are_shown_at_the_import() {
    let mut client = Client::new();
    client.open(
        "import \"chess\" as chess;\nboard(6, 6);\nchess::men();\nchess::castlings(true);\n\
         setup(\"rnbqkb/6/6/6/6/RNBQKB w\");\nfn turn() { play(any()); }\n",
    );
    let problems = client.problems();
    let is_imported = |one: &&Value| one["message"].as_str().is_some_and(|text| text.starts_with("chess.rhai:"));
    let problem = problems.iter().find(is_imported).unwrap_or_else(|| panic!("{problems:#?}"));
    assert_eq!(problem["range"]["start"], json!({ "line": 0, "character": 7 }));
    assert_eq!(problem["range"]["end"], json!({ "line": 0, "character": 14 }));
    let context = json!({ "diagnostics": [] });
    let params = json!({ "textDocument": { "uri": URI }, "range": problem["range"], "context": context });
    assert_eq!(client.ask("textDocument/codeAction", params), json!([]));
    assert!(client.end());
}

#[test]
fn all_certain_problems_are_fixed_at_once() {
    let right = GAME.replace("== 0 {", "== 0 && true {");
    let wrong = right.replace(" && ", " and ").replace("board(3, 3);", "board(3, 3)");
    let params = |only: &str| {
        let range = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 0, "character": 0 } });
        let context = json!({ "diagnostics": [], "only": [only] });
        json!({ "textDocument": { "uri": URI }, "range": range, "context": context })
    };
    // A client that cannot resolve actions receives the edit with the action.
    let mut client = Client::new();
    client.open(&wrong);
    client.problems();
    let actions = client.ask("textDocument/codeAction", params("source.fixAll"));
    assert_eq!(list(&actions).len(), 1, "{actions}");
    assert_eq!(edited(&wrong, &actions[0]["edit"]["changes"][URI]), right);
    for other in ["sour", "source.organizeImports"] {
        assert_eq!(client.ask("textDocument/codeAction", params(other)), json!([]));
    }
    assert!(client.end());
    let mut client = Client::with(json!({ "textDocument": { "codeAction": {
        "codeActionLiteralSupport": { "codeActionKind": { "valueSet": [] } },
        "dataSupport": true,
        "resolveSupport": { "properties": ["edit"] },
    } } }));
    client.open(&wrong);
    client.problems();
    let actions = client.ask("textDocument/codeAction", params("source"));
    assert!(actions[0]["edit"].is_null() && actions[0]["kind"] == "source.fixAll", "{actions}");
    let action = client.ask("codeAction/resolve", actions[0].clone());
    assert_eq!(edited(&wrong, &action["edit"]["changes"][URI]), right);
    client.change(json!([{ "text": right }]));
    assert_eq!(client.refused("codeAction/resolve", actions[0].clone()).0, -32801);
    assert!(client.end());
}

#[test]
fn a_reopened_document_has_no_problems_of_the_closed_one() {
    let mut client = Client::new();
    for _ in 0..5 {
        client.open(&GAME.replace("play(any())", "plya(any())"));
        // The check begins.
        std::thread::sleep(Duration::from_millis(20));
        close(&client, URI);
        client.open(GAME);
        await_close(&client);
        assert_eq!(client.problems(), Vec::<Value>::new());
        close(&client, URI);
        await_close(&client);
    }
    assert!(client.end());
}

#[test]
fn files_on_disk_are_checked_again() {
    let (folder, script, game) = folder("disk");
    let client = Client::new();
    open(&client, &game, "astragal-game", "variant: own.rhai\n");
    let problems = until(&client, &game, |_| true);
    assert!(problems.len() == 1 && problems[0]["severity"] == 3, "there is no accepted output: {problems:#?}");
    std::fs::write(folder.join("own.rhai"), "board(3, 3").expect("a script");
    let changes = json!([{ "uri": script, "type": 2 }]);
    client.notify("workspace/didChangeWatchedFiles", json!({ "changes": changes }));
    until(&client, &game, has_error);
    std::fs::write(folder.join("own.rhai"), GAME).expect("a script");
    client.notify("textDocument/didSave", json!({ "textDocument": { "uri": script } }));
    until(&client, &game, |problems| !has_error(problems));
    // Unsaved changes count while the script is open.
    open(&client, &script, "rhai", "board(3, 3");
    until(&client, &game, has_error);
    close(&client, &script);
    until(&client, &game, |problems| !has_error(problems));
    assert!(client.end());
    std::fs::remove_dir_all(folder).expect("the folder");
}

#[test]
fn the_client_watches_files_if_it_can() {
    let dynamic = json!({ "workspace": { "didChangeWatchedFiles": { "dynamicRegistration": true } } });
    let client = Client::with(dynamic);
    let message = serde_json::to_value(client.receive()).expect("a message");
    assert_eq!(message["method"], "client/registerCapability");
    let registration = &message["params"]["registrations"][0];
    assert_eq!(registration["method"], "workspace/didChangeWatchedFiles");
    assert_eq!(registration["registerOptions"]["watchers"][0]["globPattern"], "**/*.{rhai,game,snap}");
    assert!(client.end());
}

#[test]
fn an_unsaved_game_file_depends_on_no_folder() {
    let mut client = Client::new();
    let uri = "untitled:Untitled-1.game";
    open(&client, uri, "astragal-game", "variant: chess\n");
    assert_eq!(until(&client, uri, |_| true), Vec::<Value>::new());
    let position = json!({ "line": 0, "character": 11 });
    let params = json!({ "textDocument": { "uri": uri }, "position": position });
    let found = client.ask("textDocument/definition", params);
    assert!(found["uri"].as_str().is_some_and(|uri| uri.ends_with("/chess.rhai")), "{found}");
    close(&client, uri);
    open(&client, uri, "astragal-game", "title: no script\n");
    assert!(has_error(&until(&client, uri, |_| true)));
    assert!(client.end());
}

#[test]
fn no_parameter_is_marked_beyond_the_last() {
    let text = "fn f(a) { a }\nfn turn() { f(1, 2, ) }";
    let labels = json!({ "parameterInformation": { "labelOffsetSupport": true } });
    let offsets = json!({ "textDocument": { "signatureHelp": { "signatureInformation": labels } } });
    for (capabilities, label) in [(json!({}), json!("a")), (offsets, json!([2, 3]))] {
        let mut client = Client::with(capabilities);
        client.open(text);
        client.problems();
        let found = client.ask("textDocument/signatureHelp", Client::at(1, 14));
        assert_eq!(found["signatures"][0]["parameters"][0]["label"], label, "{found}");
        assert_eq!(found["activeParameter"], 0);
        let found = client.ask("textDocument/signatureHelp", Client::at(1, 20));
        assert_eq!(found["signatures"][0]["label"], "f(a)");
        assert!(found["signatures"][0]["parameters"].is_null(), "{found}");
        assert!(client.end());
    }
}

#[test]
fn the_server_offers_what_the_client_supports() {
    let offered = |capabilities: Value| {
        let mut client = Client::connect();
        let result = client.ask("initialize", json!({ "capabilities": capabilities }));
        assert!(client.end());
        result["capabilities"].clone()
    };
    let least = offered(json!({}));
    assert_eq!(least["renameProvider"], true);
    assert!(least["codeActionProvider"].is_null());
    assert_eq!(least["textDocumentSync"]["save"], true);
    let most = offered(json!({ "textDocument": {
        "rename": { "prepareSupport": true },
        "codeAction": {
            "codeActionLiteralSupport": {},
            "dataSupport": true,
            "resolveSupport": { "properties": ["edit"] },
        },
    } }));
    assert_eq!(most["renameProvider"], json!({ "prepareProvider": true }));
    assert_eq!(most["codeActionProvider"]["resolveProvider"], true);
}
