// Picking cards. Picks are kept by card and number, so they outlive the parts of the page that the server sends anew.
"use strict";

(() => {
  const { countWords, isWild } = Foothold.cards;
  const picked = new Map();
  const listeners = [];

  const hand = () => document.getElementById("hand");
  const buttons = () => [...hand().querySelectorAll(".card")];
  const shown = () => buttons().filter((button) => !button.hidden);
  const held = (code) => Number(document.getElementById(`card-${code}`)?.dataset.held ?? 0);
  const free = (code) => held(code) - Foothold.staging.count(code);

  const codes = () => [...picked].flatMap(([code, n]) => Array(n).fill(code));
  const changed = () => {
    render();
    for (const listener of listeners) listener();
  };

  // Show how many of each card are picked, and hide those that are staged.
  const render = () => {
    const focused = document.activeElement;
    for (const button of buttons()) {
      const code = button.dataset.card;
      const left = free(code);
      const n = Math.min(picked.get(code) ?? 0, left);
      if (n) picked.set(code, n);
      else picked.delete(code);
      button.hidden = left === 0;
      button.setAttribute("aria-pressed", String(n > 0));
      const many = left > 1;
      button.classList.toggle("many", many);
      let badge = button.querySelector(".n");
      if (many && !badge) {
        badge = document.createElement("span");
        badge.className = "n";
        button.querySelector(".vis").append(badge);
      }
      if (badge) {
        badge.hidden = !many;
        badge.textContent = n ? `${n}/${left}` : `×${left}`;
      }
      const words = button.dataset.words;
      button.querySelector(".vh").textContent = many ? heldWords(words, left, n) : words;
    }
    for (const rank of hand().querySelectorAll(".rank")) rank.hidden = !rank.querySelector(".card:not([hidden])");
    moveOn(focused);
    const clearer = document.querySelector("[data-clear]");
    if (clearer) clearer.hidden = !picked.size;
    const count = document.getElementById("hand-count");
    if (count) count.textContent = buttons().reduce((sum, button) => sum + free(button.dataset.card), 0);
  };

  const heldWords = (card, held, picked) => {
    const words = picked ? gettext("%(card)s, %(held)s in hand, %(picked)s selected") : gettext("%(card)s, %(held)s in hand, none selected");
    return interpolate(words, { card, held, picked }, true);
  };

  // Where the card with the focus was laid aside, the next one has it.
  const moveOn = (focused) => {
    if (!focused?.matches("#hand .card[hidden]")) return;
    const all = buttons();
    const next = all.slice(all.indexOf(focused)).find((card) => !card.hidden) ?? shown().pop() ?? hand();
    next.focus({ preventScroll: true });
  };

  const pick = (code) => {
    const n = ((picked.get(code) ?? 0) + 1) % (free(code) + 1);
    if (n) picked.set(code, n);
    else picked.delete(code);
    settle();
    changed();
  };
  const clear = () => {
    picked.clear();
    changed();
  };
  const add = (list) => {
    for (const code of list) picked.set(code, Math.min((picked.get(code) ?? 0) + 1, free(code)));
    changed();
  };

  // The next press takes the marks off cards that are new, and off those that were refused.
  const settle = () => {
    for (const card of hand().querySelectorAll(".new")) {
      card.classList.remove("new");
      card.dataset.words = card.dataset.settled;
    }
    Foothold.acts?.calm();
  };

  // The order of the hand: where a player moves a card, and sends the whole order.
  const shift = (code, by) => {
    const button = document.getElementById(`card-${code}`);
    if (!button) return;
    const row = shown();
    const to = row[row.indexOf(button) + by];
    if (!to) return;
    if (document.getElementById("tray").dataset.order === "own") to[by < 0 ? "before" : "after"](button);
    else {
      const order = row.map((card) => card.dataset.card);
      const from = order.indexOf(code);
      order.splice(from + by, 0, order.splice(from, 1)[0]);
      sort("own", order);
      return;
    }
    button.focus({ preventScroll: true });
    clearTimeout(shift.timer);
    shift.timer = setTimeout(() => sort("own", buttons().map((card) => card.dataset.card)), 800);
  };
  const sort = (by, order) => {
    const cards = (order ?? buttons().map((card) => card.dataset.card)).join(" ");
    const source = document.getElementById("table");
    htmx.ajax("POST", source.dataset.order, { source: "#say", swap: "none", values: { by, cards } });
  };

  // Keys: arrows go through the hand by row and column; Home and End to its ends.
  const rows = () => {
    const lines = [];
    for (const card of shown()) {
      const { top } = card.getBoundingClientRect();
      const line = lines.find((other) => Math.abs(other.top - top) < 20);
      if (line) line.cards.push(card);
      else lines.push({ top, cards: [card] });
    }
    return lines;
  };
  const beside = (card, key) => {
    const all = shown();
    if (key === "Home") return all[0];
    if (key === "End") return all[all.length - 1];
    if (key === "ArrowLeft" || key === "ArrowRight") return all[all.indexOf(card) + (key === "ArrowLeft" ? -1 : 1)];
    const lines = rows();
    const row = lines.findIndex((line) => line.cards.includes(card));
    const other = lines[row + (key === "ArrowUp" ? -1 : 1)];
    if (!other) return undefined;
    const middle = (c) => c.getBoundingClientRect().left;
    return other.cards.reduce((best, c) =>
      Math.abs(middle(c) - middle(card)) < Math.abs(middle(best) - middle(card)) ? c : best);
  };

  document.addEventListener("click", (event) => {
    const card = event.target.closest("#hand .card");
    if (card) pick(card.dataset.card);
    const sorter = event.target.closest("[data-sort]");
    if (sorter) sort(sorter.dataset.sort);
    if (event.target.closest("[data-clear]")) {
      const [first] = picked.keys();
      clear();
      document.getElementById(`card-${first}`)?.focus({ preventScroll: true });
    }
    const shifter = event.target.closest("[data-shift]");
    if (shifter && picked.size === 1) shift([...picked.keys()][0], Number(shifter.dataset.shift));
  });

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.target.matches("input, textarea, select")) return;
    const card = event.target.closest?.("#hand .card");
    if (card && ["ArrowLeft", "ArrowRight", "ArrowUp", "ArrowDown", "Home", "End"].includes(event.key)) {
      event.preventDefault();
      if (event.altKey && event.key === "ArrowLeft") shift(card.dataset.card, -1);
      else if (event.altKey && event.key === "ArrowRight") shift(card.dataset.card, 1);
      else beside(card, event.key)?.focus();
      return;
    }
    if (event.altKey) return;
    if (event.key === "Escape") {
      const menu = document.querySelector("#dots[open]");
      if (menu) {
        menu.open = false;
        menu.querySelector("summary").focus({ preventScroll: true });
      } else clear();
    } else if (event.key === "h" || event.key === "H") (shown()[0] ?? hand()).focus({ preventScroll: true });
    else if (event.key === "g" || event.key === "G") document.querySelector("#act .go")?.focus({ preventScroll: true });
  });

  Foothold.hand = {
    add, clear, codes, free, held, isWild, render, settle, shown, sort,
    has: () => picked.size > 0,
    one: () => (codes().length === 1 ? codes()[0] : null),
    take: () => {
      const list = codes();
      picked.clear();
      return list;
    },
    onChange: (listener) => listeners.push(listener),
    countWords,
  };
})();
