// The page: pointer, keyboard, search, theme and printing.

const bytesPane = element('bytes'), treePane = element('tree');
const query = element('query'), matches = element('matches');

function draw() {
  byteList.update();
  treeList.update();
}

/** Returns the instruction around a node, or the outermost field. */
function outerOf(node) {
  let outer = node;
  while (outer !== -1 && factOf[outer] >= 0 && factOf[parentOf[outer]] >= 0) outer = parentOf[outer];
  return outer !== -1 && factOf[outer] >= 0 ? outer : -1;
}

/** Marks a node on both sides, or the selected one for -1. */
function light(node) {
  if (node === state.lit) return;
  state.lit = node;
  state.outer = outerOf(node);
  describe(node === -1 ? state.selected : node);
  draw();
}

/** Describes a node below the panes. */
function describe(node) {
  const [path, what] = element('details').children;
  if (node === -1) {
    path.replaceChildren(span('hint',
      'Point at a byte or a field to find it on the other side; click to select it and to show it there.'));
    what.textContent = '';
    return;
  }
  const names = [];
  for (let at = node; at !== -1; at = parentOf[at]) {
    const name = words(at)[0];
    if (factOf[at] !== TABLES && factOf[at] !== CODE) {
      names.unshift(numberOf[at] < 0 ? name : `instruction ${numberOf[at]} ${name}`);
    }
  }
  path.replaceChildren(...names.flatMap((name, i) => [...(i ? [span('arrow', ' › ')] : []), span('', name)]));
  const offset = offsetOf[node], length = lengthOf[node];
  const [, value, meaning] = words(node);
  const parts = [span('at', `0x${hex(offset, digits)}`), span('size', plural(length, 'byte'))];
  const bytes = factOf[node] < 0 ? '' : bytesOf(offset, length, 32);
  if (bytes) parts.push(span('raw', bytes));
  if (numberOf[node] >= 0) parts.push(span('text', textOf(node)));
  if (isBroken[node]) parts.push(span('error', 'cannot be decoded'));
  if (value) parts.push(span('value', value));
  if (meaning) parts.push(span('meaning', meaning));
  what.replaceChildren(...parts);
}

/** Selects a node, and shows it on the sides that are named. */
function select(node, { inTree = true, inBytes = true } = {}) {
  if (node === -1) return;
  decode(groupOf(node));
  reveal(node);
  state.selected = node;
  state.lit = -1;
  light(node);
  const row = rowOf(node);
  treePane.setAttribute('aria-activedescendant', `row-${node}`);
  if (inTree) treeList.show(row);
  if (inBytes) {
    const line = lineOf(offsetOf[node]);
    if (line >= 0) byteList.show(line);
    moveCursor(offsetOf[node]);
  }
  draw();
  writeAddress(node);
}

function moveCursor(offset) {
  state.cursor = offset;
  bytesPane.setAttribute('aria-activedescendant', `byte-${offset}`);
}

function toggle(node, open = !isOpen[node]) {
  if (!hasParts(node) && groupOf(node).isDecoded) return;
  setOpen(node, open);
  listVisible();
  draw();
}

// The pointer.

const offsetUnder = event => Number(event.target.closest('[data-offset]')?.dataset.offset ?? -1);
const nodeUnder = event => Number(event.target.closest('[data-node]')?.dataset.node ?? -1);

bytesPane.addEventListener('pointermove', event => {
  const offset = offsetUnder(event);
  light(offset === -1 ? -1 : nodeAt(offset));
});
bytesPane.addEventListener('scroll', () => { element('columns').scrollLeft = bytesPane.scrollLeft; });
bytesPane.addEventListener('click', event => {
  const offset = offsetUnder(event);
  if (offset === -1) return;
  select(nodeAt(offset), { inBytes: false });
  moveCursor(offset);
});
treePane.addEventListener('pointermove', event => light(nodeUnder(event)));
treePane.addEventListener('click', event => {
  const node = nodeUnder(event);
  if (node === -1) return;
  if (event.target.classList.contains('twisty')) toggle(node);
  select(node, { inTree: false });
});
treePane.addEventListener('dblclick', event => {
  const node = nodeUnder(event);
  if (node !== -1 && !event.target.classList.contains('twisty')) toggle(node);
});
for (const pane of [bytesPane, treePane]) {
  pane.addEventListener('pointerleave', () => light(state.selected));
  pane.addEventListener('focus', () => light(state.selected));
}

// The keyboard.

bytesPane.addEventListener('keydown', event => {
  const steps = {
    ArrowLeft: -1, ArrowRight: 1, ArrowUp: -WIDTH, ArrowDown: WIDTH,
    PageUp: -WIDTH * byteList.page, PageDown: WIDTH * byteList.page,
    Home: -Infinity, End: Infinity,
  };
  const start = segments[0]?.offset ?? 0, last = segments[segments.length - 1];
  let offset = state.cursor === -1 ? start : state.cursor;
  if (event.key in steps && last) {
    const end = last.offset + last.bytes.length - 1;
    const to = Math.min(Math.max(offset + steps[event.key], start), end);
    offset = segmentAt(to) ? to : offset;
    moveCursor(offset);
    light(nodeAt(offset));
    byteList.show(lineOf(offset));
    draw();
  } else if (event.key === 'Enter' || event.key === ' ') {
    select(nodeAt(offset), { inBytes: false });
  } else {
    return;
  }
  event.preventDefault();
});

treePane.addEventListener('keydown', event => {
  const node = state.selected, row = node === -1 ? -1 : rowOf(node);
  const go = to => select(visible[Math.min(Math.max(to, 0), visibleCount - 1)]);
  switch (event.key) {
    case 'ArrowDown': go(row + 1); break;
    case 'ArrowUp': go(row - 1); break;
    case 'PageDown': go(row + treeList.page); break;
    case 'PageUp': go(row - treeList.page); break;
    case 'Home': go(0); break;
    case 'End': go(visibleCount - 1); break;
    case 'ArrowRight':
      if (node === -1) go(0);
      else if (hasParts(node) && !isOpen[node]) toggle(node, true);
      else if (hasParts(node)) go(row + 1);
      break;
    case 'ArrowLeft':
      if (node !== -1 && isOpen[node]) toggle(node, false);
      else if (node !== -1 && parentOf[node] !== -1) select(parentOf[node]);
      break;
    case 'Enter': case ' ': if (node !== -1) toggle(node); break;
    default: return;
  }
  event.preventDefault();
});

document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== query && !event.ctrlKey && !event.metaKey) {
    query.focus();
    query.select();
    event.preventDefault();
  }
});

// Search.

let found = [], current = -1, searched = '', timer = 0;

function runSearch() {
  clearTimeout(timer);
  const text = query.value.trim();
  if (text === searched) return false;
  searched = text;
  found = text ? search(text) : [];
  state.matches = new Set(found);
  // The node at an offset comes first; other matches are searched from the selected node on.
  const next = text.startsWith('0x') ? 0 : found.findIndex(node => node >= state.selected);
  current = next === -1 ? 0 : next;
  showMatch();
  return true;
}

function showMatch() {
  if (found.length) select(found[current]);
  const count = found.length.toLocaleString('en');
  matches.textContent = !searched ? '' : found.length ? `${(current + 1).toLocaleString('en')} of ${count}` : 'no match';
  matches.classList.toggle('none', searched !== '' && !found.length);
  draw();
}

function step(by) {
  if (runSearch() || !found.length) return;
  current = (current + by + found.length) % found.length;
  showMatch();
}

query.addEventListener('input', () => {
  clearTimeout(timer);
  timer = setTimeout(runSearch, 200);
});
query.addEventListener('keydown', event => {
  if (event.key === 'Enter' && event.shiftKey) {
    step(-1);
    event.preventDefault();
  }
  if (event.key === 'Escape') {
    query.value = '';
    runSearch();
  }
});
element('search').addEventListener('submit', event => {
  event.preventDefault();
  step(1);
});
element('previous').addEventListener('click', () => step(-1));

// Buttons.

function openAll(open) {
  if (open) groups.forEach(decode);
  for (let node = 0; node < total; node++) isOpen[node] = open && hasParts(node) ? 1 : 0;
  listVisible();
  if (state.selected !== -1) {
    if (!open) state.selected = groupOf(state.selected).first;
    select(state.selected);
  }
}
element('expand').addEventListener('click', () => openAll(true));
element('collapse').addEventListener('click', () => openAll(false));

// Printing: the rows that are open, as a table.

const MAX_PRINTED = 20000;
addEventListener('beforeprint', () => {
  const rows = Array.from(visible.subarray(0, Math.min(visibleCount, MAX_PRINTED)), node => {
    const row = document.createElement('div');
    row.className = `row ${factOf[node] === GROUP ? 'group' : numberOf[node] >= 0 ? 'instruction' : 'field'}`;
    row.style.setProperty('--depth', Math.min(depthOf[node], 12));
    const isShort = factOf[node] >= 0 && (!hasParts(node) || !isOpen[node]) && numberOf[node] < 0;
    row.append(span('at', lengthOf[node] ? hex(offsetOf[node], digits) : ''),
      span('raw', isShort ? bytesOf(offsetOf[node], lengthOf[node], 10) : ''), ...contents(node));
    return row;
  });
  const rest = visibleCount - rows.length;
  if (rest > 0) rows.push(span('', `${plural(rest, 'more row')} not printed`));
  element('print').replaceChildren(...rows);
});
addEventListener('afterprint', () => element('print').replaceChildren());

// The start.

function start() {
  const routines = groups.filter(group => group.kind === 'routine');
  const instructions = groups.reduce((sum, group) => sum + group.instructions, 0);
  const sizes = [data.format, plural(data.size, 'byte')];
  if (routines.length) sizes.push(plural(routines.length, 'routine'));
  if (instructions) sizes.push(plural(instructions, 'instruction'));
  element('summary').textContent = sizes.filter(Boolean).join(' · ');
  const fields = groups.reduce((sum, group) => sum + group.fields + group.code - group.instructions, 0);
  element('count').textContent = plural(fields, 'field');
  const columns = Array.from({ length: WIDTH }, (_, i) => span('byte', hex(i, 2)));
  element('columns').append(span('at', 'offset'.padEnd(digits)), ...columns, span('ascii', 'ASCII'));
  bytesPane.setAttribute('aria-rowcount', lines);
  for (const kind of ['opaque', 'unread']) {
    const isUsed = groups.some(group => group.kind === kind);
    document.querySelector(`.legend .${kind}`).hidden = !isUsed;
  }
  showErrors(data.errors);
  const shown = [groups.find(group => group.kind === 'header'),
    groups.find(group => group.kind === 'routine' || group.kind === 'code')];
  for (const group of shown.filter(Boolean)) {
    setOpen(group.first, true);
    for (let node = group.first + 1; node < group.last; node = endOf[node]) {
      if (factOf[node] === CODE) setOpen(node, true);
    }
  }
  byteList.resize(lines);
  listVisible();
  describe(-1);
  showOffset();
}

/** Puts the offset of a node into the address, with the number of fields at this offset in the node. */
function writeAddress(node) {
  let levels = 0, at = nodeAt(offsetOf[node]);
  while (at !== -1 && at !== node) {
    at = parentOf[at];
    levels++;
  }
  const address = `#0x${hex(offsetOf[node], 1)}${at === node && levels ? `,${levels}` : ''}`;
  try { history.replaceState(null, '', address); } catch { /* the address stays as it is */ }
}

/** Selects the field at the offset after the `#` of the address. */
function showOffset() {
  const words = /^#0x([0-9a-f]{1,12})(?:,(\d{1,3}))?$/i.exec(location.hash);
  if (!words) return;
  let node = nodeAt(parseInt(words[1], 16));
  for (let level = 0; level < Number(words[2] ?? 0) && node !== -1 && parentOf[node] !== -1; level++) node = parentOf[node];
  select(node);
}
addEventListener('hashchange', showOffset);

start();
