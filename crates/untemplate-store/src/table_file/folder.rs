//! The folder of a database's tables, in the making.

use std::fs;
use std::path::{Path, PathBuf};

use untemplate::job::ClassCoverage;
use untemplate::table::{Changes, Database, Table};

use super::compare::compare_databases;
use super::file_name::{file_names, file_stem};
use super::format::{TableFileError, TableFormat, failed};
use super::metadata::{ClassMark, PageMark, PageState};
use super::parquet::ParquetFile;
use super::partition::{self, partition};
use super::row::Row;
use super::sqlite_database::SqliteDatabase;
use super::text_file::{TextFile, TextFormat};
use super::xlsx::XlsxFile;
use crate::WholeFile;
use crate::table_server::TableServer;

/// Tables in the making: rows go in one by one, files come out whole.
pub struct TableFolder {
    database: Database,
    classes: Vec<ClassMark>,
    n_rows: Vec<usize>,
    /// Columns whose cells hold a value a line: table and column.
    lists: Vec<(usize, usize)>,
    files: Vec<TableFile>,
    sqlite: Option<(SqliteDatabase, WholeFile)>,
    xlsx: Option<(XlsxFile, WholeFile)>,
    server: Option<TableServer>,
    folder: PathBuf,
    formats: Vec<TableFormat>,
}

/// The file of one table in one format.
struct TableFile {
    table: usize,
    whole: WholeFile,
    writer: Writer,
}

enum Writer {
    Text(TextFile),
    Parquet(ParquetFile),
}

impl TableFolder {
    /// Opens the files of all tables in a folder, which is made where it is missing. A format that
    /// is named twice is written once.
    pub fn create(folder: &Path, database: &Database, formats: &[TableFormat]) -> Result<Self, TableFileError> {
        fs::create_dir_all(folder).map_err(failed(folder))?;
        let mut own = Self {
            database: database.clone(),
            classes: Vec::new(),
            n_rows: vec![0; database.tables.len()],
            lists: Vec::new(),
            files: Vec::new(),
            sqlite: None,
            xlsx: None,
            server: None,
            folder: folder.to_owned(),
            formats: formats.to_vec(),
        };
        let names = file_names(&database.tables);
        for (index, &format) in formats.iter().enumerate() {
            if formats[..index].contains(&format) {
                continue;
            }
            if format == TableFormat::Sqlite {
                let whole = WholeFile::in_folder(folder, "tables.sqlite").map_err(failed(folder))?;
                own.sqlite = Some((SqliteDatabase::create(whole.part(), database)?, whole));
                continue;
            }
            if format == TableFormat::Xlsx {
                let whole = WholeFile::in_folder(folder, "tables.xlsx").map_err(failed(folder))?;
                let writer = XlsxFile::create(whole.part(), database).map_err(failed(whole.part()))?;
                own.xlsx = Some((writer, whole));
                continue;
            }
            if format == TableFormat::ParquetByClass {
                // Partitions are opened when the classes are known.
                continue;
            }
            for (table, name) in names.iter().enumerate() {
                own.open(folder, &format!("{name}.{}", format.ending()), format, table)?;
            }
        }
        Ok(own)
    }

    /// Opens the file of a table.
    fn open(&mut self, folder: &Path, name: &str, format: TableFormat, table: usize) -> Result<(), TableFileError> {
        let whole = WholeFile::in_folder(folder, name).map_err(failed(folder))?;
        let writer = Writer::create(whole.part(), format, &self.database.tables[table])?;
        self.files.push(TableFile { table, whole, writer });
        Ok(())
    }

    /// Loads all rows to come into a server as well, which was connected with the same schema.
    pub fn load_into(&mut self, mut server: TableServer) {
        server.set_classes(self.classes.clone());
        self.server = Some(server);
    }

    /// Says what the page classes are, by their numbers, so that the database leads from tables to
    /// wrappers, and partitions are called by them. It is said once, before the first row.
    pub fn set_classes(&mut self, classes: Vec<ClassMark>) -> Result<(), TableFileError> {
        if let Some(server) = &mut self.server {
            server.set_classes(classes.clone());
        }
        self.classes = classes;
        if self.formats.contains(&TableFormat::ParquetByClass) {
            for (table, name) in file_names(&self.database.tables).iter().enumerate() {
                let folder = partition(&self.folder, &self.classes, &self.database.tables[table], name);
                fs::create_dir_all(&folder).map_err(failed(&folder))?;
                self.open(&folder, partition::FILE, TableFormat::ParquetByClass, table)?;
            }
        }
        Ok(())
    }

    /// Says which columns have cells with several values, one a line: the number of the table, and
    /// of the column in it. Formats with lists write them as such.
    pub fn set_lists(&mut self, lists: Vec<(usize, usize)>) {
        self.lists = lists;
    }

    /// Writes a row of a table: for each column its value.
    pub fn push(&mut self, table: usize, row: &[Option<String>]) -> Result<(), TableFileError> {
        let is_list = |column: usize| self.lists.contains(&(table, column));
        if !(0..row.len()).any(is_list) {
            let row: Vec<&[String]> = row.iter().map(Option::as_slice).collect();
            return self.push_row(table, &row);
        }
        let values = |(column, cell): (usize, &Option<String>)| match cell {
            Some(text) if is_list(column) => text.lines().map(str::to_owned).collect(),
            cell => cell.iter().cloned().collect(),
        };
        let row: Vec<Vec<String>> = row.iter().enumerate().map(values).collect();
        let row: Vec<&[String]> = row.iter().map(Vec::as_slice).collect();
        self.push_row(table, &row)
    }

    fn push_row(&mut self, index: usize, row: Row<'_>) -> Result<(), TableFileError> {
        let table = &self.database.tables[index];
        assert_eq!(
            row.len(),
            table.columns.len(),
            "a row is as wide as its table {}",
            table.name
        );
        for file in self.files.iter_mut().filter(|file| file.table == index) {
            let pushed = match &mut file.writer {
                Writer::Text(writer) => writer.push(table, row),
                Writer::Parquet(writer) => writer.push(row),
            };
            pushed.map_err(failed(file.whole.part()))?;
        }
        if let Some((sqlite, _)) = &mut self.sqlite {
            sqlite.push(index, table, row)?;
        }
        if let Some((xlsx, whole)) = &mut self.xlsx {
            xlsx.push(index, table, row).map_err(failed(whole.part()))?;
        }
        if let Some(server) = &mut self.server {
            server.push(index, row)?;
        }
        self.n_rows[index] += 1;
        Ok(())
    }

    /// Notes in the database where the job began.
    pub fn set_entry(&mut self, entry: &str) -> Result<(), TableFileError> {
        match &mut self.sqlite {
            Some((sqlite, _)) => sqlite.set_entry(entry),
            None => Ok(()),
        }
    }

    /// Notes a page in the database; what was noted of it before is forgotten.
    pub fn push_page(&mut self, page: &PageMark) -> Result<(), TableFileError> {
        if let Some((sqlite, _)) = &mut self.sqlite {
            sqlite.push_page(page)?;
        }
        if let Some(server) = &mut self.server {
            server.push_page(page)?;
        }
        Ok(())
    }

    /// Notes in the database what became of the text of each class's pages, and where text is that
    /// came into no column.
    pub fn push_left_out(&mut self, classes: &[ClassCoverage]) -> Result<(), TableFileError> {
        match &mut self.sqlite {
            Some((sqlite, _)) => sqlite.push_left_out(classes),
            None => Ok(()),
        }
    }

    /// Takes over what the database of an earlier run knows of pages, after all of this run's were
    /// noted: when they were first seen, and those that this run does not have, in this state
    /// ([`PageState::Vanished`] when the run was complete, else [`PageState::NotReached`]). A
    /// server has its own earlier run.
    pub fn carry_pages(&mut self, earlier: &Path, state: PageState) -> Result<(), TableFileError> {
        if let Some((sqlite, _)) = &mut self.sqlite
            && earlier.is_file()
        {
            sqlite.carry_pages(earlier, state)?;
        }
        if let Some(server) = &mut self.server {
            server.carry_pages(state);
        }
        Ok(())
    }

    /// How many rows each table has by now.
    pub fn n_rows(&self) -> &[usize] {
        &self.n_rows
    }

    /// Gives up: what was written is removed, and files that were there before stay.
    pub fn abandon(self) {
        // Files in the making are removed as they are dropped; the database is closed before its
        // file is.
        drop(self.files);
        drop(self.sqlite);
        drop(self.xlsx);
        if let Some(server) = self.server {
            server.abandon();
        }
    }

    /// Ends all files and gives them their names; those that were there before are replaced. No
    /// file gets its name before all are whole.
    pub fn finish(self) -> Result<Vec<PathBuf>, TableFileError> {
        let whole = self.end()?;
        whole.into_iter().map(keep).collect()
    }

    /// The same, and what is different from the database that was there before, if there was one.
    /// Files of tables that are gone go with them, in the formats that are written, so that what
    /// lies in the folder is one database.
    pub fn finish_comparing(self) -> Result<(Vec<PathBuf>, Option<Changes>), TableFileError> {
        let mut formats = self.formats.clone();
        let has_partitions = formats.contains(&TableFormat::ParquetByClass);
        formats.retain(|format| {
            !matches!(
                format,
                TableFormat::Sqlite | TableFormat::Xlsx | TableFormat::ParquetByClass
            )
        });
        let folder = self.folder.clone();
        let sqlite = self.sqlite.as_ref();
        let names = sqlite.map(|(_, whole)| (whole.target().to_owned(), whole.part().to_owned()));
        let whole = self.end()?;
        let earlier = names.filter(|(target, _)| target.is_file());
        let changes = earlier
            .map(|(target, part)| compare_databases(&target, &part))
            .transpose()?;
        let files = whole.into_iter().map(keep).collect::<Result<Vec<_>, _>>()?;
        let gone = changes.iter().flat_map(|changes| &changes.tables_gone);
        for (name, format) in gone.flat_map(|name| formats.iter().map(move |format| (name, format))) {
            let file = folder.join(format!("{}.{}", file_stem(name), format.ending()));
            if !files.contains(&file) {
                // One that is not there, or that somebody keeps open, does no harm.
                let _ = fs::remove_file(file);
            }
        }
        if has_partitions {
            partition::remove_others(&folder, &files);
        }
        Ok((files, changes))
    }

    /// Ends all files and the server's tables; the files still have their other names.
    fn end(self) -> Result<Vec<WholeFile>, TableFileError> {
        let mut whole = Vec::new();
        for file in self.files {
            let finished = match file.writer {
                Writer::Text(writer) => writer.finish(),
                Writer::Parquet(writer) => writer.finish(),
            };
            finished.map_err(failed(file.whole.part()))?;
            file.whole.sync().map_err(failed(file.whole.part()))?;
            whole.push(file.whole);
        }
        if let Some((xlsx, file)) = self.xlsx {
            xlsx.finish().map_err(failed(file.part()))?;
            file.sync().map_err(failed(file.part()))?;
            whole.push(file);
        }
        if let Some((sqlite, file)) = self.sqlite {
            sqlite.finish(&self.database, &self.classes, &self.n_rows)?;
            file.sync().map_err(failed(file.part()))?;
            whole.push(file);
        }
        if let Some(server) = self.server {
            server.finish()?;
        }
        Ok(whole)
    }
}

/// Gives a file its name.
fn keep(file: WholeFile) -> Result<PathBuf, TableFileError> {
    let target = file.target().to_owned();
    file.finish().map_err(failed(&target))
}

impl Writer {
    fn create(path: &Path, format: TableFormat, table: &Table) -> Result<Self, TableFileError> {
        let text = |format| TextFile::create(path, format, table).map(Self::Text);
        let created = match format {
            TableFormat::JsonLines => text(TextFormat::JsonLines),
            TableFormat::Csv => text(TextFormat::Csv),
            TableFormat::Xml => text(TextFormat::Xml),
            TableFormat::Parquet => ParquetFile::create(path, table).map(Self::Parquet),
            TableFormat::ParquetByClass => {
                ParquetFile::create(path, &partition::as_partition(table)).map(Self::Parquet)
            }
            TableFormat::Sqlite | TableFormat::Xlsx => unreachable!("they are one file for all tables"),
        };
        created.map_err(failed(path))
    }
}

/// The bytes of one small table in a format, for whoever writes one to a place of their own.
pub fn table_bytes(
    table: &Table,
    rows: &[Vec<Option<String>>],
    format: TableFormat,
) -> Result<Vec<u8>, TableFileError> {
    let folder = tempfile::tempdir().map_err(failed(&std::env::temp_dir()))?;
    let database = Database {
        tables: vec![table.clone()],
    };
    let mut files = TableFolder::create(folder.path(), &database, &[format])?;
    for row in rows {
        files.push(0, row)?;
    }
    let written = files.finish()?;
    fs::read(&written[0]).map_err(failed(&written[0]))
}
