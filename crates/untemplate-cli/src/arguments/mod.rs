//! The command line: verbs and their options, as clap reads them. Help texts are the manual.

mod data;
mod help;
mod job;
mod page;
mod reach;
mod repair;
mod site;
mod sources;
mod studio;

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use untemplate_demo::Skin;

pub use data::{ExtractArguments, InferArguments, LearnArguments, RunArguments, VerifyArguments};
pub use help::{brief_command, command};
pub use job::{RebuildArguments, ReportArguments, TableArguments};
pub use page::{AttributeKind, RecordsArguments, RecordsFormat, ShowArguments, ShowKind, StepKind};
pub use reach::ReachArguments;
pub use repair::{OldArguments, RepairArguments};
pub use site::{
    AlgorithmKind, ArchiveArguments, ClassifyArguments, ExtensionKind, GatherArguments, ModelArguments, SchemaKind,
    ScopeKind, StrategyKind,
};
pub use sources::{LimitArguments, PolitenessArguments, RenderArguments, RenderKind, SourceArguments};
pub use studio::{ListenArguments, StudioArguments, TeachArguments};

/// The verbs that most people need, and the names of the others.
const MAIN_VERBS: &str = "\
Verbs that most people need:
  rebuild   A whole site as a database: rebuild site.example, rebuild ./folder
  report    All pages like one page, as a table and a report
  records   The list on a page as a table
  teach     Show what you want by clicking in a browser
  studio    Look at crawls and tables in a browser, and start jobs

Others: run, learn, gather, model, infer, extract, verify, repair, classify, archive, show, demo, completions, man

`untemplate demo` tries it on a bundled site, `untemplate VERB -h` says what a verb takes, and
`untemplate --help` says more of every verb.";

/// Pours web sites back into the databases they were made from.
///
/// Finds the pages like a sample, the classes of a site, the template of a class, the list on a
/// page; learns fields from examples; and returns their data. No selectors written by hand, no
/// labels, no language model.
#[derive(Debug, Parser)]
#[command(name = "untemplate", version, propagate_version = true, max_term_width = 100)]
#[command(help_template = "{about-with-newline}\n{usage-heading} {usage}{after-help}")]
#[command(after_help = MAIN_VERBS)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
    /// How messages and progress are written to standard error: text, or a JSON object a line for
    /// programs.
    #[arg(long, value_name = "FORMAT", global = true, help_heading = "Output")]
    pub log: Option<LogKind>,
}

/// How messages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum LogKind {
    /// Lines for people; a bar on a terminal.
    Text,
    /// A JSON object a line: progress, waiting, message, error, end.
    Json,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Return a whole site as the relational database it was made from: a table for each page
    /// class, and references between them.
    Rebuild(RebuildArguments),
    /// Find all pages like a sample page, read them, and write their data and a report.
    Report(ReportArguments),
    /// Return the main list of a page as a table.
    Records(RecordsArguments),
    /// Show what you want by clicking in a browser: what to follow, what to read. The result is a
    /// specification.
    Teach(TeachArguments),
    /// Look at every crawl, model and table of a folder in a browser, and start jobs.
    Studio(StudioArguments),
    /// Follow a specification through its site and write a table for each page class with a
    /// wrapper.
    Run(RunArguments),
    /// Learn to read fields from examples of their values, asking only what is in doubt: a
    /// specification.
    Learn(LearnArguments),
    /// Find every page of a site that is like a sample page.
    Gather(GatherArguments),
    /// Find the page classes of a site and the links between them, from few downloads.
    Model(ModelArguments),
    /// Find the template that pages of one class have in common: a wrapper.
    Infer(InferArguments),
    /// Read the data of pages with a wrapper or a specification, one JSON line per page.
    Extract(ExtractArguments),
    /// Tell whether a specification or wrapper still holds on pages: exit code 4 when the site has
    /// changed.
    Verify(VerifyArguments),
    /// Mend a specification or wrapper whose site has changed, by what it read on old pages.
    Repair(RepairArguments),
    /// Tell the page class of pages, by a site model.
    Classify(ClassifyArguments),
    /// Crawl a site politely and keep its pages, so that the crawl can be stopped and go on at any
    /// time.
    Archive(ArchiveArguments),
    /// Print a page as the program sees it: its tree, content, data, links, schema, tokens or
    /// lists; or a wrapper, specification or model; or where a value comes from.
    Show(ShowArguments),
    /// Start the bundled demo site, rebuild its database, and show what was found beside what it
    /// was made of.
    Demo(DemoArguments),
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
    /// Print the manual page, in roff.
    Man(ManArguments),
}

/// Where results and figures go.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Output")]
pub struct OutputArguments {
    /// Write the result to FILE, whole or not at all; - is standard output.
    #[arg(short, long, value_name = "FILE")]
    pub output: Option<PathBuf>,
    /// Write the run's figures to FILE, as one JSON object.
    #[arg(long, value_name = "FILE")]
    pub summary: Option<PathBuf>,
    /// Print no messages, only the result and errors.
    #[arg(short, long)]
    pub quiet: bool,
    /// Whom to tell when the run has ended, for verbs that have `--notice`.
    #[arg(skip)]
    pub notice: Option<String>,
}

/// `untemplate demo`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate demo\n  untemplate demo --serve --skin tables\n  untemplate demo --write ./cup --players 2000"
)]
pub struct DemoArguments {
    /// How many players the site's database has; the number of pages is about twice that.
    #[arg(long, value_name = "N", default_value_t = 200, value_parser = clap::value_parser!(u32).range(15..=200_000))]
    pub players: u32,
    /// The seed that the database is made from.
    #[arg(long, value_name = "N", default_value_t = 1)]
    pub seed: u64,
    /// How the site looks: modern, tables (as of 2001), plain (few links) or wild (as real sites
    /// are).
    #[arg(long, default_value = "modern", value_parser = str::parse::<Skin>)]
    pub skin: Skin,
    /// The folder that the rebuilt tables and the report go to; ./untemplate-demo by default.
    #[arg(long, value_name = "DIR", conflicts_with_all = ["write", "serve"])]
    pub tables: Option<PathBuf>,
    /// Serve the site until the program is interrupted, for other programs to visit.
    #[arg(long, conflicts_with_all = ["write", "summary"])]
    pub serve: bool,
    /// The port to serve on; any free one by default.
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
    pub port: u16,
    /// Write the site as a mirror folder below DIR, with its database as truth.sqlite and a
    /// manifest.json.
    #[arg(long, value_name = "DIR")]
    pub write: Option<PathBuf>,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate completions`.
#[derive(Debug, Args)]
pub struct CompletionsArguments {
    /// The shell.
    pub shell: clap_complete::Shell,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate man`.
#[derive(Debug, Args)]
pub struct ManArguments {
    /// The verb whose page to print; that of the program by default.
    pub verb_name: Option<String>,
    #[command(flatten)]
    pub output: OutputArguments,
}
