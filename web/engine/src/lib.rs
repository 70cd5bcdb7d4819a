//! The service in a browser: it takes and returns lines of JSON-RPC, in a worker of the page.
//!
//! Owns how texts cross between the page and the engine. Games and methods are in `service`.

use astragal_service::rpc::Service;
use js_sys::Function;
use std::cell::RefCell;
use std::io::{self, Write};
use wasm_bindgen::prelude::*;

/// Answers requests. Games that it has opened are lost with it.
#[wasm_bindgen]
#[derive(Default)]
pub struct Engine {
    service: Service,
}

thread_local! {
    /// The page's callback for the lines of the current request. A JavaScript function must not leave its thread, but the
    /// service requires a writer that is `Send`, so the callback is stored here.
    static HEARER: RefCell<Option<Function>> = const { RefCell::new(None) };
}

/// Passes on each line as soon as it is complete.
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
    /// An engine without open games.
    #[wasm_bindgen(constructor)]
    pub fn new() -> Engine {
        // The page gets the panic message, and starts another engine.
        std::panic::set_hook(Box::new(|info| wasm_bindgen::throw_str(&info.to_string())));
        Engine::default()
    }

    /// Adds a table of solved states, from the bytes of its file.
    ///
    /// # Errors
    /// A sentence, if it is not a table, or is damaged.
    pub fn add_table(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        self.service.add_table(bytes).map_err(|error| JsValue::from_str(&error.to_string()))
    }

    /// The file of the table that was added or solved last, to be kept or given to other engines.
    pub fn last_table(&self) -> Option<Vec<u8>> {
        self.service.last_table().map(Vec::from)
    }

    /// Adds a trained player, from the bytes of its file.
    ///
    /// # Errors
    /// A sentence, if it is not the file of a trained player, or is damaged.
    pub fn add_player(&mut self, bytes: Vec<u8>) -> Result<(), JsValue> {
        self.service.add_player(bytes).map_err(|error| JsValue::from_str(&error.to_string()))
    }

    /// The file of the trained player that was added or trained last.
    pub fn last_player(&self) -> Option<Vec<u8>> {
        self.service.last_player().map(Vec::from)
    }

    /// Answers a line: calls `hear(line)` with progress messages, if the request asks for them, and with the response.
    pub fn answer(&mut self, line: &str, hear: Function) {
        HEARER.set(Some(hear));
        // Writing to the page cannot fail.
        let _ = self.service.answer_bytes(line.as_bytes(), &mut Lines::default());
        HEARER.set(None);
    }
}
