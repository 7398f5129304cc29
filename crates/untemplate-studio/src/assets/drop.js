// Files that are dropped on the start, or chosen there, are sent to the studio one after the other; then it begins with them as with an address.
const form = document.querySelector('form[data-drop]');
const entry = form.querySelector('#entry');
const status = form.querySelector('[data-dropped]');

// The files below what was dropped, with their paths.
const filesOf = async (item) => {
  if (item.isFile) return [{ path: item.fullPath.slice(1), file: await new Promise((done, failed) => item.file(done, failed)) }];
  const reader = item.createReader();
  const all = [];
  for (;;) {
    const some = await new Promise((done, failed) => reader.readEntries(done, failed));
    if (some.length === 0) return all;
    for (const inner of some) all.push(...await filesOf(inner));
  }
};

const post = async (address, body) => {
  const answer = await fetch(address, { method: 'POST', body });
  if (!answer.ok) throw new Error(await answer.text());
  return answer.text();
};

// One folder, or one file, is what it is; several things are put into a folder together.
const take = async (files) => {
  if (files.length === 0) return;
  const tops = new Set(files.map(({ path }) => path.split('/')[0]));
  const isFolder = tops.size === 1 && files.some(({ path }) => path.includes('/'));
  const [top] = tops;
  const name = tops.size === 1 ? top.replace(/(\.warc)?\.[a-z0-9]+$/i, isFolder ? '$&' : '') : 'pages';
  try {
    status.textContent = `0 of ${files.length} files are here`;
    const at = await post(`${form.dataset.drop}?${new URLSearchParams({ name })}`);
    let kept = 0;
    for (const { path, file } of files) {
      const own = isFolder ? path.slice(top.length + 1) : path;
      await post(`${form.dataset.drop}/file?${new URLSearchParams({ at, path: own })}`, file);
      kept += 1;
      status.textContent = `${kept} of ${files.length} ${files.length === 1 ? 'file is' : 'files are'} here`;
    }
    entry.value = files.length === 1 && !isFolder ? `${at}/${top}` : at;
    form.classList.add('has-files');
    form.querySelector('button.primary').focus();
  } catch (error) {
    status.textContent = error.message;
  }
};

addEventListener('dragover', (event) => { event.preventDefault(); form.classList.add('over'); });
addEventListener('dragleave', (event) => { if (!event.relatedTarget) form.classList.remove('over'); });
addEventListener('drop', async (event) => {
  event.preventDefault();
  form.classList.remove('over');
  // Items are gone once this function waits for something.
  const items = [...event.dataTransfer.items].map((item) => item.webkitGetAsEntry()).filter(Boolean);
  const files = [];
  for (const item of items) files.push(...await filesOf(item));
  await take(files);
});
for (const input of form.querySelectorAll('input[type=file]')) {
  input.addEventListener('change', () => take([...input.files].map((file) => ({ path: file.webkitRelativePath || file.name, file }))));
}
