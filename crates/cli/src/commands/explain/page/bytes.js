// The bytes: lines of an offset, 16 bytes and their ASCII characters.

const WIDTH = 16;
const digits = Math.max(6, hex(data.size, 1).length);

/** The parts of the file in the page, with the numbers of their first lines. */
const segments = [];
let lines = 0;
for (const [offset, text] of data.bytes) {
  const characters = atob(text), bytes = new Uint8Array(characters.length);
  for (let i = 0; i < bytes.length; i++) bytes[i] = characters.charCodeAt(i);
  const start = offset - offset % WIDTH;
  segments.push({ offset, bytes, start, line: lines });
  lines += Math.ceil((offset + bytes.length - start) / WIDTH);
}

const segmentOfLine = line => segments.findLast(segment => segment.line <= line);
const segmentAt = offset => segments.find(({ offset: start, bytes }) =>
  start <= offset && offset < start + bytes.length);

/** Returns the line of an offset, or -1. */
function lineOf(offset) {
  const segment = segmentAt(offset);
  return segment ? segment.line + Math.floor((offset - segment.start) / WIDTH) : -1;
}

/** Returns bytes in hex; at most `max`. */
function bytesOf(offset, length, max) {
  const segment = segmentAt(offset);
  if (!segment || !length) return '';
  const start = offset - segment.offset;
  const bytes = segment.bytes.subarray(start, start + Math.min(length, max));
  return Array.from(bytes, byte => hex(byte, 2)).join(' ') + (length > max ? ' …' : '');
}

/** Returns the class of a byte. */
function kindOf(offset, node) {
  if (node === -1) return 'unread';
  const group = groupOf(node);
  if (group.kind === 'header' || group.kind === 'opaque' || group.kind === 'unread') return group.kind;
  const instruction = instructionOf(node);
  if (instruction === -1) return 'table';
  return offsetOf[instruction] === offset ? 'opcode' : 'operand';
}

function createLine() {
  const line = document.createElement('div');
  line.setAttribute('role', 'row');
  line.className = 'line';
  const at = line.appendChild(document.createElement('span'));
  at.className = 'at';
  at.setAttribute('role', 'rowheader');
  for (const role of ['gridcell', 'presentation']) {
    for (let i = 0; i < WIDTH; i++) {
      line.appendChild(document.createElement('span')).setAttribute('role', role);
    }
  }
  return line;
}

const byteList = new List(element('bytes'), 22, (first, count) => {
  for (let i = 0; i < count; i++) {
    const number = first + i, segment = segmentOfLine(number);
    const start = segment.start + (number - segment.line) * WIDTH;
    const line = byteList.element(i, createLine);
    line.setAttribute('aria-rowindex', number + 1);
    const cells = line.children;
    cells[0].textContent = hex(start, digits);
    let node = -1;
    for (let column = 0; column < WIDTH; column++) {
      const offset = start + column, byte = segment.bytes[offset - segment.offset];
      const cell = cells[1 + column], character = cells[1 + WIDTH + column];
      if (byte === undefined) {
        cell.className = 'byte';
        character.className = 'character';
        cell.textContent = character.textContent = '';
        cell.removeAttribute('id');
        delete cell.dataset.offset;
        delete character.dataset.offset;
        continue;
      }
      const isInside = node !== -1 && !hasParts(node) && offset < offsetOf[node] + lengthOf[node];
      if (!isInside) node = nodeAt(offset);
      const marks = marksOf(offset);
      const kind = kindOf(offset, node) + marks;
      const isText = byte >= 0x20 && byte < 0x7f;
      cell.className = `byte ${kind}${byte ? '' : ' zero'}`;
      cell.id = `byte-${offset}`;
      cell.textContent = hex(byte, 2);
      character.className = `character ${kind}${isText ? '' : ' zero'}`;
      character.textContent = isText ? String.fromCharCode(byte) : '·';
      cell.dataset.offset = character.dataset.offset = offset;
    }
  }
  byteList.trim(count);
});

/** Returns the classes of a byte in the marked ranges. */
function marksOf(offset) {
  let marks = '';
  const isIn = node => node !== -1 && offset >= offsetOf[node] && offset < offsetOf[node] + lengthOf[node];
  if (isIn(state.outer)) marks += ' outer';
  if (isIn(state.selected)) marks += ' selected';
  if (isIn(state.lit)) {
    marks += ' lit';
    if (offset === offsetOf[state.lit]) marks += ' start';
    if (offset === offsetOf[state.lit] + lengthOf[state.lit] - 1) marks += ' stop';
  }
  if (offset === state.cursor) marks += ' cursor';
  return marks;
}

