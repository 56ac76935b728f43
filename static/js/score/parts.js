// Parts of the page of a score sheet that change with every deal: running score, what comes, two sheets side by side.
"use strict";

(() => {
  const { count, figure, isOver, mayFollow, minimum, signed, totals } = Foothold.reckon;

  const make = (tag, text, attributes = {}) => {
    const element = document.createElement(tag);
    if (text !== undefined) element.textContent = text;
    for (const [name, value] of Object.entries(attributes)) element.setAttribute(name, value);
    return element;
  };
  const row = (...cells) => {
    const line = make("tr");
    line.append(...cells);
    return line;
  };

  window.Foothold.sheetParts = (numbers, url) => {
    // The body of the running score; deal `open` is being entered.
    const running = (scored, open) => {
      const body = make("tbody");
      let sums = numbers.names.map(() => 0);
      scored.forEach((one, before) => {
        const number = before + 1;
        const head = make("th", undefined, { scope: "row" });
        if (number === open) head.append(make("b", number), " now");
        else head.append(make("a", `${number} ✎`, { href: `${url}?deal=${number}`, "data-deal": number, "aria-label": `Change deal ${number}` }));
        const wanted = sums.map((sum) => figure(minimum(numbers, number, sum)));
        const cells = one.points.map((points) => make("td", signed(points), { class: "num" }));
        const line = row(head, ...cells, make("td", new Set(wanted).size === 1 ? wanted[0] : wanted.join(" / "), { class: "num" }));
        if (number === open) line.className = "now";
        body.append(line);
        sums = sums.map((sum, side) => sum + one.points[side]);
      });
      return body;
    };

    // The deal that is being entered and the one after it, as far as they come; `saved` have been.
    const coming = (deals, saved, open) => {
      const first = open !== null && open > saved ? open : saved + 1;
      const parts = [deal(first, deals.slice(0, first - 1))];
      if (open === first && mayFollow(numbers, first + 1)) parts.push(deal(first + 1, deals));
      return parts;
    };
    const deal = (number, before) => {
      const wanted = totals(numbers, before).map((total) => minimum(numbers, number, total));
      const all = wanted.length === 2 ? "both sides" : "everybody";
      let opening = wanted[0] ? `${figure(wanted[0])} for ${all}` : "none";
      if (new Set(wanted).size > 1) opening = wanted.map((one, side) => `${figure(one)} for ${numbers.names[side]}`).join(", ");
      const seat = (step) => numbers.seats[(numbers.dealer + number - 1 + step) % numbers.seats.length];
      const contract = Object.entries(numbers.contract).filter(([, one]) => one).map(([kind, one]) => `${one} ${kind}`).join(", ");
      const [by, length] = numbers.length;
      const section = make("section", undefined, { class: "sec" });
      const list = make("dl", undefined, { class: "next" });
      for (const [label, text] of [["First meld at least", opening], ["Deals", seat(0)], ["Begins", seat(1)], ["To go out", contract]]) {
        if (!text) continue;
        const value = make("dd");
        value.append(make("bdi", text));
        list.append(make("dt", label), value);
      }
      section.append(make("h2", `Deal ${number}${by === "deals" && number === length ? ", the last" : ""}`), list);
      return section;
    };

    // Who has won, in a sentence.
    const outcome = (deals, isStopped) => {
      const all = totals(numbers, deals);
      const best = numbers.names.filter((_, side) => all[side] === Math.max(...all));
      const words = best.length === 1 ? `${best[0]} won` : `${best.slice(0, -1).join(", ")} and ${best.at(-1)} share the win`;
      return `${words}, ${all.map(figure).join(" : ")}.${isStopped && !isOver(numbers, deals) ? " You stopped here." : ""}`;
    };

    // Both sheets, deal by deal, and the choice between them; `differs` says whether two deals do.
    const conflict = (mine, theirs, differs) => {
      const head = make("thead");
      const columns = ["On this phone", "On the other"].map((words) => make("th", words, { scope: "col", class: "num" }));
      head.append(row(make("th", "Deal", { scope: "col" }), ...columns));
      const body = make("tbody");
      const points = (one) => (one ? count(numbers, one, 1).points.map(signed).join(" : ") : "–");
      for (let at = 0; at < Math.max(mine.length, theirs.length); at++) {
        const kind = differs(mine[at], theirs[at]) ? "num diff" : "num";
        const cells = [mine[at], theirs[at]].map((one) => make("td", points(one), { class: kind }));
        body.append(row(make("th", at + 1, { scope: "row" }), ...cells));
      }
      const table = make("table", undefined, { class: "two" });
      table.append(make("caption", "Both sheets, deal by deal", { class: "vh" }), head, body);
      const buttons = make("p", undefined, { class: "btns" });
      buttons.append(
        make("button", "Keep this phone’s", { type: "button", class: "btn go", id: "keep-mine" }),
        make("button", "Take the other", { type: "button", class: "btn", id: "take-theirs" }),
      );
      return [
        make("h2", "Two phones have changed this sheet", { id: "conflict-head" }),
        make("p", `Points of ${numbers.names.join(" : ")}. ≠ marks what differs. Nothing is lost until you choose.`),
        table, buttons,
      ];
    };

    return { coming, conflict, make, outcome, running };
  };
})();
