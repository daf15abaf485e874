// Tests that run in Node, without the editor: the manifest, the settings, the grammar, and the server
// with the messages of the extension. GENVISA names the program; without it, its test is skipped.
"use strict";

const assert = require("node:assert");
const { spawn } = require("node:child_process");
const fs = require("node:fs");
const path = require("node:path");
const test = require("node:test");
const { KEYS, debugArguments, program, settings } = require("../settings");

const folder = path.join(__dirname, "..");
const manifest = JSON.parse(fs.readFileSync(path.join(folder, "package.json"), "utf8"));

test("the files of the manifest exist", () => {
  const { languages, grammars } = manifest.contributes;
  for (const file of [manifest.main, languages[0].configuration, grammars[0].path]) {
    assert.ok(fs.existsSync(path.join(folder, file)), file);
  }
});

test("every setting of the manifest is passed on", () => {
  const names = Object.keys(manifest.contributes.configuration.properties);
  const keys = names.map((name) => name.replace("genvisa.", "")).filter((key) => key !== "server");
  assert.deepStrictEqual(keys.sort(), [...KEYS].sort());
  assert.deepStrictEqual(settings((key) => (key === "platform" ? "DG2" : "")), { platform: "DG2" });
});

test("the program is that of the settings, of the extension, or of the path", () => {
  const included = path.join("extension", "server", "genvisa");
  assert.strictEqual(program("/a", "extension", () => true), "/a");
  assert.strictEqual(program("", "extension", (file) => file === included), included);
  assert.strictEqual(program(undefined, "extension", () => false), "genvisa");
});

test("the grammar runs in the engine of the editor", async (context) => {
  let textmate, oniguruma;
  try {
    textmate = require("vscode-textmate");
    oniguruma = require("vscode-oniguruma");
  } catch {
    context.skip("npm install has not been run");
    return;
  }
  const wasm = fs.readFileSync(require.resolve("vscode-oniguruma/release/onig.wasm"));
  await oniguruma.loadWASM(wasm.buffer);
  const file = path.join(folder, manifest.contributes.grammars[0].path);
  const registry = new textmate.Registry({
    onigLib: Promise.resolve({
      createOnigScanner: (patterns) => new oniguruma.OnigScanner(patterns),
      createOnigString: (text) => new oniguruma.OnigString(text),
    }),
    loadGrammar: async () => textmate.parseRawGrammar(fs.readFileSync(file, "utf8"), file),
  });
  const grammar = await registry.loadGrammar("source.visaasm");
  const line = "    (!P1.any) add.sat (M1, 16) x(0,0)<1> y(0,0)<8;8,1> 0x2a:d // comment";
  const { tokens } = grammar.tokenizeLine(line, textmate.INITIAL);
  const scope = (text) => {
    const at = line.indexOf(text);
    return tokens.find((token) => token.startIndex <= at && at < token.endIndex).scopes.at(-1);
  };
  assert.strictEqual(scope("add"), "keyword.mnemonic.visaasm");
  assert.strictEqual(scope("any"), "storage.modifier.visaasm");
  assert.strictEqual(scope("sat"), "storage.modifier.visaasm");
  assert.strictEqual(scope("M1"), "storage.modifier.visaasm");
  assert.strictEqual(scope("0x2a"), "constant.numeric.visaasm");
  assert.strictEqual(scope("d //"), "storage.type.visaasm");
  assert.strictEqual(scope("comment"), "comment.line.double-slash.visaasm");
});

/** Starts a server; returns it with functions that send a message and wait for a text. */
function start(program, args) {
  const server = spawn(program, args);
  const send = (message) => {
    const body = JSON.stringify(message);
    server.stdin.write(`Content-Length: ${Buffer.byteLength(body)}\r\n\r\n${body}`);
  };
  let received = "";
  server.stdout.on("data", (data) => (received += data));
  const wait = async (text) => {
    for (let tries = 0; !received.includes(text); tries++) {
      assert.ok(tries < 500, `no ${text} in ${received}`);
      await new Promise((resolve) => setTimeout(resolve, 20));
    }
  };
  const ended = new Promise((resolve) => server.on("exit", resolve));
  return { send, wait, ended };
}

test("the debugger starts as the extension starts it", async (context) => {
  const program = process.env.GENVISA;
  if (!program) {
    context.skip("GENVISA is not set");
    return;
  }
  const kernel = path.join(folder, "../../tests/data/collatz.visaasm");
  const args = ["--lanes", "4", "--input", "in=lanes:4:zero:64", "--input", "out=lanes:4:zero:64", "--input", "limit=2"];
  const { send, wait, ended } = start(program, debugArguments({ program: kernel, args }));
  let seq = 0;
  const request = (command, values = {}) =>
    send({ seq: ++seq, type: "request", command, arguments: values });
  request("initialize", { adapterID: "genvisa" });
  await wait('"event":"initialized"');
  request("launch", { program: kernel, stopOnEntry: true });
  request("configurationDone");
  await wait('"reason":"entry"');
  request("continue", { threadId: 1 });
  await wait('"event":"terminated"');
  request("disconnect");
  assert.strictEqual(await ended, 0);
});

test("the server starts as the extension starts it", async (context) => {
  const program = process.env.GENVISA;
  if (!program) {
    context.skip("GENVISA is not set");
    return;
  }
  const { send: sendMessage, wait, ended } = start(program, ["lsp"]);
  const send = (message) => sendMessage({ jsonrpc: "2.0", ...message });
  const options = settings((key) => (key === "platform" ? "DG2" : undefined));
  send({ id: 1, method: "initialize", params: { capabilities: {}, initializationOptions: options } });
  await wait("hoverProvider");
  send({ method: "initialized", params: {} });
  const text = '.version 3.6\n.kernel "k"\n    movv (M1, 8) x 0x2a:d\n';
  const textDocument = { uri: "file:///a.visaasm", languageId: "visaasm", version: 1, text };
  send({ method: "textDocument/didOpen", params: { textDocument } });
  await wait("unknown instruction `movv`");
  send({ id: 2, method: "shutdown", params: null });
  await wait('"id":2');
  send({ method: "exit", params: null });
  assert.strictEqual(await ended, 0);
});
