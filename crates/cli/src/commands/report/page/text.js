// The text, with B beside A.

function textCell(key, row) {
  const side = current[key], line = current.rows[key] ? current.rows[key][row] : -1;
  const cell = document.createElement('div');
  if (line < 0) {
    cell.className = 'cell none';
    return cell;
  }
  const block = side.blockOf[line];
  const isOfBlock = key === state.side && block === state.block;
  const isChanged = current.rows.isEqual !== null && !current.rows.isEqual[row];
  cell.className = 'cell' + (isChanged ? (key === 'a' ? ' removed' : ' added') : '')
    + (isOfBlock ? ' block' : '') + (key === state.side && line === state.line ? ' selected' : '')
    + (side.blocks[block].first === line ? ' first' : '');
  cell.dataset.line = line;
  cell.dataset.side = key;
  const shifted = span('shifted', ''), shown = span('shown', '');
  shifted.append(...highlighted(side.texts[line]));
  if (isChanged) markDifference(shifted, side.texts[line], otherText(key, row));
  shown.append(shifted);
  cell.append(span('at', `$${line}`), span('registers', side.registers[line]), shown);
  return cell;
}

/** Returns the text of the other side in a row, or an empty text. */
function otherText(key, row) {
  const other = key === 'a' ? 'b' : 'a', line = current.rows[other][row];
  return line >= 0 ? current[other].texts[line] : '';
}

const wordsOf = text => text.match(/[\w.%]+|\s+|./g) ?? [];

/** Returns the ranges of characters of a text whose words are not in a longest common part with another text. */
function differences(text, other) {
  const words = wordsOf(text), others = wordsOf(other), width = others.length + 1;
  const longest = new Uint16Array((words.length + 1) * width);
  for (let i = words.length - 1; i >= 0; i--) {
    for (let j = others.length - 1; j >= 0; j--) {
      longest[i * width + j] = words[i] === others[j] ? longest[(i + 1) * width + j + 1] + 1
        : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
    }
  }
  const ranges = [];
  for (let i = 0, j = 0, at = 0; i < words.length; at += words[i++].length) {
    while (j < others.length && words[i] !== others[j] && longest[i * width + j + 1] >= longest[(i + 1) * width + j]) j++;
    if (j < others.length && words[i] === others[j]) j++;
    else if (ranges.at(-1)?.end === at) ranges.at(-1).end = at + words[i].length;
    else ranges.push({ start: at, end: at + words[i].length });
  }
  return ranges;
}

/** Marks the words that differ, if both texts have the same operation. */
function markDifference(element, text, other) {
  const operation = text => /^(?:\([^)]*\) )?([\w]*)/.exec(text)[1];
  if (!other || operation(text) !== operation(other) || text.length * other.length > 1e5) return;
  const ranges = differences(text, other);
  let at = 0;
  for (const part of [...element.children]) {
    const content = part.textContent, end = at + content.length, pieces = [];
    let from = at;
    for (const range of ranges) {
      const first = Math.max(range.start, at), last = Math.min(range.end, end);
      if (first >= last) continue;
      pieces.push(content.slice(from - at, first - at), span('differs', content.slice(first - at, last - at)));
      from = last;
    }
    if (pieces.length) part.replaceChildren(...pieces, content.slice(from - at));
    at = end;
  }
}

function createTextRow() {
  const row = document.createElement('div');
  row.setAttribute('role', 'option');
  return row;
}

const textPane = element('text');
const textList = new List(textPane, 22, (first, count) => {
  if (!current) return;
  const selected = selectedRow();
  for (let i = 0; i < count; i++) {
    const row = textList.element(i, createTextRow), index = first + i;
    row.className = 'row';
    row.id = `row-${index}`;
    row.dataset.row = index;
    row.setAttribute('aria-selected', index === selected);
    row.setAttribute('aria-posinset', index + 1);
    row.setAttribute('aria-setsize', current.rows.length);
    row.replaceChildren(...shownSides().map(key => textCell(key, index)));
  }
  textList.trim(count);
});

textPane.addEventListener('click', event => {
  const cell = event.target.closest('.cell');
  const row = event.target.closest('.row');
  if (!row) return;
  if (cell?.dataset.line) select({ side: cell.dataset.side, line: Number(cell.dataset.line) }, { inText: false });
  else selectRow(Number(row.dataset.row), { inText: false });
});

textPane.addEventListener('keydown', event => {
  const row = selectedRow(), last = current.rows.length - 1;
  const steps = {
    ArrowDown: 1, ArrowUp: -1, PageDown: textList.page, PageUp: -textList.page, Home: -Infinity, End: Infinity,
  };
  if (event.key === 'ArrowLeft' || event.key === 'ArrowRight') {
    across.scrollLeft += event.key === 'ArrowLeft' ? -40 : 40;
  } else if (event.key in steps) {
    selectRow(Math.min(Math.max(row + steps[event.key], 0), last));
  } else if (event.key === 'Enter' && state.block >= 0) {
    select({ side: state.side, block: state.block });
  } else {
    return;
  }
  event.preventDefault();
});

/** Selects the first line of a change. */
function showChange(by) {
  const { changes } = current;
  if (!changes.length) return;
  const row = selectedRow();
  let at = by > 0 ? changes.findIndex(first => first > row) : changes.findLastIndex(first => first < row);
  if (at === -1) at = by > 0 ? 0 : changes.length - 1;
  element('change').textContent = `${at + 1} of ${plural(changes.length, 'change')}`;
  selectRow(changes[at]);
}
element('next').addEventListener('click', () => showChange(1));
element('previous').addEventListener('click', () => showChange(-1));

// Long lines: a scroll bar below the text moves the lines of both sides.

const across = element('across');
across.addEventListener('scroll', () => textPane.style.setProperty('--shift', `${-across.scrollLeft}px`), { passive: true });
textPane.addEventListener('wheel', event => {
  if (event.deltaX || event.shiftKey) across.scrollLeft += event.deltaX || event.deltaY;
}, { passive: true });

/** Makes the scroll bar as wide as the longest line needs, or hides it. */
function measureText() {
  if (!current) return;
  const head = document.querySelector('#heads .shown');
  const longest = Math.max(...shownSides().map(key => current[key].texts.reduce((most, text) => Math.max(most, text.length), 0)));
  across.hidden = false;
  across.firstElementChild.style.width = `calc(${across.clientWidth - head.clientWidth}px + ${longest + 1}ch)`;
  across.hidden = across.scrollWidth <= across.clientWidth;
}
new ResizeObserver(measureText).observe(textPane);

function showHeads() {
  const heads = shownSides().map(key => {
    const head = document.createElement('div');
    head.className = 'cell';
    const name = isPair ? `${key.toUpperCase()}: ${files[SIDES.indexOf(key)]}` : 'instruction';
    const file = span('shown', name);
    file.title = name;
    head.append(span('at', 'no.'), span('registers', 'live'), file);
    return head;
  });
  element('heads').replaceChildren(...heads);
}

function showText() {
  textList.resize(current.rows.length);
  showHeads();
  across.scrollLeft = 0;
  measureText();
  element('names').textContent = plural(current.rows.length, isPair ? 'row' : 'instruction');
  element('changes').hidden = !current.changes.length;
  element('change').textContent = plural(current.changes.length, 'change');
}
