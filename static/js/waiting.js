// The waiting room: fetch the seats again when somebody comes or goes.
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
})();
