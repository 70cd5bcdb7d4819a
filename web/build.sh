#!/usr/bin/env bash
# Makes the studio, web/dist, from a checkout: web/build.sh [--fresh]
# Needs node and npm, and a Rust that compiles to WebAssembly; where rustup cannot add that, Debian's (rustc-web, cargo-web,
# rust-web-src, lld), which compiles the standard library first. What is made is kept in target/web-*; --fresh forgets it.
set -euo pipefail
cd "$(dirname "$0")/.."
target=$(mkdir -p "${CARGO_TARGET_DIR:-target}" && cd "${CARGO_TARGET_DIR:-target}" && pwd)
triple=wasm32-unknown-unknown
if test "${1:-}" = --fresh; then rm -rf "$target/web-engine" "$target/web-bindgen" web/node_modules web/build; fi
rm -rf web/dist
mkdir -p web/build web/dist

echo "The engine in WebAssembly"
compile() { env CARGO_TARGET_DIR="$target/web-engine" "$@" build --profile web --locked --target $triple -p astragal-web; }
if rustup target list --installed 2>/dev/null | grep -q $triple || rustup target add $triple >/dev/null 2>&1; then
  compile cargo
elif command -v apt-get >/dev/null 2>&1; then
  if ! test -d /usr/lib/rustlib/src/rust/library || ! command -v wasm-ld >/dev/null 2>&1; then
    apt-get update -qq
    apt-get install -y -qq rustc-web cargo-web rust-web-src lld
  fi
  compile env RUSTC=/usr/bin/rustc RUSTC_BOOTSTRAP=1 CARGO_TARGET_WASM32_UNKNOWN_UNKNOWN_LINKER=wasm-ld \
    CARGO_UNSTABLE_BUILD_STD=std,panic_abort /usr/bin/cargo
else
  echo "error: no Rust here compiles to WebAssembly: rustup target add $triple" >&2
  exit 1
fi
CARGO_TARGET_DIR="$target/web-bindgen" cargo run --quiet --locked --manifest-path web/bindgen/Cargo.toml -- \
  "$target/web-engine/$triple/web/astragal_web.wasm" web/build

echo "The page"
(cd web && { test -d node_modules || npm ci --silent --no-audit --no-fund --ignore-scripts; } && npx tsc && npx esbuild \
  page/src/main.ts page/src/bench.ts page/src/worker.ts page/src/offline.ts --bundle --format=esm --target=es2022 --minify \
  --outdir=dist --log-level=warning && npx esbuild page/style.css --minify --outfile=dist/style.css --log-level=warning)
mkdir web/dist/players
cp variants/trained/*.learned web/dist/players/
node web/games.mjs
cp web/page/index.html web/page/bench.html web/page/icon.svg web/build/astragal_web_bg.wasm web/dist/
size() { gzip -9 -c "$1" | wc -c; }
for file in web/dist/*.* web/dist/players/*; do printf '%9d bytes, %8d compressed  %s\n' "$(wc -c <"$file")" "$(size "$file")" "$file"; done
