// Called on a document's window, or on an element: finds a text in it, scrolls to it, and returns
// where it begins and ends. Spaces and line breaks do not count.
function (wanted) {
  const bare = text => text.replace(/\s+/g, '');
  const graphemes = text => [...new Intl.Segmenter().segment(text)].length;
  const all = (letters, part) => {
    const found = [];
    let at = -1;
    while ((at = letters.indexOf(part, at + 1)) >= 0) found.push(at);
    return found;
  };
  // How often the text is there, and from which letter to which.
  const find = letters => {
    const whole = bare(wanted);
    if (!whole) return [letters ? 1 : 0, 0, letters.length];
    const found = all(letters, whole);
    if (found.length) return [found.length, found[0], found[0] + whole.length];
    const [first, last, ...more] = wanted.split(/…|\.\.\./).map(bare);
    if (!first || !last || more.length) return [0, 0, 0];
    const begins = all(letters, first);
    const end = begins.length ? letters.indexOf(last, begins[0] + first.length) : -1;
    return end < 0 ? [0, 0, 0] : [begins.length, begins[0], end + last.length];
  };

  // A field has its text in its value: keys go over it.
  if (this instanceof Element && this.matches('input, textarea')) {
    const value = this.type === 'password' ? '' : this.value;
    const spots = [];
    for (let at = 0; at < value.length; at++) if (!/\s/.test(value[at])) spots.push(at);
    const [n, from, to] = find(spots.map(at => value[at]).join(''));
    if (n !== 1) return { n };
    const [begin, end] = [spots[from], spots[to - 1] + 1];
    const isArea = this.tagName === 'TEXTAREA';
    const [before, length] = [value.slice(0, begin), value.slice(begin, end)].map(graphemes);
    return { n, field: { before, length, isArea } };
  }

  const spots = [];
  const above = node => node.parentNode || node.host || (node.defaultView || {}).frameElement;
  const elementOf = node => node.parentElement || node.getRootNode().host;
  const read = node => {
    if (node.nodeType === Node.TEXT_NODE) {
      const element = elementOf(node);
      if (element && !element.checkVisibility({ visibilityProperty: true })) return;
      for (let at = 0; at < node.data.length; at++) {
        if (!/\s/.test(node.data[at])) spots.push([node, at]);
      }
    } else if (/^(SCRIPT|STYLE|TEXTAREA|SELECT)$/.test(node.tagName)) {
      return;
    } else if (/^I?FRAME$/.test(node.tagName)) {
      if (node.contentDocument && node.contentDocument.body) read(node.contentDocument.body);
    } else {
      const assigned = node.tagName === 'SLOT' ? node.assignedNodes() : [];
      (assigned.length ? assigned : (node.shadowRoot || node).childNodes).forEach(read);
    }
  };
  read(this instanceof Element ? this : document);
  const [n, from, to] = find(spots.map(([node, at]) => node.data[at]).join(''));
  if (n !== 1) return { n };

  // A place in the window, at the outer side of a letter.
  const placed = ([node, at], isEnd) => {
    const range = node.ownerDocument.createRange();
    range.setStart(node, at);
    range.setEnd(node, at + 1);
    const letter = range.getBoundingClientRect();
    const isBackwards = getComputedStyle(elementOf(node)).direction === 'rtl';
    const inset = Math.min(1, letter.width / 4);
    let x = isEnd === isBackwards ? letter.left + inset : letter.right - inset;
    let y = (letter.top + letter.bottom) / 2;
    for (let view = node.ownerDocument.defaultView; view !== window; view = view.parent) {
      const frame = view.frameElement.getBoundingClientRect();
      x += frame.left + view.frameElement.clientLeft;
      y += frame.top + view.frameElement.clientTop;
    }
    return [x, y];
  };
  const [first, last] = [spots[from], spots[to - 1]];
  const ends = () => [placed(first, false), placed(last, true)];
  const isSeen = ([x, y]) => x >= 0 && y >= 0 && x < innerWidth && y < innerHeight;
  const toMiddle = { block: 'center', behavior: 'instant' };
  if (!ends().every(isSeen)) elementOf(first[0]).scrollIntoView(toMiddle);
  const [start, end] = ends();
  const over = document.elementFromPoint(...start);
  let around = first[0];
  while (around && around !== over) around = above(around);
  const isInside = over && elementOf(first[0]).contains(over);
  return { n, start, end, isSeen: isSeen(start) && isSeen(end), isCovered: !around && !isInside };
}
