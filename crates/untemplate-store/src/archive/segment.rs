//! Segments: the files that hold bodies, one zstd frame after the other.
//!
//! Bodies are appended and on the disk before a row names them, so that bytes behind the last named
//! one mean nothing and are cut off. After any trouble a segment is left as it is and the next one
//! begun: what a failed sync left on the disk is anyone's guess. Every segment can be unpacked with
//! `zstd -d`, and every body's hash is checked on reading.

use std::fs::File;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};

use zstd::bulk::{Compressor, Decompressor};

use super::disk::Disk;
use super::packing::{compressor, unpacked};
use super::{ArchiveError, ContentHash};

/// The folder of segments in the archive's folder.
const FOLDER: &str = "bodies";

/// Where a body is stored.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) struct BodyPlace {
    /// The number of the segment, from 1.
    pub(super) segment: i64,
    /// Where in it the frame begins.
    pub(super) offset: u64,
    /// How many bytes the frame has.
    pub(super) stored_length: u64,
    /// How many bytes the body has.
    pub(super) length: u64,
}

/// The path of a segment.
pub(super) fn segment_path(folder: &Path, number: i64) -> PathBuf {
    folder.join(FOLDER).join(format!("{number:06}.zst"))
}

/// Appends bodies to segments.
pub(super) struct SegmentWriter {
    folder: PathBuf,
    /// The segment being written and its file; `None` when the next write begins a new one.
    file: Option<File>,
    /// The last segment that a row names.
    number: i64,
    /// How many of its bytes rows name.
    named_length: u64,
    /// The number of the next new segment.
    next_number: i64,
    segment_bytes_max: u64,
    compressor: Compressor<'static>,
    /// The segment that this commit's bodies go to, and where in it they begin.
    target: (i64, u64),
    /// The frames of this commit; empty between commits.
    pending: Vec<u8>,
}

impl SegmentWriter {
    /// Goes on behind the last byte that a row names: `number` and `named_length` are 0 in a new
    /// archive.
    pub(super) fn open(
        folder: &Path,
        (number, named_length): (i64, u64),
        segment_bytes_max: u64,
        disk: &mut dyn Disk,
    ) -> Result<Self, ArchiveError> {
        let bodies = folder.join(FOLDER);
        disk.create_folder(&bodies)
            .and_then(|()| disk.sync_folder(folder))
            .map_err(|cause| ArchiveError::file("create", &bodies, cause))?;
        let path = segment_path(folder, number);
        // A segment that is shorter than it should be, or gone, is left for whoever repairs it.
        let is_whole = path.metadata().is_ok_and(|metadata| metadata.len() >= named_length);
        let file = match number > 0 && is_whole {
            true => Some(disk.open_at(&path, named_length)).transpose(),
            false => Ok(None),
        };
        Ok(Self {
            folder: folder.to_owned(),
            file: file.map_err(|cause| ArchiveError::file("open", &path, cause))?,
            number,
            named_length,
            next_number: number + 1,
            segment_bytes_max,
            compressor: compressor().map_err(|cause| ArchiveError::file("compress for", &path, cause))?,
            target: (0, 0),
            pending: Vec::new(),
        })
    }

    /// Forgets bodies that were added and not written, and decides which segment the next ones go
    /// to.
    pub(super) fn begin(&mut self) {
        // The last commit may have stopped between its bodies and the rows that name them.
        if self.file.is_some() && !self.pending.is_empty() {
            self.abandon();
        }
        self.pending.clear();
        if self.named_length >= self.segment_bytes_max {
            self.file = None;
        }
        self.target = match self.file {
            Some(_) => (self.number, self.named_length),
            None => (self.next_number, 0),
        };
    }

    /// Packs a body; [`Self::write`] brings it to the disk.
    pub(super) fn add(&mut self, body: &[u8]) -> Result<BodyPlace, ArchiveError> {
        let (segment, start) = self.target;
        let packed = self.compressor.compress(body);
        let packed = packed.map_err(|cause| ArchiveError::file("compress for", &self.path(segment), cause))?;
        let offset = start + self.pending.len() as u64;
        self.pending.extend_from_slice(&packed);
        Ok(BodyPlace {
            segment,
            offset,
            stored_length: packed.len() as u64,
            length: body.len() as u64,
        })
    }

    /// Writes what was added and returns once it is on the disk. After an error the next commit
    /// begins a new segment.
    pub(super) fn write(&mut self, disk: &mut dyn Disk) -> Result<(), ArchiveError> {
        if self.pending.is_empty() {
            return Ok(());
        }
        let (segment, start) = self.target;
        let path = self.path(segment);
        let (mut file, is_new) = match self.file.take() {
            Some(file) => (file, false),
            None => (
                disk.create(&path)
                    .map_err(|cause| ArchiveError::file("create", &path, cause))?,
                true,
            ),
        };
        file.seek(SeekFrom::Start(start))
            .and_then(|_| disk.write(&path, &mut file, &self.pending))
            .map_err(|cause| ArchiveError::file("write", &path, cause))?;
        disk.sync(&path, &file)
            .and_then(|()| {
                if is_new {
                    disk.sync_folder(&self.folder.join(FOLDER))
                } else {
                    Ok(())
                }
            })
            .map_err(|cause| ArchiveError::file("sync", &path, cause))?;
        self.file = Some(file);
        Ok(())
    }

    /// Where the segment being written ends, if anything was added: its number and its length.
    pub(super) fn end(&self) -> Option<(i64, u64)> {
        let (segment, start) = self.target;
        (!self.pending.is_empty()).then_some((segment, start + self.pending.len() as u64))
    }

    /// Rows name what was written; the next bodies follow it.
    pub(super) fn named(&mut self) {
        if let Some((number, length)) = self.end() {
            (self.number, self.named_length) = (number, length);
            self.next_number = self.next_number.max(number + 1);
        }
        self.pending.clear();
    }

    /// The rows that were to name what was written are not there. Yet they may be in the database's
    /// log, and come back when it is read again after a crash: so what was written stays, and a
    /// segment of another number is begun.
    pub(super) fn abandon(&mut self) {
        if let Some((number, _)) = self.end() {
            self.next_number = self.next_number.max(number + 1);
        }
        self.pending.clear();
        self.file = None;
    }

    fn path(&self, segment: i64) -> PathBuf {
        segment_path(&self.folder, segment)
    }
}

/// Reads bodies from segments.
pub(super) struct SegmentReader {
    folder: PathBuf,
    /// The segment that was last read.
    open: Option<(i64, File)>,
    decompressor: Decompressor<'static>,
}

impl SegmentReader {
    /// Reads the segments of the archive in this folder.
    pub(super) fn new(folder: &Path) -> Result<Self, ArchiveError> {
        let decompressor = Decompressor::new().map_err(|cause| ArchiveError::file("decompress in", folder, cause))?;
        Ok(Self {
            folder: folder.to_owned(),
            open: None,
            decompressor,
        })
    }

    /// The body at a place, which must have this hash.
    pub(super) fn read(&mut self, place: BodyPlace, hash: ContentHash) -> Result<Vec<u8>, ArchiveError> {
        let path = segment_path(&self.folder, place.segment);
        let damaged = |reason: String| ArchiveError::Damaged {
            file: path.clone(),
            reason: format!("{reason}, at byte {}", place.offset),
        };
        let packed = match self.read_packed(&path, place) {
            Ok(packed) => packed,
            Err(error) if matches!(error.kind(), io::ErrorKind::UnexpectedEof | io::ErrorKind::NotFound) => {
                self.open = None;
                return Err(damaged("a body is missing".to_owned()));
            }
            Err(cause) => return Err(ArchiveError::file("read", &path, cause)),
        };
        unpacked(&mut self.decompressor, &packed, place.length, hash).map_err(damaged)
    }

    fn read_packed(&mut self, path: &Path, place: BodyPlace) -> io::Result<Vec<u8>> {
        if self.open.as_ref().is_none_or(|(number, _)| *number != place.segment) {
            self.open = Some((place.segment, File::open(path)?));
        }
        let (_, file) = self.open.as_mut().expect("it was opened just now");
        file.seek(SeekFrom::Start(place.offset))?;
        let mut packed = Vec::new();
        file.take(place.stored_length).read_to_end(&mut packed)?;
        if (packed.len() as u64) < place.stored_length {
            return Err(io::ErrorKind::UnexpectedEof.into());
        }
        Ok(packed)
    }
}
