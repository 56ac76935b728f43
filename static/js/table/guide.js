// The hint of a first deal: the step that fits what is selected, and marks on the cards and the meld that it means.
"use strict";

(() => {
  const box = () => {
    const guide = document.getElementById("guide");
    return guide && !guide.hidden ? guide : null;
  };

  const stepOf = (guide) => {
    const picks = Foothold.hand.codes();
    const wanted = guide.dataset.cards.split(" ").filter(Boolean).sort();
    const isPicked = guide.dataset.any ? picks.length === 1 : wanted.length > 0 && String([...picks].sort()) === String(wanted);
    const step = Foothold.staging.groups().length ? "press" : isPicked ? "place" : "select";
    return guide.querySelector(`:scope > [data-step="${step}"]`) ?? guide.querySelector(":scope > [data-step=select]");
  };

  // What the status line says where it has nothing else to say, and after a refusal.
  const words = () => {
    const guide = box();
    const step = guide && stepOf(guide);
    if (!step) return [];
    const hint = document.createElement("span");
    hint.className = "hint";
    hint.append(...step.cloneNode(true).childNodes);
    return [hint];
  };

  const follow = () => {
    const guide = box();
    const step = guide ? stepOf(guide).dataset.step : "";
    const missing = guide && step === "select" ? guide.dataset.cards.split(" ") : [];
    for (const code of missing.length ? Foothold.hand.codes() : []) if (missing.includes(code)) missing.splice(missing.indexOf(code), 1);
    for (const card of document.querySelectorAll("#hand .card")) card.classList.toggle("meant", missing.includes(card.dataset.card));
    for (const meld of document.querySelectorAll(".mine button.meld"))
      meld.classList.toggle("meant", step === "place" && meld.dataset.meld === guide.dataset.meld);
    // A selected card can be discarded, too; the button is loud only where the hint means that.
    const isDiscard = step === "place" && !guide.dataset.meld && Foothold.hand.codes().length === 1;
    document.getElementById("go")?.classList.toggle("aside", Boolean(guide?.dataset.cards) && step !== "press" && !isDiscard);
    const line = document.getElementById("say");
    const [hint] = words();
    const shown = line.querySelector(".hint");
    if (!line.classList.contains("bad") && (shown?.textContent ?? "") !== (hint?.textContent ?? "")) Foothold.acts.say("");
  };

  Foothold.guide = { follow, words };
})();
