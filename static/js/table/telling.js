// What happened since the last look, shown on the board act by act. The board is laid out as it ends, so nothing can shift:
// what is still to be told is taken off, then put back, as cards fly above. The words and cards are those of the story.
"use strict";

(() => {
  const SLOT = 700, WHOLE = 10000, LEAST = 250, MOST = 40, FLIGHT = 420, STEP = 70, WAIT = 600;
  const { mini, isWild } = Foothold.cards;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const key = `told:${document.getElementById("table").dataset.slug}`;
  const all = (query, root = document) => [...root.querySelectorAll(query)];
  const sky = document.createElement("div");
  sky.className = "sky";
  sky.setAttribute("aria-hidden", "true");
  document.body.append(sky);

  let acts = [], at = 0, base = 0, slot = SLOT, state = "rest", heard = "", going = [], clock = null, restore = [], waiting = 0;

  // What was shown on this device already, by the number of the last move.
  const told = () => Number(sessionStorage.getItem(key) ?? 0);
  const note = (move) => sessionStorage.setItem(key, String(Math.max(move, told())));

  // Acts stand newest line first, in order within a line.
  const read = (after) => {
    const lines = all("#acts > li").reverse();
    return lines.flatMap((line) => all("[data-act]", line).map((span) => ({
      kind: span.dataset.act, by: span.dataset.by, move: Number(span.dataset.move), count: Number(span.dataset.count),
      cards: span.dataset.cards.split(" ").filter(Boolean), melds: span.dataset.melds.split(" ").filter(Boolean),
      name: line.querySelector("b").textContent, span,
    }))).map((act) => ({ ...act, key: [act.by, act.kind, act.move, ...act.melds].join(" ") })).filter((act) => act.move > after).slice(-MOST);
  };

  const chair = (by) => document.querySelector(`[data-seat="${by}"]`);
  const place = (name) => document.querySelector(`.piles .${name} > :first-child`);
  const side = (by) => Number(by) % document.querySelectorAll("#board .team").length;
  // The meld of a name of the actor's side; of several the last.
  const tile = (act, name) => all(`[id^="meld-${side(act.by)}-${name}-"]`).at(-1);
  const tiles = (act) => act.melds.map((name) => tile(act, name)).filter(Boolean);
  const rankOf = (code) => (isWild(code) ? "" : code[0]);
  // The cards of an act that went to a tile: those of its rank; wild ones to the only meld, or the last.
  const cardsFor = (act, name) =>
    act.cards.filter((code) => (rankOf(code) ? rankOf(code) === name : act.melds.length === 1 || name === act.melds.at(-1)));

  // Taking off and putting back: texts and classes only, every change remembered with what it was.
  const write = (element, text) => {
    if (!element) return;
    if (!restore.some(([other]) => other === element)) {
      const nodes = [...element.childNodes];
      element.style.minWidth = `${element.offsetWidth}px`;
      restore.push([element, () => {
        element.replaceChildren(...nodes);
        element.style.minWidth = "";
      }]);
    }
    element.replaceChildren(text);
  };
  const counts = () => {
    const left = acts.slice(at);
    const back = (of, change) => {
      const element = of();
      if (!element) return;
      element.dataset.end ??= element.textContent;
      const number = Number(element.dataset.end) - left.reduce((sum, act) => sum + change(act), 0);
      if (number >= 0) write(element, String(number));
    };
    for (const by of new Set(acts.map((act) => act.by)))
      back(() => chair(by)?.querySelector(".held b"), (act) => {
        if (act.by !== by || left.some((other) => other.by === by && other.kind.endsWith("picked_up"))) return 0;
        if (["drew", "drew_top", "took_pile"].includes(act.kind)) return act.count;
        return ["melded", "book_completed", "discarded"].includes(act.kind) ? -act.cards.length : 0;
      });
    back(() => document.querySelector(".stock p b"), (act) => (act.kind === "drew" ? -act.count : 0));
    back(() => document.querySelector(".pile p b"), (act) =>
      act.kind === "discarded" ? 1 : act.kind === "took_pile" ? -act.count : act.kind === "drew_top" ? -1 : 0);
  };
  const melds = () => {
    const left = acts.slice(at);
    for (const meld of new Set(acts.flatMap(tiles))) {
      const cards = left.flatMap((act) => act.melds.filter((name) => tile(act, name) === meld).flatMap((name) => cardsFor(act, name)));
      const pips = all(".p:not(.no)", meld);
      const wild = cards.filter(isWild).length;
      const yet = new Set([
        ...pips.filter((pip) => pip.matches(".wd")).slice(-wild || Infinity),
        ...pips.filter((pip) => !pip.matches(".wd")).slice(-(cards.length - wild) || Infinity),
      ]);
      for (const pip of pips) pip.classList.toggle("yet", yet.has(pip));
      const number = pips.length - yet.size;
      meld.classList.toggle("coming", cards.length > 0 && number < 3);
      const size = meld.querySelector(".ct");
      if (!size) continue;
      if (cards.length) write(size, `${number}/7`);
      else put(size);
    }
  };
  const put = (element) => {
    const kept = restore.find(([other]) => other === element);
    if (!kept) return;
    kept[1]();
    restore = restore.filter((other) => other !== kept);
  };
  const paint = () => {
    counts();
    melds();
  };
  const putBack = () => {
    for (const [, back] of restore) back();
    restore = [];
    for (const element of all(".yet, .coming")) element.classList.remove("yet", "coming");
    for (const element of all("[data-end]")) delete element.dataset.end;
  };

  // Flights: both boxes are read first, then only transform and opacity change.
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
  const launch = (act) => {
    const who = chair(act.by), length = Math.min(FLIGHT, slot * .8);
    const faces = act.cards.slice(-5).map(mini);
    if (act.kind === "drew") fly(place("stock"), who, act.cards.length ? faces : backs(act.count), length);
    else if (act.kind === "drew_top") fly(place("pile"), who, faces, length);
    else if (act.kind === "took_pile") fly(place("pile"), who, act.cards.length ? faces : backs(act.count), length);
    else if (act.kind === "discarded") fly(who, place("pile"), faces, length);
    else if (act.melds.length)
      for (const name of act.melds) fly(who, tile(act, name), cardsFor(act, name).slice(-5).map(mini), length);
  };

  // The telling

  const caption = (nodes) => {
    const box = document.getElementById("caption");
    if (!box) return;
    box.replaceChildren(...nodes);
    box.hidden = !nodes.length;
  };
  const words = (act) => {
    const name = document.createElement("b");
    name.textContent = act.name;
    return [name, " ", ...[...act.span.childNodes].map((node) => node.cloneNode(true))];
  };
  const say = (text) => {
    document.getElementById("tell-say").textContent = text;
  };
  const spoken = (act) => {
    const heard = document.createElement("span");
    heard.append(...words(act));
    for (const shown of all("[aria-hidden]", heard)) shown.remove();
    return heard.textContent.replace(/\s+/g, " ").trim();
  };
  const SHOWN = { rest: ["again"], play: ["pause", "skip"], held: ["on", "skip"], step: ["next", "skip"] };
  const mode = (name) => {
    state = name;
    const focused = document.activeElement;
    const box = document.getElementById("teller");
    if (!box) return;
    const shown = name === "rest" && !read(0).length ? [] : SHOWN[name];
    for (const button of all("[data-tell]", box)) button.hidden = !shown.includes(button.dataset.tell);
    document.getElementById("replay").hidden = name !== "rest";
    if (focused?.hidden && box.contains(focused)) box.querySelector(":not([hidden])")?.focus({ preventScroll: true });
  };
  const stop = () => {
    for (const flight of [...going, clock]) flight?.cancel();
    going = [];
    clock = null;
    sky.replaceChildren();
  };
  const mark = () => {
    for (const meld of new Set(acts.flatMap(tiles))) {
      const cards = acts.flatMap((act) => act.melds.filter((name) => tile(act, name) === meld).flatMap((name) => cardsFor(act, name)));
      if (!cards.length) continue;
      meld.classList.add("changed");
      let tag = meld.querySelector(".plus");
      if (!tag) {
        tag = document.createElement("span");
        tag.className = "plus";
        tag.setAttribute("aria-hidden", "true");
        (meld.querySelector(".vis") ?? meld).append(tag);
      }
      tag.textContent = `+${cards.length}`;
    }
  };
  const unmark = () => {
    for (const meld of all(".meld.changed, .meld.glow")) meld.classList.remove("changed", "glow");
    for (const tag of all(".meld .plus")) tag.remove();
  };
  const finish = () => {
    stop();
    if (acts.length) note(acts.at(-1).move);
    putBack();
    mark();
    caption([]);
    mode("rest");
  };
  const skip = () => {
    const last = acts.at(-1);
    finish();
    if (last) say(spoken(last));
  };
  const show = () => {
    stop();
    if (at >= acts.length) return finish();
    const act = acts[at];
    caption(words(act));
    if (heard !== act.key) say(spoken(act));
    heard = act.key;
    if (calm.matches) {
      at += 1;
      paint();
      for (const meld of all(".meld.changed")) meld.classList.remove("changed");
      for (const meld of tiles(act)) meld.classList.add("changed");
      return undefined;
    }
    launch(act);
    clock = sky.animate([], { duration: slot });
    clock.finished.then(() => {
      at += 1;
      if (at === acts.length || acts[at].move > act.move) note(act.move);
      paint();
      for (const meld of tiles(act)) {
        meld.classList.remove("glow");
        requestAnimationFrame(() => meld.classList.add("glow"));
      }
      show();
    }, () => {});
    return undefined;
  };
  const begin = (after) => {
    stop();
    putBack();
    unmark();
    acts = read(after);
    at = 0;
    base = after;
    heard = "";
    if (!acts.length) return mode("rest");
    pace();
    paint();
    mode(calm.matches ? "step" : "play");
    return show();
  };
  const pace = () => {
    slot = Math.max(LEAST, Math.min(SLOT, WHOLE / (acts.length - at)));
  };
  // Fresh parts came while acts are shown: the act goes on where it is, and those that happened meanwhile follow.
  const goOn = () => {
    const now = acts[Math.min(at, acts.length - 1)].key;
    const next = read(base);
    const place = next.findIndex((act) => act.key === now);
    if (place < 0) {
      finish();
      return start();
    }
    at += place - Math.min(at, acts.length - 1);
    acts = next;
    pace();
    paint();
    if (acts[at]) caption(words(acts[at]));
    return mode(state);
  };
  const start = () => {
    const fresh = read(told());
    if (fresh.length && !calm.matches && !document.hidden && navigator.onLine) begin(told());
    else {
      if (fresh.length && !document.hidden) note(fresh.at(-1).move);
      acts = fresh;
      mark();
      mode("rest");
    }
  };

  const DO = {
    again: () => begin(0),
    pause: () => {
      for (const one of [...going, clock]) one?.pause();
      mode("held");
    },
    on: () => {
      for (const one of [...going, clock]) one?.play();
      mode("play");
    },
    next: show,
    skip,
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tell]");
    if (!button) return;
    clearTimeout(waiting);
    DO[button.dataset.tell]();
  });
  // One's own move never waits: a press in the dock ends the telling, and does what it does.
  const away = (event) => {
    if (!event.target.closest?.("#dock, .piles button, button.meld")) return;
    if (state === "rest") unmark();
    else {
      finish();
      unmark();
    }
  };
  document.addEventListener("pointerdown", away, true);
  document.addEventListener("click", away, true);
  // Fresh parts replace the board: what was not shown yet is shown on the new one.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const { id } = event.detail.target ?? event.target;
    if (id !== "story" && (id !== "board" || state === "rest")) return;
    clearTimeout(waiting);
    restore = [];
    waiting = setTimeout(state === "rest" ? start : goOn, 0);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && state === "play") finish();
    else if (!document.hidden && state === "rest") start();
  });
  mode("rest");
  waiting = setTimeout(start, WAIT);
})();
