//! The folder that a job writes: tables, wrappers, the model, the report, and what changed since the last time.
//!
//! In: what was read, and its shelf. Out: files, each whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use untemplate::job::{Fate, Harvest, fill_tables, relate_tables};
use untemplate::page::Problem;
use untemplate::table::{Changes, Database, Profile, Profiler, RowChangeKind, ShelfError};
use untemplate_store::table_file::{
    ClassMark, PageMark, PageState, TableFolder, TableFormat, changes_json, compare_databases, count_rows,
};
use untemplate_store::{DiskShelf, TableServer, Wrapper, write_model, write_wrapper};

use crate::output::write_whole;

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
    /// Values that are none of their column.
    pub problems: Vec<Problem>,
    /// What is different from the tables that were there before.
    pub changes: Option<Changes>,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Rows of a table that the report shows.
const SAMPLE_ROWS: usize = 8;

/// The database among the files.
const DATABASE: &str = "tables.sqlite";

/// Where tables go.
pub struct Destination<'a> {
    /// The folder.
    pub folder: &'a Path,
    /// The formats of its files.
    pub formats: &'a [TableFormat],
    /// The address of a server that takes them as well.
    pub server: Option<&'a str>,
}

impl Destination<'_> {
    /// Opens the tables of a database, in the folder and on the server.
    fn open(&self, database: &Database) -> Result<TableFolder> {
        let mut tables = TableFolder::create(self.folder, database, self.formats)?;
        if let Some(address) = self.server {
            tables.load_into(TableServer::connect(address, database)?);
        }
        Ok(tables)
    }
}

/// An error when the server that tables shall go to cannot be reached: better said before a long crawl than after it.
pub fn check_server(address: Option<&str>) -> Result<()> {
    Ok(address.map_or(Ok(()), TableServer::check)?)
}

/// An error when the folder has a database that no earlier run made: it would be in the way after a long crawl.
pub fn check_folder(folder: &Path) -> Result<()> {
    let known = folder.join(DATABASE);
    if known.exists() {
        count_rows(&known)?;
    }
    Ok(())
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

/// Decides the tables of what was read, and writes them with all that belongs to them but the report. `None`: a job that was cut short has fewer rows than the
/// database of an earlier one, which stays.
pub fn write_job(
    destination: &Destination<'_>,
    harvest: &Harvest,
    shelf: &mut DiskShelf,
    reach: Reach,
) -> Result<Option<Written>> {
    let (folder, formats) = (destination.folder, destination.formats);
    let database = relate_tables(harvest, shelf)?;
    let mut tables = destination.open(&database)?;
    let wrappers = wrapper_files(harvest);
    tables.set_classes(class_marks(harvest, &wrappers));
    let earlier = Earlier::of(folder, formats)?;
    let mut filling = Filling {
        profiler: Profiler::new(&database),
        samples: vec![Vec::new(); database.tables.len()],
        tables,
    };
    let filled = filling.fill(harvest, shelf, &database).and_then(|problems| {
        let state = match reach {
            Reach::Complete => PageState::Vanished,
            Reach::Partial | Reach::Cut => PageState::NotReached,
        };
        let file = earlier.as_ref().map_or(Path::new(""), |earlier| &earlier.file);
        filling.tables.carry_pages(file, state)?;
        Ok(problems)
    });
    let Filling {
        profiler,
        samples,
        tables,
    } = filling;
    let problems = match filled {
        Ok(problems) => problems,
        Err(error) => {
            tables.abandon();
            return Err(error);
        }
    };
    let n_rows = tables.n_rows().to_vec();
    if let (Reach::Cut, Some(earlier)) = (reach, &earlier)
        && count_rows(&earlier.file)? > n_rows.iter().sum()
    {
        tables.abandon();
        return Ok(None);
    }
    let mut files = tables.finish()?;
    files.extend(write_wrappers(folder, &wrappers)?);
    if let Some(model) = &harvest.model {
        let file = folder.join("model.json");
        write_whole(&file, format!("{}\n", write_model(model)).as_bytes())?;
        files.push(file);
    }
    let changes = match earlier {
        Some(earlier) => Some(write_changes(folder, &earlier, reach, &mut files)?),
        None => None,
    };
    Ok(Some(Written {
        database,
        n_rows,
        profiles: profiler.finish(),
        samples,
        problems,
        changes,
        files,
    }))
}

/// Compares with the database of an earlier job, and writes what changed.
fn write_changes(folder: &Path, earlier: &Earlier, reach: Reach, files: &mut Vec<PathBuf>) -> Result<Changes> {
    let changes = compare_databases(&earlier.file, &folder.join(DATABASE))?;
    let changes = match reach {
        Reach::Complete => changes,
        Reach::Partial | Reach::Cut => without_vanished(changes),
    };
    let file = folder.join("changes.json");
    write_whole(&file, changes_json(&changes).as_bytes())?;
    files.push(file);
    Ok(changes)
}

/// What changed, when not all was read: a row that is not there may be on a page that was not reached.
fn without_vanished(mut changes: Changes) -> Changes {
    for table in &mut changes.tables {
        table.n_vanished = 0;
        table.examples.retain(|example| example.kind != RowChangeKind::Vanished);
    }
    changes
}

/// The database of an earlier run, kept until the new one is compared with it.
struct Earlier {
    file: PathBuf,
    /// Removes the file when all is done.
    _folder: tempfile::TempDir,
}

impl Earlier {
    fn of(folder: &Path, formats: &[TableFormat]) -> Result<Option<Self>> {
        let known = folder.join(DATABASE);
        if !formats.contains(&TableFormat::Sqlite) || !known.is_file() {
            return Ok(None);
        }
        let hint = || {
            format!(
                "cannot keep {} to compare with; check that there is room",
                known.display()
            )
        };
        let own = tempfile::Builder::new()
            .prefix(".untemplate-")
            .tempdir_in(folder)
            .with_context(hint)?;
        let file = own.path().join("earlier.sqlite");
        // Some disks know no second name for a file.
        std::fs::hard_link(&known, &file)
            .or_else(|_| std::fs::copy(&known, &file).map(|_| ()))
            .with_context(hint)?;
        Ok(Some(Self { file, _folder: own }))
    }
}

/// Tables that are being filled.
struct Filling {
    tables: TableFolder,
    profiler: Profiler,
    samples: Vec<Vec<Vec<Option<String>>>>,
}

impl Filling {
    fn fill(&mut self, harvest: &Harvest, shelf: &mut DiskShelf, database: &Database) -> Result<Vec<Problem>> {
        let mut put = |table: usize, row: &[Option<String>]| {
            self.profiler.add(table, row);
            if self.samples[table].len() < SAMPLE_ROWS {
                self.samples[table].push(row.to_vec());
            }
            let pushed = self.tables.push(table, row);
            pushed.map_err(|error| ShelfError(error.to_string()))
        };
        let problems = fill_tables(harvest, shelf, database, &mut put)?;
        for (address, fate) in harvest.ledger.fates() {
            let (page_class, state) = match fate {
                Fate::Read(class) => (Some(class as usize), PageState::Read),
                Fate::Unread => (None, PageState::Unread),
                _ => continue,
            };
            self.mark(harvest.ledger.addresses.text(address), page_class, state)?;
        }
        for (url, _) in &harvest.losses {
            self.mark(url.as_str(), None, PageState::Failed)?;
        }
        Ok(problems)
    }

    fn mark(&mut self, url: &str, page_class: Option<usize>, state: PageState) -> Result<()> {
        let page = PageMark {
            url: url.to_owned(),
            page_class,
            first_seen: None,
            last_seen: None,
            state,
        };
        Ok(self.tables.push_page(&page)?)
    }
}

/// The name and the text of each class's wrapper file; none for classes without one.
fn wrapper_files(harvest: &Harvest) -> Vec<Option<(String, String)>> {
    harvest.readers.iter().map(|_| None).collect()
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

fn class_marks(harvest: &Harvest, wrappers: &[Option<(String, String)>]) -> Vec<ClassMark> {
    let classes = harvest.readers.iter().zip(wrappers);
    let marks = classes.map(|(reader, wrapper)| ClassMark {
        name: reader.name.clone(),
        wrapper: wrapper.as_ref().map(|(file, _)| file.clone()),
    });
    marks.collect()
}

fn write_wrappers(folder: &Path, wrappers: &[Option<(String, String)>]) -> Result<Vec<PathBuf>> {
    let own = folder.join("wrappers");
    let hint = || {
        format!(
            "cannot make the folder {}; check that it may be written to",
            own.display()
        )
    };
    std::fs::create_dir_all(&own).with_context(hint)?;
    let mut files = Vec::new();
    for (name, text) in wrappers.iter().flatten() {
        let file = folder.join(name);
        write_whole(&file, text.as_bytes())?;
        files.push(file);
    }
    Ok(files)
}
