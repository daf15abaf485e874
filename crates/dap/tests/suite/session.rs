//! Sessions of a client with the debugger.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::{Path, PathBuf};
use std::thread;

use genvisa::RegisterSize;
use genvisa::isa::IdClass;
use genvisa::operand::VarId;
use genvisa::text::{self, ParseOptions};
use genvisa_dap::Debugger;
use genvisa_interp::{Device, Machine, Program, ThreadStart};
use serde_json::{Value, json};

/// The number of each line is that of its LOC.
const KERNEL: &str = "\
.version 4.2
.kernel \"k\"
.decl x v_type=G type=d num_elts=16 align=GRF
.decl p v_type=G type=uq num_elts=1 align=GRF
.decl q v_type=G type=uq num_elts=1 align=GRF
FILE \"k.cl\"
LOC 1
    mov (M1, 16) x(0,0)<1> 0x1:d
LOC 2
    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x2:d
    mul (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x2:d
LOC 3
    call (M1, 16) S
LOC 4
    lsc_store.ugm (M1, 1) flat[p]:a64 x:d32
    ret (M1, 1)
S:
LOC 10
    add (M1, 16) x(0,0)<1> x(0,0)<1;1,0> 0x8:d
LOC 11
    ret (M1, 16)
";

/// A client of a debugger that runs on another thread.
struct Client {
    input: BufReader<TcpStream>,
    output: TcpStream,
    seq: u64,
    /// Events that were not awaited yet.
    events: Vec<Value>,
}

impl Client {
    /// Starts a kernel with one thread, whose sources are found in a folder.
    fn new(kernel: &'static str, folder: PathBuf) -> (Client, thread::JoinHandle<bool>) {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let output =
            TcpStream::connect(listener.local_addr().expect("an address")).expect("a connection");
        let (server, _) = listener.accept().expect("a connection");
        let debuggee = thread::spawn(move || {
            let module = text::parse(kernel, ParseOptions::new()).expect("a module");
            let device = Device { registers: RegisterSize::Bytes64 };
            let program = Program::new([&module], device).expect("a program");
            let mut machine = Machine::new(&program);
            let buffer = machine.memory().allocate("buffer", vec![7; 16]);
            let input = BufReader::new(server.try_clone().expect("a stream"));
            let find = move |file: &str| Some(folder.join(file));
            let mut debugger = Debugger::start(&program, Box::new(find), input, server);
            let id = program.routines()[0].body().find(IdClass::Variable, "q").expect("q");
            let variables = vec![(VarId(id.number), buffer.to_le_bytes().to_vec())];
            let start = ThreadStart { mask: 0xffff, variables, ..ThreadStart::default() };
            let mut group = machine.group("k", [0; 3], 0, 0, [start]).expect("a group");
            let mut is_ended = false;
            let result = machine.run_until(&mut group, |group, thread| {
                is_ended = debugger.before(&machine, group, thread);
                is_ended
            });
            if let Err(fault) = &result {
                debugger.stopped(&machine, &group, fault);
            }
            if !is_ended {
                debugger.finish(&result.map(|_| group.counts()));
            }
            is_ended
        });
        let input = BufReader::new(output.try_clone().expect("a stream"));
        (Client { input, output, seq: 0, events: Vec::new() }, debuggee)
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            self.input.read_line(&mut line).expect("a header");
            assert_ne!(line, "", "the debugger has gone");
            if let Some(value) = line.strip_prefix("Content-Length: ") {
                length = value.trim().parse().expect("a length");
            } else if line.trim().is_empty() {
                break;
            }
        }
        let mut bytes = vec![0; length];
        self.input.read_exact(&mut bytes).expect("a message");
        serde_json::from_slice(&bytes).expect("JSON")
    }

    fn send(&mut self, command: &str, arguments: Value) {
        self.seq += 1;
        let request = json!({ "seq": self.seq, "type": "request", "command": command, "arguments": arguments });
        let text = request.to_string();
        write!(self.output, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("a client");
    }

    /// Returns the body of the answer to a request.
    fn ask(&mut self, command: &str, arguments: Value) -> Result<Value, String> {
        self.send(command, arguments);
        loop {
            let message = self.receive();
            if message["type"] == "event" {
                self.events.push(message);
                continue;
            }
            assert_eq!(
                (&message["request_seq"], &message["command"]),
                (&self.seq.into(), &command.into())
            );
            return match message["success"] == true {
                true => Ok(message["body"].clone()),
                false => Err(message["message"].as_str().expect("a message").into()),
            };
        }
    }

    /// Returns the body of the next event of a name.
    fn event(&mut self, name: &str) -> Value {
        loop {
            if let Some(at) = self.events.iter().position(|event| event["event"] == name) {
                return self.events.remove(at)["body"].take();
            }
            let message = self.receive();
            assert_eq!(message["type"], "event", "{message}");
            self.events.push(message);
        }
    }

    /// Returns the reason of the next stop.
    fn stop(&mut self) -> String {
        self.event("stopped")["reason"].as_str().expect("a reason").into()
    }

    /// Returns where the thread is: the name of the source, and the line.
    fn place(&mut self) -> (String, u64) {
        let stack = self.ask("stackTrace", json!({ "threadId": 1 })).expect("a stack");
        let frame = &stack["stackFrames"][0];
        let name = frame["source"]["name"].as_str().expect("a name").into();
        (name, frame["line"].as_u64().expect("a line"))
    }

    fn value(&mut self, name: &str) -> String {
        let value = self.ask("evaluate", json!({ "expression": name, "frameId": 1 }));
        value.expect("a value")["result"].as_str().expect("a text").into()
    }

    fn start(&mut self, folder: &Path, lines: &[u32], stops_on_entry: bool) {
        let capabilities =
            self.ask("initialize", json!({ "adapterID": "genvisa" })).expect("an answer");
        assert_eq!(capabilities["supportsDisassembleRequest"], true);
        self.event("initialized");
        self.ask("launch", json!({ "stopOnEntry": stops_on_entry })).expect("an answer");
        let source = json!({ "path": folder.join("k.cl") });
        let breakpoints: Vec<Value> = lines.iter().map(|line| json!({ "line": line })).collect();
        let set =
            self.ask("setBreakpoints", json!({ "source": source, "breakpoints": breakpoints }));
        for (line, breakpoint) in
            lines.iter().zip(set.expect("an answer")["breakpoints"].as_array().expect("a list"))
        {
            // Line 99 has no code.
            assert_eq!(breakpoint["verified"], *line != 99, "{line}");
        }
        self.ask("configurationDone", Value::Null).expect("an answer");
    }
}

fn sixteen(value: i32) -> String {
    vec![value.to_string(); 16].join(" ")
}

#[test]
fn lines_of_the_source_are_stepped_through() {
    let folder = std::env::temp_dir();
    let (mut client, debuggee) = Client::new(KERNEL, folder.clone());
    client.start(&folder, &[2, 99], false);

    assert_eq!(client.stop(), "breakpoint");
    assert_eq!(client.place(), ("k.cl".into(), 2));
    assert_eq!(client.value("x"), sixteen(1));
    assert_eq!(client.value("p"), "?");

    // A line is a step, and so is a call.
    client.ask("next", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!((client.stop(), client.place().1), ("step".into(), 3));
    assert_eq!(client.value("x"), sixteen(6));
    client.ask("next", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!((client.stop(), client.place().1), ("step".into(), 4));
    assert_eq!(client.value("x"), sixteen(14));

    // The address of the store was never written.
    client.ask("continue", json!({ "threadId": 1 })).expect("an answer");
    let stopped = client.event("stopped");
    assert_eq!(stopped["reason"], "exception");
    let text = stopped["text"].as_str().expect("a text");
    assert!(text.contains("the address depends on a value that was never written"), "{text}");
    let info = client.ask("exceptionInfo", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!(info["description"], stopped["text"]);
    assert_eq!(client.place(), ("k.cl".into(), 4));

    client.ask("continue", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!(client.event("exited")["exitCode"], 1);
    client.event("terminated");
    client.ask("disconnect", Value::Null).expect("an answer");
    assert!(!debuggee.join().expect("no panic"));
}

#[test]
fn subroutines_and_instructions_are_stepped_through() {
    let folder = std::env::temp_dir();
    let (mut client, debuggee) = Client::new(KERNEL, folder.clone());
    client.start(&folder, &[3], true);
    assert_eq!(client.stop(), "entry");
    // FILE has no line of its own, and is shown in the listing.
    assert_eq!(client.place(), ("k.visaasm".into(), 1));
    client.ask("continue", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!((client.stop(), client.place().1), ("breakpoint".into(), 3));

    client.ask("stepIn", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!(client.stop(), "step");
    while client.place() != ("k.cl".into(), 10) {
        client.ask("stepIn", json!({ "threadId": 1 })).expect("an answer");
        assert_eq!(client.stop(), "step");
    }
    client.ask("stepOut", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!((client.stop(), client.value("x")), ("step".into(), sixteen(14)));

    let stack = client.ask("stackTrace", json!({ "threadId": 1 })).expect("a stack");
    let here = stack["stackFrames"][0]["instructionPointerReference"].clone();
    let request =
        json!({ "memoryReference": here, "instructionOffset": -2, "instructionCount": 4 });
    let listing = client.ask("disassemble", request).expect("an answer");
    let listing = listing["instructions"].as_array().expect("a list");
    assert_eq!(listing.len(), 4);
    assert_eq!(listing[2]["address"], here);
    client.ask("next", json!({ "threadId": 1, "granularity": "instruction" })).expect("an answer");
    assert_eq!(client.stop(), "step");
    let stack = client.ask("stackTrace", json!({ "threadId": 1 })).expect("a stack");
    assert_eq!(stack["stackFrames"][0]["instructionPointerReference"], listing[3]["address"]);

    // The client ends the run.
    client.ask("terminate", Value::Null).expect("an answer");
    assert!(debuggee.join().expect("no panic"));
}

#[test]
fn a_run_without_debugging_does_not_stop() {
    let (mut client, debuggee) = Client::new(KERNEL, std::env::temp_dir());
    client.ask("initialize", json!({})).expect("an answer");
    let source = json!({ "source": { "sourceReference": 1 }, "breakpoints": [{ "line": 3 }] });
    client.ask("setBreakpoints", source).expect("an answer");
    client.ask("launch", json!({ "noDebug": true, "stopOnEntry": true })).expect("an answer");
    client.ask("configurationDone", Value::Null).expect("an answer");
    assert_eq!(client.event("exited")["exitCode"], 1);
    assert!(client.events.iter().all(|event| event["event"] != "stopped"));
    client.ask("disconnect", Value::Null).expect("an answer");
    assert!(!debuggee.join().expect("no panic"));
}

#[test]
fn variables_and_listings_are_shown() {
    let folder = std::env::temp_dir();
    let (mut client, debuggee) = Client::new(KERNEL, folder.clone());
    client.start(&folder, &[2], false);
    assert_eq!(client.stop(), "breakpoint");
    let threads = client.ask("threads", Value::Null).expect("an answer");
    assert_eq!(threads["threads"], json!([{ "id": 1, "name": "group (0, 0, 0), thread 0" }]));
    let scopes = client.ask("scopes", json!({ "frameId": 1 })).expect("an answer");
    let reference = &scopes["scopes"][0]["variablesReference"];
    let all =
        client.ask("variables", json!({ "variablesReference": reference })).expect("an answer");
    let all = all["variables"].as_array().expect("a list").clone();
    let names: Vec<_> =
        all.iter().map(|variable| variable["name"].as_str().expect("a name")).collect();
    assert_eq!(names, ["(lanes)", "x", "p", "q"]);
    // `q` is the address of a buffer of 16 bytes.
    let request = json!({ "memoryReference": all[3]["memoryReference"], "offset": 12, "count": 8 });
    let memory = client.ask("readMemory", request).expect("an answer");
    assert_eq!((&memory["data"], &memory["unreadableBytes"]), (&"BwcHBw==".into(), &4.into()));
    assert_eq!(all[0]["value"], "0xffff");
    let elements = json!({ "variablesReference": all[1]["variablesReference"] });
    let elements = client.ask("variables", elements).expect("an answer");
    assert_eq!(elements["variables"].as_array().expect("a list").len(), 16);
    assert_eq!(elements["variables"][15]["value"], "1");

    let listing = client.ask("source", json!({ "source": { "sourceReference": 1 } }));
    let listing = listing.expect("an answer")["content"].as_str().expect("a text").to_owned();
    let call = 1 + listing.lines().position(|line| line.starts_with("call")).expect("a call");
    let breakpoint =
        json!({ "source": { "sourceReference": 1 }, "breakpoints": [{ "line": call }] });
    let set = client.ask("setBreakpoints", breakpoint).expect("an answer");
    assert_eq!(set["breakpoints"][0]["verified"], true);
    client.ask("continue", json!({ "threadId": 1 })).expect("an answer");
    assert_eq!((client.stop(), client.place().1), ("breakpoint".into(), 3));

    // The thread has no other frame.
    let rest = client.ask("stackTrace", json!({ "threadId": 1, "startFrame": 1 }));
    assert_eq!(rest.expect("an answer")["stackFrames"], json!([]));
    // A breakpoint whose condition would be ignored is not set.
    let conditional = json!([{ "line": call, "condition": "x > 1" }]);
    let request = json!({ "source": { "sourceReference": 1 }, "breakpoints": conditional });
    let set = client.ask("setBreakpoints", request).expect("an answer");
    assert_eq!(set["breakpoints"][0]["verified"], false);
    assert!(set["breakpoints"][0]["message"].as_str().expect("a text").contains("conditions"));

    for (command, arguments) in [
        ("evaluate", json!({ "expression": "y" })),
        ("variables", json!({ "variablesReference": u64::MAX })),
        ("source", json!({ "source": { "sourceReference": 0 } })),
        ("readMemory", json!({ "memoryReference": "x" })),
        ("next", json!({ "threadId": 7 })),
        ("gotoTargets", Value::Null),
    ] {
        client.ask(command, arguments).expect_err(command);
    }
    drop(client);
    // A client that goes ends the run.
    assert!(debuggee.join().expect("no panic"));
}
