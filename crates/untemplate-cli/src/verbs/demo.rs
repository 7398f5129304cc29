//! `untemplate demo`: the bundled site, and what is found there.
//!
//! The site is generated from a database of made-up football, served on loopback, and visited through the same door as
//! any other site. For now the walk is the plainest one: from the home page, three links of each link collection, breadth
//! first. Pages whose page schemas are equal, or nearly so, are one group: Crescenzi 2005's candidate selection, with its
//! threshold.

use std::cmp::Reverse;
use std::collections::{HashMap, HashSet, VecDeque};
use std::fmt::Write;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result};
use serde_json::json;
use untemplate::page::{
    Alphabet, AttributeFilter, Page, PageSchema, ParseOptions, PathId, PathInterner, Request, Site, SiteScope, Visit,
    link_collections, same_site,
};
use untemplate_crawl::{ClientOptions, CrawlControl, CrawlOptions, LiveOptions, LiveSource, ScheduleOptions};
use untemplate_demo::{DatabaseOptions, DemoSite, Server, ServerOptions, write_mirror};
use untemplate_store::SourceSite;
use url::Url;

use crate::arguments::DemoArguments;
use crate::outcome::Outcome;
use crate::output::{complain, say, write_result};
use crate::summary::{Summary, summarised};

/// Links followed from each collection: enough to tell a list from a menu, as in INDESIT's three-links rule.
const LINKS_OF_A_COLLECTION: usize = 3;

/// Page schemas nearer than this are one group: the paper's dt.
const GROUP_DISTANCE: f64 = 0.2;

/// Pages asked for at a time.
const BATCH: usize = 16;

/// Serves, writes or visits the demo site.
pub fn run(arguments: &DemoArguments) -> Result<Outcome> {
    summarised("demo", &arguments.output, |summary| {
        let options = DatabaseOptions {
            players: arguments.players,
            seed: arguments.seed,
        };
        let site = DemoSite::new(options, arguments.skin);
        match &arguments.write {
            Some(folder) => write(arguments, &site, folder, summary),
            None => start(arguments, site, summary),
        }
    })
}

fn write(arguments: &DemoArguments, site: &DemoSite, folder: &Path, summary: &mut Summary) -> Result<Outcome> {
    let report = write_mirror(site, folder)?;
    let (site_dir, base) = (report.site_dir.display(), &site.base_url);
    let shown = format!(
        "{} pages, {} bytes\nsite     {site_dir}\ntruth    {}\nmanifest {}\ntry      untemplate show links {base} --mirror '{base}={site_dir}'\n",
        report.pages,
        report.bytes,
        report.truth_file.display(),
        report.manifest_file.display(),
    );
    write_result(&arguments.output, shown.as_bytes())?;
    let written = json!({"pages": report.pages, "bytes": report.bytes});
    summary.more.push(("written", written));
    Ok(Outcome::Complete)
}

/// Starts the site on loopback, and serves or visits it there.
fn start(arguments: &DemoArguments, site: DemoSite, summary: &mut Summary) -> Result<Outcome> {
    let n_pages = site.paths().count();
    let options = ServerOptions {
        port: arguments.port,
        ..ServerOptions::default()
    };
    let server = Server::start(site, options)?;
    let address = server.url().to_string();
    if arguments.serve {
        write_result(&arguments.output, format!("{address}\n").as_bytes())?;
        let message = format!("serving {n_pages} pages at {address} until interrupted (Ctrl-C)");
        say(&arguments.output, &message);
        server.wait();
        return Ok(Outcome::Complete);
    }
    let skin = arguments.skin.name();
    let message = format!("the demo site stands at {address}, {n_pages} pages in the {skin} skin");
    say(&arguments.output, &message);
    visit(arguments, &address, n_pages, summary)
}

fn visit(arguments: &DemoArguments, address: &str, n_pages: usize, summary: &mut Summary) -> Result<Outcome> {
    let entry = Url::parse(address).context("the demo site has a good address")?;
    let kept = tempfile::tempdir().context("cannot make a temporary folder for the pages; is there room for one?")?;
    let live = own_site(&entry, kept.path());
    let mut site = SourceSite::new(vec![Box::new(live)], ParseOptions::default());
    let mut interner = PathInterner::new(Alphabet::TagAttributes(AttributeFilter::default()));
    let walk = walk(&mut site, &mut interner, entry, arguments.pages);
    summary.figures = site.figures;
    for reason in &walk.lost {
        complain(reason);
    }
    let pages = &walk.pages;
    let groups = group(pages, &mut interner);
    let common = common_paths(&groups, pages.len());
    let mut shown = format!(
        "{} of {n_pages} pages visited, {} groups of alike pages\n\n",
        pages.len(),
        groups.len()
    );
    shown.push_str("pages  an example of them, and the list of links it has beside the menu\n");
    for group in &groups {
        let (address, list) = describe(&group.pages[0], &common, &mut interner);
        writeln!(shown, "{:5}  {address}\n         {list}", group.pages.len())?;
    }
    write_result(&arguments.output, shown.as_bytes())?;
    summary.more.push(("groups", json!(groups.len())));
    let is_whole = walk.lost.is_empty();
    summary.partial_because = walk.lost;
    Ok(if is_whole { Outcome::Complete } else { Outcome::Partial })
}

/// The live web without pauses, for a site of one's own, kept as long as the folder is there.
fn own_site(entry: &Url, folder: &Path) -> LiveSource {
    let folder = folder.to_owned();
    let options = LiveOptions {
        crawl: CrawlOptions {
            obeys_robots: false,
            schedule: ScheduleOptions::without_delay(),
            // The site is on this machine, where no proxy can reach it.
            client: ClientOptions {
                use_proxies: false,
                ..ClientOptions::default()
            },
            ..CrawlOptions::of(entry.clone())
        },
        folder: Box::new(move |_| folder.clone()),
        refresh_ms: None,
        redirects_max: 20,
        watch: Box::new(|_| {}),
    };
    LiveSource::new(options, &CrawlControl::default())
}

/// The pages visited, and why others were not had.
struct Walk {
    pages: Vec<Arc<Page>>,
    lost: Vec<String>,
}

/// Visits pages breadth first, a few links of each link collection.
fn walk(site: &mut dyn Site, interner: &mut PathInterner, entry: Url, pages_max: usize) -> Walk {
    let mut seen: HashSet<Url> = HashSet::from([entry.clone()]);
    let mut waiting = VecDeque::from([entry.clone()]);
    let (mut pages, mut lost): (Vec<Arc<Page>>, Vec<String>) = (Vec::new(), Vec::new());
    while !waiting.is_empty() && pages.len() < pages_max {
        let count = waiting.len().min(BATCH).min(pages_max - pages.len());
        let requests: Vec<Request> = waiting.drain(..count).map(Request::get).collect();
        for visit in site.visit(&requests) {
            let page = match visit {
                Visit::Page(page) => page,
                Visit::Failed { reason } => {
                    lost.push(reason);
                    continue;
                }
                _ => continue,
            };
            for collection in link_collections(&page, interner) {
                let on_site = collection.links.into_iter().map(|link| link.url);
                let on_site = on_site.filter(|url| same_site(url, &entry, SiteScope::Host));
                for url in on_site.take(LINKS_OF_A_COLLECTION) {
                    if seen.insert(url.clone()) {
                        waiting.push_back(url);
                    }
                }
            }
            pages.push(page);
        }
    }
    Walk { pages, lost }
}

/// Pages that look alike, and the schema of the first.
struct Group {
    schema: PageSchema,
    pages: Vec<Arc<Page>>,
}

/// Groups pages by equal page schemas, then adds small groups to larger ones that are near; largest groups first.
fn group(pages: &[Arc<Page>], interner: &mut PathInterner) -> Vec<Group> {
    let mut equal: Vec<Group> = Vec::new();
    let mut by_schema: HashMap<PageSchema, usize> = HashMap::new();
    for page in pages {
        let schema = PageSchema::of(page, interner);
        let index = *by_schema.entry(schema.clone()).or_insert_with(|| {
            equal.push(Group {
                schema,
                pages: Vec::new(),
            });
            equal.len() - 1
        });
        equal[index].pages.push(page.clone());
    }
    equal.sort_by_key(|group| Reverse(group.pages.len()));
    let mut groups: Vec<Group> = Vec::new();
    for small in equal {
        let near = |group: &&mut Group| group.schema.normalised_distance(&small.schema) < GROUP_DISTANCE;
        match groups.iter_mut().find(near) {
            Some(group) => group.pages.extend(small.pages),
            None => groups.push(small),
        }
    }
    groups.sort_by_key(|group| Reverse(group.pages.len()));
    groups
}

/// Paths that most pages have: menus and footers.
fn common_paths(groups: &[Group], n_pages: usize) -> HashSet<PathId> {
    let mut counts: HashMap<PathId, usize> = HashMap::new();
    for group in groups {
        for &path in group.schema.paths() {
            *counts.entry(path).or_default() += group.pages.len();
        }
    }
    counts
        .into_iter()
        .filter(|&(_, count)| 2 * count > n_pages)
        .map(|(path, _)| path)
        .collect()
}

/// A page's address and its largest link collection that is not common to the site.
fn describe(page: &Page, common: &HashSet<PathId>, interner: &mut PathInterner) -> (String, String) {
    let address = page.url[url::Position::BeforePath..].to_owned();
    let collections = link_collections(page, interner);
    let own = collections
        .iter()
        .filter(|collection| !common.contains(&collection.path));
    // The first of the largest, so that a run repeats itself to the byte.
    let list = match own.rev().max_by_key(|collection| collection.links.len()) {
        Some(largest) => format!("{} x {}", largest.links.len(), interner.text(largest.path)),
        None => "nothing but the menu".to_owned(),
    };
    (address, list)
}
