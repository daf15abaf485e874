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
  cell.append(span('at', `$${line}`), span('registers', side.registers[line]), ...highlighted(side.texts[line]));
  return cell;
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
  if (event.key in steps) {
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

function showText() {
  textList.resize(current.rows.length);
  const names = shownSides().map(key => isPair ? `${key.toUpperCase()}: ${files[SIDES.indexOf(key)]}` : '');
  element('names').textContent = names.filter(Boolean).join(' · ') || plural(current.rows.length, 'instruction');
  element('changes').hidden = !current.changes.length;
  element('change').textContent = plural(current.changes.length, 'change');
}
