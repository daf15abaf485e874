// Starts `genvisa lsp`, and passes the settings on. Starts `genvisa run --debug` for launch configurations.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { debugArguments, settings } = require("./settings");

let client;

/** Returns the current settings. */
function current() {
  const configuration = vscode.workspace.getConfiguration("genvisa");
  return settings((key) => configuration.get(key));
}

/** Returns the program that is started. */
function server() {
  return vscode.workspace.getConfiguration("genvisa").get("server") || "genvisa";
}

async function activate(context) {
  const command = server();
  context.subscriptions.push(
    vscode.debug.registerDebugAdapterDescriptorFactory("genvisa", {
      createDebugAdapterDescriptor({ configuration }) {
        const { cwd } = configuration;
        const options = cwd ? { cwd } : undefined;
        return new vscode.DebugAdapterExecutable(server(), debugArguments(configuration), options);
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
