//! Cancellation of requests.
//!
//! Owns which request is being answered, and which waiting requests have been cancelled. The reader of the input passes
//! each line to a [`Canceller`] on arrival, while other requests are being answered. It knows no transport and no thread.

use crate::interrupt::StopToken;
use crate::rpc::message;
use serde::Deserialize;
use serde_json::Value;
use std::sync::{Arc, Mutex, PoisonError};

/// Cancels requests. Clones belong to the same server.
#[derive(Clone, Default)]
pub struct Canceller {
    requests: Arc<Mutex<Requests>>,
    token: StopToken,
}

#[derive(Default)]
struct Requests {
    /// The number of lines received, cancellations excluded, and the number of those whose turn has come.
    received: u64,
    begun: u64,
    /// The request that is being answered.
    current: Option<Value>,
    /// Requests with this id, in lines up to this number, that were canceled before their turn.
    unwanted: Vec<(u64, Value)>,
}

/// The name of the notification.
const CANCEL: &str = "cancel";

/// The notification `cancel`.
#[derive(Deserialize)]
struct Cancel {
    method: String,
    params: Which,
    /// A request is no notification.
    id: Option<Value>,
}

#[derive(Deserialize)]
struct Which {
    id: Value,
}

/// The maximum number of waiting requests that a client can cancel. If there are more, the latest count.
const MOST_UNWANTED: usize = 1_000;

impl Canceller {
    /// Examines a line on arrival. Returns true if it cancels a request; such a line needs no answer.
    pub fn notice(&self, line: &[u8]) -> bool {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        // Most lines are parsed only once: only short lines with the word are parsed here.
        let may_be = line.len() < 1_000 && line.windows(CANCEL.len()).any(|part| part == CANCEL.as_bytes());
        let cancel = may_be.then(|| serde_json::from_slice::<Cancel>(line).ok()).flatten();
        let Some(Cancel { params: Which { id }, .. }) = cancel.filter(|it| it.method == CANCEL && it.id.is_none())
        else {
            requests.received += 1;
            return false;
        };
        if requests.current.as_ref() == Some(&id) {
            self.token.request();
        } else if requests.begun < requests.received {
            if requests.unwanted.len() == MOST_UNWANTED {
                requests.unwanted.remove(0);
            }
            let last = requests.received;
            requests.unwanted.push((last, id));
        }
        true
    }

    /// Notes that the turn of the next line has come.
    pub(super) fn begin_line(&self) {
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.begun += 1;
        let line = requests.begun;
        requests.unwanted.retain(|(last, _)| *last >= line);
    }

    /// Answers a request. If it was cancelled before its turn, or while it has no result yet, the answer is `cancelled`.
    pub(super) fn answer<T>(
        &self,
        id: Option<&Value>,
        work: impl FnOnce() -> Result<T, message::RpcError>,
        cancelled: impl Fn() -> message::RpcError,
    ) -> Result<T, message::RpcError> {
        {
            let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
            self.token.clear();
            if id.is_some_and(|id| requests.unwanted.iter().any(|(_, unwanted)| unwanted == id)) {
                return Err(cancelled());
            }
            requests.current = id.cloned();
        }
        let answer = self.token.during(work);
        let mut requests = self.requests.lock().unwrap_or_else(PoisonError::into_inner);
        requests.current = None;
        if answer.is_err() && self.token.is_requested() { Err(cancelled()) } else { answer }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rpc::Service;
    use serde_json::json;

    fn cancel(id: impl Into<Value>) -> Vec<u8> {
        json!({"jsonrpc": "2.0", "method": "cancel", "params": {"id": id.into()}}).to_string().into_bytes()
    }

    fn code(answer: &str) -> Option<i64> {
        serde_json::from_str::<Value>(answer).expect("JSON")["error"]["code"].as_i64()
    }

    const LONG: &str = r#"{"jsonrpc":"2.0","id":"long","method":"perft","params":{"variant":"chess","depth":9}}"#;
    const SHORT: &str = r#"{"jsonrpc":"2.0","id":2,"method":"perft","params":{"variant":"chess","depth":1}}"#;

    /// What waits is taken back by its id; the same id is free again afterwards.
    #[test]
    fn requests_that_wait() {
        let mut service = Service::new();
        let canceller = service.canceller();
        assert!(!canceller.notice(LONG.as_bytes()) && !canceller.notice(SHORT.as_bytes()));
        assert!(canceller.notice(&cancel("long")) && canceller.notice(&cancel(3)));
        assert_eq!(code(&service.handle(LONG).expect("an answer")), Some(-32009));
        assert_eq!(code(&service.handle(SHORT).expect("an answer")), None);
        // Too late, and without effect on later requests.
        assert!(canceller.notice(&cancel(2)) && !canceller.notice(SHORT.as_bytes()));
        assert_eq!(code(&service.handle(SHORT).expect("an answer")), None);
        // Requests and other notifications are left to the server.
        for line in
            [r#"{"id":1,"method":"cancel","params":{"id":2}}"#, r#"{"method":"moves","params":{"id":"cancel"}}"#]
        {
            assert!(!canceller.notice(line.as_bytes()), "{line}");
        }
    }

    /// A request that would take its whole time ends when it is taken back.
    #[test]
    fn a_request_that_is_worked_on() {
        let mut service = Service::new();
        let canceller = service.canceller();
        canceller.notice(LONG.as_bytes());
        let requests = Arc::clone(&canceller.requests);
        let other = std::thread::spawn(move || {
            while requests.lock().expect("no panic").current.is_none() {
                std::thread::yield_now();
            }
            canceller.notice(&cancel("long"))
        });
        assert_eq!(code(&service.handle(LONG).expect("an answer")), Some(-32009));
        assert!(other.join().expect("no panic"));
    }
}
