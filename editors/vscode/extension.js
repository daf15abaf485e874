// Starts `genvisa lsp`, and passes the settings on. Starts `genvisa run --debug` for launch configurations.
"use strict";

const { existsSync } = require("node:fs");

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { debugArguments, program, settings } = require("./settings");

let client;

/** Returns the current settings. */
function current() {
  const configuration = vscode.workspace.getConfiguration("genvisa");
  return settings((key) => configuration.get(key));
}

/** Returns the program that is started. */
function server(context) {
  const setting = vscode.workspace.getConfiguration("genvisa").get("server");
  return program(setting, context.extensionPath, existsSync);
}

async function activate(context) {
  const command = server(context);
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("genvisa", {
      createDebugAdapterDescriptor({ configuration }) {
        const { cwd } = configuration;
        const options = cwd ? { cwd } : undefined;
        return new vscode.DebugAdapterExecutable(server(context), debugArguments(configuration), options);
      },
    }),
  );
  const languages = ["visaasm", "c", "cpp", "opencl"];
  client = new LanguageClient(
    "genvisa",
    "vISA",
    { command, args: ["lsp"] },
    {
      documentSelector: languages.map((language) => ({ language })),
      initializationOptions: current(),
    },
  );
  context.subscriptions.push(
    vscode.workspace.onDidChangeConfiguration((event) => {
      if (event.affectsConfiguration("genvisa")) {
        client.sendNotification("workspace/didChangeConfiguration", {
          settings: { genvisa: current() },
        });
      }
    }),
  );
  await client.start();
}

function deactivate() {
  return client?.stop();
}

module.exports = { activate, deactivate };
