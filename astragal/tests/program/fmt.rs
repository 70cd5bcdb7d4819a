//! `astragal fmt` as its users meet it: files, folders, standard streams and exit codes.

use crate::common::Folder;
use std::fs;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};

/// Exit code, standard output and standard error of `astragal fmt` in a folder.
fn fmt(folder: &Path, args: &[&str], input: &[u8]) -> (i32, String, String) {
    let mut command = Command::new(env!("CARGO_BIN_EXE_astragal"));
    command
        .arg("fmt")
        .args(args)
        .current_dir(folder)
        .env_remove("NO_COLOR")
        .env("TERM", "xterm")
        .env("LANG", "C.UTF-8");
    let mut child = command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    // A program that has refused its arguments reads nothing.
    let _ = child.stdin.take().unwrap().write_all(input);
    let output = child.wait_with_output().unwrap();
    let text = |bytes: Vec<u8>| String::from_utf8(bytes).unwrap();
    (output.status.code().unwrap(), text(output.stdout), text(output.stderr))
}

fn read(folder: &Folder, name: &str) -> String {
    fs::read_to_string(folder.path().join(name)).unwrap()
}

/// A script that a formatter changes, and what it makes of it.
const LOOSE: &str = "// A game.\ntitle( \"Game\" );\nfn turn ( )\t{\n  play(any( ))   // moves\n}\n\n\n";
const TIDY: &str = "// A game.\ntitle(\"Game\");\nfn turn() {\n    play(any())   // moves\n}\n";

#[test]
fn files_are_formatted_in_place() {
    let folder = Folder::new("fmt");
    folder.write("a.rhai", LOOSE);
    folder.write("b.rhai", TIDY);
    let (code, out, err) = fmt(folder.path(), &["a.rhai", "b.rhai"], b"");
    assert_eq!((code, err.as_str()), (0, ""));
    assert_eq!(out, "a.rhai: formatted\n2 scripts: 1 formatted, 1 unchanged\n");
    assert_eq!(read(&folder, "a.rhai"), TIDY);
    assert_eq!(fmt(folder.path(), &["a.rhai"], b""), (0, "1 script: 0 formatted, 1 unchanged\n".into(), String::new()));
    let left: Vec<_> = fs::read_dir(folder.path()).unwrap().map(|entry| entry.unwrap().file_name()).collect();
    assert_eq!(left.len(), 2, "{left:?}");
}

#[test]
fn a_folder_stands_for_the_scripts_below_it() {
    let folder = Folder::new("fmt");
    for name in ["a.rhai", "deep/er/b.rhai", "deep/c.game", "a.d.rhai", ".hidden/d.rhai"] {
        folder.write(name, LOOSE);
    }
    let (code, out, _) = fmt(folder.path(), &["deep", "deep/er/b.rhai"], b"");
    assert_eq!((code, out.as_str()), (0, "deep/er/b.rhai: formatted\n1 script: 1 formatted, 0 unchanged\n"));
    // Without arguments, everything below this folder; hidden folders are left out, as in `astragal test`.
    let (code, out, _) = fmt(folder.path(), &[], b"");
    assert_eq!((code, out.as_str()), (0, "a.rhai: formatted\n2 scripts: 1 formatted, 1 unchanged\n"));
    assert_eq!(read(&folder, "a.rhai"), TIDY);
    assert_eq!(read(&folder, "deep/er/b.rhai"), TIDY);
    for name in ["deep/c.game", "a.d.rhai", ".hidden/d.rhai"] {
        assert_eq!(read(&folder, name), LOOSE, "{name}");
    }
}

#[test]
fn check_and_diff_write_nothing() {
    let folder = Folder::new("fmt");
    folder.write("a.rhai", LOOSE);
    folder.write("b.rhai", TIDY);
    let (code, out, _) = fmt(folder.path(), &["--check"], b"");
    assert_eq!((code, out.as_str()), (1, "a.rhai: would change\n2 scripts: 1 would change, 1 unchanged\n"));
    assert_eq!(fmt(folder.path(), &["--check", "b.rhai"], b"").0, 0);
    let (code, out, _) = fmt(folder.path(), &["--diff"], b"");
    assert_eq!(code, 0);
    let diff = "\
--- a.rhai
+++ a.rhai (formatted)
@@ -1,7 +1,5 @@
 // A game.
-title( \"Game\" );
-fn turn ( )\t{
-  play(any( ))   // moves
+title(\"Game\");
+fn turn() {
+    play(any())   // moves
 }
-
-
";
    assert_eq!(out, diff);
    assert_eq!(fmt(folder.path(), &["--diff", "--check"], b""), (1, diff.into(), String::new()));
    assert_eq!(fmt(folder.path(), &["--diff", "--check", "b.rhai"], b""), (0, String::new(), String::new()));
    assert_eq!(read(&folder, "a.rhai"), LOOSE);
}

#[test]
fn standard_input_is_formatted_to_standard_output() {
    let folder = Folder::new("fmt");
    assert_eq!(fmt(folder.path(), &["-"], LOOSE.as_bytes()), (0, TIDY.into(), String::new()));
    // Every byte passes as it is.
    let crlf = "let a=\"\u{1b}[1m\";\r\n// b\r\n";
    assert_eq!(fmt(folder.path(), &["-"], crlf.as_bytes()).1, "let a = \"\u{1b}[1m\";\r\n// b\r\n");
    assert_eq!(fmt(folder.path(), &["-"], b""), (0, String::new(), String::new()));
    let (code, out, _) = fmt(folder.path(), &["-", "--check"], LOOSE.as_bytes());
    assert_eq!((code, out.as_str()), (1, "standard input: would change\n"));
    assert_eq!(fmt(folder.path(), &["-", "--check"], TIDY.as_bytes()), (0, String::new(), String::new()));
    let (code, out, _) = fmt(folder.path(), &["-", "--diff"], b"a()");
    assert_eq!(code, 0);
    assert!(out.ends_with("@@ -1 +1 @@\n-a()\n\\ No newline at end of file\n+a()\n"), "{out}");
}

#[test]
fn a_script_with_a_syntax_error_stays_as_it_is() {
    let folder = Folder::new("fmt");
    let broken = "title( \"A\" );\nfn turn() {\n    play(any();\n}\n";
    folder.write("a.rhai", broken);
    folder.write("b.rhai", LOOSE);
    let (code, out, err) = fmt(folder.path(), &["a.rhai", "b.rhai"], b"");
    assert_eq!(code, 1);
    assert_eq!(out, "b.rhai: formatted\n2 scripts: 1 formatted, 0 unchanged, 1 error\n");
    assert!(err.contains("this `(` is never closed") && err.contains("a.rhai:3:9"), "{err}");
    assert!(err.contains("3 |     play(any();\n") && err.contains("^"), "{err}");
    assert_eq!((read(&folder, "a.rhai").as_str(), read(&folder, "b.rhai").as_str()), (broken, TIDY));
    // An editor that replaces its text with the output must not lose it.
    let (code, out, err) = fmt(folder.path(), &["-"], broken.as_bytes());
    assert_eq!((code, out.as_str()), (1, ""));
    assert!(err.contains("standard input:3:9"), "{err}");
    // Other mistakes do not matter: `check` finds them.
    assert_eq!(fmt(folder.path(), &["-"], b"trun( );").1, "trun();\n");
}

#[test]
fn wrong_use_and_unreadable_files_change_nothing() {
    let folder = Folder::new("fmt");
    folder.write("a.rhai", LOOSE);
    folder.write("a.game", "roll 1\n");
    folder.write("empty/readme.txt", "");
    fs::write(folder.path().join("latin.rhai"), b"// \xe9\n").unwrap();
    for (args, said) in [
        (&["a.rhai", "b.rhai"][..], "b.rhai: there is no such file"),
        (&["a.rhai", "a.game"], "a.game: not a script: 'fmt' formats *.rhai, except *.d.rhai"),
        (&["a.rhai", "latin.rhai"], "line 1, column 4 is not UTF-8"),
        (&["a.rhai", "chess"], "chess is built in and cannot be changed"),
        (&["a.rhai", "empty"], "empty: there are no scripts (*.rhai) in this folder"),
        (&["a.rhai", "-"], "'-' means standard input: use it without files and folders"),
        (&["--chekc"], "--check"),
    ] {
        let (code, out, err) = fmt(folder.path(), args, b"");
        assert_eq!((code, out.as_str()), (2, ""), "{args:?}");
        assert!(err.contains(said), "{args:?}: {err}");
        assert_eq!(read(&folder, "a.rhai"), LOOSE);
    }
    let (code, _, err) = fmt(folder.path(), &["-"], b"\xe9");
    assert_eq!((code, err.as_str()), (2, "error: standard input: it is not UTF-8 text\n"));
}

#[cfg(unix)]
#[test]
fn a_link_stays_a_link() {
    let folder = Folder::new("fmt");
    folder.write("real/a.rhai", LOOSE);
    std::os::unix::fs::symlink("real/a.rhai", folder.path().join("b.rhai")).unwrap();
    assert_eq!(fmt(folder.path(), &["b.rhai"], b"").0, 0);
    assert!(folder.path().join("b.rhai").is_symlink());
    assert_eq!(read(&folder, "real/a.rhai"), TIDY);
}

#[test]
fn the_scripts_of_this_repository_are_formatted() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).parent().unwrap();
    let (code, out, err) = fmt(root, &["--check", "variants"], b"");
    assert_eq!(code, 0, "{out}{err}");
}
