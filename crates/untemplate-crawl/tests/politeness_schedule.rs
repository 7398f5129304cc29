//! The schedule: what events do to a host's state, what holds of every state, and an hour with
//! hosts of several tempers.

use expect_test::{Expect, expect};
use proptest::prelude::*;
use untemplate_crawl::{HostEvent, HostState, ScheduleOptions};
use untemplate_store::UnixMillis;

const GOOD: HostEvent = answered(200, None, 100);

const fn answered(status: u16, retry_after_ms: Option<u64>, latency_ms: u64) -> HostEvent {
    HostEvent::Answered {
        status,
        retry_after_ms,
        latency_ms,
    }
}

/// Runs events, each at the moment that the host is due, and tells the pause after each.
fn check_pauses(events: &[HostEvent], expected: Expect) {
    let options = ScheduleOptions::default();
    let mut state = HostState::new(UnixMillis(0));
    let mut told = String::new();
    for &event in events {
        let now = state.due_at;
        let step = state.after(event, now, &options);
        state = step.state;
        told += &format!("{} ms", state.due_at.since(now));
        if let Some(problem) = step.problem {
            told += &format!(" ({problem})");
        }
        told += "\n";
    }
    expected.assert_eq(&told);
}

#[test]
fn a_good_host_is_asked_once_a_second() {
    check_pauses(
        &[GOOD, GOOD, answered(404, None, 100), answered(301, None, 100)],
        expect![[r#"
        1000 ms
        1000 ms
        1000 ms
        1000 ms
    "#]],
    );
}

#[test]
fn failures_double_the_pause_and_one_answer_mends_it() {
    let mut events = vec![HostEvent::Failed; 11];
    events.push(GOOD);
    check_pauses(
        &events,
        expect![[r#"
        2000 ms
        4000 ms
        8000 ms
        16000 ms
        32000 ms
        64000 ms
        128000 ms
        256000 ms
        512000 ms
        600000 ms
        600000 ms
        1000 ms
    "#]],
    );
}

#[test]
fn refusals_slow_the_host_for_a_while() {
    let refused = answered(429, None, 100);
    check_pauses(
        &[refused, answered(503, None, 100), refused, GOOD, GOOD, GOOD],
        expect![[r#"
        2000 ms
        4000 ms
        8000 ms
        7600 ms
        7220 ms
        6859 ms
    "#]],
    );
}

#[test]
fn wishes_are_honoured_up_to_a_cap() {
    check_pauses(
        &[
            answered(429, Some(30_000), 100),
            answered(503, Some(86_400_000), 100),
            answered(200, Some(u64::MAX), 100),
            answered(503, Some(0), 100),
        ],
        expect![[r#"
            30000 ms
            3600000 ms (capped delay: Retry-After asks for 86400 s; 3600 s are honoured)
            3600000 ms (capped delay: Retry-After asks for 18446744073709551 s; 3600 s are honoured)
            7600 ms
        "#]],
    );
    check_pauses(
        &[
            GOOD,
            HostEvent::RobotsDelay(Some(5_000)),
            GOOD,
            HostEvent::RobotsDelay(Some(3_500_000)),
            GOOD,
            HostEvent::RobotsDelay(None),
            GOOD,
        ],
        expect![[r#"
            1000 ms
            4000 ms
            5000 ms
            55000 ms (capped delay: Crawl-delay asks for 3500 s; 60 s are honoured)
            60000 ms
            0 ms
            1000 ms
        "#]],
    );
}

#[test]
fn a_slow_host_is_asked_more_rarely() {
    let slow = answered(200, None, 4_000);
    check_pauses(
        &[GOOD, slow, slow, slow, answered(200, None, 900_000), GOOD, GOOD, GOOD],
        expect![[r#"
        1000 ms
        3225 ms
        5418 ms
        7062 ms
        30000 ms
        30000 ms
        30000 ms
        30000 ms
    "#]],
    );
}

#[test]
fn a_stored_host_is_due_after_the_next_request() {
    let options = ScheduleOptions::default();
    let started = HostState::new(UnixMillis(0))
        .after(HostEvent::Started, UnixMillis(0), &options)
        .state;
    assert_eq!(started.due_at, UnixMillis(1_000));
    let stored = HostState::from_text(&started.to_text()).expect("what was written can be read");
    let later = stored.after(HostEvent::Started, UnixMillis(900), &options).state;
    assert_eq!(later.due_at, UnixMillis(1_900));
    // The clock was set back by a year.
    let back = stored
        .after(HostEvent::Started, UnixMillis(-31_536_000_000), &options)
        .state;
    assert!(back.due_at.since(UnixMillis(-31_536_000_000)) <= options.pause_max_ms());
}

#[test]
fn stored_text_is_small_and_versioned() {
    let options = ScheduleOptions::default();
    let state = HostState::new(UnixMillis(0))
        .after(answered(429, None, 70), UnixMillis(5), &options)
        .state;
    expect![[r#"
        untemplate host 1
        due 2005
        asked 5
        latency 70
        slow-down 2000
        failures 1
    "#]]
    .assert_eq(&state.to_text());
    for bad in [
        "",
        "untemplate host 2\n",
        "untemplate host 1\ndue x\n",
        "untemplate host 1\ndue 1\nfailures 0\nlatency -5\n",
    ] {
        assert!(HostState::from_text(bad).is_err(), "{bad}");
    }
}

/// An hour with a host that takes one request in `limit_ms` and refuses others: good answers and
/// refusals.
fn hour_with_a_limit(limit_ms: i64, options: &ScheduleOptions) -> (usize, usize) {
    let mut state = HostState::new(UnixMillis(0));
    let (mut taken_at, mut n_good, mut n_refused) = (UnixMillis(-limit_ms), 0, 0);
    while state.due_at < UnixMillis(3_600_000) {
        let now = state.due_at;
        let status = if now.since(taken_at) >= limit_ms { 200 } else { 429 };
        if status == 200 {
            taken_at = now;
            n_good += 1;
        } else {
            n_refused += 1;
        }
        state = state.after(HostEvent::Started, now, options).state;
        state = state.after(answered(status, None, 50), now + 50, options).state;
    }
    (n_good, n_refused)
}

/// The sweep behind the share of a slow-down that stays after a good answer.
#[test]
fn a_limit_is_found_and_kept() {
    let mut told = String::new();
    for kept in [50, 75, 90, 95, 98] {
        let options = ScheduleOptions {
            slow_down_kept_percent: kept,
            ..ScheduleOptions::default()
        };
        for limit_ms in [2_000, 5_000, 20_000] {
            let (n_good, n_refused) = hour_with_a_limit(limit_ms, &options);
            told += &format!("{kept} % kept, one in {limit_ms} ms: {n_good} good, {n_refused} refused\n");
        }
    }
    expect![[r#"
        50 % kept, one in 2000 ms: 1412 good, 706 refused
        50 % kept, one in 5000 ms: 448 good, 448 refused
        50 % kept, one in 20000 ms: 113 good, 115 refused
        75 % kept, one in 2000 ms: 1109 good, 461 refused
        75 % kept, one in 5000 ms: 443 good, 186 refused
        75 % kept, one in 20000 ms: 112 good, 50 refused
        90 % kept, one in 2000 ms: 1151 good, 177 refused
        90 % kept, one in 5000 ms: 463 good, 73 refused
        90 % kept, one in 20000 ms: 116 good, 22 refused
        95 % kept, one in 2000 ms: 1192 good, 90 refused
        95 % kept, one in 5000 ms: 479 good, 38 refused
        95 % kept, one in 20000 ms: 120 good, 14 refused
        98 % kept, one in 2000 ms: 1236 good, 38 refused
        98 % kept, one in 5000 ms: 490 good, 17 refused
        98 % kept, one in 20000 ms: 124 good, 8 refused
    "#]]
    .assert_eq(&told);
}

fn any_event() -> impl Strategy<Value = HostEvent> {
    prop_oneof![
        Just(HostEvent::Started),
        Just(HostEvent::Failed),
        prop::option::of(any::<u64>()).prop_map(HostEvent::RobotsDelay),
        (any::<u16>(), prop::option::of(any::<u64>()), any::<u64>())
            .prop_map(|(status, retry_after_ms, latency_ms)| { answered(status, retry_after_ms, latency_ms) }),
        (prop::sample::select(vec![200, 404, 429, 500, 503]), 0..10_000_u64)
            .prop_map(|(status, latency_ms)| answered(status, None, latency_ms)),
    ]
}

proptest! {
    #![proptest_config(ProptestConfig { failure_persistence: None, ..ProptestConfig::default() })]

    /// Never due before the delay after the last request, never earlier than before, never further
    /// than the longest pause.
    #[test]
    fn a_host_is_due_late_enough_and_soon_enough(
        events in prop::collection::vec((any_event(), 0..100_000_i64), 1..60),
        delay_ms in 0..5_000_i64,
    ) {
        let options = ScheduleOptions { delay_ms, ..ScheduleOptions::default() };
        let mut now = UnixMillis(0);
        let mut state = HostState::new(now);
        for (event, pause) in events {
            now = now + pause;
            let after = state.after(event, now, &options).state;
            prop_assert!(after.due_at >= state.due_at);
            prop_assert!(after.due_at.since(now) <= options.pause_max_ms());
            if let Some(asked_at) = after.asked_at {
                prop_assert!(after.due_at.since(asked_at) >= delay_ms);
                prop_assert!(after.due_at.since(asked_at) >= after.crawl_delay_ms.unwrap_or(0));
            }
            prop_assert!(after.pace_ms(&options) >= delay_ms);
            prop_assert!(after.pace_ms(&options) <= options.pause_max_ms());
            prop_assert_eq!(HostState::from_text(&after.to_text()), Ok(after.clone()));
            state = after;
        }
    }

    #[test]
    fn any_text_is_a_state_or_an_error(text in "(untemplate host 1\n)?((due|asked|failures|latency) -?[0-9]{0,22}\n){0,5}") {
        if let Ok(state) = HostState::from_text(&text) {
            let options = ScheduleOptions::default();
            state.after(GOOD, UnixMillis(0), &options).state.after(HostEvent::Failed, UnixMillis(i64::MAX), &options);
        }
    }
}
