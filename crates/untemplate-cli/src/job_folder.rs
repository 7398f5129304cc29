//! The folder that a job writes: tables, wrappers, the model and the report.
//!
//! In: what was read, and its shelf. Out: files, each whole or not at all.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use untemplate::job::{Fate, Means, Reading, fill_tables, relate_tables};
use untemplate::page::Problem;
use untemplate::table::{Database, ShelfError};
use untemplate::wrapper::Wrapper;
use untemplate_store::table_file::{ClassMark, PageMark, PageState, TableFolder, TableFormat};
use untemplate_store::{DiskShelf, write_model, write_wrapper};

use crate::output::write_whole;

/// What was written.
pub struct Written {
    /// The tables.
    pub database: Database,
    /// Their rows.
    pub n_rows: Vec<usize>,
    /// Values that are none of their column.
    pub problems: Vec<Problem>,
    /// The files.
    pub files: Vec<PathBuf>,
}

/// Decides the tables of what was read, and writes them with all that belongs to them.
pub fn write_job(folder: &Path, formats: &[TableFormat], reading: &Reading, shelf: &mut DiskShelf) -> Result<Written> {
    let database = relate_tables(reading, shelf)?;
    let mut tables = TableFolder::create(folder, &database, formats)?;
    let wrappers = wrapper_files(reading);
    tables.set_classes(class_marks(reading, &wrappers));
    let filled = fill(reading, shelf, &database, &mut tables);
    let problems = match filled {
        Ok(problems) => problems,
        Err(error) => {
            tables.abandon();
            return Err(error);
        }
    };
    let n_rows = tables.n_rows().to_vec();
    let mut files = tables.finish()?;
    files.extend(write_wrappers(folder, &wrappers)?);
    let model = folder.join("model.json");
    write_whole(&model, format!("{}\n", write_model(&reading.model)).as_bytes())?;
    files.push(model);
    Ok(Written {
        database,
        n_rows,
        problems,
        files,
    })
}

fn fill(
    reading: &Reading,
    shelf: &mut DiskShelf,
    database: &Database,
    tables: &mut TableFolder,
) -> Result<Vec<Problem>> {
    let mut put =
        |table: usize, row: &[Option<String>]| tables.push(table, row).map_err(|error| ShelfError(error.to_string()));
    let problems = fill_tables(reading, shelf, database, &mut put)?;
    for (address, fate) in reading.ledger.fates() {
        let (page_class, state) = match fate {
            Fate::Read(class) => (Some(class as usize), PageState::Read),
            Fate::Unread => (None, PageState::Unread),
            _ => continue,
        };
        tables.push_page(&PageMark {
            url: reading.ledger.addresses.text(address).to_owned(),
            page_class,
            first_seen: None,
            last_seen: None,
            state,
        })?;
    }
    for (url, _) in &reading.losses {
        tables.push_page(&PageMark {
            url: url.to_string(),
            page_class: None,
            first_seen: None,
            last_seen: None,
            state: PageState::Failed,
        })?;
    }
    Ok(problems)
}

/// The name and the text of each class's wrapper file; none for classes without one.
fn wrapper_files(reading: &Reading) -> Vec<Option<(String, String)>> {
    let mut names: Vec<String> = Vec::new();
    let mut files = Vec::new();
    for reader in &reading.readers {
        let Means::Template(matcher) = &reader.means else {
            files.push(None);
            continue;
        };
        let plain = file_stem(&reader.name);
        let mut name = plain.clone();
        let mut number = 2;
        while names.contains(&name) {
            name = format!("{plain}-{number}");
            number += 1;
        }
        names.push(name.clone());
        let text = write_wrapper(&Wrapper::Template(matcher.template().clone()));
        files.push(Some((format!("wrappers/{name}.json"), text)));
    }
    files
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

fn class_marks(reading: &Reading, wrappers: &[Option<(String, String)>]) -> Vec<ClassMark> {
    let classes = reading.readers.iter().zip(wrappers);
    let marks = classes.map(|(reader, wrapper)| ClassMark {
        name: reader.name.clone(),
        wrapper: wrapper.as_ref().map(|(file, _)| file.clone()),
    });
    marks.collect()
}

fn write_wrappers(folder: &Path, wrappers: &[Option<(String, String)>]) -> Result<Vec<PathBuf>> {
    let own = folder.join("wrappers");
    std::fs::create_dir_all(&own).with_context(|| {
        format!(
            "cannot make the folder {}; check that it may be written to",
            own.display()
        )
    })?;
    let mut files = Vec::new();
    for (name, text) in wrappers.iter().flatten() {
        let file = folder.join(name);
        write_whole(&file, text.as_bytes())?;
        files.push(file);
    }
    Ok(files)
}
