// Parts of the page of a score sheet that change with every deal: running score, what comes, two sheets side by side.
"use strict";

(() => {
  const { count, figure, inDeal, isOver, labelOf, listed, mayFollow, minimum, openingWords, signed, told, totals, wordsOf } = Foothold.reckon;
  const CONTRACT = {
    clean: gettext("%(count)s clean"), dirty: gettext("%(count)s dirty"), wild: gettext("%(count)s wild"), sevens: gettext("%(count)s of sevens"),
  };

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
        if (number === open) head.append(make("b", labelOf(numbers, number)), " ", gettext("now"));
        else head.append(make("a", `${labelOf(numbers, number)} ✎`, {
          href: `${url}?deal=${number}`, "data-deal": number, "aria-label": told(wordsOf(numbers, gettext("Change deal %(number)s"), number), { number: labelOf(numbers, number) }),
        }));
        const wanted = sums.map((sum) => openingWords(minimum(numbers, number, sum)));
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
      const all = wanted.length === 2 ? gettext("%(points)s for both sides") : gettext("%(points)s for everyone");
      let opening = wanted[0] ? told(all, { points: openingWords(wanted[0]) }) : gettext("none");
      if (new Set(wanted).size > 1) {
        opening = wanted.map((one, side) => told(gettext("%(points)s for %(name)s"), { points: openingWords(one), name: numbers.names[side] })).join(", ");
      }
      const seat = (step) => numbers.seats[(numbers.dealer + number - 1 + step) % numbers.seats.length];
      const contract = Object.entries(inDeal(numbers.contract, number)).filter(([, one]) => one).map(([kind, one]) => told(CONTRACT[kind] || `%(count)s × ${numbers.kindWords[kind]}`, { count: one })).join(", ");
      const [by, length] = numbers.length;
      const section = make("section", undefined, { class: "sec" });
      const list = make("dl", undefined, { class: "next" });
      for (const [label, text] of [
        [gettext("Opening minimum"), opening], [pgettext("who gives the cards", "Deals"), seat(0)], [gettext("Starts"), seat(1)], [gettext("To go out"), contract],
      ]) {
        if (!text) continue;
        const value = make("dd");
        value.append(make("bdi", text));
        list.append(make("dt", label), value);
      }
      const title = by === "deals" && number === length ? gettext("Deal %(number)s, the last") : gettext("Deal %(number)s");
      section.append(make("h2", told(wordsOf(numbers, title, number), { number: labelOf(numbers, number) })), list);
      return section;
    };

    // Who has won, in a sentence.
    const outcome = (deals, isStopped) => {
      const all = totals(numbers, deals);
      const best = numbers.names.filter((_, side) => all[side] === Math.max(...all));
      const sentence = best.length === 1 ? gettext("%(names)s won, %(points)s.") : gettext("%(names)s share the win, %(points)s.");
      const words = told(sentence, { names: listed(best), points: all.map(figure).join(" : ") });
      return isStopped && !isOver(numbers, deals) ? [words, gettext("You ended the match here.")].join(" ") : words;
    };

    // Both sheets, deal by deal, and the choice between them; `differs` says whether two deals do.
    const conflict = (mine, theirs, differs) => {
      const head = make("thead");
      const columns = [gettext("On this phone"), gettext("On the other")].map((words) => make("th", words, { scope: "col", class: "num" }));
      head.append(row(make("th", wordsOf(numbers, gettext("Deal")), { scope: "col" }), ...columns));
      const body = make("tbody");
      const points = (one) => (one ? count(numbers, one, 1).points.map(signed).join(" : ") : "–");
      for (let at = 0; at < Math.max(mine.length, theirs.length); at++) {
        const kind = differs(mine[at], theirs[at]) ? "num diff" : "num";
        const cells = [mine[at], theirs[at]].map((one) => make("td", points(one), { class: kind }));
        body.append(row(make("th", labelOf(numbers, at + 1), { scope: "row" }), ...cells));
      }
      const table = make("table", undefined, { class: "two" });
      table.append(make("caption", gettext("Both score sheets, line by line"), { class: "vh" }), head, body);
      const buttons = make("p", undefined, { class: "btns" });
      buttons.append(
        make("button", gettext("Use this phone’s"), { type: "button", class: "btn go", id: "keep-mine" }),
        make("button", gettext("Use the other"), { type: "button", class: "btn", id: "take-theirs" }),
      );
      return [
        make("h2", gettext("Two phones have changed this score sheet"), { id: "conflict-head" }),
        make("p", told(gettext("Points of %(names)s. ≠ marks the differences. Nothing is lost until you choose."), { names: numbers.names.join(" : ") })),
        table, buttons,
      ];
    };

    return { coming, conflict, make, outcome, running };
  };
})();
