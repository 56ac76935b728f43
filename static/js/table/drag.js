// Dragging, by mouse or by a finger that rests on a card first: the selected cards, or the one under the pointer, go on a
// meld, into a new one, to the pile, or to another place in the hand.
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
  const placeOf = (element) => {
    const place = element?.closest?.(PLACES);
    if (place?.matches("#hand .card")) return dragged?.includes(place.dataset.card) ? null : place;
    if (!canMeld()) return null;
    return place?.closest("#stagerow") ? document.getElementById("stage") : place;
  };

  // The browser drags for the mouse only.
  document.addEventListener("pointerdown", (event) => {
    const card = event.target.closest("#hand .card");
    if (card) card.draggable = event.pointerType === "mouse";
  });
  document.addEventListener("dragstart", (event) => {
    const card = event.target.closest?.("#hand .card");
    if (!card) return;
    take(card);
    event.dataTransfer.effectAllowed = "move";
    event.dataTransfer.setData("text/plain", dragged.join(" "));
    // What changes the page at once would end the drag before it began.
    setTimeout(show, 0);
  });
  document.addEventListener("dragover", (event) => {
    if (!dragged) return;
    const place = placeOf(event.target);
    mark(place);
    if (place) event.preventDefault();
  });
  document.addEventListener("drop", (event) => {
    const place = dragged && placeOf(event.target);
    if (!place) return;
    event.preventDefault();
    drop(place, event.clientX);
  });
  const take = (card) => {
    const { card: code } = card.dataset;
    const picks = hand.codes();
    dragged = picks.includes(code) ? picks : [code];
  };
  const show = () => {
    document.body.classList.toggle("dragging", dragged !== null);
    staging.render();
  };
  const drop = (place, x) => {
    const cards = dragged;
    end();
    if (place.matches("#hand .card")) return move(cards, place, x);
    hand.clear();
    hand.add(cards);
    if (place.matches(".pile")) toPile(cards);
    else staging.stage(place.dataset.meld);
    return undefined;
  };
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

  // By touch: a finger that rests takes the card up, and its picture goes with the finger. One that moves at once scrolls.
  const REST = 250, STILL = 8;
  let finger = null;
  const letGo = () => {
    clearTimeout(finger?.timer);
    finger?.picture?.remove();
    finger = null;
  };
  const follow = (x, y) => {
    finger.picture.style.transform = `translate(${x - finger.x}px, ${y - finger.y - 24}px)`;
    mark(placeOf(document.elementFromPoint(x, y)));
  };
  const lift = (card) => {
    const { left, top, width, height } = card.getBoundingClientRect();
    take(card);
    show();
    finger.picture = card.cloneNode(true);
    for (const attribute of ["id", "aria-pressed", "data-card"]) finger.picture.removeAttribute(attribute);
    finger.picture.classList.add("lifted");
    finger.picture.setAttribute("aria-hidden", "true");
    Object.assign(finger.picture.style, { left: `${left}px`, top: `${top}px`, width: `${width}px`, height: `${height}px` });
    document.body.append(finger.picture);
    follow(finger.x, finger.y);
  };
  document.addEventListener("touchstart", (event) => {
    const card = event.target.closest?.("#hand .card");
    letGo();
    if (!card || event.touches.length > 1) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    finger = { x, y, timer: setTimeout(() => lift(card), REST) };
  }, { passive: true });
  document.addEventListener("touchmove", (event) => {
    if (!finger) return;
    const [{ clientX: x, clientY: y }] = event.touches;
    if (finger.picture) {
      event.preventDefault();
      follow(x, y);
    } else if (Math.hypot(x - finger.x, y - finger.y) > STILL) letGo();
  }, { passive: false });
  document.addEventListener("touchend", (event) => {
    const place = finger?.picture && target;
    const { clientX } = event.changedTouches[0];
    const isLifted = Boolean(finger?.picture);
    letGo();
    if (!isLifted) return;
    // A card that was taken up and put down is not pressed.
    event.preventDefault();
    if (place) drop(place, clientX);
    else end();
  }, { passive: false });
  document.addEventListener("touchcancel", () => {
    const isLifted = Boolean(finger?.picture);
    letGo();
    if (isLifted) end();
  });
  document.addEventListener("contextmenu", (event) => {
    if (finger) event.preventDefault();
  });
  document.getElementById("table").dataset.drags = "yes";
})();
