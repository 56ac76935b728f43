// The service worker: shows push notices, opens their tables, and says so when there is no network.
// It keeps no page but the one for offline, since pages hold hands of cards; and score sheets, which hold none, and
// which their own script puts aside with their files (static/js/score/keep.js).
"use strict";

const KEPT = "offline-1";
const SHEETS = ["score-pages", "score-files"];
const OFFLINE = ["/offline/", "/static/css/offline.css"];
const FILES = ["/static/", "/catalogue/"];
const LANGUAGE = "/you/language/";

const keepOffline = () => caches.open(KEPT).then((kept) => kept.addAll(OFFLINE));

self.addEventListener("install", (event) => {
  event.waitUntil(keepOffline().then(() => self.skipWaiting()));
});

self.addEventListener("activate", (event) => {
  const forget = async () => {
    for (const name of await caches.keys()) if (name !== KEPT && !SHEETS.includes(name)) await caches.delete(name);
    await self.clients.claim();
  };
  event.waitUntil(forget());
});

self.addEventListener("fetch", (event) => {
  const { request } = event;
  const { origin, pathname } = new URL(request.url);
  if (request.mode === "navigate") {
    const answer = fetch(request);
    // Another language was chosen: the page for offline is in that one from now on.
    if (request.method === "POST" && pathname === LANGUAGE) event.waitUntil(answer.then(keepOffline, () => {}));
    event.respondWith(answer.catch(() => sheet(pathname)));
  } else if (request.method === "GET" && origin === self.location.origin && FILES.some((one) => pathname.startsWith(one))) {
    event.respondWith(fetch(request).catch(async () => (await caches.match(request)) || Response.error()));
  }
});

const sheet = async (pathname) => {
  const pages = await caches.open("score-pages");
  return (await pages.match(pathname, { ignoreVary: true })) || caches.match("/offline/");
};

self.addEventListener("push", (event) => {
  let notice = {};
  try {
    notice = event.data.json();
  } catch {
    // A message that cannot be read still has to be shown, or the browser takes the permission away.
  }
  event.waitUntil(self.registration.showNotification(notice.title || "Foothold", {
    body: notice.body || "",
    tag: notice.tag || "foothold",
    icon: "/static/img/icon-192.png",
    data: { url: notice.url || "/" },
  }));
});

self.addEventListener("notificationclick", (event) => {
  event.notification.close();
  const address = new URL(event.notification.data.url, self.location.origin);
  if (address.origin !== self.location.origin) return;
  const open = async () => {
    const pages = await self.clients.matchAll({ type: "window", includeUncontrolled: true });
    const there = pages.find((page) => page.url === address.href);
    return there ? there.focus() : self.clients.openWindow(address.href);
  };
  event.waitUntil(open());
});
