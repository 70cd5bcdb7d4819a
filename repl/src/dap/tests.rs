//! The adapter as a client sees it: messages in, messages out.

use super::{framing, run};
use astragal_core::{Game, Status, Stream};
use astragal_dsl::{game_text, library};
use astragal_service::gametest::property::random_event;
use astragal_service::input;
use serde_json::{Value, json};
use std::io::{BufReader, PipeWriter, Write};
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::mpsc::{self, Receiver};
use std::thread::{self, JoinHandle};
use std::time::Duration;

/// A small game. The numbers of its lines matter.
const RACE: &str = "// A race.
board(3, 3); piece(\"man\", \"M\", \"W\"); setup(\"m2/3/2M w\");

fn half(n) {
    let h = n / 2;
    h
}

fn turn() {
    let dice = roll(\"1d6\");
    let h = half(dice);
    let list = [h, [1, \"two\"], #{ three: 3 }];
    play(any());
    let last = list;
}

fn outcome() {
    if count(opponent()) == 0 { win(mover(), \"all taken\"); }
}
";

/// A client that is connected to an adapter on another thread.
struct Client {
    output: Option<PipeWriter>,
    messages: Receiver<Value>,
    adapter: Option<JoinHandle<bool>>,
    seq: i64,
    /// The events that arrived before a response, and have not been examined yet.
    events: Vec<Value>,
    /// All text printed to the console.
    printed: String,
}

impl Client {
    /// Connects without sending a message.
    fn connect() -> Client {
        let (input, output) = std::io::pipe().expect("a pipe");
        let (replies, to_client) = std::io::pipe().expect("a pipe");
        let serve = move || run(BufReader::new(input), to_client).expect("threads start");
        let adapter = thread::Builder::new().stack_size(64 << 20).spawn(serve).expect("a thread");
        let (sender, messages) = mpsc::channel();
        thread::spawn(move || {
            let mut replies = BufReader::new(replies);
            while let Ok(Some(message)) = framing::read(&mut replies) {
                if sender.send(message).is_err() {
                    return;
                }
            }
        });
        let (events, printed) = (Vec::new(), String::new());
        Client { output: Some(output), messages, adapter: Some(adapter), seq: 0, events, printed }
    }

    fn new() -> Client {
        let mut client = Client::connect();
        let body = client.ask("initialize", json!({ "adapterID": "astragal" }));
        assert_eq!(body["supportsConfigurationDoneRequest"], true);
        client
    }

    /// Launches a game and starts it, with breakpoints in its own script.
    fn launch(arguments: Value, lines: &[usize]) -> Client {
        let mut client = Client::new();
        let path = arguments["program"].clone();
        client.ask("launch", arguments);
        client.event("initialized");
        let breakpoints: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": breakpoints }));
        client.ask("setExceptionBreakpoints", json!({ "filters": [] }));
        client.ask("configurationDone", Value::Null);
        client
    }

    fn send(&mut self, command: &str, arguments: Value) -> i64 {
        self.seq += 1;
        let request = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        framing::write(self.output.as_mut().expect("open"), &request).expect("the adapter reads");
        self.seq
    }

    fn receive(&mut self) -> Value {
        let message = self.messages.recv_timeout(Duration::from_secs(120)).expect("a message");
        if message["event"] == "output" {
            self.printed.push_str(message["body"]["output"].as_str().expect("a text"));
        }
        message
    }

    /// The response to a request.
    fn response(&mut self, command: &str, arguments: Value) -> Value {
        let seq = self.send(command, arguments);
        loop {
            let message = self.receive();
            match message["type"].as_str() {
                Some("response") => {
                    assert_eq!(message["request_seq"], seq, "{message}");
                    return message;
                }
                _ => self.events.push(message),
            }
        }
    }

    /// The body of a response.
    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], true, "{response}");
        response["body"].clone()
    }

    /// The message of the error that answers a request.
    fn refused(&mut self, command: &str, arguments: Value) -> String {
        let response = self.response(command, arguments);
        assert_eq!(response["success"], false, "{response}");
        response["message"].as_str().expect("a text").to_string()
    }

    /// The body of the next event of a kind.
    fn event(&mut self, name: &str) -> Value {
        loop {
            let event = if self.events.is_empty() { self.receive() } else { self.events.remove(0) };
            if event["event"] == name {
                return event["body"].clone();
            }
            assert_ne!(event["type"], "response", "{event}");
        }
    }

    /// Why the game stops next, and the line.
    fn stop(&mut self) -> (String, i64) {
        let reason = self.event("stopped")["reason"].as_str().expect("a reason").to_string();
        let frames = self.ask("stackTrace", json!({ "threadId": 1 }));
        (reason, frames["stackFrames"][0]["line"].as_i64().expect("a line"))
    }

    /// The names of the called functions, the innermost first.
    fn calls(&mut self) -> Vec<String> {
        let frames = self.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"].clone();
        let names = frames.as_array().expect("a list").iter();
        names.map(|frame| frame["name"].as_str().expect("a name").to_string()).collect()
    }

    /// Continues, and returns why and where the game stops next.
    fn go(&mut self, command: &str) -> (String, i64) {
        self.ask(command, json!({ "threadId": 1 }));
        self.stop()
    }

    /// The value of an expression in the console.
    fn console(&mut self, text: &str) -> String {
        let body = self.ask("evaluate", json!({ "expression": text, "context": "repl", "frameId": 1 }));
        body["result"].as_str().expect("a text").to_string()
    }

    /// Waits for the end of the game, and returns the exit code.
    fn end_of_game(&mut self) -> i64 {
        self.event("terminated");
        self.event("exited")["exitCode"].as_i64().expect("a number")
    }

    /// Disconnects.
    fn end(mut self) -> String {
        self.ask("disconnect", json!({}));
        assert!(self.adapter.take().expect("an adapter").join().expect("no panic"));
        self.printed
    }
}

/// A script in a folder of its own.
fn script(text: &str) -> String {
    static MADE: AtomicUsize = AtomicUsize::new(0);
    let number = MADE.fetch_add(1, Ordering::Relaxed);
    let folder: PathBuf = std::env::temp_dir().join(format!("astragal-dap-{}-{number}", std::process::id()));
    std::fs::create_dir_all(&folder).expect("a folder");
    let path = folder.join("race.rhai");
    std::fs::write(&path, text).expect("a file");
    path.display().to_string()
}

fn at(reason: &str, line: i64) -> (String, i64) {
    (reason.into(), line)
}

#[test]
fn a_breakpoint_shows_calls_and_variables() {
    let path = script(RACE);
    let mut client = Client::new();
    client.ask("launch", json!({ "program": path, "seed": 1 }));
    client.event("initialized");
    let lines = json!([{ "line": 11 }, { "line": 3 }, { "line": 40 }]);
    let set = client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": lines }));
    let told: Vec<(bool, i64)> = set["breakpoints"]
        .as_array()
        .expect("a list")
        .iter()
        .map(|one| (one["verified"].as_bool().expect("a flag"), one["line"].as_i64().expect("a line")))
        .collect();
    assert_eq!(told, [(true, 11), (true, 5), (false, 40)]);
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stop(), at("breakpoint", 11));
    assert!(client.printed.contains("Roll of 1d6: "), "{}", client.printed);
    assert!(client.printed.contains("Turn 1: White.\n3 m . .\n"), "{}", client.printed);
    let frames = client.ask("stackTrace", json!({ "threadId": 1 }));
    assert_eq!(frames["stackFrames"][0]["source"]["path"], path.as_str());
    assert_eq!(client.ask("threads", Value::Null)["threads"][0]["id"], 1);
    let scopes = client.ask("scopes", json!({ "frameId": 1 }));
    let list = client.ask("variables", json!({ "variablesReference": scopes["scopes"][0]["variablesReference"] }));
    assert_eq!(list["variables"][0]["name"], "dice");
    assert_eq!(list["variables"][0]["type"], "a number");
    let game = client.ask("variables", json!({ "variablesReference": scopes["scopes"][1]["variablesReference"] }));
    let names: Vec<&str> =
        game["variables"].as_array().expect("a list").iter().filter_map(|one| one["name"].as_str()).collect();
    assert_eq!(names, ["side to move", "turn", "rolls", "rule", "position"]);
    assert_eq!(game["variables"][2]["value"], list["variables"][0]["value"], "the roll: {game}");
    assert!(client.refused("evaluate", json!({ "expression": "dice + 1", "frameId": 1 })).contains("no variable"));
    assert_eq!(client.go("continue"), at("breakpoint", 5));
    assert_eq!(client.calls(), ["half", "turn"]);
    client.end();
}

#[test]
fn steps_go_over_into_and_out_of_functions() {
    let mut client = Client::launch(json!({ "program": script(RACE), "stopOnEntry": true }), &[]);
    assert_eq!(client.stop(), at("entry", 18));
    assert_eq!(client.go("next"), at("step", 10));
    assert_eq!(client.go("next"), at("step", 11));
    assert_eq!(client.go("stepIn"), at("step", 5));
    assert_eq!(client.calls(), ["half", "turn"]);
    assert_eq!(client.go("stepOut"), at("step", 12));
    assert_eq!(client.go("next"), at("step", 13));
    let list = client.ask("evaluate", json!({ "expression": "list", "context": "hover", "frameId": 1 }));
    assert!(list["result"].as_str().expect("a text").ends_with(", [1, \"two\"], #{ three: 3 }]"), "{list}");
    let parts = client.ask("variables", json!({ "variablesReference": list["variablesReference"] }));
    assert_eq!(
        (&parts["variables"][1]["name"], &parts["variables"][1]["indexedVariables"]),
        (&json!("[1]"), &json!(2))
    );
    let part = json!({ "variablesReference": list["variablesReference"], "start": 2, "count": 1 });
    let map = client.ask("variables", part)["variables"][0].clone();
    let entries = client.ask("variables", json!({ "variablesReference": map["variablesReference"] }));
    assert_eq!((&entries["variables"][0]["name"], &entries["variables"][0]["value"]), (&json!("three"), &json!("3")));
    assert_eq!(client.go("next"), at("question", 13));
    assert_eq!(client.go("next"), at("step", 14));
    assert_eq!(client.go("next"), at("step", 18));
    client.ask("pause", json!({ "threadId": 1 }));
    assert!(client.refused("variables", json!({ "variablesReference": 1 })).contains("continued"));
    client.end();
}

#[test]
fn a_question_is_answered_in_the_console() {
    let mut client = Client::launch(json!({ "program": script(RACE) }), &[14]);
    assert_eq!(client.stop(), at("question", 13));
    assert_eq!(client.calls(), ["turn"]);
    assert_eq!(client.console("choices"), "Mb1\nMc2");
    assert!(client.console("board").starts_with("3 m . ."));
    assert!(client.console("list").starts_with('['));
    assert!(client.refused("evaluate", json!({ "expression": "Ma3", "context": "repl" })).contains("Ma3"));
    assert!(client.refused("evaluate", json!({ "expression": "c2", "context": "watch" })).contains("no variable"));
    let text = json!({ "frameId": 1, "text": "M", "column": 2 });
    let targets = client.ask("completions", text)["targets"].clone();
    let labels: Vec<&str> =
        targets.as_array().expect("a list").iter().filter_map(|one| one["label"].as_str()).collect();
    assert_eq!(labels, ["Mb1", "Mc2", "list", "h", "dice", "board", "choices"]);
    assert_eq!((&targets[0]["start"], &targets[0]["length"]), (&json!(1), &json!(1)));
    assert_eq!(client.console("Mc2"), "Answer: Mc2");
    client.event("continued");
    assert_eq!(client.stop(), at("breakpoint", 14));
    assert_eq!(client.console("choices"), "The game is not waiting for an answer.");
    assert!(client.console("board").starts_with("3 m . .\n2 . . M"), "the move has been made");
    assert_eq!(client.console("rule"), "turn");
    assert_eq!(client.go("continue"), at("question", 13));
    let printed = client.end();
    assert!(printed.contains("White: Mc2\nTurn 2: Black.\n3 m . .\n2 . . M"), "{printed}");
    assert!(printed.contains("Black to move: "), "{printed}");
}

#[test]
fn a_choice_comes_before_variables_and_commands() {
    let text = RACE.replace("play(any());", "let stay = 1; choose([\"stay\", \"board\"]); play(any());");
    for choice in ["stay", "board"] {
        let mut client = Client::launch(json!({ "program": script(&text) }), &[]);
        assert_eq!(client.stop(), at("question", 13));
        assert_eq!(client.console("choices"), "stay\nboard");
        let hover = client.ask("evaluate", json!({ "expression": "stay", "context": "hover", "frameId": 1 }));
        assert_eq!(hover["result"], "1");
        let answer = client.console(choice);
        assert!(answer.starts_with("Answer: ") && answer.ends_with(choice), "{answer}");
        client.event("continued");
        assert_eq!(client.stop(), at("question", 13));
        assert_eq!(client.console("choices"), "Mb1\nMc2");
        assert_eq!(client.console("stay"), "1");
        assert!(client.console("board").starts_with("3 m . ."));
        client.end();
    }
}

#[test]
fn a_map_is_named_whatever_its_keys() {
    let text = RACE.replace("[h, [1, \"two\"], #{ three: 3 }]", "#{ \"[x]\": 1, b: 2 }");
    let mut client = Client::launch(json!({ "program": script(&text) }), &[]);
    assert_eq!(client.stop(), at("question", 13));
    let list = client.ask("evaluate", json!({ "expression": "list", "context": "repl", "frameId": 1 }));
    assert_eq!((&list["namedVariables"], &list["type"]), (&json!(2), &json!("a map")));
    for name in ["indexedVariables", "name", "value"] {
        assert!(list.get(name).is_none(), "{list}");
    }
    client.end();
}

#[test]
fn answers_are_chosen_at_random_to_the_end() {
    let mut client = Client::launch(json!({ "program": script(RACE), "seed": 3 }), &[]);
    let mut stops = 0;
    loop {
        let event = if client.events.is_empty() { client.receive() } else { client.events.remove(0) };
        match event["event"].as_str() {
            Some("stopped") => {
                stops += 1;
                client.ask("continue", json!({ "threadId": 1 }));
            }
            Some("terminated") => break,
            _ => {}
        }
    }
    assert!(stops > 1);
    assert_eq!(client.event("exited")["exitCode"], 0);
    assert!(client.refused("next", json!({ "threadId": 1 })).contains("not stopped"));
    let printed = client.end();
    assert!(printed.contains("Game over: ") && printed.contains("wins: all taken."), "{printed}");
}

/// The rolls and answers of a game are those of a game without a debugger.
#[test]
fn the_game_is_the_same_without_a_debugger() {
    for name in ["dice-chess", "senet"] {
        let arguments = json!({ "program": name, "seed": 11, "stopOnQuestions": false });
        let mut client = Client::launch(arguments, &[]);
        assert_eq!(client.end_of_game(), 0);
        let printed = client.end();
        let loaded = astragal_dsl::load(&library::bundled(name).expect("a script"), &[]).expect("it loads");
        let mut game = Game::new(Arc::clone(&loaded.set), loaded.start.clone(), 11).expect("a game begins");
        let mut random = Stream::new(11, u64::MAX);
        let mut lines = Vec::new();
        loop {
            match game.status() {
                Status::Over => break,
                Status::Chance => {
                    let before = game.state().clone();
                    let faces = game.roll().expect("it rolls");
                    lines.push(format!(": {}.", game_text::shown_roll(&before, &faces)));
                }
                Status::Move | Status::Choice => {
                    let event = random_event(game.state(), &mut random).expect("an answer");
                    lines.push(format!(": {}", input::event(game.state(), &event)));
                    game.apply(&event).expect("it is legal");
                }
            }
        }
        lines.push(format!("Game over: {}", game_text::result(game.state()).expect("a result")));
        let mut rest = printed.lines();
        for line in &lines {
            assert!(rest.any(|printed| printed.ends_with(line.as_str())), "{name}: {line}");
        }
        assert!(rest.next().is_none() && lines.len() > 50, "{name}");
    }
}

#[test]
fn a_rule_that_fails_stops_where_it_does() {
    let path = script(&RACE.replace("n / 2", "n / 0"));
    let mut client = Client::launch(json!({ "program": path }), &[]);
    assert_eq!(client.stop(), at("exception", 5));
    assert_eq!(client.calls(), ["half", "turn"]);
    assert!(client.printed.contains("race.rhai:5:"), "{}", client.printed);
    assert!(client.refused("evaluate", json!({ "expression": "c2", "context": "repl" })).contains("no variable"));
    client.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(client.end_of_game(), 1);
    client.end();
}

#[test]
fn an_endless_loop_meets_the_limits() {
    let path = script(&RACE.replace("let last = list;", "loop { let last = list; }"));
    let mut client = Client::launch(json!({ "program": path, "stopOnQuestions": false }), &[]);
    assert_eq!(client.event("stopped")["reason"], "exception");
    client.ask("next", json!({ "threadId": 1 }));
    assert_eq!(client.end_of_game(), 1);
    assert!(client.end().contains("operation limit"));
}

#[test]
fn a_wrong_launch_is_explained() {
    let mut client = Client::new();
    for (arguments, part) in [
        (json!({}), "'program' must be"),
        (json!({ "program": "chees" }), "did you mean"),
        (json!({ "program": "/nowhere/game.rhai" }), "there is no such file"),
        (json!({ "program": script("board(3, 3);\nplya();\n") }), "plya"),
        (json!({ "program": "dice-chess", "options": { "nothing": "x" } }), "no option"),
        (json!({ "program": "chess", "position": "what" }), "'position'"),
        (json!({ "program": "chess", "seed": "x" }), "'seed'"),
    ] {
        let message = client.refused("launch", arguments.clone());
        assert!(message.contains(part), "{arguments}: {message}");
    }
    client.ask("configurationDone", Value::Null);
    let at = json!({ "source": { "path": "/a.rhai" }, "breakpoints": [{ "line": 1 }] });
    assert_eq!(client.ask("setBreakpoints", at)["breakpoints"][0]["verified"], false);
    client.ask("launch", json!({ "program": "chess", "moves": ["e5"] }));
    assert_eq!(client.end_of_game(), 1);
    assert!(client.refused("launch", json!({ "program": "chess" })).contains("already"));
    assert!(client.end().contains("'moves': 'e5'"));
}

#[test]
fn moves_are_played_before_rules_stop() {
    let moves = json!(["roll 4", "Mc2", "Mb3"]);
    let mut client = Client::launch(json!({ "program": script(RACE), "moves": moves }), &[10]);
    assert_eq!(client.stop(), at("breakpoint", 10));
    assert!(client.printed.contains("Turn 3: White.\n3 . m .\n2 . . M"), "{}", client.printed);
    assert_eq!(client.console("turn"), "3");
    client.end();
    let arguments = json!({ "program": script(RACE), "position": "m2/3/1M1 b" });
    let mut client = Client::launch(arguments, &[]);
    assert_eq!(client.stop(), at("question", 13));
    assert!(client.console("choices").contains("Mb3"));
    client.end();
}

#[test]
fn bundled_scripts_are_sources() {
    let mut client = Client::new();
    client.ask("launch", json!({ "program": "dice-chess", "seed": 8 }));
    client.event("initialized");
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.event("stopped")["reason"], "question");
    let frames = client.ask("stackTrace", json!({ "threadId": 1, "startFrame": 0, "levels": 1 }));
    let source = frames["stackFrames"][0]["source"].clone();
    assert_eq!(source["name"], "dice-chess.rhai");
    let text = client.ask("source", json!({ "source": source, "sourceReference": source["sourceReference"] }));
    assert_eq!(text["content"], library::bundled("dice-chess").expect("a script").text);
    let base = client.ask("source", json!({ "sourceReference": 1 }));
    assert_eq!(base["content"], library::bundled("chess").expect("a script").text, "it is imported");
    let line = frames["stackFrames"][0]["line"].clone();
    let set = client.ask("setBreakpoints", json!({ "source": source, "breakpoints": [{ "line": line }] }));
    assert_eq!(set["breakpoints"][0]["verified"], true);
    assert_eq!(client.go("continue").0, "breakpoint");
    assert!(client.refused("source", json!({ "sourceReference": 99 })).contains("no such script"));
    client.end();
}

#[test]
fn lines_count_from_zero_for_clients_that_do() {
    let path = script(RACE);
    let mut client = Client::connect();
    client.ask("initialize", json!({ "linesStartAt1": false, "columnsStartAt1": false }));
    client.ask("launch", json!({ "program": path }));
    let at = json!({ "source": { "path": path }, "breakpoints": [{ "line": 7 }] });
    assert_eq!(client.ask("setBreakpoints", at)["breakpoints"][0]["line"], 9);
    let far = json!({ "source": { "path": path }, "breakpoints": [{ "line": i64::MAX }, { "line": 7 }] });
    assert_eq!(client.ask("setBreakpoints", far)["breakpoints"][0]["verified"], false);
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stop(), ("breakpoint".into(), 9));
    client.end();
}

#[test]
fn lines_and_columns_count_separately() {
    let path = script(RACE);
    let mut client = Client::connect();
    client.ask("initialize", json!({ "columnsStartAt1": false }));
    client.ask("launch", json!({ "program": path }));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stop(), at("question", 13));
    let targets = client.ask("completions", json!({ "frameId": 1, "text": "", "column": 0 }))["targets"].clone();
    assert_eq!((&targets[0]["start"], &targets[0]["length"]), (&json!(0), &json!(0)));
    client.end();
}

#[test]
fn every_requested_breakpoint_is_answered_in_order() {
    let path = script(RACE);
    let mut client = Client::new();
    client.ask("launch", json!({ "program": path }));
    let mut lines = vec![json!({ "line": 10 }), json!({ "column": 1 }), json!({ "line": 11 })];
    lines.extend((0..1200).map(|_| json!({ "line": 12 })));
    let set = client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": lines }));
    let told = set["breakpoints"].as_array().expect("a list");
    assert_eq!(told.len(), 1203);
    let verified: Vec<bool> = told.iter().map(|one| one["verified"] == true).collect();
    assert_eq!(verified[..4], [true, false, true, true]);
    assert!(told[1]["message"].as_str().expect("a text").contains("whole number"), "{}", told[1]);
    assert!(told[1202]["message"].as_str().expect("a text").contains("too many"), "{}", told[1202]);
    assert_eq!(told[1202]["line"], 12);
    client.end();
}

#[test]
fn a_pause_that_is_overtaken_does_not_stop_the_game_later() {
    let path = script(RACE);
    let mut client = Client::new();
    client.ask("launch", json!({ "program": path }));
    client.ask("setBreakpoints", json!({ "source": { "path": path }, "breakpoints": [{ "line": 18 }] }));
    client.ask("pause", json!({ "threadId": 1 }));
    client.ask("configurationDone", Value::Null);
    assert_eq!(client.stop(), at("breakpoint", 18));
    assert_eq!(client.go("continue"), at("question", 13));
    client.end();
}

#[test]
fn without_debugging_nothing_stops() {
    for (path, code) in [(script(RACE), 0), (script(&RACE.replace("n / 2", "n / 0")), 1)] {
        let mut client = Client::new();
        client.ask("launch", json!({ "program": path, "seed": 3, "noDebug": true, "stopOnEntry": true }));
        let at = json!({ "source": { "path": path }, "breakpoints": [{ "line": 10 }] });
        let set = client.ask("setBreakpoints", at)["breakpoints"][0].clone();
        assert_eq!((&set["verified"], &set["line"]), (&json!(false), &json!(10)));
        client.ask("configurationDone", Value::Null);
        assert_eq!(client.end_of_game(), code);
        let printed = client.end();
        assert!(printed.contains(if code == 0 { "Game over: " } else { "race.rhai:5:" }), "{printed}");
    }
}

#[test]
fn a_game_ends_once_and_does_not_start_afterward() {
    let mut client = Client::new();
    client.ask("launch", json!({ "program": "chess" }));
    client.ask("terminate", json!({}));
    assert_eq!(client.end_of_game(), 0);
    client.ask("terminate", json!({}));
    client.ask("configurationDone", Value::Null);
    client.ask("threads", Value::Null);
    assert!(client.events.iter().all(|event| event["event"] != "terminated"), "{:?}", client.events);
    assert_eq!(client.end(), "");
    let mut client = Client::new();
    client.ask("terminate", json!({}));
    assert_eq!(client.end_of_game(), 0);
    assert!(client.refused("launch", json!({ "program": "chess" })).contains("terminated"));
    client.end();
}

#[test]
fn an_answer_that_is_pending_at_the_end_gets_a_response() {
    let mut client = Client::launch(json!({ "program": script(RACE) }), &[]);
    assert_eq!(client.stop(), at("question", 13));
    let answer = client.send("evaluate", json!({ "expression": "Mc2", "context": "repl", "frameId": 1 }));
    let goodbye = client.send("disconnect", json!({}));
    let mut answered = Vec::new();
    while answered.last() != Some(&goodbye) {
        let message = client.receive();
        if message["type"] == "response" {
            answered.push(message["request_seq"].as_i64().expect("a number"));
        }
    }
    assert_eq!(answered, [answer, goodbye]);
    assert!(client.adapter.take().expect("an adapter").join().expect("no panic"));
}

#[test]
fn a_running_game_is_paused_and_ended() {
    let arguments = json!({ "program": "backgammon", "stopOnQuestions": false });
    let mut client = Client::launch(arguments.clone(), &[]);
    client.ask("pause", json!({ "threadId": 1 }));
    assert_eq!(client.event("stopped")["reason"], "pause");
    client.ask("terminate", json!({}));
    assert_eq!(client.end_of_game(), 0);
    client.end();
    let mut client = Client::launch(arguments, &[]);
    client.ask("terminate", json!({}));
    client.event("terminated");
    client.end();
}

#[test]
fn what_the_protocol_forbids_is_refused() {
    let mut client = Client::connect();
    assert!(client.refused("threads", Value::Null).contains("initialize"));
    client.ask("initialize", json!({}));
    assert!(client.refused("initialize", json!({})).contains("already"));
    assert!(client.refused("unheardOf", json!([])).contains("not supported"));
    for command in ["stackTrace", "scopes", "evaluate", "continue", "pause", "source"] {
        client.refused(command, json!("nonsense"));
    }
    let lines = json!([{ "line": i64::MAX }, { "line": i64::MIN }, { "line": "x" }, 7]);
    client.ask("setBreakpoints", json!({ "source": 7, "breakpoints": lines }));
    let messages = [json!(7), json!({ "type": "event" }), json!({ "type": "request", "command": 7 }), json!(null)];
    for message in messages {
        framing::write(client.output.as_mut().expect("open"), &message).expect("the adapter reads");
    }
    client.ask("threads", Value::Null);
    client.end();
}

#[test]
fn garbage_ends_the_adapter() {
    for bytes in [&b"no header at all\r\n\r\n"[..], b"Content-Length: 3\r\n\r\n{]}", &[0xff; 3000]] {
        let mut client = Client::connect();
        client.output.as_mut().expect("open").write_all(bytes).expect("the adapter reads");
        drop(client.output.take());
        assert!(!client.adapter.take().expect("an adapter").join().expect("no panic"));
    }
}

#[test]
fn the_adapter_ends_with_its_client() {
    for stops in [true, false] {
        let arguments = json!({ "program": "backgammon", "stopOnQuestions": stops });
        let mut client = Client::launch(arguments, &[]);
        if stops {
            client.event("stopped");
        }
        drop(client.output.take());
        assert!(!client.adapter.take().expect("an adapter").join().expect("no panic"));
    }
}
