//! A client in memory.

use std::thread::JoinHandle;

use genvisa_lsp::serve;
use lsp_server::{Connection, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::{
    Diagnostic, DidChangeTextDocumentParams, DidOpenTextDocumentParams, Position,
    PublishDiagnosticsParams, Range, TextDocumentContentChangeEvent, TextDocumentIdentifier,
    TextDocumentItem, TextDocumentPositionParams, TextEdit, VersionedTextDocumentIdentifier,
};
use serde_json::{Value, json};

use crate::requests::requests;
pub use crate::requests::{TEXT, uri};

/// A client with a server in another thread.
pub struct Client {
    connection: Option<Connection>,
    server: Option<JoinHandle<Result<(), String>>>,
    next: i32,
    /// The capabilities of the server.
    pub capabilities: Value,
}

impl Client {
    /// Starts a server with settings.
    pub fn new(settings: Value) -> Client {
        Client::with_capabilities(settings, json!({}))
    }

    /// Starts a server for a client with capabilities.
    pub fn with_capabilities(settings: Value, capabilities: Value) -> Client {
        let (server, client) = Connection::memory();
        let server = std::thread::spawn(move || serve(&server).map_err(|error| error.to_string()));
        let mut client = Client {
            connection: Some(client),
            server: Some(server),
            next: 0,
            capabilities: Value::Null,
        };
        let params = json!({"capabilities": capabilities, "initializationOptions": settings});
        let result = client.raw("initialize", params).expect("an answer");
        client.capabilities = result["capabilities"].clone();
        client.notify("initialized", json!({}));
        client
    }

    fn connection(&self) -> &Connection {
        self.connection.as_ref().expect("the connection is open")
    }

    /// Sends a message.
    pub fn send(&self, message: Message) {
        self.connection().sender.send(message).expect("the server is running");
    }

    /// Sends a notification.
    pub fn notify(&self, method: &str, params: Value) {
        self.send(Notification::new(method.to_owned(), params).into());
    }

    /// Sends a request without waiting for the answer.
    pub fn post(&mut self, method: &str, params: Value) -> RequestId {
        self.next += 1;
        let id = RequestId::from(self.next);
        self.send(Request::new(id.clone(), method.to_owned(), params).into());
        id
    }

    /// Receives a message.
    pub fn receive(&self) -> Message {
        let timeout = std::time::Duration::from_secs(60);
        self.connection().receiver.recv_timeout(timeout).expect("a message of the server")
    }

    /// Receives the response to a request, and ignores other messages.
    pub fn response(&self, id: &RequestId) -> Response {
        loop {
            if let Message::Response(response) = self.receive() {
                if response.id == *id {
                    return response;
                }
            }
        }
    }

    /// Sends a request, and returns the result or the message of the error.
    pub fn raw(&mut self, method: &str, params: Value) -> Result<Value, String> {
        let id = self.post(method, params);
        let response = self.response(&id);
        match response.error {
            Some(error) => Err(error.message),
            None => Ok(response.result.unwrap_or_default()),
        }
    }

    /// Sends a request of a type.
    pub fn request<R: lsp_types::request::Request>(
        &mut self,
        params: R::Params,
    ) -> Result<R::Result, String> {
        let params = serde_json::to_value(params).expect("parameters");
        let value = self.raw(R::METHOD, params)?;
        Ok(serde_json::from_value(value).expect("a result of the protocol"))
    }

    /// Opens a document, and returns its diagnostics.
    pub fn open(&mut self, name: &str, language: &str, text: &str) -> Vec<Diagnostic> {
        let item = TextDocumentItem::new(uri(name), language.into(), 1, text.into());
        let params = DidOpenTextDocumentParams { text_document: item };
        let method = notification::DidOpenTextDocument::METHOD;
        self.notify(method, serde_json::to_value(params).expect("parameters"));
        self.diagnostics(name, 1)
    }

    /// Waits for the diagnostics of a version of a document.
    pub fn diagnostics(&self, name: &str, version: i32) -> Vec<Diagnostic> {
        loop {
            let Message::Notification(it) = self.receive() else { continue };
            if it.method != notification::PublishDiagnostics::METHOD {
                continue;
            }
            let params: PublishDiagnosticsParams =
                serde_json::from_value(it.params).expect("diagnostics");
            if params.uri == uri(name) && params.version == Some(version) {
                return params.diagnostics;
            }
        }
    }

    /// Edits a document.
    pub fn change(&self, name: &str, version: i32, changes: Vec<(Option<Range>, String)>) {
        let content_changes = changes
            .into_iter()
            .map(|(range, text)| TextDocumentContentChangeEvent { range, range_length: None, text })
            .collect();
        let text_document = VersionedTextDocumentIdentifier::new(uri(name), version);
        let params = DidChangeTextDocumentParams { text_document, content_changes };
        let method = notification::DidChangeTextDocument::METHOD;
        self.notify(method, serde_json::to_value(params).expect("parameters"));
    }

    /// Returns everything that the server says about a document and a position.
    pub fn state(&mut self, name: &str, position: Position) -> Vec<Result<Value, String>> {
        let requests = requests(name, position).into_iter();
        requests.map(|(method, params)| self.raw(method, params)).collect()
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        if !std::thread::panicking() {
            self.raw("shutdown", Value::Null).expect("an answer");
            self.notify("exit", Value::Null);
        }
        drop(self.connection.take());
        let result = self.server.take().map(JoinHandle::join);
        if !std::thread::panicking() {
            result.expect("a server").expect("no panic").expect("no error");
        }
    }
}

/// Returns a document and a position as parameters.
pub fn at(name: &str, position: Position) -> TextDocumentPositionParams {
    TextDocumentPositionParams::new(TextDocumentIdentifier::new(uri(name)), position)
}

/// Returns the position of the first occurrence of a text after another, by the columns of UTF-16.
pub fn find(text: &str, after: &str, what: &str) -> Position {
    let start = text.find(after).unwrap_or_else(|| panic!("`{after}` is in the text"));
    let len = text[start..].find(what).unwrap_or_else(|| panic!("`{what}` is after `{after}`"));
    position(text, start + len)
}

/// Returns the position of an offset.
pub fn position(text: &str, at: usize) -> Position {
    let before = &text[..at];
    let line = before.matches('\n').count();
    let start = before.rfind('\n').map_or(0, |end| end + 1);
    Position::new(line as u32, before[start..].encode_utf16().count() as u32)
}

/// Applies edits to a text whose lines end with `\n`.
pub fn apply(text: &str, edits: &[TextEdit]) -> String {
    let offset = |position: Position| {
        let start: usize =
            text.split_inclusive('\n').take(position.line as usize).map(str::len).sum();
        let line = text[start..].split('\n').next().unwrap_or_default();
        let mut units = 0;
        let len: usize = line
            .chars()
            .take_while(|ch| {
                units += ch.len_utf16();
                units <= position.character as usize
            })
            .map(char::len_utf8)
            .sum();
        start + len
    };
    let mut spans: Vec<(usize, usize, &str)> = edits
        .iter()
        .map(|edit| (offset(edit.range.start), offset(edit.range.end), &*edit.new_text))
        .collect();
    spans.sort_unstable();
    let mut result = text.to_owned();
    for (start, end, new) in spans.into_iter().rev() {
        result.replace_range(start..end, new);
    }
    result
}
