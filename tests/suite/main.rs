//! The integration tests, one module a topic.

mod oracle;
mod vectors;
