// The head of the page and its theme; then everything is drawn.

const TITLE = `${WORLD[0].toUpperCase()}${WORLD.slice(1)} map`;

function head() {
  document.title = doc.goal ? `${doc.goal.split("\n")[0]} · ${doc.command}` : `${TITLE} · ${doc.command}`;
  byId("command").textContent = doc.command;
  byId("title").textContent = doc.goal || TITLE;
  const gauge = el("div");
  gauge.style.width = `${Math.min(100, (100 * doc.tokens) / Math.max(1, doc.budget))}%`;
  const tokens = el("div", {}, `${grouped(doc.tokens)} of ${grouped(doc.budget)} tokens`, el("div", { class: "gauge", "aria-hidden": "true" }, gauge));
  const all = totals(tree.last);
  const rows = [["Map", tokens], [`${CAPITAL}s`, `${grouped(all.shown(0))} shown of ${grouped(doc.n_files)}`], ["In full", `${about(0, all.tokens(0))} tokens`], ...doc.facts, ["Counted with", doc.tokenizer]];
  byId("overview").replaceWith(Object.assign(terms(rows, "overview"), { id: "overview" }));
  byId("notes").append(...doc.notes.map((note) => el("p", { class: "note" }, note)));
  for (const section of document.querySelectorAll("main > section")) {
    if (section.id === "file") continue;
    byId("sections").append(el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent));
  }
  byId("foot").append(el("p", {}, `${doc.tool}. Sizes are tokens; those with “about” or “~” are estimates, four bytes a token. This page loads nothing and keeps nothing.`));
}

function context() {
  const box = byId("context-body");
  if (doc.map === null) return box.append(el("p", { class: "muted" }, "The map has no room in this page; it is what the command printed."));
  const pre = el("pre", { tabindex: "0", "aria-label": "The map as text" });
  pre.textContent = doc.map;
  box.append(el("details", {}, el("summary", {}, `Show all ${grouped(doc.tokens)} tokens`), el("div", { class: "text" }, pre)));
}

for (const choice of document.querySelectorAll("input[name=area]")) {
  choice.checked = areas[choice.value] === state.area;
  choice.parentElement.hidden = choice.value === "text" && !hidesData;
  choice.addEventListener("change", () => resize(choice.value));
}

// The colour of the focus ring, for the canvas to read.
const probe = el("span", { id: "probe", hidden: true });
probe.style.color = "var(--focus)";
document.body.append(probe);

sayNouns();
head();
legend();
undrawn();
crumbs();
listing();
slider();
treemap.begin();
if (turns.n) showTurn(turns.n);
ranking();
decisions();
leftOut();
context();
theme(treemap.redress);
/** Where to begin: the best file that is shown, or the largest of them where nothing was ranked. */
function first() {
  const best = ranks.rows.find((row) => tree.last[row.file] >= PATH) || ranks.rows[0];
  const largest = [...tree.tokens].reduce((a, b) => (b[1] > a[1] ? b : a), [undefined, 0]);
  return best ? best.file : largest[0];
}
if (first() !== undefined) select(first(), false);

let waiting = 0;
new ResizeObserver(() => {
  cancelAnimationFrame(waiting);
  waiting = requestAnimationFrame(treemap.layout);
}).observe(byId("treemap"));
