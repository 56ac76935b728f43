// Buttons that copy a text of the page, or share it by the phone's own list of apps. Without a script the text is selected by hand.
"use strict";

(() => {
  const source = (button) => document.querySelector(button.dataset.copy || button.dataset.share);
  const words = (element) => (element.value ?? element.innerText).trim();

  const select = (element) => {
    if ("select" in element) element.select();
    else getSelection().selectAllChildren(element);
  };

  const copy = async (button) => {
    try {
      await navigator.clipboard.writeText(words(source(button)));
      button.textContent = gettext("Copied");
    } catch {
      select(source(button));
      button.textContent = gettext("Selected. Copy it now");
    }
  };

  const share = (button) => navigator.share({ text: words(source(button)) }).catch(() => {});

  const show = () => {
    for (const button of document.querySelectorAll("[data-copy]")) button.hidden = false;
    for (const button of document.querySelectorAll("[data-share]")) button.hidden = !navigator.share;
  };

  document.addEventListener("click", (event) => {
    const button = event.target.closest("[data-copy], [data-share]");
    if (button) (button.dataset.copy ? copy : share)(button);
  });
  document.addEventListener("htmx:afterSettle", show);
  show();
})();
