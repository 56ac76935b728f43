// Keeping up with the table: live events, coming back to the page, the way back from being offline.
"use strict";

window.Foothold = window.Foothold || {};

(() => {
  const main = document.getElementById("table");
  const { slug, parts, live, looking, laterScripts, laterStyles } = main.dataset;
  const strip = document.getElementById("offline");
  const bar = () => document.getElementById("bar");
  const version = () => Number(bar().dataset.version);

  const fetchParts = (query) => {
    if (!navigator.onLine) return Promise.resolve();
    return htmx.ajax("GET", `${parts}${query}`, { source: "#table", swap: "none" }).catch(() => {});
  };
  const refresh = () => fetchParts(`?seen=${version()}`);

  const setTitle = () => {
    if (bar().dataset.title) document.title = bar().dataset.title;
  };
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    if (event.detail.target?.id === "bar" || event.target.id === "bar") setTitle();
  });

  // What the first look does not need: dragging, the end of a deal, and papers that open in place.
  addEventListener("load", () => {
    for (const href of laterStyles.split(" "))
      if (!document.querySelector(`head > link[href="${href}"]`))
        document.head.append(Object.assign(document.createElement("link"), { rel: "stylesheet", href }));
    for (const src of laterScripts.split(" "))
      document.head.append(Object.assign(document.createElement("script"), { src }));
  });

  // The server leaves out what is shown here already, by the prints of its last answer.
  let shown = "";
  document.addEventListener("htmx:configRequest", (event) => {
    event.detail.headers["X-Shown"] = shown;
  });
  // An answer that was made before what is shown already, and came after it, is let go.
  document.addEventListener("htmx:beforeSwap", (event) => {
    const found = /id="bar"[^>]* data-version="(\d+)"/.exec(event.detail.xhr.responseText);
    if (found && Number(found[1]) < version()) event.detail.shouldSwap = false;
    const prints = event.detail.shouldSwap && event.detail.xhr.getResponseHeader("X-Parts");
    if (!prints) return;
    const lacks = prints.split(" ").some((print) =>
      !shown.includes(print) && !event.detail.xhr.responseText.includes(`id="${print.split("=")[0]}"`));
    shown = lacks ? "" : prints;
    if (lacks) setTimeout(fetchParts, 0, "");
  });

  // The player's other tables: when one moves, "Next table" may have changed, and while waiting the button beside it.
  const beside = new Map((main.dataset.also ?? "").split(" ").filter(Boolean).map((pair) => pair.split(":")));
  let later;
  const besideMoved = (name, number) => {
    if (Number(number) <= Number(beside.get(name))) return;
    beside.set(name, number);
    clearTimeout(later);
    later = setTimeout(() => fetchParts(document.getElementById("go-wait") ? "" : `?only=bar&seen=${version()}`), 300);
  };

  // Live events name the table and its version, never a card.
  let source;
  let timer;
  const stop = () => source?.close();
  const listen = () => {
    if (!live || !window.EventSource || document.hidden) return;
    stop();
    source = new EventSource(`${live}?at=${slug}&tables=${[slug, ...beside.keys()].join(",")}`);
    source.addEventListener("table", (event) => {
      const [name, number] = event.data.split(" ");
      if (name !== slug) besideMoved(name, number);
      else if (Number(number) > version()) {
        clearTimeout(timer);
        timer = setTimeout(refresh, 30);
      }
    });
    source.addEventListener("open", connected);
    source.addEventListener("error", () => {
      if (source.readyState === EventSource.CLOSED) setTimeout(listen, 10000);
    });
  };

  // Offline: said in a strip, no dialog; nothing that was picked is lost.
  const disconnected = () => {
    if (!strip.hidden) return;
    const time = new Date().toLocaleTimeString(document.documentElement.lang || [], { hour: "2-digit", minute: "2-digit" });
    strip.textContent = interpolate(gettext("Offline since %(time)s. Your selection is not lost."), { time }, true);
    strip.hidden = false;
    document.getElementById("dock")?.classList.add("offline");
    Foothold.acts?.say(strip.textContent);
    Foothold.acts?.holdBack();
  };
  const connected = () => {
    if (strip.hidden || !navigator.onLine) return;
    strip.hidden = true;
    document.getElementById("dock")?.classList.remove("offline");
    document.getElementById("messages").replaceChildren();
    for (const button of document.querySelectorAll("#act .go:not(a, p)")) if (button.value || !button.name) button.removeAttribute("aria-disabled");
    Foothold.acts?.compose();
  };
  addEventListener("offline", disconnected);
  addEventListener("online", () => {
    connected();
    refresh();
    listen();
  });
  document.addEventListener("htmx:sendError", disconnected);
  document.addEventListener("htmx:afterRequest", (event) => {
    if (event.detail.xhr?.status) connected();
  });

  // Telling that somebody is looking, so that no reminder is sent meanwhile.
  const look = () => {
    if (!looking || document.hidden || !navigator.onLine) return;
    const token = document.querySelector("[name=csrfmiddlewaretoken]")?.value;
    fetch(looking, { method: "POST", headers: { "X-CSRFToken": token }, keepalive: true }).catch(() => {});
  };

  // Who is at the table changes without anything happening there.
  const updatePresence = async () => {
    if (document.hidden || !navigator.onLine) return;
    const { here, watching } = await fetch(`${parts}?only=here`).then((answer) => answer.json(), () => ({}));
    if (!here) return;
    for (const seat of document.querySelectorAll("#seats [data-seat]:has(.here)")) {
      seat.querySelector(".here").hidden = !here.includes(Number(seat.dataset.seat));
    }
    document.querySelector("#watching span").textContent = watching;
    document.getElementById("watching").hidden = !watching;
  };

  document.addEventListener("visibilitychange", () => {
    if (document.hidden) return stop();
    refresh();
    listen();
    return look();
  });
  // A page that the browser keeps for the way back holds no connection, of which there are few.
  addEventListener("pagehide", stop);
  addEventListener("pageshow", (event) => {
    if (!event.persisted) return;
    if (navigator.onLine) location.reload();
    else disconnected();
  });
  setInterval(look, 45000);
  setInterval(updatePresence, 45000);
  // Where no stream can be held the page asks now and then.
  setInterval(() => {
    if (!document.hidden && source?.readyState !== EventSource.OPEN) refresh();
  }, 20000);
  if (!navigator.onLine) disconnected();
  look();
  listen();
})();
