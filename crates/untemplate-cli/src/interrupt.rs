//! Interrupts: Ctrl-C stops a run that fetches, gently at first.

use std::sync::OnceLock;

use untemplate_crawl::CrawlControl;

/// The control of this process: what fetches looks at it, Ctrl-C changes it. The first finishes what is under way, the second
/// gives that up, and whoever presses a third time wants the program to be gone: what is stored stays, as after any kill.
pub fn control() -> CrawlControl {
    static CONTROL: OnceLock<CrawlControl> = OnceLock::new();
    let control = CONTROL.get_or_init(|| {
        let control = CrawlControl::default();
        let stopper = control.clone();
        // A handler that is there already is a test's; the run then ends by itself.
        let _ = ctrlc::set_handler(move || {
            if stopper.is_stopping_now() {
                std::process::exit(130);
            }
            stopper.stop();
        });
        control
    });
    control.clone()
}
