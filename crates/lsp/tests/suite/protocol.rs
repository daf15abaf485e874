//! The protocol: order, cancellation and damaged messages.

use genvisa_test_support::random::runner;
use lsp_server::{ErrorCode, Message, Notification, Request, RequestId, Response};
use proptest::collection::vec;
use proptest::prelude::*;
use serde_json::{Value, json};

use crate::client::{Client, TEXT, uri};

#[test]
fn an_unknown_request_and_a_closed_document_are_errors() {
    let mut client = Client::new(json!({}));
    client.raw("textDocument/unknown", json!({})).expect_err("an error");
    let params =
        json!({"textDocument": {"uri": uri("a")}, "position": {"line": 0, "character": 0}});
    let error = client.raw("textDocument/hover", params).expect_err("an error");
    assert!(error.contains("is not open"), "{error}");
    client.raw("textDocument/hover", json!([1, 2])).expect_err("an error");
}

#[test]
fn a_canceled_request_is_answered() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", TEXT);
    let params = json!({"textDocument": {"uri": uri("a")}});
    // The server is busy with the first request when the last arrives, or answers all in order.
    let ids: Vec<RequestId> =
        (0..50).map(|_| client.post("textDocument/semanticTokens/full", params.clone())).collect();
    for id in 2..=51 {
        client.notify("$/cancelRequest", json!({"id": id}));
    }
    let responses: Vec<Response> = ids.iter().map(|id| client.response(id)).collect();
    let canceled = ErrorCode::RequestCanceled as i32;
    for response in responses {
        assert!(response.error.is_none_or(|error| error.code == canceled));
    }
}

#[test]
fn a_closed_document_has_no_diagnostics() {
    let mut client = Client::new(json!({}));
    client.open("a", "visaasm", "text");
    client.notify("textDocument/didClose", json!({"textDocument": {"uri": uri("a")}}));
    loop {
        if let Message::Notification(it) = client.receive() {
            assert_eq!(it.params["diagnostics"], json!([]));
            break;
        }
    }
}

#[test]
fn columns_are_bytes_if_the_client_prefers_them() {
    let capabilities = json!({"general": {"positionEncodings": ["utf-8", "utf-16"]}});
    let mut client = Client::with_capabilities(json!({}), capabilities);
    assert_eq!(client.capabilities["positionEncoding"], json!("utf-8"));
    let found = client.open("a", "visaasm", &TEXT.replace("/* 𝒳 */ mov", "/* 𝒳 */ movv"));
    let error = found.iter().find(|it| it.message.contains("movv")).expect("an error");
    assert_eq!(error.range.start.character, "    /* 𝒳 */ ".len() as u32);
}

const METHODS: [&str; 12] = [
    "textDocument/hover",
    "textDocument/completion",
    "textDocument/rename",
    "textDocument/formatting",
    "textDocument/references",
    "textDocument/semanticTokens/range",
    "textDocument/didOpen",
    "textDocument/didChange",
    "textDocument/didClose",
    "workspace/didChangeConfiguration",
    "$/cancelRequest",
    "initialize",
];

/// Parameters of any shape.
fn params() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<i64>().prop_map(Value::from),
        ".{0,8}".prop_map(Value::from),
        Just(json!({"uri": uri("a"), "version": 7, "languageId": "visaasm", "text": TEXT})),
        Just(json!({"line": 4, "character": 6})),
        Just(json!([{"range": {"start": {"line": 9, "character": 5},
            "end": {"line": 1, "character": 5}}, "text": "𝒳"}])),
    ];
    let key = prop_oneof![
        Just("textDocument"),
        Just("position"),
        Just("contentChanges"),
        Just("settings"),
        Just("newName"),
        Just("range"),
        Just("options"),
        Just("context"),
        Just("id"),
    ];
    vec((key, leaf), 0..6).prop_map(|entries| {
        Value::Object(entries.into_iter().map(|(key, value)| (key.to_owned(), value)).collect())
    })
}

/// The server answers every request once, whatever the messages contain, and runs on.
#[test]
fn damaged_messages_are_survived() {
    let strategy = vec((0..METHODS.len(), params(), any::<bool>()), 1..20);
    let run = runner(64, 3).run(&strategy, |messages| {
        let mut client = Client::new(json!({}));
        client.open("a", "visaasm", TEXT);
        let mut expected = Vec::new();
        for (index, (method, params, is_request)) in messages.into_iter().enumerate() {
            let method = METHODS[method].to_owned();
            if is_request {
                let id = RequestId::from(1000 + index as i32);
                client.send(Request::new(id.clone(), method, params).into());
                expected.push(id);
            } else {
                client.send(Notification::new(method, params).into());
            }
        }
        client.send(Response::new_ok(RequestId::from(5), Value::Null).into());
        let last = client.post("textDocument/hover", Value::Null);
        let mut answered = Vec::new();
        loop {
            if let Message::Response(response) = client.receive() {
                if response.id == last {
                    break;
                }
                answered.push(response.id);
            }
        }
        prop_assert_eq!(answered, expected);
        Ok(())
    });
    run.unwrap_or_else(|error| panic!("{error}"));
}
