// Words and drawings of cards, for the labels that the page makes up as cards are picked.
"use strict";

window.Foothold = window.Foothold || {};

(() => {
  const COUNTS = ["no", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten"];
  const SUITS = { c: "clubs", d: "diamonds", h: "hearts", s: "spades" };
  const LONG = { T: "10", J: "Jack", Q: "Queen", K: "King", A: "Ace" };

  const sign = (code) => (code[0] === "T" ? "10" : code[0] === "X" ? "★" : code[0]);
  const isWild = (code) => code[0] === "X" || code[0] === "2";
  const countWords = (n) => COUNTS[n] ?? String(n);
  const listed = (parts) =>
    parts.length < 2 ? parts.join("") : `${parts.slice(0, -1).join(", ")} and ${parts[parts.length - 1]}`;
  const spoken = (code) =>
    code[0] === "X" ? (code[1] === "r" ? "Red joker" : "Black joker") : `${LONG[code[0]] ?? code[0]} of ${SUITS[code[1]]}`;

  // "three 9s", "two 5s with a wild card": what the button says of several cards.
  const cardsWords = (codes) => {
    const ranks = new Map();
    for (const code of codes.filter((code) => !isWild(code))) ranks.set(sign(code), (ranks.get(sign(code)) ?? 0) + 1);
    const parts = [...ranks].map(([rank, n]) => (n === 1 ? `a ${rank}` : `${countWords(n)} ${rank}s`));
    const wild = codes.filter(isWild).length;
    const wilds = wild === 1 ? "a wild card" : `${countWords(wild)} wild cards`;
    if (!wild) return listed(parts);
    return parts.length ? `${listed(parts)} with ${wilds}` : wilds;
  };

  const icon = (name, css) => {
    const svg = document.createElementNS("http://www.w3.org/2000/svg", "svg");
    const use = document.createElementNS("http://www.w3.org/2000/svg", "use");
    svg.setAttribute("class", css);
    svg.setAttribute("aria-hidden", "true");
    use.setAttribute("href", `#i-${name}`);
    svg.append(use);
    return svg;
  };

  // A card named on a button: K♣, spoken in full.
  const named = (code) => {
    const span = document.createElement("span");
    span.className = "chipped";
    const shown = document.createElement("span");
    shown.setAttribute("aria-hidden", "true");
    if (code[0] === "X") shown.append(icon("w", "st"));
    else shown.append(sign(code), icon(code[1], "st"));
    const heard = document.createElement("span");
    heard.className = "vh";
    heard.textContent = spoken(code);
    span.append(shown, heard);
    return span;
  };

  const mini = (code) => {
    const card = document.createElement("i");
    if (code[0] === "X") {
      card.className = "mini w";
      card.append(icon("w", "pip"));
    } else {
      card.className = `mini ${code[1]}${code[0] === "T" ? " ten" : ""}`;
      card.append(sign(code), icon(code[1], "pip"));
    }
    return card;
  };

  Foothold.cards = { cardsWords, countWords, isWild, listed, mini, named, sign, spoken };
})();
