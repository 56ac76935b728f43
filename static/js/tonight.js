// The page of tonight by keyboard: Enter goes on, arrows move in the grid, Escape takes back; names appear with the table number.
"use strict";

(() => {
  const slip = () => document.getElementById("slip");
  const scores = () => [...slip().querySelectorAll(".score")];
  const rowOf = (text) => document.querySelector(`#grid-list li[data-table="${Number.parseInt(text, 10)}"]`);

  // The sides of a table become the labels of the score fields; fields that it does not need are left out.
  const name = () => {
    const row = rowOf(document.getElementById("s-no").value);
    const names = row ? [...row.querySelectorAll(".side :is(label, .name)")].map((each) => each.textContent.trim()) : [];
    for (const [at, field] of scores().entries()) {
      const label = field.labels[0];
      label.textContent = names[at] ?? field.dataset.label;
      field.parentElement.hidden = field.disabled = Boolean(row) && at >= names.length;
    }
    return row;
  };
  const empty = () => {
    for (const field of [document.getElementById("s-no"), ...scores()]) field.value = "";
    name();
    document.getElementById("s-no").focus();
  };

  // A whole slip is sent and the next one can be typed at once; a lost connection brings its scores back.
  let sending = Promise.resolve();
  const send = () => {
    const fields = [document.getElementById("s-no"), ...scores().filter((each) => !each.disabled)];
    const values = Object.fromEntries(fields.map((field) => [field.name, field.value]));
    const answer = { target: "#slip-said", select: "#slip-said", swap: "outerHTML show:none" };
    empty();
    sending = sending
      .then(() => htmx.ajax("POST", slip().action, { source: slip(), values: { ...values, do: "slip" }, ...answer }))
      .catch(() => {
        for (const field of fields) document.getElementById(field.id).value = values[field.name];
        name();
      });
  };
  document.addEventListener(
    "submit",
    (event) => {
      if (event.target !== slip()) return;
      const row = rowOf(document.getElementById("s-no").value);
      const isWhole = row?.querySelector(".score") && scores().every((field) => field.disabled || field.value.trim());
      if (!isWhole) return;
      event.preventDefault();
      event.stopPropagation();
      send();
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
    const rows = [...document.querySelectorAll("#grid-list li")].filter((row) => row.querySelector(".score"));
    const row = field.closest("li");
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
  document.addEventListener("input", (event) => {
    if (event.target.id === "s-no" && slip()) name();
  });
  // The mark between thousands is shown when the field is left, never while typing.
  document.addEventListener("focusout", (event) => {
    const field = cell(event.target);
    const digits = field?.classList.contains("score") ? field.value.replace(/[\s.,’']/g, "").replace(/^[-–−]/, "−") : "";
    if (!/^−?\d{4,7}$/.test(digits)) return;
    const number = Number(digits.replace("−", "-"));
    field.value = number.toLocaleString(document.documentElement.lang || "en").replace("-", "−");
  });
  document.addEventListener("htmx:afterSettle", () => {
    for (const field of document.querySelectorAll("#grid-list .score")) field.removeAttribute("aria-invalid");
    for (const error of document.querySelectorAll("#grid-list [data-cell]")) {
      document.getElementById(error.dataset.cell)?.setAttribute("aria-invalid", "true");
    }
  });
  if (slip()) name();
})();
