// Pages of clubs: the sentence of a refusal, or what was asked for, has the focus; the tab one is on is in sight.
"use strict";

(() => {
  const called = document.querySelector("[data-focus]");
  if (called) {
    called.focus();
    called.scrollIntoView({ block: "center" });
  }
  // In the middle, so that the first tabs, such as that of tonight, stay in sight from the next ones.
  const tabs = document.querySelector(".club .tabs");
  const here = tabs?.querySelector("[aria-current]");
  if (here) tabs.scrollLeft = here.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
})();
