// What the programs get that the extension starts, from the configuration of the editor.
"use strict";

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

/** Returns the arguments of the program for a launch configuration. */
function debugArguments({ program, args = [] }) {
  return ["run", "--debug", ...args, "--", program];
}

module.exports = { KEYS, debugArguments, settings };
