// Melds that are laid aside before they are sent: each can be taken back, and all go with the one button.
"use strict";

(() => {
  const { cardsWords, isWild, mini } = Foothold.cards;
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

  // Put the picked cards aside: by rank where they are of several, on `name` where a meld was pressed.
  const stage = (name) => {
    const codes = Foothold.hand.codes();
    if (!codes.length) return Foothold.acts.say(gettext("Select some cards first."), true);
    const ranks = [...new Set(codes.filter((code) => !isWild(code)).map((code) => code[0]))];
    const wild = codes.filter(isWild);
    if (!name && ranks.length > 1 && wild.length)
      return Foothold.acts.say(gettext("Select wild cards with cards of one rank only."), true);
    Foothold.hand.take();
    Foothold.hand.settle();
    if (name) put(name, codes);
    else if (!ranks.length) put("wild", wild);
    else for (const rank of ranks) put(null, codes.filter((code) => code[0] === rank).concat(ranks.length === 1 ? wild.filter((code) => code[0] !== rank) : []));
    changed();
    return undefined;
  };

  const rankOf = (group) => group.name ?? group.cards.find((code) => !isWild(code))?.[0];
  const put = (name, cards) => {
    const rank = name ?? cards.find((code) => !isWild(code))[0];
    const same = groups.find((group) => rankOf(group) === rank);
    if (same) same.cards.push(...cards);
    else groups.push({ name: needsName(name, cards) ? name : null, cards: [...cards], id: ++put.last });
  };
  put.last = 0;
  const needsName = (name, cards) => name === "garbage" || name === "wild" || cards.every(isWild);

  const takeBack = (id) => {
    const group = groups.find((other) => other.id === id);
    groups = groups.filter((other) => other !== group);
    Foothold.hand.render();
    if (group) Foothold.hand.add(group.cards);
    changed();
    (document.getElementById("stage") ?? document.getElementById("hand")).focus({ preventScroll: true });
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
    const add = button("stage", gettext("+ Add to meld"));
    add.id = "stage";
    if (!picks.length) add.setAttribute("aria-disabled", "true");
    staged.replaceChildren(...groups.map(groupButton), add);
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
    if (focused && document.activeElement?.id !== focused) document.getElementById(focused)?.focus({ preventScroll: true });
  };
  // Towards opening, a claim counts the top card of the pile as well.
  const worth = () => points() + (tray().dataset.kind === "draw" && groups.length ? topValue() : 0);
  const topValue = () => {
    const top = tray().dataset.top;
    return groups.some((group) => rankOf(group) === top[0]) ? value(groups.flatMap((g) => g.cards).find((c) => c[0] === top[0])) : 0;
  };

  document.addEventListener("click", (event) => {
    const group = event.target.closest("[data-group]");
    if (group) takeBack(Number(group.dataset.group));
    if (event.target.closest("#stage")) stage();
    if (event.target.closest("[data-undo-all]")) clear();
    if (event.target.closest("[data-garbage]")) stage("garbage");
    const meld = event.target.closest("[data-meld]");
    if (meld) stage(meld.dataset.meld);
  });
  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey || event.target.matches("input, textarea, select")) return;
    if (event.key === "m" || event.key === "M") stage();
  });

  const written = (group) => (group.name ? `${group.name}: ` : "") + group.cards.join(" ");
  Foothold.staging = {
    clear, count, groups: () => groups, points: () => worth(), rankOf, reconcile, render, stage, written,
    minimum: () => Number(tray().dataset.minimum),
  };
  Foothold.hand.onChange(() => {
    render();
    Foothold.acts.compose();
  });
})();
