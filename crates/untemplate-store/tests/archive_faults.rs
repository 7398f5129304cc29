//! Whatever step fails, and wherever the process or the machine stops: what was committed is there,
//! and a crawl that goes on ends with the same pages as one that was never disturbed.

mod archive_builder;

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use archive_builder::{claim_options, content, new_request, page_outcome};
use untemplate_store::archive::{
    ArchiveError, ArchiveOptions, CommitStep, Committed, Disk, Frontier, NewRequest, PageStore, SqliteArchive,
    SystemDisk, UnixMillis,
};

/// Steps of an undisturbed run are fewer than this: an end for every loop.
const STEPS_MAX: usize = 1_000;

/// What happens at the chosen step.
#[derive(Clone, Copy, PartialEq)]
enum Fault {
    /// The step fails: the disk is full or broken, in turns.
    Fails,
    /// The machine stops: what was not synced is gone. The folder is copied as it is then.
    MachineStops,
    /// The process stops: everything it wrote is there. The folder is copied as it is then.
    ProcessStops,
}

const EIO: i32 = 5;
const ENOSPC: i32 = 28;

/// What a disk that fails has seen.
struct Seen {
    n_steps: usize,
    fault_at: usize,
    fault: Fault,
    /// How many bytes of each file are certainly on the disk.
    synced: BTreeMap<PathBuf, u64>,
    folder: PathBuf,
    /// Where the copy goes.
    copy: PathBuf,
}

/// A disk that fails once.
#[derive(Clone)]
struct FaultyDisk(Arc<Mutex<Seen>>);

impl FaultyDisk {
    /// Counts a step; an error if it is the chosen one.
    fn step(&self) -> io::Result<()> {
        let mut seen = self.0.lock().expect("one thread");
        seen.n_steps += 1;
        if seen.n_steps != seen.fault_at {
            return Ok(());
        }
        if seen.fault != Fault::Fails {
            copy_folder(&seen);
        }
        Err(io::Error::from_raw_os_error([EIO, ENOSPC][seen.n_steps % 2]))
    }

    fn has_failed(&self) -> bool {
        let seen = self.0.lock().expect("one thread");
        seen.n_steps >= seen.fault_at
    }
}

/// Copies the folder as it would be found after a crash.
fn copy_folder(seen: &Seen) {
    for part in ["", "bodies"] {
        let (from, to) = (seen.folder.join(part), seen.copy.join(part));
        let Ok(entries) = fs::read_dir(from) else { continue };
        fs::create_dir_all(&to).expect("a folder");
        for entry in entries.map(|entry| entry.expect("an entry")) {
            let name = entry.file_name();
            // Shared memory does not outlive its processes.
            if entry.path().is_file() && !name.to_string_lossy().ends_with("-shm") {
                fs::copy(entry.path(), to.join(&name)).expect("a copy");
                cut_to_synced(seen, &entry.path(), &to.join(&name));
            }
        }
    }
}

fn cut_to_synced(seen: &Seen, original: &Path, copy: &Path) {
    if seen.fault == Fault::MachineStops && original.extension().is_some_and(|extension| extension == "zst") {
        let length = seen.synced.get(original).copied().unwrap_or(0);
        let file = File::options().write(true).open(copy).expect("the copy");
        file.set_len(length).expect("shorter");
    }
}

impl Disk for FaultyDisk {
    fn create_folder(&mut self, folder: &Path) -> io::Result<()> {
        self.step().and_then(|()| SystemDisk.create_folder(folder))
    }

    fn create(&mut self, path: &Path) -> io::Result<File> {
        self.step().and_then(|()| SystemDisk.create(path))
    }

    fn open_at(&mut self, path: &Path, length: u64) -> io::Result<File> {
        self.step()?;
        self.0
            .lock()
            .expect("one thread")
            .synced
            .insert(path.to_owned(), length);
        SystemDisk.open_at(path, length)
    }

    fn write(&mut self, path: &Path, file: &mut File, bytes: &[u8]) -> io::Result<()> {
        // A write that fails has often written something.
        let half = bytes.len() / 2;
        SystemDisk.write(path, file, &bytes[..half])?;
        self.step()?;
        SystemDisk.write(path, file, &bytes[half..])
    }

    fn sync(&mut self, path: &Path, file: &File) -> io::Result<()> {
        self.step()?;
        let length = file.metadata()?.len();
        self.0
            .lock()
            .expect("one thread")
            .synced
            .insert(path.to_owned(), length);
        Ok(())
    }

    fn sync_folder(&mut self, _folder: &Path) -> io::Result<()> {
        self.step()
    }

    fn reach(&mut self, _step: CommitStep) -> io::Result<()> {
        self.step()
    }
}

/// Small segments, so that several are begun.
fn options() -> ArchiveOptions {
    ArchiveOptions {
        segment_bytes_max: 100,
        host_delay_ms: 10,
    }
}

/// The page at an address of the made-up site: some are alike, one is empty.
fn body(url: &str) -> Vec<u8> {
    let number: usize = url
        .rsplit('/')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0);
    match number % 7 {
        5 => Vec::new(),
        6 => b"this page is like others".to_vec(),
        _ => format!("<p>page {number} of {url}").into_bytes(),
    }
}

/// Every page links to the next ones, over three hosts.
fn links(url: &str) -> Vec<NewRequest> {
    let number: usize = url
        .rsplit('/')
        .next()
        .and_then(|number| number.parse().ok())
        .unwrap_or(0);
    let next = [2 * number + 1, 2 * number + 2].into_iter().filter(|next| *next < 13);
    next.map(|next| new_request(&format!("http://h{}.example/{next}", next % 3), -(next as f64)))
        .collect()
}

/// Crawls the made-up site to its end, from wherever the archive is; tells which pages were said to
/// be committed.
fn crawl(archive: &mut SqliteArchive, start: i64, told: &mut Vec<String>) -> Result<(), ArchiveError> {
    let mut now = UnixMillis(start);
    archive.add(&[new_request("http://h0.example/0", 0.0)], now)?;
    for _ in 0..STEPS_MAX {
        let claims = archive.claim(now, &claim_options(3))?;
        let statistics = archive.statistics()?;
        if claims.is_empty() && statistics.waiting + statistics.open == 0 {
            return Ok(());
        }
        let mut batch = Vec::new();
        for claim in &claims {
            let url = claim.request.url.as_str();
            let mut outcome = page_outcome(claim, &body(url));
            outcome.links = links(url);
            batch.push(outcome);
        }
        let report = archive.commit(&batch, now)?;
        for (claim, committed) in claims.iter().zip(report.committed) {
            assert!(matches!(committed, Committed::Page { .. }));
            told.push(claim.request.url.to_string());
        }
        now = now + 1_000;
    }
    panic!("the crawl does not end");
}

fn undisturbed() -> Vec<(String, u16, Vec<u8>)> {
    let folder = tempfile::tempdir().expect("a folder");
    let mut archive = SqliteArchive::open(folder.path(), &options(), UnixMillis(0)).expect("an archive");
    crawl(&mut archive, 0, &mut Vec::new()).expect("a crawl");
    let pages = content(&mut archive);
    assert_eq!(pages.len(), 13);
    assert!(fs::read_dir(folder.path().join("bodies")).expect("segments").count() > 2);
    pages
}

/// What was said to be committed is there.
fn check_told(archive: &mut SqliteArchive, told: &[String]) {
    for url in told {
        let page = archive
            .page(&archive_builder::request(url))
            .expect("readable")
            .expect("stored");
        assert_eq!(archive.body(page.id).expect("a body"), body(url));
    }
}

/// A run that was disturbed.
struct Disturbed<'run> {
    /// The archive, unless opening it failed.
    archive: Option<SqliteArchive>,
    folder: &'run Path,
    copy: &'run Path,
    /// The pages that were said to be committed.
    told: Vec<String>,
}

/// Runs with the fault at every step there is; `go_on` ends the crawl and returns the pages.
fn check_fault(fault: Fault, go_on: impl Fn(Disturbed<'_>) -> Vec<(String, u16, Vec<u8>)>) {
    let expected = undisturbed();
    for fault_at in 1..STEPS_MAX {
        let (folder, copy) = (
            tempfile::tempdir().expect("a folder"),
            tempfile::tempdir().expect("a folder"),
        );
        let (folder, copy) = (folder.path().join("archive"), copy.path());
        let disk = FaultyDisk(Arc::new(Mutex::new(Seen {
            n_steps: 0,
            fault_at,
            fault,
            synced: BTreeMap::new(),
            folder: folder.clone(),
            copy: copy.to_owned(),
        })));
        let (mut told, mut archive) = (Vec::new(), None);
        let opened = SqliteArchive::open_on(&folder, &options(), UnixMillis(0), Box::new(disk.clone()));
        let ended = opened.and_then(|opened| crawl(archive.insert(opened), 0, &mut told));
        if !disk.has_failed() {
            ended.expect("nothing failed");
            assert!(fault_at > 40, "only {fault_at} steps were tried");
            return;
        }
        check_message(&ended.expect_err("a step failed"));
        let folder = &folder;
        let pages = go_on(Disturbed {
            archive,
            folder,
            copy,
            told,
        });
        assert_eq!(pages, expected, "after a fault at step {fault_at}");
    }
    panic!("there is no clean run");
}

/// It names a file and says what to try.
fn check_message(error: &ArchiveError) {
    let message = error.to_string();
    assert!(message.contains(std::path::MAIN_SEPARATOR), "{message}");
    assert!(message.contains("run the same command again"), "{message}");
}

fn open(folder: &Path) -> SqliteArchive {
    SqliteArchive::open(folder, &options(), UnixMillis(50_000)).expect("an archive that can be opened")
}

fn end(mut archive: SqliteArchive, told: &[String]) -> Vec<(String, u16, Vec<u8>)> {
    check_told(&mut archive, told);
    crawl(&mut archive, 60_000, &mut Vec::new()).expect("a crawl that goes on");
    content(&mut archive)
}

#[test]
fn after_an_error_the_archive_is_opened_again() {
    check_fault(Fault::Fails, |disturbed| {
        drop(disturbed.archive);
        end(open(disturbed.folder), &disturbed.told)
    });
}

#[test]
fn after_an_error_the_open_archive_goes_on() {
    check_fault(Fault::Fails, |disturbed| {
        let archive = disturbed.archive.unwrap_or_else(|| open(disturbed.folder));
        end(archive, &disturbed.told)
    });
}

#[test]
fn the_process_stops() {
    check_fault(Fault::ProcessStops, |disturbed| {
        end(open(disturbed.copy), &disturbed.told)
    });
}

#[test]
fn the_machine_stops() {
    check_fault(Fault::MachineStops, |disturbed| {
        end(open(disturbed.copy), &disturbed.told)
    });
}
