//! Requests about a document, and texts after edits.

use lsp_types::{Position, Uri};
use serde_json::{Value, json};

/// An edit: the start, the end, and the new text.
pub type Edit = (Position, Position, String);

/// Returns the URI of a document.
pub fn uri(name: &str) -> Uri {
    format!("file:///{name}").parse().expect("a URI")
}

/// Returns the requests for everything that the server says about a document and a position.
pub fn requests(name: &str, position: Position) -> Vec<(&'static str, Value)> {
    let document = json!({"uri": uri(name)});
    let at = json!({"textDocument": document, "position": position});
    let reference = json!({
        "textDocument": document, "position": position, "context": {"includeDeclaration": true},
    });
    let whole = json!({"textDocument": document});
    let range = json!({
        "textDocument": document, "context": {"diagnostics": []},
        "range": {"start": {"line": 0, "character": 0}, "end": position},
    });
    [
        ("textDocument/hover", &at),
        ("textDocument/completion", &at),
        ("textDocument/signatureHelp", &at),
        ("textDocument/definition", &at),
        ("textDocument/references", &reference),
        ("textDocument/documentHighlight", &at),
        ("textDocument/prepareRename", &at),
        ("textDocument/documentSymbol", &whole),
        ("textDocument/foldingRange", &whole),
        ("textDocument/semanticTokens/full", &whole),
        ("textDocument/semanticTokens/range", &range),
        ("textDocument/inlayHint", &range),
        ("textDocument/codeAction", &range),
    ]
    .map(|(method, params)| (method, params.clone()))
    .into()
}

/// Returns the text after edits, by the definition of positions.
pub fn edited(text: &str, edits: &[Edit]) -> String {
    let mut text = text.to_owned();
    for (start, end, new) in edits {
        let (start, end) = (naive(&text, *start), naive(&text, *end));
        text.replace_range(start..end.max(start), new);
    }
    text
}

/// Returns the offset of a position, with a scan of the whole text.
pub fn naive(text: &str, position: Position) -> usize {
    let (mut line, mut column) = (0, 0);
    let mut chars = text.char_indices().peekable();
    while let Some((at, ch)) = chars.next() {
        let is_end = ch == '\n' || ch == '\r';
        if line == position.line {
            let width = if is_end { 0 } else { ch.len_utf16() as u32 };
            if is_end || column + width > position.character {
                return at;
            }
            column += width;
        }
        if is_end {
            if ch == '\r' && chars.peek().is_some_and(|(_, next)| *next == '\n') {
                chars.next();
            }
            line += 1;
        }
    }
    text.len()
}

/// A text of vISA without errors.
pub const TEXT: &str = "\
.version 3.6
.kernel \"k\"
// A comment with 𝒳 and é.
.decl x v_type=G type=d num_elts=16 align=GRF
.decl y v_type=G type=d num_elts=16 align=GRF alias=<x, 0>
.decl p v_type=P num_elts=16
.input x offset=32 size=64
.kernel_attr Target=\"cm\"
    /* 𝒳 */ mov (M1, 16) x(0,0)<1> 0x2a:d
    cmp.lt (M1, 16) p x(0,0)<1;1,0> y(0,0)<8;8,1>
loop:
    (p) add.sat (M1, 16) y(0,0)<1> x(0,0)<1;1,0> -7:d
    (p) goto (M1, 16) loop
    ret (M1, 1)
";
