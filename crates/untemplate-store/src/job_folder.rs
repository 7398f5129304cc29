//! The folder that a job writes: tables, what reads their pages, and what changed since the last
//! time.
//!
//! In: what was read, and its record store. Out: files, each whole or not at all. `tables.sqlite`
//! is always among them: it is what the next job is compared with, and what leads from a cell to
//! its page.
//!
//! ```
//! use std::collections::HashMap;
//! use untemplate::job::{JobOptions, read_site};
//! use untemplate_store::table_file::TableFormat;
//! use untemplate_store::{DiskRecordStore, JobContents, JobFolder, Reach};
//!
//! let page = |name: &str, born: u32| format!("<title>{name}</title><h1>{name}</h1><p>Born: <b>{born}</b>");
//! let mut site = HashMap::from([("http://cup.example/".to_owned(), "<ul><li><a href=/p/1>1</a><li><a href=/p/2>2</a><li><a href=/p/3>3</a></ul>".to_owned())]);
//! site.extend([("Ada", 1815), ("Bo", 1905), ("Cleo", 1969)].iter().zip(1..).map(|((name, born), n)| (format!("http://cup.example/p/{n}"), page(name, *born))));
//! let folder = tempfile::tempdir()?;
//! let mut record_store = DiskRecordStore::create(folder.path())?;
//! let crawl_result = read_site(&mut site, &mut record_store, &"http://cup.example/".parse()?, &JobOptions::default())?;
//! let job_folder = JobFolder { folder: folder.path().to_owned(), formats: vec![TableFormat::Csv], server: None, schema: Default::default(), entry: None };
//! let written = job_folder.write(JobContents::of_crawl(&crawl_result, Reach::Complete), &mut record_store)?;
//! let written = written.expect("the folder was empty");
//! assert!(folder.path().join("tables.sqlite").is_file());
//! assert_eq!(written.n_rows.iter().max(), Some(&3));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```

use std::io;
use std::path::{Path, PathBuf};

use untemplate::job::{
    ClassCoverage, ClassReader, CrawlResult, Fate, Records, SiteReader, apply_to_tables, fill_tables, infer_tables,
    infer_tables_keeping,
};
use untemplate::page::Problem;
use untemplate::table::{
    AppliedSchema, Changes, Database, Profile, Profiler, RecordStore, RecordStoreError, RowChangeKind, UserSchema,
};
use url::Url;

use crate::model_file::write_model;
use crate::site_reader_file::write_site_reader;
use crate::table_file::{ClassMark, PageMark, PageState, TableFileError, TableFolder, TableFormat, changes_json};
use crate::table_server::{TableServer, TableServerError};
use crate::{SCHEMA_FILE, SchemaFacts, SchemaFileError, Wrapper, as_written, schema_text, write_whole, write_wrapper};

/// Where a job writes.
#[derive(Debug, Clone)]
pub struct JobFolder {
    /// The folder; it is made where it is missing.
    pub folder: PathBuf,
    /// The formats of the tables, beside the database that is always written.
    pub formats: Vec<TableFormat>,
    /// The address of a PostgreSQL server that takes them as well.
    pub server: Option<String>,
    /// What a person wants of the tables. Without that, what somebody made of the folder's own
    /// `schema.toml` counts.
    pub schema: UserSchema,
    /// Where the job begins: a folder that has the tables of another site is left alone.
    pub entry: Option<Url>,
}

/// What a job has to write.
pub struct JobContents<'a> {
    /// What it read.
    pub records: &'a dyn Records,
    /// The page classes, by their numbers.
    pub classes: Vec<ClassMark>,
    /// Files beside the tables: the name below the folder, and the text.
    pub files: Vec<(String, String)>,
    /// What `reader.json` is made of, where pages are to be read one at a time later.
    pub reader: Option<&'a CrawlResult>,
    /// The pages, and what became of them.
    pub pages: Box<dyn Iterator<Item = PageMark> + 'a>,
    /// How far it came.
    pub reach: Reach,
}

/// How far a job came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Reach {
    /// It read all.
    Complete,
    /// Some pages could not be had.
    Partial,
    /// It ended before its end.
    Cut,
}

/// What was written.
pub struct Written {
    /// The tables.
    pub database: Database,
    /// Their rows.
    pub n_rows: Vec<usize>,
    /// What their columns hold.
    pub profiles: Vec<Vec<Profile>>,
    /// A few rows of each.
    pub samples: Vec<Vec<Vec<Option<String>>>>,
    /// How much of what the pages of each class say is in them.
    pub coverage: Vec<ClassCoverage>,
    /// Values that are none of their column.
    pub problems: Vec<Problem>,
    /// What is different from the tables that were there before.
    pub changes: Option<Changes>,
    /// What of the person's schema applied to nothing.
    pub unapplied: Vec<String>,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Why a job could not be written.
#[derive(Debug, thiserror::Error)]
pub enum JobFolderError {
    /// The records cannot be read back.
    #[error(transparent)]
    Records(#[from] RecordStoreError),
    /// A table cannot be written.
    #[error(transparent)]
    Table(#[from] TableFileError),
    /// The server refused.
    #[error(transparent)]
    Server(#[from] TableServerError),
    /// What somebody made of the folder's schema makes no sense.
    #[error("{0}; mend it, or remove it to begin anew")]
    Schema(#[from] SchemaFileError),
    /// The folder has the tables of another site.
    #[error("{} has the tables of {site}; give another folder with -o, or remove that one", folder.display())]
    OtherSite {
        /// The folder.
        folder: PathBuf,
        /// Where the job began that wrote them.
        site: String,
    },
    /// The folder cannot be written to.
    #[error("cannot write to the folder {}: {source}; give another one with -o", path.display())]
    Folder {
        /// The folder.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
    /// A file beside the tables cannot be written.
    #[error("cannot write {}; check that its folder may be written to and has room", path.display())]
    File {
        /// The file.
        path: PathBuf,
        /// What the system said.
        source: io::Error,
    },
}

/// Rows of a table that are kept as a sample.
const SAMPLE_ROWS: usize = 10;

/// What reads pages one at a time, among the files.
const READER: &str = "reader.json";

/// The database among the files.
pub(crate) const DATABASE: &str = "tables.sqlite";

impl JobFolder {
    /// Decides the tables of what was read, and writes them with all that belongs to them. `None`:
    /// nothing was written, and tables of an earlier job stay, since this one found no row and they
    /// have some, or it was cut short and has fewer rows than they, or none.
    pub fn write(
        &self,
        job: JobContents<'_>,
        record_store: &mut dyn RecordStore,
    ) -> Result<Option<Written>, JobFolderError> {
        let changed = self.changed_schema()?;
        let wanted = changed.as_ref().unwrap_or(&self.schema);
        let is_wanted = *wanted != UserSchema::default();
        let (database, left_out) = infer_tables_keeping(job.records, record_store, &wanted.kept())?;
        let names = if is_wanted { None } else { self.earlier_names() };
        let schema = names.as_ref().unwrap_or(wanted);
        let mut applied = apply_to_tables(job.records, record_store, database, schema)?;
        if names.is_some() {
            // What is gone of an earlier job is told by the changes.
            applied.unapplied.clear();
        }
        let mut filling = Filling::open(self, &applied.database)?;
        let filled = filling.fill(&job, record_store, &applied);
        let coverage = job.records.coverage(&applied.database);
        let filled = filled.and_then(|problems| {
            filling.tables.push_left_out(&coverage)?;
            filling.mark_pages(&self.folder.join(DATABASE), job.pages, job.reach)?;
            Ok((problems, self.n_rows_before()?))
        });
        let n_rows = filling.tables.n_rows().to_vec();
        let n_all: usize = n_rows.iter().sum();
        let is_cut = job.reach == Reach::Cut;
        let is_worse = |before: usize| match n_all {
            0 => before > 0 || is_cut,
            _ => before > n_all && is_cut,
        };
        let problems = match filled {
            Ok((problems, before)) if !is_worse(before) => problems,
            other => {
                filling.tables.abandon();
                return other.map(|_| None);
            }
        };
        let (mut files, mut changes) = filling.tables.finish_comparing()?;
        if let Some(changes) = &mut changes {
            if job.reach != Reach::Complete {
                forget_vanished(changes);
            }
            files.push(self.write_file("changes.json", &changes_json(changes))?);
        }
        files.extend(self.write_beside(job.files, job.reader, &applied.database)?);
        let classes: Vec<String> = job.classes.iter().map(|class| class.name.clone()).collect();
        let facts = SchemaFacts {
            applied: &applied,
            schema,
            classes: &classes,
            n_rows: &n_rows,
            samples: &filling.samples,
            left_out: &left_out,
        };
        files.push(self.write_schema(&facts, is_wanted)?);
        Ok(Some(Written {
            database: applied.database,
            unapplied: applied.unapplied,
            n_rows,
            profiles: filling.profiler.finish(),
            samples: filling.samples,
            coverage,
            problems,
            changes,
            files,
        }))
    }

    /// Decides the tables of what was read, and writes what reads pages like these one at a time,
    /// without a row of them: `reader.json`, the model and the wrappers.
    pub fn write_reader(
        &self,
        crawl_result: &CrawlResult,
        record_store: &mut dyn RecordStore,
    ) -> Result<Vec<PathBuf>, JobFolderError> {
        let database = infer_tables(crawl_result, record_store)?;
        let files = JobContents::of_crawl(crawl_result, Reach::Complete).files;
        self.write_beside(files, Some(crawl_result), &database)
    }

    /// Writes what is beside the tables, and what reads pages by them where that is wanted.
    fn write_beside(
        &self,
        mut files: Vec<(String, String)>,
        reader: Option<&CrawlResult>,
        database: &Database,
    ) -> Result<Vec<PathBuf>, JobFolderError> {
        let reader = reader.map(|crawl_result| SiteReader::of_crawl(crawl_result, database.clone()));
        files.extend(reader.map(|reader| (READER.to_owned(), write_site_reader(&reader))));
        files.iter().map(|(name, text)| self.write_file(name, text)).collect()
    }

    /// Writes the schema for somebody to change; one that somebody wants stays theirs.
    fn write_schema(&self, facts: &SchemaFacts<'_>, is_wanted: bool) -> Result<PathBuf, JobFolderError> {
        let text = schema_text(facts);
        let text = if is_wanted { text } else { as_written(&text) };
        self.write_file(SCHEMA_FILE, &text)
    }

    /// Writes a file of the folder, whole or not at all.
    pub fn write_file(&self, name: &str, text: &str) -> Result<PathBuf, JobFolderError> {
        let path = self.folder.join(name);
        match write_whole(&path, text.as_bytes()) {
            Ok(()) => Ok(path),
            Err(source) => Err(JobFolderError::File { path, source }),
        }
    }
}

/// What changed, when not all was read: a row that is not there may be on a page that was not
/// reached.
fn forget_vanished(changes: &mut Changes) {
    for table in &mut changes.tables {
        table.n_vanished = 0;
        table.examples.retain(|example| example.kind != RowChangeKind::Vanished);
    }
}

/// Tables that are being filled.
struct Filling {
    tables: TableFolder,
    profiler: Profiler,
    samples: Vec<Vec<Vec<Option<String>>>>,
}

impl Filling {
    fn open(to: &JobFolder, database: &Database) -> Result<Self, JobFolderError> {
        let formats = [&to.formats[..], &[TableFormat::Sqlite]].concat();
        let server = to
            .server
            .as_ref()
            .map(|address| TableServer::connect(address, database));
        let server = server.transpose()?;
        let mut tables = TableFolder::create(&to.folder, database, &formats)?;
        if let Some(server) = server {
            tables.load_into(server);
        }
        if let Some(entry) = &to.entry {
            tables.set_entry(entry.as_str())?;
        }
        Ok(Self {
            tables,
            profiler: Profiler::new(database),
            samples: vec![Vec::new(); database.tables.len()],
        })
    }

    fn fill(
        &mut self,
        job: &JobContents<'_>,
        record_store: &mut dyn RecordStore,
        applied: &AppliedSchema,
    ) -> Result<Vec<Problem>, JobFolderError> {
        self.tables.set_classes(job.classes.clone())?;
        self.tables.set_lists(job.records.list_columns(&applied.database));
        let mut put = |table: usize, row: &[Option<String>]| {
            let Some((table, row)) = applied.row(table, row) else {
                return Ok(());
            };
            let row = &row[..];
            self.profiler.add(table, row);
            if self.samples[table].len() < SAMPLE_ROWS {
                self.samples[table].push(row.to_vec());
            }
            let pushed = self.tables.push(table, row);
            pushed.map_err(|error| RecordStoreError::Taker(Box::new(error)))
        };
        Ok(fill_tables(job.records, record_store, &applied.read, &mut put)?)
    }

    /// Notes what became of the pages, in this job and in the one before.
    fn mark_pages(
        &mut self,
        earlier: &Path,
        pages: impl Iterator<Item = PageMark>,
        reach: Reach,
    ) -> Result<(), TableFileError> {
        for page in pages {
            self.tables.push_page(&page)?;
        }
        let state = match reach {
            Reach::Complete => PageState::Vanished,
            Reach::Partial | Reach::Cut => PageState::NotReached,
        };
        self.tables.carry_pages(earlier, state)
    }
}

impl<'a> JobContents<'a> {
    /// What a site or the pages like a sample came to: their tables, a wrapper for each class, and
    /// the model.
    pub fn of_crawl(crawl_result: &'a CrawlResult, reach: Reach) -> Self {
        let wrappers = wrapper_files(&crawl_result.readers);
        let marks = crawl_result
            .readers
            .iter()
            .zip(&wrappers)
            .map(|(reader, wrapper)| ClassMark {
                name: reader.name.clone(),
                wrapper: wrapper.as_ref().map(|(file, _)| file.clone()),
            });
        let classes = marks.collect();
        let mut files: Vec<(String, String)> = wrappers.into_iter().flatten().collect();
        let model = crawl_result
            .model
            .as_ref()
            .map(|model| format!("{}\n", write_model(model)));
        files.extend(model.map(|text| ("model.json".to_owned(), text)));
        Self {
            records: crawl_result,
            classes,
            files,
            reader: None,
            pages: Box::new(pages_of(crawl_result)),
            reach,
        }
    }
}

/// The pages that were read or not, and those that could not be had.
fn pages_of(crawl_result: &CrawlResult) -> impl Iterator<Item = PageMark> + '_ {
    let mark = |url: &str, page_class: Option<usize>, state: PageState| PageMark {
        url: url.to_owned(),
        page_class,
        first_seen: None,
        last_seen: None,
        state,
    };
    let known = crawl_result.ledger.fates().filter_map(move |(address, fate)| {
        let (page_class, state) = match fate {
            Fate::Read(class) => (Some(class as usize), PageState::Read),
            Fate::Unread => (None, PageState::Unread),
            _ => return None,
        };
        Some(mark(crawl_result.ledger.addresses.text(address), page_class, state))
    });
    let lost = crawl_result.losses.iter();
    known.chain(lost.map(move |(url, _)| mark(url.as_str(), None, PageState::Failed)))
}

/// The name and the text of each class's wrapper file; none for classes without one.
fn wrapper_files(readers: &[ClassReader]) -> Vec<Option<(String, String)>> {
    let mut names: Vec<String> = Vec::new();
    let file = |reader: &ClassReader| {
        let reading = reader.reading.as_ref()?;
        let plain = file_stem(&reader.name);
        let mut name = plain.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{plain}-{number}");
            number += 1;
        }
        names.push(name.clone());
        let text = write_wrapper(&Wrapper::Reading(Box::new(reading.clone())));
        Some((format!("wrappers/{name}.json"), text))
    };
    readers.iter().map(file).collect()
}

/// A class's name as that of a file, on any disk.
fn file_stem(name: &str) -> String {
    let words = name
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let words: Vec<String> = words.map(str::to_lowercase).take(8).collect();
    let stem: String = words.join("-").chars().take(60).collect();
    if stem.is_empty() { "class".to_owned() } else { stem }
}
