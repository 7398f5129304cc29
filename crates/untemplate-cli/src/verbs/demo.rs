//! `untemplate demo`: the bundled site, and the main job on it.
//!
//! The site is generated from a database of made-up football, served on loopback, and rebuilt
//! through the same functions as any other site. What was found is shown beside what the site was
//! made of.

use std::collections::BTreeMap;
use std::fmt::Write;
use std::path::Path;

use anyhow::{Context, Result, anyhow};
use serde_json::json;
use untemplate::job::{Fate, Harvest, JobOptions, read_site};
use untemplate::page::ParseOptions;
use untemplate_crawl::{ClientOptions, CrawlOptions, LiveOptions, LiveSource, ScheduleOptions};
use untemplate_demo::{DatabaseOptions, DemoSite, PageClass, Server, ServerOptions, write_mirror};
use untemplate_store::{DiskShelf, JobContents, JobFolder, Reach, SourceSite, Written};
use url::Url;

use crate::arguments::DemoArguments;
use crate::interrupt::{control, listen};
use crate::outcome::Outcome;
use crate::output::{complain, say, write_result};
use crate::summary::{Summary, summarised};

/// Serves, writes or rebuilds the demo site.
pub fn run(arguments: &DemoArguments) -> Result<Outcome> {
    summarised("demo", &arguments.output, |summary| {
        let options = DatabaseOptions {
            players: arguments.players,
            seed: arguments.seed,
        };
        let site = DemoSite::new(options, arguments.skin);
        match &arguments.write {
            Some(folder) => write(arguments, &site, folder, summary),
            None => start(arguments, site, options, summary),
        }
    })
}

fn write(arguments: &DemoArguments, site: &DemoSite, folder: &Path, summary: &mut Summary) -> Result<Outcome> {
    let report = write_mirror(site, folder)?;
    let (site_dir, base) = (report.site_dir.display(), &site.base_url);
    let shown = format!(
        "{} pages, {} bytes\nsite     {site_dir}\ntruth    {}\nmanifest {}\ntry      untemplate rebuild {base} --mirror '{base}={site_dir}'\n",
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

/// Starts the site on loopback, and serves or rebuilds it there.
fn start(
    arguments: &DemoArguments,
    site: DemoSite,
    options: DatabaseOptions,
    summary: &mut Summary,
) -> Result<Outcome> {
    let n_pages = site.paths().count();
    let server_options = ServerOptions {
        port: arguments.port,
        ..ServerOptions::default()
    };
    let server = Server::start(site, server_options)?;
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
    // The same site once more, to tell what it was made of.
    rebuild(arguments, &address, &DemoSite::new(options, arguments.skin), summary)
}

fn rebuild(arguments: &DemoArguments, address: &str, made: &DemoSite, summary: &mut Summary) -> Result<Outcome> {
    let entry = Url::parse(address).context("the demo site has a good address")?;
    let kept = tempfile::tempdir().context("cannot make a temporary folder for the pages; is there room for one?")?;
    let live = own_site(&entry, &kept.path().join("archive"));
    let mut site = SourceSite::new(vec![Box::new(live)], ParseOptions::default());
    site.stop = control();
    listen();
    let folder = arguments.tables.clone().unwrap_or_else(|| kept.path().join("tables"));
    let mut shelf = DiskShelf::create(&folder)?;
    let harvest = read_site(&mut site, &mut shelf, &entry, &JobOptions::default())?;
    summary.figures = site.figures;
    let folder = JobFolder {
        folder,
        formats: Vec::new(),
        server: None,
    };
    let reach = match harvest.is_stopped {
        true => Reach::Cut,
        false => Reach::Complete,
    };
    let Some(written) = folder.write(JobContents::of_harvest(&harvest, reach), &mut shelf)? else {
        return Err(anyhow!(
            "the tables of an earlier run have more rows and stay as they are; name another folder"
        ));
    };
    write_result(&arguments.output, compared(made, &harvest, &written).as_bytes())?;
    let tables = written.database.tables.iter().zip(&written.n_rows);
    let rows = tables
        .map(|(table, n_rows)| (table.name.clone(), json!(n_rows)))
        .collect();
    summary.more.push(("rows", serde_json::Value::Object(rows)));
    for (url, reason) in &harvest.losses {
        complain(reason);
        summary.partial_because.push(format!("{url}: {reason}"));
    }
    Ok(match harvest.is_stopped || !harvest.losses.is_empty() {
        true => Outcome::Partial,
        false => Outcome::Complete,
    })
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
    LiveSource::new(options, &control())
}

/// What was found, beside what the site was made of.
fn compared(made: &DemoSite, harvest: &Harvest, written: &Written) -> String {
    let database = &made.source.database;
    let n_read: usize = harvest.readers.iter().map(|reader| reader.pages.len()).sum();
    let mut text = format!(
        "made from  {} players, {} coaches, {} teams, {} matches, {} stadiums, {} articles\nrebuilt    {} tables from {n_read} pages in {} classes\n\n   rows  table, and what its pages were made as\n",
        database.players.len(),
        database.coaches.len(),
        database.teams.len(),
        database.matches.len(),
        database.stadiums.len(),
        database.articles.len(),
        written.database.tables.len(),
        harvest.readers.len(),
    );
    let truths = true_classes(made, harvest);
    for (table, n_rows) in written.database.tables.iter().zip(&written.n_rows) {
        let origin = match table.list_path.is_empty() {
            true => truths.get(&table.page_class).cloned().unwrap_or_default(),
            false => "a list on these pages".to_owned(),
        };
        let _ = writeln!(text, "{n_rows:7}  {:<32}  {origin}", table.name);
    }
    text
}

/// Of each class that was read, the classes that its pages were made as: how many of how many.
fn true_classes(made: &DemoSite, harvest: &Harvest) -> BTreeMap<usize, String> {
    let mut made_as: BTreeMap<PageClass, usize> = BTreeMap::new();
    for class in made.paths().filter_map(|path| made.class_of(&path)) {
        *made_as.entry(class).or_default() += 1;
    }
    let mut found: BTreeMap<usize, BTreeMap<PageClass, usize>> = BTreeMap::new();
    for (address, fate) in harvest.ledger.fates() {
        let Fate::Read(class) = fate else { continue };
        let url = harvest.ledger.addresses.url(address);
        if let Some(truth) = made.class_of(&url[url::Position::BeforePath..]) {
            *found.entry(class as usize).or_default().entry(truth).or_default() += 1;
        }
    }
    let shown = found.into_iter().map(|(class, truths)| {
        let truths = truths.iter().map(|(truth, count)| {
            let all = made_as.get(truth).copied().unwrap_or(0);
            format!("{} {count} of {all}", truth.info().name)
        });
        (class, truths.collect::<Vec<String>>().join(", "))
    });
    shown.collect()
}
