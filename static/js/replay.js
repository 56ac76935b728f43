// The replay plays by itself, by turn and by act. Positions come by part; without this the links lead from place to place.
"use strict";

(() => {
  const SLOT = 900;
  const { all, glow, launch, read, spoken, stop, tiles, wait } = Foothold.flights;
  const calm = matchMedia("(prefers-reduced-motion: reduce)");
  const player = document.getElementById("dock");
  const scale = document.getElementById("scale");
  const { deal, parts } = player.dataset;
  const size = Number(player.dataset.part);
  const links = all("#turns a");
  const turns = links.reduce((list, link) => [...list, { first: (list.at(-1)?.last ?? 0) + 1, last: (list.at(-1)?.last ?? 0) + Number(link.dataset.acts) }], []);
  const last = turns.at(-1)?.last ?? 0;
  const bars = all("#bars g");
  const keys = Object.fromEntries(["turn-back", "act-back", "act-on", "turn-on"].map((id) => [id, document.getElementById(id)]));
  let place = Number(player.dataset.place), playing = false, run = 0;

  // Places: the parts that differ from place to place, by request for so many at once.
  const known = new Map();
  const bring = (from) => {
    if (!known.has(from)) {
      const answer = fetch(parts + from, { headers: { Accept: "application/json" } })
        .then((response) => (response.ok ? response.json() : Promise.reject(new Error(response.status))));
      known.set(from, answer);
      answer.catch(() => known.delete(from));
    }
    return known.get(from);
  };
  const partsAt = async (at) => {
    const from = at - (at % size);
    const { pieces, places } = await bring(from);
    return Object.assign({}, ...places.slice(0, at - from + 1).map((changed) =>
      Object.fromEntries(Object.entries(changed).map(([id, lines]) => [id, () => lines.map((line) => pieces[line]).join("\n")]))));
  };

  // What is the same stays, so that only what changed is drawn anew.
  const patch = (old, fresh) => {
    if (old.isEqualNode(fresh)) return;
    const bare = (element) => element.cloneNode(false);
    const alike = old.children.length === fresh.children.length && fresh.children.length && bare(old).isEqualNode(bare(fresh));
    const pairs = [...old.children].map((child, index) => [child, fresh.children[index]]);
    if (alike && !["LI", "P"].includes(old.tagName)) for (const [child, other] of pairs) patch(child, other);
    else old.replaceWith(fresh);
  };
  const show = (found) => {
    const template = document.createElement("template");
    for (const [id, html] of Object.entries(found)) {
      template.innerHTML = html();
      patch(document.getElementById(id), template.content.querySelector(`#${id}`));
    }
  };

  const turnAt = (at) => turns.findIndex((turn) => turn.first <= at && at <= turn.last);
  const written = (at) => {
    const turn = turnAt(at);
    return turn < 0 ? "0" : `${turn + 1}.${at - turns[turn].first + 1}`;
  };
  const before = () => {
    const turn = turnAt(place);
    return turn < 0 ? 0 : place > turns[turn].first ? turns[turn].first : turns[turn - 1]?.first ?? 0;
  };
  const after = () => turns[turnAt(place) + 1]?.first ?? last;
  const TO = { "turn-back": before, "act-back": () => place - 1, "act-on": () => place + 1, "turn-on": after };
  const mark = () => {
    const turn = turnAt(place) + 1;
    scale.value = turn;
    scale.setAttribute("aria-valuetext", turn
      ? interpolate(gettext("%(turn)s of %(turns)s"), { turn: links[turn - 1].textContent.trim(), turns: turns.length }, true)
      : document.getElementById("h-turn").textContent.trim());
    bars.forEach((bar, index) => bar.classList.toggle("later", index >= turn));
    for (const [id, key] of Object.entries(keys)) {
      const to = TO[id]();
      if (to < 0 || to > last || to === place) {
        key.removeAttribute("href");
        key.setAttribute("role", "link");
        key.setAttribute("aria-disabled", "true");
      } else {
        key.href = `?deal=${deal}&at=${written(to)}`;
        key.removeAttribute("role");
        key.removeAttribute("aria-disabled");
      }
    }
    history.replaceState(null, "", `?deal=${deal}&at=${written(place)}`);
  };
  const acts = (root) => all(".line", root).flatMap((line) => read(line).map((act) => ({ ...act, line })));
  const say = () => {
    document.getElementById("heard").textContent = spoken([...document.getElementById("said").cloneNode(true).childNodes]);
  };

  // Going somewhere at once; the newest wish counts.
  const go = async (to) => {
    const mine = ++run;
    stop();
    const at = Math.max(0, Math.min(to, last));
    place = at;
    try {
      const found = await partsAt(at);
      if (mine !== run) return;
      show(found);
      mark();
      say();
    } catch {
      // Offline, or the table is gone: the page of that place says so.
      location.assign(`?deal=${deal}&at=${written(at)}`);
    }
  };
  const speed = () => Number(document.querySelector("[name=speed]:checked").value);
  const setPlaying = (is) => {
    playing = is;
    player.classList.toggle("playing", is);
    document.getElementById("play").setAttribute("aria-label", is ? pgettext("a show", "Pause") : pgettext("a show", "Play"));
  };
  const play = async () => {
    if (place >= last) await go(0);
    const mine = ++run;
    setPlaying(true);
    while (playing && mine === run && place < last) {
      let found;
      try {
        found = await partsAt(place + 1);
        if (place % size > size / 2 && place + size <= last) bring(place - (place % size) + size).catch(() => {});
      } catch {
        break;
      }
      if (mine !== run) return;
      const slot = SLOT / speed();
      const template = document.createElement("template");
      template.innerHTML = found.said();
      if (!calm.matches) for (const act of acts(template.content)) launch(act, slot);
      try {
        await wait(slot);
      } catch {
        return;
      }
      if (mine !== run) return;
      place += 1;
      show(found);
      mark();
      say();
      if (!calm.matches) glow(acts(document.getElementById("said")).flatMap(tiles));
    }
    if (mine === run) setPlaying(false);
  };
  const pause = () => {
    run += 1;
    stop();
    setPlaying(false);
  };

  document.addEventListener("click", (event) => {
    if (event.metaKey || event.ctrlKey || event.shiftKey) return;
    const key = event.target.closest(".player-keys a");
    const link = event.target.closest("#turns a, #turn a");
    if (key && TO[key.id] && !key.hasAttribute("aria-disabled")) {
      event.preventDefault();
      pause();
      go(TO[key.id]());
    } else if (link) {
      event.preventDefault();
      const [turn, act = 1] = new URL(link.href).searchParams.get("at").split(".").map(Number);
      pause();
      go(turns[turn - 1].first + act - 1).then(() => document.querySelector("#turn [aria-current]")?.focus({ preventScroll: true }));
    }
  });
  document.getElementById("play").addEventListener("click", () => (playing ? pause() : play()));
  scale.addEventListener("input", () => {
    pause();
    go(turns[Number(scale.value) - 1]?.first ?? 0);
  });
  scale.form.addEventListener("submit", (event) => event.preventDefault());

  // Keys: arrows step by act, with Shift by turn; Home and End lead to the ends, the space bar plays.
  document.addEventListener("keydown", (event) => {
    if (event.target.closest("input, select, textarea, button, summary") || event.altKey || event.ctrlKey || event.metaKey) return;
    const to = {
      ArrowLeft: event.shiftKey ? before() : place - 1, ArrowRight: event.shiftKey ? after() : place + 1, Home: 0, End: last,
    }[event.key];
    if (to === undefined && (event.key !== " " || event.target.closest("a"))) return;
    event.preventDefault();
    if (to === undefined) document.getElementById("play").click();
    else {
      pause();
      go(to);
    }
  });

  // Speed and open hands are kept on this device.
  const chosen = document.querySelector(`[name=speed][value="${localStorage.getItem("replay-speed")}"]`);
  if (chosen) chosen.checked = true;
  document.querySelector(".speeds").addEventListener("change", () => localStorage.setItem("replay-speed", speed()));
  const hands = document.getElementById("show-hands");
  hands.hidden = !document.querySelector(".openhand");
  const open = (is) => {
    hands.setAttribute("aria-pressed", is);
    document.body.classList.toggle("closed", !is);
  };
  open(localStorage.getItem("replay-hands") !== "closed");
  hands.addEventListener("click", () => {
    const is = hands.getAttribute("aria-pressed") !== "true";
    open(is);
    localStorage.setItem("replay-hands", is ? "open" : "closed");
  });

  document.getElementById("link").addEventListener("click", async () => {
    const [turn, move] = written(place).split(".");
    const said = document.getElementById("said");
    const words = move
      ? interpolate(gettext("Copied: turn %(turn)s, move %(move)s"), { turn, move }, true)
      : gettext("Copied: the start of the deal");
    try {
      await navigator.clipboard.writeText(location.href);
      said.textContent = words;
      say();
    } catch {
      // Where copying is not allowed it is there to be copied by hand.
      said.textContent = location.href;
    }
  });

  document.documentElement.classList.add("scripted");
  document.getElementById("play").hidden = document.getElementById("options").hidden = false;
  mark();
})();
