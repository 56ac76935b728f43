// Sharing the replay: by the device where it can, else the link is copied.
"use strict";

document.addEventListener("click", async (event) => {
  const button = event.target.closest("[data-share]");
  if (!button) return;
  const url = new URL(button.dataset.share, location.href).href;
  const told = button.parentElement.querySelector("[role=status]");
  try {
    if (navigator.share) await navigator.share({ title: document.title, url });
    else {
      await navigator.clipboard.writeText(url);
      told.textContent = gettext("Link copied.");
    }
  } catch (error) {
    // Whoever closes the dialog wants no link; where copying is not allowed it is there to be copied by hand.
    if (error.name !== "AbortError") told.textContent = url;
  }
});
