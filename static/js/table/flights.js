// Cards that fly over the board from where they were to where they are, by the acts of a story.
"use strict";

(() => {
  const FLIGHT = 420, STEP = 70;
  const { mini, isWild } = Foothold.cards;
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const sky = document.createElement("div");
  sky.className = "sky";
  sky.setAttribute("aria-hidden", "true");
  document.body.append(sky);

  // An act of a line of the story, as the server has marked it.
  const read = (line) => all("[data-act]", line).map((span) => {
    const { act, by, move, count, cards, melds, top } = span.dataset;
    const list = (text) => text.split(" ").filter(Boolean);
    return {
      kind: act, by, move: Number(move), count: Number(count), cards: list(cards), melds: list(melds), top,
      name: line.querySelector("b").textContent, span,
    };
  });
  // What is heard of an act: its words, without drawings.
  const spoken = (nodes) => {
    const heard = document.createElement("span");
    heard.append(...nodes);
    for (const shown of all("[aria-hidden]", heard)) shown.remove();
    return heard.textContent.replace(/\s+/g, " ").trim();
  };

  const chair = (by) => document.querySelector(`[data-seat="${by}"]`);
  const place = (name) => document.querySelector(`.piles .${name} > :first-child`);
  const side = (by) => Number(by) % document.querySelectorAll("#board .team").length;
  const reds = (by) => document.querySelector(`.team[aria-labelledby="h-team-${side(by)}"] .reds`);
  // The meld of a name of the actor's side; of several the last.
  const tile = (act, name) => all(`[id^="meld-${side(act.by)}-${name}-"]`).at(-1);
  const tiles = (act) => act.melds.map((name) => tile(act, name)).filter(Boolean);
  const rankOf = (code) => (isWild(code) ? "" : code[0]);
  // The cards of an act that went to a tile: those of its rank; wild ones to the only meld, or the last.
  const cardsFor = (act, name) =>
    act.cards.filter((code) => (rankOf(code) ? rankOf(code) === name : act.melds.length === 1 || name === act.melds.at(-1)));

  // Both boxes are read first, then only transform and opacity change.
  let going = [];
  const middle = (element) => {
    const { left, top, width, height } = element.getBoundingClientRect();
    return [left + width / 2 - 20, top + height / 2 - 28];
  };
  const fly = (from, to, cards, length) => {
    if (!from || !to || from === to) return;
    const [[x0, y0], [x1, y1]] = [middle(from), middle(to)];
    for (const [index, card] of cards.entries()) {
      const tilt = ((index % 3) - 1) * 5;
      const on = (part, lift) => `translate(${x0 + (x1 - x0) * part}px, ${y0 + (y1 - y0) * part - lift}px)`;
      sky.append(card);
      const flight = card.animate([
        { transform: `${on(0, 0)} scale(.7)`, opacity: 0 },
        { transform: `${on(.12, 6)} scale(.95) rotate(${tilt}deg)`, opacity: 1, offset: .15 },
        { transform: `${on(.6, 12)} scale(1.05) rotate(${tilt}deg)`, opacity: 1, offset: .55 },
        { transform: `${on(1, 0)} scale(.8)`, opacity: 1, offset: .94 },
        { transform: `${on(1, 0)} scale(.7)`, opacity: 0 },
      ], { duration: length, delay: index * STEP * (length / FLIGHT), fill: "both", easing: "cubic-bezier(.3, .6, .2, 1)" });
      flight.finished.then(() => card.remove(), () => card.remove());
      going.push(flight);
    }
  };
  const backs = (count) => Array.from({ length: Math.max(1, Math.min(count, 4)) }, () => {
    const back = document.createElement("i");
    back.className = "cardback";
    return back;
  });
  // The flights of an act that has `slot` milliseconds.
  const launch = (act, slot) => {
    const who = chair(act.by), length = Math.min(FLIGHT, slot * .8);
    const faces = act.cards.slice(-5).map(mini);
    if (act.kind === "drew") fly(place("stock"), who, act.cards.length ? faces : backs(act.count), length);
    else if (act.kind === "drew_top") fly(place("pile"), who, faces, length);
    else if (act.kind === "took_pile") fly(place("pile"), who, act.cards.length ? faces : backs(act.count), length);
    else if (act.kind === "discarded") fly(who, place("pile"), faces, length);
    else if (act.kind === "red_three_laid") fly(who, reds(act.by), faces, length);
    else if (act.melds.length)
      for (const name of act.melds) fly(who, tile(act, name), cardsFor(act, name).slice(-5).map(mini), length);
  };
  // An empty animation that ends with the slot: pause and cancel act on it as on the flights.
  const wait = (slot) => {
    const clock = sky.animate([], { duration: slot });
    going.push(clock);
    return clock.finished;
  };
  const stop = () => {
    for (const flight of going) flight.cancel();
    going = [];
    sky.replaceChildren();
  };
  const glow = (elements) => {
    for (const element of elements) {
      element.classList.remove("glow");
      requestAnimationFrame(() => element.classList.add("glow"));
    }
  };

  Foothold.flights = {
    all, cardsFor, chair, glow, launch, place, read, reds, side, spoken, stop, tile, tiles, wait,
    pause: () => going.forEach((flight) => flight.playState === "running" && flight.pause()),
    play: () => going.forEach((flight) => flight.playState === "paused" && flight.play()),
  };
})();
