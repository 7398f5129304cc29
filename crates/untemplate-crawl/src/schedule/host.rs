//! [`HostState`]: how a host is treated, as a function of what happened with it.
//!
//! In: the state before, an event, the time. Out: the state after. Pauses count from the end of an
//! answer, not from the start of a request: connecting takes an unknown time, so only the end is a
//! moment that the server saw before us too.

use untemplate::page::Problem;
use untemplate_store::UnixMillis;

use crate::state_text::{StateReader, StateTextError, StateWriter};

/// How a host is treated.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostState {
    /// When it may be asked next.
    pub due_at: UnixMillis,
    /// When the last request began or ended, whichever is later.
    pub asked_at: Option<UnixMillis>,
    /// The pause that its robots.txt asks for, as far as it is honoured.
    pub crawl_delay_ms: Option<i64>,
    /// How long its answers take, smoothed.
    pub latency_ms: Option<i64>,
    /// The pause that its refusals (429, 503) led to; it fades with good answers.
    pub slow_down_ms: i64,
    /// Failures and refusals since the last good answer.
    pub failures_in_row: u32,
    /// Until when the host itself asked to be left alone (`Retry-After`), if it did.
    pub rest_until: Option<UnixMillis>,
}

/// What happened with a host.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum HostEvent {
    /// A request was sent.
    Started,
    /// It was answered.
    Answered {
        /// The status.
        status: u16,
        /// The pause that `Retry-After` asks for, counted from now.
        retry_after_ms: Option<u64>,
        /// The time from sending to the last byte.
        latency_ms: u64,
    },
    /// It was not answered: name, connection, encryption, time.
    Failed,
    /// Its robots.txt was read, and asks for this pause or for none.
    RobotsDelay(Option<u64>),
}

/// A state, and what is to be told about how it came about.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct HostStep {
    /// The state.
    pub state: HostState,
    /// A wish of the host that was not honoured in full.
    pub problem: Option<Problem>,
}

/// How polite a crawl is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ScheduleOptions {
    /// The pause between an answer and the next request. One second is what most robots.txt files
    /// with a delay ask for.
    pub delay_ms: i64,
    /// The longest `Crawl-delay` that is honoured: beyond a minute a crawl of 10,000 pages takes a
    /// week, and the file means "go away" rather than "slowly". It is reported, so that a person
    /// can decide.
    pub crawl_delay_max_ms: i64,
    /// The longest `Retry-After` that is honoured at once: an hour. A host that is still unwilling
    /// then says so again.
    pub retry_after_max_ms: i64,
    /// The pause is at least this many times the smoothed latency. With a factor of 3 a crawl keeps
    /// one of the server's workers busy for at most a quarter of the time, however slow it gets;
    /// with 1 it is half, which a struggling host feels. A factor of 5 (Heritrix) changes nothing
    /// for hosts that answer within 200 ms, since the delay is longer anyway, and makes slow ones a
    /// third slower.
    pub latency_factor: i64,
    /// The longest pause for latency alone: half a minute, so that one hanging answer does not stop
    /// a host for long.
    pub latency_delay_max_ms: i64,
    /// The longest pause after failures in a row: ten minutes, the length of a restart or a short
    /// outage.
    pub backoff_max_ms: i64,
    /// How much of a slow-down stays after a good answer, in percent. Swept in
    /// `tests/politeness_schedule.rs` against hosts that take one request in 2, 5 or 20 s and
    /// refuse others, for an hour: at 50 % a third to half of the requests are refused, at 90 % one
    /// in seven, at 95 % one in ten to fourteen, with more good answers than at 75 % or 90 %. At 98
    /// % refusals halve once more, but from the slowest pace it then takes fifty minutes instead of
    /// twenty to be back at one request a second.
    pub slow_down_kept_percent: i64,
}

impl Default for ScheduleOptions {
    fn default() -> Self {
        Self {
            delay_ms: 1_000,
            crawl_delay_max_ms: 60_000,
            retry_after_max_ms: 3_600_000,
            latency_factor: 3,
            latency_delay_max_ms: 30_000,
            backoff_max_ms: 600_000,
            slow_down_kept_percent: 95,
        }
    }
}

impl ScheduleOptions {
    /// No pauses but those that the host asks for or its failures give: for one's own host.
    pub fn without_delay() -> Self {
        Self {
            delay_ms: 0,
            latency_factor: 0,
            ..Self::default()
        }
    }

    /// Further ahead than this no host is ever put off.
    pub fn pause_max_ms(&self) -> i64 {
        let pauses = [
            self.delay_ms,
            self.crawl_delay_max_ms,
            self.retry_after_max_ms,
            self.latency_delay_max_ms,
            self.backoff_max_ms,
            SLOW_DOWN_MAX_MS,
        ];
        pauses.into_iter().max().unwrap_or(0).max(0)
    }
}

/// What the first failure doubles when there is no delay.
const BACKOFF_FIRST_MS: i64 = 1_000;

/// The slowest pace that refusals lead to. Single pauses can be longer (`Retry-After`, back-off); a
/// pace of one page a minute is enough.
const SLOW_DOWN_MAX_MS: i64 = 60_000;

const KIND: &str = "host";
const VERSION: u32 = 1;

impl HostState {
    /// A host that nobody asked yet: it may be asked at once.
    pub fn new(now: UnixMillis) -> Self {
        Self {
            due_at: now,
            asked_at: None,
            crawl_delay_ms: None,
            latency_ms: None,
            slow_down_ms: 0,
            failures_in_row: 0,
            rest_until: None,
        }
    }

    /// The state that a new run begins with: it asks at once a host that failed or refused the last
    /// one, and waits as long as a host asked for. The pace that refusals led to counts again from
    /// the second request on.
    pub fn in_new_run(&self, now: UnixMillis, options: &ScheduleOptions) -> Self {
        let mut state = self.clone();
        state.failures_in_row = 0;
        let pause_ms = options.delay_ms.max(state.crawl_delay_ms.unwrap_or(0));
        let paced = state.asked_at.map_or(now, |asked_at| asked_at + pause_ms);
        let earliest = state.rest_until.map_or(paced, |until| until.max(paced));
        state.due_at = state.due_at.min(earliest.min(now + options.pause_max_ms()));
        state
    }

    /// The pause between an answer and the next request, when all goes well.
    pub fn pace_ms(&self, options: &ScheduleOptions) -> i64 {
        let for_latency = self.latency_ms.unwrap_or(0).saturating_mul(options.latency_factor);
        options
            .delay_ms
            .max(self.crawl_delay_ms.unwrap_or(0))
            .max(for_latency.min(options.latency_delay_max_ms))
            .max(self.slow_down_ms)
    }

    /// The state after an event.
    pub fn after(&self, event: HostEvent, now: UnixMillis, options: &ScheduleOptions) -> HostStep {
        let mut state = self.clone();
        let mut problem = None;
        match event {
            HostEvent::Started => {
                state.asked_at = Some(now);
                state.put_off(now + state.pace_ms(options), now, options);
            }
            HostEvent::Failed => {
                state.asked_at = Some(now);
                state.failures_in_row = state.failures_in_row.saturating_add(1);
                let pause = state.pace_ms(options).max(state.backoff_ms(options));
                state.put_off(now + pause, now, options);
            }
            HostEvent::Answered {
                status,
                retry_after_ms,
                latency_ms,
            } => {
                state.asked_at = Some(now);
                state.take_latency(latency_ms);
                state.take_status(status, options);
                let (asked_ms, told) = clamp(retry_after_ms, options.retry_after_max_ms, "Retry-After");
                problem = told;
                state.rest_until = asked_ms
                    .filter(|_| matches!(status, 429 | 503))
                    .map(|asked_ms| now + asked_ms);
                let pause = state
                    .pace_ms(options)
                    .max(state.backoff_ms(options))
                    .max(asked_ms.unwrap_or(0));
                state.put_off(now + pause, now, options);
            }
            HostEvent::RobotsDelay(delay_ms) => {
                (state.crawl_delay_ms, problem) = clamp(delay_ms, options.crawl_delay_max_ms, "Crawl-delay");
                if let Some(asked_at) = state.asked_at {
                    state.put_off(asked_at + state.pace_ms(options), now, options);
                }
            }
        }
        HostStep { state, problem }
    }

    /// Moves the next request to a moment, unless it is later already, and never further than any
    /// pause may be: a clock that was set back must not stop a host for ever.
    fn put_off(&mut self, earliest: UnixMillis, now: UnixMillis, options: &ScheduleOptions) {
        self.due_at = self.due_at.max(earliest).min(now + options.pause_max_ms());
    }

    /// Smooths over some four answers: a pause must follow a host that gets slow, and not one slow
    /// page.
    fn take_latency(&mut self, latency_ms: u64) {
        let latency_ms = i64::try_from(latency_ms.min(LATENCY_MS_MAX)).unwrap_or(0);
        self.latency_ms = Some(match self.latency_ms {
            Some(before) => (before * 3 + latency_ms) / 4,
            None => latency_ms,
        });
    }

    fn take_status(&mut self, status: u16, options: &ScheduleOptions) {
        if matches!(status, 429 | 503) {
            self.slow_down_ms = (self.pace_ms(options).max(BACKOFF_FIRST_MS / 2) * 2).min(SLOW_DOWN_MAX_MS);
        }
        if status == 429 || status >= 500 {
            self.failures_in_row = self.failures_in_row.saturating_add(1);
            return;
        }
        self.failures_in_row = 0;
        self.slow_down_ms = self.slow_down_ms * options.slow_down_kept_percent.clamp(0, 100) / 100;
        if self.slow_down_ms < options.delay_ms.max(BACKOFF_FIRST_MS / 2) {
            self.slow_down_ms = 0;
        }
    }

    /// Doubles with each failure in a row.
    fn backoff_ms(&self, options: &ScheduleOptions) -> i64 {
        if self.failures_in_row == 0 {
            return 0;
        }
        let first = options.delay_ms.clamp(BACKOFF_FIRST_MS, i64::MAX >> 20);
        (first << self.failures_in_row.min(16)).min(options.backoff_max_ms)
    }

    /// The state as text for the store.
    pub fn to_text(&self) -> String {
        let mut writer = StateWriter::new(KIND, VERSION);
        writer.line("due", self.due_at.0);
        writer.optional_line("asked", self.asked_at.map(|at| at.0));
        writer.optional_line("crawl-delay", self.crawl_delay_ms);
        writer.optional_line("latency", self.latency_ms);
        writer.line("slow-down", self.slow_down_ms);
        writer.line("failures", self.failures_in_row);
        writer.optional_line("rest", self.rest_until.map(|at| at.0));
        writer.finish()
    }

    /// The state from text that [`HostState::to_text`] made.
    pub fn from_text(text: &str) -> Result<Self, StateTextError> {
        let reader = StateReader::new(text, KIND, VERSION)?;
        let pause = |key: &str| -> Result<Option<i64>, StateTextError> {
            let pause: Option<i64> = reader.optional_value(key)?;
            match pause {
                Some(pause) if !(0..=LATENCY_MS_MAX as i64).contains(&pause) => Err(reader.bad_line(key)),
                pause => Ok(pause),
            }
        };
        Ok(Self {
            due_at: UnixMillis(reader.value("due")?),
            asked_at: reader.optional_value("asked")?.map(UnixMillis),
            crawl_delay_ms: pause("crawl-delay")?,
            latency_ms: pause("latency")?,
            slow_down_ms: pause("slow-down")?.unwrap_or(0),
            failures_in_row: reader.value("failures")?,
            rest_until: reader.optional_value("rest")?.map(UnixMillis),
        })
    }
}

/// No answer takes longer than a day; this keeps arithmetic and stored numbers small.
const LATENCY_MS_MAX: u64 = 86_400_000;

/// A wish of a host, as far as it is honoured, and a word if that is not far enough.
fn clamp(asked_ms: Option<u64>, max_ms: i64, what: &str) -> (Option<i64>, Option<Problem>) {
    let Some(asked_ms) = asked_ms else { return (None, None) };
    let honoured_ms = i64::try_from(asked_ms).unwrap_or(i64::MAX).min(max_ms.max(0));
    let problem = (asked_ms > honoured_ms as u64).then(|| {
        let message = format!(
            "{what} asks for {} s; {} s are honoured",
            asked_ms / 1000,
            honoured_ms / 1000
        );
        Problem::new("capped delay", message)
    });
    (Some(honoured_ms), problem)
}
