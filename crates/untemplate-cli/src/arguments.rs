//! The command line: verbs and their options, as clap reads them. Help texts are the manual.

use std::path::PathBuf;

use clap::{Args, Parser, Subcommand, ValueEnum};
use untemplate_demo::Skin;

/// Pours web sites back into the databases they were made from.
///
/// Today it reads, shows and archives pages, and returns the lists on them as tables; verbs for whole sites are being built.
#[derive(Debug, Parser)]
#[command(name = "untemplate", version, propagate_version = true, max_term_width = 100)]
#[command(
    after_help = "Exit codes: 0 complete; 1 failed; 2 wrong usage; 3 done in part; 4 drift; 5 complete, and nothing was found; 130 interrupted."
)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub verb: Verb,
}

/// What the program can do.
#[derive(Debug, Subcommand)]
pub enum Verb {
    /// Print a page as the program sees it: its tree, links, schema, tokens or lists.
    Show(ShowArguments),
    /// Return the main list of a page as a table.
    Records(RecordsArguments),
    /// Find the template that pages of one class have in common: a wrapper.
    Infer(InferArguments),
    /// Read the data of pages with a wrapper, one JSON line per page.
    Extract(ExtractArguments),
    /// Find every page of a site that is like a sample page.
    Gather(GatherArguments),
    /// Crawl a site politely and keep its pages, so that the crawl can be stopped and go on at any time.
    Archive(ArchiveArguments),
    /// Learn to read fields from examples of their values, asking only what is in doubt: a specification.
    Learn(LearnArguments),
    /// Follow a specification through its site and write a table for each page class with a wrapper.
    Run(RunArguments),
    /// Tell whether a specification still holds on pages: exit code 4 when the site has changed.
    Verify(VerifyArguments),
    /// Start the bundled demo site and show what is found there.
    Demo(DemoArguments),
    /// Print a completion script for a shell.
    Completions(CompletionsArguments),
    /// Print the manual page, in roff.
    Man(ManArguments),
}

/// Where results and figures go.
#[derive(Debug, Args)]
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
}

/// Where pages come from.
#[derive(Debug, Args)]
#[command(next_help_heading = "Page sources")]
pub struct SourceArguments {
    /// Answer requests under URL from the files below DIR, and never touch the network. Repeatable.
    #[arg(long, value_name = "URL=DIR")]
    pub mirror: Vec<String>,
    /// Answer requests from a WARC file, plain, gzip or zstd, and never touch the network. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub warc: Vec<PathBuf>,
    /// The address of a page that is a file and has no <base href>.
    #[arg(long, value_name = "URL")]
    pub base: Option<String>,
    /// The time a request to the live web may take.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub timeout: f64,
    /// The most bytes that are read of one page.
    #[arg(long, value_name = "BYTES", default_value_t = 64 << 20)]
    pub max_page_bytes: usize,
    /// The folder that keeps pages, and answers for those it has: ./untemplate-archive/HOST by default for the live web, none for mirrors and WARC files.
    #[arg(long, value_name = "DIR")]
    pub archive: Option<PathBuf>,
    /// Ask the live web again for pages that were stored or last checked more than so many seconds ago; only what changed is sent.
    #[arg(long, value_name = "SECONDS")]
    pub refresh: Option<u64>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub manners: MannersArguments,
    #[command(flatten)]
    pub render: RenderArguments,
}

/// What a run may fetch from the live web.
#[derive(Debug, Args)]
#[command(next_help_heading = "Limits")]
pub struct LimitArguments {
    /// Stop after so many pages were asked for, or on the live web fetched and stored, in this run.
    #[arg(long, value_name = "N")]
    pub max_pages: Option<u64>,
    /// Stop after so many bytes of content were fetched and stored in this run.
    #[arg(long, value_name = "BYTES")]
    pub max_bytes: Option<u64>,
    /// Stop after so many seconds.
    #[arg(long, value_name = "SECONDS")]
    pub max_time: Option<u64>,
}

/// Whether pages are taken as fetched, or as a browser shows them.
#[derive(Debug, Clone, Args)]
#[command(next_help_heading = "Rendering")]
pub struct RenderArguments {
    /// Take pages as the machine's Chromium shows them after their scripts ran: all, or with =auto those where it adds something.
    #[arg(long, value_name = "WHICH", num_args = 0..=1, require_equals = true, default_missing_value = "always")]
    pub render: Option<RenderKind>,
    /// The Chromium that renders; without it, the first one on the PATH.
    #[arg(long, value_name = "PROGRAM", requires = "render")]
    pub browser: Option<PathBuf>,
    /// The time that rendering one page may take, without that of its requests.
    #[arg(long, value_name = "SECONDS", default_value_t = 20.0, requires = "render")]
    pub render_seconds: f64,
}

/// Which pages are rendered.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RenderKind {
    /// All of them.
    Always,
    /// Those of URL patterns whose first pages had more links or text when they were rendered.
    Auto,
}

/// `untemplate show`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate show links page.html\n  untemplate show schema http://site.example/ --mirror http://site.example/=./site\n  ls *.html | untemplate show page -"
)]
pub struct ShowArguments {
    /// What to print.
    pub kind: ShowKind,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard input. For a wrapper, its file.
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
    /// What was searched for, when the page answers a search: words, or conditions such as "title contains java".
    #[arg(long, value_name = "QUERY")]
    pub query: Option<String>,
    /// Find the list as the paper of Álvarez and others does, instead of the way that measures best.
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
    /// Text in columns, for a terminal.
    Table,
}

/// What `show` prints.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ShowKind {
    /// The tree, a node a line.
    Page,
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

/// `untemplate infer`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate infer players/*.html -o players.wrapper\n  ls films/*.html | untemplate infer - -o films.wrapper --html films.html"
)]
pub struct InferArguments {
    /// The pages, all of one class: files, file:// or http(s):// addresses, or - for a list of them on standard input.
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

/// `untemplate gather`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate gather http://site.example/teams/12.html > teams.jsonl\n  untemplate gather http://cup.example/players/ada-7.html --mirror http://cup.example/=./cup/site --explain --html ways.html"
)]
pub struct GatherArguments {
    /// The sample: an address, or a file with --base.
    #[arg(value_name = "SAMPLE")]
    pub sample: String,
    /// A page to start from beside the sample. Repeatable.
    #[arg(long, value_name = "URL")]
    pub entry: Vec<String>,
    /// Stay on the sample's host; by default all hosts of its domain are the site.
    #[arg(long)]
    pub host: bool,
    /// Say on standard error which links of which pages led to the pages found.
    #[arg(long)]
    pub explain: bool,
    /// Draw the navigation learnt as a page, in FILE.
    #[arg(long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// How pages are looked for.
    #[arg(long, value_name = "WHICH", default_value = "guided")]
    pub algorithm: AlgorithmKind,
    /// Run indesit or trivial exactly as in the paper, and count as it does.
    #[arg(long)]
    pub faithful: bool,
    /// Switch an extension of the guided search off. Repeatable.
    #[arg(long, value_name = "WHAT")]
    pub without: Vec<ExtensionKind>,
    #[command(flatten)]
    pub sources: SourceArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// `untemplate extract`.
#[derive(Debug, Args)]
#[command(after_help = "Examples:\n  untemplate extract players.wrapper players/*.html > players.jsonl")]
pub struct ExtractArguments {
    /// The wrapper, as `infer` wrote it.
    #[arg(value_name = "WRAPPER")]
    pub wrapper: PathBuf,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard input.
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
    after_help = "The examples: {\"fields\": {\"price\": [{\"page\": \"a.html\", \"value\": \"$ 9\"}]}}\nThe answers:  {\"b.html\": {\"price\": [\"$ 3\"], \"weight\": []}}\n\nExample:\n  untemplate learn --examples examples.json *.html -o prices.xml && untemplate extract prices.xml *.html"
)]
pub struct LearnArguments {
    /// A JSON file with a few values of each field, and the pages that they are on.
    #[arg(long, value_name = "FILE")]
    pub examples: PathBuf,
    /// The pages to learn from, some ten of one class: files, file:// or http(s):// addresses, or - for a list of them on standard input.
    #[arg(value_name = "PAGE", required = true)]
    pub pages: Vec<String>,
    /// A JSON file that answers the questions, instead of a person.
    #[arg(long, value_name = "FILE")]
    pub answers: Option<PathBuf>,
    /// The most questions about one field.
    #[arg(long, value_name = "N", default_value_t = 3)]
    pub max_questions: usize,
    /// What the page class is called in the specification.
    #[arg(long, value_name = "NAME", default_value = "PAGE")]
    pub class: String,
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

/// Extensions of the guided search.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum ExtensionKind {
    /// Comparing whole pages, not link paths alone.
    Forms,
    /// Comparing the words that templates print.
    Labels,
    /// Links of one place may lead elsewhere now and then.
    Tolerance,
    /// Following links from pages found to others.
    Closure,
    /// Asking for robots.txt and sitemaps.
    Listed,
    /// Telling by an address what it leads to.
    Addresses,
    /// Visiting first what promises most.
    Value,
    /// Going on while the class is thought to be larger.
    Estimate,
}

/// `untemplate archive`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate archive http://site.example/ --max-pages 500\n  untemplate archive http://site.example/docs/ --scope prefix --archive ./docs --export docs.warc.gz"
)]
pub struct ArchiveArguments {
    /// The address to begin at; not needed to import WARC files alone.
    #[arg(value_name = "ENTRY", required_unless_present = "import")]
    pub entry: Option<String>,
    /// The folder that keeps pages and the state of the crawl; ./untemplate-archive/HOST by default.
    #[arg(long, value_name = "DIR")]
    pub archive: Option<PathBuf>,
    /// How far the crawl reaches.
    #[arg(long, default_value = "host")]
    pub scope: ScopeKind,
    /// Fetch only addresses that match; the entry is always fetched. Repeatable: any will do.
    #[arg(long, value_name = "REGEX")]
    pub include: Vec<String>,
    /// Fetch no addresses that match. Repeatable.
    #[arg(long, value_name = "REGEX")]
    pub exclude: Vec<String>,
    /// Ask again for pages that were stored or last checked more than so many seconds ago; only what changed is sent.
    #[arg(long, value_name = "SECONDS")]
    pub refresh: Option<u64>,
    /// Try pages again that could not be had before.
    #[arg(long)]
    pub retry_failed: bool,
    /// Say what would be done, and do not crawl: asks for robots.txt, sitemaps and the entry page alone, and keeps nothing.
    #[arg(long, requires = "entry", conflicts_with_all = ["import", "export", "retry_failed"])]
    pub dry_run: bool,
    /// Take the pages of a WARC file into the archive first, plain, gzip or zstd. Repeatable.
    #[arg(long, value_name = "FILE")]
    pub import: Vec<PathBuf>,
    /// Write all pages of the archive to a WARC file at the end, gzip where its name ends in .gz.
    #[arg(long, value_name = "FILE")]
    pub export: Option<PathBuf>,
    #[command(flatten)]
    pub limits: LimitArguments,
    #[command(flatten)]
    pub manners: MannersArguments,
    #[command(flatten)]
    pub render: RenderArguments,
    #[command(flatten)]
    pub output: OutputArguments,
}

/// How hosts are treated.
#[derive(Debug, Args)]
#[command(next_help_heading = "Manners")]
pub struct MannersArguments {
    /// The least pause between two requests to a host.
    #[arg(long, value_name = "SECONDS", default_value_t = 1.0)]
    pub delay: f64,
    /// Requests under way at a time, over all hosts; a host is never asked twice at once.
    #[arg(long, value_name = "N", default_value_t = 16, value_parser = clap::value_parser!(u16).range(1..=512))]
    pub workers: u16,
    /// What the program calls itself: untemplate/VERSION (+its page; the contact) by default.
    #[arg(long, value_name = "TEXT")]
    pub user_agent: Option<String>,
    /// Whom a site can write to, an address or a page; becomes part of the user agent.
    #[arg(long, value_name = "TEXT")]
    pub contact: Option<String>,
    /// A header to send along with every request; secrets go to the entry's origin alone. Repeatable.
    #[arg(long, value_name = "NAME: VALUE")]
    pub header: Vec<String>,
    /// Do not ask robots.txt, and follow nofollow links: for sites of your own.
    #[arg(long)]
    pub no_robots: bool,
    /// Never connect to private, loopback or link-local addresses. Proxies are then not used, since they connect for us.
    #[arg(long)]
    pub public_only: bool,
    /// Leave a parameter out of addresses: its name, NAME* for all that begin so, or NAME=ID where its value looks like a session's. Repeatable.
    #[arg(long, value_name = "NAME")]
    pub strip_parameter: Vec<String>,
    /// Keep a parameter that is left out by default (sessions and campaigns such as utm_*). Repeatable.
    #[arg(long, value_name = "NAME")]
    pub keep_parameter: Vec<String>,
    /// Keep all parameters as they are.
    #[arg(long, conflicts_with = "keep_parameter")]
    pub keep_parameters: bool,
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
    /// Send the form of this request class although it may change something on the site. Repeatable.
    #[arg(long, value_name = "REQUEST_CLASS")]
    pub send: Vec<String>,
    /// How tables are written. Repeatable.
    #[arg(long, value_name = "FORMAT", default_value = "jsonl")]
    pub format: Vec<RunFormat>,
    /// Follow at most so many next pages in a row.
    #[arg(long, value_name = "N", default_value_t = 10_000)]
    pub max_next: usize,
    /// Write a line for each request to FILE, as JSON: where it was found, and what came of it.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub trace: Option<PathBuf>,
    /// The folder that the tables go to; ./untemplate-out by default.
    #[arg(short, long, value_name = "DIR", help_heading = "Output")]
    pub output: Option<PathBuf>,
    /// Write the run's figures to FILE, as one JSON object.
    #[arg(long, value_name = "FILE", help_heading = "Output")]
    pub summary: Option<PathBuf>,
    /// Print no messages, only errors.
    #[arg(short, long, help_heading = "Output")]
    pub quiet: bool,
    #[command(flatten)]
    pub sources: SourceArguments,
}

impl RunArguments {
    /// Where figures and messages go: the result is a folder, and not among them.
    pub fn figures(&self) -> OutputArguments {
        OutputArguments {
            output: None,
            summary: self.summary.clone(),
            quiet: self.quiet,
        }
    }
}

/// How the tables of a run are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq, ValueEnum)]
pub enum RunFormat {
    /// A file a table, a JSON object a row.
    Jsonl,
    /// A file a table, comma-separated values with a row of names.
    Csv,
    /// A file a table, an XML element a row.
    Xml,
    /// One SQLite database with all tables.
    Sqlite,
}

/// `untemplate verify`.
#[derive(Debug, Args)]
#[command(
    after_help = "Examples:\n  untemplate verify players.xml http://cup.example/players/ada-1.html\n  ls players/*.html | untemplate verify players.xml -"
)]
pub struct VerifyArguments {
    /// The specification file.
    #[arg(value_name = "SPEC")]
    pub specification: PathBuf,
    /// The pages: files, file:// or http(s):// addresses, or - for a list of them on standard input.
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
    /// How the site looks: modern, tables (as of 2001) or plain (few links).
    #[arg(long, default_value = "modern", value_parser = str::parse::<Skin>)]
    pub skin: Skin,
    /// How many pages are visited at most.
    #[arg(long, value_name = "N", default_value_t = 120)]
    pub pages: usize,
    /// Serve the site until the program is interrupted, for other programs to visit.
    #[arg(long, conflicts_with_all = ["write", "summary"])]
    pub serve: bool,
    /// The port to serve on; any free one by default.
    #[arg(long, value_name = "PORT", default_value_t = 0, requires = "serve")]
    pub port: u16,
    /// Write the site as a mirror folder below DIR, with its database as truth.sqlite and a manifest.json.
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
