// Melds that are prepared before they are sent: each can be cleared, and all go with the one button. Own melds show what fits.
"use strict";

(() => {
  const { begun, cardsWords, isWild, mini, those } = Foothold.cards;
  let groups = [];

  const tray = () => document.getElementById("tray");
  const count = (code) => groups.reduce((sum, group) => sum + group.cards.filter((card) => card === code).length, 0);
  const points = () =>
    groups.reduce((sum, group) => sum + (group.name === "garbage" ? 0 : group.cards.reduce((s, code) => s + value(code), 0)), 0);
  const value = (code) => Number(document.getElementById(`card-${code}`)?.dataset.points ?? 0);

  const changed = () => {
    Foothold.hand.render();
    render();
    Foothold.acts.compose();
  };

  // Put the picked cards aside: by rank where they are of several, on `name` where a meld was pressed, or as a new meld.
  const stage = (name, isNew = false) => {
    const codes = Foothold.hand.codes();
    if (!codes.length) return Foothold.acts.say(gettext("Select some cards first."), true);
    const ranks = ranksOf(codes);
    const wild = codes.filter(isWild);
    if (!name && ranks.length > 1 && wild.length)
      return Foothold.acts.say(gettext("Select wild cards with cards of one rank only."), true);
    if (!name && ranks.length > 1 && !areMelds(ranks, codes))
      return Foothold.acts.say(
        interpolate(gettext("A meld is of one rank. You selected %(cards)s."), { cards: cardsWords(codes) }, true), true);
    Foothold.hand.take();
    Foothold.hand.settle();
    if (name) put(name, codes, isNew);
    else if (!ranks.length) put("wild", wild, isNew);
    else for (const rank of ranks) put(null, codes.filter((code) => code[0] === rank).concat(ranks.length === 1 ? wild.filter((code) => code[0] !== rank) : []), isNew);
    changed();
    return undefined;
  };

  const ranksOf = (codes) => [...new Set(codes.filter((code) => !isWild(code)).map((code) => code[0]))];
  // Whether a meld of this rank lies on the own side or is prepared, so that single cards go there.
  const isBegun = (rank) =>
    groups.some((group) => baseOf(group) === rank) || Boolean(document.querySelector(`.mine button[data-meld^="${rank}"]`));

  // Whether all prepared cards go to melds that lie there: they are added, not melded.
  const isAdding = () => groups.length > 0 && groups.every((group) => !group.isNew && document.querySelector(`.mine button[data-meld^="${baseOf(group)}"]`));

  const areMelds = (ranks, codes) =>
    ranks.every((rank) => codes.filter((code) => code[0] === rank).length > 2 || isBegun(rank));

  // The meld that a group is for: `8`, or `8*` for the one with wild cards where there are two.
  const rankOf = (group) => group.name ?? group.cards.find((code) => !isWild(code))?.[0];
  const baseOf = (group) => rankOf(group)?.replace("*", "");
  const put = (name, cards, isNew) => {
    const rank = name ?? cards.find((code) => !isWild(code))[0];
    const same = groups.find((group) => rankOf(group) === rank && !group.isNew);
    if (same && !isNew) same.cards.push(...cards);
    else groups.push({ name: needsName(name, cards) ? name : null, cards: [...cards], isNew, id: ++put.last });
  };
  put.last = 0;
  const needsName = (name, cards) => name === "garbage" || name === "wild" || name?.endsWith("*") || cards.every(isWild);
  // Where the rules let a player choose, cards of a meld that is begun may start another.
  const startsAnother = (picks) => {
    const ranks = ranksOf(picks);
    return Boolean(tray().dataset.new) && picks.length > 0 && ranks.length < 2 && isBegun(ranks[0] ?? "wild");
  };

  const takeBack = (id) => {
    const group = groups.find((other) => other.id === id);
    groups = groups.filter((other) => other !== group);
    Foothold.acts.quiet();
    changed();
    document.getElementById(`card-${group?.cards[0]}`)?.focus({ preventScroll: true });
  };

  const clear = () => {
    groups = [];
    if (document.getElementById("hand")) changed();
  };

  // After new parts have come: keep what is still held.
  const reconcile = () => {
    const left = new Map();
    for (const group of groups)
      group.cards = group.cards.filter((code) => {
        const n = left.get(code) ?? Foothold.hand.held(code);
        left.set(code, n - 1);
        return n > 0;
      });
    groups = groups.filter((group) => group.cards.length);
  };

  const button = (css, text) => {
    const made = document.createElement("button");
    made.type = "button";
    made.className = css;
    if (text) made.textContent = text;
    return made;
  };

  const groupButton = (group) => {
    const made = button("group");
    made.id = `group-${group.id}`;
    made.dataset.group = group.id;
    const fan = document.createElement("span");
    fan.className = "fan";
    fan.setAttribute("aria-hidden", "true");
    fan.append(...group.cards.map(mini));
    const words = document.createElement("span");
    words.className = "x";
    words.textContent = pgettext("a staged meld", "Clear");
    const heard = document.createElement("span");
    heard.className = "vh";
    heard.textContent = ` ${cardsWords(group.cards)}`;
    words.append(heard);
    made.append(fan, words);
    return made;
  };

  const render = () => {
    const row = document.getElementById("stagerow");
    if (!row) return;
    const focused = document.activeElement?.id;
    const staged = document.getElementById("staged");
    const picks = Foothold.hand.codes();
    const isDragging = document.body.classList.contains("dragging");
    row.hidden = !groups.length && picks.length < 2 && !picks.some(isWild) && !isDragging;
    const add = button("stage", meldWords(picks));
    add.id = "stage";
    if (!picks.length) add.setAttribute("aria-disabled", "true");
    const another = button("stage", interpolate(gettext("New meld: %(cards)s"), { cards: cardsWords(picks) }, true));
    another.id = "stage-new";
    staged.replaceChildren(...groups.map(groupButton), add, ...(startsAnother(picks) ? [another] : []));
    staged.classList.toggle("several", groups.length > 1);
    const minimum = Number(tray().dataset.minimum);
    document.getElementById("stage-points").textContent = minimum ? interpolate(gettext("%(points)s of %(minimum)s"), { points: worth(), minimum }, true) : String(points());
    let meter = row.querySelector(".meter");
    if (minimum && !meter) {
      meter = document.createElement("progress");
      meter.className = "meter";
      meter.setAttribute("aria-labelledby", "h-stage");
      row.append(meter);
    }
    if (meter) {
      meter.max = minimum;
      meter.value = Math.min(worth(), minimum);
    }
    const all = document.querySelector("[data-undo-all]");
    if (all) all.hidden = !groups.length;
    invite(picks);
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };
  // What the button would make of the selected cards.
  const meldWords = (picks) => {
    const ranks = ranksOf(picks);
    if (!picks.length || (ranks.length > 1 && (picks.some(isWild) || !areMelds(ranks, picks)))) return gettext("New meld");
    if (ranks.length === 1 && isBegun(ranks[0]))
      return begun(interpolate(gettext("%(cards)s on %(meld)s"), { cards: cardsWords(picks), meld: those(ranks[0]) }, true));
    if (ranks.length === 1 && picks.length < 3)
      return interpolate(gettext("New meld: %(count)s of 3"), { count: picks.length }, true);
    return interpolate(gettext("New meld: %(cards)s"), { cards: cardsWords(picks) }, true);
  };
  // Own melds that take all of the selected cards say how many they would get.
  const invite = (picks) => {
    const ranks = ranksOf(picks);
    for (const meld of document.querySelectorAll(".mine button.meld")) {
      const { meld: name, room } = meld.dataset;
      const wild = picks.filter(isWild).length;
      const fits = picks.length > 0 && wild <= Number(room) && (name === "wild" ? !ranks.length : ranks.every((rank) => rank === name.replace("*", "")));
      meld.classList.toggle("fits", fits && name !== "garbage");
      let tag = meld.querySelector(".fit");
      if (!meld.matches(".fits")) tag?.remove();
      else {
        if (!tag) {
          tag = document.createElement("span");
          tag.className = "fit";
          meld.querySelector(".vis").append(tag);
        }
        tag.textContent = interpolate(gettext("add %(count)s"), { count: picks.length }, true);
      }
    }
    reveal(document.querySelectorAll(".mine .fits"));
  };
  // Melds that are meant and lie under the dock: the page goes up until the first of them is seen.
  const reveal = (melds) => {
    const covered = [...melds].map((meld) => meld.getBoundingClientRect().bottom + 8 - document.getElementById("dock").getBoundingClientRect().top);
    const isCalm = matchMedia("(prefers-reduced-motion: reduce)").matches;
    if (covered.length && covered.every((length) => length > 0)) scrollBy({ top: covered[0], behavior: isCalm ? "auto" : "smooth" });
  };
  // Towards opening, a claim counts the top card of the pile as well.
  const worth = () => points() + (tray().dataset.kind === "draw" && groups.length ? topValue() : 0);
  const topValue = () => {
    const top = tray().dataset.top;
    return groups.some((group) => baseOf(group) === top[0]) ? value(groups.flatMap((g) => g.cards).find((c) => c[0] === top[0])) : 0;
  };

  document.addEventListener("click", (event) => {
    const group = event.target.closest("[data-group]");
    if (group) takeBack(Number(group.dataset.group));
    if (event.target.closest("#stage")) stage();
    if (event.target.closest("#stage-new")) stage(null, true);
    if (event.target.closest("[data-undo-all]")) clear();
    if (event.target.closest("[data-garbage]")) stage("garbage");
    const meld = event.target.closest("[data-meld]");
    if (meld) stage(meld.dataset.meld);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    if (event.key === "m" || event.key === "M") stage();
    if ((event.key === "n" || event.key === "N") && startsAnother(Foothold.hand.codes())) stage(null, true);
  });

  const written = (group) => (group.isNew ? "new " : "") + (group.name ? `${group.name}: ` : "") + group.cards.join(" ");
  Foothold.staging = {
    baseOf, clear, count, groups: () => groups, isAdding, points: () => worth(), rankOf, reconcile, render, stage, written,
    minimum: () => Number(tray().dataset.minimum),
  };
  Foothold.hand.onChange(() => {
    Foothold.acts.quiet();
    render();
    Foothold.acts.compose();
  });
})();
