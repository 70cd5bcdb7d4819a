//! Progress notifications of a running request, for clients that ask for them.
//!
//! Owns their frequency and format; methods report how much is done, and of how much. Progress is never part of a response:
//! the response is the same with and without it.

use super::output::write_line;
use serde_json::{Value, json};
use std::io::Write;
use std::time::Duration;
use web_time::Instant;

/// The shortest interval between notifications.
const EVERY: Duration = Duration::from_millis(200);

/// Receives the progress: the amount done and the total.
pub(super) type Tell<'a> = &'a mut (dyn FnMut(u64, u64) + Send);

/// Writes the notification `progress` about the request `id` to `out`, the first when some time is over.
pub(super) fn teller<'a>(id: &'a Value, out: &'a mut (dyn Write + Send)) -> impl FnMut(u64, u64) + Send + 'a {
    let mut last = Instant::now();
    move |done, of| {
        if last.elapsed() < EVERY {
            return;
        }
        last = Instant::now();
        let told = json!({"jsonrpc": "2.0", "method": "progress", "params": {"id": id, "done": done, "of": of}});
        // If the client no longer reads, writing the response fails, too, and reports the error.
        let _ = write_line(&told, out);
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::Service;

    /// The output for one line of a server with a second for each request.
    fn written(line: &Value) -> Vec<Value> {
        let mut out = Vec::new();
        let mut service = Service::new().with_time(Duration::from_secs(1));
        service.answer(&line.to_string(), &mut out).expect("memory");
        let text = String::from_utf8(out).expect("UTF-8");
        text.lines().map(|line| serde_json::from_str(line).expect("JSON")).collect()
    }

    #[test]
    fn long_requests_tell_how_far_they_have_come() {
        let params = |progress: Value| json!({"variant": "dice-chess", "games": 100_000, "progress": progress});
        let request = |progress| json!({"jsonrpc": "2.0", "id": "a", "method": "simulate", "params": params(progress)});
        let lines = written(&request(json!(true)));
        let (answer, told) = lines.split_last().expect("an answer");
        assert_eq!((&answer["id"], &answer["result"]["complete"]), (&json!("a"), &json!(false)));
        assert!((2..=6).contains(&told.len()), "{told:?}");
        let done: Vec<u64> = told.iter().filter_map(|told| told["params"]["done"].as_u64()).collect();
        assert!(done.len() == told.len() && done.is_sorted() && done[0] > 0, "{told:?}");
        for told in told {
            assert_eq!((&told["method"], &told["params"]["id"]), (&json!("progress"), &json!("a")));
            assert_eq!((&told["params"]["of"], told.get("id")), (&json!(100_000), None));
        }
        assert_eq!(written(&request(json!(false))).len(), 1, "nobody has asked");
        let batch = written(&json!([request(json!(true))]));
        assert_eq!((batch.len(), batch[0].as_array().map(Vec::len)), (1, Some(1)), "a batch is one line");
        let wrong = written(&request(json!("yes")));
        assert!(wrong[0]["error"]["message"].as_str().is_some_and(|why| why.contains("true or false")), "{wrong:?}");
    }
}
