//! Debugs kernels of GEN vISA on the interpreter, by the [Debug Adapter Protocol].
//!
//! A [`Debugger`] looks at each instruction before it is executed, and answers the client while a thread is stopped. The
//! threads of the protocol are those of the group that runs. Lines are those of the source language if the program states
//! them and the file is found, and otherwise those of a listing of vISA.
//!
//! [Debug Adapter Protocol]: https://microsoft.github.io/debug-adapter-protocol/

mod client;
mod places;
mod view;

/// The example of the README is compiled.
#[cfg(doctest)]
#[doc = include_str!("../README.md")]
struct Readme;

use std::collections::BTreeMap;
use std::io::{BufRead, Write};

use genvisa_interp::{Counts, Fault, Group, Lane, Machine, Program};
use serde_json::{Value, json};

use client::{Client, Request};
use places::{Places, reference};
use view::View;

pub use places::FindSource;

/// A debugger of a program, for one client.
pub struct Debugger<'p> {
    client: Client,
    places: Places<'p>,
    /// The addresses of breakpoints, by the source that they were set in.
    breakpoints: BTreeMap<String, Vec<usize>>,
    /// When the program stops next, except at breakpoints.
    resume: Resume,
    /// Whether the client wants the program to run without stops.
    never_stops: bool,
    /// The fault that stopped the program.
    fault: Option<String>,
    is_over: bool,
}

/// When a program stops that goes on.
#[derive(Clone, Debug)]
enum Resume {
    /// At the next instruction, for this reason.
    Now(&'static str),
    /// At breakpoints.
    Never,
    /// After a step of a thread.
    Step(Step),
}

/// A step of a thread.
#[derive(Clone, Debug)]
struct Step {
    group: [u32; 3],
    thread: usize,
    /// The activation and the depth of subroutines.
    depth: (u32, u32),
    address: usize,
    kind: StepKind,
    /// Whether the step ends at the next instruction, and not at the next line.
    is_instruction: bool,
}

#[derive(Clone, Copy, Debug, PartialEq)]
enum StepKind {
    Over,
    In,
    Out,
}

impl<'p> Debugger<'p> {
    /// Answers a client until it has set breakpoints, so that the program can start. `find_source` returns the path of a file
    /// that the program names.
    pub fn start(
        program: &'p Program,
        find_source: FindSource,
        input: impl BufRead + Send + 'static,
        output: impl Write + 'static,
    ) -> Debugger<'p> {
        let mut debugger = Debugger {
            client: Client::new(input, output),
            places: Places::new(program, find_source),
            breakpoints: BTreeMap::new(),
            resume: Resume::Never,
            never_stops: false,
            fault: None,
            is_over: false,
        };
        let mut is_configured = false;
        while !is_configured && !debugger.is_over {
            let Some(request) = debugger.client.wait() else {
                debugger.is_over = true;
                break;
            };
            is_configured = request.command == "configurationDone";
            debugger.respond(&request, None);
        }
        debugger
    }

    /// Answers the client before an instruction, until it goes on. Returns whether the program ends here.
    pub fn before(&mut self, machine: &Machine<'_>, group: &Group, thread: usize) -> bool {
        let view = View { machine, group, thread };
        // The client may set breakpoints, or stop the program, while it runs.
        loop {
            match self.client.poll() {
                Ok(Some(request)) => {
                    self.respond(&request, None);
                }
                Ok(None) => break,
                Err(()) => self.is_over = true,
            }
            if self.is_over {
                return true;
            }
        }
        let Some((routine, instruction)) = view.next(thread) else { return self.is_over };
        let address = self.places.address(routine, instruction);
        if let Some(reason) = self.reason(&view, address) {
            self.stop(&view, reason, Value::Null);
        }
        self.is_over
    }

    /// Answers the client after a fault of a group has stopped the program.
    pub fn stopped(&mut self, machine: &Machine<'_>, group: &Group, fault: &Fault) {
        if self.never_stops {
            return;
        }
        let text = fault.to_string();
        let thread = fault.place.as_ref().map_or(0, |place| place.thread as usize);
        self.fault = Some(text.clone());
        self.stop(&View { machine, group, thread }, "exception", text.into());
    }

    /// Tells the client the result of the run, and answers it until it ends the session.
    pub fn finish(&mut self, result: &Result<Counts, Fault>) {
        let text = match result {
            Ok(Counts { instructions, lanes }) => {
                format!("{instructions} instructions, {lanes} lanes of instructions\n")
            }
            Err(fault) => format!("{fault}\n"),
        };
        self.client.event("output", json!({ "category": "console", "output": text }));
        self.client.event("exited", json!({ "exitCode": i32::from(result.is_err()) }));
        self.client.event("terminated", json!({}));
        while !self.is_over {
            match self.client.wait() {
                Some(request) => {
                    self.respond(&request, None);
                }
                None => break,
            }
        }
    }

    /// Returns why a thread stops before an instruction, if it does.
    fn reason(&self, view: &View<'_, '_>, address: usize) -> Option<&'static str> {
        if self.never_stops {
            return None;
        }
        if self.breakpoints.values().flatten().any(|breakpoint| *breakpoint == address) {
            return Some("breakpoint");
        }
        match &self.resume {
            Resume::Now(reason) => Some(reason),
            Resume::Never => None,
            Resume::Step(step) => {
                let is_thread = (view.group.id(), view.thread) == (step.group, step.thread);
                let depth = depth(view, view.thread);
                let is_deep_enough = match step.kind {
                    StepKind::In => true,
                    StepKind::Over => depth <= step.depth,
                    StepKind::Out => depth < step.depth,
                };
                let is_new = step.is_instruction
                    || depth != step.depth
                    || self.places.line(address).is_none()
                    || self.places.line(address) != self.places.line(step.address);
                // Another group runs after the last thread has ended.
                let is_after = view.group.id() != step.group;
                (is_after || is_thread && is_deep_enough && is_new).then_some("step")
            }
        }
    }

    /// Stops a program, and answers the client until it goes on.
    fn stop(&mut self, view: &View<'_, '_>, reason: &str, text: Value) {
        self.resume = Resume::Never;
        let mut body = json!({
            "reason": reason,
            "threadId": view.thread + 1,
            "allThreadsStopped": true,
        });
        if !text.is_null() {
            body["text"] = text;
        }
        self.client.event("stopped", body);
        while !self.is_over {
            let Some(request) = self.client.wait() else {
                self.is_over = true;
                break;
            };
            if self.respond(&request, Some(view)) {
                break;
            }
        }
    }

    /// Answers a request. Returns whether the program goes on.
    fn respond(&mut self, request: &Request, view: Option<&View<'_, '_>>) -> bool {
        let result = self.result(request, view);
        let is_done = result.is_ok();
        self.client.answer(request, result);
        match request.command.as_str() {
            "initialize" => self.client.event("initialized", json!({})),
            "continue" | "next" | "stepIn" | "stepOut" => return is_done && view.is_some(),
            _ => {}
        }
        false
    }

    fn result(&mut self, request: &Request, view: Option<&View<'_, '_>>) -> Result<Value, String> {
        let arguments = &request.arguments;
        let running = || "the program is not stopped".to_owned();
        let unknown = || "there is nothing of this reference".to_owned();
        let thread = |id: &Value| id.as_u64().map_or(0, |id| id.saturating_sub(1) as usize);
        Ok(match request.command.as_str() {
            "initialize" => json!({
                "supportsConfigurationDoneRequest": true,
                "supportsDisassembleRequest": true,
                "supportsEvaluateForHovers": true,
                "supportsExceptionInfoRequest": true,
                "supportsInstructionBreakpoints": true,
                "supportsReadMemoryRequest": true,
                "supportsSteppingGranularity": true,
                "supportsTerminateRequest": true,
            }),
            "launch" | "attach" => {
                self.never_stops = arguments["noDebug"] == true;
                if arguments["stopOnEntry"] == true {
                    self.resume = Resume::Now("entry");
                }
                Value::Null
            }
            "configurationDone" => Value::Null,
            "disconnect" | "terminate" => {
                self.is_over = true;
                Value::Null
            }
            "setBreakpoints" => self.set_breakpoints(arguments),
            "setInstructionBreakpoints" => self.set_instruction_breakpoints(arguments),
            "threads" => {
                let none = || json!([{ "id": 1, "name": "the program" }]);
                json!({ "threads": view.map_or_else(none, View::threads) })
            }
            "pause" => {
                self.resume = Resume::Now("pause");
                Value::Null
            }
            "continue" => {
                view.ok_or_else(running)?;
                json!({ "allThreadsContinued": true })
            }
            "next" | "stepIn" | "stepOut" => {
                let kind = match request.command.as_str() {
                    "next" => StepKind::Over,
                    "stepIn" => StepKind::In,
                    _ => StepKind::Out,
                };
                let view = view.ok_or_else(running)?;
                let thread = thread(&arguments["threadId"]);
                let (routine, instruction) = view.next(thread).ok_or_else(unknown)?;
                self.resume = Resume::Step(Step {
                    group: view.group.id(),
                    thread,
                    depth: depth(view, thread),
                    address: self.places.address(routine, instruction),
                    kind,
                    is_instruction: arguments["granularity"] == "instruction",
                });
                Value::Null
            }
            "stackTrace" => {
                let view = view.ok_or_else(running)?;
                let thread = thread(&arguments["threadId"]);
                // A thread has one frame.
                let is_first = arguments["startFrame"].as_u64().unwrap_or_default() == 0;
                let frame = self.frame(view, thread);
                let count = frame.iter().count();
                let frames: Vec<Value> = frame.into_iter().filter(|_| is_first).collect();
                json!({ "totalFrames": count, "stackFrames": frames })
            }
            "scopes" => {
                let view = view.ok_or_else(running)?;
                json!({ "scopes": view.scopes(thread(&arguments["frameId"])) })
            }
            "variables" => {
                let reference = arguments["variablesReference"].as_u64().unwrap_or_default();
                let variables = view.ok_or_else(running)?.variables(reference);
                json!({ "variables": variables.ok_or_else(unknown)? })
            }
            "evaluate" => {
                let view = view.ok_or_else(running)?;
                let name = arguments["expression"].as_str().unwrap_or_default().trim();
                let thread = match &arguments["frameId"] {
                    Value::Null => view.thread,
                    frame => thread(frame),
                };
                let value = view.evaluate(thread, name);
                value.ok_or_else(|| format!("there is no general variable `{name}`"))?
            }
            "readMemory" => {
                let view = view.ok_or_else(running)?;
                let (memory, offset) = (&arguments["memoryReference"], &arguments["offset"]);
                let address = self.places.parse(memory, offset).ok_or_else(unknown)?;
                let count = arguments["count"].as_u64().unwrap_or_default();
                view.memory(address as u64, usize::try_from(count).unwrap_or(usize::MAX))
            }
            "disassemble" => {
                let (memory, offset) = (&arguments["memoryReference"], &arguments["offset"]);
                let address = self.places.parse(memory, offset).ok_or_else(unknown)?;
                let skipped = arguments["instructionOffset"].as_i64().unwrap_or_default();
                let count = arguments["instructionCount"].as_i64().unwrap_or_default();
                let first = address.saturating_add(skipped);
                json!({ "instructions": self.places.disassembly(first, count) })
            }
            "source" => {
                // Older clients send the reference outside of the source.
                let listing = self.places.listing(&arguments["source"]);
                let listing = listing.or_else(|| self.places.listing(arguments));
                json!({ "content": listing.ok_or_else(unknown)? })
            }
            "exceptionInfo" => {
                let fault = self.fault.clone().ok_or_else(unknown)?;
                json!({ "exceptionId": "fault", "description": fault, "breakMode": "always" })
            }
            other => return Err(format!("`{other}` is not supported")),
        })
    }

    /// Returns the frame of a thread; `None` if it has ended.
    fn frame(&self, view: &View<'_, '_>, thread: usize) -> Option<Value> {
        let (routine, instruction) = view.next(thread)?;
        let address = self.places.address(routine, instruction);
        let code = &view.machine.program().routines()[routine];
        let mut frame = self.places.shown(address);
        frame["id"] = (thread + 1).into();
        frame["name"] = format!("{} ${instruction}", code.name()).into();
        frame["instructionPointerReference"] = reference(address as i64).into();
        Some(frame)
    }

    fn set_breakpoints(&mut self, arguments: &Value) -> Value {
        let source = &arguments["source"];
        let (mut all, mut answers) = (Vec::new(), Vec::new());
        for breakpoint in arguments["breakpoints"].as_array().into_iter().flatten() {
            let line = breakpoint["line"].as_u64().and_then(|line| u32::try_from(line).ok());
            let mut found = line.map_or_else(Vec::new, |line| self.places.of_line(source, line));
            if has_condition(breakpoint) {
                found.clear();
            }
            answers.push(answer(breakpoint, !found.is_empty()));
            all.extend(found);
        }
        let (path, listing) = (&source["path"], &source["sourceReference"]);
        self.breakpoints.insert(format!("{path} {listing}"), all);
        json!({ "breakpoints": answers })
    }

    fn set_instruction_breakpoints(&mut self, arguments: &Value) -> Value {
        let (mut all, mut answers) = (Vec::new(), Vec::new());
        for breakpoint in arguments["breakpoints"].as_array().into_iter().flatten() {
            let (memory, offset) = (&breakpoint["instructionReference"], &breakpoint["offset"]);
            let address = self.places.parse(memory, offset);
            let address = address.and_then(|address| usize::try_from(address).ok());
            let address = address.filter(|address| {
                !has_condition(breakpoint) && self.places.instruction(*address).is_some()
            });
            answers.push(answer(breakpoint, address.is_some()));
            all.extend(address);
        }
        self.breakpoints.insert("instructions".into(), all);
        json!({ "breakpoints": answers })
    }
}

/// Returns whether a breakpoint depends on what the debugger does not evaluate.
fn has_condition(breakpoint: &Value) -> bool {
    let members = ["condition", "hitCondition", "logMessage"];
    members.iter().any(|member| breakpoint[member].as_str().is_some_and(|text| !text.is_empty()))
}

/// Returns the answer about a breakpoint.
fn answer(breakpoint: &Value, is_set: bool) -> Value {
    let mut answer = json!({ "verified": is_set });
    if !is_set {
        answer["message"] = match has_condition(breakpoint) {
            true => "conditions and messages of breakpoints are not supported".into(),
            false => "there is no code here".into(),
        };
    }
    if breakpoint["line"].is_u64() {
        answer["line"] = breakpoint["line"].clone();
    }
    answer
}

/// Returns the activation and the depth of subroutines of a thread.
fn depth(view: &View<'_, '_>, thread: usize) -> (u32, u32) {
    let thread = &view.group.threads()[thread];
    let lane = thread.next().map_or(0, |(_, _, lanes)| lanes.trailing_zeros());
    match thread.lane(lane as usize) {
        Lane::At { activation, depth, .. } => (activation, depth),
        Lane::Ended => (0, 0),
    }
}
