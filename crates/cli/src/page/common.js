// What the scripts of all pages use: elements, their data, lines of text, and the theme.

const element = id => document.getElementById(id);
const read = id => JSON.parse(element(id)?.textContent ?? 'null');
const hex = (number, digits) => number.toString(16).padStart(digits, '0');
const plural = (n, noun) => `${n.toLocaleString('en')} ${noun}${n === 1 ? '' : 's'}`;

/** Lines are cut at this length. Names can have 64 KB. */
const MAX_TEXT = 1000;

function span(className, text) {
  const span = document.createElement('span');
  span.className = className;
  span.textContent = text.length > MAX_TEXT ? `${text.slice(0, MAX_TEXT)}…` : text;
  return span;
}

/** Returns the parts of the line of an instruction, with classes. */
function highlighted(text) {
  const parts = /^(\([^)]*\) )?("?[\w.]+(?:<[\w|]+>)*:?)(.*)$/.exec(text);
  if (!parts) return [span('', text)];
  const [, predicate, mnemonic, operands] = parts;
  const spans = [];
  if (predicate) spans.push(span('predicate', predicate));
  spans.push(span(mnemonic.endsWith(':') ? 'label' : 'mnemonic', mnemonic));
  for (const part of operands.split(/("[^"]*"|\/\/.*|\(M\d[^)]*\)|\b0x[0-9a-f]+(?::\w+)?)/)) {
    const kind = part.startsWith('"') ? 'string' : part.startsWith('//') ? 'comment'
      : part.startsWith('(M') ? 'lanes' : part.startsWith('0x') ? 'literal' : '';
    if (part) spans.push(span(kind, part));
  }
  return spans;
}

/** Shows the errors of the input in `#errors`. */
function showErrors(messages) {
  const errors = element('errors');
  errors.append(...messages.map(message => {
    const line = document.createElement('p');
    line.append(span('error', 'error'), span('', message));
    return line;
  }));
  errors.hidden = messages.length === 0;
}

const root = document.documentElement;
const prefersDark = matchMedia('(prefers-color-scheme: dark)');
const theme = element('theme');
/** The theme that was chosen, if storage is available. */
const stored = {
  get() { try { return localStorage.getItem('genvisa-theme'); } catch { return null; } },
  set(name) { try { localStorage.setItem('genvisa-theme', name); } catch { /* it applies to this page */ } },
};
function showTheme(name) {
  if (name === 'dark' || name === 'light') root.dataset.theme = name;
  const isDark = root.dataset.theme ? root.dataset.theme === 'dark' : prefersDark.matches;
  theme.setAttribute('aria-pressed', isDark);
  return isDark;
}
theme.addEventListener('click', () => {
  const name = showTheme() ? 'light' : 'dark';
  showTheme(name);
  stored.set(name);
});
prefersDark.addEventListener('change', () => showTheme());
showTheme(stored.get());
