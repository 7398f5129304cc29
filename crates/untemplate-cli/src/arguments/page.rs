//! The verbs about one page: `show` and `records`.

use clap::{Args, ValueEnum};
use untemplate::page::AttributeMode;

use super::{OutputArguments, SourceArguments};

/// `untemplate show`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate show links page.html\n  untemplate show schema http://site.example/ --mirror http://site.example/=./site\n  ls *.html | untemplate show page -\n  untemplate show cell untemplate-out player http://cup.example/players/ada-1.html height"
)]
pub struct ShowArguments {
    /// What to print.
    pub kind: ShowKind,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard
    /// input. For a wrapper, specification or model, its file; for a cell, DIR TABLE ROWKEY COLUMN.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// What a step of a tag path is made of.
    #[arg(long, value_name = "WHAT", default_value = "attributes")]
    pub steps: StepKind,
    /// Which attributes belong to a step, with --steps attributes.
    #[arg(long, value_name = "WHICH", default_value = "norm")]
    pub attrs: AttributeKind,
    /// Build the tree as after scripts ran: noscript is text.
    #[arg(long)]
    pub scripting: bool,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate records`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate records results.html\n  untemplate records http://shop.example/lamps --follow-next --format csv -o lamps.csv\n  untemplate records results.html --html -o outlined.html"
)]
pub struct RecordsArguments {
    /// The page: a file, or a file:// or http(s):// address.
    #[arg(value_name = "PAGE")]
    pub page: String,
    /// Return all lists of the page, best first, not the main one alone.
    #[arg(long)]
    pub all: bool,
    /// What was searched for, when the page answers a search: words, or conditions such as "title
    /// contains java".
    #[arg(long, value_name = "QUERY")]
    pub query: Option<String>,
    /// Find the list as the paper of Álvarez and others does, instead of the way that measures
    /// best.
    #[arg(long, conflicts_with = "all")]
    pub faithful: bool,
    /// Go on to the next page as long as there is one, and return the whole list.
    #[arg(long, conflicts_with_all = ["all", "html"])]
    pub follow_next: bool,
    /// Write a table in this format instead of one JSON object; on a terminal a table is printed.
    #[arg(long, value_name = "FORMAT", conflicts_with_all = ["all", "html"])]
    pub format: Option<RecordsFormat>,
    /// Write the page itself instead, with its records outlined and its scripts removed.
    #[arg(long)]
    pub html: bool,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// How a table of records is written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RecordsFormat {
    /// One JSON object with regions, columns and records.
    Json,
    /// A JSON object a record.
    Jsonl,
    /// Comma-separated values, with a row of names.
    Csv,
    /// Apache Parquet.
    Parquet,
    /// An XML element a record.
    Xml,
    /// An SQLite database with a table `records`.
    Sqlite,
    /// A workbook, for Excel and LibreOffice.
    Xlsx,
    /// Text in columns, for a terminal.
    Table,
}

/// What `show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowKind {
    /// The tree, a node a line.
    Page,
    /// What a reader sees: headings, sections, lines, pairs, grids and lists.
    Content,
    /// What the page says for programs: JSON-LD, microdata, RDFa, OpenGraph.
    Data,
    /// The links, grouped by tag path.
    Links,
    /// The page schema: the tag paths of its links.
    Schema,
    /// The tokens that wrapper inference compares.
    Tokens,
    /// The lists, with what spoke for each and all fields of their records.
    Records,
    /// A wrapper file, as an annotated skeleton.
    Wrapper,
    /// A specification file instead of a page: its classes, rules and paths.
    Spec,
    /// A site model: its classes and where they lead. PAGE is a model file.
    Model,
    /// Where a value of a table comes from: give the folder, the table, the key of the row and the
    /// column.
    Cell,
}

/// The alphabets of tag paths.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StepKind {
    /// The tag alone.
    Tag,
    /// The tag and its attributes, filtered by --attrs.
    Attributes,
    /// The tag and its position: an absolute XPath.
    Position,
}

/// Which attributes belong to a step.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AttributeKind {
    /// None of them.
    None,
    /// Their names.
    Names,
    /// Names, and normalised values of those that concern presentation.
    Norm,
    /// Names and values as they are.
    Full,
}

impl AttributeKind {
    /// The same for the library.
    pub fn mode(self) -> AttributeMode {
        match self {
            Self::None => AttributeMode::None,
            Self::Names => AttributeMode::Names,
            Self::Norm => AttributeMode::Normalised,
            Self::Full => AttributeMode::Full,
        }
    }
}
