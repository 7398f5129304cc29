//! Sites: what was done about each, whichever way: its jobs, its lesson, its pages.
//!
//! In: the jobs of a studio, its lessons, and tables below its folder that were made elsewhere.
//! Out: a [`SiteCard`] for each host, the one with the latest run first: how that run ended, its
//! rows, what changed, problems, and when it runs again.

use std::collections::BTreeMap;
use std::fs;
use std::time::SystemTime;

use maud::{Markup, html};
use serde_json::Value;
use untemplate_report::number;
use url::Url;

use super::below::name_below;
use super::inventory::{Found, Inventory, Kind};
use super::tables::catalogue::Catalogue;
use super::words::moment;
use crate::jobs::form::state_mark;
use crate::jobs::register::{JOBS, Job, JobState};
use crate::jobs::schedule::next_run;
use crate::studio::StudioState;
use crate::teach::asked::query;
use crate::teach::lobby::known_entries;

/// Tables of a site whose rows are told; the rest is a number.
const TABLES_SHOWN: usize = 4;

/// A site, as its card shows it.
#[derive(Default)]
pub struct SiteCard {
    /// Its host, with its port.
    pub host: String,
    /// Its jobs, the latest first.
    jobs: Vec<(Option<SystemTime>, Job)>,
    /// The entry of its lesson, if there is one.
    lesson: Option<String>,
    /// Tables about it that no job of the studio made, the latest first.
    others: Vec<OtherTables>,
}

/// Tables that were made on a command line.
struct OtherTables {
    /// Their name below the studio's folder.
    at: String,
    made: Option<SystemTime>,
    /// Name and rows of each, as they are looked at.
    rows: Vec<(String, u64)>,
    /// What changed since the tables that were there before.
    changes: Option<String>,
    has_report: bool,
}

/// The sites that jobs and lessons are about, the one with the latest run first.
pub fn sites(studio: &StudioState, inventory: &Inventory) -> Vec<SiteCard> {
    let mut cards: BTreeMap<String, SiteCard> = BTreeMap::new();
    for job in studio.jobs.all() {
        let entry = job.order.entry(&job.place.studio).ok();
        let host = entry.as_ref().and_then(server_of);
        let ran = ran_at(&job);
        let Some(host) = host else { continue };
        cards.entry(host).or_default().jobs.push((ran, job));
    }
    for (host, tables) in other_tables(studio, inventory) {
        cards.entry(host).or_default().others.push(tables);
    }
    for entry in known_entries(studio) {
        let host = server_of(&entry).unwrap_or_default();
        cards.entry(host).or_default().lesson = Some(entry.to_string());
    }
    let mut all: Vec<SiteCard> = cards
        .into_iter()
        .map(|(host, mut card)| {
            // What is under way is the latest.
            card.jobs
                .sort_by_key(|(ran, job)| (job.state != JobState::Running, std::cmp::Reverse(*ran)));
            card.others.sort_by_key(|tables| std::cmp::Reverse(tables.made));
            SiteCard { host, ..card }
        })
        .collect();
    all.sort_by_key(|card| {
        let of_jobs = card.jobs.first().and_then(|(ran, _)| *ran);
        let of_others = card.others.first().and_then(|tables| tables.made);
        std::cmp::Reverse(of_jobs.max(of_others))
    });
    all
}

/// Folders of tables that are looked into for their sites.
const OTHERS_MAX: usize = 50;

/// The tables below the studio's folder that none of its jobs made, by host.
fn other_tables(studio: &StudioState, inventory: &Inventory) -> Vec<(String, OtherTables)> {
    let others = inventory
        .of(Kind::Tables)
        .filter(|found| !found.at.starts_with(&format!("{JOBS}/")));
    let other = |found: &Found| {
        let folder = studio.folder.join(&found.at);
        let catalogue = Catalogue::open(&folder.join("tables.sqlite")).ok()?;
        let page = Url::parse(&catalogue.page_of_it()?).ok()?;
        let text = fs::read(folder.join("changes.json")).ok();
        let changed = text.and_then(|text| serde_json::from_slice::<Value>(&text).ok());
        let tables = OtherTables {
            at: found.at.clone(),
            made: found.modified,
            rows: catalogue
                .in_view_order()
                .iter()
                .map(|table| (table.name.clone(), table.n_rows))
                .collect(),
            changes: changed.as_ref().and_then(changes_in_file),
            has_report: folder.join("report.html").is_file(),
        };
        Some((server_of(&page)?, tables))
    };
    others.take(OTHERS_MAX).filter_map(other).collect()
}

/// The host of an address, with its port: two ports of a machine are two sites.
fn server_of(url: &Url) -> Option<String> {
    let port = url.port().map_or_else(String::new, |port| format!(":{port}"));
    Some(format!("{}{port}", url.host_str()?))
}

/// When a job ended, or was last heard of.
fn ran_at(job: &Job) -> Option<SystemTime> {
    let of = |file: &str| {
        fs::metadata(job.place.folder.join(file))
            .and_then(|facts| facts.modified())
            .ok()
    };
    of("ended.json")
        .or_else(|| of("summary.json"))
        .or_else(|| of("job.json"))
}

/// The card of a site.
pub fn card(studio: &StudioState, site: &SiteCard) -> Markup {
    let last = site.jobs.first();
    html! {
        article.site aria-label=(site.host) {
            h3 { (site.host) @if let Some((_, job)) = last { " " (state_mark(job.state)) } }
            @match last {
                Some((ran, job)) => (last_run(studio, job, *ran)),
                None if site.others.is_empty() => { p.quiet { "Taught, and not run yet." } }
                None => {}
            }
            @for tables in site.others.iter().take(OTHERS_SHOWN) { (made_elsewhere(studio, tables)) }
            div.row {
                @if let Some((_, job)) = last {
                    @let tables = job.place.folder.join(job.order.result_name());
                    @let at = name_below(&job.place.studio, &tables);
                    @if tables.join("tables.sqlite").is_file() { a.button.primary href=(studio.at(&format!("/look/tables?{}", query(&[("at", &at)])))) { "Tables" } }
                    @if tables.join("report.html").is_file() { a.button href=(studio.at(&format!("/look/report?{}", query(&[("at", &at)])))) { "Report" } }
                    @if tables.is_file() && tables.ends_with("model.json") { a.button.primary href=(studio.at(&format!("/look/model?{}", query(&[("at", &at)])))) { "Model" } }
                    a.button href=(studio.at(&format!("/jobs/{}", job.name))) { "The run" }
                }
                form method="post" action=(studio.at("/teach")) {
                    input type="hidden" name="entry" value=(site.lesson.clone().unwrap_or_else(|| format!("http://{}/", site.host)));
                    button { (if site.lesson.is_some() { "Teach on" } else { "Teach" }) }
                }
            }
            @if site.jobs.len() > 1 {
                details { summary.quiet { (site.jobs.len() - 1) " more" }
                    ul.plain { @for (_, job) in &site.jobs[1..] { li { a href=(studio.at(&format!("/jobs/{}", job.name))) { (job.name) } " " (state_mark(job.state)) } } }
                }
            }
        }
    }
}

/// Folders of tables that a card shows.
const OTHERS_SHOWN: usize = 3;

fn made_elsewhere(studio: &StudioState, tables: &OtherTables) -> Markup {
    let named = query(&[("at", &tables.at)]);
    html! {
        dl.facts {
            dt { "Made" } dd { @if let Some(made) = tables.made { (moment(made)) " UTC, " } "in " code { @if tables.at.is_empty() { "this folder" } @else { (tables.at) } } }
            dt { "Rows" } dd { (rows_told(&tables.rows)) }
            @if let Some(changes) = &tables.changes { dt { "Changed" } dd { (changes) } }
        }
        div.row {
            a.button.primary href=(studio.at(&format!("/look/tables?{named}"))) { "Tables" }
            @if tables.has_report { a.button href=(studio.at(&format!("/look/report?{named}"))) { "Report" } }
        }
    }
}

/// The first tables with their rows, and how many more there are.
fn rows_told(rows: &[(String, u64)]) -> Markup {
    html! {
        @for (place, (table, count)) in rows.iter().take(TABLES_SHOWN).enumerate() { @if place > 0 { ", " } (table) " " strong { (number(*count)) } }
        @if rows.len() > TABLES_SHOWN { " and " (rows.len() - TABLES_SHOWN) " more " (if rows.len() == TABLES_SHOWN + 1 { "table" } else { "tables" }) }
    }
}

fn last_run(studio: &StudioState, job: &Job, ran: Option<SystemTime>) -> Markup {
    let summary = job.summary().unwrap_or_default();
    let mut rows: Vec<(String, u64)> = summary["rows"]
        .as_object()
        .into_iter()
        .flatten()
        .filter_map(|(table, count)| Some((table.clone(), count.as_u64()?)))
        .collect();
    rows.sort_by_key(|(_, count)| std::cmp::Reverse(*count));
    let problems = summary["problems"].as_u64().unwrap_or(0);
    html! {
        dl.facts {
            dt { "Last run" } dd { (job.order.verb.word()) @if let Some(ran) = ran { ", " (moment(ran)) " UTC" } }
            @if !rows.is_empty() {
                dt { "Rows" } dd { (rows_told(&rows)) }
            }
            @if let Some(changes) = changes(&summary) { dt { "Changed" } dd { (changes) } }
            @if problems > 0 { dt { "Problems" } dd { (number(problems)) } }
            @if let Some(next) = next_run(job, ran) { dt { "Next run" } dd { (moment(next)) " UTC" } }
        }
        @for why in summary["partial_because"].as_array().into_iter().flatten().take(1) { @if let Some(why) = why.as_str() { p.warning { (why) } } }
        @for drift in summary["drift"].as_array().into_iter().flatten().take(1) { @if let Some(drift) = drift.as_str() { p.warning { "The site has changed: " (drift) " " a href=(studio.at(&format!("/jobs/{}", job.name))) { "more" } } } }
    }
}

/// What is different from the run before, over all tables; nothing where there was none.
fn changes(summary: &Value) -> Option<String> {
    Some(changes_told(summary["changes_by_table"].as_object()?.values()))
}

/// The same from the file beside tables.
fn changes_in_file(file: &Value) -> Option<String> {
    let n_tables = |which: &str| file[which].as_array().map_or(0, Vec::len);
    let told = [("tables_added", "new"), ("tables_gone", "gone")].map(|(which, word)| (n_tables(which), word));
    let of_tables = told.iter().filter(|(count, _)| *count > 0).map(|(count, word)| {
        let tables = if *count == 1 { "table" } else { "tables" };
        format!("{count} {tables} {word}")
    });
    let of_rows = changes_told(file["tables"].as_array()?.iter());
    let of_rows = Some(of_rows).filter(|told| told != NOTHING);
    let parts: Vec<String> = of_rows.into_iter().chain(of_tables).collect();
    Some(if parts.is_empty() {
        NOTHING.to_owned()
    } else {
        parts.join(", ")
    })
}

/// What is said where nothing is different.
const NOTHING: &str = "nothing";

fn changes_told<'a>(tables: impl Iterator<Item = &'a Value> + Clone) -> String {
    let sum = |what: &str| -> u64 { tables.clone().filter_map(|table| table[what].as_u64()).sum() };
    let told = [("added", "new"), ("changed", "changed"), ("vanished", "gone")];
    let told = told.map(|(what, word)| (sum(what), word));
    let parts = told.iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, word)| format!("{} {word}", number(*count)))
        .collect();
    match parts.is_empty() {
        true => NOTHING.to_owned(),
        false => parts.join(", "),
    }
}
