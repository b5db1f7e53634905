// The text that is selected, or how long it is if it is long. Never that of a password.
(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = (at.shadowRoot || at.contentDocument || {}).activeElement) {
    at = inner;
  }
  if (at && at.type === 'password') return '';
  const isField = at && /^(INPUT|TEXTAREA)$/.test(at.tagName) && at.selectionStart !== null;
  const inField = isField ? at.value.slice(at.selectionStart, at.selectionEnd) : '';
  const text = inField || String((at ? at.ownerDocument : document).getSelection());
  return text.length > 1000 ? text.length : text;
})()
