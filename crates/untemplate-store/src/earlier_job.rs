//! What an earlier job left in a folder, and whether this one may write there.

use std::io;
use std::path::{Path, PathBuf};

use untemplate::page::{SiteScope, same_site};
use untemplate::table::UserSchema;
use url::Url;

use crate::job_folder::{DATABASE, JobFolder, JobFolderError};
use crate::table_file::{TableFileError, count_rows, entry_of};
use crate::table_server::TableServer;
use crate::{SCHEMA_FILE, SchemaFileError, is_changed, read_schema};

/// Whether two jobs are about one site. Two ports of a machine are two servers, and most likely two
/// sites.
fn is_one_site(left: &Url, right: &Url) -> bool {
    let is_one_server = left.host() != right.host() || left.port() == right.port();
    is_one_server && same_site(left, right, SiteScope::Domain)
}

impl JobFolder {
    /// An error when the server cannot be reached, or when the folder has a database that no job
    /// made, or that of another site: better said before a long crawl than after it.
    pub fn check(&self) -> Result<(), JobFolderError> {
        if let Some(address) = &self.server {
            TableServer::check(address)?;
        }
        self.n_rows_before()?;
        self.changed_schema()?;
        self.check_site()?;
        self.try_folder()
    }

    /// An error when the folder has the tables of another site. Tables without a row are nobody's.
    pub fn check_site(&self) -> Result<(), JobFolderError> {
        let site = entry_of(&self.folder.join(DATABASE));
        let Some(site) = site.filter(|_| self.n_rows_before().unwrap_or(0) > 0) else {
            return Ok(());
        };
        let is_other = |entry: &Url| Url::parse(&site).is_ok_and(|site| !is_one_site(entry, &site));
        match self.entry.as_ref().is_some_and(is_other) {
            true => Err(JobFolderError::OtherSite {
                folder: self.folder.clone(),
                site,
            }),
            false => Ok(()),
        }
    }

    /// Writes a file to the folder, or to where it will be made, and takes it away again.
    fn try_folder(&self) -> Result<(), JobFolderError> {
        let there = self.folder.ancestors().find(|folder| folder.exists());
        let there = there
            .filter(|folder| !folder.as_os_str().is_empty())
            .unwrap_or(Path::new("."));
        let tried = match there.is_dir() {
            true => tempfile::tempfile_in(there).map(drop),
            false => Err(io::Error::new(io::ErrorKind::NotADirectory, "it is a file")),
        };
        tried.map_err(|source| JobFolderError::Folder {
            path: self.folder.clone(),
            source,
        })
    }

    /// What an earlier job in this folder called its tables and columns.
    pub(crate) fn earlier_names(&self) -> Option<UserSchema> {
        // A file that cannot be read any more names nothing.
        let earlier = self.has_tables().then(|| read_schema(&self.schema_file()).ok());
        earlier.flatten().map(UserSchema::names)
    }

    /// What somebody made of the folder's `schema.toml`, where no other schema was given.
    pub fn changed_schema(&self) -> Result<Option<UserSchema>, SchemaFileError> {
        let file = self.schema_file();
        let is_theirs = self.schema == UserSchema::default() && self.has_tables() && is_changed(&file)?;
        is_theirs.then(|| read_schema(&file)).transpose()
    }

    fn schema_file(&self) -> PathBuf {
        self.folder.join(SCHEMA_FILE)
    }

    /// Whether an earlier job left tables here.
    pub fn has_tables(&self) -> bool {
        self.folder.join(DATABASE).is_file()
    }

    /// How many rows the database of an earlier job has.
    pub(crate) fn n_rows_before(&self) -> Result<usize, TableFileError> {
        let known = self.folder.join(DATABASE);
        if known.exists() { count_rows(&known) } else { Ok(0) }
    }
}
