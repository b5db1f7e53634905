// The element that has the focus; null if none has it.
(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = (at.shadowRoot || at.contentDocument || {}).activeElement) {
    at = inner;
  }
  const isPage = !at || at === at.ownerDocument.body || at === at.ownerDocument.documentElement;
  return isPage ? null : at;
})()
