// Pages of clubs: the sentence of a refusal, or what was asked for, has the focus; the tab one is on is in sight.
"use strict";

(() => {
  const called = document.querySelector("[data-focus]");
  if (called) {
    called.focus();
    called.scrollIntoView({ block: "center" });
  }
  const here = document.querySelector(".club .tabs [aria-current]");
  if (here) here.parentElement.scrollLeft = here.offsetLeft - here.parentElement.offsetLeft - 16;
})();
