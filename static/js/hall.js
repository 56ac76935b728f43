// The hall screen: turns its page without a blink, keeps the last picture while the line is down, counts the last minute
// in seconds, and stays where it is at any key.
"use strict";

(() => {
  const SECOND = 1000;
  let timer;
  let held = false;
  let skew = 0;

  const screen = () => document.getElementById("screen");

  const measure = () => {
    const now = screen().querySelector("[data-now]");
    skew = now ? Number(now.dataset.now) * SECOND - Date.now() : 0;
  };

  const tick = () => {
    const minutes = screen().querySelector("[data-ends]");
    if (!minutes) return;
    const left = Math.ceil((Number(minutes.dataset.ends) * SECOND - Date.now() - skew) / SECOND);
    const figure = minutes.querySelector("b");
    if (!figure) return;
    if (left <= 0) {
      minutes.className = "over";
      minutes.textContent = minutes.dataset.over;
    } else if (left < 60) {
      figure.textContent = `0:${String(left).padStart(2, "0")}`;
      minutes.querySelector("span").textContent = "";
    } else {
      figure.textContent = Math.ceil(left / 60);
    }
  };

  const turn = async () => {
    try {
      const answer = await fetch(screen().dataset.next, { headers: { "HX-Request": "true" } });
      if (answer.status === 404) return location.reload();
      if (!answer.ok) throw new Error(answer.status);
      const page = new DOMParser().parseFromString(await answer.text(), "text/html");
      screen().replaceWith(document.adoptNode(page.getElementById("screen")));
      document.title = page.title;
      measure();
    } catch {
      screen().querySelector(".lost").hidden = false;
    }
    wait();
  };

  const wait = () => {
    clearTimeout(timer);
    if (!held) timer = setTimeout(turn, Number(screen().dataset.seconds) * SECOND);
  };

  document.addEventListener("keydown", (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    held = !held;
    screen().classList.toggle("is-held", held);
    screen().querySelector(".held").hidden = !held;
    if (held) clearTimeout(timer);
    else turn();
  });

  measure();
  setInterval(tick, SECOND);
  wait();
})();
