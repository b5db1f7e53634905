// Draws the screens of a knowledge in columns, with the ways of the chosen one.

const { screens, ways, gaps } = doc;
// In pixels; a column has so many rows at most, so that hundreds of screens stay within reach.
const [WIDTH, HEIGHT, ACROSS, DOWN, TOP, MOST] = [190, 22, 250, 28, 34, 50];
// The longest name in a box, in characters; a ring takes the place of some.
const [LONGEST, BESIDE_RING] = [26, 21];
// More lines at one screen would hide what they lead to: the boxes alone are marked then.
const MOST_LINES = 40;

const svg = (tag, props = {}, ...children) => {
  const node = document.createElementNS("http://www.w3.org/2000/svg", tag);
  for (const [name, value] of Object.entries(props)) if (value !== undefined) node.setAttribute(name, value);
  node.append(...children.filter(Boolean));
  return node;
};
const clipped = (text, most) => (text.length > most ? `${text.slice(0, most - 1)}…` : text);
const from = screens.map(() => []);
const to = screens.map(() => []);
for (const way of ways) {
  from[way[0]].push(way);
  to[way[1]].push(way);
}

/** The columns: places of screens, and what stands above them. */
const columns = [];
{
  const layers = new Map();
  screens.forEach((screen, at) => {
    if (!layers.has(screen.layer)) layers.set(screen.layer, []);
    layers.get(screen.layer).push(at);
  });
  for (const [layer, members] of layers) {
    const head = layer === null ? "no way seen" : layer === 0 ? "first" : plural(layer, "step");
    for (let n = 0; n < members.length; n += MOST) {
      columns.push({ head: n === 0 ? `${head} (${members.length})` : "", members: members.slice(n, n + MOST) });
    }
  }
}
const spot = [];
columns.forEach((column, x) => column.members.forEach((at, y) => { spot[at] = { x, y, left: 8 + x * ACROSS, top: TOP + y * DOWN }; }));

const graph = byId("graph");
const lines = svg("g", { "aria-hidden": "true" });
const nodes = screens.map((screen, at) => {
  const { left, top } = spot[at];
  const label = `${screen.name}, ${plural(from[at].length, "way")} on, ${screen.n_gaps} not tried`;
  const ring = screen.n_gaps
    ? svg("g", { class: "gap" }, svg("circle", { cx: WIDTH - 13, cy: 11, r: 9 }), svg("text", { x: WIDTH - 13, y: 14.5 }))
    : undefined;
  if (ring) ring.lastChild.textContent = screen.n_gaps > 99 ? "99+" : screen.n_gaps;
  const text = svg("text", { x: 8, y: 15 });
  text.textContent = clipped(screen.name, ring ? BESIDE_RING : LONGEST);
  const title = svg("title");
  title.textContent = screen.name;
  const props = { role: "button", tabindex: -1, "aria-label": label, transform: `translate(${left} ${top})` };
  const node = svg("g", props, title, svg("rect", { width: WIDTH, height: HEIGHT }), text, ring);
  if (!screen.is_used) node.classList.add("text");
  node.addEventListener("click", () => choose(at, false));
  node.addEventListener("focus", () => node.scrollIntoView({ block: "nearest", inline: "nearest" }));
  return node;
});

/** A line between two screens, from the right side of one to the left side of the other. */
function line(a, b, className) {
  const [start, end] = [spot[a], spot[b]];
  const [x, y] = [start.left + WIDTH, start.top + HEIGHT / 2];
  const [u, v] = [end.left, end.top + HEIGHT / 2];
  const bend = Math.max(30, Math.abs(u - x) / 2);
  return svg("path", { class: className, d: `M${x} ${y}C${x + bend} ${y} ${u - bend} ${v} ${u} ${v}` });
}

function drawLines(at) {
  lines.replaceChildren(...screens.flatMap((screen, child) => (screen.parent === null ? [] : [line(screen.parent, child)])));
  if (at === undefined) return;
  const ends = (list, side) => {
    const all = [...new Set(list.map((way) => way[side]))].filter((one) => one !== at);
    return all.length > MOST_LINES ? [] : all;
  };
  lines.append(...ends(to[at], 0).map((one) => line(one, at, "in")), ...ends(from[at], 1).map((one) => line(at, one, "out")));
}

let chosen = 0;
let matches = null;

function dress() {
  const near = new Set([...from[chosen].map((way) => way[1]), ...to[chosen].map((way) => way[0])]);
  nodes.forEach((node, at) => {
    node.classList.toggle("chosen", at === chosen);
    node.classList.toggle("near", near.has(at) && at !== chosen);
    node.classList.toggle("far", at !== chosen && matches !== null && !matches.has(at));
    node.setAttribute("tabindex", at === chosen ? 0 : -1);
    if (at === chosen) node.setAttribute("aria-current", "true");
    else node.removeAttribute("aria-current");
  });
}

/** Shows a screen; its node gets the focus, or the panel does. */
function choose(at, toPanel) {
  chosen = at;
  drawLines(at);
  dress();
  panel(at);
  if (toPanel) byId("screen-title").focus();
  else nodes[at].focus();
}

const link = (at) => el("button", { type: "button", class: "link", onclick: () => choose(at, true) }, screens[at].name);
const rowsOf = (list, side, empty) => {
  if (list.length === 0) return el("p", { class: "muted" }, empty);
  const row = (way) => el("li", {}, link(way[side]), el("span", { class: "muted" }, `${way[2]} · ${plural(way[3], "time")}`));
  const into = el("ul", { class: "plain" });
  return [into, growing(into, list, row, "ways")];
};

function panel(at) {
  const screen = screens[at];
  byId("screen-title").textContent = screen.name;
  const facts = [["Identifier", screen.id], ["Kind", screen.kind.replace("_", " ")], ["Seen", plural(screen.seen, "time")], ["Address", screen.address || "none"], ["Pattern", screen.templates.join("  ") || "none"]];
  const role = (action) => `${action[1]}${action[2] ? ` · done ${plural(action[2], "time")}` : action[3] ? " · not tried" : ""}`;
  const actions = screen.actions.map((action) => el("li", {}, el("span", { class: "path" }, action[0]), el("span", { class: action[3] ? "warn" : "muted" }, role(action))));
  const rest = screen.n_actions - screen.actions.length;
  byId("screen-body").replaceChildren(
    el("dl", { class: "facts" }, facts.flatMap(([name, what]) => el("div", {}, el("dt", {}, name), el("dd", { class: "path" }, what)))),
    screen.words.length ? el("p", { class: "hint" }, screen.words.join(" · ")) : "",
    el("div", { class: "ways" },
      el("div", {}, el("h3", {}, `Leads to (${from[at].length})`), rowsOf(from[at], 1, "No way on was seen.")),
      el("div", {}, el("h3", {}, `Reached from (${to[at].length})`), rowsOf(to[at], 0, "No way to it was seen.")),
      el("div", {}, el("h3", {}, `Can be done (${screen.n_actions})`), el("ul", { class: "plain" }, actions), rest > 0 ? el("p", { class: "hint" }, `${rest} more`) : ""),
    ),
  );
}

function list() {
  const body = el("tbody");
  const cell = (n) => el("td", { class: "num" }, grouped(n));
  const row = (at) => {
    const screen = screens[at];
    const layer = screen.layer === null ? "–" : grouped(screen.layer);
    return el("tr", {}, el("th", { scope: "row" }, link(at)), el("td", { class: "num" }, layer), cell(screen.seen), cell(from[at].length), cell(screen.n_gaps));
  };
  const shown = screens.map((_, at) => at).filter((at) => matches === null || matches.has(at));
  const more = growing(body, shown, row, "screens");
  const head = ["Screen", "Steps", "Seen", "Ways on", "Not tried"].map((name, at) => el("th", { scope: "col", class: at ? "num" : "" }, name));
  byId("screens-body").replaceChildren(scroll("All screens", "", el("table", {}, el("thead", {}, el("tr", {}, head)), body)), more);
}

function filter() {
  const words = byId("filter").value.toLowerCase().split(/\s+/).filter(Boolean);
  const has = (screen) => {
    const text = [screen.name, screen.id, screen.address, ...screen.templates, ...screen.words].join(" ").toLowerCase();
    return words.every((word) => text.includes(word));
  };
  matches = words.length ? new Set(screens.flatMap((screen, at) => (has(screen) ? [at] : []))) : null;
  byId("filter-say").textContent = matches === null ? "" : plural(matches.size, "screen");
  dress();
  list();
}

/** The screen in the column beside, in the row that is nearest. */
function beside(at, step) {
  const column = columns[spot[at].x + step];
  return column && column.members[Math.min(spot[at].y, column.members.length - 1)];
}

graph.addEventListener("keydown", (event) => {
  const { x, y } = spot[chosen];
  const column = columns[x].members;
  const moves = { ArrowDown: column[y + 1], ArrowUp: column[y - 1], ArrowLeft: beside(chosen, -1), ArrowRight: beside(chosen, 1), Home: column[0], End: column[column.length - 1] };
  if (event.key in moves) {
    event.preventDefault();
    if (moves[event.key] !== undefined) choose(moves[event.key], false);
  } else if (event.key === "Enter" || event.key === " ") {
    event.preventDefault();
    choose(chosen, true);
  }
});
document.addEventListener("keydown", (event) => {
  const isWriting = event.target === byId("filter");
  if (event.key === "/" && !isWriting) {
    event.preventDefault();
    byId("filter").focus();
  } else if (event.key === "Escape" && screens.length) nodes[chosen].focus();
  else if (event.key === "Enter" && isWriting && matches && matches.size) choose([...matches][0], false);
});
byId("filter").addEventListener("input", filter);

const heads = columns.map((column, x) => {
  const text = svg("text", { x: 8 + x * ACROSS, y: 20 });
  text.textContent = column.head;
  return text;
});
const rows = Math.max(1, ...columns.map((column) => column.members.length));
graph.setAttribute("width", 16 + columns.length * ACROSS - (ACROSS - WIDTH));
graph.setAttribute("height", TOP + rows * DOWN + 8);
graph.append(svg("g", { class: "head" }, ...heads), lines, ...nodes);

document.title = `Knowledge · ${doc.name}`;
byId("command").textContent = doc.name;
byId("title").textContent = `What is known of ${doc.sites.filter((site) => site !== "file:").join(", ") || doc.name}`;
const overview = [["Screens", grouped(screens.length + doc.n_left_out)], ["Ways", grouped(ways.length)], ["Tasks", grouped(doc.n_tasks)], ["Not tried", grouped(doc.n_gaps)], ["Recordings", grouped(doc.n_records)]];
if (doc.n_left_out) overview.push(["Not on this page", plural(doc.n_left_out, "screen")]);
byId("overview").append(...overview.map(([name, what]) => el("div", {}, el("dt", {}, name), el("dd", {}, what))));
for (const section of document.querySelectorAll("main > section")) {
  byId("sections").append(el("a", { href: `#${section.id}` }, section.querySelector("h2").textContent));
}
{
  const into = el("ul", { class: "plain" });
  const row = ([at, kind, name]) => el("li", {}, el("span", {}, link(at), " ", el("span", { class: "path" }, name)), el("span", { class: "muted" }, kind));
  byId("gaps-body").append(...(gaps.length ? [into, growing(into, gaps, row, "gaps")] : [el("p", { class: "muted" }, "Nothing: all that was seen was tried.")]));
}
theme();
list();
if (screens.length) {
  drawLines(chosen);
  dress();
  panel(chosen);
}
