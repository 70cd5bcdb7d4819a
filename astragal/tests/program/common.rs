//! The program at a terminal of its own: keys go in, and a screen can be looked at. Tests wait for what is to appear, never
//! for an amount of time.

use portable_pty::{Child, CommandBuilder, ExitStatus, MasterPty, PtySize, native_pty_system};
use std::io::{Read, Write};
use std::num::NonZeroU16;
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Condvar, Mutex};
use std::time::{Duration, Instant};

/// Longer than the slowest machine needs; a test that fails waits so long.
const PATIENCE: Duration = Duration::from_secs(120);

/// A folder of a test's own, removed at the end.
pub struct Folder(pub PathBuf);

impl Folder {
    pub fn new(name: &str) -> Folder {
        static MADE: AtomicUsize = AtomicUsize::new(0);
        let number = MADE.fetch_add(1, Ordering::Relaxed);
        let path = std::env::temp_dir().join(format!("astragal-{name}-{}-{number}", std::process::id()));
        let _ = std::fs::remove_dir_all(&path);
        std::fs::create_dir_all(&path).expect("a folder");
        Folder(path)
    }

    pub fn path(&self) -> &Path {
        &self.0
    }

    /// Writes a file and gives its path.
    pub fn write(&self, name: &str, text: &str) -> String {
        let path = self.0.join(name);
        std::fs::create_dir_all(path.parent().expect("it is in the folder")).expect("a folder");
        std::fs::write(&path, text).expect("a file");
        path.display().to_string()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

struct Shown {
    parser: Mutex<(vt100::Parser, bool)>,
    bytes: AtomicUsize,
    changed: Condvar,
}

/// A terminal with the program in it.
pub struct Terminal {
    master: Box<dyn MasterPty + Send>,
    keys: Box<dyn Write + Send>,
    child: Box<dyn Child + Send + Sync>,
    shown: Arc<Shown>,
}

fn length(n: u16) -> NonZeroU16 {
    NonZeroU16::new(n).expect("a terminal has some size")
}

fn size(rows: u16, columns: u16) -> PtySize {
    PtySize { rows, cols: columns, pixel_width: 0, pixel_height: 0 }
}

impl Terminal {
    /// Starts the program at a terminal of 80 by 24.
    pub fn start(args: &[&str], state: &Path, env: &[(&str, &str)]) -> Terminal {
        let pair = native_pty_system().openpty(size(24, 80)).expect("a terminal");
        let mut command = CommandBuilder::new(env!("CARGO_BIN_EXE_astragal"));
        command.args(args);
        command.cwd(state);
        for name in ["NO_COLOR", "XDG_STATE_HOME", "LC_ALL", "LC_CTYPE"] {
            command.env_remove(name);
        }
        for (name, value) in
            [("TERM", "xterm-256color"), ("LANG", "C.UTF-8"), ("ASTRAGAL_STATE", &state.display().to_string())]
        {
            command.env(name, value);
        }
        env.iter().for_each(|(name, value)| command.env(name, value));
        let child = pair.slave.spawn_command(command).expect("the program starts");
        drop(pair.slave);
        let shown = Arc::new(Shown {
            parser: Mutex::new((vt100::Parser::new(length(24), length(80), 1000), false)),
            bytes: AtomicUsize::new(0),
            changed: Condvar::new(),
        });
        let mut reader = pair.master.try_clone_reader().expect("its output");
        let seen = Arc::clone(&shown);
        std::thread::spawn(move || {
            let mut bytes = [0; 4096];
            loop {
                let read = reader.read(&mut bytes).unwrap_or(0);
                seen.bytes.fetch_add(read, Ordering::Relaxed);
                let mut parser = seen.parser.lock().expect("no panic");
                parser.0.process(&bytes[..read]);
                parser.1 = read == 0;
                seen.changed.notify_all();
                if read == 0 {
                    return;
                }
            }
        });
        let keys = pair.master.take_writer().expect("its input");
        Terminal { master: pair.master, keys, child, shown }
    }

    /// Presses keys.
    pub fn keys(&mut self, keys: impl AsRef<[u8]>) {
        self.keys.write_all(keys.as_ref()).and_then(|()| self.keys.flush()).expect("the program reads");
    }

    /// Waits until the screen shows what `wanted` looks for, and returns the screen.
    pub fn until(&self, what: &str, wanted: impl Fn(&vt100::Screen) -> bool) -> String {
        let begin = Instant::now();
        let mut parser = self.shown.parser.lock().expect("no panic");
        loop {
            if wanted(parser.0.screen()) {
                return text(parser.0.screen());
            }
            let left = PATIENCE.saturating_sub(begin.elapsed());
            assert!(!left.is_zero() && !parser.1, "{what} was not seen:\n{}", text(parser.0.screen()));
            parser = self.shown.changed.wait_timeout(parser, left).expect("no panic").0;
        }
    }

    /// Waits until the screen shows a text.
    pub fn see(&self, part: &str) -> String {
        self.until(part, |screen| text(screen).contains(part))
    }

    /// Waits until the line with the cursor begins with `part`, and nothing stands behind the cursor.
    pub fn at_prompt(&self, part: &str) -> String {
        self.until(part, |screen| {
            let (row, column) = screen.cursor_position();
            let line = screen.rows(0, 80).nth(usize::from(row)).unwrap_or_default();
            line.trim_end() == part.trim_end() && usize::from(column) == part.chars().count()
        })
    }

    /// Waits until the line with the cursor begins with `part` and the cursor stands behind it; a hint may
    /// follow.
    pub fn typed(&self, part: &str) -> String {
        self.until(part, |screen| {
            let (row, column) = screen.cursor_position();
            let line = screen.rows(0, 80).nth(usize::from(row)).unwrap_or_default();
            line.starts_with(part) && usize::from(column) == part.chars().count()
        })
    }

    /// Waits until Enter has been taken: the cursor is at the beginning of a line.
    pub fn working(&self) -> String {
        self.until("a command at work", |screen| screen.cursor_position().1 == 0)
    }

    /// Whether any place on the screen has a color.
    pub fn colored(&self) -> bool {
        let parser = self.shown.parser.lock().expect("no panic");
        let screen = parser.0.screen();
        let (rows, columns) = (screen.size().0.get(), screen.size().1.get());
        let cells = (0..rows).flat_map(|row| (0..columns).map(move |column| (row, column)));
        cells
            .filter_map(|(row, column)| screen.cell(row, column))
            .any(|cell| cell.fgcolor() != vt100::Color::Default || cell.bgcolor() != vt100::Color::Default)
    }

    /// How much the program has written.
    pub fn bytes(&self) -> usize {
        self.shown.bytes.load(Ordering::Relaxed)
    }

    /// Changes the size of the terminal.
    pub fn resize(&self, rows: u16, columns: u16) {
        self.shown.parser.lock().expect("no panic").0.screen_mut().set_size(length(rows), length(columns));
        self.master.resize(size(rows, columns)).expect("a new size");
    }

    /// Waits for the end of the program.
    pub fn ended(mut self) -> ExitStatus {
        self.child.wait().expect("it ends")
    }

    /// Kills the program as `kill -9` does.
    pub fn kill(mut self) {
        let id = self.child.process_id().expect("it runs");
        let killed = std::process::Command::new("kill").args(["-9", &id.to_string()]).status().expect("kill");
        assert!(killed.success());
        self.child.wait().expect("it ends");
    }
}

fn text(screen: &vt100::Screen) -> String {
    let columns = screen.size().1.get();
    let rows: Vec<String> = screen.rows(0, columns).map(|row| row.trim_end().to_owned()).collect();
    rows.join("\n").trim_end().to_owned()
}
