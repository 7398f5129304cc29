//! `untemplate repair`, and where old pages come from.

use std::path::PathBuf;

use clap::Args;

use super::{OutputArguments, SourceArguments};

/// `untemplate repair`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate repair players.xml new/*.html --old old/*.html -o players.xml\n  untemplate repair players.xml http://cup.example/players/ada-1.html http://cup.example/players/bo-2.html \\\n    --old-archive ./untemplate-archive/cup.example -o mended.xml --report mended.jsonl"
)]
pub struct RepairArguments {
    /// The file: a specification that learn or teach wrote, or a wrapper that infer or rebuild
    /// wrote.
    #[arg(value_name = "WRAPPER_OR_SPEC")]
    pub specification: PathBuf,
    /// The pages as they are now, ten or more: files, file:// or http(s):// addresses, or - for a
    /// list of them on standard input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// Write to FILE how each field was read and is read now, as JSON lines.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub report: Option<PathBuf>,
    /// The share of pages that a field or assertion must hold on.
    #[arg(long, value_name = "SHARE", default_value_t = 0.9)]
    pub min_held: f64,
    #[command(flatten)]
    pub old: OldArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Where pages come from that are as they were when everything held.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Old pages")]
pub struct OldArguments {
    /// Pages as they were: files, or addresses that one of the following answers.
    #[arg(long, value_name = "PAGE", num_args = 1..)]
    pub old: Vec<String>,
    /// Take the old pages at the addresses of the new ones from the files below DIR. Repeatable.
    #[arg(long, value_name = "URL=DIR")]
    pub old_mirror: Vec<String>,
    /// Take them from a WARC file. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub old_warc: Vec<PathBuf>,
    /// Take them from the archive of an earlier crawl.
    #[arg(long, value_name = "DIR")]
    pub old_archive: Option<PathBuf>,
}
