// The panel beside a page. The address of a view says all that is looked at; this script only spares loading the page anew:
// it asks for the panel alone, and puts it in place. What the frame says is data from outside, and only ever becomes part of an address.
const frame = document.getElementById('page');
let isReady = false;

const panel = () => document.getElementById('panel');
const post = (message) => frame.contentWindow.postMessage(message, '*');
const marksOf = (element) => {
  try { return JSON.parse(element.dataset.marks || '[]'); } catch { return []; }
};
const mark = (element, show) => { if (isReady) post({ kind: 'mark', marks: marksOf(element), show }); };

// Puts a panel in the place of the one that is there, and another page into the frame if it is about another.
const put = (html) => {
  const next = new DOMParser().parseFromString(html, 'text/html').getElementById('panel');
  if (!next) { location.reload(); return; }
  const was = panel().dataset.frame;
  panel().replaceWith(document.adoptNode(next));
  if (next.dataset.frame !== was) {
    isReady = false;
    frame.contentWindow.location.replace(next.dataset.frame);
  } else {
    mark(next, true);
  }
  const first = next.querySelector('[data-question] input[type=radio]:checked, [data-question] button, .card input[name=field], .card button.primary');
  if (first) first.focus({ preventScroll: true });
  next.scrollTop = 0;
};

let latest = 0;
const load = async (address, options, isNew) => {
  const turn = ++latest;
  panel().setAttribute('aria-busy', 'true');
  try {
    const answer = await fetch(address, { ...options, headers: { 'X-Panel': '1' } });
    const text = await answer.text();
    if (turn !== latest) return;
    if (!answer.ok) {
      const told = new DOMParser().parseFromString(text, 'text/html');
      say([...told.querySelectorAll('main h1, main p:not(:has(a))')].map((its) => its.textContent).join(': ') || text);
      panel().removeAttribute('aria-busy');
      return;
    }
    if (isNew) history.pushState(null, '', answer.url);
    put(text);
  } catch {
    panel().removeAttribute('aria-busy');
    say('The studio does not answer. Is untemplate still running?');
  }
};
const go = (address) => load(address, {}, true);

const say = (words) => {
  let notice = panel().querySelector('.notice');
  if (!notice) {
    notice = document.createElement('p');
    notice.className = 'notice';
    notice.setAttribute('role', 'status');
    panel().prepend(notice);
  }
  notice.textContent = words;
};

// The address of this page with something clicked on it.
const withPick = (more) => {
  const address = new URL(location.href);
  const view = new URL(panel().dataset.frame, location.href).searchParams;
  const pairs = [['class', view.get('class')], ['page', view.get('page')], ...more];
  address.search = new URLSearchParams(pairs).toString();
  return address.href;
};

addEventListener('message', (event) => {
  if (event.source !== frame.contentWindow || event.origin !== 'null' || !event.data) return;
  const said = event.data;
  if (said.kind === 'ready') {
    // A browser that restores a tab may restore the frame's last page, and not the one that belongs here.
    if (said.at !== panel().dataset.frame) {
      frame.contentWindow.location.replace(panel().dataset.frame);
      return;
    }
    isReady = true;
    mark(panel(), true);
  } else if (said.kind === 'pick') {
    go(withPick([['pick', String(said.node)], ['said', String(said.said)], ['letter', String(said.letter)], ['selected', String(said.selected)]]));
  } else if (said.kind === 'form' && Array.isArray(said.values)) {
    const fills = said.values.slice(0, 100).map((pair) => ['fill', `${pair[0]}=${pair[1]}`]);
    go(withPick([['form', String(said.node)], ...fills]));
  } else if (said.kind === 'key') {
    if (said.key === 'Escape') panel().focus();
    else press(String(said.key));
  } else if (said.kind === 'at') {
    document.getElementById('spoken').textContent = String(said.text);
  }
});

// Keys: a letter for each button that shows one.
const press = (key) => {
  if (key === 'Escape') {
    const back = panel().querySelector('.card a[data-soft]');
    if (back) back.click();
    return true;
  }
  const button = [...panel().querySelectorAll('[data-key]')].find((its) => its.dataset.key === key);
  if (button) button.click();
  return Boolean(button);
};
addEventListener('keydown', (event) => {
  if (event.ctrlKey || event.metaKey || event.altKey) return;
  const isWriting = event.target.matches('input:not([type=radio]):not([type=hidden]), textarea, select');
  if (event.key === 'Escape' || !isWriting) {
    if ((event.key.length === 1 || event.key === 'Escape') && press(event.key)) event.preventDefault();
  }
});

document.addEventListener('click', (event) => {
  if (event.target.closest('[data-page]')) {
    frame.focus();
    return;
  }
  const next = event.target.closest('[data-next]');
  if (next) {
    const choices = [...next.form.querySelectorAll('input[type=radio]')];
    if (choices.length < 2) {
      say('Click the right one on the page, or say that it has none.');
      return;
    }
    const at = choices.findIndex((choice) => choice.checked);
    const choice = choices[(at + 1) % choices.length];
    choice.checked = true;
    choice.focus();
    mark(choice.closest('[data-marks]'), true);
    return;
  }
  const more = event.target.closest('[data-choose]');
  if (more) {
    const choice = [...more.form.querySelectorAll('input[type=radio]')].find((its) => its.value === more.dataset.choose);
    if (choice) {
      choice.checked = true;
      mark(choice.closest('[data-marks]'), true);
      more.parentElement.remove();
    }
    return;
  }
  const link = event.target.closest('a[data-soft]');
  if (!link || event.ctrlKey || event.metaKey || event.shiftKey || event.button !== 0) return;
  event.preventDefault();
  go(link.href);
});
document.addEventListener('submit', (event) => {
  if (!event.target.matches('form[data-soft]')) return;
  event.preventDefault();
  const body = new URLSearchParams(new FormData(event.target, event.submitter));
  load(event.target.action, { method: 'POST', body }, true);
});
document.addEventListener('change', (event) => {
  const choice = event.target.closest('.choice[data-marks]');
  if (choice && event.target.checked) mark(choice, true);
});
// A rule by hand: what it picks is shown while it is written.
let typed = 0;
const tellMatches = async (input) => {
  const turn = ++typed;
  const output = input.form.querySelector('.matches');
  if (!input.value.trim()) { output.textContent = ''; mark(panel(), false); return; }
  await new Promise((done) => setTimeout(done, 150));
  if (turn !== typed) return;
  try {
    const answer = await fetch(`${input.dataset.matches}&path=${encodeURIComponent(input.value)}`);
    const told = await answer.json();
    if (turn !== typed) return;
    output.replaceChildren();
    output.classList.toggle('warning', Boolean(told.error));
    if (told.error) { output.textContent = told.error; return; }
    if (isReady) post({ kind: 'mark', marks: told.marks, show: true });
    told.pages.forEach((page, at) => {
      const line = document.createElement('span');
      line.className = 'line';
      line.textContent = `${at + 1}: ${page.count ? page.values.join(' · ') : 'none'}${page.count > page.values.length ? ` … ${page.count} in all` : ''}`;
      output.append(line);
    });
  } catch { output.textContent = 'The studio does not answer. Is untemplate still running?'; }
};
document.addEventListener('input', (event) => {
  if (event.target.matches('[data-matches]')) tellMatches(event.target);
});
document.addEventListener('mouseover', (event) => {
  const choice = event.target.closest('#panel [data-marks]:not(#panel)');
  if (choice) mark(choice, false);
});
addEventListener('popstate', () => load(location.href, {}, false));
// Another tab may have said something meanwhile.
document.addEventListener('visibilitychange', () => {
  if (document.visibilityState === 'visible') load(location.href, {}, false);
});

const spoken = document.createElement('p');
spoken.id = 'spoken';
spoken.className = 'unseen';
spoken.setAttribute('aria-live', 'polite');
document.body.append(spoken);
