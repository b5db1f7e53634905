// What the document of a map is called, and how its numbers and levels are written.

const LEVELS = doc.levels;
// What the documents are called: files of a repository, or pages of a site.
const { world: WORLD, place: PLACE, part: PART } = doc.nouns;
const [PLACES, CAPITAL] = [`${PLACE}s`, PLACE[0].toUpperCase() + PLACE.slice(1)];
// A sign for each level, so that colour is never the only difference.
const SIGNS = ["×", "–", "·", "≡", "ƒ", "■"];
const [FOLD, PATH] = [1, 2];

const fixed = (millionths, digits = 2) => (millionths / 1e6).toFixed(digits);
const short = (n) => (n < 10000 ? grouped(n) : n < 1e6 ? `${(n / 1e3).toFixed(n < 1e5 ? 1 : 0)}k` : `${(n / 1e6).toFixed(1)}M`);

function chip(level, words = LEVELS[level]) {
  return el("span", { class: "chip" }, el("span", { class: `swatch l${level}`, "aria-hidden": "true" }, SIGNS[level]), words);
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
