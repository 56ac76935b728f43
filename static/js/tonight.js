// The page of tonight by keyboard: Enter goes on, arrows move in the grid, Escape takes back; names appear with the table number.
"use strict";

(() => {
  const slip = () => document.getElementById("slip");
  const scores = () => [...slip().querySelectorAll(".score")];
  // Where several events are on, each counts its tables from 1, and the slip says which event it is of.
  const ofEvent = () => document.getElementById("s-of")?.value ?? "";
  const rows = () => [...document.querySelectorAll(`#grid-list li[data-table]${ofEvent() ? `[data-event="${ofEvent()}"]` : ""}`)];
  const rowOf = (text) => rows().find((row) => row.dataset.table === String(Number.parseInt(text, 10)));

  // The sides of a table become the labels of the score fields; fields that it, or no table of the event, needs are left out.
  const name = () => {
    const row = rowOf(document.getElementById("s-no").value);
    const sides = (row ? [row] : rows()).map((each) => each.querySelectorAll(".side").length);
    const needed = sides.length ? Math.max(...sides) : scores().length;
    const names = row ? [...row.querySelectorAll(".side :is(label, .name)")].map((each) => each.textContent.trim()) : [];
    for (const [at, field] of scores().entries()) {
      const label = field.labels[0];
      label.textContent = names[at] ?? field.dataset.label;
      field.parentElement.classList.remove("spare");
      field.parentElement.hidden = field.disabled = at >= needed;
    }
    return row;
  };
  const empty = () => {
    for (const field of [document.getElementById("s-no"), ...scores()]) {
      field.value = "";
      field.removeAttribute("aria-invalid");
    }
    name();
    keepSlip();
    document.getElementById("s-no").focus();
  };

  // What is half typed survives a reload.
  const unsent = window.Foothold?.unsent;
  const keepSlip = () => {
    if (!unsent || !slip()) return;
    const typed = { of: ofEvent(), table: document.getElementById("s-no").value, scores: scores().map((field) => field.value) };
    unsent.slip = typed.table || typed.scores.some(Boolean) ? typed : null;
  };
  const restoreSlip = () => {
    const typed = unsent?.slip;
    if (!typed || document.getElementById("s-no").value) return;
    document.getElementById("s-no").value = typed.table;
    if (typed.of && ofEvent()) document.getElementById("s-of").value = typed.of;
    for (const [at, field] of scores().entries()) field.value = typed.scores[at] ?? "";
  };

  // A whole slip is kept here, the next one can be typed at once; it is sent as soon as there is a connection.
  const AGAIN = 5000;
  const freshKey = () => Array.from(crypto.getRandomValues(new Uint32Array(4)), (part) => part.toString(36)).join("");
  const isAnswer = ({ xhr }) => (xhr.status < 300 && xhr.status >= 200 && isHere(xhr)) || [409, 422].includes(xhr.status);
  const isHere = (xhr) => new URL(xhr.responseURL, location).pathname === location.pathname;
  const post = ({ key, match, of, table, scores: typed }) =>
    new Promise((resolve) => {
      let isTaken = false;
      const hear = (event) => {
        if (event.detail.requestConfig.parameters.key === key) isTaken = isAnswer(event.detail);
      };
      const values = { do: "slip", key, match, of: of ?? "", table, ...Object.fromEntries(typed.map((score, at) => [`s${at}`, score])) };
      const answer = { target: "#slip-said", select: "#slip-said", swap: "outerHTML show:none" };
      document.addEventListener("htmx:afterRequest", hear);
      htmx
        .ajax("POST", slip().action, { source: slip(), values, ...answer })
        .catch(() => {})
        .then(() => {
          document.removeEventListener("htmx:afterRequest", hear);
          resolve(isTaken);
        });
    });
  let isSending = false, retry = 0;
  const sendAll = async () => {
    if (isSending || !unsent || (unsent.first() && !slip())) return;
    isSending = true;
    clearTimeout(retry);
    for (let next = unsent.first(); next && (await post(next)); next = unsent.first()) unsent.drop(next.key);
    isSending = false;
    restoreRows();
    if (!unsent.first()) for (const [pk] of unsent.rows) htmx.trigger(`#row-${pk}`, "change");
    if (!unsent.isEmpty()) retry = setTimeout(sendAll, AGAIN);
  };
  const send = (row) => {
    const typed = scores().filter((field) => !field.disabled).map((field) => field.value);
    const table = document.getElementById("s-no").value;
    unsent.add({ key: freshKey(), match: row.dataset.match, of: ofEvent(), table, scores: typed });
    empty();
    sendAll();
  };
  window.addEventListener("online", sendAll);
  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== slip() || !unsent) return;
      const row = rowOf(document.getElementById("s-no").value);
      const isWhole = row?.querySelector(".score") && scores().every((field) => field.disabled || field.value.trim());
      if (!isWhole) return;
      event.preventDefault();
      event.stopPropagation();
      send(row);
    },
    true,
  );

  const inSlip = (event, field) => {
    if (event.key === "Escape") {
      event.preventDefault();
      empty();
    }
    if (event.key !== "Enter" || !field.value.trim()) return;
    const fields = scores().filter((each) => !each.disabled);
    // An unknown number, or the last score: the server answers.
    const next = field.id === "s-no" ? name() && fields[0] : fields[fields.indexOf(field) + 1];
    if (!next) return;
    event.preventDefault();
    next.focus();
  };

  const inGrid = (event, field) => {
    const cells = [...document.querySelectorAll("#grid-list .score")];
    const step = (by) => {
      event.preventDefault();
      cells[cells.indexOf(field) + by]?.focus();
    };
    if (event.key === "Enter") step(1);
    if (event.key === "Escape") field.value = field.dataset.before ?? field.defaultValue;
    const move = { ArrowUp: -1, ArrowDown: 1 }[event.key];
    if (!move) return;
    // A table, or one of its boards, has its cells in one line.
    const rows = [...document.querySelectorAll("#grid-list .sides")].filter((row) => row.querySelector(".score"));
    const row = field.closest(".sides");
    const column = [...row.querySelectorAll(".score")].indexOf(field);
    event.preventDefault();
    const to = rows[rows.indexOf(row) + move]?.querySelectorAll(".score") ?? [];
    (to[column] ?? to[0])?.focus();
  };

  const cell = (target) => (target instanceof HTMLInputElement && target.classList.contains("cell") ? target : null);
  document.addEventListener("keydown", (event) => {
    const field = cell(event.target);
    if (!field || event.isComposing || event.ctrlKey || event.metaKey || event.altKey) return;
    (field.closest("#slip") ? inSlip : inGrid)(event, field);
  });
  document.addEventListener("focusin", (event) => {
    const field = cell(event.target);
    if (!field) return;
    field.dataset.before = field.value;
    field.select();
  });
  // What was wrong with a table number is gone once another is typed.
  const forgive = (field) => {
    if (!field.hasAttribute("aria-invalid")) return;
    field.removeAttribute("aria-invalid");
    document.getElementById("slip-said").textContent = "";
  };
  document.addEventListener("input", (event) => {
    if (event.target.id === "s-no") forgive(event.target);
    if (["s-no", "s-of"].includes(event.target.id) && slip()) name();
    if (event.target.closest("#slip")) keepSlip();
  });

  // Rows of the grid are kept until the site has them, with the version or the scores that were changed.
  const KEPT = ".score, [name^=v-], [name^=was-]";
  const rowWith = (target) => target.closest?.("#grid-list [id^=row-]");
  const valuesOf = (row) => Object.fromEntries([...row.querySelectorAll(KEPT)].map((field) => [field.name, field.value]));
  document.addEventListener(
    "change",
    (event) => {
      const row = rowWith(event.target);
      if (row && unsent) unsent.keep(row.id.replace("row-", ""), valuesOf(row));
    },
    true,
  );
  document.addEventListener("htmx:afterRequest", (event) => {
    const row = rowWith(event.detail.elt);
    if (!row || !unsent) return;
    if (isAnswer(event.detail)) unsent.take(row.id.replace("row-", ""));
    else {
      clearTimeout(retry);
      retry = setTimeout(sendAll, AGAIN);
    }
  });
  const restoreRows = () => {
    for (const [pk, values] of unsent?.rows ?? []) {
      const row = document.getElementById(`row-${pk}`);
      if (!row?.querySelector(".score")) unsent.take(pk);
      else {
        for (const field of row.querySelectorAll(KEPT)) {
          // What is being typed right now is newer; a fresh field that only has the focus is not.
          const isTyped = field === document.activeElement && field.value !== field.defaultValue;
          if (!isTyped) field.value = values[field.name] ?? field.value;
        }
      }
    }
  };
  // The mark between thousands is shown when the field is left, never while typing.
  document.addEventListener("focusout", (event) => {
    const field = cell(event.target);
    const digits = field?.classList.contains("score") ? field.value.replace(/[\s.,’']/g, "").replace(/^[-–−]/, "−") : "";
    if (!/^−?\d{4,7}$/.test(digits)) return;
    const number = Number(digits.replace("−", "-"));
    field.value = number.toLocaleString(document.documentElement.lang || "en").replace("-", "−");
  });
  document.addEventListener("htmx:afterSettle", () => {
    keepSlip();
    restoreRows();
    for (const field of document.querySelectorAll("#grid-list .score")) field.removeAttribute("aria-invalid");
    for (const error of document.querySelectorAll("#grid-list [data-cell]")) {
      document.getElementById(error.dataset.cell)?.setAttribute("aria-invalid", "true");
    }
  });
  if (slip()) {
    restoreSlip();
    name();
  }
  restoreRows();
  sendAll();
})();
