//! The browser's two pipes: commands go in, answers and events come out, as JSON texts that end
//! with a zero byte.
//!
//! A thread reads what comes out, so that waiting for it can have a deadline. It is bounded on both
//! ends: a message longer than the limit ends the conversation, and a browser that talks faster
//! than we listen has to wait.

use std::collections::VecDeque;
use std::io::{self, BufRead, BufReader, Read, Write};
use std::process::{ChildStdin, ChildStdout};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::error::RenderError;

/// Bytes of one message: a page of 32 MiB, escaped, fits.
const MESSAGE_BYTES_MAX: u64 = 256 << 20;

/// Messages that wait for us; then the browser waits.
const MESSAGES_WAITING_MAX: usize = 64;

/// Time for a command that touches no page.
const COMMAND_TIME: Duration = Duration::from_secs(20);

/// A conversation with the browser.
#[derive(Debug)]
pub(super) struct Pipe {
    commands: ChildStdin,
    messages: Receiver<Value>,
    /// Events that came while an answer was awaited.
    events: VecDeque<Event>,
    last_id: u64,
}

/// Something that happened in the browser.
#[derive(Debug)]
pub(super) struct Event {
    /// The kind, such as `Fetch.requestPaused`.
    pub method: String,
    /// The tab it happened in; empty for the browser itself.
    pub session: String,
    /// What is known of it.
    pub parameters: Value,
}

impl Pipe {
    /// Begins to listen.
    pub(super) fn new(commands: ChildStdin, answers: ChildStdout) -> Self {
        let (sender, messages) = sync_channel(MESSAGES_WAITING_MAX);
        thread::spawn(move || listen(answers, &sender));
        Self {
            commands,
            messages,
            events: VecDeque::new(),
            last_id: 0,
        }
    }

    /// Sends a command and waits for its answer. Events on the way are kept for [`Pipe::event`].
    pub(super) fn call(
        &mut self,
        session: &str,
        method: &'static str,
        parameters: Value,
        deadline: Option<Deadline>,
    ) -> Result<Value, RenderError> {
        let id = self.send(session, method, parameters)?;
        let deadline = deadline.unwrap_or_else(|| Deadline::within(COMMAND_TIME));
        loop {
            let message = self.receive(deadline)?;
            if message["id"].as_u64() != Some(id) {
                self.keep(message);
                continue;
            }
            if let Some(reason) = message["error"]["message"].as_str() {
                let reason = reason.to_owned();
                return Err(RenderError::Refused { method, reason });
            }
            return Ok(message["result"].clone());
        }
    }

    /// Sends a command whose answer does not matter; it is dropped when it comes.
    pub(super) fn send(&mut self, session: &str, method: &str, parameters: Value) -> Result<u64, RenderError> {
        self.last_id += 1;
        let mut command = json!({ "id": self.last_id, "method": method, "params": parameters });
        if !session.is_empty() {
            command["sessionId"] = json!(session);
        }
        let mut text = command.to_string().into_bytes();
        text.push(0);
        self.commands.write_all(&text).map_err(|_| RenderError::Gone)?;
        Ok(self.last_id)
    }

    /// The next event of a tab, the oldest first. Those of other tabs are old ones of closed tabs,
    /// and dropped.
    pub(super) fn event(&mut self, session: &str, deadline: Deadline) -> Result<Event, RenderError> {
        loop {
            while let Some(event) = self.events.pop_front() {
                if event.session == session {
                    return Ok(event);
                }
            }
            let message = self.receive(deadline)?;
            self.keep(message);
        }
    }

    fn keep(&mut self, mut message: Value) {
        let Some(method) = message["method"].as_str() else {
            return;
        };
        let event = Event {
            method: method.to_owned(),
            session: message["sessionId"].as_str().unwrap_or("").to_owned(),
            parameters: message["params"].take(),
        };
        self.events.push_back(event);
    }

    fn receive(&mut self, deadline: Deadline) -> Result<Value, RenderError> {
        let left = deadline.at.saturating_duration_since(Instant::now());
        self.messages.recv_timeout(left).map_err(|error| match error {
            RecvTimeoutError::Timeout => RenderError::Timeout { limit: deadline.limit },
            RecvTimeoutError::Disconnected => RenderError::Gone,
        })
    }
}

/// When waiting ends, and how long that was at first.
#[derive(Debug, Clone, Copy)]
pub(super) struct Deadline {
    at: Instant,
    limit: Duration,
}

impl Deadline {
    /// So much from now on.
    pub(super) fn within(limit: Duration) -> Self {
        Self {
            at: Instant::now() + limit,
            limit,
        }
    }

    /// The same, later by the time that was spent on something else since then.
    pub(super) fn put_off(&mut self, since: Instant) {
        self.at += since.elapsed();
    }
}

/// Reads messages until the pipe ends, or nobody listens.
fn listen(answers: ChildStdout, sender: &SyncSender<Value>) {
    let mut answers = BufReader::new(answers);
    while let Ok(Some(message)) = read_message(&mut answers) {
        // A message that is no JSON answers nobody: whoever waits for it meets the deadline.
        let Ok(message) = serde_json::from_slice(&message) else {
            continue;
        };
        if sender.send(message).is_err() {
            return;
        }
    }
}

/// The next message without its zero byte; `None` at the end of the pipe, or when it is longer than
/// may be.
pub(super) fn read_message(answers: &mut impl BufRead) -> io::Result<Option<Vec<u8>>> {
    let mut message = Vec::new();
    answers.by_ref().take(MESSAGE_BYTES_MAX).read_until(0, &mut message)?;
    Ok((message.pop() == Some(0)).then_some(message))
}
