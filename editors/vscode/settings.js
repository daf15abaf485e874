// What the programs get that the extension starts, from the configuration of the editor.
"use strict";

const { join } = require("node:path");

/** The settings that the server reads; `server` is only for the extension. */
const KEYS = [
  "platform", "compiler", "groups", "allow", "warn", "deny", "lanes", "liveRegisters",
];

/** Returns the settings for the server. `get` returns the value of a key. */
function settings(get) {
  const values = KEYS.map((key) => [key, get(key)]);
  const isSet = ([, value]) => value !== undefined && value !== null && value !== "";
  return Object.fromEntries(values.filter(isSet));
}

/** Returns the program that is started: that of the settings, the one in the extension, or the one in the path. */
function program(setting, folder, exists) {
  const included = ["genvisa", "genvisa.exe"].map((name) => join(folder, "server", name));
  return setting || included.find((path) => exists(path)) || "genvisa";
}

/** Returns the arguments of the program for a launch configuration. */
function debugArguments({ program, args = [] }) {
  return ["run", "--debug", ...args, "--", program];
}

module.exports = { KEYS, debugArguments, program, settings };
