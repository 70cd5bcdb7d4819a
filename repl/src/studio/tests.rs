//! The studio's server, asked as a browser asks, and as somebody who should not.

use super::{Studio, USUAL_PORT};
use serde_json::Value;
use std::io::{Read, Write};
use std::net::TcpStream;
use std::path::{Path, PathBuf};

/// A folder of this process, made anew, and a studio for it.
fn studio(name: &str) -> (PathBuf, String, u16) {
    let folder = std::env::temp_dir().join(format!("astragal-studio-{}-{name}", std::process::id()));
    let _ = std::fs::remove_dir_all(&folder);
    std::fs::create_dir_all(folder.join("inner")).unwrap();
    std::fs::write(folder.join("race.rhai"), "board(5, 1);").unwrap();
    std::fs::write(folder.join("secret.txt"), "secret").unwrap();
    std::fs::write(folder.join("inner/deep.rhai"), "secret").unwrap();
    let studio = Studio::new(&folder, Some(0)).unwrap();
    let (token, port) = (studio.token.clone(), studio.port);
    // It ends with the process.
    std::thread::spawn(move || studio.run());
    (folder, token, port)
}

/// Status and body of an answer.
fn ask(port: u16, method: &str, path: &str, headers: &str, body: &str) -> (u16, String) {
    let mut stream = TcpStream::connect(("127.0.0.1", port)).unwrap();
    let length = body.len();
    write!(stream, "{method} {path} HTTP/1.1\r\n{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}")
        .unwrap();
    let mut answer = String::new();
    stream.read_to_string(&mut answer).unwrap();
    let status = answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
    let body = answer.split_once("\r\n\r\n").map_or("", |(_, body)| body).to_owned();
    (status, body)
}

fn get(port: u16, path: &str) -> (u16, String) {
    ask(port, "GET", path, &format!("Host: 127.0.0.1:{port}\r\n"), "")
}

fn put(port: u16, path: &str, body: &str) -> (u16, String) {
    ask(port, "PUT", path, &format!("Host: 127.0.0.1:{port}\r\n"), body)
}

fn text(folder: &Path, name: &str) -> String {
    std::fs::read_to_string(folder.join(name)).unwrap_or_default()
}

/// The second studio takes another port, whether the usual one was free for the first or not.
#[test]
fn without_a_port_the_usual_one_is_taken_or_another() {
    let folder = std::env::temp_dir();
    let usual = Studio::new(&folder, None).unwrap();
    let other = Studio::new(&folder, None).unwrap();
    assert!(other.port != USUAL_PORT && other.port != usual.port && !other.is_at_usual_port());
    assert_eq!(usual.is_at_usual_port(), usual.port == USUAL_PORT);
    assert!(Studio::new(&folder, Some(usual.port)).is_err(), "a port that is asked for is not replaced");
    assert!(Studio::new(&folder.join("no such folder"), None).is_err());
}

#[test]
fn scripts_of_the_folder_are_listed_read_and_written() {
    let (folder, token, port) = studio("good");
    let (status, list) = get(port, &format!("/{token}/api/scripts"));
    let list: Value = serde_json::from_str(&list).unwrap();
    assert_eq!((status, list["scripts"].as_array().unwrap().len()), (200, 1), "{list}");
    assert_eq!(list["scripts"][0]["name"], "race.rhai");
    let (status, script) = get(port, &format!("/{token}/api/script?name=race.rhai"));
    assert_eq!((status, script.as_str()), (200, r#"{"text":"board(5, 1);"}"#));
    let host = format!("Host: localhost:{port}\r\nOrigin: http://localhost:{port}\r\n");
    for name in ["race.rhai", "m%C3%BCll%20er.rhai"] {
        let (status, answer) = ask(port, "PUT", &format!("/{token}/api/script?name={name}"), &host, "board(3, 1);");
        assert_eq!(status, 200, "{answer}");
    }
    assert_eq!(
        (text(&folder, "race.rhai"), text(&folder, "müll er.rhai")),
        ("board(3, 1);".into(), "board(3, 1);".into())
    );
}

#[test]
fn only_whoever_knows_the_address_is_answered() {
    let (folder, token, port) = studio("strangers");
    let path = format!("/{token}/api/script?name=race.rhai");
    for headers in [
        String::new(),
        "Host: evil.example\r\n".into(),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: https://evil.example\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: null\r\n"),
    ] {
        assert_eq!(ask(port, "GET", &path, &headers, "").0, 403, "{headers}");
        assert_eq!(ask(port, "PUT", &path, &headers, "hurt").0, 403, "{headers}");
    }
    let wrong = "0".repeat(32);
    for path in ["/".into(), "/api/scripts".into(), format!("/{wrong}/api/scripts")] {
        assert_eq!(get(port, &path).0, 403, "{path}");
    }
    assert_eq!(text(&folder, "race.rhai"), "board(5, 1);");
}

#[test]
fn no_other_file_is_read_or_written() {
    let (folder, token, port) = studio("files");
    let host = format!("Host: 127.0.0.1:{port}\r\n");
    let outside = folder.parent().unwrap().join("astragal-outside.rhai");
    #[cfg(unix)]
    {
        std::fs::write(&outside, "secret").unwrap();
        std::os::unix::fs::symlink(&outside, folder.join("link.rhai")).unwrap();
    }
    for name in [
        "secret.txt",
        "inner/deep.rhai",
        "inner%2Fdeep.rhai",
        "..%2Fastragal-outside.rhai",
        "%2Fetc%2Fpasswd",
        "link.rhai",
        ".rhai",
        "a%00.rhai",
        "dice-chess",
        "",
    ] {
        let path = format!("/{token}/api/script?name={name}");
        let (status, answer) = get(port, &path);
        assert!(status >= 400 && !answer.contains("secret\""), "{name}: {status} {answer}");
        let (status, answer) = ask(port, "PUT", &path, &host, "hurt");
        assert!(status >= 400, "{name}: {status} {answer}");
    }
    assert_eq!((text(&folder, "secret.txt"), text(&folder, "inner/deep.rhai")), ("secret".into(), "secret".into()));
    #[cfg(unix)]
    assert_eq!(std::fs::read_to_string(&outside).unwrap(), "secret");
    let much = "/".repeat(70_000);
    assert_eq!(ask(port, "PUT", &format!("/{token}/api/script?name=big.rhai"), &host, &much).0, 413);
    assert_eq!(ask(port, "DELETE", &format!("/{token}/api/script?name=race.rhai"), &host, "").0, 405);
}

#[test]
fn tests_are_found_written_and_accepted_where_the_program_looks_for_them() {
    let (folder, token, port) = studio("tests");
    std::fs::write(folder.join("inner/far.game"), "title: far\nvariant: ../race.rhai\n").unwrap();
    std::fs::write(folder.join("other.game"), "variant: other.rhai\n").unwrap();
    let at = |what: &str, name: &str| format!("/{token}/api/{what}?name={name}");
    assert_eq!(put(port, &at("test", "my-first.game"), "title: first\nvariant: race.rhai\n").0, 200);
    // What is there is never replaced.
    assert_eq!(put(port, &at("test", "my-first.game"), "hurt").0, 409);
    for name in ["my-first.game", "inner%2Ffar.game"] {
        let (status, answer) = put(port, &at("accepted", name), "> end\nso it ends\n");
        assert_eq!(status, 200, "{answer}");
    }
    std::fs::write(folder.join("snapshots/my-first.snap.new"), "waits").unwrap();
    assert_eq!(put(port, &at("accepted", "my-first.game"), "> end\nso it ends\n").0, 200);
    assert!(!folder.join("snapshots/my-first.snap.new").exists(), "what waited is decided");
    let accepted = "---\nsource: \"my-first.game\"\nexpression: \"first\"\n---\n> end\nso it ends\n";
    assert_eq!(text(&folder, "snapshots/my-first.snap"), accepted);
    assert!(folder.join("inner/snapshots/far.snap").exists());
    let (status, list) = get(port, &at("tests", "race.rhai"));
    let list: Value = serde_json::from_str(&list).unwrap();
    let names: Vec<_> = list["tests"].as_array().unwrap().iter().map(|test| test["name"].as_str().unwrap()).collect();
    assert_eq!((status, names), (200, vec!["inner/far.game", "my-first.game"]));
    assert_eq!(list["tests"][1]["text"], "title: first\nvariant: race.rhai\n");
    assert_eq!(list["tests"][1]["accepted"], "> end\nso it ends");
}

#[test]
fn no_test_is_read_or_written_elsewhere() {
    let (folder, token, port) = studio("far-tests");
    let outside = folder.parent().unwrap().join(format!("astragal-outside-{}", std::process::id()));
    std::fs::create_dir_all(outside.join("snapshots")).unwrap();
    std::fs::write(outside.join("a.game"), "title: secret\n").unwrap();
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(&outside, folder.join("linked")).unwrap();
        std::os::unix::fs::symlink(outside.join("a.game"), folder.join("a.game")).unwrap();
        std::os::unix::fs::symlink(outside.join("snapshots"), folder.join("snapshots")).unwrap();
    }
    std::fs::write(folder.join("mine.game"), "variant: race.rhai\n").unwrap();
    let at = |what: &str, name: &str| format!("/{token}/api/{what}?name={name}");
    let (_, list) = get(port, &at("tests", "race.rhai"));
    assert!(!list.contains("secret") && list.contains("mine.game"), "{list}");
    for name in ["..%2Fx.game", "inner%2Fx.game", "x.rhai", "x.txt", ".game", "", "a%00.game", "a.game"] {
        let (status, answer) = put(port, &at("test", name), "hurt");
        assert!(status >= 400, "{name}: {status} {answer}");
    }
    for name in ["..%2Fx.game", "linked%2Fa.game", "a.game", "mine.game", "none.game", "race.rhai", "secret.txt"] {
        let (status, answer) = put(port, &at("accepted", name), "hurt");
        #[cfg(not(unix))]
        let status = if name == "mine.game" { 400 } else { status };
        assert!(status >= 400, "{name}: {status} {answer}");
    }
    assert_eq!(std::fs::read_dir(outside.join("snapshots")).unwrap().count(), 0);
    assert_eq!(text(&outside, "a.game"), "title: secret\n");
    let evil = format!("Host: 127.0.0.1:{port}\r\nOrigin: https://evil.example\r\n");
    assert_eq!(ask(port, "PUT", &at("test", "b.game"), &evil, "hurt").0, 403);
    assert_eq!(put(port, &format!("/{}/api/test?name=b.game", "0".repeat(32)), "hurt").0, 403);
    std::fs::remove_dir_all(outside).unwrap();
}
