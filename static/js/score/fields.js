// The fields of a score sheet: filled from a deal or from what was typed, and read as a deal.
"use strict";

(() => {
  const { figure, told: worded, worth } = Foothold.reckon;

  // A whole number as it is typed, `1,385` or `−120`; null for anything else. What stands between thousands is the language’s.
  const whole = (text) => {
    const mark = pgettext("between thousands", ",");
    const plain = text.replaceAll(mark, "").replace(/[\s']/g, "").replace(/−/g, "-");
    return /^-?\d{1,7}$/.test(plain) ? Number(plain) : null;
  };

  window.Foothold.sheetFields = (form, numbers) => {
    const sides = numbers.names.map((_, side) => side);
    const field = (key) => form.elements.namedItem(key);
    const names = () => [...new Set([...form.elements].map((one) => one.name).filter((one) => /^s\d+-/.test(one)))];
    const TOTALS = { deals: "points", final: "final" };
    const isTotal = (row) => Object.values(TOTALS).includes(row);
    const rows = (way) => (way === "books" ? numbers.rows : [[TOTALS[way], "", "points", false]]);
    // Whether anything was entered since the page came from the site.
    const isTouched = () => [...form.elements].some((one) => /^s\d+-/.test(one.name)
      && (one.type === "radio" ? one.checked !== one.defaultChecked : one.value !== one.defaultValue));
    const values = () => Object.fromEntries(names().map((key) => [key, field(key).value]));

    const least = (input) => {
      const minus = input.parentElement.querySelector("button");
      if (minus) minus.disabled = !Number(input.value);
    };

    // ---- filling -------------------------------------------------------------------------------------------

    // Cards by rank stay open where they were opened, unless it is another deal than before.
    const fill = (deal, typed, isOther) => {
      const all = new Map(names().map((key) => [key, /-(melded|left|penalties|points|final)$/.test(key) ? "" : "0"]));
      if (deal) for (const side of sides) for (const [key, value] of told(deal, side)) all.set(key, String(value));
      if (typed) for (const [key, value] of Object.entries(typed)) all.set(key, value);
      for (const [key, value] of all) if (field(key)) field(key).value = value;
      for (const details of form.querySelectorAll("details.ranks")) {
        const isCounted = [...details.querySelectorAll("input")].some((input) => input.value !== "0");
        details.open = isCounted || (details.open && !isOther);
      }
      for (const input of form.querySelectorAll(".step input")) least(input);
    };
    const told = (deal, side) => {
      if (deal.points) return [[`s${side}-points`, deal.points[side]]];
      const team = deal.teams[side];
      return numbers.rows.flatMap(([row, , kind, isCards]) => {
        const key = `s${side}-${row}`;
        const value = numbers.kinds.includes(row) ? team.books?.[row] ?? 0 : team[row] ?? 0;
        if (kind === "out") return [[key, value ? 1 : 0]];
        if (isCards && typeof value === "object") {
          return [[key, worth(numbers, value)], ...Object.entries(value).map(([letter, one]) => [`${key}-${letter}`, one])];
        }
        return [[key, Math.abs(value)]];
      });
    };

    // ---- reading -------------------------------------------------------------------------------------------

    // The deal that the fields say; what is wrong with them, and what is missing, as sentences by field.
    const read = (way) => {
      const wrong = {}, missing = {};
      const figures = sides.map((side) => rows(way).map((row) => [row[0], one(side, row, wrong, missing)]));
      const deal = way !== "books" ? { points: figures.map(([[, value]]) => value) } : { teams: figures.map(team) };
      return { deal, wrong, missing };
    };
    const one = (side, [row, , kind, isCards], wrong, missing) => {
      const key = `s${side}-${row}`;
      const text = field(key).value.trim();
      const value = whole(text);
      if (!text) {
        if (isTotal(row)) missing[key] = worded(gettext("Enter the points of %(name)s."), { name: numbers.names[side] });
      } else if (value === null) wrong[key] = worded(gettext("“%(text)s” is not a whole number."), { text });
      else if (!isTotal(row) && value < 0) wrong[key] = gettext("Enter it without a minus sign.");
      else if (kind !== "points" && value > numbers.most) wrong[key] = worded(gettext("The limit is %(most)s."), { most: numbers.most });
      const counts = isCards ? ranks(key, wrong) : {};
      if (!Object.keys(counts).length) return key in wrong ? 0 : value ?? 0;
      const points = worth(numbers, counts);
      if (text && value !== points && !wrong[key]) {
        const sentence = gettext("Counted by rank it is %(points)s, but %(value)s is written here. Clear this figure, or set the ranks to 0.");
        wrong[key] = worded(sentence, { points: figure(points), value: figure(value) });
      }
      return counts;
    };
    const ranks = (key, wrong) => {
      const counts = {};
      for (const [letter] of numbers.ranks) {
        const text = field(`${key}-${letter}`).value.trim() || "0";
        const value = whole(text);
        if (value === null || value < 0 || value > numbers.most) wrong[key] = worded(gettext("“%(text)s” is not a number of cards."), { text });
        else if (value) counts[letter] = value;
      }
      return counts;
    };
    const team = (figures) => {
      const all = {};
      for (const [row, value] of figures) {
        if (numbers.kinds.includes(row)) (all.books = all.books || {})[row] = value;
        else if (row === "out") all.out = Boolean(value);
        else all[row] = row === "penalties" && value ? -value : value;
      }
      return all;
    };

    // ---- pressing ------------------------------------------------------------------------------------------

    // Where cards of a rank are counted, their points follow.
    const follow = (input) => {
      if (!input.closest(".rank")) return;
      const total = input.name.replace(/-[^-]+$/, "");
      field(total).value = String(worth(numbers, ranks(total, {})));
    };
    const changed = (input) => {
      if (input.closest(".step")) least(input);
      follow(input);
    };
    // Plus or minus, as the button's value says: `s0-clean:-1`.
    const press = (button) => {
      const [key, more] = button.value.split(":");
      const input = field(key);
      input.value = Math.max(0, Math.min(numbers.most, (whole(input.value) ?? 0) + Number(more)));
      changed(input);
      if (button.disabled) input.parentElement.querySelector("button:last-child").focus();
    };

    return { changed, fill, isTouched, names, press, read, rows, values };
  };
})();
