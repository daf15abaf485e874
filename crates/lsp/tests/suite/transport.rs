//! The base protocol on streams of bytes.

use std::convert::Infallible;
use std::io::Cursor;

use genvisa_lsp::serve_streams;
use proptest::prelude::*;
use serde_json::{Value, json};

/// Returns a message with its header.
fn framed(content: &[u8]) -> Vec<u8> {
    [format!("Content-Length: {}\r\n\r\n", content.len()).as_bytes(), content].concat()
}

/// Returns the answers to a stream of bytes, and the error of the server.
fn serve(input: Vec<u8>) -> (Vec<Value>, Option<String>) {
    let mut output = Vec::new();
    let send = |bytes: &[u8]| {
        output.extend_from_slice(bytes);
        Ok::<(), Infallible>(())
    };
    let error = serve_streams(Cursor::new(input), send).err().map(|error| error.to_string());
    let text = String::from_utf8(output).expect("UTF-8");
    let (mut answers, mut rest) = (Vec::new(), &*text);
    while let Some((header, after)) = rest.split_once("\r\n\r\n") {
        let len =
            header.strip_prefix("Content-Length: ").expect("a length").parse().expect("a number");
        answers.push(serde_json::from_str(&after[..len]).expect("JSON"));
        rest = &after[len..];
    }
    (answers, error)
}

fn request(id: i32, method: &str) -> Vec<u8> {
    framed(
        json!({"jsonrpc": "2.0", "id": id, "method": method, "params": {"capabilities": {}}})
            .to_string()
            .as_bytes(),
    )
}

fn exit() -> Vec<u8> {
    framed(br#"{"jsonrpc": "2.0", "method": "exit"}"#)
}

/// Returns the code of the error that answers a content, and the id of the answer.
fn error_of(content: &[u8]) -> (i64, Value) {
    let input =
        [request(1, "initialize"), framed(content), request(2, "shutdown"), exit()].concat();
    let (answers, error) = serve(input);
    assert_eq!(error, None);
    assert_eq!(answers.len(), 3, "{}", String::from_utf8_lossy(content));
    let answer = answers.iter().find(|answer| answer.get("error").is_some()).expect("an error");
    (answer["error"]["code"].as_i64().expect("a code"), answer["id"].clone())
}

const PARSE_ERROR: i64 = -32700;
const INVALID_REQUEST: i64 = -32600;

#[test]
fn what_is_not_a_message_is_answered_with_an_error() {
    for content in ["{\"a\"", "", "{\"method\": \"\\ud800\"}", &"[".repeat(100_000)] {
        assert_eq!(error_of(content.as_bytes()), (PARSE_ERROR, Value::Null), "{content:.20}");
    }
    assert_eq!(error_of(b"{\"a\": \"\xff\"}"), (PARSE_ERROR, Value::Null));
    for content in ["[]", "[{\"id\": 3, \"method\": \"shutdown\"}]", "null", "7", "{}"] {
        assert_eq!(error_of(content.as_bytes()), (INVALID_REQUEST, Value::Null), "{content}");
    }
    assert_eq!(error_of(br#"{"id": 7, "method": 8}"#), (INVALID_REQUEST, json!(7)));
}

#[test]
fn a_message_with_gigabytes_is_refused() {
    let (answers, _) = serve(b"Content-Length: 6000000000\r\n\r\n{}".to_vec());
    assert_eq!(answers[0]["error"]["code"], INVALID_REQUEST);
    let message = answers[0]["error"]["message"].as_str().expect("a message");
    assert!(message.contains("6000000000"), "{message}");
}

#[test]
fn a_header_without_a_length_ends_the_server_with_an_error() {
    for header in
        ["Content-Type: x\r\n\r\n", "Content-Length: -1\r\n\r\n", "{}\r\n\r\n", &"x".repeat(10_000)]
    {
        let input =
            [request(1, "initialize"), header.into(), request(2, "shutdown"), exit()].concat();
        assert_eq!(
            serve(input).1.as_deref(),
            Some("a message has no Content-Length"),
            "{header:.20}"
        );
    }
}

#[test]
fn the_end_follows_the_protocol() {
    let (_, error) = serve([request(1, "initialize"), exit()].concat());
    assert!(error.is_some_and(|error| error.contains("without a request to shut down")));
    let late = request(3, "textDocument/hover");
    let (answers, error) =
        serve([request(1, "initialize"), request(2, "shutdown"), late, exit()].concat());
    assert_eq!(
        (answers[2]["id"].clone(), answers[2]["error"]["code"].clone()),
        (json!(3), json!(INVALID_REQUEST))
    );
    assert_eq!(error, None);
}

proptest! {
    #[test]
    fn the_server_survives_any_content(content in prop::collection::vec(any::<u8>(), 0..40)) {
        // Text in brackets is often nearly JSON.
        for content in [content.clone(), [b"{\"id\":", &content[..], b"}"].concat()] {
            let input = [request(1, "initialize"), framed(&content), request(2, "shutdown"), exit()].concat();
            let (answers, error) = serve(input);
            prop_assert_eq!(error, None);
            let last = answers.iter().filter(|answer| answer["id"] == json!(2) && answer.get("result").is_some());
            prop_assert_eq!(last.count(), 1);
        }
    }

    #[test]
    fn any_bytes_are_answered_without_a_panic(bytes in prop::collection::vec(any::<u8>(), 0..80)) {
        serve([request(1, "initialize"), bytes].concat());
    }
}
