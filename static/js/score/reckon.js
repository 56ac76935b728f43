// Adds a score sheet up without the site: from the numbers of a ruleset that its page carries, to the same sums,
// remarks and refusals that the site comes to (gameplay/reckoning.py, engine/play/paper.py).
"use strict";

(() => {
  const BOOK = 7;
  const CLEAN_BOOK = -1;

  const told = (text, values) => interpolate(text, values, true);
  const LISTED = gettext("%(first)s and %(last)s");
  // `Ann`, `Ann and Ben`, `Ann, Ben and Cem`.
  const listed = (words) => (words.length > 1 ? told(LISTED, { first: words.slice(0, -1).join(", "), last: words.at(-1) }) : words.join(""));

  // `−1,250`, as web/words.py writes it.
  const MARK = pgettext("between thousands", ",");
  const figure = (value) => String(Math.abs(value)).replace(/\B(?=(\d{3})+$)/g, MARK).replace(/^/, value < 0 ? "−" : "");
  const signed = (value) => (value > 0 ? `+${figure(value)}` : figure(value));

  const isCounts = (value) => typeof value === "object" && value !== null;
  const sum = (values) => values.reduce((all, one) => all + one, 0);
  const pointsOf = (numbers) => new Map(numbers.ranks);
  const worth = (numbers, counts) => {
    const points = pointsOf(numbers);
    return sum(Object.entries(counts).map(([letter, count]) => points.get(letter) * count));
  };
  const book = (team, kind) => (team.books && team.books[kind]) || 0;
  const points = (numbers, value) => (isCounts(value) ? worth(numbers, value) : value || 0);

  // ---- what a deal comes to --------------------------------------------------------------------------------

  const redThreesLaid = (numbers, team) => {
    const laid = team.red_threes_laid || 0;
    let found = laid * numbers.redThree[0];
    if (numbers.redThreeAll !== null && laid && laid === numbers.redThrees) found = numbers.redThreeAll;
    if (numbers.redThreeSets) {
      const [size, worthOfSet] = numbers.redThreeSets;
      found = Math.floor(laid / size) * worthOfSet + (laid % size) * numbers.redThree[0];
    }
    return numbers.redThreeSevens && !book(team, "sevens") ? -Math.abs(found) : found;
  };

  // Points of one side by the name of the row; a row that counts nothing is left out.
  const inDeal = (values, at) => values[Math.min(at, values.length) - 1];

  const items = (numbers, team, at) => {
    const found = {};
    const put = (row, count, value) => { if (count || value) found[row] = value === 0 ? 0 : value; };
    for (const kind of numbers.kinds) {
      const count = book(team, kind);
      const bonus = kind === "wild" && numbers.wildNeedsClean && !book(team, "clean") ? 0 : numbers.bonus[kind];
      put(kind, count, count * bonus);
    }
    const unfinished = team.unfinished_wild || 0;
    put("unfinished_wild", unfinished, unfinished * numbers.wildUnfinished);
    put("red_threes_laid", team.red_threes_laid, redThreesLaid(numbers, team));
    const counts = numbers.heldCounts || !team.out;
    put("red_threes_held", counts && team.red_threes_held, counts ? (team.red_threes_held || 0) * numbers.redThree[1] : 0);
    put("out", team.out, team.out ? inDeal(numbers.out, at) : 0);
    put("lifts", numbers.lift ? team.lifts : 0, (team.lifts || 0) * numbers.lift);
    put("melded", 0, points(numbers, team.melded));
    put("lift_points", team.lift_points, team.lift_points || 0);
    put("left", 0, counts ? -points(numbers, team.left) : 0);
    put("penalties", team.penalties, team.penalties || 0);
    return found;
  };

  const BOOKS = {
    clean: gettext("%(count)s clean %(books)s"),
    dirty: gettext("%(count)s dirty %(books)s"),
    wild: gettext("%(count)s wild %(books)s"),
    sevens: gettext("%(count)s %(books)s of sevens"),
  };
  const booksWords = (numbers, kind, count) => {
    const index = count === 1 ? 0 : 1;
    return BOOKS[kind] ? told(BOOKS[kind], { count, books: numbers.bookWords[index] }) : `${count} ${numbers.specialBooks[kind][index]}`;
  };

  // The books of the contract that a side which went out has not, in words; or nothing.
  const lacks = (numbers, deal, side, at) => {
    if (deal.points || !deal.teams[side].out) return "";
    const words = Object.entries(inDeal(numbers.contract, at))
      .map(([kind, count]) => [kind, count - book(deal.teams[side], kind)])
      .filter(([, count]) => count > 0)
      .map(([kind, count]) => booksWords(numbers, kind, count));
    return listed(words);
  };

  const count = (numbers, deal, at) => {
    if (deal.points) return { points: [...deal.points], items: numbers.names.map(() => ({})), remarks: [] };
    const found = deal.teams.map((team) => items(numbers, team, at));
    const remarks = numbers.names
      .map((name, side) => [name, lacks(numbers, deal, side, at)])
      .filter(([, words]) => words)
      .map(([name, books]) => told(wordsOf(numbers, gettext("Deal %(deal)s: %(name)s went out but still needed %(books)s."), at), { deal: labelOf(numbers, at), name, books }));
    return { points: found.map((one) => sum(Object.values(one))), items: found, remarks };
  };

  const totals = (numbers, deals) =>
    deals.reduce((all, deal, index) => count(numbers, deal, index + 1).points.map((one, side) => one + all[side]), numbers.names.map(() => 0));

  const isOver = (numbers, deals) => {
    const [by, number] = numbers.length;
    if (!deals.length) return false;
    const all = totals(numbers, deals);
    const best = Math.max(...all);
    if (by === "deals" ? deals.length < number : best < number) return false;
    return !(numbers.extraDeals && all.filter((one) => one === best).length > 1);
  };

  // What is said of deals, and of boards that other tables play too; gameplay/score_sheets/deal_names.py has more.
  const OF_BOARDS = {
    [gettext("Change deal %(number)s")]: gettext("Change board %(number)s"),
    [gettext("Deal")]: gettext("Board"),
    [gettext("Deal %(number)s")]: gettext("Board %(number)s"),
    [gettext("Deal %(number)s, the last")]: gettext("Board %(number)s, the last"),
    [gettext("Deal %(number)s.")]: gettext("Board %(number)s."),
    [gettext("Deal %(number)s comes next.")]: gettext("Board %(number)s comes next."),
    [gettext("Deal %(number)s is not saved yet.")]: gettext("Board %(number)s is not saved yet."),
    [gettext("Deal %(number)s has just been changed on another phone: %(points)s. Save again to replace it.")]: gettext("Board %(number)s has just been changed on another phone: %(points)s. Save again to replace it."),
    [gettext("Deal %(number)s has just been deleted on another phone. Save again to replace it.")]: gettext("Board %(number)s has just been deleted on another phone. Save again to replace it."),
    [gettext("%(title)s, deal %(number)s")]: gettext("%(title)s, board %(number)s"),
    [gettext("%(title)s, deal %(number)s of %(all)s")]: gettext("%(title)s, board %(number)s"),
    [gettext("%(title)s: all deals")]: gettext("%(title)s: all boards"),
    [gettext("Deal %(deal)s: %(name)s went out but still needed %(books)s.")]: gettext("Board %(deal)s: %(name)s went out but still needed %(books)s."),
  };
  const labelOf = (numbers, number) => numbers.boards[number - 1] ?? number;
  // A text of these about a deal, with its number or that of its board.
  const wordsOf = (numbers, text, number = 1) => ((number === null ? numbers.boards.length : numbers.boards[number - 1]) && OF_BOARDS[text]) || text;

  // Whether the rules may have a deal of this number, as far as its number goes.
  const mayFollow = (numbers, number) => numbers.length[0] !== "deals" || number <= numbers.length[1] || numbers.extraDeals;

  // The least value of a side's first meld in a deal, by its total before.
  const minimum = (numbers, deal, total) => {
    const { kind, steps } = numbers.opening;
    if (kind === "none") return 0;
    if (kind === "by_deal") return steps[Math.min(deal, steps.length) - 1][1];
    const reached = steps.filter(([start]) => start === null || total >= start);
    return reached.length ? reached.at(-1)[1] : 0;
  };

  // An opening minimum: points, or a clean book.
  const openingWords = (points) => (points === CLEAN_BOOK ? gettext("clean book") : figure(points));

  // ---- what cannot be --------------------------------------------------------------------------------------

  class Wrong extends Error {
    constructor(sentence, side, row) {
      super(sentence);
      this.found = { sentence, side, row };
    }
  }

  const blame = (numbers, side, row, why) => {
    const named = numbers.rows.find(([name]) => name === row);
    // Only English writes nouns small.
    const isSmall = named && document.documentElement.lang !== "de";
    const label = named ? (isSmall ? named[1].toLowerCase() : named[1]) : numbers.bookWords[1];
    throw new Wrong(`${numbers.names[side]}, ${label}: ${why}`, side, row);
  };

  const checkUnits = (numbers, team, side) => {
    for (const row of ["left", "melded"]) {
      const value = isCounts(team[row]) ? 0 : team[row] || 0;
      if (numbers.unit && value % numbers.unit) {
        blame(numbers, side, row, told(gettext("%(points)s points are not possible, because every card is worth a multiple of %(unit)s."), { points: value, unit: numbers.unit }));
      }
    }
  };

  const checkTeam = (numbers, team, side) => {
    const size = numbers.shape[1];
    const wild = gettext("melds of wild cards are not played in this ruleset.");
    const unfinished = team.unfinished_wild || 0;
    const lifts = team.lifts || 0;
    const bad = (row, why) => blame(numbers, side, row, why);
    if (book(team, "wild") && !numbers.wildMelds) bad("books", wild);
    if (unfinished && !numbers.wildMelds) bad("unfinished_wild", wild);
    if (unfinished > 1) bad("unfinished_wild", gettext("a team has at most one unfinished meld of a rank."));
    if (lifts && !numbers.lift) bad("lifts", gettext("nobody lifts the cards in this ruleset."));
    if (lifts > numbers.lifters) bad("lifts", told(gettext("each player in a team of %(count)s lifts only once."), { count: size }));

    const natural = sum(numbers.kinds.filter((kind) => kind !== "wild").map((kind) => book(team, kind)));
    const least = Math.min(numbers.leastNatural, numbers.wildWorth) * BOOK * natural
      + numbers.wildWorth * (BOOK * book(team, "wild") + 3 * unfinished);
    const cards = BOOK * (natural + book(team, "wild")) + 3 * unfinished;
    const melded = points(numbers, team.melded);
    if (isCounts(team.melded) || melded === 0) {
      const there = isCounts(team.melded) ? sum(Object.values(team.melded)) : 0;
      if (there < cards) bad("melded", told(gettext("its books and wild melds alone are %(cards)s cards, not %(there)s."), { cards, there }));
    }
    if (melded < least) bad("melded", told(gettext("its books alone are worth %(least)s or more in cards, not %(melded)s."), { least, melded }));

    const isLeft = points(numbers, team.left) || (isCounts(team.left) && sum(Object.values(team.left)));
    if (team.out && size === 1 && (isLeft || team.red_threes_held)) bad("left", gettext("a player who goes out has no card left."));
  };

  const checkTable = (numbers, teams) => {
    const found = new Map();
    let red = 0;
    teams.forEach((team, side) => {
      red += (team.red_threes_laid || 0) + (team.red_threes_held || 0);
      if (red > numbers.redThrees) {
        const row = team.red_threes_laid ? "red_threes_laid" : "red_threes_held";
        blame(numbers, side, row, told(gettext("that makes %(count)s red threes, but the pack has only %(most)s."), { count: red, most: numbers.redThrees }));
      }
      for (const row of ["melded", "left"]) {
        if (isCounts(team[row])) for (const [letter, more] of Object.entries(team[row])) found.set(letter, (found.get(letter) || 0) + more);
        for (const letter of numbers.order) {
          const most = numbers.pack[letter] || 0;
          if ((found.get(letter) || 0) > most) {
            const values = { count: found.get(letter), card: letter, most };
            blame(numbers, side, row, told(gettext("that makes %(count)s × %(card)s, but the pack has only %(most)s."), values));
          }
        }
      }
    });
  };

  const checkBooks = (numbers, teams) => {
    const wildThere = (numbers.pack["2"] || 0) + (numbers.pack.X || 0);
    const naturalThere = sum([..."456789TJQKA"].map((letter) => numbers.pack[letter] || 0));
    let wild = 0, natural = 0;
    teams.forEach((team, side) => {
      wild += BOOK * book(team, "wild") + 3 * (team.unfinished_wild || 0) + book(team, "dirty");
      const mixed = ["dirty", ...numbers.mixed];
      const pure = numbers.kinds.filter((kind) => kind !== "wild" && !mixed.includes(kind));
      natural += BOOK * sum(pure.map((kind) => book(team, kind)));
      natural += (BOOK - numbers.wildLimit) * sum(mixed.map((kind) => book(team, kind)));
      if (wild > wildThere) {
        const text = gettext("so many books take %(needed)s wild cards, but the pack has only %(most)s.");
        blame(numbers, side, "books", told(text, { needed: wild, most: wildThere }));
      }
      if (natural > naturalThere) {
        const text = gettext("so many books take %(needed)s natural cards, but the pack has only %(most)s.");
        blame(numbers, side, "books", told(text, { needed: natural, most: naturalThere }));
      }
    });
  };

  const checked = (numbers, deal) => {
    if (deal.points) return;
    const { teams } = deal;
    if (!numbers.shape) {
      throw new Wrong(told(gettext("%(ruleset)s has no scoring for a table of this size. Enter totals."), { ruleset: numbers.title }));
    }
    const out = teams.map((team, side) => (team.out ? side : -1)).filter((side) => side >= 0);
    if (out.length > 1) {
      const names = out.map((side) => numbers.names[side]);
      // Names with commas of their own are told apart by "and" alone.
      const sides = names.some((name) => name.includes(",")) ? names.reduce((first, last) => told(LISTED, { first, last })) : listed(names);
      throw new Wrong(told(gettext("Only one side can go out in a deal, not %(sides)s."), { sides }), out[1], "out");
    }
    teams.forEach((team, side) => checkUnits(numbers, team, side));
    teams.forEach((team, side) => checkTeam(numbers, team, side));
    checkTable(numbers, teams);
    checkBooks(numbers, teams);
    const all = sum(teams.map((team) => points(numbers, team.melded) + points(numbers, team.left)));
    if (all > numbers.packWorth) {
      const text = gettext("The cards of all teams are worth %(all)s together, but the whole pack is worth %(pack)s.");
      throw new Wrong(told(text, { all, pack: numbers.packWorth }));
    }
  };

  // Why a deal cannot be, as {sentence, side, row}; null where it can.
  const refusal = (numbers, deal) => {
    try {
      checked(numbers, deal);
      return null;
    } catch (error) {
      if (error instanceof Wrong) return error.found;
      throw error;
    }
  };

  window.Foothold = window.Foothold || {};
  window.Foothold.reckon = { count, figure, inDeal, isOver, labelOf, lacks, listed, mayFollow, minimum, openingWords, refusal, signed, told, totals, wordsOf, worth };
})();
