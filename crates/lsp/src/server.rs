//! The server: its loop, its documents and the dispatch of messages.

use std::collections::{BTreeMap, HashSet, VecDeque};
use std::error::Error;
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message, Notification, Request, RequestId, Response};
use lsp_types::notification::{self, Notification as _};
use lsp_types::request::{self, Request as _};
use lsp_types::{
    CodeActionProviderCapability, CompletionOptions, DidChangeConfigurationParams,
    DidChangeTextDocumentParams, DidCloseTextDocumentParams, DidOpenTextDocumentParams,
    GotoDefinitionResponse, InitializeParams, InitializeResult, Location, MessageType,
    NumberOrString, OneOf, PublishDiagnosticsParams, RenameOptions, SemanticTokens,
    SemanticTokensFullOptions, SemanticTokensOptions, ServerCapabilities, ServerInfo,
    ShowMessageParams, SignatureHelpOptions, TextDocumentSyncCapability, TextDocumentSyncKind, Uri,
    WorkspaceEdit,
};
use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::document::Document;
use crate::features::{
    Context, completion, diagnostics, fixes, folding, formatting, hover, inlay_hints, names,
    rename, semantic_tokens, signature, symbols,
};
use crate::languages::Language;
use crate::position::Encoding;
use crate::settings::Settings;

/// How long after an edit diagnostics are published, if no other message arrives.
const DELAY: Duration = Duration::from_millis(10);

/// Answers a client until it closes the connection.
///
/// # Errors
/// The client ends the server without a request to shut down, does not follow the protocol at the start,
/// or the connection failed.
pub fn serve(connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
    let (id, params) = connection.initialize_start()?;
    let params: InitializeParams = serde_json::from_value(params)?;
    let mut server = Server::new(&params);
    let result = InitializeResult {
        capabilities: server.capabilities(),
        server_info: Some(ServerInfo {
            name: "genvisa".into(),
            version: Some(env!("CARGO_PKG_VERSION").into()),
        }),
    };
    connection.sender.send(Response::new_ok(id, result).into())?;
    server.run(connection)
}

/// The state of a server.
pub struct Server {
    documents: BTreeMap<String, Document>,
    settings: Settings,
    encoding: Encoding,
    /// The documents whose diagnostics are outdated.
    outdated: BTreeMap<String, Uri>,
    /// When they are published.
    deadline: Option<Instant>,
    /// Messages for the client that no request asked for.
    outgoing: Vec<Notification>,
}

impl Server {
    /// Returns a server for a client.
    pub fn new(params: &InitializeParams) -> Server {
        let general = params.capabilities.general.as_ref();
        let encodings = general.and_then(|general| general.position_encodings.as_deref());
        let mut server = Server {
            documents: BTreeMap::new(),
            settings: Settings::default(),
            encoding: Encoding::choose(encodings),
            outdated: BTreeMap::new(),
            deadline: None,
            outgoing: Vec::new(),
        };
        if let Some(options) = &params.initialization_options {
            server.configure(options);
        }
        server
    }

    /// Returns what the server can do.
    pub fn capabilities(&self) -> ServerCapabilities {
        ServerCapabilities {
            position_encoding: Some(self.encoding.kind()),
            text_document_sync: Some(TextDocumentSyncCapability::Kind(
                TextDocumentSyncKind::INCREMENTAL,
            )),
            hover_provider: Some(true.into()),
            completion_provider: Some(CompletionOptions {
                trigger_characters: Some([".", ":", "(", "<", "=", " "].map(String::from).into()),
                ..CompletionOptions::default()
            }),
            signature_help_provider: Some(SignatureHelpOptions {
                trigger_characters: Some([" ", "(", "."].map(String::from).into()),
                ..SignatureHelpOptions::default()
            }),
            definition_provider: Some(OneOf::Left(true)),
            references_provider: Some(OneOf::Left(true)),
            document_highlight_provider: Some(OneOf::Left(true)),
            document_symbol_provider: Some(OneOf::Left(true)),
            code_action_provider: Some(CodeActionProviderCapability::Simple(true)),
            document_formatting_provider: Some(OneOf::Left(true)),
            rename_provider: Some(OneOf::Right(RenameOptions {
                prepare_provider: Some(true),
                work_done_progress_options: Default::default(),
            })),
            folding_range_provider: Some(true.into()),
            semantic_tokens_provider: Some(
                SemanticTokensOptions {
                    legend: semantic_tokens::legend(),
                    range: Some(true),
                    full: Some(SemanticTokensFullOptions::Bool(true)),
                    ..SemanticTokensOptions::default()
                }
                .into(),
            ),
            inlay_hint_provider: Some(OneOf::Left(true)),
            ..ServerCapabilities::default()
        }
    }

    fn run(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        let mut queue = VecDeque::new();
        let mut is_shut_down = false;
        loop {
            if queue.is_empty() {
                let wait = self.deadline.map(|at| at.saturating_duration_since(Instant::now()));
                let received = match wait {
                    None => connection.receiver.recv().ok(),
                    Some(wait) => match connection.receiver.recv_timeout(wait) {
                        Ok(message) => Some(message),
                        Err(error) if error.is_timeout() => {
                            self.publish(connection)?;
                            continue;
                        }
                        Err(_) => None,
                    },
                };
                let Some(message) = received else { return Ok(()) };
                queue.push_back(message);
            }
            // Later messages may cancel requests that have not been answered.
            queue.extend(connection.receiver.try_iter());
            let canceled: HashSet<RequestId> = queue.iter().filter_map(canceled).collect();
            let Some(message) = queue.pop_front() else { continue };
            match message {
                Message::Request(request) => {
                    if canceled.contains(&request.id) {
                        let code = ErrorCode::RequestCanceled as i32;
                        let response = Response::new_err(request.id, code, "canceled".into());
                        connection.sender.send(response.into())?;
                        continue;
                    }
                    let response = match &*request.method {
                        _ if is_shut_down => {
                            let code = ErrorCode::InvalidRequest as i32;
                            Response::new_err(request.id, code, "the server is shut down".into())
                        }
                        request::Shutdown::METHOD => {
                            is_shut_down = true;
                            // The client may be gone before it has read diagnostics.
                            self.deadline = None;
                            Response::new_ok(request.id, ())
                        }
                        _ => self.answer(request),
                    };
                    connection.sender.send(response.into())?;
                }
                Message::Notification(notification) => {
                    if notification.method == notification::Exit::METHOD {
                        let message = "the client ended the server without a request to shut down";
                        return if is_shut_down { Ok(()) } else { Err(message.into()) };
                    }
                    if !is_shut_down {
                        self.notify(notification);
                    }
                }
                Message::Response(_) => {}
            }
            for message in self.outgoing.drain(..) {
                connection.sender.send(message.into())?;
            }
            if self.deadline.is_some_and(|at| at <= Instant::now()) && queue.is_empty() {
                self.publish(connection)?;
            }
        }
    }

    /// Publishes the diagnostics that are outdated.
    fn publish(&mut self, connection: &Connection) -> Result<(), Box<dyn Error + Send + Sync>> {
        self.deadline = None;
        for (key, uri) in std::mem::take(&mut self.outdated) {
            let document = self.documents.get(&key);
            let version = document.map(|document| document.version);
            let diagnostics = self.context(&key).map(diagnostics::diagnostics).unwrap_or_default();
            let params = PublishDiagnosticsParams { uri, diagnostics, version };
            let method = notification::PublishDiagnostics::METHOD.to_owned();
            connection.sender.send(Notification::new(method, params).into())?;
        }
        Ok(())
    }

    fn context(&self, uri: &str) -> Option<Context<'_>> {
        let document = self.documents.get(uri)?;
        Some(Context { document, settings: &self.settings })
    }

    fn configure(&mut self, value: &Value) {
        let (settings, problems) = Settings::read(value);
        self.settings = settings;
        for problem in problems {
            let message = format!("genvisa settings: {problem}");
            let params = ShowMessageParams { typ: MessageType::WARNING, message };
            let method = notification::ShowMessage::METHOD.to_owned();
            self.outgoing.push(Notification::new(method, params));
        }
    }

    fn invalidate(&mut self, uri: Uri) {
        self.outdated.insert(uri.as_str().to_owned(), uri);
        self.deadline = Some(Instant::now() + DELAY);
    }

    /// Handles a notification. Notifications that cannot be read are ignored, as the protocol requires.
    pub fn notify(&mut self, notification: Notification) {
        match &*notification.method {
            notification::DidOpenTextDocument::METHOD => {
                let Some(DidOpenTextDocumentParams { text_document: it }) =
                    read(notification.params)
                else {
                    return;
                };
                let language = Language::of(&it.language_id, it.uri.as_str());
                let document = Document::new(it.version, language, it.text, self.encoding);
                self.documents.insert(it.uri.as_str().to_owned(), document);
                self.invalidate(it.uri);
            }
            notification::DidChangeTextDocument::METHOD => {
                let Some(params) = read::<DidChangeTextDocumentParams>(notification.params) else {
                    return;
                };
                let id = params.text_document;
                let Some(document) = self.documents.get_mut(id.uri.as_str()) else { return };
                document.version = id.version;
                document.edit(params.content_changes);
                self.invalidate(id.uri);
            }
            notification::DidCloseTextDocument::METHOD => {
                let Some(params) = read::<DidCloseTextDocumentParams>(notification.params) else {
                    return;
                };
                self.documents.remove(params.text_document.uri.as_str());
                self.invalidate(params.text_document.uri);
            }
            notification::DidChangeConfiguration::METHOD => {
                let Some(params) = read::<DidChangeConfigurationParams>(notification.params) else {
                    return;
                };
                self.configure(&params.settings);
                for (key, document) in &mut self.documents {
                    document.forget();
                    if let Ok(uri) = key.parse() {
                        self.outdated.insert(key.clone(), uri);
                    }
                }
                self.deadline = Some(Instant::now());
            }
            _ => {}
        }
    }

    /// Answers a request.
    pub fn answer(&self, request: Request) -> Response {
        let Request { id, method, params } = request;
        let result = self.result(&method, params);
        match result {
            Ok(value) => Response { id, result: Some(value), error: None },
            Err((code, message)) => Response::new_err(id, code as i32, message),
        }
    }

    fn result(&self, method: &str, params: Value) -> Answer {
        match method {
            request::HoverRequest::METHOD => {
                type Params = lsp_types::HoverParams;
                let uri = |it: &Params| it.text_document_position_params.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    Ok(hover::hover(context, it.text_document_position_params.position))
                })
            }
            request::Completion::METHOD => {
                type Params = lsp_types::CompletionParams;
                let uri = |it: &Params| it.text_document_position.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    Ok(completion::complete(context, it.text_document_position.position))
                })
            }
            request::SignatureHelpRequest::METHOD => {
                type Params = lsp_types::SignatureHelpParams;
                let uri = |it: &Params| it.text_document_position_params.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    let position = it.text_document_position_params.position;
                    Ok(signature::signature_help(context, position))
                })
            }
            request::GotoDefinition::METHOD => {
                type Params = lsp_types::GotoDefinitionParams;
                let uri = |it: &Params| it.text_document_position_params.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    let it = it.text_document_position_params;
                    let range = names::definition(context, it.position);
                    let uri = it.text_document.uri;
                    Ok(range.map(|range| GotoDefinitionResponse::Scalar(Location { uri, range })))
                })
            }
            request::References::METHOD => {
                type Params = lsp_types::ReferenceParams;
                let uri = |it: &Params| it.text_document_position.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    let at = it.text_document_position;
                    let includes = it.context.include_declaration;
                    let ranges = names::references(context, at.position, includes);
                    let location = |range| Location { uri: at.text_document.uri.clone(), range };
                    Ok(ranges.map(|ranges| ranges.into_iter().map(location).collect::<Vec<_>>()))
                })
            }
            request::DocumentHighlightRequest::METHOD => {
                type Params = lsp_types::DocumentHighlightParams;
                let uri = |it: &Params| it.text_document_position_params.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    Ok(names::highlights(context, it.text_document_position_params.position))
                })
            }
            request::PrepareRenameRequest::METHOD => {
                type Params = lsp_types::TextDocumentPositionParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| rename::prepare(context, it.position))
            }
            request::Rename::METHOD => {
                type Params = lsp_types::RenameParams;
                let uri = |it: &Params| it.text_document_position.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    let at = it.text_document_position;
                    let edits = rename::rename(context, at.position, &it.new_name)?;
                    // `Uri` caches its parts, but its hash depends on the text only.
                    #[allow(clippy::mutable_key_type)]
                    let changes = std::collections::HashMap::from([(at.text_document.uri, edits)]);
                    Ok(WorkspaceEdit { changes: Some(changes), ..WorkspaceEdit::default() })
                })
            }
            request::DocumentSymbolRequest::METHOD => {
                type Params = lsp_types::DocumentSymbolParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, _: Params| Ok(symbols::symbols(context)))
            }
            request::FoldingRangeRequest::METHOD => {
                type Params = lsp_types::FoldingRangeParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, _: Params| Ok(folding::folding_ranges(context)))
            }
            request::Formatting::METHOD => {
                type Params = lsp_types::DocumentFormattingParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, _: Params| formatting::format(context))
            }
            request::CodeActionRequest::METHOD => {
                type Params = lsp_types::CodeActionParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    Ok(fixes::fixes(context, &it.text_document.uri, it.range))
                })
            }
            request::SemanticTokensFullRequest::METHOD => {
                type Params = lsp_types::SemanticTokensParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, _: Params| {
                    let data = semantic_tokens::tokens(context, None);
                    Ok(SemanticTokens { result_id: None, data })
                })
            }
            request::SemanticTokensRangeRequest::METHOD => {
                type Params = lsp_types::SemanticTokensRangeParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    let data = semantic_tokens::tokens(context, Some(it.range));
                    Ok(SemanticTokens { result_id: None, data })
                })
            }
            request::InlayHintRequest::METHOD => {
                type Params = lsp_types::InlayHintParams;
                let uri = |it: &Params| it.text_document.uri.clone();
                self.with(params, uri, |context, it: Params| {
                    Ok(inlay_hints::hints(context, it.range))
                })
            }
            _ => Err((ErrorCode::MethodNotFound, format!("unknown method `{method}`"))),
        }
    }

    /// Reads the parameters of a request, and answers it for its document.
    fn with<P: DeserializeOwned, R: Serialize>(
        &self,
        params: Value,
        uri: impl Fn(&P) -> Uri,
        answer: impl FnOnce(Context<'_>, P) -> Result<R, String>,
    ) -> Answer {
        let params: P = serde_json::from_value(params)
            .map_err(|error| (ErrorCode::InvalidParams, error.to_string()))?;
        let uri = uri(&params);
        let context = self.context(uri.as_str());
        let missing = || (ErrorCode::InvalidParams, format!("`{}` is not open", uri.as_str()));
        let result = answer(context.ok_or_else(missing)?, params);
        let value = result.map_err(|message| (ErrorCode::RequestFailed, message))?;
        serde_json::to_value(value).map_err(|error| (ErrorCode::InternalError, error.to_string()))
    }
}

/// The result of a request.
type Answer = Result<Value, (ErrorCode, String)>;

fn read<P: DeserializeOwned>(params: Value) -> Option<P> {
    serde_json::from_value(params).ok()
}

/// Returns the request that a message cancels.
fn canceled(message: &Message) -> Option<RequestId> {
    let Message::Notification(notification) = message else { return None };
    if notification.method != notification::Cancel::METHOD {
        return None;
    }
    let params: lsp_types::CancelParams = read(notification.params.clone())?;
    Some(match params.id {
        NumberOrString::Number(id) => id.into(),
        NumberOrString::String(id) => id.into(),
    })
}
