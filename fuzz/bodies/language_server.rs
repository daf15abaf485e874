//! The fuzz target of the language server. The input chooses messages.

use genvisa_lsp::Server;
use genvisa_test_support::rng::Rng;
use lsp_server::{Notification, Request, Response};
use lsp_types::{InitializeParams, Position};
use serde_json::{Value, json};

use crate::requests::{Edit, TEXT, edited, requests, uri};

genvisa_test_support::fuzz_targets! {
    language_server: "seeds/choices",
}

/// A kernel with inline assembly.
const SOURCE: &str = include_str!("../seeds/c/kernel.cl");

/// Texts that edits insert.
const INSERTED: &[&str] = &[
    "",
    "\r",
    "\r\n",
    "\n",
    "𝒳",
    "é\u{301}",
    "\u{feff}",
    "//@ ",
    "/*",
    "*/",
    "\"",
    "\\\n",
    "{",
    "}",
    ",",
    ".",
    "(",
    ")",
    "<",
    ".kernel \"z\"\n",
    ".decl x v_type=G type=d num_elts=8\n",
    ".function \"f\"\n",
    "loop:\n",
    "%0",
    "$",
    "x",
    "V32",
    "    add (M1, 8) x(0,0)<1> y(0,0)<1;1,0> ",
    "    goto (M1, 16) loop\n",
    ".version 4.2\n",
    "0x1:ud",
    "__asm__(\"",
    "#define A ",
];

const LANGUAGES: &[&str] = &["visaasm", "visaasm", "opencl", "cpp", "llvm", "mlir", "unknown"];

/// After messages in any order, the answers equal the answers after a fresh open of the edited text.
pub fn language_server(data: &[u8]) {
    let mut rng = Rng::from_data(data);
    let language = rng.pick(LANGUAGES);
    let mut text = String::from(if language == "visaasm" { TEXT } else { SOURCE });
    let mut settings = settings(&mut rng);
    let mut server = server(&settings);
    open(&mut server, language, &text);
    for version in 2..2 + rng.below(8) {
        match rng.below(8) {
            0 => {
                settings = self::settings(&mut rng);
                notify(
                    &mut server,
                    "workspace/didChangeConfiguration",
                    json!({"settings": settings}),
                );
            }
            1 => {
                notify(
                    &mut server,
                    "textDocument/didClose",
                    json!({"textDocument": {"uri": uri("a")}}),
                );
                assert!(
                    state(&server, &mut rng.clone(), &text).iter().all(|it| it.error.is_some())
                );
                open(&mut server, language, &text);
            }
            2 => drop(state(&server, &mut rng, &text)),
            _ => change(&mut server, version, &mut text, &mut rng),
        }
    }
    let mut fresh = self::server(&settings);
    open(&mut fresh, language, &text);
    let (found, expected) =
        (state(&server, &mut rng.clone(), &text), state(&fresh, &mut rng, &text));
    for (found, expected) in found.into_iter().zip(expected) {
        assert_eq!(found.result, expected.result, "{text}");
        assert_eq!(found.error.map(|it| it.message), expected.error.map(|it| it.message), "{text}");
    }
}

fn settings(rng: &mut Rng) -> Value {
    json!({
        "liveRegisters": rng.one_in(2),
        "platform": rng.pick(&["TGLLP", "XE2", "nonsense", ""]),
    })
}

fn server(settings: &Value) -> Server {
    let params = json!({"capabilities": {}, "initializationOptions": settings});
    Server::new(&serde_json::from_value::<InitializeParams>(params).expect("parameters"))
}

fn notify(server: &mut Server, method: &str, params: Value) {
    server.notify(Notification { method: method.into(), params });
}

fn open(server: &mut Server, language: &str, text: &str) {
    let document = json!({"uri": uri("a"), "languageId": language, "version": 1, "text": text});
    notify(server, "textDocument/didOpen", json!({"textDocument": document}));
}

/// Sends a notification with a few changes, and applies them to the text.
fn change(server: &mut Server, version: usize, text: &mut String, rng: &mut Rng) {
    let changes: Vec<Edit> = (0..1 + rng.below(3))
        .map(|_| {
            let start = position(text, rng);
            let end = if rng.one_in(2) { start } else { position(text, rng) };
            (start, end, rng.pick(INSERTED).to_owned())
        })
        .collect();
    *text = edited(text, &changes);
    let changes: Vec<Value> = changes
        .iter()
        .map(|(start, end, text)| json!({"range": {"start": start, "end": end}, "text": text}))
        .collect();
    let document = json!({"uri": uri("a"), "version": version});
    let params = json!({"textDocument": document, "contentChanges": changes});
    notify(server, "textDocument/didChange", params);
}

/// Returns a position that may be after the end of its line or of the text, or within a character.
fn position(text: &str, rng: &mut Rng) -> Position {
    let lines = text.lines().count();
    let line = rng.below(lines + 2);
    let length = text.lines().nth(line).map_or(0, str::len);
    let column = if rng.one_in(30) { u32::MAX } else { rng.below(length + 3) as u32 };
    Position::new(line as u32, column)
}

/// Returns the answers to all requests about a position, and about a new name for what is there.
fn state(server: &Server, rng: &mut Rng, text: &str) -> Vec<Response> {
    let position = position(text, rng);
    let new_name = rng.pick(&["renamed", "x", "V32", "a b", ""]);
    let document = json!({"uri": uri("a")});
    let rename = json!({"textDocument": document, "position": position, "newName": new_name});
    let options = json!({"tabSize": 4, "insertSpaces": true});
    let formatting = json!({"textDocument": document, "options": options});
    let more = [("textDocument/rename", rename), ("textDocument/formatting", formatting)];
    let all = requests("a", position).into_iter().chain(more);
    all.map(|(method, params)| server.answer(Request::new(1.into(), method.into(), params)))
        .collect()
}
