// The one script in the frame of a crawled page: it tells the studio what is clicked, and shows marks.
// It runs before the page's own elements are there, and takes what it needs from prototypes, since a page may
// have elements whose names stand before the document's own.
(() => {
  'use strict';
  const doc = document;
  const origin = doc.currentScript.dataset.origin;
  const studio = window.parent;
  if (studio === window) return;
  const find = Document.prototype.querySelector.bind(doc);
  const findAll = Document.prototype.querySelectorAll.bind(doc);
  const rangeAt = Document.prototype.caretRangeFromPoint && Document.prototype.caretRangeFromPoint.bind(doc);
  const makeRange = Document.prototype.createRange.bind(doc);
  const getter = (type, name) => {
    const get = Object.getOwnPropertyDescriptor(type.prototype, name).get;
    return (object) => get.call(object);
  };
  const elementsOf = getter(HTMLFormElement, 'elements');
  const closest = (node, what) => Element.prototype.closest.call(node, what);
  const numberOf = (element) => Element.prototype.getAttribute.call(element, 'data-n');
  const send = (message) => studio.postMessage(message, origin);
  const elementOf = (node) => (node.nodeType === Node.ELEMENT_NODE ? node : node.parentElement);
  const textsOf = (element) => [...Node.prototype.hasChildNodes.call(element) ? getter(Node, 'childNodes')(element) : []]
    .filter((child) => child.nodeType === Node.TEXT_NODE);

  // Which element, which of its texts, and which letter of that stands under a point.
  const pickAt = (target, text, letter) => {
    const element = closest(target, '[data-n]');
    if (!element) return null;
    const pick = { kind: 'pick', node: numberOf(element), said: '', letter: 0 };
    if (text && text.nodeType === Node.TEXT_NODE && text.parentElement === element && text.data.trim()) {
      pick.node += '.' + textsOf(element).indexOf(text);
      pick.said = text.data.slice(0, 2000);
      pick.letter = letter || 0;
    }
    return pick;
  };
  // What is selected begins in the text that is meant, wherever the mouse was let go.
  const selectedRange = () => {
    const selection = getSelection();
    return selection && !selection.isCollapsed && selection.rangeCount ? selection.getRangeAt(0) : null;
  };
  const isControl = (element) => closest(element, 'input, select, textarea, option, label');
  const isSubmit = (element) => {
    const button = closest(element, 'button, input');
    if (!button) return false;
    const kind = (Element.prototype.getAttribute.call(button, 'type') || '').toLowerCase();
    return button.tagName === 'BUTTON' ? kind !== 'button' && kind !== 'reset' : kind === 'submit' || kind === 'image';
  };
  const valuesOf = (form) => {
    const values = [];
    for (const control of elementsOf(form)) {
      const kind = (control.type || '').toLowerCase();
      if (!control.name || ['submit', 'image', 'button', 'reset', 'file'].includes(kind)) continue;
      if (['checkbox', 'radio'].includes(kind) && !control.checked) continue;
      values.push([String(control.name), String(control.value).slice(0, 2000)]);
    }
    return values;
  };
  const sendForm = (inside) => {
    const form = closest(inside, 'form');
    if (form) send({ kind: 'form', node: numberOf(form), values: valuesOf(form) });
    return Boolean(form);
  };

  addEventListener('click', (event) => {
    const target = elementOf(event.target);
    if (!target) return;
    if (isSubmit(target)) {
      event.preventDefault();
      if (sendForm(target)) return;
    }
    // A field of a form is filled in as ever.
    if (isControl(target)) return;
    event.preventDefault();
    event.stopPropagation();
    const range = selectedRange();
    const selection = range ? String(range).trim() : '';
    const at = selection ? range : rangeAt && rangeAt(event.clientX, event.clientY);
    const from = selection ? elementOf(range.startContainer) : target;
    const pick = pickAt(from, at && at.startContainer, at && at.startOffset);
    if (pick) send({ ...pick, selected: selection.slice(0, 2000) });
  }, true);
  let hovered = null;
  addEventListener('mouseover', (event) => {
    const target = elementOf(event.target);
    const element = target && closest(target, '[data-n]');
    if (element === hovered) return;
    if (hovered) hovered.removeAttribute('data-hover');
    hovered = element && !['HTML', 'BODY'].includes(element.tagName) ? element : null;
    if (hovered) hovered.setAttribute('data-hover', '');
  }, { capture: true, passive: true });
  addEventListener('auxclick', (event) => event.preventDefault(), true);
  addEventListener('dragstart', (event) => event.preventDefault(), true);

  // By keyboard: arrows walk over what has text, Enter picks it.
  let cursor = null;
  const hasText = (element) => textsOf(element).some((text) => text.data.trim()) && element.getClientRects().length > 0;
  const walk = (step) => {
    const all = [...findAll('body [data-n]')].filter(hasText);
    if (!all.length) return;
    let index = cursor ? all.indexOf(cursor) + step : step > 0 ? 0 : all.length - 1;
    index = Math.max(0, Math.min(all.length - 1, index));
    if (cursor) cursor.removeAttribute('data-cursor');
    cursor = all[index];
    cursor.setAttribute('data-cursor', '');
    cursor.scrollIntoView({ block: 'nearest' });
    send({ kind: 'at', text: cursor.textContent.trim().slice(0, 200) });
  };
  addEventListener('keydown', (event) => {
    if (event.ctrlKey || event.metaKey || event.altKey) return;
    const target = elementOf(event.target);
    const isWriting = target && isControl(target);
    if (event.key === 'Enter' && isWriting) {
      event.preventDefault();
      sendForm(target);
      return;
    }
    if (isWriting) return;
    if (event.key === 'ArrowDown' || event.key === 'ArrowRight') { event.preventDefault(); walk(1); }
    else if (event.key === 'ArrowUp' || event.key === 'ArrowLeft') { event.preventDefault(); walk(-1); }
    else if (event.key === 'Enter') {
      event.preventDefault();
      const from = cursor || (target && closest(target, 'a[data-n]'));
      const text = from && textsOf(from).find((its) => its.data.trim());
      // Who walks by keys means the end of a text: what comes after its label.
      const pick = from && pickAt(from, text, text && text.data.length);
      if (pick) send({ ...pick, selected: '' });
    } else if (event.key.length === 1 || event.key === 'Escape') send({ kind: 'key', key: event.key });
  }, true);

  // Elements by their numbers. A search for each of 2,000 marks takes seconds on a page of 200,000 links.
  const stateOf = getter(Document, 'readyState');
  let numbered = null;
  const elementAt = (number) => {
    if (stateOf(doc) === 'loading') return find(`[data-n="${number}"]`);
    if (!numbered) {
      numbered = new Map();
      for (const element of findAll('[data-n]')) numbered.set(Number(numberOf(element)), element);
    }
    return numbered.get(number);
  };

  // Marks: texts are coloured, elements outlined.
  const clear = () => {
    for (const marked of findAll('[data-mark]')) marked.removeAttribute('data-mark');
    if (window.CSS && CSS.highlights) CSS.highlights.clear();
  };
  const mark = (marks, show) => {
    clear();
    let first = null;
    const ranges = {};
    for (const { node, text, as, from, to } of marks) {
      const element = elementAt(Number(node));
      if (!element) continue;
      const own = text === undefined ? undefined : textsOf(element)[Number(text)];
      const isPart = own && from !== undefined && Number(to) <= own.data.length;
      const isAlone = own && !isPart && element.textContent.trim() === own.data.trim();
      if (own && !isAlone && window.CSS && CSS.highlights && window.Highlight) {
        const range = makeRange();
        range.selectNodeContents(own);
        if (isPart) { range.setStart(own, Number(from)); range.setEnd(own, Number(to)); }
        (ranges[as] = ranges[as] || []).push(range);
      } else {
        element.setAttribute('data-mark', `${element.getAttribute('data-mark') || ''} ${as}`.trim());
      }
      if (!first || as === 'candidate') first = first && first.as === 'candidate' ? first : { element, as };
    }
    for (const as of Object.keys(ranges)) CSS.highlights.set(as, new Highlight(...ranges[as]));
    if (show && first) first.element.scrollIntoView({ block: 'center' });
  };
  addEventListener('message', (event) => {
    if (event.source !== studio || event.origin !== origin || !event.data) return;
    if (event.data.kind === 'mark' && Array.isArray(event.data.marks)) mark(event.data.marks, event.data.show);
  });
  addEventListener('DOMContentLoaded', () => send({ kind: 'ready', at: location.pathname + location.search }));
})();
