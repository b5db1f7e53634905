// The levels after each turn, and where the page stands.

const turns = (() => {
  if (!doc.start) return { n: 0, at: () => tree.last };
  const start = new Uint8Array(tree.names.length);
  let place = 0;
  for (const [n, level] of doc.start) {
    start.fill(level, place, place + n);
    place += n;
  }
  const frames = [start];
  for (const runs of doc.changes) {
    const next = frames[frames.length - 1].slice();
    let end = 0;
    for (const [gap, n, level] of runs) {
      next.fill(level, end + gap, end + gap + n);
      end += gap + n;
    }
    frames.push(next);
  }
  return { n: doc.changes.length, at: (turn) => frames[turn] };
})();

// Of a tree of nothing but data the data is drawn.
const hidesData = tree.data.size > 0 && tree.data.size < tree.names.length;
const state = { turn: turns.n, folder: 0, levels: tree.last, totals: null, area: hidesData ? areas.text : areas.whole };
state.levels = turns.n ? turns.at(turns.n) : tree.last;
state.totals = totals(state.levels, state.area);
