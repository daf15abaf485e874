//! The base protocol: messages with their lengths, on streams of bytes.

use std::error::Error;
use std::io::{self, BufRead, Read};
use std::sync::mpsc;
use std::thread;

use lsp_server::{Connection, ErrorCode, Message};
use serde_json::{Value, json};

use crate::server::serve;

/// The length of the longest message that is read, in bytes.
const MAX_LEN: u64 = 1 << 28;

/// The length of the longest header, in bytes.
const MAX_HEADER_LEN: u64 = 1 << 12;

/// What a client has sent.
enum Received {
    Message(Message),
    /// The answer to what is not a message.
    Answer(Value),
}

/// Answers a client that sends messages to `input`, and writes the bytes for the client with `send`.
///
/// What is not a message is answered with an error of the protocol, and the next message is read.
///
/// # Errors
/// Those of [`serve`] and of `send`; the header of a message has no length.
pub fn serve_streams<E: Into<Box<dyn Error + Send + Sync>>>(
    mut input: impl BufRead + Send + 'static,
    mut send: impl FnMut(&[u8]) -> Result<(), E>,
) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (server, Connection { sender, receiver }) = Connection::memory();
    // `None` is the end: the thread that reads never ends if the client sends nothing.
    let (outgoing, messages) = mpsc::channel();
    let answers = outgoing.clone();
    let reader = thread::spawn(move || -> io::Result<()> {
        while let Some(received) = receive(&mut input)? {
            // Sending fails after the server has ended.
            let is_sent = match received {
                Received::Message(message) => sender.send(message).is_ok(),
                Received::Answer(answer) => answers.send(Some(framed(&answer.to_string()))).is_ok(),
            };
            if !is_sent {
                break;
            }
        }
        Ok(())
    });
    let served = thread::spawn(move || serve(&server));
    thread::spawn(move || {
        for message in receiver {
            let mut bytes = Vec::new();
            if message.write(&mut bytes).is_ok() {
                let _ = outgoing.send(Some(bytes));
            }
        }
        let _ = outgoing.send(None);
    });
    while let Ok(Some(bytes)) = messages.recv() {
        send(&bytes).map_err(Into::into)?;
    }
    match served.join() {
        Ok(result) => result?,
        Err(panic) => std::panic::resume_unwind(panic),
    }
    match reader.is_finished().then(|| reader.join()) {
        Some(Ok(result)) => Ok(result?),
        Some(Err(panic)) => std::panic::resume_unwind(panic),
        None => Ok(()),
    }
}

fn framed(content: &str) -> Vec<u8> {
    format!("Content-Length: {}\r\n\r\n{content}", content.len()).into_bytes()
}

/// Reads the next message. Returns `None` at the end of the stream.
fn receive(input: &mut impl BufRead) -> io::Result<Option<Received>> {
    let Some(len) = content_length(input)? else { return Ok(None) };
    if len > MAX_LEN {
        io::copy(&mut input.take(len), &mut io::sink())?;
        let message = format!("a message of {len} bytes is too long: the limit is {MAX_LEN} bytes");
        return Ok(Some(invalid(Value::Null, ErrorCode::InvalidRequest, &message)));
    }
    let mut content = Vec::new();
    if input.take(len).read_to_end(&mut content)? as u64 != len {
        return Ok(None);
    }
    Ok(Some(parsed(&content)))
}

/// Reads the header of a message, and returns the length of the message.
fn content_length(input: &mut impl BufRead) -> io::Result<Option<u64>> {
    let invalid = || io::Error::new(io::ErrorKind::InvalidData, "a message has no Content-Length");
    let mut header = input.take(MAX_HEADER_LEN);
    let mut len = None;
    loop {
        let mut line = Vec::new();
        if header.read_until(b'\n', &mut line)? == 0 {
            return if header.limit() > 0 { Ok(None) } else { Err(invalid()) };
        }
        let line = String::from_utf8_lossy(line.trim_ascii());
        if line.is_empty() {
            return len.map(Some).ok_or_else(invalid);
        }
        let (name, value) = line.split_once(':').ok_or_else(invalid)?;
        if name.eq_ignore_ascii_case("Content-Length") {
            len = Some(value.trim().parse().map_err(|_| invalid())?);
        }
    }
}

fn parsed(content: &[u8]) -> Received {
    let value: Value = match serde_json::from_slice(content) {
        Ok(value) => value,
        Err(error) => return invalid(Value::Null, ErrorCode::ParseError, &error.to_string()),
    };
    let id = value.get("id").filter(|id| id.is_string() || id.is_i64()).cloned();
    // `Message` also accepts arrays, and objects with an `id` only.
    let is_message = value.get("method").is_some_and(Value::is_string)
        || ["result", "error"].iter().any(|key| value.get(key).is_some());
    match is_message.then(|| serde_json::from_value(value)) {
        Some(Ok(message)) => Received::Message(message),
        _ => {
            let message = "expected a request, a notification or a response";
            invalid(id.unwrap_or_default(), ErrorCode::InvalidRequest, message)
        }
    }
}

fn invalid(id: Value, code: ErrorCode, message: &str) -> Received {
    let error = json!({"code": code as i32, "message": message});
    Received::Answer(json!({"jsonrpc": "2.0", "id": id, "error": error}))
}
