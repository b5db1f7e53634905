// Called with the name of a key, and whether Alt is held: the texts of what the key would press or
// choose now; null if that lies in a frame that cannot be looked into, or has no focus.
(key, hasAlt) => {
  let at = document.activeElement;
  for (let inner = at; inner; inner = (at.shadowRoot || at.contentDocument || {}).activeElement) {
    at = inner;
  }
  if (at && /^I?FRAME$/.test(at.tagName) && !at.contentDocument) return null;
  const texts = one => [
    one.innerText, one.value, one.alt, one.title, one.getAttribute('aria-label'),
    ...[...one.labels || []].map(label => label.innerText),
    one.href && one.pathname, one.formAction && new URL(one.formAction).pathname,
  ];

  // What has the focus is clicked, and Enter sends the form of a field.
  const pressed = () => {
    const isInput = at.tagName === 'INPUT';
    const isBox = isInput && /^(checkbox|radio)$/.test(at.type);
    const isField = at.isContentEditable || /^(TEXTAREA|SELECT)$/.test(at.tagName)
      || (isInput && !/^(submit|button|image|reset)$/.test(at.type));
    const all = isField && !(isBox && key === ' ') ? [] : texts(at);
    if (!at.form || !isInput) return all;
    const sends = [...at.form.elements].find(one => /^(submit|image)$/.test(one.type));
    // A form without a button is sent all the same. Its fields may have the names of methods.
    const ofForm = name => Element.prototype.getAttribute.call(at.form, name);
    const action = ofForm('action');
    const isGet = action && (ofForm('method') || 'get').toLowerCase() === 'get';
    const asked = isGet ? [new URL(action, at.ownerDocument.baseURI).pathname] : [];
    return asked.concat(all, sends ? texts(sends) : []);
  };
  // Arrows, and letters that an option begins with.
  const chosen = () => {
    if (at.tagName === 'SELECT') {
      return [...at.options].filter(one => !one.selected).map(one => one.label);
    }
    if (at.type !== 'radio' || !key.startsWith('Arrow')) return [];
    const radios = [...at.getRootNode().querySelectorAll('input[type=radio]')];
    return radios.filter(one => one.name === at.name && !one.checked).flatMap(texts);
  };
  const ofAccessKey = () => {
    const all = root => [...root.querySelectorAll('*')].flatMap(one =>
      [one, ...[one.shadowRoot, one.contentDocument].filter(inner => inner).flatMap(all)]);
    const keys = one => (one.getAttribute('accesskey') || '').toLowerCase().split(/\s+/);
    const found = all(document).filter(one => keys(one).includes(key.toLowerCase()));
    return found.flatMap(one => one.control ? [one, one.control] : [one]).flatMap(texts);
  };

  const isNowhere = !at || at === at.ownerDocument.body || at === at.ownerDocument.documentElement;
  // The focus may just leave the frame, for a page around it that has not got it yet.
  if (isNowhere && window !== top) return null;
  const isPress = key === 'Enter' || key === ' ';
  const asked = isNowhere ? [] : isPress ? pressed() : chosen();
  return asked.concat(hasAlt ? ofAccessKey() : [])
    .filter(text => typeof text === 'string' && text).map(text => text.slice(0, 300));
}
