// The treemap on its canvas, by pointer and by keyboard, and the table that says the same.

/** Cuts a rectangle into parts in proportion to their sizes, as near to squares as can be (Bruls, Huizing, van Wijk 2000). */
function squarify(parts, x, y, w, h, place) {
  let total = 0;
  for (const part of parts) total += part.size;
  let at = 0;
  while (at < parts.length && w > 0 && h > 0 && total > 0) {
    const side = Math.min(w, h);
    const scale = (w * h) / total;
    let row = 0;
    let worst = Infinity;
    let end = at;
    while (end < parts.length) {
      const sum = row + parts[end].size;
      const length = (sum * scale) / side;
      const ratio = (part) => Math.max(length / ((part * scale) / length), (part * scale) / length / length);
      const next = Math.max(ratio(parts[at].size), ratio(parts[end].size));
      if (end > at && next > worst) break;
      [worst, row] = [next, sum];
      end += 1;
    }
    const length = Math.min((row * scale) / side, w >= h ? w : h);
    let along = w >= h ? y : x;
    for (; at < end; at++) {
      const part = (parts[at].size * scale) / length;
      if (w >= h) place(parts[at], x, along, length, part);
      else place(parts[at], along, y, part, length);
      along += part;
    }
    total -= row;
    if (w >= h) [x, w] = [x + length, w - length];
    else [y, h] = [y + length, h - length];
  }
}

/** The parts of a folder, largest first: folders, files, and what is only counted. */
function partsOf(folder) {
  const parts = tree.folders[folder].map((child) => ({ kind: "folder", id: child, size: state.totals.tokens(child) }));
  for (let file = tree.first[folder]; file < tree.first[folder + 1]; file++) {
    parts.push({ kind: "file", id: file, size: state.area(file) });
  }
  if (tree.rest[folder] > 0) parts.push({ kind: "rest", id: folder, size: state.area === areas.map ? 0 : tree.restTokens[folder] });
  // Sizes do not change from turn to turn, so neither does the order.
  return parts.sort((a, b) => b.size - a.size);
}

const treemap = (() => {
  const canvas = byId("treemap");
  const say = byId("treemap-say");
  const context = canvas.getContext("2d");
  const HEAD = 19;
  // A smaller folder is drawn as one tile, a smaller file not at all: the table has both.
  const [LEAST_FOLDER, LEAST_FILE] = [260, 1.5];
  let tiles = [];
  let cells = [];
  let focus = 0;
  let colours = [];
  let patterns = [];
  let ink = "";
  let ring = "";
  let ground = "";

  function lay(folder, x, y, w, h, depth, out) {
    squarify(partsOf(folder).filter((part) => part.size > 0), x, y, w, h, (part, px, py, pw, ph) => {
      const tile = { ...part, x: px, y: py, w: pw, h: ph, depth };
      if (depth === 0) cells.push(tile);
      if (part.kind !== "folder" || pw * ph < LEAST_FOLDER || Math.min(pw, ph) < 7) {
        if (part.kind === "folder" || pw * ph >= LEAST_FILE) out.push(tile);
        return;
      }
      const head = pw > 46 && ph > 40 ? HEAD : 0;
      out.push({ ...tile, kind: "frame", head });
      const edge = depth < 2 ? 2 : 1;
      lay(part.id, px + edge, py + (head || edge), pw - 2 * edge, ph - (head || edge) - edge, depth + 1, out);
    });
  }

  function layout() {
    const ratio = window.devicePixelRatio || 1;
    const { width, height } = canvas.getBoundingClientRect();
    canvas.width = Math.max(1, Math.round(width * ratio));
    canvas.height = Math.max(1, Math.round(height * ratio));
    context.setTransform(ratio, 0, 0, ratio, 0, 0);
    [tiles, cells] = [[], []];
    lay(state.folder, 0, 0, width, height, 0, tiles);
    focus = Math.min(focus, Math.max(0, cells.length - 1));
    paint();
  }

  /** The colours of the legend, and for each level a pattern that tells it apart without them. */
  function dress() {
    const style = getComputedStyle(document.body);
    [ink, ground] = [style.color, style.backgroundColor];
    ring = getComputedStyle(byId("probe")).color;
    colours = LEVELS.map((_, level) => {
      const swatch = getComputedStyle(byId(`swatch-${level}`));
      return { fill: swatch.backgroundColor, ink: swatch.color };
    });
    patterns = colours.map(({ ink }, level) => {
      const cell = document.createElement("canvas");
      cell.width = cell.height = 10;
      const pen = cell.getContext("2d");
      [pen.strokeStyle, pen.fillStyle, pen.globalAlpha] = [ink, ink, 0.2];
      pen.beginPath();
      if (level === 0) [[-2, 2, 2, -2], [0, 10, 10, 0], [8, 12, 12, 8]].forEach(([a, b, c, d]) => (pen.moveTo(a, b), pen.lineTo(c, d)));
      if (level === 2) pen.fillRect(4, 4, 2, 2);
      if (level === 3) [2.5, 7.5].forEach((y) => (pen.moveTo(0, y), pen.lineTo(10, y)));
      if (level === 4) [2.5, 7.5].forEach((at) => (pen.moveTo(at, 0), pen.lineTo(at, 10), pen.moveTo(0, at), pen.lineTo(10, at)));
      pen.stroke();
      // Full is plain, as fold is: the darkest and the lightest of what has no pattern.
      return level === 1 || level === 5 ? null : context.createPattern(cell, "repeat");
    });
  }

  const levelOf = (tile) => {
    if (tile.kind === "file") return state.levels[tile.id];
    return tile.kind === "rest" ? 0 : state.totals.main(tile.id);
  };
  const nameOf = (tile) => {
    if (tile.kind === "file") return tree.names[tile.id];
    return tile.kind === "rest" ? `${plural(tree.rest[tile.id], PLACE)} not named` : `${tree.folderNames[tile.id]}/`;
  };

  const labelOf = (tile, level) => `${tile.kind === "file" ? sign(tile.id, level) : SIGNS[level]} ${nameOf(tile)}`;

  function text(words, x, y, most, colour) {
    if (most < 18) return;
    context.fillStyle = colour;
    let cut = words;
    // A guess from the first measure, then one letter at a time.
    const width = context.measureText(cut).width;
    if (width > most) {
      cut = cut.slice(0, Math.max(0, Math.floor((cut.length * most) / width) - 1));
      while (cut && context.measureText(`${cut}…`).width > most) cut = cut.slice(0, -1);
      if (cut.length < 2) return;
      cut += "…";
    }
    context.fillText(cut, x, y);
  }

  function paint() {
    const { width, height } = canvas.getBoundingClientRect();
    context.clearRect(0, 0, width, height);
    context.textBaseline = "middle";
    const small = [];
    for (const tile of tiles) {
      const { x, y, w, h } = tile;
      if (tile.kind === "frame") {
        context.fillStyle = ground;
        context.fillRect(x, y, w, h);
        context.strokeStyle = ink;
        context.globalAlpha = tile.depth === 0 ? 0.45 : 0.16;
        context.lineWidth = 1;
        context.strokeRect(x + 0.5, y + 0.5, Math.max(0, w - 1), Math.max(0, h - 1));
        context.globalAlpha = 1;
        if (tile.head) {
          context.font = `${tile.depth === 0 ? 600 : 400} 12px system-ui, "DejaVu Sans", sans-serif`;
          text(nameOf(tile), x + 6, y + HEAD / 2 + 1, w - 12, ink);
        }
        continue;
      }
      const level = levelOf(tile);
      const gap = w > 4 && h > 4 ? 1 : 0.25;
      context.fillStyle = colours[level].fill;
      context.fillRect(x, y, Math.max(0.5, w - gap), Math.max(0.5, h - gap));
      if (patterns[level] && w > 6 && h > 6) {
        context.fillStyle = patterns[level];
        context.fillRect(x, y, w - gap, h - gap);
      }
      const shown = tile.kind === "folder" ? state.totals.most(tile.id) : level;
      if (shown >= PATH && (tile.kind === "folder" || Math.min(w, h) < 9)) small.push([tile, shown]);
      if (w > 34 && h > 15) {
        context.font = '11px ui-monospace, "DejaVu Sans Mono", monospace';
        if (patterns[level]) {
          // Letters on a pattern need a quiet ground.
          const words = Math.min(w - 6, context.measureText(labelOf(tile, level)).width + 6);
          context.fillStyle = colours[level].fill;
          context.fillRect(x + 2, y + 2, words, 14);
        }
        text(labelOf(tile, level), x + 5, y + 9, w - 9, colours[level].ink);
      }
    }
    // What the map shows must be found, however small it is beside the rest.
    for (const [tile, shown] of small.slice(0, 2000)) {
      context.beginPath();
      context.arc(tile.x + tile.w / 2, tile.y + tile.h / 2, 4, 0, 2 * Math.PI);
      context.fillStyle = colours[shown].fill;
      context.fill();
      context.lineWidth = 1.5;
      context.strokeStyle = ink;
      context.stroke();
    }
    if (document.activeElement === canvas && cells[focus]) {
      const { x, y, w, h } = cells[focus];
      context.lineWidth = 3;
      context.strokeStyle = ring;
      context.strokeRect(x + 1.5, y + 1.5, Math.max(2, w - 3), Math.max(2, h - 3));
    }
  }

  const tokensIn = (folder) => (state.area === areas.map ? grouped : (n) => about(folder, n))(state.totals.tokens(folder));

  function describe(tile) {
    if (tile.kind === "file") return `${tree.names[tile.id]}: ${levelWords(tile.id, state.levels[tile.id])}, ${size(tile.id)} tokens`;
    if (tile.kind === "rest") return `${nameOf(tile)}, about ${grouped(tile.size)} tokens`;
    const shown = state.totals.shown(tile.id);
    return `${nameOf(tile)}: ${plural(state.totals.files(tile.id), PLACE)}, ${shown} shown, ${tokensIn(tile.id)} tokens`;
  }

  function open(tile) {
    if (tile.kind === "file") select(tile.id, true);
    else if (tile.kind !== "rest") zoom(tile.id);
  }

  function under(event) {
    const box = canvas.getBoundingClientRect();
    const [x, y] = [event.clientX - box.left, event.clientY - box.top];
    for (let at = tiles.length - 1; at >= 0; at--) {
      const tile = tiles[at];
      if (x >= tile.x && x < tile.x + tile.w && y >= tile.y && y < tile.y + tile.h) return tile;
    }
    return null;
  }

  /** The nearest part in a direction, by the distance of the middles, sideways counted twice. */
  function step(dx, dy) {
    const here = cells[focus];
    if (!here) return;
    const middle = (cell) => [cell.x + cell.w / 2, cell.y + cell.h / 2];
    const [hx, hy] = middle(here);
    let [best, least] = [focus, Infinity];
    cells.forEach((cell, at) => {
      const [cx, cy] = middle(cell);
      const [ahead, aside] = dx ? [(cx - hx) * dx, Math.abs(cy - hy)] : [(cy - hy) * dy, Math.abs(cx - hx)];
      if (at !== focus && ahead > 0.5 && ahead + 2 * aside < least) [best, least] = [at, ahead + 2 * aside];
    });
    focus = best;
    say.textContent = describe(cells[focus]);
    paint();
  }

  canvas.addEventListener("keydown", (event) => {
    const moves = { ArrowRight: [1, 0], ArrowLeft: [-1, 0], ArrowDown: [0, 1], ArrowUp: [0, -1] };
    if (moves[event.key]) step(...moves[event.key]);
    else if (event.key === "Enter" || event.key === " ") {
      if (cells[focus]) open(cells[focus]);
    } else if (event.key === "Escape" || event.key === "Backspace") up();
    else return;
    event.preventDefault();
  });
  canvas.addEventListener("click", (event) => {
    const tile = under(event);
    if (tile) open(tile);
  });
  canvas.addEventListener("mousemove", (event) => {
    const tile = under(event);
    say.textContent = tile ? describe(tile) : "";
    canvas.style.cursor = tile && tile.kind !== "rest" ? "pointer" : "default";
  });
  canvas.addEventListener("focus", () => {
    if (cells[focus]) say.textContent = describe(cells[focus]);
    paint();
  });
  canvas.addEventListener("blur", paint);
  return {
    layout, paint,
    redress: () => { dress(); paint(); },
    begin: () => { dress(); layout(); },
    /** Looks at another folder; the part one came from has the focus. */
    enter: (from) => {
      focus = 0;
      layout();
      focus = Math.max(0, cells.findIndex((cell) => cell.kind === "folder" && cell.id === from));
      if (document.activeElement === canvas && cells[focus]) say.textContent = describe(cells[focus]);
      paint();
    },
    stats: () => ({ tiles: tiles.length, cells: cells.length }),
  };
})();

function zoom(folder) {
  const from = state.folder;
  state.folder = folder;
  crumbs();
  listing();
  treemap.enter(from);
}

/** Lets areas mean whole files, with data or without, or what of them is in the map. */
function resize(name) {
  state.area = areas[name];
  state.totals = totals(state.levels, state.area);
  undrawn();
  listing();
  treemap.layout();
}

function up() {
  if (state.folder > 0) zoom(tree.parents[state.folder]);
}

function crumbs() {
  const trail = [];
  for (let at = state.folder; at > 0; at = tree.parents[at]) trail.push(at);
  trail.push(0);
  const name = (folder) => (folder === 0 ? WORLD : tree.folderNames[folder]);
  const steps = trail.reverse().flatMap((folder, at) => {
    const here = folder === state.folder;
    const step = here
      ? el("span", { "aria-current": "location" }, name(folder))
      : el("button", { type: "button", class: "link", onclick: () => zoom(folder) }, name(folder));
    return at ? [el("span", { "aria-hidden": "true", class: "muted" }, "/"), step] : [step];
  });
  byId("crumbs").replaceChildren(...steps);
}

/** The folder as a table: what the treemap shows, for whoever does not see it. */
function listing() {
  const table = byId("listing");
  const body = el("tbody");
  const tokens = (part) => {
    if (state.area === areas.map) return grouped(part.size);
    if (part.kind === "folder") return about(part.id, part.size, short);
    if (state.area === areas.text && tree.data.has(part.id)) return "data";
    return tree.estimated.has(part.id) ? `~${short(part.size)}` : grouped(part.size);
  };
  const row = (part) => {
    if (part.kind === "rest") {
      const name = `${plural(tree.rest[part.id], PLACE)} not named in this page`;
      return el("tr", {}, el("th", { scope: "row", class: "muted" }, name), el("td", {}), el("td", { class: "num" }, short(part.size)));
    }
    const isFile = part.kind === "file";
    const name = isFile ? tree.names[part.id] : `${tree.folderNames[part.id]}/`;
    const open = () => (isFile ? select(part.id, true) : zoom(part.id));
    const level = isFile ? chip(state.levels[part.id], levelWords(part.id, state.levels[part.id])) : `${grouped(state.totals.shown(part.id))} of ${grouped(state.totals.files(part.id))}`;
    return el("tr", {},
      el("th", { scope: "row" }, el("button", { type: "button", class: "link", onclick: open }, name)),
      el("td", {}, level),
      el("td", { class: "num" }, tokens(part)));
  };
  const head = (words, className) => el("th", { scope: "col", class: className }, words);
  const where = state.folder === 0 ? `the ${WORLD}` : folderPath(state.folder);
  table.replaceChildren(
    el("caption", {}, `${where}: ${plural(state.totals.files(state.folder), PLACE)}, ${state.area === areas.map
      ? `${grouped(state.totals.tokens(state.folder))} tokens in the map.`
      : `${about(state.folder, state.totals.tokens(state.folder))} tokens. ${tree.estimated.size ? "“~” is an estimate from bytes." : ""}`}`),
    el("thead", {}, el("tr", {}, head("Name"), head("Level, or shown"), head("Tokens", "num"))),
    body);
  const isThere = (part) => state.area !== areas.map || part.size > 0;
  const more = growing(body, partsOf(state.folder).filter(isThere), row, "entries");
  more.id = "listing-more";
  byId("listing-more").replaceWith(more);
}

/** What has no area of its own. */
function undrawn() {
  const said = [];
  if (state.area === areas.text) {
    const tokens = [...tree.data].reduce((sum, file) => sum + tree.sizes[file], 0);
    said.push(`Not drawn: ${plural(tree.data.size, `data ${PLACE}`)} that the map does not show, ${grouped(tokens)} tokens (“all ${PLACES}” draws them).`);
  }
  const n = doc.textless.reduce((sum, [, files]) => sum + files, 0);
  if (n) said.push(`${plural(n, PLACE)} without text (${doc.textless.map(([mark, files]) => `${grouped(files)} ${mark}`).join(", ")}) can be shown as paths only, and count as these.`);
  byId("undrawn").textContent = said.join(" ");
}

function legend() {
  const items = LEVELS.map((level, at) => {
    const { files } = state.totals.level(0, at);
    return el("li", {}, el("span", { class: `swatch l${at}`, id: `swatch-${at}`, "aria-hidden": "true" }, SIGNS[at]), level, el("span", { class: "count" }, grouped(files)));
  });
  byId("legend").replaceChildren(...items);
}
