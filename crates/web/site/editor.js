// The text field: an editor that highlights vISA and marks findings. It is bundled with its packages.

import { defaultKeymap, history, historyKeymap } from '@codemirror/commands';
import { StreamLanguage, syntaxHighlighting } from '@codemirror/language';
import { setDiagnostics } from '@codemirror/lint';
import { Compartment, EditorState } from '@codemirror/state';
import { EditorView, keymap, lineNumbers, placeholder } from '@codemirror/view';
import { classHighlighter } from '@lezer/highlight';

import grammar from '../../../editors/vscode/syntaxes/visaasm.tmLanguage.json';

/** The starts of scopes of the grammar, and the tags of the editor. */
const TAGS = [
  ['comment', 'comment'],
  ['string', 'string'],
  ['keyword', 'keyword'],
  ['storage.type', 'typeName'],
  ['storage.modifier', 'labelName'],
  ['constant', 'number'],
  ['entity', 'propertyName'],
];

const tag = (scope = '') => TAGS.find(([start]) => scope.startsWith(start))?.[1];

// Only comments continue in the next line.
const [comment] = grammar.patterns.filter(({ begin }) => begin);
const [begin, end] = [new RegExp(comment.begin, 'y'), new RegExp(comment.end, 'g')];
const patterns = grammar.patterns
  .filter(({ match }) => match)
  .map(({ match, name, captures = {} }) => ({ regex: new RegExp(match, 'dy'), name, captures }));

/** Returns the parts of a match, as their ends and tags. */
function parts(match, { name, captures }) {
  const all = [];
  match.indices.forEach((place, index) => {
    if (index === 0 || !place || !captures[index]) return;
    all.push([place[0], tag(name)], [place[1], tag(captures[index].name)]);
  });
  all.push([match.indices[0][1], tag(name)]);
  return all;
}

const language = StreamLanguage.define({
  startState: () => ({ inComment: false, parts: [] }),
  copyState: (state) => ({ ...state, parts: [...state.parts] }),
  token(stream, state) {
    const text = stream.string;
    const isAhead = ([place]) => place > stream.pos;
    state.parts = stream.sol() ? [] : state.parts.filter(isAhead);
    begin.lastIndex = stream.pos;
    if (state.inComment || (state.parts.length === 0 && begin.test(text))) {
      end.lastIndex = state.inComment ? stream.pos : begin.lastIndex;
      state.inComment = !end.test(text);
      stream.pos = state.inComment ? text.length : end.lastIndex;
      return 'comment';
    }
    if (state.parts.length === 0) {
      for (const pattern of patterns) {
        pattern.regex.lastIndex = stream.pos;
        const match = pattern.regex.exec(text);
        if (!match?.[0]) continue;
        state.parts = parts(match, pattern).filter(isAhead);
        break;
      }
    }
    const [place, name] = state.parts.shift() ?? [stream.pos + 1];
    stream.pos = place;
    return name ?? null;
  },
});

const theme = EditorView.theme({
  '&': { height: '100%', color: 'var(--fore)', backgroundColor: 'var(--soft)' },
  '&.cm-focused': { outline: 'none' },
  '.cm-scroller': { fontFamily: 'ui-monospace, monospace', fontSize: '13px' },
  '.cm-content': { caretColor: 'var(--fore)' },
  '.cm-gutters': { color: 'var(--quiet)', backgroundColor: 'var(--soft)', border: 'none' },
  '.cm-placeholder': { color: 'var(--quiet)' },
  '.cm-tooltip': { color: 'var(--fore)', backgroundColor: 'var(--back)', border: '1px solid var(--line)' },
  '.tok-comment': { color: 'var(--quiet)' },
  '.tok-keyword': { color: 'var(--accent)' },
  '.tok-typeName, .tok-string': { color: 'var(--warning)' },
});

/** Returns the bytes between two columns of a line, which are counted in characters from 1. */
function range(doc, { line, column, end_line: lastLine, end_column: lastColumn }) {
  const offset = (line, column) => {
    const { from, text } = doc.line(Math.min(line, doc.lines));
    return from + [...text].slice(0, column - 1).join('').length;
  };
  const from = offset(line, column);
  // At the end of a line, a finding has no text.
  return { from, to: Math.max(from, offset(lastLine ?? line, lastColumn ?? column + 1)) };
}

/** A field with the members of a text area that the page uses. */
class CodeField extends HTMLElement {
  #view;
  #settings = new Compartment();
  #language = new Compartment();
  #isOwn = false;

  connectedCallback() {
    // Style sheets of a shadow root need no permission of the policy.
    const root = this.attachShadow({ mode: 'open', delegatesFocus: true });
    const changes = EditorView.updateListener.of((update) => {
      if (update.docChanged && !this.#isOwn) this.dispatchEvent(new Event('input'));
    });
    const extensions = [
      lineNumbers(), history(), keymap.of([...defaultKeymap, ...historyKeymap]), theme, changes,
      syntaxHighlighting(classHighlighter), this.#settings.of([]), this.#language.of([]),
      EditorView.contentAttributes.of({ 'aria-label': this.getAttribute('aria-label'), tabindex: '0' }),
    ];
    this.#view = new EditorView({ state: EditorState.create({ extensions }), parent: root, root });
    this.configure(false, this.getAttribute('placeholder'));
  }

  get value() {
    return this.#view.state.doc.toString();
  }

  set value(text) {
    this.#isOwn = true;
    this.#view.dispatch({ changes: { from: 0, to: this.#view.state.doc.length, insert: text } });
    this.#isOwn = false;
  }

  get selection() {
    const { from, to } = this.#view.state.selection.main;
    return this.#view.state.sliceDoc(from, to);
  }

  /** Sets whether the text can be changed, and what an empty field shows. */
  configure(readOnly, text) {
    const settings = [EditorState.readOnly.of(readOnly), placeholder(text)];
    this.#view.dispatch({ effects: this.#settings.reconfigure(settings) });
  }

  /** Highlights the text as vISA, or not at all. */
  highlight(isVisa) {
    this.#view.dispatch({ effects: this.#language.reconfigure(isVisa ? language : []) });
  }

  /** Selects the text of a finding. */
  select(finding) {
    const { from, to } = range(this.#view.state.doc, finding);
    this.#view.dispatch({ selection: { anchor: from, head: to }, scrollIntoView: true });
    this.#view.focus();
  }

  /** Underlines the text of findings. */
  mark(findings) {
    const { state } = this.#view;
    const diagnostics = findings.filter(({ line }) => line).map((finding) => ({
      ...range(state.doc, finding),
      severity: finding.severity ?? 'error',
      message: finding.message,
    }));
    this.#view.dispatch(setDiagnostics(state, diagnostics));
  }
}

customElements.define('code-field', CodeField);
