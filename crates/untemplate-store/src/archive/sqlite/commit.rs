//! Commits: bodies to the disk first, then everything that names them in one transaction.

use std::collections::HashMap;

use super::archive::SqliteArchive;
use super::database::Fault;
use super::outcomes::is_open;
use super::pages::{BodyOnDisk, has_body};
use super::writing::Writing;
use crate::archive::disk::{CommitStep, Disk};
use crate::archive::segment::BodyPlace;
use crate::archive::{
    ArchiveError, ClaimResult, CommitReport, Committed, ContentHash, KeptPage, NewPage, Outcome, UnixMillis,
};

impl SqliteArchive {
    /// Commits the outcomes of claims.
    pub(super) fn commit_outcomes(&mut self, batch: &[Outcome], now: UnixMillis) -> Result<CommitReport, ArchiveError> {
        let mut pages = Vec::with_capacity(batch.len());
        for outcome in batch {
            // The body of a claim that was lost is not worth its bytes.
            let is_open = self
                .reader
                .database
                .ask(|connection| is_open(connection, outcome.token))?;
            pages.push(match &outcome.result {
                ClaimResult::Page(page) if is_open => Some(page),
                _ => None,
            });
        }
        self.commit_pages(&pages, now, |writing, bodies, disk| {
            let settled = batch
                .iter()
                .zip(bodies)
                .map(|(outcome, body)| writing.settle(outcome, *body));
            let committed: Vec<Committed> = settled.collect::<Result<_, _>>()?;
            disk.reach(CommitStep::PagesNamed)?;
            let mut n_new = 0;
            for (outcome, committed) in batch.iter().zip(&committed) {
                n_new += writing.spread(outcome, *committed)?;
            }
            Ok(CommitReport { committed, n_new })
        })
    }

    /// Commits pages that come without claims.
    pub(super) fn commit_kept(&mut self, kept: &[KeptPage], now: UnixMillis) -> Result<Vec<Committed>, ArchiveError> {
        let pages: Vec<Option<&NewPage>> = kept.iter().map(|kept| kept.page.as_ref()).collect();
        self.commit_pages(&pages, now, |writing, bodies, disk| {
            let stored = kept.iter().zip(bodies).map(|(kept, body)| writing.keep(kept, *body));
            let committed = stored.collect::<Result<_, _>>()?;
            disk.reach(CommitStep::PagesNamed)?;
            Ok(committed)
        })
    }

    /// Brings the bodies of pages to the disk, then does the work that names them.
    fn commit_pages<T>(
        &mut self,
        pages: &[Option<&NewPage>],
        now: UnixMillis,
        work: impl FnOnce(&mut Writing<'_>, &[Option<BodyOnDisk>], &mut dyn Disk) -> Result<T, Fault>,
    ) -> Result<T, ArchiveError> {
        self.reach(CommitStep::Begin)?;
        let bodies = self.store_bodies(pages)?;
        self.reach(CommitStep::BodiesStored)?;
        let (end, disk) = (self.segments.end(), &mut *self.disk);
        let done = self.reader.database.transact(now, |writing| {
            disk.reach(CommitStep::TransactionBegun)?;
            if let Some(end) = end {
                writing.name_segment(end)?;
            }
            let done = work(writing, &bodies, disk)?;
            disk.reach(CommitStep::BeforeCommit)?;
            Ok(done)
        });
        match done {
            Ok(_) => self.segments.named(),
            Err(_) => self.segments.abandon(),
        }
        let done = done?;
        self.reach(CommitStep::Committed)?;
        Ok(done)
    }

    /// Writes bodies that are not stored yet, each once.
    fn store_bodies(&mut self, pages: &[Option<&NewPage>]) -> Result<Vec<Option<BodyOnDisk>>, ArchiveError> {
        self.segments.begin();
        let mut places: HashMap<ContentHash, Option<BodyPlace>> = HashMap::new();
        let mut bodies = Vec::with_capacity(pages.len());
        for page in pages {
            let Some(page) = page.filter(|page| !page.body.is_empty()) else {
                bodies.push(None);
                continue;
            };
            let hash = ContentHash::of(&page.body);
            let place = match places.get(&hash) {
                Some(place) => *place,
                None if self.reader.database.ask(|connection| has_body(connection, hash))? => None,
                None => Some(self.segments.add(&page.body)?),
            };
            places.insert(hash, place);
            bodies.push(Some(BodyOnDisk { hash, place }));
        }
        self.segments.write(&mut *self.disk)?;
        Ok(bodies)
    }

    fn reach(&mut self, step: CommitStep) -> Result<(), ArchiveError> {
        let reached = self.disk.reach(step);
        reached.map_err(|cause| ArchiveError::file("write", &self.reader.database.file, cause))
    }
}
