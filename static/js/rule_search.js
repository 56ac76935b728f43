// A search in the editor of house rules: questions and rules without the words are hidden,
// folded ones with them opened.
// It knows their words in the other languages, too. Without this script the button “Find” does the same.
"use strict";

(() => {
  const openBefore = new WeakMap();

  const narrow = (input) => {
    const sought = input.value.toLocaleLowerCase().split(/\s+/).filter(Boolean);
    const holds = (element) => {
      const text = `${element.textContent} ${element.dataset.words ?? ""}`.toLocaleLowerCase();
      return sought.every((word) => text.includes(word));
    };
    let hits = 0;
    document.getElementById("house-rules").toggleAttribute("data-searched", sought.length > 0);
    for (const section of document.querySelectorAll("#house-rules .ten-questions > li, #house-rules .rule-group")) {
      const answers = section.querySelector(".rule-answers");
      const isMeant = holds(section.querySelector("h3")) || (answers !== null && holds(answers));
      let within = 0;
      for (const field of section.querySelectorAll("fieldset.rule")) {
        field.hidden = !isMeant && !holds(field);
        if (!field.hidden) within += 1;
      }
      section.hidden = !within;
      hits += within;
      if (section.localName === "details") fold(section, sought.length > 0);
    }
    const text = hits ? ngettext("%(count)s rule found", "%(count)s rules found", hits) : gettext("No rules found");
    document.getElementById("rule-hits").textContent = sought.length ? interpolate(text, { count: hits }, true) : "";
  };

  const fold = (section, isSearched) => {
    if (isSearched && !openBefore.has(section)) openBefore.set(section, section.open);
    if (isSearched) section.open = true;
    else if (openBefore.has(section)) {
      section.open = openBefore.get(section);
      openBefore.delete(section);
    }
  };

  // Before the form hears of it: a search changes no rule.
  for (const kind of ["input", "change"]) {
    document.addEventListener(kind, (event) => {
      if (event.target.id !== "rule-search") return;
      event.stopPropagation();
      if (kind === "input") narrow(event.target);
    }, true);
  }
  document.addEventListener("keydown", (event) => {
    if (event.target.id === "rule-search" && event.key === "Enter") event.preventDefault();
  });
  // Fields of another start come without the search.
  document.addEventListener("htmx:oobAfterSwap", (event) => {
    const input = document.getElementById("rule-search");
    if (input?.value && event.detail.target.id === "house-rules") narrow(input);
  });
  const button = document.querySelector(".rule-search button");
  if (button) button.hidden = true;
})();
