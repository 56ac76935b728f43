// Finds pages and their parts by words. The index is loaded when somebody begins to search; without script there is no search.
"use strict";

(() => {
  const search = document.getElementById("search");
  const query = search.querySelector("input");
  const results = search.querySelector("ul");
  const status = search.querySelector("[role=status]");
  const MOST = 8;
  let index;

  const load = () => (index ??= fetch(search.dataset.index).then((answer) => answer.json()).then(({ docs }) => docs));

  // How well a page or a part of one has all the words, more so in its title; 0 if one is missing. A part says more exactly where.
  const fit = (part, words) => {
    const title = part.title.toLowerCase(), text = part.text.toLowerCase();
    if (!words.every((word) => title.includes(word) || text.includes(word))) return 0;
    return 1 + words.filter((word) => title.includes(word)).length * 2 + (part.location.includes("#") ? 0.5 : 0);
  };

  // The text around the first of the words that is in it.
  const around = (text, words) => {
    const at = Math.max(0, ...words.map((word) => text.toLowerCase().indexOf(word)));
    const from = Math.max(0, at - 40);
    return `${from ? "…" : ""}${text.slice(from, from + 120).replace(/\s+/g, " ")}${text.length > from + 120 ? "…" : ""}`;
  };

  const line = (part, titles, words) => {
    const item = document.createElement("li"), link = document.createElement("a"), text = document.createElement("span");
    const page = titles.get(part.location.split("#")[0]);
    link.href = `${search.dataset.root}/${part.location}`;
    link.textContent = page && page !== part.title ? `${page}: ${part.title}` : part.title;
    text.textContent = around(part.text, words);
    item.append(link, text);
    return item;
  };

  const show = async () => {
    const words = query.value.toLowerCase().split(/\s+/).filter((word) => word.length > 1);
    const parts = words.length ? await load() : [];
    const titles = new Map(parts.filter(({ location }) => !location.includes("#")).map((part) => [part.location, part.title]));
    const best = parts.map((part) => [fit(part, words), part]).filter(([points]) => points);
    best.sort(([one], [other]) => other - one);
    results.replaceChildren(...best.slice(0, MOST).map(([, part]) => line(part, titles, words)));
    results.hidden = !best.length;
    status.textContent = words.length ? (best.length ? `${best.length} found` : "Nothing found") : "";
  };

  query.addEventListener("focus", show);
  search.addEventListener("focusout", (event) => {
    if (!search.contains(event.relatedTarget)) results.hidden = true;
  });
  query.addEventListener("input", show);
  search.addEventListener("submit", (event) => {
    event.preventDefault();
    results.querySelector("a")?.click();
  });
  search.addEventListener("keydown", (event) => {
    if (event.key !== "Escape") return;
    query.value = "";
    show();
  });

  // On a phone the list of pages starts closed. Until here its style hides it, so that nothing moves.
  const pages = document.querySelector(".pages");
  if (matchMedia("(max-width: 60rem)").matches) pages.firstElementChild.open = false;
  pages.classList.add("ready");
})();
