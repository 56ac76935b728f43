// The button that says the move: what it sends, why it cannot be pressed, and what the server answered.
"use strict";

(() => {
  const { begun, cardsWords, listed, named, those } = Foothold.cards;
  const told = (sentence, values) => begun(interpolate(sentence, values, true));
  const { hand, staging } = Foothold;
  const main = document.getElementById("table");
  const dock = document.getElementById("dock");
  const tray = () => document.getElementById("tray");
  const kind = () => tray().dataset.kind;
  const fresh = () =>
    crypto.randomUUID ? crypto.randomUUID() : Array.from(crypto.getRandomValues(new Uint32Array(4)), (n) => n.toString(36)).join("-");

  // Status line: the only live region of the page.

  const say = (content, isBad) => {
    const line = document.getElementById("say");
    const text = document.createElement("span");
    if (typeof content === "string") text.textContent = content;
    else text.append(...content);
    const hint = Foothold.guide?.words() ?? [];
    if (hint.length && !isBad) text.className = "vh";
    line.classList.toggle("bad", Boolean(isBad));
    const bang = document.createElement("span");
    bang.className = "bang";
    bang.setAttribute("aria-hidden", "true");
    bang.textContent = "!";
    line.replaceChildren(...(isBad ? [bang, text] : [text]), ...hint);
  };
  // A refusal is of what was selected then: a change of that takes it away, and what is wrong still is said again.
  const quiet = () => {
    if (document.getElementById("say").classList.contains("bad")) say("");
    calm();
  };
  const html = (markup) => {
    const template = document.createElement("template");
    template.innerHTML = markup;
    return [...template.content.childNodes];
  };

  // A refusal marks the cards it is about, and the melds they were meant for.
  const mark = (codes) => {
    calm();
    const refused = new Set(codes.split(" ").filter(Boolean));
    if (!refused.size) return;
    for (const code of refused) {
      const card = document.getElementById(`card-${code}`);
      if (!card) continue;
      card.classList.add("refused");
      card.setAttribute("aria-describedby", "say");
      if (!card.querySelector(".bang")) {
        const bang = document.createElement("span");
        bang.className = "bang";
        bang.textContent = "!";
        card.querySelector(".vis").append(bang);
      }
    }
    for (const group of staging.groups().filter((g) => g.cards.some((code) => refused.has(code)))) {
      const staged = document.getElementById(`group-${group.id}`);
      for (const element of [staged, ...document.querySelectorAll(`[data-meld="${staging.rankOf(group)}"]`)])
        if (element) {
          element.classList.add("refused");
          element.setAttribute("aria-describedby", "say");
        }
    }
  };
  const calm = () => {
    for (const element of dock.parentElement.querySelectorAll(".refused")) {
      element.classList.remove("refused");
      element.removeAttribute("aria-describedby");
      element.querySelector(".vis .bang")?.remove();
    }
  };

  // Composing

  const meldMove = (groups) => `meld ${groups.map(staging.written).join(", ")}`;
  const groupWords = (group) => {
    const cards = cardsWords(group.cards);
    if (group.isNew) return interpolate(gettext("%(cards)s as a new meld"), { cards }, true);
    if (group.name?.endsWith("*"))
      return interpolate(gettext("%(cards)s on %(meld)s with wild cards"), { cards, meld: those(group.name) }, true);
    if (!group.name || group.name === "wild") return cards;
    return interpolate(gettext("%(cards)s on %(meld)s"), { cards, meld: those(group.name) }, true);
  };
  const set = (button, parts, moves, isOff) => {
    if (!button) return;
    button.replaceChildren(...parts.map((part) => {
      if (typeof part !== "string") return part;
      const span = document.createElement("span");
      span.textContent = part;
      return span;
    }));
    const line = document.createElement("span");
    line.append(...[...button.childNodes].flatMap((node, i) => (i ? [" ", node] : [node])));
    for (const span of line.querySelectorAll(":scope > span:not(.chipped)")) span.replaceWith(...span.childNodes);
    button.replaceChildren(line);
    button.value = moves;
    if (isOff) button.setAttribute("aria-disabled", "true");
    else button.removeAttribute("aria-disabled");
  };

  let unread = null;
  const compose = () => {
    lookedAgain();
    if (kind() === "play") composePlay();
    if (kind() === "draw") {
      composeClaim(document.getElementById("take"), "take", takeWords);
      if (tray().dataset.drawTop) composeClaim(document.getElementById("draw-top-0"), "draw top", drawTopWords);
    }
    Foothold.guide?.follow();
    if (dock.classList.contains("offline")) holdBack();
    else ask();
  };
  // Offline nothing can be sent: the buttons say so, and stay where they are.
  const holdBack = () => {
    for (const button of document.querySelectorAll("#act .go:not(a, p)")) button.setAttribute("aria-disabled", "true");
  };

  // New melds are melded, cards for melds that lie there are added.
  const verb = (meld, add) => (staging.isAdding() ? add : meld);
  const composePlay = () => {
    const go = document.getElementById("go");
    if (!go) return;
    const groups = staging.groups();
    const picks = hand.codes();
    const left = [...document.querySelectorAll("#hand .card")].reduce((sum, card) => sum + hand.free(card.dataset.card), 0);
    const lacks = staging.minimum() - staging.points();
    const melds = listed(groups.map(groupWords));
    if (groups.length && lacks > 0) return set(go, [told(gettext("%(points)s more to open"), { points: lacks })], "", true);
    if (picks.length === 1) {
      const words = melds
        ? verb(gettext("Meld %(melds)s and discard %(card)s"), gettext("Add %(melds)s and discard %(card)s"))
        : gettext("Discard %(card)s");
      const [before, after] = told(words, { melds, card: "\n" }).split("\n").map((part) => part.trim());
      const parts = [before, named(picks[0]), after].filter(Boolean);
      return set(go, parts, [groups.length ? meldMove(groups) : "", `discard ${picks[0]}`].filter(Boolean).join("\n"));
    }
    if (picks.length > 1) return set(go, [told(gettext("%(count)s cards selected. Make a meld, or keep one to discard."), { count: picks.length })], "", true);
    if (!groups.length) return set(go, [go.dataset.plain], go.dataset.plainMoves ?? "", !go.dataset.plainMoves);
    const waiting = tray().dataset.waiting;
    if (left === 0 && waiting && tray().dataset.empties) {
      const words = verb(gettext("Meld %(melds)s and pick up %(stack)s"), gettext("Add %(melds)s and pick up %(stack)s"));
      return set(go, [told(words, { melds, stack: waiting })], meldMove(groups));
    }
    if (left === 0 && !waiting && tray().dataset.meldsOut) {
      const words = verb(gettext("Meld %(melds)s and go out"), gettext("Add %(melds)s and go out"));
      return set(go, [told(words, { melds })], `${meldMove(groups)}\nend`);
    }
    return set(go, [told(verb(gettext("Meld %(melds)s"), gettext("Add %(melds)s")), { melds })], meldMove(groups));
  };

  // Taking the pile: the group of the top card's rank claims it, the others are melded with it.
  const composeClaim = (take, verb, words) => {
    const top = tray().dataset.top;
    if (!take || !top) return;
    const picks = hand.codes();
    const groups = staging.groups();
    const small = take.querySelector("small");
    if (!picks.length && !groups.length) {
      const isOff = Boolean(small);
      if (take.dataset.changed) {
        set(take, [take.dataset.plain], take.dataset.plainMoves, !take.dataset.plainMoves);
        delete take.dataset.changed;
      }
      if (!isOff && take.dataset.plainMoves) take.removeAttribute("aria-disabled");
      return;
    }
    take.dataset.changed = "yes";
    const claims = picks.length ? { name: null, cards: picks } : groups.find((group) => staging.baseOf(group) === top[0]);
    const others = groups.filter((group) => group !== claims);
    if (!claims) return set(take, [told(gettext("Select the cards you need to take the %(rank)s"), { rank: Foothold.cards.sign(top) })], "", true);
    const values = { count: tray().dataset.take, cards: cardsWords(claims.cards, true), melds: listed(others.map(groupWords)) };
    const written = [claims, ...others].map((g) => (g === claims && !isPlaced(g) ? g.cards.join(" ") : staging.written(g)));
    return set(take, [told(words(others.length > 0), values)], `${verb} ${written.join(", ")}`);
  };
  const isPlaced = (group) => group.isNew || group.name?.endsWith("*");
  const takeWords = (melds) => (melds ? gettext("Take %(count)s with %(cards)s, meld %(melds)s") : gettext("Take %(count)s with %(cards)s"));
  const drawTopWords = (melds) =>
    melds ? gettext("Draw the top card with %(cards)s, meld %(melds)s") : gettext("Draw the top card with %(cards)s");

  // Asking the server whether it would do, a moment after the last pick. Nobody waits for the answer.
  let asked = 0;
  const ask = () => {
    clearTimeout(ask.timer);
    ask.controller?.abort();
    const button = document.getElementById(kind() === "draw" ? "take" : "go") ?? document.getElementById("draw-top-0");
    if (!button?.value || button.value === button.dataset.plainMoves || !navigator.onLine) return;
    const moves = button.value;
    const mine = ++asked;
    ask.timer = setTimeout(async () => {
      ask.controller = new AbortController();
      try {
        const token = dock.querySelector("[name=csrfmiddlewaretoken]").value;
        const answer = await fetch(main.dataset.check, {
          method: "POST", headers: { "X-CSRFToken": token }, body: new URLSearchParams({ moves }), signal: ask.controller.signal,
        });
        const verdict = await answer.json();
        if (mine !== asked || button.value !== moves) return;
        if (verdict.ok) {
          calm();
          say("");
        } else {
          say(html(verdict.sentence), true);
          mark(verdict.cards ?? "");
          button.setAttribute("aria-disabled", "true");
        }
      } catch {
        // Without an answer the button stays as it is: the server judges again when it is pressed.
      }
    }, 150);
  };

  // Sending: one key for one act, kept while it is tried again.

  let last = { text: "", key: "" };
  document.addEventListener("htmx:configRequest", (event) => {
    const { parameters, path, elt } = event.detail;
    if (!dock.contains(elt) && elt !== dock) return;
    const text = `${path} ${parameters.moves ?? ""} ${parameters.seen ?? ""} ${parameters.lift ?? ""}`;
    if (last.text !== text) last = { text, key: fresh() };
    parameters.key = last.key;
  });
  // Before htmx hears of it: the first press on a page that was stale only takes note.
  dock.addEventListener("click", (event) => {
    if (!unread || event.target.closest("button") !== unread.button) return;
    event.preventDefault();
    event.stopImmediatePropagation();
    say("");
    compose();
  }, true);
  dock.addEventListener("click", (event) => {
    const button = event.target.closest("button");
    if (!button || button.type !== "submit") return;
    const isOff = button.getAttribute("aria-disabled") === "true";
    if (isOff || (button.name === "moves" && !button.value)) event.preventDefault();
  });
  dock.addEventListener("submit", (event) => {
    if (!event.submitter || event.submitter.getAttribute("aria-disabled") === "true") {
      event.preventDefault();
      event.stopImmediatePropagation();
    }
  }, true);
  dock.addEventListener("htmx:beforeRequest", () => dock.classList.add("busy"));
  dock.addEventListener("htmx:afterRequest", (event) => {
    dock.classList.remove("busy");
    const { xhr, successful, requestConfig } = event.detail;
    if (requestConfig?.path !== dock.getAttribute("action")) return;
    if (successful && xhr.status === 200) {
      hand.take();
      staging.clear();
      last = { text: "", key: "" };
    }
    renew();
  });
  document.getElementById("board").parentElement.addEventListener("click", (event) => {
    if (event.target.closest("[data-stock]")) {
      event.preventDefault();
      document.getElementById("draw")?.click();
    }
    if (!event.target.closest("[data-pile]")) return;
    const take = document.getElementById("take");
    if (take?.value && take.getAttribute("aria-disabled") !== "true") take.click();
    else say(take?.querySelector("small")?.textContent ?? gettext("Select the cards you need to take the pile."), true);
  });

  // After fresh parts: picks and staged cards where the cards still are, the focus where it was, the news in the status line.

  let focused = "";
  document.addEventListener("htmx:beforeSwap", () => {
    const active = document.activeElement;
    // A second answer may come before the focus is back from the first.
    if (active && active !== document.body) focused = active.id || "hand";
  });
  const renew = () => {
    if (!document.getElementById("hand")) return;
    staging.reconcile();
    hand.render();
    staging.render();
    const news = document.getElementById("news");
    if (news && !news.dataset.told) {
      news.dataset.told = "yes";
      const isBad = Boolean(news.dataset.bad);
      if (isBad || news.childNodes.length) say([...news.cloneNode(true).childNodes], isBad);
      else say("");
      mark(news.dataset.cards ?? "");
      if (news.dataset.stale) lookAgain(news.dataset.stale);
    }
    if (!news?.dataset.bad) compose();
    return refocus();
  };
  // The page was stale: nothing is sent before the player has looked at what is there now.
  const lookAgain = (words) => {
    const button = document.querySelector("#act .go:not(a, p, .ask)");
    if (!button) return;
    unread = { button, value: button.value, nodes: [...button.childNodes] };
    set(button, [words], "");
  };
  const lookedAgain = () => {
    if (unread?.button.isConnected) {
      unread.button.replaceChildren(...unread.nodes);
      unread.button.value = unread.value;
    }
    unread = null;
  };
  const refocus = () => {
    const isLost = () => !document.activeElement || document.activeElement === document.body;
    for (const place of [`#${focused}`, "#act .go:not(p)", "#hand"])
      if (focused && isLost()) document.querySelector(place)?.focus({ preventScroll: true });
    focused = "";
  };
  document.addEventListener("htmx:oobAfterSwap", () => {
    clearTimeout(renew.timer);
    renew.timer = setTimeout(renew, 0);
  });

  // What the reader has opened stays open in the fresh parts; the menu closes with the answer to what was chosen in it.
  let isChosen = false;
  document.addEventListener("click", (event) => {
    const menu = document.querySelector("#dots[open]");
    if (menu && !menu.contains(event.target)) menu.open = false;
    if (event.target.closest("#dots :is([name=moves], [data-sort])")) isChosen = true;
  });
  document.addEventListener("htmx:oobBeforeSwap", ({ detail: { target, fragment } }) => {
    for (const { id } of target.querySelectorAll("details[open]")) {
      const fresh = id && fragment.querySelector(`#${id}`);
      if (fresh) fresh.open = !(isChosen && id === "dots");
    }
    if (target.id === "act") isChosen = false;
  });

  Foothold.acts = { calm, compose, holdBack, quiet, renew, say };
  document.getElementById("news").dataset.told = "yes";
  hand.render();
  staging.render();
  compose();
})();
