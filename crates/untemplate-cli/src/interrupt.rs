//! Interrupts: the only place that takes Ctrl-C and SIGTERM over from the system.
//!
//! The first signal sets the stop flag that every visit, request and pause looks at; requests under
//! way may finish. They are abandoned shortly after, or at the second signal. What still computes
//! or writes when [`END_AFTER`] has passed is ended: every page is committed when it is fetched and
//! every file is renamed into place when it is whole, so that nothing is lost, and the same command
//! goes on.

use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Mutex, Once, OnceLock, PoisonError};
use std::thread;
use std::time::Duration;

use untemplate_crawl::StopControl;

use crate::outcome::Outcome;
use crate::output::complain;

/// How long requests under way may take to finish after the first signal.
const ABANDON_AFTER: Duration = Duration::from_millis(700);

/// When the program ends after the first signal, whatever it does: people expect the prompt back
/// within two seconds.
const END_AFTER: Duration = Duration::from_millis(1_800);

/// What is still done when the program is ended at the deadline.
type LastWords = Box<dyn FnOnce() + Send>;

static HAS_DEADLINE: AtomicBool = AtomicBool::new(true);
static LAST_WORDS: Mutex<Option<LastWords>> = Mutex::new(None);

/// The stop flag of this process.
pub fn control() -> StopControl {
    static CONTROL: OnceLock<StopControl> = OnceLock::new();
    CONTROL.get_or_init(StopControl::default).clone()
}

/// Takes interrupts over from the system. Verbs that only compute leave them there, and end at
/// once.
pub fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        if let Err(error) = ctrlc::set_handler(take_signal) {
            complain(&format!(
                "cannot take over Ctrl-C: {error}; an interrupt ends the program at once"
            ));
        }
    });
}

/// Takes interrupts over for a verb that ends by itself once it is told: a server waits for its
/// jobs.
pub fn listen_without_deadline() {
    HAS_DEADLINE.store(false, Ordering::Relaxed);
    listen();
}

/// Sets what is done when the deadline ends the program.
pub fn at_deadline(last_words: impl FnOnce() + Send + 'static) {
    *LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner) = Some(Box::new(last_words));
}

fn take_signal() {
    let control = control();
    if control.is_stopping_now() {
        exit();
    }
    let is_first = !control.is_stopping();
    control.stop();
    if is_first && HAS_DEADLINE.load(Ordering::Relaxed) {
        thread::spawn(enforce_deadline);
    }
}

fn enforce_deadline() {
    thread::sleep(ABANDON_AFTER);
    if !control().is_stopping_now() {
        control().stop();
    }
    thread::sleep(END_AFTER - ABANDON_AFTER);
    if let Some(last_words) = LAST_WORDS.lock().unwrap_or_else(PoisonError::into_inner).take() {
        last_words();
    }
    complain("interrupted: ended before all was written; what was fetched is kept, and the same command goes on");
    exit();
}

fn exit() -> ! {
    std::process::exit(Outcome::Interrupted.number().into())
}
