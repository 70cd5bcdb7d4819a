//! Requests of the server, one a line.

#![no_main]

use astragal_service::rpc::Service;
use astragal_tests::properties::program;
use libfuzzer_sys::fuzz_target;
use std::cell::RefCell;

fuzz_target!(|text: &str| {
    thread_local! {
        static SERVER: RefCell<Service> = RefCell::default();
    }
    SERVER.with_borrow_mut(|server| program::requests(server, text));
});
