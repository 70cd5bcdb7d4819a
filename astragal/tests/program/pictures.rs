//! The pictures of the README and the guide are those that the commands of `docs/pictures/README.md` draw.

use std::fs;
use std::path::Path;
use std::process::Command;

/// The words of a command line; quotes hold several together.
fn words(line: &str) -> Vec<String> {
    let quoted = |(at, part): (usize, &str)| match at % 2 {
        0 => part.split_whitespace().map(str::to_string).collect(),
        _ => vec![part.to_string()],
    };
    line.split('"').enumerate().flat_map(quoted).collect()
}

#[test]
fn pictures_are_what_their_commands_draw() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/pictures");
    let page = fs::read_to_string(folder.join("README.md")).unwrap();
    let mut drawn = Vec::new();
    for line in page.lines().filter(|line| line.starts_with("astragal board ")) {
        let mut arguments: Vec<String> = words(line).split_off(1);
        let file = std::mem::replace(arguments.last_mut().unwrap(), "-".to_string());
        let output = Command::new(env!("CARGO_BIN_EXE_astragal")).args(&arguments).output().unwrap();
        assert!(output.status.success(), "{line}: {}", String::from_utf8_lossy(&output.stderr));
        let (path, made) = (folder.join(&file), String::from_utf8(output.stdout).unwrap());
        if std::env::var_os("ASTRAGAL_WRITE").is_some() {
            fs::write(&path, &made).unwrap();
        }
        let found = fs::read_to_string(&path).unwrap_or_default();
        assert!(found == made, "{file} is stale: run the tests once with ASTRAGAL_WRITE=1, and look at it");
        drawn.push(file);
    }
    assert!(!drawn.is_empty(), "the page has no commands");
    let forgotten = |entry: &String| entry.ends_with(".svg") && !drawn.contains(entry);
    let files = fs::read_dir(&folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
    assert_eq!(files.filter(forgotten).collect::<Vec<_>>(), Vec::<String>::new(), "no command draws these");
}
