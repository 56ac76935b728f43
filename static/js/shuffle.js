// The shuffle check: works out a deal from its key, by the browser's own SHA-256 and HMAC, and compares it with what
// the players had before them. It shares no code with the server; docs/fair-deals.md describes what it does.
"use strict";
(() => {
  const bytes = (hex) => Uint8Array.from(hex.match(/../g), (pair) => parseInt(pair, 16));
  const hex = (buffer) => [...new Uint8Array(buffer)].map((byte) => byte.toString(16).padStart(2, "0")).join("");
  const text = new TextEncoder();

  async function hmac(key, message) {
    const made = await crypto.subtle.importKey("raw", key, { name: "HMAC", hash: "SHA-256" }, false, ["sign"]);
    return new Uint8Array(await crypto.subtle.sign("HMAC", made, message));
  }

  function pack(decks, jokers) {
    const cards = [];
    for (let deck = 0; deck < decks; deck += 1)
      for (const rank of "23456789TJQKA") for (const suit of "cdhs") cards.push(rank + suit);
    for (let joker = 0; joker < decks * jokers; joker += 1) cards.push(joker % 2 ? "Xb" : "Xr");
    return cards;
  }

  async function shuffled(cards, seed) {
    const order = [...cards];
    let numbers = [];
    let block = 0;
    for (let left = order.length; left > 1; left -= 1) {
      const limit = 2 ** 32 - (2 ** 32 % left);
      let number = limit;
      while (number >= limit) {
        if (!numbers.length) {
          const digest = await hmac(seed, text.encode(`deal/${block}`));
          const view = new DataView(digest.buffer);
          numbers = [0, 4, 8, 12, 16, 20, 24, 28].map((start) => view.getUint32(start));
          block += 1;
        }
        number = numbers.shift();
      }
      const place = number % left;
      [order[left - 1], order[place]] = [order[place], order[left - 1]];
    }
    return order;
  }

  const words = (list) => (list ? list.split(" ") : []);
  const bag = (cards) => [...cards].sort().join(" ");

  // What each player was given, and the stock, top first, before anybody played. The cards turned up last lie on top.
  function deal(order, seats, stack, pile) {
    const given = [];
    for (let seat = 0; seat < seats; seat += 1) given.push(order.slice(seat * stack, (seat + 1) * stack));
    const rest = order.slice(seats * stack);
    // A card that may not lie face up goes under the stock, and the next one is turned.
    const buried = [];
    const turned = [...pile].reverse();
    let at = 0;
    for (; turned.length && at < rest.length; at += 1) {
      if (rest[at] === turned[0]) turned.shift();
      else buried.push(rest[at]);
    }
    const stock = [...rest.slice(at), ...buried];
    return { given, stock };
  }

  function differences(part, { given, stock }) {
    const dealt = part.querySelector("[data-dealt]");
    const before = [...dealt.querySelectorAll("[data-seat]")].map((seat) => words(seat.dataset.seat));
    const red = words(dealt.querySelector("[data-red]").dataset.red.trim());
    const left = words(dealt.querySelector("[data-stock]").dataset.stock);
    const drawn = stock.slice(0, stock.length - left.length);
    const wrong = [];
    if (stock.slice(drawn.length).join(" ") !== left.join(" ")) wrong.push(gettext("the order of the stock"));
    // Whoever plays first lays red threes and draws for them before the first move.
    if (bag([...before.flat(), ...red]) !== bag([...given.flat(), ...drawn])) wrong.push(gettext("the cards of the players"));
    if (!("passed" in part.dataset) && !red.length)
      before.forEach((cards, seat) => {
        if (bag(cards) !== bag(given[seat])) wrong.push(interpolate(gettext("the cards of player %(number)s"), { number: seat + 1 }, true));
      });
    return wrong;
  }

  function line(result, isRight, sentence) {
    const item = document.createElement("p");
    item.className = isRight ? "verdict ok" : "verdict bad";
    item.textContent = `${isRight ? "✓" : "✗"} ${sentence}`;
    result.append(item);
  }

  function list(result, names, found) {
    const details = document.createElement("details");
    const summary = document.createElement("summary");
    summary.textContent = gettext("The deal as your browser worked it out");
    const facts = document.createElement("dl");
    facts.className = "facts";
    const add = (name, cards) => {
      const term = document.createElement("dt");
      const value = document.createElement("dd");
      const code = document.createElement("code");
      term.textContent = name;
      code.textContent = cards.join(" ");
      value.append(code);
      facts.append(term, value);
    };
    found.given.forEach((cards, seat) => add(names[seat], cards));
    add(gettext("Stock, top first"), found.stock);
    details.append(summary, facts);
    result.append(details);
  }

  async function check(part) {
    const result = part.querySelector("[data-result]");
    result.replaceChildren();
    if (!window.crypto || !crypto.subtle) {
      line(result, false, gettext("This browser can compute SHA-256 only on a page loaded with https."));
      return;
    }
    const { key, commitment, decks, jokers, stack } = part.dataset;
    const fits = hex(await crypto.subtle.digest("SHA-256", bytes(key))) === commitment;
    line(result, fits, fits ? gettext("The key matches the commitment that was shown before the deal.") : gettext("The key does not match this commitment."));
    const players = [...part.querySelectorAll("[data-phrase]")];
    const phrases = players.map((player) => player.dataset.phrase).join("\n");
    const order = await shuffled(pack(Number(decks), Number(jokers)), await hmac(bytes(key), text.encode(phrases)));
    const pile = words(part.querySelector("[data-pile]").dataset.pile);
    const found = deal(order, players.length, Number(stack), pile);
    const wrong = differences(part, found);
    line(result, !wrong.length, wrong.length
      ? interpolate(gettext("The shuffle does not give %(parts)s."), { parts: wrong.join(gettext(", nor ")) }, true)
      : gettext("The shuffle of key and phrases gives exactly the cards that were dealt."));
    list(result, players.map((player) => player.dataset.name), found);
  }

  for (const part of document.querySelectorAll("[data-shuffle]")) {
    const button = part.querySelector("[data-check]");
    button.hidden = false;
    button.addEventListener("click", () => check(part));
  }
})();
