//! The archive of a crawl in a folder: one process writes, any number read.
//!
//! The folder holds `archive.sqlite` (and what SQLite keeps beside it), `archive.lock`, and
//! `bodies/`.

use std::fs::File;
use std::path::{Path, PathBuf};

use untemplate::page::Request;

use super::database::Database;
use super::schema::state;
use super::{claims, hosts, pages, requests, schema};
use crate::archive::disk::{Disk, SystemDisk};
use crate::archive::known_keys::KnownKeys;
use crate::archive::lock::lock;
use crate::archive::page_store::{PageId, PageStore, StoredPage};
use crate::archive::segment::{SegmentReader, SegmentWriter};
use crate::archive::{
    ArchiveError, Claim, ClaimOptions, CommitReport, Committed, Fate, Frontier, FrontierStatistics, HostSchedule,
    KeptPage, NewRequest, Outcome, UnixMillis,
};

const SETTING: &str = "SELECT value FROM setting WHERE name = ?1";

const SET_SETTING: &str = "INSERT INTO setting (name, value) VALUES (?1, ?2)
    ON CONFLICT (name) DO UPDATE SET value = excluded.value";

/// How an archive is written.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ArchiveOptions {
    /// A file of bodies that has this many bytes is followed by the next one.
    pub segment_bytes_max: u64,
    /// How long a host rests between requests as long as nobody has set its schedule.
    pub host_delay_ms: i64,
}

impl Default for ArchiveOptions {
    fn default() -> Self {
        Self {
            segment_bytes_max: 256 << 20,
            host_delay_ms: 1_000,
        }
    }
}

/// An archive that is only read, also while another process writes to it.
pub struct ArchiveReader {
    pub(super) folder: PathBuf,
    pub(super) database: Database,
    bodies: SegmentReader,
}

impl ArchiveReader {
    /// Opens the archive in a folder.
    pub fn open(folder: &Path) -> Result<Self, ArchiveError> {
        let connection = schema::open_reader(folder)?;
        Self::over(folder, connection, 0)
    }

    fn over(folder: &Path, connection: rusqlite::Connection, host_delay_ms: i64) -> Result<Self, ArchiveError> {
        let file = folder.join(schema::DATABASE_FILE);
        let (known, bodies) = (KnownKeys::new(), SegmentReader::new(folder)?);
        Ok(Self {
            folder: folder.to_owned(),
            database: Database {
                connection,
                file,
                known,
                host_delay_ms,
            },
            bodies,
        })
    }

    /// How far the crawl is.
    pub fn statistics(&mut self) -> Result<FrontierStatistics, ArchiveError> {
        self.database.ask(claims::statistics)
    }

    /// A setting of the crawl.
    pub fn setting(&mut self, name: &str) -> Result<Option<String>, ArchiveError> {
        use rusqlite::OptionalExtension;
        self.database.ask(|connection| {
            let mut statement = connection.prepare_cached(SETTING)?;
            statement.query_row([name], |row| row.get(0)).optional()
        })
    }
}

impl PageStore for ArchiveReader {
    fn page(&mut self, request: &Request) -> Result<Option<StoredPage>, ArchiveError> {
        self.database.ask(|connection| pages::page(connection, request))
    }

    fn pages_after(&mut self, after: PageId, pages_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.database
            .ask(|connection| pages::pages_after(connection, after, pages_max))
    }

    fn captures_after(&mut self, after: PageId, captures_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.database
            .ask(|connection| pages::captures_after(connection, after, captures_max))
    }

    fn captures_of(&mut self, request: &Request) -> Result<Vec<StoredPage>, ArchiveError> {
        self.database.ask(|connection| pages::captures_of(connection, request))
    }

    fn capture(&mut self, page: PageId) -> Result<StoredPage, ArchiveError> {
        let capture = self.database.ask(|connection| pages::capture(connection, page))?;
        capture.ok_or_else(|| self.no_such_page(page))
    }

    fn body(&mut self, page: PageId) -> Result<Vec<u8>, ArchiveError> {
        let place = self.database.ask(|connection| pages::body_place(connection, page))?;
        match place.ok_or_else(|| self.no_such_page(page))? {
            Some((hash, place)) => self.bodies.read(place, hash),
            None => Ok(Vec::new()),
        }
    }
}

impl ArchiveReader {
    fn no_such_page(&self, page: PageId) -> ArchiveError {
        ArchiveError::NoSuchPage {
            folder: self.folder.clone(),
            number: page.0,
        }
    }
}

/// An archive that this process writes to, and no other.
pub struct SqliteArchive {
    pub(super) reader: ArchiveReader,
    pub(super) segments: SegmentWriter,
    pub(super) disk: Box<dyn Disk>,
    /// Held as long as the archive is open. Fields are dropped in order, so this one is the last.
    _lock: File,
}

impl SqliteArchive {
    /// Opens the archive in a folder, and creates it where it is not there. Whatever another
    /// process had claimed is claimable again: it is dead, since it does not hold the lock. Hosts
    /// that it was asking rest for their delay first.
    pub fn open(folder: &Path, options: &ArchiveOptions, now: UnixMillis) -> Result<Self, ArchiveError> {
        Self::open_on(folder, options, now, Box::new(SystemDisk))
    }

    /// The same on another disk: tests let it fail.
    pub fn open_on(
        folder: &Path,
        options: &ArchiveOptions,
        now: UnixMillis,
        disk: Box<dyn Disk>,
    ) -> Result<Self, ArchiveError> {
        let mut disk = disk;
        let created = disk.create_folder(folder);
        created.map_err(|cause| ArchiveError::file("create", folder, cause))?;
        let held = lock(folder)?;
        let connection = schema::open_writer(folder)?;
        let mut reader = ArchiveReader::over(folder, connection, options.host_delay_ms)?;
        let database = &mut reader.database;
        database.transact(now, |writing| Ok(writing.give_up_leases(UnixMillis::NEVER)?))?;
        let last = database.ask(pages::last_segment)?;
        let segments = SegmentWriter::open(folder, last, options.segment_bytes_max, &mut *disk)?;
        sync_parent(folder, &mut *disk)?;
        Ok(Self {
            reader,
            segments,
            disk,
            _lock: held,
        })
    }
}

/// The folder itself may be new.
fn sync_parent(folder: &Path, disk: &mut dyn Disk) -> Result<(), ArchiveError> {
    let parent = folder.parent().filter(|parent| !parent.as_os_str().is_empty());
    let parent = parent.unwrap_or(Path::new("."));
    disk.sync_folder(parent)
        .map_err(|cause| ArchiveError::file("sync", parent, cause))
}

impl Frontier for SqliteArchive {
    fn add(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<usize, ArchiveError> {
        let database = &mut self.reader.database;
        database.transact(now, |writing| Ok(writing.add_requests(requests, None)?))
    }

    fn want(&mut self, requests: &[NewRequest], now: UnixMillis) -> Result<(), ArchiveError> {
        let database = &mut self.reader.database;
        database.transact(now, |writing| Ok(writing.want(requests)?))
    }

    fn claim(&mut self, now: UnixMillis, options: &ClaimOptions) -> Result<Vec<Claim>, ArchiveError> {
        // A claim that a crash of the machine undoes was never made: the request waits, and a
        // reboot is rest enough.
        let database = &mut self.reader.database;
        database.transact_lightly(now, |writing| Ok(writing.claim(options)?))
    }

    fn claim_of(
        &mut self,
        requests: &[Request],
        now: UnixMillis,
        options: &ClaimOptions,
    ) -> Result<Vec<Claim>, ArchiveError> {
        let database = &mut self.reader.database;
        database.transact_lightly(now, |writing| Ok(writing.claim_of(requests, options)?))
    }

    fn commit(&mut self, batch: &[Outcome], now: UnixMillis) -> Result<CommitReport, ArchiveError> {
        self.commit_outcomes(batch, now)
    }

    fn statistics(&mut self) -> Result<FrontierStatistics, ArchiveError> {
        self.reader.statistics()
    }

    fn fate(&mut self, request: &Request) -> Result<Option<Fate>, ArchiveError> {
        self.reader
            .database
            .ask(|connection| requests::fate(connection, request))
    }

    fn keep(&mut self, pages: &[KeptPage], now: UnixMillis) -> Result<Vec<Committed>, ArchiveError> {
        self.commit_kept(pages, now)
    }

    fn refresh(&mut self, before: UnixMillis) -> Result<usize, ArchiveError> {
        self.reader
            .database
            .transact(before, |writing| Ok(writing.refresh(before.0)?))
    }

    fn retry_failed(&mut self) -> Result<usize, ArchiveError> {
        self.reader
            .database
            .transact(UnixMillis(0), |writing| Ok(writing.retry(state::FAILED)?))
    }

    fn retry_skipped(&mut self) -> Result<usize, ArchiveError> {
        self.reader
            .database
            .transact(UnixMillis(0), |writing| Ok(writing.retry(state::SKIPPED)?))
    }

    fn host(&mut self, host: &str) -> Result<Option<HostSchedule>, ArchiveError> {
        self.reader.database.ask(|connection| hosts::host(connection, host))
    }

    fn wake(&mut self, schedule: &HostSchedule) -> Result<(), ArchiveError> {
        self.reader
            .database
            .transact(UnixMillis(0), |writing| Ok(writing.wake_host(schedule)?))
    }

    fn resting_hosts(&mut self, now: UnixMillis) -> Result<Vec<String>, ArchiveError> {
        self.reader.database.ask(|connection| hosts::resting(connection, now))
    }

    fn has_waiting_besides(&mut self, hosts: &[String]) -> Result<bool, ArchiveError> {
        self.reader
            .database
            .ask(|connection| hosts::has_waiting_besides(connection, hosts))
    }

    fn setting(&mut self, name: &str) -> Result<Option<String>, ArchiveError> {
        self.reader.setting(name)
    }

    fn set_setting(&mut self, name: &str, value: &str) -> Result<(), ArchiveError> {
        self.reader.database.transact(UnixMillis(0), |writing| {
            writing.connection.prepare_cached(SET_SETTING)?.execute([name, value])?;
            Ok(())
        })
    }

    fn skipped_because(&mut self, begin: &str) -> Result<u64, ArchiveError> {
        self.reader
            .database
            .ask(|connection| requests::skipped_because(connection, begin))
    }
}

impl PageStore for SqliteArchive {
    fn page(&mut self, request: &Request) -> Result<Option<StoredPage>, ArchiveError> {
        self.reader.page(request)
    }

    fn pages_after(&mut self, after: PageId, pages_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.reader.pages_after(after, pages_max)
    }

    fn captures_after(&mut self, after: PageId, captures_max: usize) -> Result<Vec<StoredPage>, ArchiveError> {
        self.reader.captures_after(after, captures_max)
    }

    fn captures_of(&mut self, request: &Request) -> Result<Vec<StoredPage>, ArchiveError> {
        self.reader.captures_of(request)
    }

    fn capture(&mut self, page: PageId) -> Result<StoredPage, ArchiveError> {
        self.reader.capture(page)
    }

    fn body(&mut self, page: PageId) -> Result<Vec<u8>, ArchiveError> {
        self.reader.body(page)
    }
}
