// Starts `genvisa lsp`, and passes the settings on.
"use strict";

const vscode = require("vscode");
const { LanguageClient } = require("vscode-languageclient/node");
const { settings } = require("./settings");

let client;

/** Returns the current settings. */
function current() {
  const configuration = vscode.workspace.getConfiguration("genvisa");
  return settings((key) => configuration.get(key));
}

async function activate(context) {
  const command = vscode.workspace.getConfiguration("genvisa").get("server") || "genvisa";
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
