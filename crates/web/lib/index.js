// The tool as a function: it reads and writes files in memory.

import { Directory, File, OpenFile, PreopenDirectory, WASI } from '@bjorn3/browser_wasi_shim';

const MODULE = new URL('../genvisa.wasm', import.meta.url);
const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Compiles the tool. By default, it is next to this package. */
export async function load(module = MODULE) {
  return new Genvisa(await compile(module));
}

async function compile(module) {
  if (module instanceof WebAssembly.Module) return module;
  if (module instanceof Uint8Array || module instanceof ArrayBuffer) return WebAssembly.compile(module);
  const url = new URL(module, import.meta.url);
  if (url.protocol === 'file:') {
    const { readFile } = await import('node:fs/promises');
    return WebAssembly.compile(await readFile(url));
  }
  return WebAssembly.compileStreaming(fetch(url));
}

/** The compiled tool. */
export class Genvisa {
  #module;

  constructor(module) {
    this.#module = module;
  }

  /** Runs a command line, without the name of the program. */
  async run(args, files = {}, input = '') {
    const root = directory(files);
    const [stdin, stdout, stderr] = [bytes(input), [], []].map((data) => new OpenFile(new File(data)));
    const streams = [stdin, stdout, stderr];
    const wasi = new WASI(['genvisa', ...args], [], [...streams, new PreopenDirectory('.', root)], {
      debug: false,
    });
    const imports = { wasi_snapshot_preview1: wasi.wasiImport };
    const instance = await WebAssembly.instantiate(this.#module, imports);
    let code;
    try {
      code = wasi.start(instance);
    } catch (error) {
      if (!(error instanceof WebAssembly.RuntimeError)) throw error;
      // An instruction of WebAssembly failed, for example because the memory is full.
      code = FAILED;
      stderr.file.data = bytes(`${decoder.decode(stderr.file.data)}genvisa: ${error.message}\n`);
    }
    return {
      code,
      output: stdout.file.data,
      get text() {
        return decoder.decode(stdout.file.data);
      },
      messages: decoder.decode(stderr.file.data),
      files: written(root),
    };
  }

  /** Runs a command that prints JSON, and returns the value. */
  async json(args, files, input) {
    // What remains of the messages are errors: the value is then not complete.
    const answer = await this.run(['--quiet', ...args], files, input);
    if (answer.messages || answer.output.length === 0) throw new GenvisaError(answer);
    return JSON.parse(answer.text);
  }

  /** Checks the inline assembly of source files. */
  check(files, options = []) {
    return this.json(['check', '--json', ...options, '--', ...Object.keys(files)], files);
  }

  /** Checks .isa and .visaasm files against the rules of vISA. */
  verify(files, options = []) {
    return this.json(['verify', '--json', ...options, '--', ...Object.keys(files)], files);
  }

  /** Disassembles a .isa file. */
  async dis(file, options = []) {
    const answer = await this.run(['dis', ...options, '-'], {}, file);
    if (answer.code !== 0) throw new GenvisaError(answer);
    return answer.text;
  }

  /** Returns what a file states about its kernels. */
  info(file, options = []) {
    return this.json(['info', '--json', ...options, '-'], {}, file);
  }

  /** Returns the fields of a .isa file with their bytes. */
  explain(file, options = []) {
    return this.json(['explain', '--json', ...options, '-'], {}, file);
  }

  /** Returns the instruction set, or the instructions of a mnemonic. */
  isa(mnemonic, options = []) {
    return this.json(['isa', '--json', ...options, ...(mnemonic ? [mnemonic] : [])]);
  }
}

/** The error of a command that could not read an input, or failed. */
export class GenvisaError extends Error {
  constructor(answer) {
    super(answer.messages.trim() || `the exit code is ${answer.code}`);
    this.name = 'GenvisaError';
    this.answer = answer;
  }
}

/** The exit code if WebAssembly fails. */
const FAILED = 134;

function bytes(data) {
  return typeof data === 'string' ? encoder.encode(data) : data;
}

/** Returns a tree of directories. The names of files may contain slashes. */
function directory(files) {
  const root = new Map();
  for (const [path, data] of Object.entries(files)) {
    const parts = path.split('/').filter((part) => part && part !== '.');
    const name = parts.pop();
    let contents = root;
    for (const part of parts) {
      if (!contents.has(part)) contents.set(part, new Directory(new Map()));
      contents = contents.get(part).contents;
    }
    contents.set(name, new File(bytes(data)));
  }
  return root;
}

/** Returns all files of a tree by their paths. */
function written(contents, prefix = '', files = {}) {
  for (const [name, node] of contents) {
    if (node.contents instanceof Map) written(node.contents, `${prefix}${name}/`, files);
    else files[prefix + name] = node.data;
  }
  return files;
}
