// The page: the routines, the selection, and the address.

const routinesPane = element('routines');

/** Selects a block or a line of a side, and shows it in the panes that are named. */
function select({ side, block = -1, line = -1 }, { inText = true, inGraph = true, isNew = true } = {}) {
  const of = current[side];
  if (!of) return;
  Object.assign(state, { side, line, block: line >= 0 ? of.blockOf[line] : block });
  if (element('side').value !== side && current[side]) {
    element('side').value = side;
    listParts();
    showGraph();
  }
  const row = selectedRow();
  if (row >= 0) textPane.setAttribute('aria-activedescendant', `row-${row}`);
  if (inText && row >= 0) textList.show(row);
  textList.update();
  markPlot();
  markGraph(inGraph);
  describe();
  if (isNew) writeAddress();
}

function selectRow(row, options) {
  const at = lineAt(row, state.side);
  if (at) select(at, options);
}

/** Describes the selection below the panes. */
function describe() {
  const [path, ...lines] = element('details').children;
  for (const line of lines) line.replaceChildren();
  const side = current?.[state.side];
  const block = side ? blockAt(side, state.block) : undefined;
  if (!block) {
    path.replaceChildren(span('hint', 'Click a block, the plot or a line to find it in the others. Arrow keys move in each.'));
    return;
  }
  const words = [isPair ? state.side.toUpperCase() : '', blockName(block), rangeOf(block), `up to ${plural(block.peak, 'register')}`,
    block.loop === null ? '' : `in loop ${blockName(side.blocks[side.cfg.loops[block.loop].header])}`,
    block.is_divergent ? 'lanes may have diverged' : '', block.is_reachable ? '' : 'unreachable'];
  path.textContent = words.filter(Boolean).join(' · ');
  if (state.line < 0) return;
  const row = selectedRow();
  for (const [i, key] of shownSides().entries()) {
    const line = current.rows[key][row];
    if (line >= 0) {
      lines[i].append(span('at', `${isPair ? `${key.toUpperCase()} ` : ''}$${line}  `), ...highlighted(current[key].texts[line]));
    }
  }
}

// The address.

function writeAddress() {
  const words = [`routine=${state.routine}`];
  if (state.line >= 0) words.push(`side=${state.side}`, `line=${state.line}`);
  else if (state.block >= 0) words.push(`side=${state.side}`, `block=${state.block}`);
  try { history.replaceState(null, '', `#${words.join('&')}`); } catch { /* the address stays as it is */ }
}

/** Selects what the address states. */
function readAddress() {
  const words = new URLSearchParams(location.hash.slice(1));
  const number = name => /^\d{1,9}$/.test(words.get(name) ?? '') ? Number(words.get(name)) : -1;
  const routine = number('routine');
  showRoutine(routine >= 0 && routine < routines.length ? routine : Math.max(state.routine, 0));
  const side = words.get('side') === 'b' && current.b ? 'b' : current.a ? 'a' : 'b';
  const line = number('line'), block = number('block');
  if (line >= 0 && line < current[side].texts.length) select({ side, line }, { isNew: false });
  else if (block >= 0 && block < current[side].blocks.length) select({ side, block }, { isNew: false });
}

// The routines.

function showRoutine(index) {
  if (index === state.routine) return;
  Object.assign(state, { routine: index, block: -1, line: -1 });
  current = decode(index);
  state.side = current.a ? 'a' : 'b';
  for (const [i, row] of [...routinesPane.children].entries()) {
    row.classList.toggle('selected', i === index);
    row.setAttribute('aria-selected', i === index);
  }
  routinesPane.setAttribute('aria-activedescendant', `routine-row-${index}`);
  element(`routine-row-${index}`)?.scrollIntoView({ block: 'nearest' });
  element('side').value = state.side;
  element('side').hidden = !(current.a && current.b);
  graph.key = '';
  graphPane.replaceChildren();
  graph.drawing = null;
  const boxes = listParts();
  showStatistics();
  textPane.scrollTop = 0;
  showText();
  showPlot();
  describe();
  showTab(boxes <= 300 ? 'graph' : 'statistics');
}

function routineRow(routine, index) {
  const row = document.createElement('div');
  row.className = 'routine';
  row.id = `routine-row-${index}`;
  row.setAttribute('role', 'option');
  const { a, b } = routine;
  const name = span('name', routine.name_b ? `${routine.name} → ${routine.name_b}` : routine.name);
  const facts = span('facts', `${routine.kind} · `);
  const totals = a ?? b;
  const change = (from, to) => from === to ? [] : [' ', span(to > from ? 'more' : 'less', sign(to - from))];
  facts.append(plural((b ?? a).instructions, 'instruction'), ...(a && b ? change(a.instructions, b.instructions) : []),
    ' · ', `${(b ?? totals).registers} live`, ...(a && b ? change(a.registers, b.registers) : []));
  if (isPair) facts.append(' · ', !b ? 'only in A' : !a ? 'only in B' : routine.is_equal ? 'equal' : 'differs');
  row.append(name, facts);
  row.addEventListener('click', () => openRoutine(index));
  return row;
}

function openRoutine(index) {
  showRoutine(index);
  writeAddress();
}

routinesPane.addEventListener('keydown', event => {
  const steps = { ArrowDown: 1, ArrowUp: -1, Home: -Infinity, End: Infinity };
  if (!(event.key in steps)) return;
  openRoutine(Math.min(Math.max(state.routine + steps[event.key], 0), routines.length - 1));
  event.preventDefault();
});

// The tabs.

function showTab(name) {
  for (const tab of ['graph', 'statistics']) {
    element(`tab-${tab}`).setAttribute('aria-selected', tab === name);
    element(`tab-${tab}`).tabIndex = tab === name ? 0 : -1;
  }
  element('graph-view').hidden = name !== 'graph';
  element('statistics').hidden = name !== 'statistics';
  showGraph();
}
for (const [tab, other] of [['graph', 'statistics'], ['statistics', 'graph']]) {
  element(`tab-${tab}`).addEventListener('click', () => showTab(tab));
  element(`tab-${tab}`).addEventListener('keydown', event => {
    if (event.key !== 'ArrowLeft' && event.key !== 'ArrowRight') return;
    showTab(other);
    element(`tab-${other}`).focus();
  });
}

document.addEventListener('keydown', event => {
  if (event.ctrlKey || event.metaKey || event.altKey || event.target.closest('select')) return;
  if (event.key === 'n') showChange(1);
  else if (event.key === 'p') showChange(-1);
});

// The start.

function start() {
  routinesPane.append(...routines.map(routineRow));
  element('count').textContent = plural(routines.length, 'routine');
  document.querySelector('main').classList.toggle('alone', routines.length === 1);
  document.querySelector('main').classList.toggle('pair', isPair);
  const sum = key => routines.reduce((sum, routine) => sum + (routine[key]?.instructions ?? 0), 0);
  const parts = [plural(routines.length, 'routine')];
  if (isPair) {
    parts.push(`${plural(sum('a'), 'instruction')} in A, ${sum('b').toLocaleString('en')} in B`);
    const changed = routines.filter(routine => !routine.is_equal).length;
    parts.push(changed ? `${plural(changed, 'routine')} with changes` : 'no changes');
  } else {
    parts.push(plural(sum('a'), 'instruction'));
  }
  if (routines.length === 1) parts[0] = `${routines[0].kind} ${routines[0].name}`;
  element('summary').textContent = parts.join(' · ');
  showErrors(data.errors);
  if (!routines.length) return;
  readAddress();
  addEventListener('hashchange', readAddress);
}

start();
