// What every page shares: tokens for htmx, words for failures, times that count down, the number of turns in title and icon.
"use strict";

// Sentences of scripts: as they are written, in English, unless the catalogue of another language came before
// (templates/web/catalogue.html).
window.gettext ??= (text) => text;
window.ngettext ??= (one, more, count) => (count === 1 ? one : more);
window.pgettext ??= (context, text) => text;
window.npgettext ??= (context, one, more, count) => (count === 1 ? one : more);
window.interpolate ??= (text, values) => text.replace(/%\((\w+)\)s/g, (found, name) => String(values[name]));

(() => {
  const token = document.querySelector('meta[name="csrf-token"]')?.content;
  document.addEventListener("htmx:configRequest", (event) => {
    if (token && event.detail.verb !== "get") event.detail.headers["X-CSRFToken"] = token;
  });

  // A request that failed altogether: say so where messages stand, and leave the page as it is.
  const say = (text) => {
    const list = document.getElementById("messages");
    if (!list) return;
    const line = document.createElement("li");
    line.className = "error";
    line.textContent = text;
    list.replaceChildren(line);
  };
  document.addEventListener("htmx:sendError", () => say(gettext("You are offline. Nothing was lost. Please try again.")));
  document.addEventListener("htmx:timeout", () => say(gettext("That took too long. Nothing was lost. Please try again.")));
  document.addEventListener("htmx:responseError", (event) => {
    const status = event.detail.xhr.status;
    if (status === 403) say(gettext("This page is out of date. Please reload it."));
    else if (status === 404) say(gettext("That no longer exists. Reload the page."));
    else say(gettext("Something went wrong on our side. Please try again in a moment."));
  });

  // <time datetime data-left>: the same words as web/words.py writes.
  const duration = (milliseconds) => {
    const left = Math.max(0, Math.floor(milliseconds / 1000));
    const two = (first, value, unit) => (value ? `${first} ${value} ${unit}` : first);
    if (left < 60) return gettext("under 1 min");
    const rounded = (length, unit) => Math.floor((length + unit / 2) / unit) * unit;
    const minute = rounded(left, 60);
    const seconds = minute < 36000 ? minute : rounded(minute, 3600);
    if (seconds < 3600) return `${Math.floor(seconds / 60)} min`;
    if (seconds < 86400) {
      const minutes = seconds < 36000 ? Math.floor((seconds % 3600) / 60) : 0;
      return two(`${Math.floor(seconds / 3600)} h`, minutes, "min");
    }
    const days = pgettext("days, in short", "d");
    return two(`${Math.floor(seconds / 86400)} ${days}`, Math.floor((seconds % 86400) / 3600), "h");
  };
  // An evening counts seconds.
  const counted = (milliseconds) => {
    const left = Math.max(0, Math.floor(milliseconds / 1000));
    return `${Math.floor(left / 60)}:${String(left % 60).padStart(2, "0")}`;
  };
  const tick = (only = "") => {
    if (document.hidden) return;
    for (const time of document.querySelectorAll(`time[data-left${only}]`)) {
      const left = Date.parse(time.dateTime) - Date.now();
      const words = time.dataset.left === "seconds" ? counted(left) : duration(left);
      if (time.textContent !== words) time.textContent = words;
    }
  };
  setInterval(tick, 20000);
  setInterval(tick, 1000, "='seconds'");
  document.addEventListener("visibilitychange", () => document.hidden || tick());

  // The number of tables that wait: in the header, the title and the icon.
  const icon = document.querySelector('link[rel="icon"]');
  const plainIcon = icon?.href;
  const numbered = (count) => {
    const words = count > 9 ? "9+" : String(count);
    const svg = `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 24 24">
      <rect x="1" y="1" width="22" height="22" rx="5" fill="#1f6b4f"/>
      <text x="12" y="17.5" font-family="sans-serif" font-weight="700" font-size="${words.length > 1 ? 13 : 16}"
        text-anchor="middle" fill="#fff">${words}</text></svg>`;
    return `data:image/svg+xml,${encodeURIComponent(svg)}`;
  };
  const showTurns = (count) => {
    document.title = (count ? `(${count}) ` : "") + document.title.replace(/^\(\d+\) /, "");
    if (icon) icon.href = count ? numbered(count) : plainIcon;
    for (const badge of document.querySelectorAll("[data-turn-count]")) {
      badge.textContent = count;
      badge.hidden = !count;
    }
    for (const words of document.querySelectorAll("[data-turn-words]")) {
      const tables = ngettext("%(count)s table", "%(count)s tables", count);
      words.textContent = `: ${interpolate(tables, { count }, true)}`;
    }
  };
  const first = document.querySelector("[data-turn-count]");
  if (first && Number(first.textContent)) showTurns(Number(first.textContent));
  // Any part that knows better says so: <… data-turns-now="3">.
  document.addEventListener("htmx:afterSettle", () => {
    const news = document.querySelector("[data-turns-now]");
    if (news) showTurns(Number(news.dataset.turnsNow));
    tick();
  });
  document.addEventListener("foothold:turns", (event) => showTurns(event.detail));
})();
