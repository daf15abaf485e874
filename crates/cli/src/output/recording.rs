//! Output that is kept, to be printed later.

use super::message::Message;
use super::style::{bytes_without_styles, without_styles};

/// Everything that was written to an output.
#[derive(Default)]
pub struct Recording(Vec<Event>);

/// A call of a method of the output.
pub enum Event {
    /// Text for standard output, with colors.
    Report(Vec<u8>),
    /// Bytes for standard output.
    Raw(Vec<u8>),
    /// A message for standard error.
    Message(Message),
    /// The exit code is 1.
    Failed,
    /// The exit code is 2.
    UnreadableInput,
}

impl Recording {
    pub fn push(&mut self, event: Event) {
        self.0.push(event);
    }

    /// Adds text for standard output.
    pub fn report(&mut self, bytes: &[u8]) {
        match self.0.last_mut() {
            Some(Event::Report(report)) => report.extend_from_slice(bytes),
            _ => self.0.push(Event::Report(bytes.into())),
        }
    }

    /// Returns whether nothing was written and the exit code is 0.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Returns standard output and the messages, without colors.
    pub fn into_text(self) -> (Vec<u8>, Vec<Message>) {
        let (mut output, mut messages) = (Vec::new(), Vec::new());
        for event in self.0 {
            match event {
                Event::Report(bytes) => output.extend(bytes_without_styles(&bytes)),
                Event::Raw(bytes) => output.extend(bytes),
                Event::Message(mut message) => {
                    message.text = without_styles(&message.text);
                    messages.push(message);
                }
                Event::Failed | Event::UnreadableInput => {}
            }
        }
        (output, messages)
    }

    pub fn into_events(self) -> impl Iterator<Item = Event> {
        self.0.into_iter()
    }
}
