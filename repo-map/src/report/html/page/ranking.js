// The ranking as a table that can be sorted and filtered.

function ranking() {
  const box = byId("ranking-body");
  if (!doc.ranking) return box.append(el("p", { class: "note" }, "A replay ranks nothing: the plan says every level exactly. The page of the exploration has the ranking."));
  const used = doc.signals.map((_, at) => at).filter((at) => ranks.rows.some((row) => row.values.has(at)));
  // What a person points at weighs more than all evidence; a scale that has room for it would show nothing else.
  const strongest = Math.max(...used.map((at) => Math.min(1, doc.signals[at][1])), 0.001);
  const columns = [
    { name: "Path", key: (row) => filePath(row.file), words: true },
    { name: "#", key: (row) => row.rank, first: "ascending" },
    { name: "Score", key: (row) => row.score },
    { name: "Level", words: true, key: (row) => tree.last[row.file] },
    { name: "Tokens", key: (row) => tree.sizes[row.file] },
    { name: "Role", words: true, key: (row) => row.factor },
    ...used.map((at) => ({ name: doc.signals[at][0], weight: doc.signals[at][1], key: (row) => row.values.get(at) || 0, signal: at })),
  ];
  let [by, down] = [1, false];
  const body = el("tbody");
  const count = el("p", { class: "hint", role: "status" });
  const search = el("input", { type: "search", id: "filter", autocomplete: "off", spellcheck: "false" });
  const least = el("select", { id: "filter-level" }, el("option", { value: "0" }, "any level"), LEVELS.slice(1).map((level, at) => el("option", { value: at + 1 }, `${level} or more`)));
  let more = el("span");
  const cell = (row) => (column) => {
    const value = column.key(row);
    if (column.signal !== undefined) {
      const td = el("td", { class: "num part" }, value ? fixed(value) : "");
      td.style.setProperty("--share", String(Math.min(1, ((value / 1e6) * column.weight) / strongest)));
      return td;
    }
    if (column.name === "Level") return el("td", {}, chip(value, levelWords(row.file, value)));
    if (column.name === "Role") return el("td", {}, row.role, el("span", { class: "muted" }, ` × ${row.factor.toFixed(2)}`));
    if (column.name === "Score") return el("td", { class: "num" }, fixed(value, 3));
    return el("td", { class: "num" }, column.name === "Tokens" ? (tree.estimated.has(row.file) ? `~${grouped(value)}` : grouped(value)) : grouped(value));
  };
  const line = (row) => el("tr", {}, el("th", { scope: "row" }, fileLink(row.file)), columns.slice(1).map(cell(row)));
  const heads = columns.map((column, at) => el("th", { scope: "col", class: column.words ? "" : "num" },
    el("button", { type: "button", class: "sort", onclick: () => sort(at) }, column.name, column.weight === undefined ? null : el("small", {}, ` × ${column.weight}`))));
  const draw = () => {
    const words = search.value.toLowerCase();
    const rows = ranks.rows.filter((row) => tree.last[row.file] >= Number(least.value) && (!words || filePath(row.file).toLowerCase().includes(words)));
    const { key } = columns[by];
    const keyed = rows.map((row) => [key(row), row]);
    keyed.sort(([a, one], [b, other]) => (a < b ? -1 : a > b ? 1 : 0) * (down ? -1 : 1) || one.rank - other.rank);
    heads.forEach((head, at) => (at === by ? head.setAttribute("aria-sort", down ? "descending" : "ascending") : head.removeAttribute("aria-sort")));
    body.replaceChildren();
    const grown = growing(body, keyed.map(([, row]) => row), line, PLACES);
    more.replaceWith(grown);
    more = grown;
    count.textContent = `${plural(rows.length, PLACE)} of ${grouped(ranks.rows.length)}`;
  };
  const sort = (at) => {
    if (by === at) down = !down;
    else [by, down] = [at, at !== 0 && !columns[at].first];
    draw();
  };
  search.addEventListener("input", draw);
  least.addEventListener("change", draw);
  box.append(
    el("p", { class: "muted" }, doc.goal
      ? `The score is the sum of the values times their weights, times the factor of the ${PLACE}’s role, over the best ${PLACE}’s. Values are between 0 and 1; the line under a value is what it adds.`
      : `Without a goal a ${PLACE} is worth what the rest of the ${WORLD} leans on it.`),
    el("div", { class: "filters" }, el("label", { for: "filter" }, "Path contains", search), el("label", { for: "filter-level" }, "Level", least), count),
    scroll(`Ranking of ${PLACES}`, "ranks", el("table", {}, el("thead", {}, el("tr", {}, heads)), body)),
    more);
  const missing = doc.n_files - ranks.rows.length;
  if (missing > 0) box.append(el("p", { class: "hint" }, `${plural(missing, PLACE)} more have no room here; `, el("code", {}, [PROGRAM, "rank", ...SOURCE, ...(doc.goal ? ["--goal …"] : [])].join(" ")), " prints them all."));
  draw();
}
