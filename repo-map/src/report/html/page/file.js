// One file: its texts, its rule and the parts of its score.

const ranks = (() => {
  const rows = (doc.ranking || []).map(([file, score, factor, role, parts], at) => {
    const values = new Map();
    for (let part = 0; part < parts.length; part += 2) values.set(parts[part], parts[part + 1]);
    const sum = [...values].reduce((all, [signal, value]) => all + (value / 1e6) * doc.signals[signal][1], 0);
    return { file, score, factor: factor / 1e6, role, values, sum, rank: at + 1 };
  });
  // The best file's score is one: what its sum comes to is what every sum is divided by.
  const best = rows.length ? rows[0].sum * rows[0].factor : 0;
  return { rows, best, of: new Map(rows.map((row) => [row.file, row])) };
})();

const prices = new Map(doc.prices.map(([file, ceiling, levels]) => [file, { ceiling, levels }]));
const demoted = new Map(doc.demoted);

const fileLink = (file) => el("button", { type: "button", class: "link", onclick: () => select(file, true) }, filePath(file));

/** One word of a shell, whatever is in it. */
const quoted = (word) => `'${word.replaceAll("'", "'\\''")}'`;

/** The program of these documents, and where its commands are run. */
const [PROGRAM, WHERE] = WORLD === "site" ? ["site-map", "Run with the site or its recording for SITE:"] : ["repo-map", "Run in the repository’s folder:"];
const SOURCE = WORLD === "site" ? ["SITE"] : [];

/** The command that prints a file at a level. */
function commandFor(file, level, tokens) {
  const glob = `/${filePath(file).replace(/[*?[\]{}\\!]/g, "\\$&")}`;
  const room = Math.ceil(((tokens ?? 2 * tree.sizes[file]) + 400) / 100) * 100;
  return [PROGRAM, ...SOURCE, ...doc.flags, "--tokens", room, "--level", quoted("**=exclude"), "--level", quoted(`${glob}=${level}`)].join(" ");
}

function select(file, goThere) {
  const title = byId("file-title");
  title.replaceChildren(el("span", { class: "path" }, filePath(file)));
  byId("file-body").replaceChildren(factsOf(file), el("div", { class: "columns" }, textsOf(file), reasonsOf(file)));
  if (goThere) {
    title.scrollIntoView({ block: "start" });
    title.focus({ preventScroll: true });
  }
}

function terms(rows, className) {
  const pair = ([name, what]) => el("div", {}, el("dt", {}, name), el("dd", {}, what));
  return el("dl", { class: className }, rows.filter(([, what]) => what !== null && what !== undefined).map(pair));
}

function factsOf(file) {
  const level = tree.last[file];
  const asked = demoted.get(file);
  return terms([
    ["Level in the map", chip(level, levelWords(file, level))],
    ["Asked for", asked ? el("span", { class: "warn" }, `${asked}, which did not fit`) : null],
    ["In the map", `${grouped(tree.tokens.get(file) || 0)} tokens`],
    [`Whole ${PLACE}`, `${size(file)} tokens`],
    ["Marked", tree.marks.get(file)],
    ["Rule that won", ruleOf(file)],
  ], "facts");
}

function ruleOf(file) {
  const at = tree.rule[file];
  if (at < 0) return doc.rules.length ? "none: at most fold" : "none: the fit decides";
  const rule = doc.rules[at];
  if (!rule) return `the ${grouped(at + 1)}th, which is not in this page`;
  const [who, position, glob, level, items, why] = rule;
  const what = [level, items && `items ${items}`].filter(Boolean).join("; ");
  return el("span", {}, el("code", {}, `${who}[${position}]`), " ", el("span", { class: "path" }, glob), ` → ${what}`, why ? el("span", { class: "muted" }, ` (${why})`) : null);
}

function textsOf(file) {
  const price = prices.get(file);
  const box = el("div");
  if (!price) {
    box.append(
      el("p", { class: "note" }, `This ${PLACE} was not read for this page: the ${PLACES} that matter most are. ${WHERE}`),
      ...["outline", "interface", "full"].map((level) => el("p", {}, el("code", {}, commandFor(file, level)))));
    return box;
  }
  const out = el("div", { class: "text", role: "region", "aria-live": "polite", "aria-label": "Text at this level" });
  const inMap = price.levels.findIndex(([level]) => !LEVELS.includes(level));
  const show = (at) => {
    const [level, tokens] = price.levels[at];
    const text = doc.texts[file] ? doc.texts[file][at] : undefined;
    if (typeof text === "string") {
      const pre = el("pre", { tabindex: "0", "aria-label": `${filePath(file)} at level ${level}` });
      pre.textContent = text;
      out.replaceChildren(pre);
      return;
    }
    const ruled = `A rule allows at most ${price.ceiling} here, so this text is not in the page.`;
    const roomless = at === inMap ? "This text has no room in the page; the map has it." : `This text has no room in the page. ${WHERE}`;
    const why = text === null ? ruled : roomless;
    // How the map shows items of their own is in the map; no level of a file says it.
    const command = text === null || at === inMap ? null : el("p", {}, el("code", {}, commandFor(file, level, tokens)));
    out.replaceChildren(el("p", { class: "note" }, why, command));
  };
  const shown = Math.max(0, inMap, price.levels.findIndex(([level]) => level === LEVELS[Math.max(PATH, tree.last[file])]));
  const tab = ([level, tokens], at) => el("label", {},
    el("input", { type: "radio", name: "level", value: level, checked: at === shown, onchange: () => show(at) }),
    level, el("span", { class: "muted num" }, grouped(tokens)));
  box.append(el("fieldset", { class: "tabs" }, el("legend", {}, "Level, and its size in tokens"), price.levels.map(tab)), out);
  if (!price.levels.some(([level]) => level === "outline")) box.append(el("p", { class: "hint" }, `This ${PLACE} has no outline.`));
  const items = apart.get(file);
  if (items) {
    const row = ([name, level, first, last]) => el("li", {}, el("span", { class: "path" }, name), el("span", { class: "muted" }, level, first ? `, lines ${first}–${last}` : ""));
    box.append(el("details", { class: "apart" }, el("summary", {}, `${plural(items.length, PART)} at another level than the ${PLACE}`), el("ul", { class: "plain" }, items.map(row))));
  }
  show(shown);
  return box;
}

function reasonsOf(file) {
  if (!doc.ranking) return el("div", {}, el("p", { class: "muted" }, "Nothing was ranked, so there is no score to take apart."));
  const row = ranks.of.get(file);
  if (!row) {
    const command = [PROGRAM, "explain", ...SOURCE, doc.goal ? `--goal ${quoted(doc.goal)}` : "", quoted(filePath(file))].filter(Boolean).join(" ");
    return el("div", {}, el("p", { class: "note" }, "Its score has no room in the page. ", el("code", {}, command)));
  }
  const parts = [...row.values].map(([signal, value]) => [...doc.signals[signal], value]).sort((a, b) => b[1] * b[2] - a[1] * a[2]);
  const cell = (words) => el("td", { class: "num" }, words);
  const line = ([name, weight, value]) => el("tr", {}, el("th", { scope: "row" }, name), cell(fixed(value)), cell(`× ${weight}`), cell(((value / 1e6) * weight).toFixed(3)));
  const head = (words, className) => el("th", { scope: "col", class: className }, words);
  return el("div", {},
    el("table", {},
      el("caption", {}, `Rank ${grouped(row.rank)} of ${grouped(doc.n_files)}, score ${fixed(row.score, 3)}, role ${row.role}`),
      el("thead", {}, el("tr", {}, head("Signal"), head("Value", "num"), head("Weight", "num"), head("Adds", "num"))),
      el("tbody", {}, parts.map(line))),
    el("p", { class: "hint" }, `Sum ${row.sum.toFixed(3)} × ${row.factor.toFixed(2)} for its role, over ${ranks.best.toFixed(3)} of the best = ${ranks.best ? ((row.sum * row.factor) / ranks.best).toFixed(3) : "0"}.`));
}
