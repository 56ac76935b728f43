// What happened since the last look, shown on the board act by act. The board is laid out as it ends, so nothing can shift:
// what is still to be told is taken off, then put back, as cards fly above. The words and cards are those of the story.
"use strict";

(() => {
  const SLOT = 700, WHOLE = 10000, LEAST = 250, MOST = 40, WAIT = 600;
  const { isWild, mini } = Foothold.cards;
  const { all, cardsFor, chair, glow, launch, read: readLine, reds, spoken, stop, tile, tiles, wait } = Foothold.flights;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const key = `told:${document.getElementById("table").dataset.slug}`;

  let acts = [], at = 0, base = 0, next = SLOT, slot = SLOT, spent = 0, fast = localStorage.getItem("telling") === "fast", state = "rest", heard = "", restore = [], waiting = 0;

  // What was shown on this device already, by the number of the last move.
  const told = () => Number(sessionStorage.getItem(key) ?? 0);
  const note = (move) => sessionStorage.setItem(key, String(Math.max(move, told())));

  // Acts stand newest line first, in order within a line.
  const read = (after) =>
    all("#acts > li").reverse().flatMap(readLine)
      .map((act) => ({ ...act, key: [act.by, act.kind, act.move, ...act.melds].join(" ") })).filter((act) => act.move > after);

  // Taking off and putting back: texts and classes only, every change remembered with what it was.
  const write = (element, ...nodes) => {
    if (!element) return;
    if (!restore.some(([other]) => other === element)) {
      const end = [...element.childNodes];
      element.style.minWidth = `${element.offsetWidth}px`;
      restore.push([element, () => {
        element.replaceChildren(...end);
        element.style.minWidth = "";
      }]);
    }
    element.replaceChildren(...nodes);
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
        if (act.by !== by) return 0;
        if (["drew", "drew_top", "took_pile"].includes(act.kind) || act.kind.endsWith("picked_up")) return act.count;
        return ["melded", "book_completed", "discarded"].includes(act.kind) ? -act.cards.length : 0;
      });
    back(() => document.querySelector(".stock p b"), (act) => (act.kind === "drew" ? -act.count : 0));
    for (const by of new Set(acts.filter((act) => act.kind === "red_three_laid").map((act) => act.by))) {
      back(() => reds(by)?.querySelector("b"), (act) => (act.kind === "red_three_laid" && reds(act.by) === reds(by) ? act.cards.length : 0));
      reds(by)?.classList.toggle("none", reds(by).querySelector("b").textContent === "0");
    }
    back(() => document.querySelector(".pile p b"), (act) =>
      act.kind === "discarded" ? 1 : act.kind === "took_pile" ? -act.count : act.kind === "drew_top" ? -1 : 0);
  };
  // The pile as it was, and who had the foot still to pick up.
  const pile = () => {
    const under = document.querySelector(".pile .under");
    const act = acts.slice(at).find(({ kind }) => ["discarded", "took_pile", "drew_top"].includes(kind));
    const top = act && (act.kind === "discarded" ? act.top : act.cards[0]);
    const isEmpty = act && document.querySelector(".pile p b")?.textContent === "0";
    under?.querySelector(".was")?.remove();
    under?.classList.toggle("earlier", Boolean(top || isEmpty));
    if (!under || !(top || isEmpty)) return;
    const was = isEmpty ? document.createElement("span") : mini(top);
    if (isEmpty) was.className = "cardback gone";
    was.classList.add("was");
    was.setAttribute("aria-hidden", "true");
    under.append(was);
  };
  const feet = () => {
    for (const act of acts.filter(({ kind }) => kind === "foot_picked_up")) {
      const foot = chair(act.by)?.querySelector(".foot");
      const isBefore = acts.indexOf(act) >= at;
      if (isBefore && foot) write(foot, pgettext("of cards", "hand"));
      else put(foot);
      foot?.classList.toggle("before", isBefore);
    }
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
      const whole = document.createElement("small");
      whole.textContent = "/7";
      if (cards.length) write(size, String(number), whole);
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
    pile();
    feet();
    melds();
  };
  const putBack = () => {
    for (const [, back] of restore) back();
    restore = [];
    for (const element of all(".under > .was")) element.remove();
    for (const element of all(".yet, .coming, .earlier, .before, .reds.none"))
      element.classList.remove("yet", "coming", "earlier", "before", "none");
    for (const element of all("[data-end]")) delete element.dataset.end;
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
  const SHOWN = { rest: ["again", "speed"], play: ["pause", "skip", "speed"], held: ["on", "skip", "speed"], step: ["next", "skip"] };
  const mode = (name) => {
    state = name;
    const focused = document.activeElement;
    const box = document.getElementById("teller");
    if (!box) return;
    const shown = name === "rest" && !read(0).length ? [] : SHOWN[name];
    for (const button of all("[data-tell]", box)) button.hidden = !shown.includes(button.dataset.tell);
    document.getElementById("tell-speed").setAttribute("aria-pressed", fast);
    document.getElementById("replay").hidden = name !== "rest";
    if (focused?.hidden && box.contains(focused)) box.querySelector(":not([hidden])")?.focus({ preventScroll: true });
  };
  // The server marks what is new; the marks are out of sight while it is told, and from the next press on.
  const mark = (isOn) => {
    document.getElementById("table").classList.toggle("unmarked", !isOn);
    for (const meld of all(".meld.glow, .meld.now")) meld.classList.remove("glow", "now");
  };
  const finish = () => {
    stop();
    if (acts.length) note(acts.at(-1).move);
    putBack();
    acts = read(base);
    mark(true);
    caption([]);
    mode("rest");
  };
  const skip = () => {
    const last = acts.at(-1);
    finish();
    if (last) say(spoken(words(last)));
  };
  const show = () => {
    stop();
    if (at >= acts.length) return finish();
    const act = acts[at];
    caption(words(act));
    if (heard !== act.key) say(spoken(words(act)));
    heard = act.key;
    if (calm.matches) {
      at += 1;
      paint();
      for (const meld of all(".meld.now")) meld.classList.remove("now");
      for (const meld of tiles(act)) meld.classList.add("now");
      return undefined;
    }
    slot = next;
    spent += slot;
    launch(act, slot);
    wait(slot).then(() => {
      at += 1;
      if (at === acts.length || acts[at].move > act.move) note(act.move);
      paint();
      glow(act.kind === "red_three_laid" ? [reds(act.by)].filter(Boolean) : tiles(act));
      show();
    }, () => {});
    return undefined;
  };
  const begin = (after) => {
    stop();
    putBack();
    mark(false);
    acts = read(after).slice(-MOST);
    at = 0;
    base = after;
    heard = "";
    spent = 0;
    if (!acts.length) return mode("rest");
    pace(0);
    paint();
    mode(calm.matches ? "step" : "play");
    return show();
  };
  // The whole is over in ten seconds, whatever comes meanwhile, and no act is too short to be followed: of more the oldest
  // are only there.
  const pace = (from) => {
    const rest = WHOLE - spent;
    const extra = acts.length - from - Math.max(0, Math.floor(rest / LEAST));
    if (extra > 0) acts.splice(from, extra);
    next = Math.max(LEAST, Math.min(SLOT / (fast ? 2 : 1), rest / Math.max(1, acts.length - from)));
  };
  // Fresh parts came while acts are shown: the act goes on where it is, and those that happened meanwhile follow.
  const goOn = () => {
    const now = acts[Math.min(at, acts.length - 1)].key;
    const fresh = read(base);
    const place = fresh.findLastIndex((act) => act.key === now);
    if (place < 0) {
      finish();
      return start();
    }
    at += place - Math.min(at, acts.length - 1);
    acts = fresh;
    pace(at + 1);
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
      if (fresh.length) mark(true);
      mode("rest");
    }
  };

  const DO = {
    again: () => begin(0),
    pause: () => {
      Foothold.flights.pause();
      mode("held");
    },
    on: () => {
      Foothold.flights.play();
      mode("play");
    },
    next: show,
    skip,
    speed: () => {
      fast = !fast;
      localStorage.setItem("telling", fast ? "fast" : "");
      pace(at + 1);
      mode(state);
    },
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-tell]");
    if (!button) return;
    if (button.dataset.tell !== "speed") clearTimeout(waiting);
    DO[button.dataset.tell]();
  });
  // One's own move never waits: a press in the dock ends the telling, and does what it does.
  const away = (event) => {
    if (!event.target.closest?.("#dock, .piles button, button.meld")) return;
    if (state !== "rest") finish();
    mark(false);
  };
  document.addEventListener("pointerdown", away, true);
  document.addEventListener("click", away, true);
  // Fresh parts replace the board: what was not shown yet is shown on the new one.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const { id } = event.detail.target ?? event.target;
    if (id !== "story" && (id !== "board" || state === "rest")) return;
    clearTimeout(waiting);
    restore = restore.filter(([element]) => element.isConnected);
    waiting = setTimeout(state === "rest" ? start : goOn, 0);
  });
  document.addEventListener("visibilitychange", () => {
    if (document.hidden && state === "play") finish();
    else if (!document.hidden && state === "rest") start();
  });
  mode("rest");
  waiting = setTimeout(start, WAIT);
})();
