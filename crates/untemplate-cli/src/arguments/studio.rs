//! The verbs in a browser: `teach` and `studio`.

use std::net::IpAddr;
use std::path::PathBuf;

use clap::Args;

use super::{OutputArguments, SourceArguments};

/// `untemplate teach`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate teach http://cup.example/ --spec players.xml\n  untemplate teach http://cup.example/ --mirror http://cup.example/=./cup/site"
)]
pub struct TeachArguments {
    /// An address, with or without http://, a folder of pages, a page, or a WARC file.
    #[arg(value_name = "ENTRY")]
    pub entry: String,
    /// Write the specification to FILE after every choice.
    #[arg(long, value_name = "FILE")]
    pub spec: Option<PathBuf>,
    /// The file that keeps what was said; ./untemplate-lessons/HOST.json by default. Teaching goes
    /// on from there.
    #[arg(long, value_name = "FILE")]
    pub lesson: Option<PathBuf>,
    #[command(flatten)]
    pub listen: ListenArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate studio`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  untemplate studio\n  untemplate studio --folder ./crawls --no-open")]
pub struct StudioArguments {
    /// The folder whose crawls, models, tables and lessons are shown.
    #[arg(long, value_name = "DIR", default_value = ".")]
    pub folder: PathBuf,
    /// Let jobs that are started from the browser connect to private, loopback and link-local
    /// addresses.
    #[arg(long)]
    pub allow_private: bool,
    /// Whom to tell when a job that runs again has news: the site has changed, it failed, rows are
    /// different. COMMAND is run with its summary on the input, or an address (http://, https://) is
    /// sent it.
    #[arg(long, value_name = "COMMAND|URL")]
    pub notice: Option<String>,
    #[command(flatten)]
    pub listen: ListenArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// Where the pages are served.
#[derive(Debug, Args)]
#[command(next_help_heading = "Serving")]
pub struct ListenArguments {
    /// The port to serve on; any free one by default.
    #[arg(long, value_name = "PORT", default_value_t = 0)]
    pub port: u16,
    /// The address to serve on. Others than loopback let other machines in: whoever has the printed
    /// address can do all that you can.
    #[arg(long, value_name = "IP", default_value = "127.0.0.1")]
    pub address: IpAddr,
    /// Do not open a browser; the address is printed in any case.
    #[arg(long)]
    pub no_open: bool,
}
