//! Tells the linker how deep the engine may go in a browser: as deep as its threads may elsewhere.

fn main() {
    println!("cargo::rerun-if-changed=build.rs");
    if std::env::var("CARGO_CFG_TARGET_FAMILY").as_deref() == Ok("wasm") {
        println!("cargo::rustc-link-arg-cdylib=-zstack-size=8388608");
    }
}
