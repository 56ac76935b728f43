// Where one was on a page that was brought up to date: the focus, what was folded open, and where a refusal is said.
"use strict";

(() => {
  let held = null;
  let open = [];
  document.addEventListener("htmx:beforeSwap", (event) => {
    // A desk that looks again by itself waits while something else is on its way: what was pressed must not be taken away.
    const isLooking = event.detail.requestConfig.elt.id === "live";
    if (isLooking && document.querySelector("#organise .htmx-request:not(#live)")) {
      event.detail.shouldSwap = false;
      return;
    }
    const active = document.activeElement;
    held = { id: active?.id, section: active?.closest("section, li")?.id };
    open = [...document.querySelectorAll("details[open][id]")].map((each) => each.id);
  });
  const settle = () => {
    for (const id of open) document.getElementById(id)?.setAttribute("open", "");
    open = [];
    const called = document.querySelector("[data-focus]");
    if (called && called !== document.activeElement) {
      called.removeAttribute("data-focus");
      called.focus();
      called.scrollIntoView({ block: "nearest" });
    } else if (document.activeElement === document.body && held) {
      const place = document.getElementById(held.id) ?? document.getElementById(held.section);
      if (place && place.tabIndex < 0) place.tabIndex = -1;
      place?.focus({ preventScroll: true });
    }
    held = null;
  };
  // The page one is on among the others, where they do not all fit.
  const show = () => {
    const tabs = document.querySelector(".orgtabs");
    const here = tabs?.querySelector("[aria-current]");
    if (here) tabs.scrollLeft = here.offsetLeft - tabs.offsetLeft - (tabs.clientWidth - here.offsetWidth) / 2;
  };
  document.addEventListener("htmx:afterSettle", settle);
  document.addEventListener("htmx:afterSettle", show);
  show();
  if (document.querySelector("[data-focus]")) settle();
})();
