//! The server of a build without the feature `postgres`: it cannot be connected to, and says so.

use untemplate::table::Database;

use super::address::without_password;
use super::error::TableServerError;
use crate::table_file::metadata::{ClassMark, PageMark, PageState};
use crate::table_file::row::Row;

/// Tables on their way into a server; this build has none.
pub enum TableServer {}

impl TableServer {
    /// An error: this build speaks to no server.
    pub fn check(address: &str) -> Result<(), TableServerError> {
        let address = without_password(address);
        Err(TableServerError::NotBuilt { address })
    }

    /// An error: this build speaks to no server.
    pub fn connect(address: &str, _: &Database) -> Result<Self, TableServerError> {
        let address = without_password(address);
        Err(TableServerError::NotBuilt { address })
    }

    pub(crate) fn set_classes(&mut self, _: Vec<ClassMark>) {
        match *self {}
    }

    pub(crate) fn push(&mut self, _: usize, _: Row<'_>) -> Result<(), TableServerError> {
        match *self {}
    }

    pub(crate) fn push_page(&mut self, _: &PageMark) -> Result<(), TableServerError> {
        match *self {}
    }

    pub(crate) fn carry_pages(&mut self, _: PageState) {
        match *self {}
    }

    /// Ends the load.
    pub fn finish(self) -> Result<(), TableServerError> {
        match self {}
    }

    /// Gives the load up.
    pub fn abandon(self) {
        match self {}
    }
}
