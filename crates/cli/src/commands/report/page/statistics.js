// The numbers of a routine, with the changes from A to B.

function table(caption, head, rows) {
  const table = document.createElement('table');
  table.createCaption().textContent = caption;
  const titles = table.createTHead().insertRow();
  for (const title of head) {
    const cell = document.createElement('th');
    cell.scope = 'col';
    cell.textContent = title;
    titles.append(cell);
  }
  const body = table.createTBody();
  for (const { name, values, className = '' } of rows) {
    const row = body.insertRow();
    row.className = className;
    const cell = document.createElement('th');
    cell.scope = 'row';
    cell.textContent = name;
    row.append(cell);
    for (const value of values) {
      const cell = row.insertCell();
      if (value instanceof Node) cell.append(value);
      else cell.textContent = value;
    }
  }
  return table;
}

const number = value => value.toLocaleString('en');

/** Returns the difference of two numbers. */
function difference(a, b) {
  if (a === b) return '=';
  const percent = a > 0 ? ` (${sign(((b - a) / a) * 100, 1)} %)` : '';
  return `${sign(b - a)}${percent}`;
}

function showStatistics() {
  const both = current.a && current.b;
  const sections = new Map();
  for (const [section, name, a, b] of current.statistics) {
    if (!sections.has(section)) sections.set(section, []);
    if (both) {
      sections.get(section).push({ name, values: [number(a), number(b), difference(a, b)], className: a === b ? 'same' : '' });
    } else {
      sections.get(section).push({ name, values: [number(a ?? b)] });
    }
  }
  const head = both ? ['', 'A', 'B', 'change'] : ['', ''];
  const title = text => text[0].toUpperCase() + text.slice(1);
  const tables = [...sections].map(([section, rows]) => table(title(section), head, rows));
  for (const key of shownSides()) {
    const { peak } = current[key].stats;
    if (!peak?.variables.length) continue;
    const rows = peak.variables.map(({ name, registers, bytes }) => ({ name, values: [number(registers), number(bytes)] }));
    const of = both ? ` of ${key.toUpperCase()}` : '';
    tables.push(table(`Variables that are live at the peak${of}, before $${peak.instruction}`, ['', 'registers', 'bytes'], rows));
  }
  if (current.diff?.declarations.length) {
    const rows = current.diff.declarations.map(({ a, b }) => ({ name: a ?? '', values: [b ?? ''] }));
    tables.push(table('Declarations that differ', ['A', 'B'], rows));
  }
  element('statistics').replaceChildren(...tables);
}
