// The data of the page: a tree of nodes, numbered in the order of the file. The format of the data is
// described in html.rs.

const data = read('data'), { groups } = data;
const strings = read('strings'), facts = read('facts');
const NUMBERS = 6;

/** What a node is, if it is not a field. */
const GROUP = -1, TABLES = -2, CODE = -3;

let total = 0;
for (const group of groups) {
  group.isSplit = group.kind === 'routine' && group.instructions > 0;
  group.first = total;
  total += 1 + group.fields + group.code + (group.isSplit ? 2 : 0);
  group.last = total;
  group.isDecoded = false;
}

/** The index of the fact of a field, or GROUP, TABLES or CODE. */
const factOf = new Int32Array(total);
const offsetOf = new Uint32Array(total);
const lengthOf = new Uint32Array(total);
const parentOf = new Int32Array(total).fill(-1);
/** The node after the last one in a node. */
const endOf = new Uint32Array(total);
const depthOf = new Uint8Array(total);
/** The number of an instruction, or -1. */
const numberOf = new Int32Array(total).fill(-1);
const isOpen = new Uint8Array(total);
/** Whether an error ended the field. */
const isBroken = new Uint8Array(total);

for (const [index, group] of groups.entries()) {
  group.index = index;
  factOf[group.first] = GROUP;
  offsetOf[group.first] = group.offset;
  lengthOf[group.first] = group.len;
  endOf[group.first] = group.last;
}

/** Returns the group of a node. */
function groupOf(node) {
  let low = 0, high = groups.length - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (groups[middle].first <= node) low = middle; else high = middle - 1;
  }
  return groups[low];
}

/** Fills the nodes of a group. */
function decode(group) {
  if (group.isDecoded) return;
  group.isDecoded = true;
  const lists = read(`group-${group.index}`);
  element(`group-${group.index}`)?.remove();
  if (!lists) return;
  group.texts = lists.texts;
  const place = { node: group.first + 1, position: group.offset };
  const add = (list, kind) => {
    const start = place.node, offset = place.position;
    let parent = group.first;
    if (group.isSplit) {
      factOf[start] = kind;
      depthOf[start] = 1;
      offsetOf[start] = offset;
      parentOf[start] = parent;
      parent = start;
      place.node++;
    }
    fill(list, parent, place, kind === CODE);
    if (group.isSplit) {
      endOf[start] = place.node;
      lengthOf[start] = place.position - offset;
    }
  };
  add(lists.fields, TABLES);
  add(lists.code, CODE);
}

function fill(list, parent, place, isCode) {
  const outer = depthOf[parent] + 1;
  const open = [];
  let number = 0;
  const close = () => {
    const node = open.pop();
    endOf[node] = place.node;
    // Until an error, a field has the bytes of the fields in it.
    if (isBroken[node]) lengthOf[node] = place.position - offsetOf[node];
  };
  for (let i = 0; i < list.length; i++) {
    const fact = list[i] * NUMBERS, depth = facts[fact + 3];
    while (open.length > depth) close();
    const node = place.node;
    const hasParts = i + 1 < list.length && facts[list[i + 1] * NUMBERS + 3] > depth;
    factOf[node] = list[i];
    depthOf[node] = Math.min(outer + depth, 255);
    offsetOf[node] = place.position + facts[fact + 5];
    isBroken[node] = facts[fact + 4] === 0 ? 1 : 0;
    lengthOf[node] = Math.max(facts[fact + 4] - 1, 0);
    parentOf[node] = open.length ? open[open.length - 1] : parent;
    if (isCode && depth === 0) numberOf[node] = number++;
    place.position = offsetOf[node] + (hasParts ? 0 : lengthOf[node]);
    open.push(node);
    place.node++;
  }
  while (open.length) close();
}

const hasParts = node => endOf[node] > node + 1;

/** Returns the name, value and meaning of a node. */
function words(node) {
  const fact = factOf[node];
  if (fact >= 0) {
    const at = fact * NUMBERS;
    return [strings[facts[at]], strings[facts[at + 1]], strings[facts[at + 2]]];
  }
  const group = groupOf(node);
  switch (fact) {
    case TABLES: return ['tables', '', ''];
    case CODE: return ['code', '', ''];
    default:
      return [group.title, '', group.instructions ? plural(group.instructions, 'instruction') : ''];
  }
}

/** Returns the line of an instruction. */
const textOf = node => groupOf(node).texts[numberOf[node]];

/** Returns the group that contains an offset. */
function groupAt(offset) {
  let low = 0, high = groups.length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (groups[middle].offset <= offset) low = middle + 1; else high = middle;
  }
  const group = groups[low - 1];
  return group && offset < group.offset + group.len ? group : null;
}

/** Returns the innermost node with the byte at an offset, or -1. */
function nodeAt(offset) {
  const group = groupAt(offset);
  if (!group) return -1;
  decode(group);
  let low = group.first, high = group.last - 1;
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if (offsetOf[middle] <= offset) low = middle; else high = middle - 1;
  }
  let node = low;
  while (node > group.first && lengthOf[node] === 0) node--;
  while (node !== -1 && offset >= offsetOf[node] + lengthOf[node]) node = parentOf[node];
  return node;
}

/** Returns the instruction that contains a node, or -1. */
function instructionOf(node) {
  while (node !== -1 && numberOf[node] < 0) node = parentOf[node];
  return node;
}

/** Returns the nodes that contain a text, and first the one at an offset that a query names. */
function search(query) {
  groups.forEach(decode);
  const wanted = query.toLowerCase();
  const has = text => text.toLowerCase().includes(wanted);
  const isFound = new Uint8Array(facts.length / NUMBERS);
  for (let fact = 0; fact < isFound.length; fact++) {
    const at = fact * NUMBERS;
    const text = [0, 1, 2].map(i => strings[facts[at + i]]).filter(Boolean).join(' ');
    isFound[fact] = has(text) ? 1 : 0;
  }
  const found = [];
  const at = /^0x[0-9a-f]{1,12}$/.test(wanted) ? nodeAt(parseInt(wanted, 16)) : -1;
  if (at !== -1) found.push(at);
  for (const group of groups) {
    if (has(group.title)) found.push(group.first);
    for (let node = group.first + 1; node < group.last; node++) {
      const fact = factOf[node];
      const isMatch = numberOf[node] >= 0
        ? has(group.texts[numberOf[node]]) : fact >= 0 && isFound[fact];
      if (isMatch && node !== at) found.push(node);
    }
  }
  return found;
}

/** What is marked: nodes or -1, a byte or -1, and the nodes that a search found. */
const state = {
  /** The node under the pointer, or at the cursor of the focused pane. */
  lit: -1,
  /** The instruction or table entry around it. */
  outer: -1,
  selected: -1,
  cursor: -1,
  matches: new Set(),
};

