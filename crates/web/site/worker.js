// Runs commands. The interpreter is in a larger module, which is loaded if a command or the help needs it.

import { load } from './genvisa/index.js';

const LARGE = '@LARGE@'.split(' ');
const modules = new Map();

function module(command) {
  const name = LARGE.includes(command) || !command ? 'genvisa-run.wasm' : 'genvisa.wasm';
  if (!modules.has(name)) modules.set(name, load(new URL(name, import.meta.url)));
  return modules.get(name);
}

onmessage = async ({ data: { id, args, files, input } }) => {
  try {
    const genvisa = await module(args.find((arg) => !arg.startsWith('-')));
    const { code, text, messages } = await genvisa.run(args, files, input);
    postMessage({ id, code, text, messages });
  } catch (error) {
    postMessage({ id, code: 134, text: '', messages: String(error) });
  }
};

module('info').then(() => postMessage({ id: 0 }), (error) => postMessage({ id: 0, messages: String(error) }));
