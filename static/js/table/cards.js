// Words and drawings of cards, for the labels that the page makes up as cards are picked.
"use strict";

window.Foothold = window.Foothold || {};

(() => {
  const COUNTS = [
    pgettext("how many cards", "no"),
    pgettext("how many cards", "one"),
    pgettext("how many cards", "two"),
    pgettext("how many cards", "three"),
    pgettext("how many cards", "four"),
    pgettext("how many cards", "five"),
    pgettext("how many cards", "six"),
    pgettext("how many cards", "seven"),
    pgettext("how many cards", "eight"),
    pgettext("how many cards", "nine"),
    pgettext("how many cards", "ten"),
  ];
  const SUITS = { c: gettext("clubs"), d: gettext("diamonds"), h: gettext("hearts"), s: gettext("spades") };
  const LONG = { T: "10", J: gettext("Jack"), Q: gettext("Queen"), K: gettext("King"), A: gettext("Ace") };
  // Letters are said otherwise than digits in some languages.
  const ONE = { 8: gettext("an 8"), J: gettext("a J"), Q: gettext("a Q"), K: gettext("a K"), A: gettext("an A") };
  const MANY = {
    J: gettext("%(count)s Js"),
    Q: gettext("%(count)s Qs"),
    K: gettext("%(count)s Ks"),
    A: gettext("%(count)s As"),
  };
  const THOSE = { J: gettext("the Js"), Q: gettext("the Qs"), K: gettext("the Ks"), A: gettext("the As") };

  const sign = (code) => (code[0] === "T" ? "10" : code[0] === "X" ? "★" : code[0]);
  const isWild = (code) => code[0] === "X" || code[0] === "2";
  const countWords = (n) => COUNTS[n] ?? String(n);
  const listed = (parts) =>
    parts.length < 2
      ? parts.join("")
      : interpolate(gettext("%(names)s and %(last)s"), { names: parts.slice(0, -1).join(", "), last: parts.at(-1) }, true);
  const spoken = (code) => {
    if (code[0] === "X") return code[1] === "r" ? gettext("Red joker") : gettext("Black joker");
    return interpolate(gettext("%(rank)s of %(suit)s"), { rank: LONG[code[0]] ?? code[0], suit: SUITS[code[1]] }, true);
  };
  // A button begins with a capital letter, whichever word comes first.
  const begun = (words) => words.charAt(0).toLocaleUpperCase() + words.slice(1);

  // "three 9s", "two 5s with a wild card": what the button says of several cards; the pile is taken with "two 5s and a wild card".
  const cardsWords = (codes, isClaim) => {
    const ranks = new Map();
    for (const code of codes.filter((code) => !isWild(code))) ranks.set(sign(code), (ranks.get(sign(code)) ?? 0) + 1);
    const cards = listed([...ranks].map(([rank, n]) => some(rank, n)));
    const wild = codes.filter(isWild).length;
    const values = { cards, count: countWords(wild) };
    if (!wild) return cards;
    if (!cards) return wild === 1 ? gettext("a wild card") : interpolate(gettext("%(count)s wild cards"), values, true);
    if (isClaim)
      return interpolate(wild === 1 ? gettext("%(cards)s and a wild card") : gettext("%(cards)s and %(count)s wild cards"), values, true);
    return interpolate(wild === 1 ? gettext("%(cards)s with a wild card") : gettext("%(cards)s with %(count)s wild cards"), values, true);
  };
  const some = (rank, n) =>
    interpolate(
      n === 1 ? ONE[rank] ?? gettext("a %(rank)s") : MANY[rank] ?? gettext("%(count)s %(rank)ss"), { count: countWords(n), rank }, true);
  // The meld that cards go on: "the 9s", "the garbage".
  const those = (name) => {
    if (name === "garbage") return gettext("the garbage");
    return THOSE[sign(name)] ?? interpolate(gettext("the %(rank)ss"), { rank: sign(name) }, true);
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

  Foothold.cards = { begun, cardsWords, countWords, isWild, listed, mini, named, sign, spoken, those };
})();
