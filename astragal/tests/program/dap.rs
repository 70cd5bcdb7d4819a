//! `astragal dap` as an editor starts it: a process that reads and writes messages of the Debug Adapter Protocol.

use crate::common::Folder;
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

const SCRIPT: &str = "board(3, 3);
piece(\"man\", \"M\", \"W\");
setup(\"m2/3/2M w\");
fn turn() {
    let dice = roll(\"1d6\");
    play(any());
}
";

struct Adapter {
    child: Child,
    input: Option<ChildStdin>,
    output: BufReader<ChildStdout>,
    seq: i64,
    printed: String,
}

impl Adapter {
    fn start() -> Adapter {
        let mut child = Command::new(env!("CARGO_BIN_EXE_astragal"))
            .arg("dap")
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program");
        let (input, output) = (child.stdin.take(), child.stdout.take().expect("piped"));
        Adapter { child, input, output: BufReader::new(output), seq: 0, printed: String::new() }
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.output.read_line(&mut line).expect("a header");
            match line.trim_end().split_once(": ") {
                Some(("Content-Length", number)) => length = number.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut bytes = vec![0; length];
        self.output.read_exact(&mut bytes).expect("a message");
        let message: Value = serde_json::from_slice(&bytes).expect("JSON");
        self.printed.push_str(message["body"]["output"].as_str().unwrap_or_default());
        message
    }

    fn ask(&mut self, command: &str, arguments: Value) -> Value {
        self.seq += 1;
        let request = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let (text, input) = (request.to_string(), self.input.as_mut().expect("open"));
        write!(input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the adapter reads");
        input.flush().expect("the adapter reads");
        loop {
            let message = self.receive();
            if message["request_seq"] == self.seq {
                assert_eq!(message["success"], true, "{message}");
                return message["body"].clone();
            }
        }
    }

    /// Waits until the game stops, and returns why.
    fn stop(&mut self) -> String {
        loop {
            let message = self.receive();
            if message["event"] == "stopped" {
                return message["body"]["reason"].as_str().expect("a reason").to_string();
            }
        }
    }

    /// The exit code.
    fn wait(mut self) -> Option<i32> {
        drop(self.input.take());
        self.child.wait().expect("it ends").code()
    }
}

#[test]
fn a_script_is_debugged_by_a_process() {
    let folder = Folder::new("dap");
    let path = folder.write("own.rhai", SCRIPT);
    let mut adapter = Adapter::start();
    adapter.ask("initialize", json!({ "adapterID": "astragal" }));
    adapter.ask("launch", json!({ "program": path, "seed": 7 }));
    let lines = json!({ "source": { "path": path }, "breakpoints": [{ "line": 6 }] });
    assert_eq!(adapter.ask("setBreakpoints", lines)["breakpoints"][0]["verified"], true);
    adapter.ask("configurationDone", Value::Null);
    assert_eq!(adapter.stop(), "breakpoint");
    assert!(adapter.printed.contains("Roll of 1d6: "), "{}", adapter.printed);
    let frame = adapter.ask("stackTrace", json!({ "threadId": 1 }))["stackFrames"][0].clone();
    assert_eq!((&frame["name"], &frame["line"]), (&json!("turn"), &json!(6)));
    adapter.ask("continue", json!({ "threadId": 1 }));
    assert_eq!(adapter.stop(), "question");
    let answer = adapter.ask("evaluate", json!({ "expression": "Mc2", "context": "repl" }));
    assert_eq!(answer["result"], "Answer: Mc2");
    assert_eq!(adapter.stop(), "breakpoint");
    assert!(adapter.printed.contains("Turn 2: Black.\n3 m . .\n2 . . M\n"), "{}", adapter.printed);
    adapter.ask("disconnect", json!({}));
    assert_eq!(adapter.wait(), Some(0));
}

#[test]
fn the_adapter_ends_with_its_editor() {
    let mut adapter = Adapter::start();
    adapter.ask("initialize", json!({}));
    assert_eq!(adapter.wait(), Some(1), "the input has ended without 'disconnect'");
    let mut adapter = Adapter::start();
    adapter.input.as_mut().expect("open").write_all(b"no header at all\r\n\r\n").expect("the adapter reads");
    assert_eq!(adapter.wait(), Some(1));
}
