//! Latency of the server on a text of 1 MB: from an edit to its diagnostics, and of requests.
//!
//! `cargo bench -p genvisa-lsp` runs it. It joins the texts of `GENVISA_LATENCY_TEXTS`, a list of files
//! separated by colons, up to 1 MB, or else repeats the text of the tests of the library.

use std::time::{Duration, Instant};

use genvisa_lsp::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId};
use serde_json::{Value, json};

const SIZE: usize = 1_000_000;
const URI: &str = "file:///a.visaasm";

/// A client in memory.
struct Client {
    connection: Connection,
    next: i32,
}

impl Client {
    fn notify(&self, method: &str, params: Value) {
        let message = Notification::new(method.into(), params);
        self.connection.sender.send(message.into()).expect("the server is running");
    }

    /// Sends a request, and waits for the response.
    fn request(&mut self, method: &str, params: Value) -> Value {
        self.next += 1;
        let id = RequestId::from(self.next);
        let request = Request::new(id.clone(), method.into(), params);
        self.connection.sender.send(request.into()).expect("the server is running");
        loop {
            if let Message::Response(response) = self.connection.receiver.recv().expect("an answer")
            {
                if response.id == id {
                    assert!(response.error.is_none(), "{method}: {:?}", response.error);
                    return response.result.unwrap_or_default();
                }
            }
        }
    }

    /// Waits for diagnostics of a version.
    fn diagnostics(&self, version: i32) -> usize {
        loop {
            if let Message::Notification(it) = self.connection.receiver.recv().expect("diagnostics")
            {
                if it.params["version"] == json!(version) {
                    return it.params["diagnostics"].as_array().map_or(0, Vec::len);
                }
            }
        }
    }
}

/// Returns routines of real texts, 1 MB in all, with one routine of each name.
fn text() -> String {
    let files = std::env::var("GENVISA_LATENCY_TEXTS").unwrap_or_default();
    let mut sources: Vec<String> =
        files.split(':').filter_map(|file| std::fs::read_to_string(file).ok()).collect();
    if sources.is_empty() {
        let path = concat!(env!("CARGO_MANIFEST_DIR"), "/../../tests/data/collatz.visaasm");
        sources.push(std::fs::read_to_string(path).expect("a text of the tests"));
    }
    let mut text = String::new();
    for (index, source) in sources.iter().cycle().enumerate() {
        if text.len() >= SIZE {
            break;
        }
        for line in source.lines() {
            match line.strip_prefix(".kernel \"") {
                Some(rest) => text += &format!(".kernel \"r{index}_{rest}"),
                None => text += line,
            }
            text.push('\n');
        }
    }
    text
}

fn print(name: &str, mut times: Vec<Duration>) {
    times.sort();
    let at = |percent: usize| times[(times.len() - 1) * percent / 100].as_secs_f64() * 1e3;
    println!(
        "{name:<24} p50 {:7.2} ms   p90 {:7.2} ms   p99 {:7.2} ms   max {:7.2} ms",
        at(50),
        at(90),
        at(99),
        at(100)
    );
}

fn main() {
    let text = text();
    let (server, connection) = Connection::memory();
    let server = std::thread::spawn(move || serve(&server).expect("no error"));
    let mut client = Client { connection, next: 0 };
    client.request("initialize", json!({"capabilities": {}}));
    client.notify("initialized", json!({}));
    let document = json!({"uri": URI, "languageId": "visaasm", "version": 1, "text": text});
    let start = Instant::now();
    client.notify("textDocument/didOpen", json!({"textDocument": document}));
    let count = client.diagnostics(1);
    println!(
        "{} bytes, {} lines, {count} diagnostics, opened in {:.2} ms",
        text.len(),
        text.lines().count(),
        start.elapsed().as_secs_f64() * 1e3
    );
    // The lines with instructions, from which edits and requests take every 97th.
    let lines: Vec<usize> = text
        .lines()
        .enumerate()
        .filter(|(_, line)| line.starts_with("    ") && line.contains("(M1"))
        .map(|(line, _)| line)
        .collect();
    let id = json!({"uri": URI});
    let (mut edits, mut hovers, mut completions, mut definitions) =
        (vec![], vec![], vec![], vec![]);
    let (mut keystrokes, mut symbols) = (vec![], vec![]);
    for (index, line) in lines.iter().cycle().step_by(97).take(200).enumerate() {
        let version = 2 + index as i32;
        let end = json!({"line": line, "character": 8});
        let text = if index % 2 == 0 { "0" } else { "" };
        let start = json!({"line": line, "character": if index % 2 == 0 { 8 } else { 7 }});
        let range = json!({"start": start, "end": end});
        let changes = json!([{"range": range, "text": text}]);
        let params =
            json!({"textDocument": {"uri": URI, "version": version}, "contentChanges": changes});
        let start = Instant::now();
        client.notify("textDocument/didChange", params.clone());
        client.diagnostics(version);
        edits.push(start.elapsed());
        let position = json!({"textDocument": id, "position": {"line": line, "character": 20}});
        let mut time = |method: &str, times: &mut Vec<Duration>| {
            let start = Instant::now();
            client.request(method, position.clone());
            times.push(start.elapsed());
        };
        time("textDocument/hover", &mut hovers);
        time("textDocument/completion", &mut completions);
        time("textDocument/definition", &mut definitions);
        if index % 10 == 0 {
            let start = Instant::now();
            client.request("textDocument/documentSymbol", json!({"textDocument": id}));
            symbols.push(start.elapsed());
            // An edit with a completion right after it, as while typing.
            let start = Instant::now();
            client.notify("textDocument/didChange", params);
            client.request("textDocument/completion", position.clone());
            keystrokes.push(start.elapsed());
        }
    }
    print("edit to diagnostics", edits);
    print("edit to completion", keystrokes);
    print("hover", hovers);
    print("completion", completions);
    print("definition", definitions);
    print("document symbols", symbols);
    client.request("shutdown", Value::Null);
    client.notify("exit", Value::Null);
    server.join().expect("no panic");
}
