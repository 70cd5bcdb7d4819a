//! The service for a browser: lines of JSON-RPC in, lines out, in a worker of the page.
//!
//! Owns how texts cross between the page and the engine. It knows no game, no page and no method: those are in `service`.

use astragal_service::rpc::Service;
use js_sys::Function;
use std::cell::RefCell;
use std::io::{self, Write};
use wasm_bindgen::prelude::*;

/// What answers. Games that it has opened are lost with it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    service: Service,
}

thread_local! {
    /// Who hears the lines of the request that is being answered: what a page hands over may not leave its thread, and the
    /// service writes to whatever may.
    static HEARER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Passes on each line as soon as it is whole.
#[derive(Default)]
struct Lines {
    begun: Vec<u8>,
}

impl Write for Lines {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        for part in bytes.split_inclusive(|&byte| byte == b'\n') {
            self.begun.extend(part);
            if let Some(line) = self.begun.strip_suffix(b"\n") {
                let line = JsValue::from_str(&String::from_utf8_lossy(line));
                HEARER.with_borrow(|hearer| hearer.as_ref().map(|hear| hear.call1(&JsValue::NULL, &line)));
                self.begun.clear();
            }
        }
        Ok(bytes.len())
    }

    fn flush(&mut self) -> io::Result<()> {
        Ok(())
    }
}

#[wasm_bindgen]
impl Engine {
    /// One that has opened nothing yet.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        // The page is told what broke, and starts another engine.
        std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
        Engine::default()
    }

    /// Answers a line: `hear(line)` is called with how far it has come, if the request asks for that, and with the answer.
    pub fn answer(&mut self, line: &str, hear: Function) {
        HEARER.set(Some(hear));
        // A page can always be told.
        let _ = self.service.answer_bytes(line.as_bytes(), &mut Lines::default());
        HEARER.set(None);
    }
}
