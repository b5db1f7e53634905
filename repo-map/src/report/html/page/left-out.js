// What is not in the map.

function leftOut() {
  const box = byId("left-out-body");
  const now = totals(tree.last);
  const [excluded, folded] = [now.level(0, 0), now.level(0, FOLD)];
  const card = (n, words) => el("div", { class: "card" }, el("b", {}, n), el("span", {}, words));
  const cards = [
    card(grouped(folded.files), `${PLACES} folded, ${about(0, folded.tokens)} tokens`),
    card(grouped(excluded.files), `${PLACES} not shown, ${about(0, excluded.tokens)} tokens`),
    card(grouped(doc.demoted.length + doc.demoted_left_out), `${PLACES} below what was asked`),
    doc.n_masked === null ? null : card(grouped(doc.n_masked), "secrets masked in the map"),
    card(grouped(doc.problems.length + doc.problems_left_out), `${PLACES} with problems`),
  ];
  if (doc.conflict) box.append(el("p", { class: "note alert" }, doc.conflict));
  box.append(el("div", { class: "cards" }, cards));
  const rest = (n) => (n ? [el("p", { class: "hint" }, `and ${grouped(n)} more; the JSON twin of the map (--format json) has all`)] : []);
  const part = (title, rows, n = 0) => {
    if (rows.length) box.append(el("h3", {}, title), el("ul", { class: "plain" }, rows.slice(0, 200)), rest(n + Math.max(0, rows.length - 200)));
  };
  const line = (file, words) => el("li", {}, fileLink(file), el("span", { class: "muted" }, words));
  part("Shown below what was asked", doc.demoted.map(([file, was]) => line(file, `${was} → ${LEVELS[tree.last[file]]}`)), doc.demoted_left_out);
  part("Below a floor", doc.below_floor.map((path) => el("li", {}, el("span", { class: "path" }, path))), doc.below_floor_left_out);
  part("Could not be read, or not in whole", doc.problems.map(([path, why]) => el("li", {}, el("span", { class: "path" }, path), el("span", { class: "muted" }, why))), doc.problems_left_out);
  part(`${CAPITAL}s with masked secrets`, doc.masked.map(([file, n]) => line(file, plural(n, "secret"))), doc.masked_left_out);
  const near = ranks.rows.filter((row) => tree.last[row.file] < PATH && row.score > 0).slice(0, 10);
  part("Came nearest", near.map((row) => line(row.file, `score ${fixed(row.score, 3)}, ${LEVELS[tree.last[row.file]]}`)));
  const top = tree.folders[0].map((folder) => [folder, now.level(folder, 0).files, now.level(folder, FOLD).files]).filter(([, a, b]) => a + b > 0);
  if (top.length) {
    top.sort((a, b) => b[1] + b[2] - a[1] - a[2]);
    const row = ([folder, out, lines]) => el("tr", {}, el("th", { scope: "row", class: "path" }, `${tree.folderNames[folder]}/`), el("td", { class: "num" }, grouped(lines)), el("td", { class: "num" }, grouped(out)), el("td", { class: "num" }, grouped(now.shown(folder))));
    const head = (words, className) => el("th", { scope: "col", class: className }, words);
    box.append(el("h3", {}, "By folder"), scroll("Left out by folder", "", el("table", {}, el("thead", {}, el("tr", {}, head("Folder"), head("Folded", "num"), head("Not shown", "num"), head("Shown", "num"))), el("tbody", {}, top.slice(0, 60).map(row)))));
  }
  const counted = tree.rest.reduce((a, b) => a + b, 0);
  if (counted) box.append(el("p", { class: "note" }, `${plural(counted, PLACE)} of this very large tree are counted in their folders and not named: those of least worth and size.`));
}
