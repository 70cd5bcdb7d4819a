//! A slip: something that no script can mean, with its token and advice.

/// A slip: the token, the problem, the advice, and a replacement if it is certain.
pub(crate) struct Slip {
    pub(crate) token: usize,
    pub(crate) message: String,
    pub(crate) help: String,
    pub(crate) instead: Option<String>,
}

impl Slip {
    pub(super) fn new(token: usize, message: impl Into<String>, help: impl Into<String>) -> Slip {
        Slip { token, message: message.into(), help: help.into(), instead: None }
    }

    pub(super) fn instead(mut self, instead: impl Into<String>) -> Slip {
        self.instead = Some(instead.into());
        self
    }
}
