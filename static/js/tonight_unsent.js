// Scores typed on the page of tonight: kept in this browser until the site has them, with their number in the strip.
// What is kept, by person and rounds: `slip`, half typed; `slips`, whole and not sent; `rows` of the grid, not sent.
"use strict";

(() => {
  const page = document.getElementById("tonight");
  if (!page?.dataset.keep || !page.dataset.rounds) return;
  const PREFIX = `${page.dataset.keep}:`;
  const NAME = PREFIX + page.dataset.rounds;
  const LONGEST = 3 * 24 * 60 * 60 * 1000;
  const strip = document.getElementById("unsent");

  const load = (name) => {
    try {
      const kept = JSON.parse(localStorage.getItem(name));
      return Array.isArray(kept?.slips) && kept.rows ? kept : null;
    } catch {
      return null;
    }
  };
  const names = () => Object.keys(localStorage).filter((name) => name.startsWith(PREFIX));
  const count = (kept) => kept.slips.length + Object.keys(kept.rows).length;
  const mine = load(NAME) ?? { slip: null, slips: [], rows: {} };

  const save = () => {
    try {
      if (count(mine) || mine.slip) localStorage.setItem(NAME, JSON.stringify({ ...mine, at: Date.now() }));
      else localStorage.removeItem(NAME);
    } catch { /* A private window keeps nothing; what is on the page is still sent. */ }
    show();
  };

  // Slips of a round that is over cannot be sent: another table has their number now.
  const earlier = () => names().filter((name) => name !== NAME).map((name) => [name, load(name)]);
  const words = (slip) => `${slip.table}: ${slip.scores.join(" – ")}`;
  const show = () => {
    const unsent = count(mine), lost = earlier().flatMap(([, kept]) => (kept ? kept.slips.map(words) : []));
    strip.hidden = !unsent && !lost.length;
    const [now, before] = strip.querySelectorAll("p");
    now.textContent = unsent
      ? interpolate(ngettext(
        "%(count)s result is saved on this device and not sent yet.",
        "%(count)s results are saved on this device and not sent yet.",
        unsent,
      ), { count: unsent }, true)
      : "";
    before.hidden = !lost.length;
    before.firstChild.textContent = lost.length
      ? interpolate(gettext("Not sent in an earlier round, table %(slips)s."), { slips: lost.join("; ") }, true)
      : "";
  };
  const forget = (isOld) => {
    for (const [name, kept] of earlier()) {
      if (isOld(kept)) localStorage.removeItem(name);
    }
  };
  try {
    forget((kept) => !kept?.slips.length || !(Date.now() - kept.at < LONGEST));
  } catch { /* Nothing is kept here. */ }
  strip.querySelector("button").addEventListener("click", () => {
    forget(() => true);
    show();
  });

  window.Foothold = Object.assign(window.Foothold ?? {}, {
    unsent: {
      get slip() { return mine.slip; },
      set slip(slip) { mine.slip = slip; save(); },
      get rows() { return Object.entries(mine.rows); },
      first: () => mine.slips[0],
      add: (slip) => { mine.slips.push(slip); save(); },
      drop: (key) => { mine.slips = mine.slips.filter((slip) => slip.key !== key); save(); },
      keep: (pk, values) => { mine.rows[pk] = values; save(); },
      take: (pk) => { delete mine.rows[pk]; save(); },
      isEmpty: () => !count(mine),
    },
  });
  show();
})();
