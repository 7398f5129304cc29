//! The verbs about a site: `gather`, `model`, `classify`, `archive`.

use std::path::PathBuf;

use clap::{Args, ValueEnum};
use untemplate_store::archive::ArchivePlace;

use super::{
    AttributeKind, LimitArguments, OutputArguments, PolitenessArguments, ReachArguments, RenderArguments,
    SourceArguments,
};

/// `untemplate gather`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate gather http://site.example/teams/12.html > teams.jsonl\n  untemplate gather http://cup.example/players/ada-7.html --mirror http://cup.example/=./cup/site --explain --html ways.html"
)]
pub struct GatherArguments {
    /// The sample: an address, with or without http://, or a page in a folder of them.
    #[arg(value_name = "SAMPLE")]
    pub sample: String,
    /// A page to start from beside the sample. Repeatable.
    #[arg(long, value_name = "URL")]
    pub entry: Vec<String>,
    /// Stay on the sample's host; by default all hosts of its registrable domain are the site.
    #[arg(long)]
    pub host_only: bool,
    /// Say on standard error which links of which pages led to the pages found.
    #[arg(long)]
    pub explain: bool,
    /// Draw the navigation learnt as a page, in FILE.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// How pages are looked for.
    #[arg(long, value_name = "WHICH", default_value = "guided")]
    pub algorithm: AlgorithmKind,
    /// Run indesit or trivial, whichever --algorithm names, exactly as in the paper, and count as
    /// it does.
    #[arg(long)]
    pub faithful: bool,
    /// Switch a part of the guided search off. Repeatable.
    #[arg(long, value_name = "WHAT")]
    pub without: Vec<ExtensionKind>,
    /// Other values for numbers that decide, as JSON.
    #[arg(long, value_name = "FILE", hide = true)]
    pub parameters: Option<PathBuf>,
    #[command(flatten)]
    pub reach: ReachArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// How pages like a sample are looked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum AlgorithmKind {
    /// The program's own.
    Guided,
    /// INDESIT, of 2004.
    Indesit,
    /// TRIVIALSEARCH, of the same paper.
    Trivial,
}

/// Parts of the guided search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExtensionKind {
    /// Asking for robots.txt and sitemaps.
    Listed,
}

/// `untemplate model`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate model http://site.example/ -o site.model.json --html site.html\n  untemplate model http://site.example/ --mirror http://site.example/=./site\n  untemplate model http://site.example/ --update site.model.json -o site.model.json"
)]
pub struct ModelArguments {
    /// An address, with or without http://, a folder of pages, a page, or a WARC file.
    #[arg(value_name = "ENTRY", required_unless_present = "start")]
    pub entry: Option<String>,
    /// Go on from a stored model: visit its pages again, then new ones; classes keep their numbers
    /// and names.
    #[arg(long, value_name = "MODEL", conflicts_with = "faithful")]
    pub update: Option<PathBuf>,
    /// Write the model as a page for people, with the graph of its classes.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// How class schemas are made from page schemas.
    #[arg(long, value_name = "HOW", default_value = "optimal")]
    pub schema: SchemaKind,
    /// Which attributes belong to a step of a tag path.
    #[arg(long, value_name = "WHICH", default_value = "norm")]
    pub attrs: AttributeKind,
    /// Stay on the entry's host; by default all hosts of its registrable domain are the site.
    #[arg(long)]
    pub host_only: bool,
    /// Other values for numbers that decide, as JSON.
    #[arg(long, value_name = "FILE", hide = true)]
    pub parameters: Option<PathBuf>,
    /// Find classes as the paper does, by links alone.
    #[arg(long)]
    pub faithful: bool,
    /// Which link collection is visited next, with --faithful.
    #[arg(long, value_name = "WHICH", default_value = "densest", requires = "faithful")]
    pub strategy: StrategyKind,
    /// How many pages of a link collection are visited, with --faithful.
    #[arg(long, value_name = "N", default_value_t = 8, requires = "faithful")]
    pub per_collection: usize,
    /// Visit all that the queue holds instead of stopping when the model is stable, with
    /// --faithful.
    #[arg(long, requires = "faithful")]
    pub exhaustive: bool,
    #[command(flatten)]
    pub reach: ReachArguments,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// How class schemas are made.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum SchemaKind {
    /// All paths of any page: the paper's.
    Union,
    /// The paths that make the description shortest.
    Optimal,
}

/// Which link collection comes first.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum StrategyKind {
    /// The one with most links: gathers support.
    Densest,
    /// The one with fewest: seeks new regions.
    Sparsest,
}

/// `untemplate classify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate classify site.model.json http://site.example/team/7.html\n  ls *.html | untemplate classify site.model.json - --base http://site.example/"
)]
pub struct ClassifyArguments {
    /// The site model, as `untemplate model` wrote it.
    #[arg(value_name = "MODEL")]
    pub model: PathBuf,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard
    /// input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// Tell the class of addresses without downloading them, and how sure that is.
    #[arg(long)]
    pub predict: bool,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate archive`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate archive http://site.example/ --max-pages 500\n  untemplate archive http://site.example/docs/ --scope prefix --archive ./docs --export docs.warc.gz"
)]
pub struct ArchiveArguments {
    /// The address to begin at, with or without http://; not needed to import WARC files alone.
    #[arg(value_name = "ENTRY", required_unless_present_any = ["import", "start"])]
    pub entry: Option<String>,
    /// The folder that keeps pages and the state of the crawl; ./untemplate-archive/HOST by
    /// default. Or postgresql://…, where any number of machines crawl by the same command
    /// (docs/scale.md).
    #[arg(long, value_name = "DIR|URL")]
    pub archive: Option<ArchivePlace>,
    /// How far the crawl reaches.
    #[arg(long, default_value = "host")]
    pub scope: ScopeKind,
    /// Ask again for pages that were stored or last checked more than this many seconds ago; only
    /// what changed is sent.
    #[arg(long, value_name = "SECONDS")]
    pub refresh: Option<u64>,
    /// Try pages again that could not be fetched before.
    #[arg(long)]
    pub retry_failed: bool,
    /// Say what would be done, and do not crawl: asks for robots.txt, sitemaps and the entry page
    /// alone, and keeps nothing.
    #[arg(long, conflicts_with_all = ["import", "export", "retry_failed"])]
    pub dry_run: bool,
    /// Take the pages of a WARC file into the archive first, plain, gzip or zstd. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub import: Vec<PathBuf>,
    /// Write all pages to a WARC file at the end, gzip where its name ends in .gz.
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    #[command(flatten)]
    pub reach: ReachArguments,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub politeness: PolitenessArguments,
    #[command(flatten)]
    pub render: RenderArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// How far a crawl reaches.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ScopeKind {
    /// The entry's host.
    Host,
    /// All hosts of its registrable domain.
    Domain,
    /// Its folder, and all below.
    Prefix,
}
