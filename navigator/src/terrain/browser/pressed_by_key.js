(() => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = (at.shadowRoot || at.contentDocument || {}).activeElement) {
    at = inner;
  }
  if (!at || at === at.ownerDocument.body || at === at.ownerDocument.documentElement) return [];
  if (/^I?FRAME$/.test(at.tagName) && !at.contentDocument) return null;
  const isField = at.isContentEditable
    || /^(TEXTAREA|SELECT)$/.test(at.tagName)
    || (at.tagName === 'INPUT' && !/^(submit|button|image|reset)$/.test(at.type));
  const pressed = isField ? [] : [at];
  if (at.form && at.tagName === 'INPUT') {
    pressed.push(...[...at.form.elements].filter(one => /^(submit|image)$/.test(one.type)).slice(0, 1));
  }
  // A form without a button is sent by Enter all the same.
  // Its fields may have the names of methods.
  const ofForm = name => Element.prototype.getAttribute.call(at.form, name);
  const action = at.form && at.tagName === 'INPUT' && ofForm('action');
  const isGet = action && (ofForm('method') || 'get').toLowerCase() === 'get';
  const asked = isGet ? [new URL(action, at.ownerDocument.baseURI).pathname] : [];
  return asked.concat(pressed.flatMap(one => [
    one.innerText, one.value, one.alt, one.title, one.getAttribute('aria-label'),
    one.href && one.pathname, one.formAction && new URL(one.formAction).pathname,
  ])).filter(text => typeof text === 'string' && text).map(text => text.slice(0, 300));
})()
