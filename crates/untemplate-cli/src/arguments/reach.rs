//! Which pages of a site a crawl asks for.

use std::path::PathBuf;

use clap::Args;

/// Which pages of a site are asked for.
#[derive(Debug, Clone, Default, Args)]
#[command(next_help_heading = "Which pages")]
pub struct ReachArguments {
    /// Ask only for addresses that match; where a run starts is always asked for. Repeatable: any
    /// will do.
    #[arg(long, value_name = "REGEX")]
    pub include: Vec<String>,
    /// Ask for no addresses that match. Repeatable.
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,
    /// Stay below this folder: an address, or a path such as /docs/; a dot is the folder of the
    /// start. Repeatable: any will do.
    #[arg(long, value_name = "FOLDER")]
    pub below: Vec<String>,
    /// Follow at most N links in a row; 0 is the start alone. Sitemaps are not read then.
    #[arg(long, value_name = "N")]
    pub depth: Option<u32>,
    /// Start from the addresses in FILE as well, one a line; lines that begin with # are left out.
    #[arg(long, value_name = "FILE")]
    pub start: Option<PathBuf>,
}
