// Live views, marks on a kept page, and the graph of a model. The server says everything; this only puts it in place.
const put = (view, name, value) => {
  const place = view.querySelector(`[data-figure="${name}"]`);
  if (place && value !== null && value !== undefined) place.textContent = Number(value).toLocaleString('en').replaceAll(',', '\u202f');
};

// The pace of late, as a line.
const paces = [];
const drawPace = (view, rate) => {
  const line = view.querySelector('.pace polyline');
  if (!line || rate === null || rate === undefined) return;
  paces.push(rate);
  if (paces.length > 120) paces.shift();
  const most = Math.max(...paces, 1);
  line.setAttribute('points', paces.map((pace, at) => `${(at * 300 / 119).toFixed(1)},${(39 - 38 * pace / most).toFixed(1)}`).join(' '));
};

// Rows as they are read, each a list of names and values in the order of its fields; lists inside a row are counted.
const shownRows = { n: 0, columns: [] };
const addRows = (rows, first) => {
  const table = document.querySelector('[data-rows]');
  if (!table || !rows) return;
  for (const [at, row] of rows.entries()) {
    if (first + at < shownRows.n) continue;
    shownRows.n += 1;
    const values = new Map(row);
    for (const name of values.keys()) {
      if (name === 'page' || shownRows.columns.includes(name)) continue;
      shownRows.columns.push(name);
      const head = document.createElement('th');
      head.textContent = name;
      table.tHead.rows[0].append(head);
    }
    const line = table.tBodies[0].insertRow(0);
    for (const name of shownRows.columns) {
      const value = values.get(name);
      line.insertCell().textContent = Array.isArray(value) ? (typeof value[0] === 'object' ? `${value.length} rows` : value.join(', ')) : value ?? '–';
    }
    line.title = values.get('page') || '';
  }
  table.closest('section').hidden = shownRows.n === 0;
};

// How far a job is: a bar where it knows of how many, and its own words.
const showProgress = (progress) => {
  const place = document.querySelector('[data-progress]');
  if (!place || !progress) return;
  const bar = place.querySelector('progress');
  if (progress.estimated) {
    bar.max = progress.estimated;
    bar.value = progress.done;
  } else {
    bar.removeAttribute('value');
  }
  place.querySelector('p').textContent = `${progress.phase}: ${progress.text}`;
  place.hidden = false;
};

for (const view of document.querySelectorAll('[data-live]')) {
  const events = new EventSource(view.dataset.live);
  events.addEventListener('message', (event) => {
    const told = JSON.parse(event.data);
    if (told.figures) {
      for (const [name, value] of Object.entries(told.figures)) put(view, name, value);
      drawPace(view, told.figures.rate);
    }
    showProgress(told.progress);
    addRows(told.rows, told.first_row);
    const messages = document.getElementById('messages');
    if (messages && told.messages) {
      const isAtEnd = messages.scrollTop + messages.clientHeight >= messages.scrollHeight - 20;
      messages.append(told.messages);
      if (isAtEnd) messages.scrollTop = messages.scrollHeight;
    }
    // What came of it is the server's to show.
    if (told.ended) { events.close(); location.reload(); }
  });
  addEventListener('pagehide', () => events.close());
}

// A kept page says when it is there; then it is told what to mark. What it says besides is of no interest here.
const frame = document.getElementById('page');
const panel = document.getElementById('panel');
if (frame && panel) {
  addEventListener('message', (event) => {
    if (event.source !== frame.contentWindow || event.origin !== 'null' || !event.data || event.data.kind !== 'ready') return;
    frame.contentWindow.postMessage({ kind: 'mark', marks: JSON.parse(panel.dataset.marks || '[]'), show: true }, '*');
  });
}

const graph = document.querySelector('svg.graph');
if (graph) {
  const arcs = [...graph.querySelectorAll('.arc')];
  const light = (node, isOn) => {
    graph.classList.toggle('quiet', isOn);
    for (const lit of graph.querySelectorAll('.on')) lit.classList.remove('on');
    if (!isOn) return;
    node.classList.add('on');
    const own = arcs.filter((arc) => arc.dataset.from === node.dataset.class || arc.dataset.to === node.dataset.class);
    for (const arc of own) {
      arc.classList.add('on');
      for (const end of [arc.dataset.from, arc.dataset.to]) graph.querySelector(`.node[data-class="${end}"]`).classList.add('on');
    }
  };
  for (const node of graph.querySelectorAll('.node')) {
    node.addEventListener('mouseenter', () => light(node, true));
    node.addEventListener('mouseleave', () => light(node, false));
  }
}
