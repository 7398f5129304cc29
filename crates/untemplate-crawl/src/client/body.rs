//! Reading a body: as far as it comes, as long as it comes fast enough, as much as is allowed.

use std::time::Duration;

use reqwest::Response;
use tokio::time::{Instant, timeout_at};
use untemplate::page::Problem;
use untemplate_store::BodyUnpacker;

use super::error::reasons;
use super::options::Deadlines;

/// Steps of unpacking after which others get their turn: a quarter of a megabyte.
const STEPS_AT_ONCE: usize = 16;

/// Reads the body into `unpacker`; a problem tells why it is not all there.
pub(super) async fn read_body(
    response: &mut Response,
    unpacker: &mut BodyUnpacker,
    deadlines: &Deadlines,
    end: Instant,
) -> Result<(), Problem> {
    let mut pace = Pace::new(deadlines);
    loop {
        let chunk = match timeout_at(end.min(pace.window_end), response.chunk()).await {
            Ok(Ok(Some(chunk))) => Some(chunk),
            Ok(Ok(None)) => return Ok(()),
            Ok(Err(error)) => {
                let message = format!("after {} bytes, {}", unpacker.wire_bytes, reasons(&error));
                return Err(Problem::new("cut short", message));
            }
            Err(_) => None,
        };
        let chunk = chunk.as_deref().unwrap_or_default();
        pace.check(chunk.len(), Instant::now())?;
        unpacker.push(chunk);
        unpack(unpacker, end, deadlines.total).await?;
        if unpacker.is_broken() {
            // What is wrong with its encoding is told by the unpacker.
            return Ok(());
        }
    }
}

/// Does the work that is waiting, and gives way now and then.
async fn unpack(unpacker: &mut BodyUnpacker, end: Instant, total: Duration) -> Result<(), Problem> {
    loop {
        if Instant::now() >= end {
            let message = format!("after {} bytes, the time was up ({total:?})", unpacker.wire_bytes);
            return Err(Problem::new("cut short", message));
        }
        for _ in 0..STEPS_AT_ONCE {
            let has_worked = unpacker.step();
            if let Some(problem) = unpacker.excess() {
                return Err(problem);
            }
            if !has_worked {
                return Ok(());
            }
        }
        tokio::task::yield_now().await;
    }
}

/// How fast a body comes, window by window.
struct Pace {
    window: Duration,
    window_end: Instant,
    bytes_min: u64,
    bytes: u64,
}

impl Pace {
    fn new(deadlines: &Deadlines) -> Self {
        let window = deadlines.rate_window.max(Duration::from_millis(10));
        Self {
            window,
            window_end: later(Instant::now(), window),
            bytes_min: (deadlines.rate_min as f64 * window.as_secs_f64()) as u64,
            bytes: 0,
        }
    }

    /// Counts what came, and judges a window that is over.
    fn check(&mut self, n_bytes: usize, now: Instant) -> Result<(), Problem> {
        self.bytes += n_bytes as u64;
        if now < self.window_end {
            return Ok(());
        }
        if self.bytes < self.bytes_min {
            let message = format!("only {} bytes came within {:?}", self.bytes, self.window);
            return Err(Problem::new("too slow", message));
        }
        self.bytes = 0;
        self.window_end = later(now, self.window);
        Ok(())
    }
}

/// The moment after this much time; what lies beyond the clock's reach is merely far away.
pub(super) fn later(now: Instant, time: Duration) -> Instant {
    now.checked_add(time).unwrap_or(now + Duration::from_secs(1 << 30))
}
