// Keeps the page for offline use: with a network, it serves the newest files; without one, the cached files.

/// <reference lib="webworker" />
declare const self: ServiceWorkerGlobalScope;
export {};

const KEPT = "astragal-1";
const FILES = ["./", "main.js", "worker.js", "style.css", "games.json", "icon.svg", "astragal_web_bg.wasm"];

self.addEventListener("install", (event) => {
  event.waitUntil(caches.open(KEPT).then((cache) => cache.addAll(FILES)).then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  event.waitUntil(self.clients.claim());
});

self.addEventListener("fetch", (event) => {
  if (event.request.method !== "GET" || new URL(event.request.url).origin !== self.location.origin) return;
  const fresh = async () => {
    const answer = await fetch(event.request);
    if (answer.ok) (await caches.open(KEPT)).put(event.request, answer.clone());
    return answer;
  };
  event.respondWith(fresh().catch(async () => (await caches.match(event.request, { ignoreSearch: true })) ?? Response.error()));
});
