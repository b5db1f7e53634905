// Draws the document of this page. Everything that comes from the documents is put on the screen as text: no markup is
// ever made of it. Nothing is loaded, kept or sent. The files of this folder are one script, in the order of `shell.rs`.

const doc = JSON.parse(document.getElementById("document").textContent);
const LEVELS = doc.levels;
// What the documents are called: files of a repository, or pages of a site.
const { world: WORLD, place: PLACE, part: PART } = doc.nouns;
const [PLACES, CAPITAL] = [`${PLACE}s`, PLACE[0].toUpperCase() + PLACE.slice(1)];
// A sign for each level, so that colour is never the only difference.
const SIGNS = ["×", "–", "·", "≡", "ƒ", "■"];
const [FOLD, PATH] = [1, 2];
const ROWS = 100;

const byId = (id) => document.getElementById(id);

/** An element with its properties and children; a string becomes text. */
function el(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  for (const [name, value] of Object.entries(props)) {
    if (value === undefined || value === null || value === false) continue;
    if (name === "class") node.className = value;
    else if (name.startsWith("on")) node.addEventListener(name.slice(2), value);
    else node.setAttribute(name, value === true ? "" : value);
  }
  node.append(...children.flat().filter((child) => child !== undefined && child !== null));
  return node;
}

/** Whole numbers with thin spaces, the same in every locale. */
const grouped = (n) => String(n).replace(/\B(?=(\d{3})+(?!\d))/g, "\u202f");
const plural = (n, one, many = `${one}s`) => `${grouped(n)} ${n === 1 ? one : many}`;
const fixed = (millionths, digits = 2) => (millionths / 1e6).toFixed(digits);
const short = (n) => (n < 10000 ? grouped(n) : n < 1e6 ? `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`);

function chip(level, words = LEVELS[level]) {
  return el("span", { class: "chip" }, el("span", { class: `swatch l${level}`, "aria-hidden": "true" }, SIGNS[level]), words);
}

function scroll(label, className, ...children) {
  return el("div", { class: `scroll ${className}`, role: "region", "aria-label": label, tabindex: "0" }, ...children);
}

/** Puts the nouns into the words of the page itself, before anything foreign stands in it. */
function sayNouns() {
  if (PLACE === "file") return;
  const nouns = [[/\brepository\b/g, WORLD], [/\bfile(s?)\b/g, `${PLACE}$1`], [/\bitem(s?)\b/g, `${PART}$1`]];
  const said = (words) => nouns.reduce((words, [noun, own]) => words.replace(noun, own), words);
  const texts = document.createTreeWalker(byId("main"), NodeFilter.SHOW_TEXT);
  while (texts.nextNode()) texts.currentNode.data = said(texts.currentNode.data);
  const canvas = byId("treemap");
  canvas.setAttribute("aria-label", said(canvas.getAttribute("aria-label")));
}

/** A list that shows its first rows, and more on demand. */
function growing(into, rows, draw, noun) {
  let n = 0;
  const button = el("button", { type: "button", class: "quiet more" });
  const grow = () => {
    const from = n;
    n = Math.min(rows.length, n + ROWS);
    into.append(...rows.slice(from, n).map(draw));
    button.hidden = n >= rows.length;
    button.textContent = `Show more: ${grouped(rows.length - n)} ${noun} left`;
  };
  button.addEventListener("click", grow);
  grow();
  return button;
}
