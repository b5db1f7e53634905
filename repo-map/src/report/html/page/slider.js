// The slider: the page as it was after a turn, and what moved in it.

// Of a run that was continued the first levels known are those it went on from.
const stepOf = (turn) => doc.steps[doc.start_at + turn - 1];
const titleOf = (turn) => stepOf(turn)?.title ?? "Before the first turn";
const tokensOf = (turn) => (turn === 0 ? doc.start_tokens : stepOf(turn).tokens);

function showTurn(turn) {
  state.turn = turn;
  state.levels = turns.at(turn);
  state.totals = totals(state.levels, state.area);
  byId("turn").setAttribute("aria-valuetext", `${titleOf(turn)}: ${tokensOf(turn)} tokens`);
  byId("turn-say").replaceChildren(el("strong", {}, titleOf(turn)), ` · ${grouped(tokensOf(turn))} of ${grouped(doc.budget)} tokens`);
  [...byId("spark").children].forEach((bar, at) => bar.classList.toggle("on", at === turn));
  legend();
  moves(turn);
  listing();
  treemap.paint();
}

/** Which files rose and fell in a turn; those that reached most first. */
function moves(turn) {
  const box = byId("moves");
  box.hidden = turn === 0;
  if (turn === 0) return box.replaceChildren();
  const [before, after] = [turns.at(turn - 1), turns.at(turn)];
  const risen = [];
  const fallen = [];
  for (let file = 0; file < after.length; file++) {
    if (after[file] > before[file]) risen.push(file);
    else if (after[file] < before[file]) fallen.push(file);
  }
  const reach = (file) => Math.max(before[file], after[file]) * 10 + Math.abs(after[file] - before[file]);
  const list = (title, files) => {
    files.sort((a, b) => reach(b) - reach(a) || a - b);
    const row = (file) => el("li", {}, fileLink(file), el("span", { class: "muted" }, `${LEVELS[before[file]]} → ${LEVELS[after[file]]}`));
    const rest = files.length > 12 ? [el("p", { class: "hint" }, `and ${grouped(files.length - 12)} more`)] : [];
    return el("div", {}, el("h3", {}, `${title} (${grouped(files.length)})`), el("ul", {}, files.slice(0, 12).map(row)), rest);
  };
  if (!risen.length && !fallen.length) return box.replaceChildren(el("p", { class: "muted" }, `No ${PLACE} changed its level in this turn.`));
  box.replaceChildren(list("Rose", risen), list("Fell", fallen));
}

function slider() {
  if (!turns.n) return;
  byId("turns").hidden = false;
  const input = byId("turn");
  input.max = String(turns.n);
  input.value = String(turns.n);
  const most = Math.max(doc.budget, 1);
  for (let turn = 0; turn <= turns.n; turn++) {
    const bar = el("div");
    bar.style.height = `${Math.min(100, (100 * tokensOf(turn)) / most)}%`;
    byId("spark").append(bar);
  }
  input.addEventListener("input", () => showTurn(Number(input.value)));
  const missing = doc.steps.length - doc.start_at - turns.n;
  if (missing > 0) byId("turns").after(el("p", { class: "note" }, `The levels of the last ${plural(missing, "turn")} have no room in this page.`));
}
