// A score sheet on one phone: it counts, keeps every deal here, and sends them when there is a network.
// What is kept: `deals` as the site has them, `unsent` while the site has not taken them, and what is being typed; of a
// match of an event also `sending`, the wish to send the result once the deals are there.
"use strict";

(() => {
  const data = document.getElementById("sheet-data");
  const form = document.getElementById("sheet");
  if (!data || !form || !window.fetch || !window.Foothold?.reckon) return;
  const { count, figure, isOver, labelOf, lacks, mayFollow, minimum, openingWords, refusal, signed, told: worded, totals, wordsOf } = Foothold.reckon;
  const page = JSON.parse(data.textContent);
  const { numbers } = page;
  const sides = numbers.names.map((_, side) => side);
  const fields = Foothold.sheetFields(form, numbers);
  const parts = Foothold.sheetParts(numbers, page.url);
  const NAME = `score-sheet:${page.slug}`;
  const AGAIN = 5000, LOOK = page.back ? 30000 : 15000, MOST_UNDO = 30, MOST_KEYS = 200;

  const at = (id) => document.getElementById(id);
  const show = (element, isShown) => { if (element) element.hidden = !isShown; };
  const put = (id, text) => { const element = at(id); if (element && element.textContent !== text) element.textContent = text; };
  const written = (value) => JSON.stringify(value ?? null, (_, one) =>
    (one && typeof one === "object" && !Array.isArray(one) ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1))) : one));
  // At once: what is pressed next is another deal.
  const toTop = () => scrollTo({ top: 0, behavior: "instant" });
  const same = (one, other) => written(one) === written(other);
  const freshKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");

  // ---- what is kept on this phone --------------------------------------------------------------------------

  let canKeep = true;
  const load = () => {
    try { return JSON.parse(localStorage.getItem(NAME)); } catch { return null; }
  };
  const keep = () => {
    try {
      // What it comes to is kept with it, for pages that cannot count: static/js/score/left.js.
      const told = { where: page.where, players: numbers.names, boards: numbers.boards, points: mine.deals.map((deal) => count(numbers, deal, 1).points) };
      localStorage.setItem(NAME, JSON.stringify({ ...mine, ...(page.where ? { told } : {}) }));
      canKeep = true;
    } catch { canKeep = false; }
  };
  // The site's sheet, or what this phone has that is newer: a page that was put aside may be older than both.
  const begin = () => {
    const fresh = { ...page.state, unsent: false, sending: null, keys: [], drafts: {}, undo: [] };
    const kept = load();
    if (!kept || !Array.isArray(kept.deals)) return fresh;
    if (kept.unsent || kept.sending || kept.version > page.state.version) return { ...fresh, ...kept, names: page.state.names };
    const isSame = kept.version === page.state.version;
    return { ...fresh, drafts: kept.drafts || {}, undo: isSame ? kept.undo || [] : [] };
  };

  let mine = begin();
  let open = null; // the number of the deal that is open, or null where the match is over and none is
  let filled = Number(form.elements.namedItem("deal")?.value) || null; // the deal that the fields show; at first the site's
  let way = numbers.ways[0];
  let chosenWay = null; // what was asked for where nothing is typed yet
  let token = form.elements.namedItem("csrfmiddlewaretoken").value;
  let net = ""; // what came of sending last: sending, sent, waits or gone
  let barred = false; // whether the site takes nothing of this match any more, or not from here
  let refused = null, theirs = null, isSending = false, isStuck = false, retry = 0;

  const isEnded = () => mine.isStopped || isOver(numbers, mine.deals);
  const following = () => (isEnded() ? null : mine.deals.length + 1);
  const draft = () => mine.drafts[open];
  const isFinal = () => open !== null && way === "final";
  const wayOf = (deal) => (!deal ? undefined : deal.points ? "deals" : "books");

  // ---- showing it ------------------------------------------------------------------------------------------

  const render = () => {
    if (open === null) put("outcome", parts.outcome(mine.deals, mine.isStopped));
    else fill();
    const isOfSo = numbers.length[0] === "deals" && (open ?? 0) <= numbers.length[1];
    let title = isOfSo ? gettext("%(title)s, deal %(number)s of %(all)s") : gettext("%(title)s, deal %(number)s");
    if (open === null) title = gettext("%(title)s: all deals");
    else if (isFinal()) title = gettext("%(title)s, final score");
    put("title", worded(wordsOf(numbers, title, open), { title: page.title, number: labelOf(numbers, open), all: numbers.length[1] }));
    for (const each of document.querySelectorAll("[data-number]")) each.textContent = labelOf(numbers, open) ?? "";
    show(at("entering"), open !== null);
    show(at("save"), open !== null && !isFinal());
    show(at("send"), open === null || isFinal());
    for (const id of ["look", "outcome"]) show(at(id), open === null);
    show(at("undo"), mine.undo.length);
    for (const each of form.querySelectorAll("[data-form]")) show(each, each.dataset.form === way);
    for (const link of form.querySelectorAll("[data-way]")) {
      if (link.dataset.way === way) link.setAttribute("aria-current", "true");
      else link.removeAttribute("aria-current");
    }
    showSums(false);
    show(at("conflict"), theirs);
    at("conflict").replaceChildren(...(theirs ? parts.conflict(mine.deals, theirs.deals, (one, other) => !same(one, other)) : []));
    dock();
  };

  const fill = () => {
    const deal = mine.deals[open - 1];
    way = draft()?.way ?? chosenWay ?? wayOf(deal ?? mine.deals.at(-1)) ?? way;
    fields.fill(deal, draft()?.fields, filled !== open);
    filled = open;
  };

  const showSums = (isAsked) => {
    const deals = [...mine.deals];
    if (open !== null && !isFinal()) deals[open - 1] = fields.read(way).deal;
    const scored = deals.map((deal, before) => count(numbers, deal, before + 1));
    showTotals(deals, open === null || isFinal() ? null : scored[open - 1]);
    if (open !== null) showWrong(isAsked);
    showRunning(deals, scored);
    const coming = isEnded() || isFinal() ? [] : parts.coming(deals, mine.deals.length, open);
    if (at("coming").textContent !== coming.map((part) => part.textContent).join("")) at("coming").replaceChildren(...coming);
  };

  const showTotals = (deals, now) => {
    const all = isFinal() ? fields.read(way).deal.points : totals(numbers, deals);
    const next = Math.max(open ?? 0, mine.deals.length) + 1;
    const hasNext = !isEnded() && !isFinal() && mayFollow(numbers, next);
    for (const side of sides) {
      put(`t-${side}`, figure(all[side]));
      show(at(`deal-${side}`), now);
      show(at(`opens-${side}`), hasNext);
      put(`o-${side}`, hasNext ? openingWords(minimum(numbers, next, all[side])) : "");
      if (!now) continue;
      for (const place of ["d", "s"]) put(`${place}-${side}`, signed(now.points[side]));
      for (const [row] of fields.rows(way)) {
        put(`p-s${side}-${row}`, signed(row === "points" ? now.points[side] : now.items[side][row] || 0));
      }
      const words = way === "books" ? lacks(numbers, deals[open - 1], side, open) : "";
      put(`r-s${side}-out`, words && worded(gettext("This team needs %(books)s more to go out. Your entry is still counted."), { books: words }));
    }
  };

  // What is wrong, under its row; what is missing or cannot be, only once saving was asked for.
  const showWrong = (isAsked) => {
    const { deal, wrong, missing } = fields.read(way);
    const sentences = { ...wrong, ...(isAsked ? missing : {}) };
    const blamed = refusal(numbers, deal);
    if (isAsked && blamed?.row) sentences[`s${blamed.side}-${blamed.row}`] ??= blamed.sentence;
    for (const key of fields.names()) {
      const line = at(`e-${key}`), input = at(key);
      if (!line) continue;
      put(line.id, sentences[key] ?? "");
      show(line, key in sentences);
      if (!input) continue;
      if (key in sentences) {
        input.setAttribute("aria-invalid", "true");
        input.setAttribute("aria-describedby", line.id);
      } else input.removeAttribute("aria-invalid");
    }
    const note = parts.make("p", undefined, { class: "note" });
    if (blamed && draft() && !isAsked) note.append(parts.make("span", gettext("not yet"), { class: "tag" }), ` ${blamed.sentence}`);
    if (at("remarks").textContent !== note.textContent) at("remarks").replaceChildren(note);
  };

  const showRunning = (deals, scored) => {
    show(at("running"), scored.length);
    show(at("no-deals"), !scored.length);
    const table = at("running").querySelector("table"), body = parts.running(scored, open);
    if (table.tBodies[0].innerHTML !== body.innerHTML) {
      const focused = document.activeElement?.dataset?.deal;
      table.tBodies[0].replaceWith(body);
      if (focused) body.querySelector(`[data-deal="${focused}"]`)?.focus();
    }
    const all = totals(numbers, deals);
    [...table.tFoot.rows[0].cells].slice(1, -1).forEach((cell, side) => { cell.textContent = figure(all[side]); });
    put("away-number", String(labelOf(numbers, mine.deals.length)));
    show(at("away"), mine.deals.length);
    show(at("stop"), numbers.boards.length < 2 && (mine.isStopped || (mine.deals.length && !isOver(numbers, mine.deals))));
    put("stop", mine.isStopped ? gettext("Keep playing") : gettext("End the match here"));
  };

  const ofOpen = (text, values = {}) => worded(wordsOf(numbers, text, open), { number: labelOf(numbers, open), ...values });
  // In words, where what is typed and saved is now.
  const dock = () => {
    const [strong, text] = whereItIs();
    const line = at("dock-words");
    if (line.textContent !== `${strong} ${text}`) line.replaceChildren(parts.make("b", strong), ` ${text}`);
  };
  const whereItIs = () => {
    if (barred && (mine.unsent || mine.sending || draft())) return [gettext("! Not sent."), gettext("Everything is saved on this phone.")];
    if (barred) return [gettext("! Closed."), gettext("Everything is saved on the site.")];
    if (refused || isStuck) return [gettext("! Refused."), gettext("Everything you typed is still here.")];
    if (theirs) return [gettext("! Two phones."), gettext("Choose above which score sheet to keep.")];
    if (!canKeep && (mine.unsent || mine.sending || draft())) return [gettext("! Not saved."), gettext("This browser cannot save data. Leave the page open until the result is sent.")];
    if (mine.unsent && net === "sending") return [gettext("Sending…"), gettext("It is also saved on this phone.")];
    if (mine.unsent && net === "gone") return [gettext("! Refused."), gettext("The score sheet is no longer on the site. It stays on this phone.")];
    if (mine.unsent && !mine.sending) return [gettext("✓ On this phone."), gettext("No network. We send it once you are online.")];
    if (mine.sending && net === "sending") return [gettext("Sending…"), gettext("The result goes to the site.")];
    if (mine.sending) return [gettext("✓ On this phone."), gettext("No network. We send the result once you are online.")];
    if (draft()) return [gettext("✓ On this phone."), isFinal() ? gettext("The final score is not sent yet.") : ofOpen(gettext("Deal %(number)s is not saved yet."))];
    if (isFinal()) return [gettext("Final score."), gettext("Not sent yet.")];
    if (page.back && open === null) return [mine.isStopped ? gettext("You ended the match here.") : gettext("The match is over."), gettext("Send the result.")];
    if (open !== null && open <= mine.deals.length) return [gettext("✓ Already saved."), gettext("Change it and save again.")];
    if (net === "sent" || open === null) return [gettext("✓ Sent."), open === null ? "" : ofOpen(gettext("Deal %(number)s comes next."))];
    return [ofOpen(gettext("Deal %(number)s.")), gettext("Not saved yet.")];
  };

  const complain = (sentence, side, key) => {
    refused = sentence;
    delete at("refused").dataset.why;
    put("refused", sentence);
    show(at("refused"), true);
    if (side !== undefined) at(`side-${side}`).checked = true;
    ((key && at(key)) || at("refused")).focus();
    dock();
  };
  const clearComplaint = () => {
    refused = null;
    show(at("refused"), barred && at("refused").dataset.why);
  };
  // The site takes nothing of this match, or not from here: said once, and asked again now and then.
  const bar = ({ sentence, url }) => {
    if (!barred || at("refused").dataset.why !== sentence) {
      const rest = gettext("The data on this phone is safe.");
      at("refused").replaceChildren(`${sentence} ${rest}`);
      const link = url ?? page.back;
      if (link) at("refused").append(" ", parts.make("a", url ? gettext("Sign in") : gettext("See the match"), { href: link }));
      at("refused").dataset.why = sentence;
    }
    barred = true;
    net = "";
    show(at("refused"), true);
  };
  const unbar = () => {
    if (!barred) return;
    barred = false;
    clearComplaint();
  };

  // ---- acting ----------------------------------------------------------------------------------------------

  const change = (deals, isStopped) => {
    mine.undo = [...mine.undo, { deals: mine.deals, isStopped: mine.isStopped }].slice(-MOST_UNDO);
    set(deals, isStopped);
  };
  const set = (deals, isStopped) => {
    Object.assign(mine, { deals, isStopped: isStopped && deals.length > 0, unsent: true, sending: null });
    clearComplaint();
    net = "sending";
    isStuck = false;
    chosenWay = null;
    open = following();
    keep();
    render();
    send();
  };

  // Whether a figure that is wrong or missing was complained of.
  const isIncomplete = ({ wrong, missing }) => {
    clearComplaint();
    showSums(true);
    const [key] = Object.keys({ ...wrong, ...missing });
    if (key) complain(wrong[key] ?? missing[key], Number(/^s(\d+)-/.exec(key)[1]), key);
    return Boolean(key);
  };
  // The result goes after all deals, as soon as there is a network.
  const sendResult = () => {
    const found = isFinal() ? fields.read(way) : null;
    if (found && isIncomplete(found)) return;
    clearComplaint();
    mine.sending = { key: freshKey(), final: found && found.deal.points };
    isStuck = false;
    net = "sending";
    keep();
    dock();
    send();
  };
  const save = () => {
    const found = fields.read(way);
    if (isIncomplete(found)) return;
    const { deal } = found;
    const blamed = refusal(numbers, deal);
    if (blamed) return complain(blamed.sentence, blamed.side, blamed.row && `s${blamed.side}-${blamed.row}`);
    if (open > numbers.mostDeals) return complain(worded(gettext("A match can have at most %(most)s deals."), { most: numbers.mostDeals }));
    const there = mine.deals[open - 1];
    if (draft() && !same(draft().was, there) && !same(there, deal)) {
      draft().was = there ?? null;
      keep();
      const points = there && count(numbers, there, 1).points.map(signed).join(" : ");
      const sentence = there
        ? gettext("Deal %(number)s has just been changed on another phone: %(points)s. Save again to replace it.")
        : gettext("Deal %(number)s has just been deleted on another phone. Save again to replace it.");
      return complain(ofOpen(sentence, { points }));
    }
    delete mine.drafts[open];
    const deals = [...mine.deals];
    deals[open - 1] = deal;
    at("side-0").checked = true;
    change(deals, false);
    toTop();
  };

  const typed = () => {
    const was = draft() ? draft().was : mine.deals[open - 1] ?? null;
    mine.drafts[open] = { way, fields: fields.values(), was };
    clearComplaint();
    keep();
    showSums(false);
    dock();
  };

  const openDeal = (number) => {
    clearComplaint();
    chosenWay = null;
    open = number;
    render();
    toTop();
    at("title").tabIndex = -1;
    at("title").focus({ preventScroll: true });
  };

  // ---- sending ---------------------------------------------------------------------------------------------

  const toSend = () => {
    const about = { seen: mine.version, drawn: page.drawn };
    if (!mine.unsent) return { act: "send", ...about, ...mine.sending };
    const key = freshKey();
    const sent = { deals: mine.deals, isStopped: mine.isStopped, ...about, key, earlier: mine.keys };
    mine.keys = [...mine.keys, key].slice(-MOST_KEYS);
    keep();
    return sent;
  };
  const send = async () => {
    clearTimeout(retry);
    if (isSending || !(mine.unsent || mine.sending) || theirs || isStuck || net === "gone") return;
    isSending = true;
    const sent = toSend();
    net = "sending";
    dock();
    try {
      const answer = await fetch(page.sync, {
        method: "POST", body: JSON.stringify(sent), headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      });
      const isJson = (answer.headers.get("Content-Type") || "").startsWith("application/json");
      await answered(sent, answer.status, isJson ? await answer.json() : null);
    } catch {
      net = "waits";
    } finally {
      isSending = false;
    }
    dock();
    if (net === "waits") retry = setTimeout(send, AGAIN);
    else if (!barred) send();
  };

  const answered = async (sent, status, told) => {
    if (status === 200 && told && sent.act) {
      unbar();
      mine.sending = null;
      delete mine.drafts[open];
      keep();
      net = "sent";
      location.assign(told.url);
    } else if (status === 200 && told) {
      unbar();
      mine.version = told.state.version;
      if (same(mine.deals, sent.deals) && mine.isStopped === sent.isStopped) Object.assign(mine, { unsent: false, keys: [] });
      net = "sent";
      keep();
      renamed(told.state);
    } else if (status === 409 && told) {
      theirs = told.state;
      mine.sending = null;
      keep();
      net = "";
      render();
      at("conflict").scrollIntoView();
      at("keep-mine").focus();
    } else if (status === 422 && told) {
      net = "";
      isStuck = true;
      mine.sending = null;
      keep();
      if (told.deal) openDeal(told.deal);
      complain(told.sentence, told.side, told.row && `s${told.side}-${told.row}`);
    } else if ([401, 403, 410].includes(status) && told) bar(told);
    else if (status === 404) net = "gone";
    else {
      net = "waits";
      if (status !== 403) return;
      // A page of yesterday carries a token of yesterday.
      const asked = await fetch(page.sync);
      const found = await asked.json();
      if (asked.ok) token = found.token;
      else bar(found);
    }
  };

  const renamed = (state) => {
    if (!same(state.names, numbers.names) && !mine.unsent && !mine.sending) location.reload();
  };

  // The sheet as another phone has left it.
  const adopt = (state) => {
    const { version, deals, isStopped } = state;
    Object.assign(mine, { version, deals, isStopped, unsent: false, sending: null, keys: [] });
    keep();
    const isTyped = open !== null && mine.drafts[open] && open <= deals.length + 1;
    if (!isTyped) open = following();
    net = "sent";
    render();
    renamed(state);
  };

  const look = async () => {
    if (document.hidden || isSending || theirs) return;
    if (mine.unsent || mine.sending) return void send();
    try {
      const answer = await fetch(page.sync);
      if ([401, 403, 410].includes(answer.status)) {
        bar(await answer.json());
        return dock();
      }
      if (!answer.ok) return;
      unbar();
      const told = await answer.json();
      token = told.token;
      if (mine.unsent || isSending || told.state.version <= mine.version) return;
      mine.undo = [];
      adopt(told.state);
    } catch { /* no network: looked at again soon */ }
  };

  // ---- what is pressed -------------------------------------------------------------------------------------

  document.addEventListener("input", (event) => {
    const input = event.target;
    if (input.form !== form || input.name === "side" || open === null) return;
    fields.changed(input);
    typed();
  });
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const button = event.submitter;
    if (button?.name === "step") {
      fields.press(button);
      typed();
    } else if (button?.value === "save") save();
    else if (button?.value === "send") sendResult();
    else if (button?.value === "away") change(mine.deals.slice(0, -1), false);
    else if (button?.id === "stop") change(mine.deals, !mine.isStopped);
    else showSums(false);
  });
  const acts = {
    undo: () => {
      const before = mine.undo.pop();
      if (before) set(before.deals, before.isStopped);
    },
    "keep-mine": () => {
      mine.version = theirs.version;
      theirs = null;
      render();
      send();
      at("save").focus();
    },
    "take-theirs": () => {
      mine.undo = [...mine.undo, { deals: mine.deals, isStopped: mine.isStopped }].slice(-MOST_UNDO);
      const state = theirs;
      theirs = null;
      adopt(state);
      at("save").focus();
    },
  };
  document.addEventListener("click", (event) => {
    const pressed = event.target.closest("[data-deal], [data-way], #undo, #keep-mine, #take-theirs");
    if (!pressed) return;
    event.preventDefault();
    if (pressed.dataset.deal) openDeal(Number(pressed.dataset.deal));
    else if (pressed.dataset.way) {
      chosenWay = pressed.dataset.way;
      if (draft()) draft().way = chosenWay;
      render();
    } else acts[pressed.id]();
  });
  addEventListener("online", look);
  document.addEventListener("visibilitychange", look);
  addEventListener("storage", (event) => {
    if (event.key !== NAME || !event.newValue) return;
    // Another page of this browser: what is typed here stays.
    const other = JSON.parse(event.newValue);
    mine = { ...other, drafts: { ...other.drafts, ...mine.drafts } };
    if (!draft()) open = following();
    render();
  });
  for (const input of document.querySelectorAll("#view-address, #edit-address")) {
    input.addEventListener("focus", () => input.select());
  }
  setInterval(look, LOOK);

  // ---- without a network -----------------------------------------------------------------------------------

  // The page and its files stay in this browser, so that it opens again without a network.
  const keepPage = async () => {
    if (!("serviceWorker" in navigator) || !("caches" in window)) return;
    await navigator.serviceWorker.register("/sw.js");
    const files = await caches.open("score-files");
    const links = [...document.querySelectorAll("link[rel=stylesheet], link[rel=icon], script[src]")].map((one) => one.href || one.src);
    await Promise.all(links.filter((one) => one.startsWith(location.origin)).map((one) => files.add(one)));
    const pages = await caches.open("score-pages");
    const fresh = await fetch(page.url);
    await pages.delete(page.url); // the latest comes last
    if (fresh.ok && !fresh.redirected) await pages.put(page.url, fresh);
    for (const old of (await pages.keys()).slice(0, -10)) await pages.delete(old);
    for (const old of (await files.keys()).slice(0, -60)) await files.delete(old);
    document.documentElement.dataset.kept = "yes";
  };

  const query = new URLSearchParams(location.search);
  const wanted = Number(query.get("deal"));
  open = wanted >= 1 && wanted <= mine.deals.length ? wanted : following();
  if (numbers.ways.includes(query.get("by"))) chosenWay = query.get("by");
  if (mine.unsent || mine.sending) net = "sending";
  // On a slow network somebody may have begun to type before this script was there.
  if (open !== null && open === filled && !draft() && fields.isTouched()) {
    mine.drafts[open] = { way: form.elements.namedItem("by").value, fields: fields.values(), was: mine.deals[open - 1] ?? null };
    keep();
  }
  render();
  send();
  keepPage().catch(() => { /* without it the open page still works */ });
})();
