// What keeps people from using a page: names, contrasts, structure, room. Returns a list of what is wrong, in words.
(() => {
  const wrong = [];
  const named = (element) => {
    const by = (element.getAttribute('aria-labelledby') || '').split(/\s+/).filter(Boolean);
    const labels = [...(element.labels || [])].map((label) => label.innerText);
    const texts = [element.getAttribute('aria-label'), element.title, ...labels, ...by.map((id) => document.getElementById(id)?.innerText)];
    return texts.some((text) => text && text.trim());
  };
  const shown = (element) => element.checkVisibility({ opacityProperty: false, visibilityProperty: true }) && element.getClientRects().length > 0;
  const told = (element) => element.outerHTML.slice(0, 90).replace(/\s+/g, ' ');

  if (!document.documentElement.lang) wrong.push('the page has no language');
  if (!document.title.trim()) wrong.push('the page has no title');
  if (document.querySelectorAll('main').length !== 1) wrong.push('the page has not one main part');
  for (const field of document.querySelectorAll('input:not([type=hidden]), select, textarea')) if (shown(field) && !named(field)) wrong.push(`a field has no name: ${told(field)}`);
  for (const control of document.querySelectorAll('button, a[href], summary')) {
    const pictures = [...control.querySelectorAll('img[alt], svg[aria-label]')].some((picture) => (picture.alt || picture.getAttribute('aria-label') || '').trim());
    if (shown(control) && !control.textContent.trim() && !named(control) && !pictures) wrong.push(`nothing says what this does: ${told(control)}`);
  }
  for (const picture of document.querySelectorAll('img:not([alt]), svg[role=img]:not([aria-label]), iframe:not([title])')) wrong.push(`a picture or frame has no text: ${told(picture)}`);
  const ids = [...document.querySelectorAll('[id]')].map((element) => element.id);
  for (const id of new Set(ids.filter((id, at) => ids.indexOf(id) !== at))) wrong.push(`two elements are called ${id}`);
  for (const name of ['aria-describedby', 'aria-labelledby', 'aria-controls', 'for']) {
    for (const element of document.querySelectorAll(`[${name}]`)) for (const id of element.getAttribute(name).split(/\s+/)) if (!document.getElementById(id)) wrong.push(`${name} leads nowhere: ${told(element)}`);
  }
  for (const item of document.querySelectorAll('li')) if (!item.closest('ul, ol, menu')) wrong.push(`an item of no list: ${told(item)}`);
  for (const box of document.querySelectorAll('body *')) {
    const style = getComputedStyle(box);
    const scrolls = /auto|scroll/.test(style.overflowY + style.overflowX) && (box.scrollHeight > box.clientHeight + 1 || box.scrollWidth > box.clientWidth + 1);
    if (scrolls && shown(box) && box.tabIndex < 0 && !box.querySelector('a[href], button, input, select, textarea, [tabindex="0"]')) wrong.push(`this scrolls by the mouse alone: ${told(box)}`);
  }
  if (document.documentElement.scrollWidth > innerWidth + 1) wrong.push(`the page is ${document.documentElement.scrollWidth} wide, and the window ${innerWidth}`);

  // Contrast of what is written, against the first ground behind it.
  const colour = (text) => (text.match(/[\d.]+/g) || []).map(Number);
  const light = ([red, green, blue]) => {
    const part = (value) => { const share = value / 255; return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4; };
    return 0.2126 * part(red) + 0.7152 * part(green) + 0.0722 * part(blue);
  };
  const over = (front, back) => { const share = front[3] ?? 1; return [0, 1, 2].map((at) => front[at] * share + back[at] * (1 - share)); };
  const ground = (element) => {
    const layers = [];
    for (let at = element; at; at = at.parentElement) {
      const style = getComputedStyle(at);
      if (style.backgroundImage !== 'none') return null;
      const own = colour(style.backgroundColor);
      if (own.length >= 3 && own[3] !== 0) { layers.push(own); if ((own[3] ?? 1) === 1) break; }
    }
    const canvas = matchMedia('(prefers-color-scheme: dark)').matches ? [18, 18, 18] : [255, 255, 255];
    return layers.reverse().reduce((back, front) => over(front, back), canvas);
  };
  const walk = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  const seen = new Set();
  while (walk.nextNode()) {
    const element = walk.currentNode.parentElement;
    if (!walk.currentNode.data.trim() || seen.has(element) || !shown(element) || element.closest('svg, option, :disabled, [aria-hidden=true]')) continue;
    seen.add(element);
    const style = getComputedStyle(element);
    const back = ground(element);
    if (!back || style.clipPath !== 'none') continue;
    const front = over(colour(style.color), back);
    const [high, low] = [light(front), light(back)].sort((left, right) => right - left);
    const size = parseFloat(style.fontSize);
    const least = size >= 24 || (size >= 18.66 && Number(style.fontWeight) >= 700) ? 3 : 4.5;
    const contrast = (high + 0.05) / (low + 0.05);
    if (contrast < least) wrong.push(`hard to read (${contrast.toFixed(1)} to 1): ${told(element)}`);
  }
  return [...new Set(wrong)].slice(0, 20);
})()
