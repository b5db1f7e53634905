// The tree of files, its folders, and what each holds in all.

const tree = (() => {
  const raw = doc.tree;
  const names = raw.sizes.length ? raw.names.split("/") : [];
  const folderNames = raw.folder_names.split("/");
  const nFolders = raw.folder_parents.length;
  const first = new Uint32Array(nFolders + 1);
  const folders = Array.from({ length: nFolders }, () => []);
  const home = new Uint32Array(names.length);
  for (let at = 0; at < nFolders; at++) {
    first[at + 1] = first[at] + raw.folder_files[at];
    if (at > 0) folders[raw.folder_parents[at]].push(at);
    home.fill(at, first[at], first[at + 1]);
  }
  const rule = new Int32Array(names.length).fill(-1);
  let place = 0;
  for (const [n, position] of raw.rules) {
    rule.fill(position, place, place + n);
    place += n;
  }
  const last = Uint8Array.from(raw.levels, Number);
  return {
    names, folderNames, nFolders, first, folders, home, rule, last,
    sizes: raw.sizes, estimated: new Set(raw.estimated), data: new Set(raw.data), tokens: new Map(raw.tokens), marks: new Map(raw.marks),
    parents: raw.folder_parents, rest: raw.folder_rest, restTokens: raw.folder_rest_tokens,
  };
})();

function folderPath(folder) {
  const parts = [];
  for (let at = folder; at > 0; at = tree.parents[at]) parts.push(tree.folderNames[at]);
  return parts.reverse().map((part) => `${part}/`).join("");
}
const filePath = (file) => folderPath(tree.home[file]) + tree.names[file];
const size = (file) => (tree.estimated.has(file) ? "about " : "") + grouped(tree.sizes[file]);
/** The tokens of a folder: “about” where any size in it is an estimate. */
const about = (() => {
  const any = new Uint8Array(tree.nFolders);
  for (const file of tree.estimated) any[tree.home[file]] = 1;
  for (let folder = tree.nFolders - 1; folder >= 0; folder--) {
    if (tree.rest[folder]) any[folder] = 1;
    if (any[folder] && folder > 0) any[tree.parents[folder]] = 1;
  }
  return (folder, tokens, digits = grouped) => (any[folder] ? (digits === grouped ? "about " : "~") : "") + digits(tokens);
})();
const apart = new Map(doc.items);
/** A file's level in words, and that some of its items have another. */
const levelWords = (file, level) => LEVELS[level] + (apart.has(file) && level === tree.last[file] ? ` + ${plural(apart.get(file).length, PART)}` : "");
const sign = (file, level) => SIGNS[level] + (apart.has(file) && level === tree.last[file] ? "+" : "");

/** What a file is as large as: whole, with or without data that the map does not show, or what it takes in the map. */
const areas = {
  text: (file) => (tree.data.has(file) ? 0 : tree.sizes[file]),
  whole: (file) => tree.sizes[file],
  map: (file) => tree.tokens.get(file) || 0,
};

/** What a folder holds in all, given the level of each file: tokens and files a level, counted files last. */
function totals(levels, area = areas.whole) {
  const KINDS = LEVELS.length + 1;
  const tokens = new Float64Array(tree.nFolders * KINDS);
  const files = new Float64Array(tree.nFolders * KINDS);
  for (let file = 0; file < levels.length; file++) {
    const at = tree.home[file] * KINDS + levels[file];
    tokens[at] += area(file);
    files[at] += 1;
  }
  for (let folder = tree.nFolders - 1; folder >= 0; folder--) {
    if (area !== areas.map) tokens[folder * KINDS + KINDS - 1] += tree.restTokens[folder];
    files[folder * KINDS + KINDS - 1] += tree.rest[folder];
    if (folder === 0) continue;
    const up = tree.parents[folder];
    for (let kind = 0; kind < KINDS; kind++) {
      tokens[up * KINDS + kind] += tokens[folder * KINDS + kind];
      files[up * KINDS + kind] += files[folder * KINDS + kind];
    }
  }
  const sum = (all, folder) => {
    let n = 0;
    for (let kind = 0; kind < KINDS; kind++) n += all[folder * KINDS + kind];
    return n;
  };
  return {
    level: (folder, level) => ({ tokens: tokens[folder * KINDS + level], files: files[folder * KINDS + level] }),
    tokens: (folder) => sum(tokens, folder),
    files: (folder) => sum(files, folder),
    shown: (folder) => {
      let n = 0;
      for (let level = PATH; level < LEVELS.length; level++) n += files[folder * KINDS + level];
      return n;
    },
    /** The highest level that any file of a folder has. */
    most: (folder) => {
      let level = LEVELS.length - 1;
      while (level > 0 && !files[folder * KINDS + level]) level -= 1;
      return level;
    },
    /** The level that most of a folder's tokens have. */
    main: (folder) => {
      let best = 0;
      for (let level = 1; level < LEVELS.length; level++) {
        if (tokens[folder * KINDS + level] > tokens[folder * KINDS + best]) best = level;
      }
      return best;
    },
  };
}
