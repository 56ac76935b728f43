// Pages of events, and one's own over several: look again when there is news and now and then, only while somebody looks,
// and keep what they scrolled to or opened; on a narrow page, show the tab one is on.
"use strict";

(() => {
  const tabs = document.querySelector(".tabs");
  const current = tabs?.querySelector("[aria-current]");
  if (current) tabs.scrollLeft = current.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - current.offsetWidth) / 2;

  const part = () => document.getElementById("part");
  const kept = { scrolled: new Map(), open: new Set() };
  let missed = false;

  document.addEventListener("htmx:beforeRequest", (event) => {
    if (!event.detail.elt.hasAttribute("data-follow") || !document.hidden) return;
    event.preventDefault();
    missed = true;
  });

  // The stream says at which version an event is; its readers look at different moments, not all at once.
  const SPREAD = 800;
  let source;
  let heard = "";
  let later;
  const seen = (slug) => {
    const known = (part()?.dataset.seen ?? "").split(" ").find((each) => each.startsWith(`${slug}:`));
    return known ? Number(known.slice(slug.length + 1)) : -1;
  };
  const look = () => {
    later = null;
    if (part()?.hasAttribute("data-follow")) htmx.trigger(part(), "news");
  };
  const stop = () => {
    source?.close();
    source = null;
  };
  const listen = () => {
    const address = part()?.dataset.live ?? "";
    if (address !== heard) stop();
    if (source || !address || !window.EventSource || document.hidden) return;
    heard = address;
    source = new EventSource(address);
    source.addEventListener("event", (event) => {
      const [slug, version] = event.data.split(" ");
      if (Number(version) <= seen(slug)) return;
      later ??= setTimeout(look, 200 + Math.random() * SPREAD);
    });
    source.addEventListener("error", () => {
      if (source?.readyState !== EventSource.CLOSED) return;
      stop();
      setTimeout(listen, 60000);
    });
  };
  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return stop();
    listen();
    if (missed) look();
    missed = false;
  });
  // A page that the browser keeps for the way back holds no connection, of which there are few.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", listen);

  document.addEventListener("htmx:beforeSwap", (event) => {
    if (event.detail.target.id !== "part") return;
    kept.scrolled.clear();
    kept.open.clear();
    for (const each of part().querySelectorAll(".scroll[id], .jump[aria-label], .tabs")) {
      if (each.scrollLeft) kept.scrolled.set(each.id || each.getAttribute("aria-label"), each.scrollLeft);
    }
    for (const each of part().querySelectorAll("details[id][open]")) kept.open.add(each.id);
  });
  document.addEventListener("htmx:afterSwap", () => {
    if (!part()) return;
    listen();
    for (const each of part().querySelectorAll(".scroll[id], .jump[aria-label]")) {
      const left = kept.scrolled.get(each.id || each.getAttribute("aria-label"));
      if (left) each.scrollTo({ left, behavior: "instant" });
    }
    for (const id of kept.open) document.getElementById(id)?.setAttribute("open", "");
  });
})();
