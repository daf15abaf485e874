// The tree of fields.

const visible = new Uint32Array(total);
let visibleCount = 0;

/** Lists the nodes whose parents are open. */
function listVisible() {
  visibleCount = 0;
  for (let node = 0; node < total; node = isOpen[node] ? node + 1 : endOf[node]) {
    visible[visibleCount++] = node;
  }
  treeList.resize(visibleCount);
}

/** Returns the row of a node, or of the innermost node around it that is visible. */
function rowOf(node) {
  let low = 0, high = visibleCount - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (visible[middle] <= node) low = middle; else high = middle - 1;
  }
  while (low > 0 && !(visible[low] <= node && node < endOf[visible[low]])) low--;
  return low;
}

/** Returns whether a node is the shown node of another one, which may be hidden in it. */
const shows = (row, node) => node !== -1 && row <= node && node < endOf[row] && (row === node || !isOpen[row]);

function setOpen(node, open) {
  if (open) decode(groupOf(node));
  isOpen[node] = open && hasParts(node) ? 1 : 0;
}

/** Opens the nodes around a node. */
function reveal(node) {
  let isChanged = false;
  for (let parent = parentOf[node]; parent !== -1; parent = parentOf[parent]) {
    isChanged ||= !isOpen[parent];
    isOpen[parent] = 1;
  }
  if (isChanged) listVisible();
}

/** Returns the contents of a row. */
function contents(node) {
  const [name, value, meaning] = words(node);
  const number = numberOf[node];
  if (number >= 0) {
    const text = span('text', '');
    text.append(...highlighted(textOf(node)));
    const size = isBroken[node] ? span('error', 'incomplete') : span('size', `${lengthOf[node]} B`);
    return [span('number', number), text, size];
  }
  const parts = [span('name', name)];
  if (isBroken[node]) parts.push(span('error', 'stops here'));
  if (value) parts.push(span('value', value));
  if (meaning) parts.push(span('meaning', meaning));
  const isPart = hasParts(node) && factOf[node] < 0;
  if (isPart) parts.push(span('size', plural(lengthOf[node], 'byte')));
  return parts;
}

function fillRow(row, node) {
  const isLeaf = !hasParts(node), fact = factOf[node];
  const kind = fact === GROUP ? `group ${groupOf(node).kind}` : fact < 0 ? 'part'
    : numberOf[node] >= 0 ? 'instruction' : 'field';
  const marks = (shows(node, state.lit) ? ' lit' : '') + (shows(node, state.selected) ? ' selected' : '')
    + (shows(node, state.outer) && !shows(node, state.lit) ? ' outer' : '')
    + (state.matches.has(node) ? ' match' : '');
  row.className = `row ${kind}${marks}`;
  row.id = `row-${node}`;
  row.dataset.node = node;
  row.setAttribute('aria-level', depthOf[node] + 1);
  row.setAttribute('aria-selected', node === state.selected);
  row.setAttribute('aria-setsize', -1);
  if (isLeaf) row.removeAttribute('aria-expanded');
  else row.setAttribute('aria-expanded', isOpen[node] === 1);
  row.style.setProperty('--depth', Math.min(depthOf[node], 12));
  // A click is lost if what was pressed is replaced before the button is released.
  const shown = `${node} ${isLeaf} ${isOpen[node]} ${isBroken[node]}`;
  if (row.dataset.shown === shown) return;
  row.dataset.shown = shown;
  const at = span('at', lengthOf[node] || fact >= 0 ? hex(offsetOf[node], digits) : '');
  const twisty = span('twisty', isLeaf ? '' : isOpen[node] ? '▾' : '▸');
  twisty.setAttribute('aria-hidden', 'true');
  row.replaceChildren(at, twisty, ...contents(node));
}

function createRow() {
  const row = document.createElement('div');
  row.setAttribute('role', 'treeitem');
  return row;
}

const treeList = new List(element('tree'), 24, (first, count) => {
  for (let i = 0; i < count; i++) fillRow(treeList.element(i, createRow), visible[first + i]);
  treeList.trim(count);
});

