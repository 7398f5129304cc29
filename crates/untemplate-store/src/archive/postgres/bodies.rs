//! Bodies: in the database, or, where the address names a place for them, the large ones there.

use std::collections::{BTreeMap, HashSet};
use std::path::{Path, PathBuf};

use zstd::bulk::{Compressor, Decompressor};

use super::body_store::BodyStore;
use super::page_store::hash_in;
use super::server::Server;
use crate::archive::packing::{compressor, unpacked};
use crate::archive::page_store::{NewPage, PageId};
use crate::archive::{ArchiveError, ContentHash};

/// Packed bytes up to which a body is kept in the database though there is a place for large ones.
/// Pages have some ten thousand bytes and belong into one backup; what is beyond a megabyte is a
/// film or a list of everything.
const IN_DATABASE_BYTES_MAX: usize = 1 << 20;

const KNOWN: &str = "SELECT hash FROM body WHERE hash = ANY($1)";

const ADD: &str = "INSERT INTO body (hash, length, packed) VALUES ($1, $2, $3) ON CONFLICT (hash) DO NOTHING";

const OF_PAGE: &str = "SELECT body.hash, body.length, body.packed
    FROM page LEFT JOIN body ON body.hash = page.body WHERE page.id = $1";

/// Packs bodies and finds them again.
pub(super) struct Bodies {
    large: Option<BodyStore>,
    compressor: Compressor<'static>,
    decompressor: Decompressor<'static>,
}

impl Bodies {
    pub(super) fn new(server: &Server) -> Result<Self, ArchiveError> {
        let shown = PathBuf::from(&server.address.shown);
        let large = server.address.bodies.as_deref().map(BodyStore::open).transpose()?;
        Ok(Self {
            large,
            compressor: compressor().map_err(|cause| ArchiveError::file("compress for", &shown, cause))?,
            decompressor: Decompressor::new().map_err(|cause| ArchiveError::file("decompress in", &shown, cause))?,
        })
    }

    /// Brings bodies to where they are kept, each once; returns the hash of each page's.
    pub(super) fn store(
        &mut self,
        server: &mut Server,
        pages: &[Option<&NewPage>],
    ) -> Result<Vec<Option<ContentHash>>, ArchiveError> {
        let hashed: Vec<Option<(ContentHash, &[u8])>> = pages.iter().map(|page| hashed(*page)).collect();
        let mut new: BTreeMap<ContentHash, &[u8]> = hashed.iter().flatten().copied().collect();
        if !new.is_empty() {
            let hashes: Vec<Vec<u8>> = new.keys().map(|hash| hash.0.to_vec()).collect();
            let known = server.ask(|session| Ok(session.query(KNOWN, &[&hashes])?))?;
            let known: HashSet<Vec<u8>> = known.iter().map(|row| row.get(0)).collect();
            new.retain(|hash, _| !known.contains(&hash.0[..]));
        }
        for (hash, body) in new {
            self.add(server, hash, body)?;
        }
        Ok(hashed.into_iter().map(|hashed| hashed.map(|(hash, _)| hash)).collect())
    }

    fn add(&mut self, server: &mut Server, hash: ContentHash, body: &[u8]) -> Result<(), ArchiveError> {
        let packed = self.compressor.compress(body);
        let packed =
            packed.map_err(|cause| ArchiveError::file("compress for", Path::new(&server.address.shown), cause))?;
        let in_database = match self.large.as_ref().filter(|_| packed.len() > IN_DATABASE_BYTES_MAX) {
            Some(large) => {
                large.put(hash, packed)?;
                None
            }
            None => Some(packed),
        };
        let length = i64::try_from(body.len()).unwrap_or(i64::MAX);
        server.ask(|session| Ok(session.execute(ADD, &[&&hash.0[..], &length, &in_database])?))?;
        Ok(())
    }

    /// The body of a page; `None` when there is no such page.
    pub(super) fn read(&mut self, server: &mut Server, page: PageId) -> Result<Option<Vec<u8>>, ArchiveError> {
        let row = server.ask(|session| Ok(session.query_opt(OF_PAGE, &[&page.0])?))?;
        let Some(row) = row else { return Ok(None) };
        let hash: Option<&[u8]> = row.get(0);
        let Some(hash) = hash else { return Ok(Some(Vec::new())) };
        let shown = PathBuf::from(&server.address.shown);
        let damaged = |file: &Path, reason: String| ArchiveError::Damaged {
            file: file.to_owned(),
            reason: format!("{reason}, of page {}", page.0),
        };
        let hash = hash_in(hash).map_err(|reason| damaged(&shown, reason))?;
        let length = u64::try_from(row.get::<_, i64>(1)).unwrap_or(u64::MAX);
        let in_database: Option<&[u8]> = row.get(2);
        if let Some(packed) = in_database {
            let body = unpacked(&mut self.decompressor, packed, length, hash);
            return body.map(Some).map_err(|reason| damaged(&shown, reason));
        }
        let Some(large) = &self.large else {
            return Err(ArchiveError::Address {
                address: server.address.shown.clone(),
                reason: "the archive has large bodies elsewhere, which ?bodies=DIR names".to_owned(),
            });
        };
        let file = large.name(hash);
        let packed = large.get(hash)?;
        let packed = packed.ok_or_else(|| damaged(&file, "a body is missing".to_owned()))?;
        let body = unpacked(&mut self.decompressor, &packed, length, hash);
        body.map(Some).map_err(|reason| damaged(&file, reason))
    }
}

fn hashed(page: Option<&NewPage>) -> Option<(ContentHash, &[u8])> {
    let page = page.filter(|page| !page.body.is_empty())?;
    Some((ContentHash::of(&page.body), &page.body))
}
