// The views of an input. Each is a command line of the tool, in which FILE and SECOND are the inputs.

export const VISA = [
  { id: 'facts', title: 'Facts', line: 'info FILE' },
  { id: 'findings', title: 'Findings', line: 'verify FILE' },
  { id: 'text', title: 'Text', line: 'dis FILE', isOfBytes: true },
  { id: 'statistics', title: 'Statistics', line: 'stats FILE' },
  { id: 'flow', title: 'Control flow', line: 'cfg --format tree FILE' },
  { id: 'bytes', title: 'Bytes', line: 'explain --html - FILE', isPage: true, isOfBytes: true },
  { id: 'report', title: 'Report', line: 'report -o - FILE', isPage: true },
  { id: 'compare', title: 'Compare', line: 'report -o - FILE SECOND', isPage: true, isPair: true },
  { id: 'differences', title: 'Differences', line: 'diff FILE SECOND', isPair: true },
  { id: 'run', title: 'Run', line: 'run FILE' },
];

export const SOURCE = [{ id: 'findings', title: 'Findings', line: 'check FILE' }];

export const HEX = [{ id: 'bytes', title: 'Bytes', line: 'explain --hex -' }];

/** The views that need no input. */
export const ALWAYS = [
  { id: 'instructions', title: 'Instructions', line: 'isa --html -', isPage: true },
  { id: 'help', title: 'Help', line: '--help' },
];
