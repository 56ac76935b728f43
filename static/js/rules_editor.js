// Fields of house rules are replaced when another start or a ready answer is chosen;
// not under the hands of somebody who types on.
"use strict";

(() => {
  let typed = 0;
  let sent = 0;
  document.addEventListener("input", () => (typed = performance.now()));
  document.addEventListener("htmx:beforeRequest", () => (sent = performance.now()));
  // What was typed since is asked about in its turn, and that answer brings the fields with it.
  document.addEventListener("htmx:oobBeforeSwap", (event) => {
    const isOfFields = /^(house-rules$|exact-)/.test(event.detail.target.id);
    if (isOfFields && typed > sent) event.detail.shouldSwap = false;
  });
})();
