//! `untemplate demo`: the bundled site, and the main job on it.
//!
//! The site is generated from a database of made-up football, served on loopback, and rebuilt
//! through the same functions as any other site. What was found is shown beside what the site was
//! made of, and stays in a folder that one can open.

use std::cmp::Reverse;
use std::collections::BTreeMap;
use std::fmt::Write;
use std::fs;
use std::path::{Path, PathBuf};

use anyhow::{Context, Result, anyhow};
use serde_json::{Value, json};
use untemplate::job::{CrawlResult, Fate, JobOptions, read_site};
use untemplate::page::{Event, ParseOptions, Phase, Site};
use untemplate::table::{Column, ColumnKind, ColumnSource};
use untemplate_crawl::{ClientOptions, CrawlOptions, LiveOptions, LiveSource, ScheduleOptions};
use untemplate_demo::{DatabaseOptions, DemoSite, PageClass, Server, ServerOptions, Verdict, judge, write_mirror};
use untemplate_store::table_file::TableFormat;
use untemplate_store::{DiskRecordStore, JobContents, JobFolder, Reach, SourceSite, Written};
use url::Url;

use crate::arguments::DemoArguments;
use crate::interrupt::{control, listen};
use crate::job_page::{About, REPORT, write_report};
use crate::job_report::{Ended, Found};
use crate::outcome::Outcome;
use crate::output::{complain, say, unwritable, write_result};
use crate::progress::ProgressLine;
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
    let mut progress = ProgressLine::new(arguments.output.quiet, 0.0);
    let mut site = site.watched_by(move |event, figures| progress.note(event, figures));
    listen();
    let folder = demo_folder(arguments)?;
    let mut record_store = DiskRecordStore::create(&folder.folder)?;
    let crawl_result = read_site(&mut site, &mut record_store, &entry, &JobOptions::default())?;
    summary.figures = site.figures;
    site.note(Event::Phase(Phase::Writing));
    let reach = match crawl_result.is_stopped {
        true => Reach::Cut,
        false => Reach::Complete,
    };
    let Some(written) = folder.write(JobContents::of_crawl(&crawl_result, reach), &mut record_store)? else {
        return Err(anyhow!(
            "the tables of an earlier run have more rows and stay as they are; name another folder"
        ));
    };
    let verdicts = judge(made, address, &folder.folder.join(DATABASE)).context("cannot read the tables again")?;
    let text = compared(made, &crawl_result, &written, &verdicts) + &where_to_go(&folder.folder);
    write_result(&arguments.output, text.as_bytes())?;
    summary.more.push(("cells", cells_json(&verdicts)));
    let tables = written.database.tables.iter().zip(&written.n_rows);
    let rows = tables
        .map(|(table, n_rows)| (table.name.clone(), json!(n_rows)))
        .collect();
    summary.more.push(("rows", Value::Object(rows)));
    for (url, reason) in &crawl_result.losses {
        complain(reason);
        summary.partial_because.push(format!("{url}: {reason}"));
    }
    let ended = Ended {
        title: "The database of the demo site".to_owned(),
        figures: site.figures,
        is_interrupted: site.stop.is_stopping(),
        folder: &folder,
        output: &arguments.output,
    };
    let found = Found::of_crawl(&crawl_result);
    let about = About {
        classes: found.classes,
        problems: found.problems,
        omitted: found.omitted,
    };
    write_report(&ended, written, about, summary)?;
    Ok(match crawl_result.is_stopped || !crawl_result.losses.is_empty() {
        true => Outcome::Partial,
        false => Outcome::Complete,
    })
}

/// Where the tables go. The folder that nobody named begins anew every time: the site has another
/// address then, and nothing in it would be the same.
fn demo_folder(arguments: &DemoArguments) -> Result<JobFolder> {
    let folder = JobFolder {
        folder: arguments.tables.clone().unwrap_or_else(|| PathBuf::from(FOLDER)),
        formats: vec![TableFormat::Csv],
        server: None,
        schema: Default::default(),
        // It stands at another port each time.
        entry: None,
    };
    folder.check()?;
    let database = folder.folder.join(DATABASE);
    if arguments.tables.is_none() && database.exists() {
        fs::remove_file(&database).with_context(|| unwritable(&database))?;
    }
    Ok(folder)
}

/// The folder that the demo leaves, and the database in it.
const FOLDER: &str = "untemplate-demo";
const DATABASE: &str = "tables.sqlite";

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
        archive: Box::new(move |_| folder.clone().into()),
        refresh_ms: None,
        redirects_max: 20,
        watch: Box::new(|_| {}),
    };
    LiveSource::new(options, &control())
}

/// What was found, beside what the site was made of.
fn compared(made: &DemoSite, crawl_result: &CrawlResult, written: &Written, verdicts: &Verdicts) -> String {
    let database = &made.source.database;
    let n_read: usize = crawl_result.readers.iter().map(|reader| reader.pages.len()).sum();
    let mut text = format!(
        "made from  {} players, {} coaches, {} teams, {} matches, {} stadiums, {} articles\nrebuilt    {} tables from {n_read} pages in {} classes\n{}\n   rows  table, and what its pages were made as\n",
        database.players.len(),
        database.coaches.len(),
        database.teams.len(),
        database.matches.len(),
        database.stadiums.len(),
        database.articles.len(),
        written.database.tables.len(),
        crawl_result.readers.len(),
        cells_text(verdicts),
    );
    let truths = true_classes(made, crawl_result);
    for (table, n_rows) in written.database.tables.iter().zip(&written.n_rows) {
        let origin = match table.list_path.is_empty() {
            true => truths.get(&table.page_class).cloned().unwrap_or_default(),
            false => "a list on these pages".to_owned(),
        };
        let _ = writeln!(text, "{n_rows:7}  {:<32}  {origin}", table.name);
    }
    for table in main_tables(written) {
        text.push_str(&first_rows(written, table));
    }
    text
}

/// How many cells are right, by the kind of record.
type Verdicts = BTreeMap<&'static str, Verdict>;

fn all_cells(verdicts: &Verdicts) -> Verdict {
    Verdict {
        n_cells: verdicts.values().map(|verdict| verdict.n_cells).sum(),
        n_right: verdicts.values().map(|verdict| verdict.n_right).sum(),
    }
}

fn cells_text(verdicts: &Verdicts) -> String {
    let all = all_cells(verdicts);
    let each = verdicts
        .iter()
        .map(|(kind, verdict)| format!("{kind} {} of {}", verdict.n_right, verdict.n_cells));
    format!(
        "right      {} of {} values on the pages of records, {:.1} %: {}\n",
        all.n_right,
        all.n_cells,
        100.0 * all.n_right as f64 / all.n_cells.max(1) as f64,
        each.collect::<Vec<String>>().join(", ")
    )
}

fn cells_json(verdicts: &Verdicts) -> Value {
    let all = all_cells(verdicts);
    json!({"all": all.n_cells, "right": all.n_right})
}

/// What the demo left, and what to try next.
fn where_to_go(folder: &Path) -> String {
    let folder = folder.display();
    format!(
        "\nreport  {folder}/{REPORT}\ntables  {folder}/{DATABASE}, and a CSV file for each\ntry     untemplate studio --folder {folder}\n        untemplate demo --skin wild\n        untemplate rebuild YOUR.SITE --dry-run\n"
    )
}

/// Tables that are shown, and how much of each.
const TABLES_SHOWN: usize = 3;
const ROWS_SHOWN: usize = 3;
const COLUMNS_SHOWN: usize = 5;
const CELL_CHARS: usize = 22;

/// The tables with a row a page that say most, by their rows and columns.
fn main_tables(written: &Written) -> Vec<usize> {
    let tables = &written.database.tables;
    let is_main = |&index: &usize| tables[index].list_path.is_empty() && shown_columns(written, index).len() > 2;
    let mut main: Vec<usize> = (0..tables.len()).filter(is_main).collect();
    main.sort_by_key(|&index| (Reverse(written.n_rows[index] * tables[index].columns.len()), index));
    main.truncate(TABLES_SHOWN);
    main
}

/// The columns of a table that are shown: values, not addresses, that most of the rows shown have.
fn shown_columns(written: &Written, index: usize) -> Vec<usize> {
    let table = &written.database.tables[index];
    let is_value = |column: &Column| matches!(column.source, ColumnSource::Field(_)) && column.kind != ColumnKind::Url;
    let rows = &written.samples[index][..written.samples[index].len().min(ROWS_SHOWN)];
    let n_filled = |place: usize| rows.iter().filter(|row| row[place].is_some()).count();
    let places =
        (0..table.columns.len()).filter(|&place| is_value(&table.columns[place]) && n_filled(place) * 2 > rows.len());
    places.take(COLUMNS_SHOWN).collect()
}

/// The first rows of a table, in columns.
fn first_rows(written: &Written, index: usize) -> String {
    let table = &written.database.tables[index];
    let places = shown_columns(written, index);
    let cell = |text: &str| {
        let line = text.split_whitespace().collect::<Vec<_>>().join(" ");
        match line.chars().count() > CELL_CHARS {
            true => line.chars().take(CELL_CHARS - 1).chain(['…']).collect(),
            false => line,
        }
    };
    let names = places.iter().map(|&place| cell(&table.columns[place].name)).collect();
    let row = |row: &Vec<Option<String>>| {
        let cells = places.iter().map(|&place| cell(row[place].as_deref().unwrap_or("")));
        cells.collect::<Vec<String>>()
    };
    let rows = written.samples[index].iter().take(ROWS_SHOWN).map(row);
    let lines: Vec<Vec<String>> = std::iter::once(names).chain(rows).collect();
    let width = |place: usize| lines.iter().map(|line| line[place].chars().count()).max().unwrap_or(0);
    let mut text = format!("\nThe first rows of {}:\n", table.name);
    for line in &lines {
        let padded = line
            .iter()
            .enumerate()
            .map(|(place, cell)| format!("{cell:<width$}", width = width(place)));
        let joined = padded.collect::<Vec<String>>().join("  ");
        text.push_str(&format!("  {}\n", joined.trim_end()));
    }
    text
}

/// Of each class that was read, the classes that its pages were made as: how many of how many.
fn true_classes(made: &DemoSite, crawl_result: &CrawlResult) -> BTreeMap<usize, String> {
    let mut made_as: BTreeMap<PageClass, usize> = BTreeMap::new();
    for class in made.paths().filter_map(|path| made.class_of(&path)) {
        *made_as.entry(class).or_default() += 1;
    }
    let mut found: BTreeMap<usize, BTreeMap<PageClass, usize>> = BTreeMap::new();
    for (address, fate) in crawl_result.ledger.fates() {
        let Fate::Read(class) = fate else { continue };
        let url = crawl_result.ledger.addresses.url(address);
        if let Some(truth) = made.class_of(&url[url::Position::BeforePath..]) {
            *found.entry(class as usize).or_default().entry(truth).or_default() += 1;
        }
    }
    let shown = found.into_iter().map(|(class, truths)| {
        let truths = truths.iter().map(|(truth, count)| {
            let all = made_as.get(truth).copied().unwrap_or(0);
            match *count > all {
                true => format!("{} {count}, without end", truth.info().name),
                false => format!("{} {count} of {all}", truth.info().name),
            }
        });
        (class, truths.collect::<Vec<String>>().join(", "))
    });
    shown.collect()
}
