//! The register: all jobs of a studio. What is kept is on the disk; only processes are in memory.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::path::{Path, PathBuf};
use std::process::Child;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

use super::order::{JobPlace, Order, PREVIEW};
use super::process::{MESSAGES, UNDER_WAY, code_of, interrupt, interrupt_other, is_alive, start};

/// The folder below the studio's that jobs are kept in.
pub const JOBS: &str = "untemplate-jobs";

/// Jobs that run at a time.
const RUNNING_MAX: usize = 4;

/// Jobs that are listed.
const LISTED_MAX: usize = 200;

/// How long jobs have to stop when the studio does, before they are asked again, and then ended.
const STOPPING: [Duration; 2] = [Duration::from_secs(8), Duration::from_secs(2)];

/// How jobs are started.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct JobOptions {
    /// The program: this one.
    pub program: PathBuf,
    /// Where pages come from instead of the web, as arguments: what the studio was given.
    pub sources: Vec<OsString>,
    /// How hosts are treated, as arguments: what the studio was given.
    pub politeness: Vec<OsString>,
    /// Whether jobs never connect to private addresses.
    pub is_public_only: bool,
    /// The command or address that is told what came of jobs that run again.
    pub notice: Option<String>,
}

impl Default for JobOptions {
    fn default() -> Self {
        Self {
            // A program that does not know where it is starts no jobs, and says so then.
            program: std::env::current_exe().unwrap_or_default(),
            sources: Vec::new(),
            politeness: Vec::new(),
            is_public_only: true,
            notice: None,
        }
    }
}

/// How a job is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum JobState {
    /// It is under way.
    Running,
    /// It ended with this code.
    Ended(i32),
    /// It was cut off, and nobody knows more.
    Left,
}

impl JobState {
    /// What it means.
    pub fn words(self) -> &'static str {
        match self {
            Self::Running => "under way",
            Self::Ended(0) => "complete",
            Self::Ended(2) => "refused its arguments",
            Self::Ended(3) => "done in part",
            Self::Ended(4) => "done; the site has changed",
            Self::Ended(5) => "complete, and nothing was found",
            Self::Ended(130) => "interrupted; all is kept",
            Self::Ended(_) => "failed",
            Self::Left => "left unfinished",
        }
    }

    /// Whether the same order would go on from here.
    pub fn can_go_on(self) -> bool {
        !matches!(self, Self::Running)
    }
}

/// A job that was ordered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Job {
    /// Its name: that of its folder.
    pub name: String,
    /// What was ordered.
    pub order: Order,
    /// Where its files are.
    pub place: JobPlace,
    /// How it is.
    pub state: JobState,
}

impl Job {
    /// The file of its messages.
    pub fn messages(&self) -> PathBuf {
        self.place.folder.join(MESSAGES)
    }

    /// Its summary, if it wrote one.
    pub fn summary(&self) -> Option<Value> {
        let text = fs::read_to_string(self.place.folder.join("summary.json")).ok()?;
        serde_json::from_str(&text).ok()
    }
}

/// All jobs of a studio.
pub struct Jobs {
    studio: PathBuf,
    /// How jobs are started.
    pub options: JobOptions,
    running: Mutex<BTreeMap<String, Child>>,
}

impl Jobs {
    /// The jobs of a folder.
    pub fn new(studio: &Path, options: JobOptions) -> Self {
        Self {
            studio: studio.canonicalize().unwrap_or_else(|_| studio.to_owned()),
            options,
            running: Mutex::default(),
        }
    }

    fn running(&self) -> MutexGuard<'_, BTreeMap<String, Child>> {
        self.running.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn place(&self, name: &str) -> JobPlace {
        JobPlace {
            studio: self.studio.clone(),
            folder: self.studio.join(JOBS).join(name),
        }
    }

    /// All jobs, those under way first, then the latest.
    pub fn all(&self) -> Vec<Job> {
        let entries = fs::read_dir(self.studio.join(JOBS)).into_iter().flatten().flatten();
        let mut dated: Vec<_> = entries
            .map(|entry| {
                (
                    entry.metadata().and_then(|facts| facts.modified()).ok(),
                    entry.file_name(),
                )
            })
            .collect();
        dated.sort_by(|left, right| right.cmp(left));
        let names = dated.iter().take(LISTED_MAX).filter_map(|(_, name)| name.to_str());
        let mut jobs: Vec<Job> = names.filter_map(|name| self.job(name)).collect();
        jobs.sort_by_key(|job| job.state != JobState::Running);
        jobs
    }

    /// A job by its name.
    pub fn job(&self, name: &str) -> Option<Job> {
        let is_plain = !name.is_empty() && name.chars().all(|c| c.is_ascii_alphanumeric() || c == '-');
        if !is_plain {
            return None;
        }
        let place = self.place(name);
        let order = fs::read_to_string(place.folder.join("job.json")).ok()?;
        Some(Job {
            name: name.to_owned(),
            order: serde_json::from_str(&order).ok()?,
            state: self.state(name, &place),
            place,
        })
    }

    fn state(&self, name: &str, place: &JobPlace) -> JobState {
        let mut running = self.running();
        if let Some(process) = running.get_mut(name) {
            let Ok(Some(status)) = process.try_wait() else {
                return JobState::Running;
            };
            let code = code_of(status);
            // What cannot be noted, as on a full disk, is known for as long as the studio runs.
            if note_end(place, code).is_err() {
                return JobState::Ended(code);
            }
            running.remove(name);
        }
        drop(running);
        // What another studio started, and left behind when it was killed, goes on.
        if is_alive(&place.folder) {
            return JobState::Running;
        }
        let told = |file: &str, name: &str| {
            let text = fs::read_to_string(place.folder.join(file)).ok()?;
            serde_json::from_str::<Value>(&text).ok()?[name].as_i64()
        };
        // A job that nobody watched to its end has told it itself.
        let code = told("ended.json", "code").or_else(|| told("summary.json", "exit_code"));
        code.map_or(JobState::Left, |code| JobState::Ended(code as i32))
    }

    /// Starts a job in a folder of its own; the text says why it cannot be.
    pub fn start(&self, mut order: Order) -> Result<String, String> {
        order.settle_pages(&self.studio);
        let failed = |error: std::io::Error| format!("the job's folder cannot be written: {error}");
        fs::create_dir_all(self.studio.join(JOBS)).map_err(failed)?;
        let stem = order.stem();
        let is_new = |name: &String| fs::create_dir(self.studio.join(JOBS).join(name)).is_ok();
        let mut names = (1..10_000).map(|number| format!("{stem}-{number}"));
        let name = names
            .find(is_new)
            .ok_or("no folder for the job could be made; check that the studio's folder may be written to")?;
        let text = serde_json::to_string_pretty(&order).unwrap_or_default();
        fs::write(self.place(&name).folder.join("job.json"), text + "\n").map_err(failed)?;
        self.go(&name, &order).map(|()| name)
    }

    /// Starts a job again: it goes on with what it kept.
    pub fn resume(&self, name: &str) -> Result<(), String> {
        let job = self.job(name).ok_or("there is no such job")?;
        if !job.state.can_go_on() {
            return Err(UNDER_WAY.to_owned());
        }
        self.go(name, &job.order)
    }

    fn go(&self, name: &str, order: &Order) -> Result<(), String> {
        let place = self.place(name);
        let arguments = order.arguments(&place, &self.options)?;
        let mut running = self.running();
        let is_under_way = |process: &mut Child| !matches!(process.try_wait(), Ok(Some(_)));
        if is_alive(&place.folder) || running.get_mut(name).is_some_and(is_under_way) {
            return Err(UNDER_WAY.to_owned());
        }
        if running.values_mut().map(is_under_way).filter(|is| *is).count() >= RUNNING_MAX {
            return Err(format!("{RUNNING_MAX} jobs are under way; wait for one, or cancel it"));
        }
        // What an earlier start left is not taken for the end of this one.
        for file in ["ended.json", "summary.json", PREVIEW] {
            let _ = fs::remove_file(place.folder.join(file));
        }
        let started = start(&self.options.program, &arguments, &place.folder);
        let process =
            started.map_err(|error| format!("{} cannot be started: {error}", self.options.program.display()))?;
        running.insert(name.to_owned(), process);
        Ok(())
    }

    /// Asks a job to stop.
    pub fn cancel(&self, name: &str) -> Result<(), String> {
        let job = self.job(name).ok_or("there is no such job")?;
        match self.running().get_mut(name) {
            Some(process) => interrupt(process).map_err(|error| format!("it cannot be interrupted: {error}")),
            None => interrupt_other(&job.place.folder)
                .map_err(|error| format!("it is not under way, or not to be reached: {error}")),
        }
    }

    /// Asks all jobs to stop, and waits until they have.
    pub fn stop_all(&self) {
        let mut running = self.running();
        for patience in STOPPING {
            running.values_mut().for_each(|process| drop(interrupt(process)));
            let asked = Instant::now();
            while !running.is_empty() && asked.elapsed() < patience {
                running.retain(|name, process| match process.try_wait() {
                    Ok(Some(status)) => {
                        let _ = note_end(&self.place(name), code_of(status));
                        false
                    }
                    _ => true,
                });
                thread::sleep(Duration::from_millis(20));
            }
        }
        for (name, mut process) in std::mem::take(&mut *running) {
            let _ = process.kill();
            if let Ok(status) = process.wait() {
                let _ = note_end(&self.place(&name), code_of(status));
            }
        }
    }
}

/// Notes how a job ended. Where that cannot be written the next studio takes the job for left.
fn note_end(place: &JobPlace, code: i32) -> io::Result<()> {
    let text = json!({ "code": code }).to_string() + "\n";
    untemplate_store::write_whole(&place.folder.join("ended.json"), text.as_bytes())
}
