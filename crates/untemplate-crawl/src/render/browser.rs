//! The browser as a process: found on the machine, started with a profile of its own, ended with
//! its pipe.

use std::env;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::json;
use tempfile::TempDir;

use super::error::RenderError;
use super::pipe::Pipe;

/// Under which names Chromium is installed.
const NAMES: [&str; 5] = [
    "chromium",
    "chromium-browser",
    "google-chrome-stable",
    "google-chrome",
    "chrome",
];

/// What the names of our profiles begin with; the number of the process that owns it follows.
const PROFILE_PREFIX: &str = "untemplate-browser-";

/// How long the browser may take to leave.
const CLOSING_TIME: Duration = Duration::from_secs(3);

/// How the browser is started: no window, no network, nothing remembered, nothing asked of the
/// machine.
///
/// Every host name leads nowhere, and a proxy that is not there stands before every address: what
/// is not intercepted cannot connect.
const FLAGS: [&str; 25] = [
    "--headless=new",
    "--remote-debugging-pipe",
    "--host-resolver-rules=MAP * ~NOTFOUND",
    "--proxy-server=127.0.0.1:9",
    "--proxy-bypass-list=<-loopback>",
    // The switch was renamed; whichever one a Chromium does not know it passes over.
    "--webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
    "--disable-quic",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-extensions",
    "--disable-sync",
    "--disable-breakpad",
    "--disable-gpu",
    "--disable-dev-shm-usage",
    "--deny-permission-prompts",
    "--block-new-web-contents",
    "--no-default-browser-check",
    "--no-first-run",
    "--no-pings",
    "--mute-audio",
    "--password-store=basic",
    "--window-size=1280,2000",
];

/// How the browser is found.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct BrowserOptions {
    /// The program; without one, Chromium is looked for on the PATH.
    pub program: Option<PathBuf>,
}

/// A running browser.
#[derive(Debug)]
pub struct Browser {
    pub(super) pipe: Pipe,
    process: Child,
    /// The folder that is removed with the browser.
    _profile: TempDir,
}

/// The first Chromium on the PATH.
pub fn find_browser() -> Result<PathBuf, RenderError> {
    NAMES
        .iter()
        .find_map(|name| find_program(Path::new(name)))
        .ok_or_else(|| RenderError::NoBrowser {
            tried: NAMES.join(", "),
        })
}

/// Where a program is: by its path, or a name that is looked for on the PATH.
fn find_program(program: &Path) -> Option<PathBuf> {
    if program.components().count() > 1 {
        return program.is_file().then(|| program.to_owned());
    }
    env::split_paths(&env::var_os("PATH")?)
        .map(|folder| folder.join(program))
        .find(|candidate| candidate.is_file())
}

impl Browser {
    /// Starts a browser and sees that it answers.
    pub fn start(options: &BrowserOptions) -> Result<Self, RenderError> {
        let program = match &options.program {
            Some(program) => find_program(program).ok_or_else(|| RenderError::NotStarted {
                browser: program.clone(),
                cause: io::ErrorKind::NotFound.into(),
            })?,
            None => find_browser()?,
        };
        let not_started = |cause| RenderError::NotStarted {
            browser: program.clone(),
            cause,
        };
        sweep_profiles(&env::temp_dir());
        let profile = tempfile::Builder::new()
            .prefix(&format!("{PROFILE_PREFIX}{}-", std::process::id()))
            .tempdir()
            .map_err(not_started)?;
        let mut process = command(&program, profile.path()).spawn().map_err(not_started)?;
        let (Some(commands), Some(answers)) = (process.stdin.take(), process.stdout.take()) else {
            return Err(RenderError::Gone);
        };
        let mut browser = Self {
            pipe: Pipe::new(commands, answers),
            process,
            _profile: profile,
        };
        // A program that is no Chromium leaves, or never answers.
        browser
            .pipe
            .call("", "Browser.getVersion", json!({}), None)
            .map_err(|error| not_started(io::Error::other(error.to_string())))?;
        browser
            .pipe
            .call("", "Browser.setDownloadBehavior", json!({ "behavior": "deny" }), None)?;
        Ok(browser)
    }
}

impl Drop for Browser {
    fn drop(&mut self) {
        // A browser that is asked to leave takes its helpers with it, so that the profile can be
        // removed. One that is stuck is killed; its profile may then be in use for a moment longer,
        // and is swept at the next start.
        let is_asked = self.pipe.send("", "Browser.close", json!({})).is_ok();
        let asked = Instant::now();
        while is_asked && asked.elapsed() < CLOSING_TIME && matches!(self.process.try_wait(), Ok(None)) {
            thread::sleep(Duration::from_millis(10));
        }
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

/// The command line. The protocol wants descriptors 3 and 4; a shell moves our pipes there, so that
/// no unsafe code has to.
fn command(program: &Path, profile: &Path) -> Command {
    let mut command = Command::new("sh");
    command
        .arg("-c")
        .arg(r#"exec "$0" "$@" 3<&0 4>&1 0</dev/null 1>/dev/null"#)
        .arg(program)
        .args(FLAGS)
        .arg(format!("--user-data-dir={}", profile.display()));
    if is_root() {
        // Chromium refuses to make its sandbox for root. Whoever renders as root trusts the pages;
        // the documents say so.
        command.arg("--no-sandbox");
    }
    command
        .arg("about:blank")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null());
    // A terminal sends Ctrl-C to the whole group of processes: what is under way is finished by us,
    // with the browser.
    #[cfg(unix)]
    {
        use std::os::unix::process::CommandExt;
        command.process_group(0);
    }
    command
}

/// Whether this process is root's, as far as the system tells without asking it in unsafe code.
fn is_root() -> bool {
    #[cfg(unix)]
    {
        use std::os::unix::fs::MetadataExt;
        fs::metadata("/proc/self").is_ok_and(|process| process.uid() == 0)
    }
    #[cfg(not(unix))]
    false
}

/// Removes the profiles of processes that are gone: a program that was killed could not do so
/// itself.
fn sweep_profiles(folder: &Path) {
    if !Path::new("/proc/self").exists() {
        return;
    }
    for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let owner = name.to_str().and_then(|name| name.strip_prefix(PROFILE_PREFIX));
        let Some((process, _)) = owner.and_then(|owner| owner.split_once('-')) else {
            continue;
        };
        let is_number = process.parse::<u32>().is_ok();
        if is_number && !Path::new("/proc").join(process).exists() {
            let _ = fs::remove_dir_all(entry.path());
        }
    }
}
