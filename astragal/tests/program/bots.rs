//! The bots of `docs/protocol`, run as somebody who has just downloaded them would run them.
//!
//! Each is run where its language is installed; the gate installs both, and announces that with `CI=true`.

use std::path::Path;
use std::process::Command;

/// Lets a bot play two games of each of several variants: one has contests, one plans, and one choices.
fn plays(language: &str, bot: &str) {
    if Command::new(language).arg("--version").output().is_err() {
        assert!(std::env::var_os("CI").is_none(), "the gate installs {language}");
        eprintln!("{language} is not installed: its bot is not tried");
        return;
    }
    let bot = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/protocol").join(bot);
    for variant in ["dice-chess", "dicechess-3", "babylonian", "einstein"] {
        let mut command = Command::new(language);
        let output = command.arg(&bot).args([variant, "2", env!("CARGO_BIN_EXE_astragal")]).output().expect("it runs");
        let text = String::from_utf8_lossy(&output.stdout).into_owned();
        let errors = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{variant}: {text}{errors}");
        let lines: Vec<Vec<&str>> = text.lines().map(|line| line.split_whitespace().collect()).collect();
        assert_eq!(lines.len(), 2, "{variant}: {text}");
        for (seed, line) in lines.iter().enumerate() {
            assert_eq!(line[0], seed.to_string(), "{text}");
            assert!(["first", "second", "draw"].contains(&line[1]), "{text}");
            assert!(line[line.len() - 2].parse::<u32>().is_ok_and(|events| events > 3), "{text}");
            assert_eq!(line[line.len() - 1].to_lowercase(), "true", "the record is not empty: {text}");
        }
    }
}

#[test]
fn the_bot_in_python_plays() {
    plays("python3", "bot.py");
}

#[test]
fn the_bot_in_javascript_plays() {
    plays("node", "bot.mjs");
}
