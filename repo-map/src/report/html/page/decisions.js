// What was decided, and what it cost.

function decisions() {
  const box = byId("decisions-body");
  if (!doc.steps.length) {
    return box.append(el("p", { class: "muted" }, doc.ranking
      ? "Nothing was decided by a pilot here: this map comes of rules and the fit alone."
      : "A replay decides and spends nothing."));
  }
  const entry = (step, at) => {
    const before = at > 0 ? doc.steps[at - 1].tokens : doc.start_at === 0 ? doc.start_tokens : null;
    const more = step.n_paths > step.paths.length ? ` and ${step.n_paths - step.paths.length} more` : "";
    return el("li", {},
      el("h3", {}, step.title, el("small", {}, `${before === null ? "" : `${grouped(before)} → `}${grouped(step.tokens)} tokens`)),
      el("p", { class: "said" }, step.text),
      step.notes.map((note) => el("p", { class: "note alert" }, note)),
      step.paths.length ? el("details", {}, el("summary", {}, plural(step.n_paths, "path")), el("p", { class: "path" }, step.paths.join("   ") + more)) : null);
  };
  box.append(el("ol", { class: "log" }, doc.steps.map(entry)), spend());
  if (doc.steps_left_out) box.append(el("p", { class: "note" }, `${plural(doc.steps_left_out, "later step")} have no room in this page; the run’s decision log has them.`));
}

function spend() {
  const value = (amount) => BigInt(amount[0]);
  const all = doc.steps.flatMap((step) => step.amounts).map(value);
  if (all.every((amount) => amount === 0n)) {
    return el("p", { class: "note" }, "Nothing was spent: no model was asked.", doc.limit ? ` The limit was ${doc.limit[1]}.` : "");
  }
  const most = all.reduce((a, b) => (a > b ? a : b), 1n);
  const cell = (amount) => {
    const bar = el("div");
    bar.style.width = `${Number((value(amount) * 1000n) / most) / 10}%`;
    return el("td", { class: "num" }, amount[1], el("div", { class: "strip", "aria-hidden": "true" }, bar));
  };
  const row = (step) => el("tr", {}, el("th", { scope: "row" }, step.title), step.amounts.map(cell));
  return el("div", {},
    el("h3", {}, "Spend"),
    scroll("Spend by turn", "", el("table", {},
      doc.limit ? el("caption", {}, `Limit ${doc.limit[1]}. Amounts are exact.`) : null,
      el("thead", {}, el("tr", {}, el("th", { scope: "col" }, "Turn"), doc.amounts.map((name) => el("th", { scope: "col", class: "num" }, name)))),
      el("tbody", {}, doc.steps.filter((step) => step.amounts.length).map(row)))));
}
