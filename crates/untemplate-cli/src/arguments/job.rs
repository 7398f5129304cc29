//! The verbs that do the whole job: `report` and `rebuild`.

use std::path::{Path, PathBuf};

use anyhow::{Result, anyhow};
use clap::Args;
use untemplate_store::{JobFolder, SCHEMA_FILE, SchemaFileError, read_schema};
use url::Url;

use super::data::RunFormat;
use super::{OutputArguments, ReachArguments, SourceArguments};
use crate::outcome::WrongUsage;
use crate::output::say;

/// `untemplate rebuild`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate rebuild site.example\n  untemplate rebuild ./folder --format csv\n  untemplate rebuild http://site.example/docs/ --below . --exclude print --dry-run\n  untemplate rebuild archive.warc.gz --format xlsx -o ./tables"
)]
pub struct RebuildArguments {
    /// An address, with or without http://, a folder of pages, a page, or a WARC file.
    #[arg(value_name = "ENTRY", required_unless_present = "start")]
    pub entry: Option<String>,
    /// Stay on the entry's host; by default all hosts of its registrable domain are the site.
    #[arg(long)]
    pub host_only: bool,
    /// Print what a run would do and how long that takes, and write no tables: the page classes and
    /// their estimated sizes, from few downloads. On the web, pages that were asked for are kept for
    /// the run.
    #[arg(long)]
    pub dry_run: bool,
    /// Print how the pages of a class are read: its places, the keys of their values, its lists,
    /// and why places became nothing. CLASS is its name, or the address of one of its pages.
    #[arg(long, value_name = "CLASS", conflicts_with = "dry_run")]
    pub explain: Option<String>,
    /// Write what reads pages of the site one at a time, and no tables: reader.json, the model and
    /// the wrappers, for the rest of the site elsewhere (Python, Spark).
    #[arg(long, conflicts_with_all = ["dry_run", "to", "format"])]
    pub wrappers_only: bool,
    /// Other values for numbers that decide, as JSON.
    #[arg(long, value_name = "FILE", hide = true)]
    pub parameters: Option<PathBuf>,
    #[command(flatten)]
    pub reach: ReachArguments,
    #[command(flatten)]
    pub tables: TableArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
}

/// `untemplate report`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate report http://site.example/teams/12.html\n  untemplate report ./cup/site/players/ada-7.html --format csv -o ./players\n  untemplate report http://site.example/teams/12.html --wrapper untemplate-out/reader.json --format jsonl -o -"
)]
pub struct ReportArguments {
    /// The sample: an address, with or without http://, or a page in a folder of them.
    #[arg(value_name = "SAMPLE")]
    pub sample: String,
    /// A page to start from beside the sample. Repeatable.
    #[arg(long, value_name = "URL")]
    pub entry: Vec<String>,
    /// Stay on the sample's host; by default all hosts of its registrable domain are the site.
    #[arg(long)]
    pub host_only: bool,
    /// Print how many pages are thought to be like the sample; which links lead to them, and how
    /// long a run takes, from few downloads. No tables are written; on the web, pages that were asked
    /// for are kept for the run.
    #[arg(long)]
    pub dry_run: bool,
    /// Read each page as soon as it is found, and stream JSON lines to standard output, with
    /// --format jsonl -o -: the rows of tables, by reader.json of an earlier run; or a record a
    /// page, as `extract` prints it, by a wrapper or a specification.
    #[arg(long, value_name = "FILE", conflicts_with = "dry_run")]
    pub wrapper: Option<PathBuf>,
    #[command(flatten)]
    pub reach: ReachArguments,
    #[command(flatten)]
    pub tables: TableArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
}

/// Where tables go.
#[derive(Debug, Args)]
#[command(next_help_heading = "Output")]
pub struct TableArguments {
    /// How tables are written, beside tables.sqlite, which always is. Repeatable.
    #[arg(long, value_name = "FORMAT")]
    pub format: Vec<RunFormat>,
    /// Name, type, drop, merge and keep tables and columns as FILE says: schema.toml of an earlier
    /// run, with your changes. One that was changed in the output folder needs no option.
    #[arg(long, value_name = "FILE")]
    pub schema: Option<PathBuf>,
    /// Load the tables into a PostgreSQL server as well: postgresql://USER@HOST/DATABASE.
    #[arg(long, value_name = "URL")]
    pub to: Option<String>,
    /// The folder that the tables and the report go to; ./untemplate-out by default. With run or
    /// report --wrapper, and --format jsonl, - streams rows to standard output as they are read, and
    /// writes no folder.
    #[arg(short, long, value_name = "DIR")]
    pub output: Option<PathBuf>,
    /// Write the run's figures to FILE, as one JSON object.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// When there is something to tell (the site has changed, the run failed or is a part of the
    /// whole, rows are different), run COMMAND with the summary on its input, or send it to an
    /// address (http://, https://).
    #[arg(long, value_name = "COMMAND|URL")]
    pub notice: Option<String>,
    /// Print no messages, only errors.
    #[arg(short, long)]
    pub quiet: bool,
}

impl TableArguments {
    /// Whether rows go to standard output instead of a folder.
    pub fn is_standard_output(&self) -> bool {
        self.output.as_deref() == Some(Path::new("-"))
    }

    /// An error where something else is asked for with `-o -` than JSON lines, which alone need no
    /// more than the row that they stand for.
    pub fn check_lines(&self) -> Result<()> {
        let is_lines = self.format.iter().all(|format| *format == RunFormat::Jsonl);
        match is_lines && self.to.is_none() && self.schema.is_none() {
            true => Ok(()),
            false => {
                let message = "-o - streams JSON lines alone; give --format jsonl, or a folder for tables";
                Err(anyhow!(WrongUsage(message.to_owned())))
            }
        }
    }

    /// Where figures and messages go: the result is a folder, and not among them.
    pub fn figures(&self) -> OutputArguments {
        OutputArguments {
            output: None,
            summary: self.summary.clone(),
            quiet: self.quiet,
            notice: self.notice.clone(),
        }
    }

    /// The folder of the tables, and what goes there.
    pub fn job_folder(&self) -> Result<JobFolder> {
        if self.is_standard_output() {
            let message = "-o names the folder of the tables; rows are streamed where their columns are known: by `run SPEC --format jsonl -o -`, `report SAMPLE --wrapper FILE --format jsonl -o -`, and by `extract`";
            return Err(anyhow!(WrongUsage(message.to_owned())));
        }
        let schema = self.schema.as_deref().map(read_schema).transpose();
        let wrong = |error: SchemaFileError| anyhow!(WrongUsage(format!("--schema: {error}")));
        Ok(JobFolder {
            schema: schema.map_err(wrong)?.unwrap_or_default(),
            folder: self.output.clone().unwrap_or_else(|| PathBuf::from("untemplate-out")),
            formats: self.format.iter().map(|format| format.table_format()).collect(),
            server: self.to.clone(),
            entry: None,
        })
    }

    /// The same for a job that begins at this address. An error when the folder has the tables of
    /// another site.
    pub fn job_folder_of(&self, entry: &Url) -> Result<JobFolder> {
        let folder = JobFolder {
            entry: Some(entry.clone()),
            ..self.job_folder()?
        };
        folder.check_site()?;
        self.tell_schema(&folder)?;
        Ok(folder)
    }

    /// The folder before the work: whether it may be written to.
    pub fn check_folder(&self) -> Result<()> {
        Ok(self.job_folder()?.check()?)
    }

    /// Says whose schema is followed.
    fn tell_schema(&self, folder: &JobFolder) -> Result<()> {
        if folder.changed_schema()?.is_some() {
            let file = folder.folder.join(SCHEMA_FILE);
            let message = format!(
                "{} was changed, and the run does as it says; --schema names another",
                file.display()
            );
            say(&self.figures(), &message);
        }
        Ok(())
    }
}
