//! Generates the parts of `docs/serve.md` that follow from the declarations of the methods, and tests that they are up to
//! date.
//!
//! The responses in examples are not written by hand: they are generated here. The documentation tests run them again with
//! the program itself.

use super::Service;
use super::methods::{METHODS, Method};
use super::store::Store;
use schemars::Schema;
use serde_json::{Map, Value};
use std::fmt::Write;
use std::path::Path;

/// The maximum number of characters of an answer that are shown.
const SHOWN: usize = 420;

/// A parameter or a part of a result.
#[derive(Clone)]
struct Member {
    name: String,
    about: String,
    needed: bool,
}

impl Member {
    /// Whether both have the same name and description.
    fn is_like(&self, other: &Member) -> bool {
        self.name == other.name && self.about == other.about
    }
}

fn members(schema: &Schema) -> Vec<Member> {
    let empty = Map::new();
    let properties = schema.get("properties").and_then(Value::as_object).unwrap_or(&empty);
    let needed = |name: &str| {
        let list = schema.get("required").and_then(Value::as_array);
        list.is_some_and(|list| list.iter().any(|other| other == name))
    };
    let one = |(name, about): (&String, &Value)| {
        let about = about["description"].as_str().unwrap_or_default().replace('\n', " ");
        assert!(!about.is_empty(), "'{name}' has no description: {about}");
        Member { name: name.clone(), about, needed: needed(name) }
    };
    properties.iter().map(one).collect()
}

fn table(head: &str, members: &[Member]) -> String {
    let mut text = format!("| {head} | |\n| --- | --- |\n");
    for Member { name, about, .. } in members {
        // Writing to a string cannot fail.
        let _ = writeln!(text, "| `{name}` | {} |", about.trim_end_matches('.'));
    }
    text
}

/// The parameters that several methods describe in the same way. If methods describe a name differently, only its most
/// common description is shared.
fn shared() -> Vec<Member> {
    let mut counts: Vec<(Member, usize)> = Vec::new();
    for member in METHODS.iter().flat_map(|method| members(&method.parameters())) {
        match counts.iter_mut().find(|(known, _)| known.is_like(&member)) {
            Some((_, count)) => *count += 1,
            None => counts.push((member, 1)),
        }
    }
    let is_shared = |(member, count): &&(Member, usize)| {
        let mut others = counts.iter().filter(|(other, _)| other.name == member.name && !other.is_like(member));
        *count > 1 && others.all(|(_, other)| other < count)
    };
    counts.iter().filter(is_shared).map(|(member, _)| member.clone()).collect()
}

fn methods() -> String {
    let shared = shared();
    METHODS.iter().map(|method| one(method, &shared)).collect::<Vec<_>>().join("\n")
}

fn one(method: &Method, shared: &[Member]) -> String {
    let mut text = format!("### `{}`\n\n{}\n\n", method.name, method.about);
    let parameters = members(&method.parameters());
    let mark = |member: &Member| format!("`{}`{}", member.name, if member.needed { " (required)" } else { "" });
    let listed = match parameters.is_empty() {
        true => "none".into(),
        false => parameters.iter().map(mark).collect::<Vec<_>>().join(", "),
    };
    let _ = writeln!(text, "Parameters: {listed}.\n");
    let is_own = |member: &Member| !shared.iter().any(|other| other.is_like(member));
    let own: Vec<Member> = parameters.into_iter().filter(is_own).collect();
    if !own.is_empty() {
        let _ = writeln!(text, "{}", table("parameter", &own));
    }
    let _ = writeln!(text, "{}", table("result", &members(&method.result())));
    let _ = writeln!(text, "```rpc\n{}```", asked(method));
    text
}

/// A method's example and its answer, after an `open` if it needs an open game, which has number 1.
fn asked(method: &Method) -> String {
    let (mut server, mut text) = (Service::new(), String::new());
    let opened = method.example.contains("\"session\"");
    let open = METHODS.iter().find(|other| other.name == "open").filter(|_| opened);
    for (id, method) in open.into_iter().chain([method]).enumerate() {
        let params = if method.example == "{}" { String::new() } else { format!(",\"params\":{}", method.example) };
        let request = format!("{{\"jsonrpc\":\"2.0\",\"id\":{},\"method\":\"{}\"{params}}}", id + 1, method.name);
        let answer = server.handle(&request).expect("an answer");
        assert!(answer.contains("\"result\""), "{request}: {answer}");
        let shown = match answer.char_indices().nth(SHOWN) {
            Some((end, _)) => format!("{}...", &answer[..end]),
            None => answer,
        };
        let _ = writeln!(text, "-> {request}\n<- {shown}");
    }
    text
}

/// A store in which the game of the examples is open.
fn store() -> Store {
    let mut store = Store::default();
    let open = METHODS.iter().find(|method| method.name == "open").expect("the method");
    open.call(&mut store, &serde_json::from_str(open.example).expect("an object"), &mut |_, _| {}).expect("an answer");
    store
}

/// The document, with the part between the marks of `name` replaced.
fn replaced(document: &str, name: &str, text: &str) -> String {
    let (begin, end) = (format!("<!-- {name}: written by the tests -->\n"), format!("<!-- end of {name} -->\n"));
    let (before, rest) = document.split_once(&begin).unwrap_or_else(|| panic!("no '{}' in the document", begin.trim()));
    let (_, after) = rest.split_once(&end).unwrap_or_else(|| panic!("no '{}' in the document", end.trim()));
    format!("{before}{begin}{text}{end}{after}")
}

/// `ASTRAGAL_WRITE=1` writes it.
#[test]
fn the_document_is_up_to_date() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/serve.md");
    let found = std::fs::read_to_string(&path).expect("docs/serve.md exists");
    let made = replaced(&replaced(&found, "parameters", &table("parameter", &shared())), "methods", &methods());
    if std::env::var_os("ASTRAGAL_WRITE").is_some() {
        std::fs::write(&path, &made).expect("docs/serve.md can be written");
    }
    assert!(found == made, "docs/serve.md is out of date: run the tests once with ASTRAGAL_WRITE=1");
}

/// The answer of `methods` is true: every example uses the names of its schema, and is answered.
#[test]
fn schemas_describe_what_is_understood() {
    for method in METHODS {
        let example: Map<String, Value> = serde_json::from_str(method.example).expect("an object");
        let known = members(&method.parameters());
        assert!(example.keys().all(|name| known.iter().any(|member| member.name == *name)), "{}", method.name);
        let missing = known.iter().find(|member| member.needed && !example.contains_key(&member.name));
        assert!(missing.is_none(), "{}", method.name);
        // A request without a required member is refused with the name of that member.
        for member in known.iter().filter(|member| member.needed) {
            let mut less = example.clone();
            less.remove(&member.name);
            let error = method.call(&mut store(), &less, &mut |_, _| {}).expect_err("a required member is missing");
            assert_eq!(error.data["field"], member.name.as_str(), "{}", method.name);
        }
        let result = method.result();
        let answered = method.call(&mut store(), &example, &mut |_, _| {}).expect("an answer");
        let described = members(&result);
        for name in answered.as_object().expect("an object").keys() {
            assert!(described.iter().any(|member| member.name == *name), "{}: {name}", method.name);
        }
        for member in described.iter().filter(|member| member.needed) {
            assert!(answered.get(&member.name).is_some(), "{}: {}", method.name, member.name);
        }
    }
}
