//! The tables of a run, and all that lies beside them in its folder: the specification they were read by, the report, what changed.

use std::path::{Path, PathBuf};

use anyhow::{Context, Result};
use untemplate::page::Problem;
use untemplate::table::{
    Changes, ClassSection, Column, ColumnKind, ColumnSource, Cost, Database, ProblemGroups, Profiler, ReportPage,
    Table, TableSection, report_page,
};
use untemplate::teach::{Arrival, Fate, RunReport, Specification, TaughtClass, TaughtRecord};
use untemplate_store::table_file::{ClassMark, PageMark, PageState, TableFolder, TableFormat, changes_json};
use untemplate_store::{Figures, TableServer};
use url::Url;

use crate::arguments::RunArguments;
use crate::job_report::command;
use crate::output::write_whole;

/// Rows of a table that the report shows.
const SAMPLE_ROWS: usize = 8;

/// The specification among the files.
const SPECIFICATION: &str = "specification.xml";

/// Tables that are being filled.
pub struct RunTables<'a> {
    specification: &'a Specification,
    arguments: &'a RunArguments,
    folder: PathBuf,
    /// Of each page class, its table.
    own: Vec<Option<usize>>,
    database: Database,
    files: TableFolder,
    profiler: Profiler,
    samples: Vec<Vec<Vec<Option<String>>>>,
    problems: ProblemGroups,
}

/// What was written.
pub struct WrittenTables {
    /// The files.
    pub files: Vec<PathBuf>,
    /// What is different from the tables that were there before, where a database was among them.
    pub changes: Option<Changes>,
}

impl<'a> RunTables<'a> {
    /// Opens the tables of a specification.
    pub fn create(specification: &'a Specification, folder: &Path, arguments: &'a RunArguments) -> Result<Self> {
        let (own, database) = tables_of(specification);
        let formats: Vec<TableFormat> = arguments.format.iter().map(|format| format.table_format()).collect();
        let server = arguments
            .to
            .as_ref()
            .map(|address| TableServer::connect(address, &database));
        let server = server.transpose()?;
        let mut files = TableFolder::create(folder, &database, &formats)?;
        if let Some(server) = server {
            files.load_into(server);
        }
        files.set_classes(class_marks(specification));
        Ok(Self {
            specification,
            arguments,
            folder: folder.to_owned(),
            own,
            profiler: Profiler::new(&database),
            samples: vec![Vec::new(); database.tables.len()],
            database,
            files,
            problems: ProblemGroups::default(),
        })
    }

    /// How many rows there are by now.
    pub fn n_rows(&self) -> usize {
        self.files.n_rows().iter().sum()
    }

    /// Writes a record as a row of its class's table.
    pub fn write_record(&mut self, record: &TaughtRecord) -> Result<()> {
        let class = self.specification.class_index(&record.class);
        let Some(table) = class.and_then(|index| self.own[index]) else {
            return Ok(());
        };
        let texts = |values: &[untemplate::rule::Picked]| values.iter().map(|picked| picked.text.clone()).collect();
        let mut row: Vec<Vec<String>> = vec![vec![record.url.to_string()]];
        row.extend(record.fields.iter().map(|(_, values)| texts(values)));
        let cells: Vec<Option<String>> = row
            .iter()
            .map(|values| (!values.is_empty()).then(|| values.join("\n")))
            .collect();
        self.profiler.add(table, &cells);
        if self.samples[table].len() < SAMPLE_ROWS {
            self.samples[table].push(cells);
        }
        self.files.push_lists(table, &row)?;
        Ok(())
    }

    /// Notes what became of a page, for whoever traces a row to it.
    pub fn mark_page(&mut self, arrival: &Arrival) -> Result<()> {
        let state = match arrival.fate {
            Fate::Supports => PageState::Read,
            Fate::Rejected { .. } => PageState::Unread,
            Fate::Failed { .. } => PageState::Failed,
            Fate::Again | Fate::Dead { .. } | Fate::Refused { .. } => return Ok(()),
        };
        let url = arrival.page.as_ref().unwrap_or(&arrival.request.url);
        self.files.push_page(&PageMark {
            url: url.to_string(),
            page_class: self.specification.class_index(&arrival.class),
            first_seen: None,
            last_seen: None,
            state,
        })?;
        Ok(())
    }

    /// Notes something odd.
    pub fn note(&mut self, url: &Url, problem: &Problem) {
        self.problems.add(url.as_str(), problem);
    }

    /// Gives up: the tables of an earlier run stay as they are.
    pub fn abandon(self) {
        self.files.abandon();
    }

    /// Ends the tables and writes what lies beside them.
    pub fn finish(mut self, report: &RunReport, figures: Figures) -> Result<WrittenTables> {
        let state = if report.partial_because.is_empty() && !report.is_stopped {
            PageState::Vanished
        } else {
            PageState::NotReached
        };
        self.files.carry_pages(&self.folder.join("tables.sqlite"), state)?;
        let n_rows = self.files.n_rows().to_vec();
        let (mut files, changes) = self.files.finish_comparing()?;
        let copy = self.folder.join(SPECIFICATION);
        let text = std::fs::read(&self.arguments.specification)
            .with_context(|| format!("cannot read {} again", self.arguments.specification.display()))?;
        write_whole(&copy, &text)?;
        files.push(copy);
        if let Some(changes) = &changes {
            let file = self.folder.join("changes.json");
            write_whole(&file, changes_json(changes).as_bytes())?;
            files.push(file);
        }
        let sections = n_rows.into_iter().zip(self.profiler.finish()).zip(self.samples);
        let tables = sections.map(|((n_rows, profiles), sample)| TableSection {
            n_rows,
            profiles,
            sample,
        });
        let name = |file: &PathBuf| Some(file.file_name()?.to_string_lossy().into_owned());
        let page = ReportPage {
            title: format!("Run of {}", self.arguments.specification.display()),
            command: command(),
            time: None,
            partial_because: report.partial_because.clone(),
            tables: tables.collect(),
            database: self.database,
            classes: class_sections(self.specification, report),
            problems: self.problems.finish(),
            changes: changes.clone(),
            cost: Cost {
                downloads: figures.downloads as u64,
                reused: figures.reused as u64,
                bytes: figures.bytes as u64,
                seconds: None,
            },
            files: files.iter().filter_map(name).collect(),
        };
        let file = self.folder.join("report.html");
        write_whole(&file, report_page(&page).as_bytes())?;
        files.push(file);
        Ok(WrittenTables { files, changes })
    }
}

/// The tables of a specification: of each page class its table, where it has a wrapper, and their schema.
fn tables_of(specification: &Specification) -> (Vec<Option<usize>>, Database) {
    let (mut own, mut tables) = (Vec::new(), Vec::new());
    for (page_class, class) in specification.classes.iter().enumerate() {
        if class.fields.is_empty() {
            own.push(None);
            continue;
        }
        own.push(Some(tables.len()));
        let names: Vec<String> = class.fields.iter().map(|field| field.name.clone()).collect();
        let address = column(page_column(&names), ColumnSource::Address, ColumnKind::Url);
        let fields = names
            .into_iter()
            .map(|name| column(name.clone(), ColumnSource::Field(name), ColumnKind::Text));
        tables.push(Table {
            name: class.id.clone(),
            page_class,
            list_path: Vec::new(),
            columns: std::iter::once(address).chain(fields).collect(),
            // Answers to forms may share an address.
            key: Vec::new(),
            foreign_keys: Vec::new(),
        });
    }
    (own, Database { tables })
}

fn column(name: String, source: ColumnSource, kind: ColumnKind) -> Column {
    Column {
        name,
        is_nullable: source != ColumnSource::Address,
        source,
        kind,
        unit: None,
        reading: Default::default(),
    }
}

/// The column of the page's address, under a name that no field has.
fn page_column(names: &[String]) -> String {
    let mut column = "page".to_owned();
    while names.iter().any(|name| name.eq_ignore_ascii_case(&column)) {
        column.push('_');
    }
    column
}

fn class_marks(specification: &Specification) -> Vec<ClassMark> {
    let mark = |class: &TaughtClass| ClassMark {
        name: class.id.clone(),
        wrapper: (!class.fields.is_empty()).then(|| SPECIFICATION.to_owned()),
    };
    specification.classes.iter().map(mark).collect()
}

/// How the pages of each class were reached and read.
fn class_sections(specification: &Specification, report: &RunReport) -> Vec<ClassSection> {
    let classes = specification.classes.iter().zip(&report.classes);
    let section = |(class, counts): (&TaughtClass, &untemplate::teach::ClassReport)| {
        let ways = specification
            .request_classes
            .iter()
            .filter(|request| request.to == class.id);
        let ways: Vec<&str> = ways.map(|request| request.id.as_str()).collect();
        ClassSection {
            name: class.id.clone(),
            kind: if class.fields.is_empty() {
                "on the way".to_owned()
            } else {
                "read".to_owned()
            },
            pattern: if ways.is_empty() {
                "entry".to_owned()
            } else {
                format!("by {}", ways.join(", "))
            },
            estimated_pages: None,
            pages_read: counts.supports,
            pages_unread: counts.rejected,
            wrapper: match class.fields.len() {
                0 => String::new(),
                n_fields => format!("taught, {n_fields} fields"),
            },
            example: None,
        }
    };
    classes.map(section).collect()
}
