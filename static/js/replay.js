// The replay's keys: arrows step, Home and End go to the first and the last step. Links work without this.
"use strict";
(() => {
  const keys = { ArrowLeft: "step-back", ArrowRight: "step-on", Home: "step-first", End: "step-last" };

  document.addEventListener("keydown", (event) => {
    const isTyped = event.target.closest("input, select, textarea");
    if (!keys[event.key] || isTyped || event.altKey || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const link = document.getElementById(keys[event.key]);
    if (!link || !link.hasAttribute("href")) return;
    event.preventDefault();
    link.click();
  });

  // The scale steps by itself; its button is for browsers without scripts.
  document.documentElement.classList.add("scripted");

  // The address follows the steps, so that a reload or a link to a friend shows the same one.
  document.addEventListener("htmx:afterSettle", () => {
    const scale = document.getElementById("scale");
    if (scale) history.replaceState(null, "", `?step=${scale.value}`);
  });
})();
