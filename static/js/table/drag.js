// Dragging with a mouse: the selected cards, or the one under the pointer, go on a meld, into a new one, to the pile, or to
// another place in the hand.
"use strict";

(() => {
  const { hand, staging } = Foothold;
  const PLACES = ".team.mine button.meld, .team.mine .melds, #stagerow > *, .piles .pile, #hand .card";
  let dragged = null;
  let target = null;

  const canMeld = () => ["play", "draw"].includes(document.getElementById("tray").dataset.kind);
  const mark = (place) => {
    if (place === target) return;
    target?.classList.remove("target");
    target = place;
    target?.classList.add("target");
  };
  const placeOf = (event) => {
    const place = event.target.closest?.(PLACES);
    if (place?.matches("#hand .card")) return dragged?.includes(place.dataset.card) ? null : place;
    if (!canMeld()) return null;
    return place?.closest("#stagerow") ? document.getElementById("stage") : place;
  };

  // A finger that rests on a card is no drag: only the mouse makes one.
  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#hand .card");
    if (card) card.draggable = event.pointerType === "mouse";
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
    if (place.matches("#hand .card")) return move(cards, place, event.clientX);
    hand.clear();
    hand.add(cards);
    if (place.matches(".pile")) toPile(cards);
    else staging.stage(place.dataset.meld);
    return undefined;
  });
  // Within the hand: before or after the card on which they were dropped, by the half of it.
  const move = (cards, place, x) => {
    const { left, width } = place.getBoundingClientRect();
    const moved = [...new Set(cards)];
    const order = hand.shown().map((card) => card.dataset.card).filter((code) => !moved.includes(code));
    order.splice(order.indexOf(place.dataset.card) + (x > left + width / 2), 0, ...moved);
    hand.sort("own", order);
  };
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
