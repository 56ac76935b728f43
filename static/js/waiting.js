// The waiting room: fetch the seats anew when somebody comes or goes; copy the link.
"use strict";

(() => {
  const room = document.querySelector("[data-live-table]");
  const refresh = () => {
    const seats = document.getElementById("waiting-seats");
    if (seats && window.htmx) htmx.trigger(seats, "table-changed");
  };

  if (room && "EventSource" in window) {
    let version = null;
    const stream = new EventSource(`/live/?tables=${room.dataset.liveTable}`);
    stream.addEventListener("table", (event) => {
      const now = event.data.split(" ").pop();
      if (version !== null && version !== now) refresh();
      version = now;
    });
    addEventListener("pagehide", () => stream.close());
  }
  document.addEventListener("visibilitychange", () => {
    if (!document.hidden) refresh();
  });

  for (const button of document.querySelectorAll("[data-copy]")) {
    if (!navigator.clipboard) continue;
    button.hidden = false;
    button.addEventListener("click", async () => {
      await navigator.clipboard.writeText(document.querySelector(button.dataset.copy).value);
      button.textContent = gettext("Copied");
    });
  }
})();
