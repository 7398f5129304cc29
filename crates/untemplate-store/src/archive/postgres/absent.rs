//! The archive on a server, of a build without the feature `postgres`: it cannot be opened, and
//! says so.

use untemplate::page::Request;

use super::ServerClock;
use crate::archive::{
    ArchiveError, ArchiveOptions, Claim, ClaimOptions, ClaimToken, CommitReport, Committed, Fate, Frontier,
    FrontierStatistics, HostSchedule, KeptPage, NewRequest, Outcome, PageId, PageStore, RequestId, StoredPage,
    UnixMillis,
};
use crate::without_password;

/// An archive on a server; this build has none.
pub enum PostgresArchive {}

impl PostgresArchive {
    /// An error: this build speaks to no server.
    pub fn open(address: &str, _: &ArchiveOptions, _: ServerClock) -> Result<Self, ArchiveError> {
        let address = without_password(address);
        Err(ArchiveError::NotBuilt { address })
    }

    /// This build has none to lead.
    pub fn lead(&mut self) -> Result<bool, ArchiveError> {
        match *self {}
    }

    /// This build has none to lead.
    pub fn resign(&mut self) -> Result<(), ArchiveError> {
        match *self {}
    }

    /// This build has none to lead.
    pub fn n_led(&mut self) -> Result<i64, ArchiveError> {
        match *self {}
    }
}

/// Methods of an archive that cannot be there.
macro_rules! never {
    ($($name:ident($($argument:ty),*) -> $result:ty;)*) => {
        $(never!(@one $name [$($argument),*] $result);)*
    };
    (@one $name:ident [] $result:ty) => {
        fn $name(&mut self) -> Result<$result, ArchiveError> { match *self {} }
    };
    (@one $name:ident [$a:ty] $result:ty) => {
        fn $name(&mut self, _: $a) -> Result<$result, ArchiveError> { match *self {} }
    };
    (@one $name:ident [$a:ty, $b:ty] $result:ty) => {
        fn $name(&mut self, _: $a, _: $b) -> Result<$result, ArchiveError> { match *self {} }
    };
    (@one $name:ident [$a:ty, $b:ty, $c:ty] $result:ty) => {
        fn $name(&mut self, _: $a, _: $b, _: $c) -> Result<$result, ArchiveError> { match *self {} }
    };
}

impl Frontier for PostgresArchive {
    never! {
        add(&[NewRequest], UnixMillis) -> usize;
        want(&[NewRequest], UnixMillis) -> ();
        claim(UnixMillis, &ClaimOptions) -> Vec<Claim>;
        claim_of(&[Request], UnixMillis, &ClaimOptions) -> Vec<Claim>;
        commit(&[Outcome], UnixMillis) -> CommitReport;
        statistics() -> FrontierStatistics;
        fate(&Request) -> Option<Fate>;
        keep(&[KeptPage], UnixMillis) -> Vec<Committed>;
        refresh(UnixMillis) -> usize;
        retry_failed() -> usize;
        retry_skipped() -> usize;
        host(&str) -> Option<HostSchedule>;
        wake(&HostSchedule) -> ();
        resting_hosts(UnixMillis) -> Vec<String>;
        has_waiting_besides(&[String]) -> bool;
        setting(&str) -> Option<String>;
        set_setting(&str, &str) -> ();
        skipped_because(&str) -> u64;
    }
}

impl PageStore for PostgresArchive {
    never! {
        page(&Request) -> Option<StoredPage>;
        pages_after(PageId, usize) -> Vec<StoredPage>;
        captures_after(PageId, usize) -> Vec<StoredPage>;
        captures_of(&Request) -> Vec<StoredPage>;
        capture(PageId) -> StoredPage;
        body(PageId) -> Vec<u8>;
    }
}
