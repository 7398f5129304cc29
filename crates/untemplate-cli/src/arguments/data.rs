//! The verbs from pages to data: `infer`, `extract`, `learn`, `run`, `verify`.

use std::path::PathBuf;
use std::time::Duration;

use clap::{Args, ValueEnum};
use untemplate_store::table_file::TableFormat;

use super::{OldArguments, OutputArguments, SourceArguments, TableArguments};

/// `untemplate infer`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate infer players/*.html -o players.wrapper\n  ls films/*.html | untemplate infer - -o films.wrapper --html films.html"
)]
pub struct InferArguments {
    /// The pages, all of one class: files, file:// or http(s):// addresses, or - for a list of them
    /// on standard input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// Learn from at most N pages, chosen for their variety when there are more.
    #[arg(long, value_name = "N", default_value_t = 40)]
    pub training: usize,
    /// Infer expressions as the RoadRunner paper does, instead of a template.
    #[arg(long)]
    pub faithful: bool,
    /// Infer expressions by the polynomial algorithm for prefix mark-up languages.
    #[arg(long, conflicts_with = "faithful")]
    pub prefix: bool,
    /// Write a report to FILE: sample pages with the fields coloured, and the table.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate extract`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate extract players.wrapper players/*.html > players.jsonl\n  untemplate extract prices.xml *.html"
)]
pub struct ExtractArguments {
    /// What reads the pages: a wrapper that infer or rebuild wrote, or a specification that learn
    /// or teach wrote.
    #[arg(value_name = "WRAPPER_OR_SPEC")]
    pub wrapper: PathBuf,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard
    /// input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate learn`.
#[derive(Debug, Args)]
#[command(
    after_help = "Example:\n  untemplate learn --examples examples.json *.html -o prices.xml && untemplate extract prices.xml *.html\n\nThe examples: {\"fields\": {\"price\": [{\"page\": \"a.html\", \"value\": \"$ 9\"}]}}\nThe answers:  {\"b.html\": {\"price\": [\"$ 3\"], \"weight\": []}}"
)]
pub struct LearnArguments {
    /// A JSON file with a few values of each field, and the pages that they are on; or a lesson
    /// that `teach` kept, which names its own pages.
    #[arg(long, value_name = "FILE")]
    pub examples: PathBuf,
    /// The pages to learn from, some ten of one class: files, file:// or http(s):// addresses, or -
    /// for a list of them on standard input. They may be left out where the examples say how pages
    /// are found (`entry` and `links`).
    #[arg(value_name = "PAGE")]
    pub pages: Vec<String>,
    /// A JSON file that answers the questions, instead of a person.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// The most questions about one field, and about one way between pages.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_questions: usize,
    /// What the page class is called in the specification; PAGE, unless the examples name it.
    #[arg(long, value_name = "NAME")]
    pub class: Option<String>,
    /// Try the form of this request class although it may change something on the site. Repeatable.
    #[arg(long, value_name = "REQUEST_CLASS")]
    pub send: Vec<String>,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate run`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate run players.xml\n  untemplate run players.xml --follow BYINITIAL --format csv --format sqlite -o ./players\n  untemplate run players.xml --mirror http://cup.example/=./cup/site"
)]
pub struct RunArguments {
    /// The specification file.
    #[arg(value_name = "SPEC")]
    pub specification: PathBuf,
    /// Follow only the path of this name. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub follow: Vec<String>,
    /// Send the form of this request class although it may change something on the site.
    /// Repeatable.
    #[arg(long, value_name = "REQUEST_CLASS")]
    pub send: Vec<String>,
    /// Follow at most this many next pages in a row.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_next: usize,
    /// Visit the entries and the first pages behind them, and print the plan: paths, classes, about
    /// how many requests a run makes, and how long that takes. No form is sent.
    #[arg(long)]
    pub dry_run: bool,
    /// Run again and again, until interrupted: every hour, day or week, or this many seconds. Pages
    /// of the live web are asked for again each time; only what changed is sent.
    #[arg(long, value_name = "TIME", value_parser = parse_every, conflicts_with = "dry_run")]
    pub every: Option<Duration>,
    /// Verify the specification on some pages of each class first; where it has drifted, nothing is
    /// written, and the exit code is 4.
    #[arg(long, conflicts_with = "dry_run")]
    pub verify_first: bool,
    /// With --verify-first, mend what has drifted, and go on: by pages as they were. The exit code is
    /// 4 where something stays broken.
    #[arg(long, requires = "verify_first")]
    pub repair: bool,
    /// Write a line for each request to FILE, as JSON: where it was found, and what came of it.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// Write the first rows to FILE as they are read: what the studio shows of a run.
    #[arg(long, value_name = "FILE", hide = true)]
    pub preview: Option<PathBuf>,
    #[command(flatten)]
    pub old: OldArguments,
    #[command(flatten)]
    pub tables: TableArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
}

/// Reads how often: a word, or a number of seconds.
fn parse_every(text: &str) -> Result<Duration, String> {
    let hours = |hours: u64| Ok(Duration::from_secs(hours * 3_600));
    match text {
        "hour" => hours(1),
        "day" => hours(24),
        "week" => hours(7 * 24),
        _ => match text.parse::<u32>() {
            Ok(seconds) if seconds > 0 => Ok(Duration::from_secs(seconds.into())),
            _ => Err("give hour, day, week, or a number of seconds".to_owned()),
        },
    }
}

/// How the tables of a folder are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A file a table, a JSON object a row.
    Jsonl,
    /// A file a table, comma-separated values with a row of names.
    Csv,
    /// A file a table, Apache Parquet.
    Parquet,
    /// Apache Parquet in folders by page class and table, as engines take partitions.
    ParquetByClass,
    /// A file a table, an XML element a row.
    Xml,
    /// One SQLite database with all tables.
    Sqlite,
    /// One workbook with a sheet a table, for Excel and LibreOffice.
    Xlsx,
}

impl RunFormat {
    /// The format of the store.
    pub fn table_format(self) -> TableFormat {
        match self {
            Self::Jsonl => TableFormat::JsonLines,
            Self::Csv => TableFormat::Csv,
            Self::Parquet => TableFormat::Parquet,
            Self::ParquetByClass => TableFormat::ParquetByClass,
            Self::Xml => TableFormat::Xml,
            Self::Sqlite => TableFormat::Sqlite,
            Self::Xlsx => TableFormat::Xlsx,
        }
    }
}

/// `untemplate verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate verify players.xml http://cup.example/players/ada-1.html\n  untemplate verify players.wrapper players/*.html\n  ls players/*.html | untemplate verify players.xml -"
)]
pub struct VerifyArguments {
    /// The file: a specification that learn or teach wrote, or a wrapper that infer or rebuild
    /// wrote.
    #[arg(value_name = "WRAPPER_OR_SPEC")]
    pub specification: PathBuf,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard
    /// input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// The share of pages that a field or assertion must hold on.
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    pub min_held: f64,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn times_are_words_or_seconds() {
        assert_eq!(parse_every("day"), Ok(Duration::from_secs(86_400)));
        assert_eq!(parse_every("90"), Ok(Duration::from_secs(90)));
        for wrong in ["0", "-1", "", "daily", "99999999999"] {
            assert!(parse_every(wrong).is_err(), "{wrong}");
        }
    }
}
