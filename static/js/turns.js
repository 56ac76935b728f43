// The page "Your turn": looks again when one of its tables has something new.
"use strict";

(() => {
  const region = () => document.getElementById("turns");
  const known = new Map();
  const learn = () => {
    for (const entry of (region()?.dataset.live || "").split(",").filter(Boolean)) {
      const [slug, version] = entry.split(":");
      known.set(slug, Number(version));
    }
  };
  let waiting = 0;
  let stream = null;
  let listening = "";
  let looked = Date.now();

  const look = () => {
    clearTimeout(waiting);
    waiting = setTimeout(() => {
      looked = Date.now();
      if (region()) htmx.trigger(region(), "refresh");
    }, 300);
  };
  const listen = () => {
    learn();
    const slugs = [...known.keys()].sort().join(",");
    if (slugs === listening || !window.EventSource) return;
    stream?.close();
    listening = slugs;
    stream = slugs ? new EventSource(`/live/?tables=${slugs}`) : null;
    stream?.addEventListener("table", (event) => {
      const [slug, version] = event.data.split(" ");
      if (Number(version) > (known.get(slug) ?? -1)) look();
    });
  };

  document.addEventListener("htmx:afterSettle", (event) => {
    if (event.target.id !== "turns" && event.detail.elt?.id !== "turns") return;
    const before = Number(document.getElementById("turn-news").dataset.count || region().dataset.turnsNow);
    const now = Number(region().dataset.turnsNow);
    const news = document.getElementById("turn-news");
    if (now !== before) news.textContent = interpolate(ngettext("Your turn at %(count)s table.", "Your turn at %(count)s tables.", now), { count: now }, true);
    news.dataset.count = now;
    known.clear();
    listen();
  });
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden && Date.now() - looked > 30000) look();
  });
  // Without a stream, and for tables one was asked to meanwhile.
  setInterval(() => {
    if (!document.hidden && (!stream || stream.readyState === EventSource.CLOSED || Date.now() - looked > 300000)) look();
  }, 60000);
  const news = document.getElementById("turn-news");
  if (news && region()) news.dataset.count = region().dataset.turnsNow;
  listen();
})();
