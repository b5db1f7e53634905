// Draws the document of this page. Everything that comes from the documents is put on the screen as text: no markup is
// ever made of it. Nothing is loaded, kept or sent. The files of this folder are one script, in the order of `shell.rs`.

const doc = JSON.parse(document.getElementById("document").textContent);
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

function scroll(label, className, ...children) {
  return el("div", { class: `scroll ${className}`, role: "region", "aria-label": label, tabindex: "0" }, ...children);
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

/** The button that changes the theme; `redraw` follows each change. */
function theme(redraw = () => {}) {
  const button = byId("theme");
  const system = window.matchMedia("(prefers-color-scheme: dark)");
  const isDark = () => (document.documentElement.dataset.theme ? document.documentElement.dataset.theme === "dark" : system.matches);
  const say = () => button.setAttribute("aria-pressed", String(isDark()));
  const change = () => {
    say();
    redraw();
  };
  button.addEventListener("click", () => {
    document.documentElement.dataset.theme = isDark() ? "light" : "dark";
    change();
  });
  system.addEventListener("change", change);
  say();
}
