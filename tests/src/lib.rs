//! Nothing here: the crate exists for its test suite.
