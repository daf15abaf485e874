/** The contents of files by their paths, such as `{ 'kernel.isa': bytes }`. */
export type Files = Record<string, Uint8Array | string>;

/** What a command prints, and its exit code. */
export interface Answer {
  /** The exit code of the tool; 134 if WebAssembly failed, for example because the memory is full. */
  code: number;
  /** Standard output. */
  output: Uint8Array;
  /** Standard output as text. */
  readonly text: string;
  /** Errors and warnings, which the tool prints on standard error. */
  messages: string;
  /** The files after the command: the inputs, and those that it wrote. */
  files: Record<string, Uint8Array>;
}

/**
 * Compiles the tool.
 * @param module the compiled module, its bytes or its address; by default `genvisa.wasm` of this package
 */
export function load(module?: WebAssembly.Module | BufferSource | URL | string): Promise<Genvisa>;

/** The compiled tool. Each call has its own memory and files. */
export class Genvisa {
  /**
   * Runs a command line, without the name of the program.
   * @param args such as `['dis', 'kernel.isa']`
   * @param files the files that the command can read
   * @param input standard input, which argument `-` reads
   */
  run(args: string[], files?: Files, input?: Uint8Array | string): Promise<Answer>;

  /**
   * Runs a command that prints JSON. `genvisa schema` describes the values.
   * @throws GenvisaError if the tool prints an error, for example about one of several files
   */
  json(args: string[], files?: Files, input?: Uint8Array | string): Promise<unknown>;

  /** Checks the inline assembly of source files. */
  check(files: Files, options?: string[]): Promise<unknown[]>;

  /** Checks .isa and .visaasm files against the rules of vISA. Returns the findings, also the syntax errors of texts. */
  verify(files: Files, options?: string[]): Promise<unknown[]>;

  /** Disassembles a .isa file. */
  dis(file: Uint8Array, options?: string[]): Promise<string>;

  /** Returns what a file states about its kernels. */
  info(file: Uint8Array | string, options?: string[]): Promise<unknown[]>;

  /** Returns the fields of a .isa file with their bytes. */
  explain(file: Uint8Array, options?: string[]): Promise<unknown>;

  /** Returns the instruction set, or the instructions of a mnemonic. */
  isa(mnemonic?: string, options?: string[]): Promise<unknown>;
}

/** The error of a command that could not read an input, or failed. Its message is what the tool prints. */
export class GenvisaError extends Error {
  /** The exit code and all output, such as the JSON of the other inputs. */
  answer: Answer;
}
