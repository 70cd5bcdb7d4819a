//! Each request that the server offers, as a client sends it and reads its answer.

use super::tests::{Client, GAME, URI, edited};
use serde_json::{Value, json};

/// A client with an open script that has been checked.
fn with(text: &str) -> Client {
    let mut client = Client::new();
    client.open(text);
    client.problems();
    client
}

fn document() -> Value {
    json!({ "textDocument": { "uri": URI } })
}

/// The place of a text in the script, in UTF-16.
fn place(text: &str, part: &str) -> Value {
    let before = &text[..text.find(part).expect("the part")];
    let line = before.matches('\n').count() as u32;
    let column = before.rsplit('\n').next().unwrap_or_default().encode_utf16().count() as u32;
    Client::at(line, column)
}

fn list(value: &Value) -> &[Value] {
    value.as_array().map(Vec::as_slice).unwrap_or_default()
}

#[test]
fn completion_offers_the_pieces_within_quotes() {
    let text = GAME.replace("any()", "pieces(\"\")");
    let mut client = with(&text);
    let at = place(&text, "\")); }\nfn outcome");
    let found = client.ask("textDocument/completion", at);
    let items = if found.is_array() { &found } else { &found["items"] };
    let labels: Vec<&str> = list(items).iter().filter_map(|item| item["label"].as_str()).collect();
    assert!(labels.contains(&"man") && !labels.contains(&"play"), "{labels:?}");
    assert!(client.end());
}

#[test]
fn signature_help_marks_the_parameter() {
    let mut client = with(GAME);
    let mut at = place(GAME, "mover(), \"all taken\"");
    at["position"]["character"] = json!(at["position"]["character"].as_u64().expect("a column") + 9);
    let found = client.ask("textDocument/signatureHelp", at);
    let active = found["activeSignature"].as_u64().unwrap_or_default() as usize;
    let form = &found["signatures"][active];
    assert!(form["label"].as_str().is_some_and(|label| label.starts_with("win(side")), "{found}");
    let parameter = form["activeParameter"].as_u64().or(found["activeParameter"].as_u64());
    assert_eq!(parameter, Some(1), "{found}");
    assert!(client.end());
}

#[test]
fn hover_draws_the_movement_of_a_piece() {
    let mut client = with(GAME);
    let found = client.ask("textDocument/hover", place(GAME, "man\""));
    let text = found["contents"]["value"].as_str().expect("a text");
    assert!(text.contains("**man**") && text.contains("* * *"), "{text}");
    let nothing = client.ask("textDocument/hover", Client::at(0, 3));
    assert_eq!(nothing, Value::Null, "comments have no hover");
    assert!(client.end());
}

#[test]
fn a_name_is_found_and_changed_wherever_it_is_used() {
    let text = GAME.replace("any()", "pieces(\"man\")").replace("count(to_move())", "count(to_move(), \"man\")");
    let mut client = with(&text);
    let at = place(&text, "man\")); }\nfn outcome");
    let found = client.ask("textDocument/definition", at.clone());
    assert_eq!((&found["uri"], &found["range"]["start"]["line"]), (&json!(URI), &json!(2)), "{found}");
    let mut params = at.clone();
    params["context"] = json!({ "includeDeclaration": true });
    assert_eq!(list(&client.ask("textDocument/references", params)).len(), 3);
    assert_eq!(list(&client.ask("textDocument/documentHighlight", at.clone())).len(), 3);
    assert!(!client.ask("textDocument/prepareRename", at.clone()).is_null());
    let mut params = at;
    params["newName"] = json!("soldier");
    let changes = client.ask("textDocument/rename", params);
    assert_eq!(edited(&text, &changes["changes"][URI]), text.replace("\"man\"", "\"soldier\""));
    assert!(client.end());
}

#[test]
fn the_outline_has_rules_and_declarations() {
    let mut client = with(GAME);
    let symbols = client.ask("textDocument/documentSymbol", document());
    let names: Vec<&str> = list(&symbols).iter().filter_map(|one| one["name"].as_str()).collect();
    assert!(names.contains(&"turn") && names.contains(&"outcome") && names.contains(&"board"), "{names:?}");
    let text = GAME.replace("{ play(any()); }", "{\n    play(any());\n}");
    client.change(json!([{ "text": text }]));
    let folds = client.ask("textDocument/foldingRange", document());
    assert!(list(&folds).iter().any(|fold| fold["startLine"] == 4 && fold["endLine"].as_u64() >= Some(5)), "{folds}");
    let mut params = document();
    params["positions"] = json!([place(&text, "any()")["position"]]);
    let selection = client.ask("textDocument/selectionRange", params);
    assert!(selection[0]["parent"]["range"].is_object(), "{selection}");
    assert!(client.end());
}

#[test]
fn tokens_are_numbers_in_fives() {
    let mut client = with(GAME);
    let data = client.ask("textDocument/semanticTokens/full", document())["data"].clone();
    let numbers: Vec<u64> = list(&data).iter().filter_map(Value::as_u64).collect();
    assert!(numbers.len() > 100 && numbers.len().is_multiple_of(5), "{}", numbers.len());
    // The comment in the first line: its icon counts as two units of UTF-16.
    assert_eq!(&numbers[..3], [0, 0, "// \u{1f3b2} A race.".encode_utf16().count() as u64]);
    assert!(client.end());
}

#[test]
fn formatting_changes_only_the_layout() {
    let text = GAME.replace("{ play(any()); }", "{play( any() );}");
    let mut client = with(&text);
    let mut params = document();
    params["options"] = json!({ "tabSize": 4, "insertSpaces": true });
    let edits = client.ask("textDocument/formatting", params.clone());
    assert_eq!(edited(&text, &edits), GAME);
    client.change(json!([{ "text": GAME }]));
    assert!(list(&client.ask("textDocument/formatting", params.clone())).is_empty());
    client.change(json!([{ "text": "fn turn( {" }]));
    assert_eq!(client.refused("textDocument/formatting", params).0, -32803);
    assert!(client.end());
}

#[test]
fn lenses_play_a_script_and_show_the_odds_of_its_rolls() {
    let text = GAME.replace("play(any());", "if roll(\"1d6\") > 1 { play(any()); }");
    let mut client = with(&text);
    let lenses = client.ask("textDocument/codeLens", document());
    let commands: Vec<&str> = list(&lenses).iter().filter_map(|lens| lens["command"]["command"].as_str()).collect();
    assert!(commands.contains(&"astragal.play") && commands.contains(&"astragal.odds"), "{commands:?}");
    let odds = list(&lenses).iter().find(|lens| lens["command"]["command"] == "astragal.odds").expect("a lens");
    assert_eq!(odds["range"]["start"]["line"], 4);
    assert_eq!(odds["command"]["arguments"][0], URI);
    assert!(client.end());
}

#[test]
fn hints_count_the_moves_of_a_permit() {
    let mut client = with(GAME);
    let mut params = document();
    params["range"] = json!({ "start": { "line": 0, "character": 0 }, "end": { "line": 99, "character": 0 } });
    // The hints come after the check, from another thread.
    let began = std::time::Instant::now();
    let found = loop {
        let found = client.ask("textDocument/inlayHint", params.clone());
        if !list(&found).is_empty() || began.elapsed().as_secs() > 60 {
            break found;
        }
        std::thread::sleep(std::time::Duration::from_millis(50));
    };
    let labels: Vec<String> = list(&found).iter().map(|hint| hint["label"].to_string()).collect();
    assert!(labels.iter().any(|label| label.contains("move")), "{labels:?}");
    assert!(client.end());
}
