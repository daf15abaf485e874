// The list of instructions, the search, and the page of one.

const { instructions } = read('data');
const keys = new Map();
for (const instruction of instructions) {
  const { mnemonic, name } = instruction;
  const key = keys.has(mnemonic) ? `${mnemonic}-${name}` : mnemonic;
  keys.set(key, instruction);
}

function node(tag, className, ...children) {
  const element = document.createElement(tag);
  if (className) element.className = className;
  element.append(...children);
  return element;
}

const byte = value => value.toString(16).padStart(2, '0');
const opcode = ({ opcode, sub_opcode }) => byte(opcode) + (sub_opcode === null ? '' : ` ${byte(sub_opcode)}`);

const links = [...keys].map(([key, instruction]) => {
  const link = node('a', '', instruction.mnemonic, node('span', '', instruction.summary));
  link.href = `#${key}`;
  link.title = instruction.summary;
  const words = [key, instruction.manual_mnemonic, instruction.name, opcode(instruction), instruction.summary,
    ...instruction.fields.map(field => field.name), ...instruction.rules];
  return { key, link, text: words.join(' ').toLowerCase() };
});
element('list').append(...links.map(({ link }) => link));

/** Shows the instructions that have all words; those whose mnemonic starts with the text come first. */
function search() {
  const query = element('query').value.trim().toLowerCase();
  const words = query.split(/\s+/);
  const found = links.filter(({ link, text }) => {
    link.hidden = !words.every(word => text.includes(word));
    link.style.display = link.hidden ? 'none' : '';
    return !link.hidden;
  });
  element('matches').textContent = query && `${found.length} found`;
  return found.find(({ key }) => key.startsWith(query)) ?? found[0];
}

function valueList(values) {
  return node('dl', '', ...values.flatMap(({ name, meaning }) => [node('dt', '', name), node('dd', '', meaning)]));
}

function fieldRow(field) {
  const meaning = node('td', '', field.meaning);
  if (field.types.length) meaning.append(node('div', 'types', `types: ${field.types.join(', ')}`));
  if (field.values.length) meaning.append(valueList(field.values));
  const role = field.role ? `, ${field.role}` : '';
  const type = node('td', '', field.type + role);
  if (field.when) type.append(node('div', 'when', field.when));
  return node('tr', '', node('td', '', field.name), type, meaning);
}

function section(title, ...children) {
  return [node('h3', '', title), ...children];
}

function show() {
  const key = decodeURIComponent(location.hash.slice(1));
  const instruction = keys.get(key) ?? instructions[0];
  for (const { link, key: other } of links) {
    if (keys.get(other) === instruction) {
      link.setAttribute('aria-current', 'page');
      link.scrollIntoView({ block: 'nearest' });
    } else {
      link.removeAttribute('aria-current');
    }
  }
  const { mnemonic, example } = instruction;
  const page = element('page');
  page.replaceChildren(node('h2', '', mnemonic), node('p', '', instruction.summary));
  if (instruction.syntax) page.append(node('pre', '', instruction.syntax));
  const manual = instruction.manual_mnemonic ? `, in the manual ${instruction.manual_mnemonic}` : '';
  page.append(node('p', 'when', `Opcode ${opcode(instruction)}${manual}`));
  const head = node('tr', '', ...['Field', 'Type', 'Meaning'].map(title => node('th', '', title)));
  // Older formats may have other fields.
  const isInExample = ({ formats }) => !example || !formats || formats.includes(example.format);
  const rows = instruction.fields.filter(isInExample).map(fieldRow);
  const table = node('table', '', node('thead', '', head), node('tbody', '', ...rows));
  page.append(...section('Fields', node('div', 'scroll', table)));
  if (example) {
    const lines = [...example.declarations, example.text, ...(example.bytes ? [`// ${example.bytes}`] : [])];
    const code = node('pre', '');
    lines.forEach(line => code.append(...highlighted(line), '\n'));
    page.append(...section(`Example for ${example.platform}`, code));
  }
  const lists = [['Lanes', instruction.exec_sizes], ['Platforms', instruction.platforms], ['Rules', instruction.rules]];
  for (const [title, list] of lists) {
    if (list.length) page.append(...section(title, node('p', '', list.join(', '))));
  }
  page.scrollTop = 0;
  document.title = `${mnemonic} · genvisa isa`;
}

element('summary').textContent = plural(instructions.length, 'instruction');
element('query').addEventListener('input', search);
element('search').addEventListener('submit', event => {
  event.preventDefault();
  const first = search();
  if (first) location.hash = first.key;
});
document.addEventListener('keydown', event => {
  if (event.key === '/' && document.activeElement !== element('query')) {
    event.preventDefault();
    element('query').focus();
  }
});
addEventListener('hashchange', show);
show();
