//! The folder of a run's tables.

use std::fs::{self, File, OpenOptions};
use std::io::{self, BufWriter, Write};
use std::path::{Path, PathBuf};

use super::database::RowDatabase;
use super::text::{TextFormat, end, head, row};

/// A table to be written: its name is that of its files.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RowTable {
    /// Its name.
    pub name: String,
    /// The names of its columns, unlike each other.
    pub columns: Vec<String>,
}

/// How rows are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum RowFormat {
    /// A JSON object a row; a field with several values is an array, one without is left out.
    JsonLines,
    /// RFC 4180, with a row of names.
    Csv,
    /// An element a row, with an element a value.
    Xml,
    /// One SQLite database with all tables.
    Sqlite,
}

/// Why tables could not be written.
#[derive(Debug, thiserror::Error)]
pub enum RowFileError {
    /// The disk refused.
    #[error("cannot write {}: {source}; check that the folder may be written to and has room", path.display())]
    Write {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// SQLite refused.
    #[error("cannot write {}: {source}; check that the folder may be written to and has room", path.display())]
    Database {
        /// The file.
        path: PathBuf,
        /// What SQLite said.
        source: rusqlite::Error,
    },
}

/// Tables in the making.
pub struct RowFiles {
    tables: Vec<RowTable>,
    texts: Vec<TextFile>,
    database: Option<(RowDatabase, Paths)>,
}

/// Where a file is while it is made, and when it is whole.
#[derive(Debug, Clone)]
struct Paths {
    fresh: PathBuf,
    whole: PathBuf,
}

struct TextFile {
    table: usize,
    format: TextFormat,
    paths: Paths,
    writer: BufWriter<File>,
}

impl RowFiles {
    /// Opens the files of all tables in a folder, which is made where it is missing. A format that is named twice is written once.
    pub fn create(folder: &Path, tables: Vec<RowTable>, formats: &[RowFormat]) -> Result<Self, RowFileError> {
        fs::create_dir_all(folder).map_err(|source| failed(folder, source))?;
        let mut files = Self {
            tables,
            texts: Vec::new(),
            database: None,
        };
        for (index, &format) in formats.iter().enumerate() {
            if formats[..index].contains(&format) {
                continue;
            }
            let Some(text_format) = TextFormat::of(format) else {
                let paths = Paths::in_folder(folder, "tables.sqlite");
                let database = RowDatabase::create(&paths.fresh, &files.tables);
                let database = database.map_err(|source| database_failed(&paths.fresh, source))?;
                files.database = Some((database, paths));
                continue;
            };
            for table in 0..files.tables.len() {
                let file = TextFile::create(folder, &files.tables[table], table, text_format)?;
                files.texts.push(file);
            }
        }
        Ok(files)
    }

    /// Writes a row of a table: for each column its values.
    pub fn push(&mut self, table: usize, values: &[Vec<String>]) -> Result<(), RowFileError> {
        let columns = &self.tables[table].columns;
        for file in self.texts.iter_mut().filter(|file| file.table == table) {
            let text = row(file.format, columns, values);
            let written = file.writer.write_all(text.as_bytes());
            written.map_err(|source| failed(&file.paths.fresh, source))?;
        }
        if let Some((database, paths)) = &mut self.database {
            let pushed = database.push(table, values);
            pushed.map_err(|source| database_failed(&paths.fresh, source))?;
        }
        Ok(())
    }

    /// Gives up: what was written is removed, and files that were there before stay.
    pub fn abandon(self) {
        let texts = self.texts.into_iter().map(|file| file.paths.fresh);
        let database = self.database.map(|(_, paths)| paths.fresh);
        for fresh in texts.chain(database) {
            // What cannot be removed is overwritten by the next run.
            let _ = fs::remove_file(fresh);
        }
    }

    /// Ends all files and gives them their names; those that were there before are replaced.
    pub fn finish(self) -> Result<Vec<PathBuf>, RowFileError> {
        let mut written = Vec::new();
        for mut file in self.texts {
            let text = end(file.format);
            let fresh = &file.paths.fresh;
            file.writer
                .write_all(text.as_bytes())
                .map_err(|source| failed(fresh, source))?;
            let inner = file
                .writer
                .into_inner()
                .map_err(|error| failed(fresh, error.into_error()))?;
            inner.sync_all().map_err(|source| failed(fresh, source))?;
            written.push(file.paths.keep()?);
        }
        if let Some((database, paths)) = self.database {
            let finished = database.finish();
            finished.map_err(|source| database_failed(&paths.fresh, source))?;
            // A name must not outlive a crash that the contents do not.
            let synced = OpenOptions::new().write(true).open(&paths.fresh);
            let synced = synced.and_then(|file| file.sync_all());
            synced.map_err(|source| failed(&paths.fresh, source))?;
            written.push(paths.keep()?);
        }
        Ok(written)
    }
}

impl TextFile {
    fn create(folder: &Path, own: &RowTable, table: usize, format: TextFormat) -> Result<Self, RowFileError> {
        let paths = Paths::in_folder(folder, &format!("{}.{}", own.name, format.ending()));
        let file = File::create(&paths.fresh).map_err(|source| failed(&paths.fresh, source))?;
        let mut writer = BufWriter::new(file);
        let text = head(format, &own.name, &own.columns);
        writer
            .write_all(text.as_bytes())
            .map_err(|source| failed(&paths.fresh, source))?;
        Ok(Self {
            table,
            format,
            paths,
            writer,
        })
    }
}

impl Paths {
    fn in_folder(folder: &Path, name: &str) -> Self {
        Self {
            fresh: folder.join(format!(".{name}.part")),
            whole: folder.join(name),
        }
    }

    fn keep(self) -> Result<PathBuf, RowFileError> {
        fs::rename(&self.fresh, &self.whole).map_err(|source| failed(&self.whole, source))?;
        Ok(self.whole)
    }
}

fn failed(path: &Path, source: io::Error) -> RowFileError {
    let path = path.to_owned();
    RowFileError::Write { path, source }
}

fn database_failed(path: &Path, source: rusqlite::Error) -> RowFileError {
    let path = path.to_owned();
    RowFileError::Database { path, source }
}
