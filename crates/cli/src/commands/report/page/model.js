// The routines of the page. The data is described in data.rs.

const data = read('data'), { routines, files } = data;
const isPair = files.length === 2;
const SIDES = ['a', 'b'];

/** What is selected: a routine, and a block or a line of one side, or -1. */
const state = { routine: -1, side: 'a', block: -1, line: -1 };
/** The data of the selected routine. */
let current = null;

/** Returns the data of a routine, which is decoded when it is selected. */
function decode(index) {
  const routine = read(`routine-${index}`);
  const sides = {};
  for (const key of SIDES) sides[key] = routine[key] && decodeSide(key, routine[key]);
  const { a, b } = sides;
  if (a && b) {
    align(routine.diff, a, b, sides);
  } else {
    const only = a ?? b;
    only.rowOf = Int32Array.from(only.texts, (_, i) => i);
    sides.rows = { a: a ? only.rowOf : null, b: b ? only.rowOf : null, isEqual: null, length: only.texts.length };
    sides.changes = [];
  }
  return { index, statistics: routine.statistics, diff: routine.diff, ...sides };
}

function decodeSide(key, { cfg, stats }) {
  const texts = [], registers = [], blockOf = [];
  const { blocks } = cfg;
  for (const [index, block] of blocks.entries()) {
    block.end = block.first + block.instructions.length;
    for (let i = 0; i < block.instructions.length; i++) {
      texts[block.first + i] = block.instructions[i];
      registers[block.first + i] = block.registers[i];
      blockOf[block.first + i] = index;
    }
    block.peak = block.registers.reduce((most, n) => Math.max(most, n), 0);
  }
  return { key, cfg, stats, blocks, texts, registers, blockOf, peak: stats.peak?.registers ?? 0 };
}

/** Puts the instructions of two routines in common rows. The text of B is in the names of A. */
function align(diff, a, b, sides) {
  const rows = { a: [], b: [], isEqual: [] }, changes = [];
  const add = (i, j, isEqual) => {
    rows.a.push(i);
    rows.b.push(j);
    rows.isEqual.push(isEqual);
  };
  let i = 0, j = 0;
  const addEqual = end => {
    for (; i < end && j < b.texts.length; i++, j++) {
      b.texts[j] = a.texts[i];
      add(i, j, true);
    }
  };
  const hunks = diff?.hunks ?? [{
    a: { start: 0, length: a.texts.length }, b: { start: 0, length: b.texts.length }, lines: [],
  }];
  for (const hunk of hunks) {
    addEqual(hunk.a.start);
    changes.push(rows.a.length);
    const added = hunk.lines.filter(line => line.sign === '+');
    const count = Math.max(hunk.a.length, hunk.b.length);
    for (let at = 0; at < count; at++) {
      if (at < added.length) b.texts[j + at] = added[at].text.trimStart();
      add(at < hunk.a.length ? i + at : -1, at < hunk.b.length ? j + at : -1, false);
    }
    i += hunk.a.length;
    j += hunk.b.length;
  }
  addEqual(a.texts.length);
  // The labels of B are in the names of A, too.
  for (const block of b.blocks) {
    const label = block.label !== null && /^(?:\.function "(.*)"|(.+):)$/.exec(b.texts[block.first]);
    if (label) block.label = label[1] ?? label[2];
  }
  a.rowOf = [];
  b.rowOf = [];
  for (let row = 0; row < rows.a.length; row++) {
    if (rows.a[row] >= 0) a.rowOf[rows.a[row]] = row;
    if (rows.b[row] >= 0) b.rowOf[rows.b[row]] = row;
  }
  sides.rows = { ...rows, length: rows.a.length };
  sides.changes = changes;
}

const sideOf = key => current[key] ?? current.a ?? current.b;
const shownSides = () => SIDES.filter(key => current[key]);

/** Returns the block of a side that has an index of cfg. */
const blockAt = (side, id) => side.blocks[id];

function blockName(block) {
  return block.label === null ? `B${block.block}` : `B${block.block} ${block.label}`;
}

function rangeOf({ first, end }) {
  return end === first ? '' : end === first + 1 ? `$${first}` : `$${first}–$${end - 1}`;
}

/** Returns the number of an instruction of a row, on the preferred side if it has one. */
function lineAt(row, preferred) {
  const { rows } = current;
  const other = preferred === 'a' ? 'b' : 'a';
  for (const key of [preferred, other]) {
    const line = rows[key] ? rows[key][row] : -1;
    if (line >= 0) return { side: key, line };
  }
  return null;
}

/** Returns the row of the selection, or -1. */
function selectedRow() {
  const side = current?.[state.side];
  if (!side) return -1;
  if (state.line >= 0) return side.rowOf[state.line] ?? -1;
  const block = blockAt(side, state.block);
  return block && block.end > block.first ? side.rowOf[block.first] : -1;
}

/** Returns a number with its sign. */
function sign(n, digits = 0) {
  const text = Math.abs(n).toLocaleString('en', { minimumFractionDigits: digits, maximumFractionDigits: digits });
  return (n > 0 ? '+' : n < 0 ? '−' : '±') + text;
}
