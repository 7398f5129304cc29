//! Interrupts: Ctrl-C stops a run that fetches, gently at first.

use std::sync::{Once, OnceLock};

use untemplate_crawl::CrawlControl;

/// The control of this process: what fetches looks at it, Ctrl-C changes it.
pub fn control() -> CrawlControl {
    static CONTROL: OnceLock<CrawlControl> = OnceLock::new();
    CONTROL.get_or_init(CrawlControl::default).clone()
}

/// Takes Ctrl-C over from the system, once there is something to finish: the first finishes what is under way, the second
/// gives that up, and whoever presses a third time wants the program to be gone: what is stored stays, as after any kill.
pub fn listen() {
    static LISTENING: Once = Once::new();
    LISTENING.call_once(|| {
        let control = control();
        // A handler that is there already is a test's; the run then ends by itself.
        let _ = ctrlc::set_handler(move || {
            if control.is_stopping_now() {
                std::process::exit(130);
            }
            control.stop();
        });
    });
}
