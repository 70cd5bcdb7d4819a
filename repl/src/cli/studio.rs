//! `studio`: opens the page.

use super::args::OpenStudio;
use super::failure::{Answer, input};
use crate::studio::{self, Studio, USUAL_PORT};
use std::io::{IsTerminal, Write};
use std::path::Path;

/// `astragal studio`.
pub(super) fn open(args: &OpenStudio, out: &mut impl Write) -> Answer {
    if !studio::is_built() {
        return Err(input(
            "this program was built without the studio: in the repository, run web/build.sh, then 'cargo build \
             --release'",
        ));
    }
    let what = args.what.as_path();
    let (folder, script) = match what.is_file() {
        true => (what.parent().filter(|folder| !folder.as_os_str().is_empty()), what.file_name()),
        false => (Some(what), None),
    };
    let folder = folder.unwrap_or(Path::new("."));
    let script = script.map(|name| name.to_string_lossy().into_owned());
    let studio = Studio::new(folder, args.port).map_err(|error| input(format!("{}: {error}", what.display())))?;
    let address = studio.address(script.as_deref());
    writeln!(
        out,
        "The studio for the scripts in {} is running at\n{address}\nPress Ctrl-C to stop it.",
        folder.display()
    )?;
    if args.port.is_none() && !studio.is_at_usual_port() {
        writeln!(out, "Port {USUAL_PORT} is taken. Games that your browser saved for that port do not appear here.")?;
    }
    out.flush()?;
    if !args.no_browser && std::io::stdout().is_terminal() && ::open::that_detached(&address).is_err() {
        writeln!(out, "Could not start a browser. Open the URL above.")?;
        out.flush()?;
    }
    studio.run();
    Ok(true)
}
