//! The base protocol: requests of the client, and the answers and events for it.

use std::io::{self, BufRead, Read, Write};
use std::sync::mpsc::{self, Receiver, TryRecvError};
use std::thread;

use serde_json::{Value, json};

/// The length of the longest message that is read, in bytes.
const MAX_LENGTH: u64 = 1 << 24;
/// The length of the longest line of a header, in bytes.
const MAX_HEADER: u64 = 1 << 12;

/// A request of the client.
#[derive(Debug)]
pub(crate) struct Request {
    seq: Value,
    pub command: String,
    pub arguments: Value,
}

/// The client.
pub(crate) struct Client {
    requests: Receiver<Request>,
    output: Box<dyn Write>,
    seq: u64,
}

impl Client {
    /// Reads requests on another thread, so that a program which runs can look for them.
    pub fn new(mut input: impl BufRead + Send + 'static, output: impl Write + 'static) -> Client {
        let (sender, requests) = mpsc::channel();
        thread::spawn(move || {
            // The end of the input is the end of the client.
            while let Ok(Some(message)) = receive(&mut input) {
                let is_request = message["type"] == "request";
                let Some(command) = message["command"].as_str().filter(|_| is_request) else {
                    continue;
                };
                let (seq, arguments) = (message["seq"].clone(), message["arguments"].clone());
                let request = Request { seq, command: command.into(), arguments };
                if sender.send(request).is_err() {
                    break;
                }
            }
        });
        Client { requests, output: Box::new(output), seq: 0 }
    }

    /// Waits for the next request; `None` if the client has gone.
    pub fn wait(&self) -> Option<Request> {
        self.requests.recv().ok()
    }

    /// Returns the next request if there is one.
    ///
    /// # Errors
    /// The client has gone.
    pub fn poll(&self) -> Result<Option<Request>, ()> {
        match self.requests.try_recv() {
            Ok(request) => Ok(Some(request)),
            Err(TryRecvError::Empty) => Ok(None),
            Err(TryRecvError::Disconnected) => Err(()),
        }
    }

    /// Answers a request: with an error if `result` is one.
    pub fn answer(&mut self, request: &Request, result: Result<Value, String>) {
        let mut message = json!({
            "type": "response",
            "request_seq": request.seq,
            "command": request.command,
            "success": result.is_ok(),
        });
        match result {
            Ok(body) => message["body"] = body,
            Err(error) => message["message"] = error.into(),
        }
        self.send(message);
    }

    /// Tells the client of an event.
    pub fn event(&mut self, event: &str, body: Value) {
        self.send(json!({ "type": "event", "event": event, "body": body }));
    }

    fn send(&mut self, mut message: Value) {
        self.seq += 1;
        message["seq"] = self.seq.into();
        let message = message.to_string();
        // If it cannot be sent, the client has gone, and the next request is the end.
        let _ = write!(self.output, "Content-Length: {}\r\n\r\n{message}", message.len());
        let _ = self.output.flush();
    }
}

/// Reads a message; `None` at the end of the input.
fn receive(input: &mut impl BufRead) -> io::Result<Option<Value>> {
    let malformed = || io::Error::from(io::ErrorKind::InvalidData);
    let mut length: Option<u64> = None;
    loop {
        let mut line = String::new();
        if input.by_ref().take(MAX_HEADER).read_line(&mut line)? == 0 {
            return Ok(None);
        }
        let line = line.trim();
        if line.is_empty() {
            break;
        }
        if let Some((name, value)) = line.split_once(':') {
            if name.eq_ignore_ascii_case("content-length") {
                length = value.trim().parse().ok();
            }
        }
    }
    let length = length.filter(|length| *length <= MAX_LENGTH).ok_or_else(malformed)?;
    let mut message = vec![0; length as usize];
    input.read_exact(&mut message)?;
    // What is no JSON is no request.
    Ok(Some(serde_json::from_slice(&message).unwrap_or_default()))
}
