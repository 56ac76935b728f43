// Dragging with a mouse: the picked cards, or the one under the pointer, go on a meld, into the staged row or to the pile.
"use strict";

(() => {
  const { hand, staging } = Foothold;
  const PLACES = ".team.mine button.meld, .team.mine .melds, #stagerow > *, .piles .pile";
  let dragged = null;
  let target = null;

  const canDrag = () => ["play", "draw"].includes(document.getElementById("tray").dataset.kind);
  const mark = (place) => {
    if (place === target) return;
    target?.classList.remove("target");
    target = place;
    target?.classList.add("target");
  };
  const placeOf = (event) => {
    const place = event.target.closest?.(PLACES);
    return place?.closest("#stagerow") ? document.getElementById("stage") : place;
  };

  // A finger that rests on a card is no drag: only the mouse makes one.
  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#hand .card");
    if (card) card.draggable = event.pointerType === "mouse" && canDrag();
  });
  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest?.("#hand .card");
    if (!card) return;
    const { card: code } = card.dataset;
    const picks = hand.codes();
    dragged = picks.includes(code) ? picks : [code];
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.join(" "));
    // What changes the page at once would end the drag before it began.
    setTimeout(() => {
      document.body.classList.toggle("dragging", dragged !== null);
      staging.render();
    }, 0);
  });
  document.addEventListener("dragover", (event) => {
    if (!dragged) return;
    const place = placeOf(event);
    mark(place);
    if (place) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const place = dragged && placeOf(event);
    if (!place) return;
    event.preventDefault();
    const cards = dragged;
    end();
    hand.clear();
    hand.add(cards);
    if (place.matches(".pile")) toPile(cards);
    else staging.stage(place.dataset.meld);
  });
  // In one's turn the pile takes the discard; before, the cards dropped on it are those that claim it.
  const toPile = (cards) => {
    if (document.getElementById("tray").dataset.kind === "play" && cards.length > 1)
      Foothold.acts.say(gettext("You can discard only one card."), true);
  };
  const end = () => {
    dragged = null;
    mark(null);
    document.body.classList.remove("dragging");
    staging.render();
  };
  document.addEventListener("dragend", end);
})();
