// The page: an input, the views of it, and findings while typing.

import './editor.js';
import { ALWAYS, HEX, SOURCE, VISA } from './views.js';

const $ = (id) => document.getElementById(id);
const encoder = new TextEncoder();

/** The longest text that a link contains, and that findings are shown of while typing. */
const MAX_LINK = 6000;
const MAX_LIVE = 1 << 20;
const TYPING_PAUSE = 300;
const EMPTY = $('text').getAttribute('placeholder');

/** The input: its name, its bytes, whether they are text, and whether the text field shows them. */
const input = { name: 'input.visaasm', bytes: new Uint8Array(), isText: true, isShown: true };
let second = null;
let kind = null;
let view = null;
let frameUrl = null;

// ---------------------------------------------------------------- commands

let worker;
let next = 1;
const pending = new Map();

function start() {
  worker = new Worker('worker.js', { type: 'module' });
  worker.onmessage = ({ data }) => {
    if (data.id === 0) {
      $('status').textContent = data.messages ?? 'Ready. Nothing leaves this machine.';
      return;
    }
    pending.get(data.id)?.(data);
    pending.delete(data.id);
  };
}

/** Runs a command line on the inputs. */
function run(args, stdin = '') {
  const id = next++;
  const files = { [input.name]: input.bytes };
  if (second) files[second.name] = second.bytes;
  worker.postMessage({ id, args, files, input: stdin });
  return new Promise((resolve) => pending.set(id, resolve));
}

/** Divides a command line into arguments. Quotes keep blanks. */
function split(line) {
  const words = line.match(/"[^"]*"|'[^']*'|\S+/g) ?? [];
  return words.map((word) => word.replace(/^(["'])(.*)\1$/, '$2'));
}

/** Returns the name of a file as an argument in a command line. */
function argument(name) {
  const path = name.startsWith('-') ? `./${name}` : name;
  if (!/[\s"']/.test(path)) return path;
  const quote = path.includes('"') ? "'" : '"';
  return quote + path + quote;
}

// ---------------------------------------------------------------- the input

/** Returns the bytes of a text that consists of hex digits. */
function isHex(text) {
  return /^(0x)?[0-9a-f]{2}([\s,]*(0x)?[0-9a-f]{2})+\s*$/i.test(text);
}

function isText(bytes) {
  return !bytes.subarray(0, 4096).includes(0);
}

async function open(name, bytes) {
  input.name = name;
  input.bytes = bytes;
  input.isText = isText(bytes);
  // A field with more text makes the page slow.
  input.isShown = input.isText && bytes.length <= MAX_LIVE;
  $('name').value = name;
  $('text').value = input.isShown ? new TextDecoder().decode(bytes) : '';
  const size = `${bytes.length.toLocaleString('en')} bytes`;
  const problem = input.isText ? 'too many to edit' : 'which are not text';
  $('text').configure(!input.isShown, bytes.length === 0 ? EMPTY : `${size}, ${problem}`);
  await changed();
}

let turn = 0;

/** Finds out what the input is, and shows its views, unless it changes meanwhile. */
async function changed() {
  const own = ++turn;
  const text = $('text').value;
  if (input.isShown) input.bytes = encoder.encode(text);
  const before = view?.id;
  let found;
  if (input.bytes.length === 0) {
    found = { name: 'Nothing is open.', views: [] };
  } else if (input.isShown && isHex(text)) {
    found = { name: 'Bytes of instructions in hex', views: HEX };
  } else {
    const check = await run(['--quiet', 'check', '--json', '--', input.name]);
    if (values(check).length > 0) {
      found = { name: 'Source code', views: SOURCE, findings: check };
    } else {
      const info = await run(['info', '--', input.name]);
      const [first] = (info.text || info.messages).split('\n');
      // A text has no bytes to explain, and needs no disassembly.
      const views = VISA.filter((one) => !(input.isText && one.isOfBytes));
      found = { name: first.replace(/^genvisa: /, ''), views };
    }
  }
  if (own !== turn) return;
  kind = found;
  $('kind').textContent = kind.name;
  $('text').highlight(!kind.findings && kind.views !== HEX);
  showTabs();
  await findings(own);
  if (own !== turn) return;
  const views = [...kind.views, ...ALWAYS];
  await select(views.find((one) => one.id === before) ?? views[0]);
}

/** Returns the list that a command printed as JSON. It is empty if the command failed. */
function values(answer) {
  return answer.text ? JSON.parse(answer.text) : [];
}

/** Shows the findings of a turn. */
async function findings(own) {
  const list = $('findings');
  let all = [];
  if (input.bytes.length <= MAX_LIVE && (kind.views.length > 1 || kind.findings)) {
    const answer = kind.findings ?? (await run(['--quiet', 'verify', '--json', '--', input.name]));
    all = values(answer);
    if (kind.findings) all = all.flatMap((file) => file.blocks.flatMap((block) => block.findings));
    // What cannot be read at all has no findings.
    if (answer.messages) all.push({ message: answer.messages.trim() });
  }
  if (own !== turn) return;
  list.replaceChildren(...all.map(item));
  $('text').mark(input.isShown ? all : []);
  $('findings-title').textContent = `Findings: ${all.length}`;
}

function item(finding) {
  const button = document.createElement('button');
  const place = finding.line ? `${finding.line}:${finding.column} ` : '';
  const severity = document.createElement('strong');
  severity.className = finding.severity ?? '';
  if (finding.severity) severity.textContent = `${finding.severity}[${finding.rule}] `;
  button.append(place, severity, finding.message);
  if (finding.hint) button.append(document.createElement('br'), finding.hint);
  button.type = 'button';
  button.onclick = () => finding.line && input.isShown && $('text').select(finding);
  const row = document.createElement('li');
  row.append(button);
  return row;
}

// ---------------------------------------------------------------- views

function showTabs() {
  const tabs = [...kind.views, ...ALWAYS].map((one) => {
    const tab = document.createElement('button');
    Object.assign(tab, { type: 'button', id: `tab-${one.id}`, textContent: one.title });
    tab.setAttribute('role', 'tab');
    tab.setAttribute('aria-controls', 'panel');
    tab.onclick = () => select(one);
    return tab;
  });
  $('tabs').replaceChildren(...tabs);
}

$('tabs').onkeydown = (event) => {
  const step = { ArrowRight: 1, ArrowLeft: -1 }[event.key];
  if (!step) return;
  const tabs = [...$('tabs').children];
  const index = tabs.indexOf(document.activeElement);
  const tab = tabs[(index + step + tabs.length) % tabs.length];
  tab.focus();
  tab.click();
};

/** Shows a view, unless it is shown already. */
async function select(one) {
  view = one;
  for (const tab of $('tabs').children) {
    const isSelected = tab.id === `tab-${one.id}`;
    tab.setAttribute('aria-selected', isSelected);
    tab.tabIndex = isSelected ? 0 : -1;
  }
  $('panel').setAttribute('aria-labelledby', `tab-${one.id}`);
  $('second-label').hidden = !one.isPair;
  const names = { FILE: input.name, SECOND: second?.name };
  const words = one.line.split(' ').map((word) => (names[word] ? argument(names[word]) : word));
  $('line').value = words.join(' ');
  if (one.isPair && !second) return show('', '', 'Open a second file to compare.');
  await execute();
}

/** Runs the command line of the view. */
async function execute() {
  const shown = view;
  $('status').textContent = 'Running.';
  const args = split($('line').value);
  const stdin = kind.views === HEX ? $('text').value : '';
  const answer = await run(args, stdin);
  if (view !== shown) return;
  $('status').textContent = answer.code === 0 ? 'Done.' : `Done, with exit code ${answer.code}.`;
  const isPage = view.isPage && answer.text.startsWith('<!');
  show(answer.messages, isPage ? answer.text : '', isPage ? '' : answer.text);
}

function show(messages, page, text) {
  $('messages').hidden = !messages;
  $('messages').textContent = messages;
  $('output').hidden = Boolean(page);
  $('output').textContent = text;
  $('frame').hidden = !page;
  if (frameUrl) URL.revokeObjectURL(frameUrl);
  frameUrl = page ? URL.createObjectURL(new Blob([page], { type: 'text/html' })) : null;
  $('frame').src = frameUrl ?? 'about:blank';
}

$('command').onsubmit = (event) => {
  event.preventDefault();
  execute();
};

// ---------------------------------------------------------------- opening and links

async function read(file) {
  return new Uint8Array(await file.arrayBuffer());
}

$('file').onchange = async ({ target }) => {
  if (target.files[0]) await open(target.files[0].name, await read(target.files[0]));
};

$('second').onchange = async ({ target }) => {
  const [file] = target.files;
  if (!file) return;
  // Two files of one name are two inputs.
  second = { name: file.name === input.name ? `second-${file.name}` : file.name, bytes: await read(file) };
  await select(view);
};

let timer;
$('text').oninput = () => {
  clearTimeout(timer);
  timer = setTimeout(changed, TYPING_PAUSE);
};

$('name').onchange = () => {
  input.name = $('name').value || 'input.visaasm';
  changed();
};

document.body.ondragover = (event) => {
  event.preventDefault();
  document.body.classList.add('dropping');
};
document.body.ondragleave = () => document.body.classList.remove('dropping');
document.body.ondrop = async (event) => {
  event.preventDefault();
  document.body.classList.remove('dropping');
  const [file] = event.dataTransfer.files;
  if (file) await open(file.name, await read(file));
};

async function transformed(bytes, stream) {
  return new Uint8Array(await new Response(new Blob([bytes]).stream().pipeThrough(stream)).arrayBuffer());
}

/** Returns the state as text for a link. */
async function state() {
  const plain = encoder.encode(JSON.stringify({ name: input.name, view: view?.id, text: $('text').value }));
  const packed = await transformed(plain, new CompressionStream('deflate-raw'));
  return btoa(String.fromCharCode(...packed)).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '');
}

async function fromState(text) {
  const packed = Uint8Array.from(atob(text.replaceAll('-', '+').replaceAll('_', '/')), (c) => c.charCodeAt(0));
  const plain = await transformed(packed, new DecompressionStream('deflate-raw'));
  return JSON.parse(new TextDecoder().decode(plain));
}

$('link').onclick = async () => {
  const text = input.isShown ? await state() : '';
  if (!text || text.length > MAX_LINK) {
    $('status').textContent = 'The input is too large for a link.';
    return;
  }
  location.hash = text;
  await navigator.clipboard?.writeText(location.href).catch(() => {});
  $('status').textContent = 'The address of this page is the link.';
};

async function example(name) {
  const response = await fetch(`examples/${name}`);
  await open(name, new Uint8Array(await response.arrayBuffer()));
}

async function begin() {
  const examples = await (await fetch('examples/index.json')).json();
  const options = ['', ...examples].map((name) => new Option(name || 'Choose', name));
  $('examples').replaceChildren(...options);
  $('examples').onchange = ({ target }) => target.value && example(target.value);
  start();
  if (location.hash.length > 1) {
    try {
      const { name, view: id, text } = await fromState(location.hash.slice(1));
      view = { id };
      return await open(name, encoder.encode(text));
    } catch {
      $('status').textContent = 'The link is damaged.';
    }
  }
  await example(examples[0]);
}

begin();
