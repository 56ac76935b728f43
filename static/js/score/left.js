// Deals of a match that this phone has and the site never took: the match was decided or drawn anew meanwhile.
"use strict";

(() => {
  const PREFIX = "score-sheet:match-";
  const figure = (points) => points.toLocaleString(document.documentElement.lang || "en").replace("-", "\u2212");
  const signed = (points) => (points > 0 ? "+" : "") + figure(points);

  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const row = (...cells) => {
    const line = make("tr");
    line.append(...cells);
    return line;
  };
  const cells = (tag, texts, attributes) => texts.map((text) => make(tag, text, attributes));

  // Every sheet of this match that was not sent, by its name in the store; the one that the page itself has open aside.
  const left = (where, open) => {
    const found = [];
    try {
      for (const name of Object.keys(localStorage)) {
        if (!name.startsWith(PREFIX) || name === `score-sheet:${open}`) continue;
        const sheet = JSON.parse(localStorage.getItem(name));
        if ((sheet.unsent || sheet.sending) && sheet.told?.where === where) found.push([name, sheet.told]);
      }
    } catch { /* nothing may be read, or it is no sheet */ }
    return found.filter(([, { points }]) => points.length);
  };

  const table = ({ players, points, boards = [] }) => {
    const head = make("thead"), body = make("tbody"), foot = make("tfoot");
    head.append(row(make("th", boards.length ? gettext("Board") : gettext("Deal"), { scope: "col" }), ...cells("th", players, { scope: "col", class: "num" })));
    points.forEach((deal, before) => {
      body.append(row(make("th", boards[before] ?? before + 1, { scope: "row" }), ...cells("td", deal.map(signed), { class: "num" })));
    });
    const totals = players.map((_, side) => points.reduce((all, deal) => all + deal[side], 0));
    foot.append(row(make("th", gettext("Total"), { scope: "row" }), ...cells("td", totals.map(figure), { class: "num" })));
    const made = make("table", undefined, { class: "deals" });
    made.append(make("caption", gettext("Deals that are only on this phone"), { class: "vh" }), head, body, foot);
    const box = make("div", undefined, { class: "scroll", tabindex: "0", role: "region", "aria-label": gettext("Deals on this phone") });
    box.append(made);
    return box;
  };

  for (const place of document.querySelectorAll("[data-unsent]")) {
    const found = left(place.dataset.unsent, place.dataset.open);
    place.hidden = !found.length;
    for (const [name, told] of found) {
      const part = make("div", undefined, { class: "snug" });
      const button = make("button", gettext("Delete these deals"), { type: "button", class: "btn" });
      button.addEventListener("click", () => {
        localStorage.removeItem(name);
        part.remove();
        place.hidden = !place.querySelector("table");
      });
      const buttons = make("p", undefined, { class: "btns" });
      buttons.append(button);
      part.append(table(told), buttons);
      place.append(part);
    }
  }
})();
