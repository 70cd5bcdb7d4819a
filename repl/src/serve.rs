//! `astragal serve`: answers the lines of standard input one by one.
//!
//! [`astragal_service::rpc`] computes the responses. Lines are never buffered beyond their limit. A few lines are read
//! ahead while others are answered, so that a slow request can be cancelled.

use astragal_service::rpc::{MAX_LINE, Service};
use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{Receiver, SyncSender, sync_channel};
use std::thread;

/// How many lines are read ahead.
const AHEAD: usize = 16;

/// One line of input.
enum Line {
    End,
    TooLong,
    Bytes(Vec<u8>),
}

/// Runs a server that answers line by line until the input ends.
///
/// # Errors
/// If reading or writing fails.
pub(crate) fn run(
    mut server: Service,
    input: impl BufRead + Send + 'static,
    mut output: impl Write + Send,
) -> io::Result<()> {
    let lines = read_ahead(&server, input)?;
    for line in lines {
        match line? {
            Line::End => break,
            Line::TooLong => server.refuse_long_line(&mut output)?,
            Line::Bytes(line) => server.answer_bytes(&line, &mut output)?,
        }
    }
    Ok(())
}

/// Reads lines on a separate thread, which passes each to the canceller. The thread is not joined: it may still wait for a
/// line after the reader of our responses has gone.
fn read_ahead(server: &Service, mut input: impl BufRead + Send + 'static) -> io::Result<Receiver<io::Result<Line>>> {
    let canceller = server.canceller();
    let (sender, lines): (SyncSender<io::Result<Line>>, _) = sync_channel(AHEAD);
    let read = move || {
        loop {
            let line = read_line(&mut input);
            let seen: &[u8] = if let Ok(Line::Bytes(bytes)) = &line { bytes } else { b"" };
            let is_last = matches!(line, Ok(Line::End) | Err(_));
            if !is_last && canceller.notice(seen) {
                continue;
            }
            if sender.send(line).is_err() || is_last {
                return;
            }
        }
    };
    thread::Builder::new().name("lines".into()).spawn(read)?;
    Ok(lines)
}

/// Reads a line without buffering more than the limit.
fn read_line(input: &mut impl BufRead) -> io::Result<Line> {
    let mut bytes = Vec::new();
    let read = input.by_ref().take(MAX_LINE as u64 + 1).read_until(b'\n', &mut bytes)?;
    if read == 0 {
        return Ok(Line::End);
    }
    if bytes.len() <= MAX_LINE || bytes.last() == Some(&b'\n') {
        return Ok(Line::Bytes(bytes));
    }
    loop {
        let buffer = input.fill_buf()?;
        if buffer.is_empty() {
            return Ok(Line::TooLong);
        }
        match buffer.iter().position(|b| *b == b'\n') {
            Some(end) => {
                input.consume(end + 1);
                return Ok(Line::TooLong);
            }
            None => {
                let length = buffer.len();
                input.consume(length);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    const GOOD: &str = r#"{"jsonrpc":"2.0","id":7,"method":"moves","params":{"variant":"dice-chess","roll":[2,3]}}"#;

    #[test]
    fn bad_bytes_and_long_lines_are_answered() {
        let mut input = b"\xff\xfe{}\n".to_vec();
        input.extend(vec![b'x'; MAX_LINE + 5]);
        input.push(b'\n');
        input.extend(GOOD.as_bytes());
        let mut output = Vec::new();
        run(Service::new(), io::Cursor::new(input), &mut output).unwrap();
        let lines: Vec<Value> =
            String::from_utf8(output).unwrap().lines().map(|line| serde_json::from_str(line).unwrap()).collect();
        let codes: Vec<_> = lines.iter().map(|line| line["error"]["code"].as_i64()).collect();
        assert_eq!(codes, [Some(-32700), Some(-32600), None]);
        assert_eq!(lines[2]["id"], 7);
    }
}
