// Tells of every change of a document and of the open shadow roots in it, in a world of its own that
// the page does not see. It changes nothing.
(() => {
  const kinds = { subtree: true, childList: true, attributes: true, characterData: true };
  const roots = new WeakSet();
  const observer = new MutationObserver(changes => {
    navigatorChanged('');
    for (const change of changes) change.addedNodes.forEach(look);
  });
  // Each returns how many roots were not known.
  const watch = root => {
    if (!root) return 0;
    if (roots.has(root)) return look(root);
    roots.add(root);
    observer.observe(root, kinds);
    return 1 + look(root);
  };
  const look = node => {
    if (!node.querySelectorAll) return 0;
    let found = watch(node.shadowRoot);
    for (const inner of node.querySelectorAll('*')) found += watch(inner.shadowRoot);
    return found;
  };
  watch(document);
  // A root that is attached to an element changes no document: it has to be looked for.
  globalThis.navigatorLook = () => look(document);
})()
