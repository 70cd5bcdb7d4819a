//! The commands of the program: parsing, colors, exit codes. Each command has its own module.

mod analyse;
pub mod args;
mod board;
mod check;
mod chosen_game;
mod compare;
mod cost;
mod failure;
mod fair_dice;
mod fmt;
mod into_file;
mod matches;
mod merge;
mod odds;
mod perft;
mod plural;
mod progress;
mod records;
mod scripts;
mod simulate;
mod solve;
mod solve_map;
mod state;
mod stderr;
mod studio;
mod testing;
mod theme;
mod train;
mod turns;

use crate::prompt::{self, Session, Setup};
use crate::screen::{Output, SanitizingWriter, Screen};
use crate::{dap, lsp};
use crate::{serve, tables};
use args::{Cli, Command, Generate, How, Play};
use astragal_dsl::library::Reach;
use astragal_service::rpc::Service;
use astragal_service::variant_cache::DEFAULT_VARIANT;
use chosen_game::options;
use clap::{CommandFactory, Parser};
use failure::{Answer, Failure, input};
use std::io::{self, IsTerminal, Write};
use std::process::ExitCode;
use stderr::{COLORED, errors};

/// The stack of the program's thread: scripts can recurse deeper than the main thread's stack allows.
const STACK: usize = 256 << 20;

/// Runs the program; `closed` is set if standard output was closed at the start.
pub fn main(closed: bool) -> ExitCode {
    let cli = Cli::parse();
    let own = theme::color(cli.color, io::stdout().is_terminal());
    let _ = COLORED.set(own || theme::color(args::Color::Auto, io::stderr().is_terminal()));
    let worker = std::thread::Builder::new().stack_size(STACK).spawn(move || run(&cli, closed));
    let answer = match worker.map(std::thread::JoinHandle::join) {
        Ok(Ok(answer)) => answer,
        // The panic message has been printed.
        Ok(Err(_)) => return ExitCode::from(101),
        Err(error) => Err(error.into()),
    };
    match answer {
        Ok(true) => ExitCode::SUCCESS,
        Ok(false) => ExitCode::from(1),
        // The reader of our output has closed it.
        Err(Failure::Io(error)) if error.kind() == io::ErrorKind::BrokenPipe => ExitCode::SUCCESS,
        Err(Failure::Stopped) => ExitCode::from(crate::signals::EXIT_CODE),
        Err(error) => {
            let _ = writeln!(errors(), "{}", error.to_string().trim_end());
            ExitCode::from(2)
        }
    }
}

fn run(cli: &Cli, closed: bool) -> Answer {
    let color = theme::color(cli.color, io::stdout().is_terminal());
    let mut out = SanitizingWriter::new(io::BufWriter::new(Output::new(closed)), color);
    if let Some(what) = cli.generate {
        match &cli.into {
            None => generate(what, &mut out)?,
            Some(folder) if what == Generate::Man => clap_mangen::generate_to(Cli::command(), folder)
                .map_err(|error| input(format!("{}: {error}", folder.display())))?,
            Some(_) => return Err(input("--into is only for manual pages: --generate man --into DIR")),
        }
        out.flush()?;
        return Ok(true);
    }
    if cli.command.is_some() && cli.how != How::default() {
        return Err(input("write options after the command, as in 'astragal play --seed 7'"));
    }
    let answer = match &cli.command {
        None => {
            let usual = Play { variant: DEFAULT_VARIANT.into(), resume: None, how: cli.how.clone() };
            play(&usual, color, &mut out)
        }
        Some(Command::Play(args)) => play(args, color, &mut out),
        Some(Command::List(args)) => scripts::list(args, &mut out),
        Some(Command::New(args)) => scripts::new(args, &mut out),
        Some(Command::Check(args)) => check::check(args, color, &mut out),
        Some(Command::Fmt(args)) => {
            let mut raw = io::BufWriter::new(Output::new(closed));
            // A terminal must not obey the characters of a script.
            match io::stdout().is_terminal() {
                true => {
                    let mut shown = SanitizingWriter::new(raw, false);
                    fmt::fmt(args, color, &mut io::stdin().lock(), &mut out, &mut shown)
                }
                false => fmt::fmt(args, color, &mut io::stdin().lock(), &mut out, &mut raw),
            }
        }
        Some(Command::Test(args)) => testing::test(args, color, &mut out),
        Some(Command::Review(args)) => testing::review(args, color, &mut io::stdin().lock(), &mut out),
        Some(Command::Rules(args)) => scripts::rules(args, color, &mut out),
        Some(Command::Reference(args)) => scripts::reference(args, &mut out),
        Some(Command::Replay(args)) => records::replay(args, &mut out),
        Some(Command::Verify(args)) => fair_dice::verify(args, &mut out),
        Some(Command::FairDice(args)) => fair_dice::fair_dice(args, &mut out),
        Some(Command::Board(args)) => board::board(args, color, &mut out),
        Some(Command::Odds(args)) => odds::odds(args, &mut out),
        Some(Command::Turns(args)) => turns::turns(args, &mut out),
        Some(Command::Perft(args)) => perft::perft(args, &mut out),
        Some(Command::Match(args)) => matches::play(args, &mut out),
        Some(Command::Simulate(args)) => simulate::simulate(args, &mut out),
        Some(Command::Analyse(args)) => analyse::analyse(args, &mut out),
        Some(Command::Compare(args)) => compare::compare(args, &mut out),
        Some(Command::Merge(args)) => merge::merge(args, &mut out),
        Some(Command::Solve(args)) => solve::solve(args, &mut out),
        Some(Command::Train(args)) => train::train(args, &mut out),
        Some(Command::Studio(args)) => studio::open(args, &mut out),
        Some(Command::Lsp(args::Lsp { stdio: _ })) => {
            let copies = state::folder(None).map(|folder| folder.join("bundled"));
            lsp::run(copies).map_err(Failure::Io)
        }
        Some(Command::Dap(args::Dap {})) => {
            dap::run(io::BufReader::new(io::stdin()), Output::new(closed)).map_err(Failure::Io)
        }
        Some(Command::Serve(args)) => {
            let mut server = Service::new().with_time(args.time);
            if let Some(folder) = &args.scripts {
                let reach = Reach::folder(folder).map_err(|error| input(format!("{}: {error}", folder.display())))?;
                server = server.with_scripts(reach);
            }
            for file in &args.tables {
                server.keep_table(tables::open(file).map_err(input)?);
            }
            for path in &args.players {
                let named = |why: String| input(format!("{}: {why}", path.display()));
                let bytes = astragal_lab::learning::file::bytes(path).map_err(named)?;
                server.add_player(bytes).map_err(|error| named(error.to_string()))?;
            }
            serve::run(server, io::BufReader::new(io::stdin()), &mut out).map(|()| true).map_err(Failure::Io)
        }
    };
    let answer = answer?;
    out.flush()?;
    Ok(answer)
}

fn play(args: &Play, color: bool, out: &mut impl Screen) -> Answer {
    let terminal = io::stdin().is_terminal() && io::stdout().is_terminal();
    let state = state::folder(args.how.state.as_ref());
    let setup = Setup {
        variant: args.variant.clone(),
        options: options(&args.how.choice)?,
        seed: args.how.seed,
        position: args.how.choice.position.clone(),
        theme: theme::theme(&args.how.drawn, color, terminal),
        columns: theme::columns(&console::Term::stderr()),
        shared: terminal,
        keep: state.as_ref().filter(|_| !args.how.no_save).map(|folder| folder.join("games")),
        computers: args.how.computer.clone(),
        tables: args.how.tables.clone(),
        time: args.how.time.as_deref().map(astragal_lab::opponent::parse_time).transpose().map_err(input)?,
    };
    let begun = match &args.resume {
        None => Session::new(&setup),
        Some(which) => Session::resumed(&setup, which.as_deref()),
    };
    let (session, greeting) = begun.map_err(input)?;
    if terminal {
        return Ok(prompt::interactive(session, &greeting, state.map(|folder| folder.join("history")), out)?);
    }
    Ok(prompt::piped(session, &greeting, io::stdin().lock(), out, &mut errors())?)
}

fn generate(what: Generate, out: &mut impl Write) -> io::Result<()> {
    use clap_complete::Shell;
    let mut command = Cli::command();
    let shell = match what {
        Generate::Man => return clap_mangen::Man::new(command).render(out),
        Generate::CompleteBash => Shell::Bash,
        Generate::CompleteZsh => Shell::Zsh,
        Generate::CompleteFish => Shell::Fish,
    };
    // The generator panics if it cannot write, so it writes to memory; we handle a closed pipe ourselves.
    let mut text = Vec::new();
    clap_complete::generate(shell, &mut command, "astragal", &mut text);
    out.write_all(&text)
}
