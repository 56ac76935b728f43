// The story of what happened is cut to four lines where it would push the table down; one press shows the whole.
"use strict";

(() => {
  const fit = () => {
    const [told, button] = [document.getElementById("told"), document.getElementById("unfold")];
    if (told && button && !told.classList.contains("whole")) button.hidden = told.scrollHeight <= told.clientHeight + 4;
  };
  document.addEventListener("click", (event) => {
    const button = event.target.closest("#unfold");
    if (!button) return;
    const isWhole = document.getElementById("told").classList.toggle("whole");
    button.setAttribute("aria-expanded", String(isWhole));
    button.textContent = isWhole ? pgettext("of a story", "Less") : pgettext("of a story", "All");
  });
  document.addEventListener("htmx:oobAfterSwap", fit);
  addEventListener("resize", fit);
  fit();
})();
