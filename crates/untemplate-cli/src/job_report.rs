//! What a job says when it is done: the report, the summary, the exit code.

use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};
use untemplate::job::CrawlResult;
use untemplate::table::{Changes, ProblemGroup, ProblemGroups, TableChanges};
use untemplate_report::{ClassSection, OmittedSection};
use untemplate_store::table_file::PageMark;
use untemplate_store::{DiskRecordStore, Figures, JobContents, JobFolder, Reach, SourceSite, Written};
use url::Url;

use crate::arguments::OutputArguments;
use crate::job_page::{About, REPORT, class_section, omitted_sections, write_report};
use crate::outcome::Outcome;
use crate::output::{counted, say};
use crate::summary::Summary;

/// How a job went, beside what it read.
pub struct Ended<'a> {
    /// What was asked for, as the report's title.
    pub title: String,
    /// What was asked of page sources.
    pub figures: Figures,
    /// Whether somebody stopped it.
    pub is_interrupted: bool,
    /// Where tables go.
    pub folder: &'a JobFolder,
    /// Where messages go.
    pub output: &'a OutputArguments,
}

/// What a job found.
pub struct Found<'a> {
    /// What is written of it; how far it came is decided here.
    pub contents: JobContents<'a>,
    /// How the pages of each class were reached and read.
    pub classes: Vec<ClassSection>,
    /// What was odd about them.
    pub problems: Vec<ProblemGroup>,
    /// Whether a limit or an interrupt cut it short.
    pub is_stopped: bool,
    /// What else makes it a part of the whole.
    pub partial_because: Vec<String>,
    /// Addresses that nothing was read from.
    pub omitted: Vec<OmittedSection>,
    /// What the verb adds to the summary.
    pub figures: Vec<(&'static str, Value)>,
}

impl<'a> Found<'a> {
    /// What a site, or the pages like a sample, came to.
    pub fn of_crawl(crawl_result: &'a CrawlResult) -> Self {
        let mut why: Vec<String> = crawl_result
            .losses
            .iter()
            .map(|(url, reason)| format!("{url}: {reason}"))
            .collect();
        if crawl_result.n_refused > 0 {
            why.push(format!(
                "{} addresses are forbidden by robots.txt or lie out of reach",
                crawl_result.n_refused
            ));
        }
        let readers = || crawl_result.readers.iter();
        Self {
            contents: JobContents::of_crawl(crawl_result, Reach::Complete),
            classes: readers().map(|reader| class_section(crawl_result, reader)).collect(),
            problems: readers().flat_map(|reader| reader.problems.clone().finish()).collect(),
            is_stopped: crawl_result.is_stopped,
            partial_because: why,
            omitted: omitted_sections(crawl_result),
            figures: vec![
                ("classes", json!(crawl_result.readers.len())),
                ("unread", json!(crawl_result.n_unread)),
                ("dead", json!(crawl_result.n_dead)),
                ("copies", json!(crawl_result.n_copies)),
                ("left_out", json!(crawl_result.n_left_out)),
            ],
        }
    }
}

impl<'a> Found<'a> {
    /// The same, with when each page was seen, as far as the page sources know.
    pub fn seen_by(mut self, site: &'a mut SourceSite) -> Self {
        let mut seen_at = |url: &str| site.seen_at(&Url::parse(url).ok()?);
        let pages = std::mem::replace(&mut self.contents.pages, Box::new(std::iter::empty()));
        self.contents.pages = Box::new(pages.map(move |mark| {
            let seen = seen_at(&mark.url);
            PageMark {
                first_seen: seen.clone(),
                last_seen: seen,
                ..mark
            }
        }));
        self
    }
}

/// Does a job, and takes the folder away that it made if nothing came of it.
pub fn leaving_no_folder(folder: &Path, job: impl FnOnce() -> Result<Outcome>) -> Result<Outcome> {
    let was_there = folder.exists();
    let result = job();
    if !was_there {
        // A folder with something in it stays.
        let _ = std::fs::remove_dir(folder);
    }
    result
}

/// Writes all that a job found, and says how it ended.
pub fn conclude_job(
    ended: &Ended<'_>,
    mut found: Found<'_>,
    record_store: &mut DiskRecordStore,
    summary: &mut Summary,
) -> Result<Outcome> {
    let folder = ended.folder.folder.display();
    let is_cut = found.is_stopped || ended.figures.stopped_because.is_some();
    give_reasons(ended, &found, summary);
    summary.more.extend(found.figures);
    let is_complete = summary.partial_because.is_empty();
    // Where all pages were asked for, what was thought of their number is no news.
    let classes = found.classes.iter_mut().filter(|_| is_complete);
    classes.for_each(|class| class.estimated_pages = None);
    if ended.is_interrupted && ended.folder.has_tables() {
        let message = format!("interrupted: the tables of an earlier run in {folder} stay as they are");
        say(ended.output, &message);
        return Ok(Outcome::Interrupted);
    }
    let contents = JobContents {
        reach: match (is_complete, is_cut) {
            (true, _) => Reach::Complete,
            (false, true) => Reach::Cut,
            (false, false) => Reach::Partial,
        },
        ..found.contents
    };
    let Some(written) = ended.folder.write(contents, record_store)? else {
        let message = match ended.folder.has_tables() {
            true => format!(
                "the tables of an earlier run in {folder} have more rows and stay as they are; give another folder with -o for those of this run"
            ),
            false => "there was no row to write before it ended".to_owned(),
        };
        say(ended.output, &message);
        if !is_complete {
            summary.partial_because.push(message);
        }
        return Ok(match (ended.is_interrupted, is_complete) {
            (true, _) => Outcome::Interrupted,
            (false, false) => Outcome::Partial,
            (false, true) => Outcome::Nothing,
        });
    };
    tell_unapplied(ended.output, &written.unapplied);
    summary.more.push(("schema_unapplied", json!(written.unapplied)));
    let mut groups = ProblemGroups::default();
    for problem in &written.problems {
        groups.add("", problem);
    }
    let problems: Vec<ProblemGroup> = groups.finish().into_iter().chain(found.problems).collect();
    summary.figures.problems = problems.iter().map(|group| group.count).sum();
    let n_rows: usize = written.n_rows.iter().sum();
    tell(ended, &written, is_complete, summary);
    let about = About {
        classes: found.classes,
        problems,
        omitted: found.omitted,
    };
    write_report(ended, written, about, summary)?;
    Ok(match (ended.is_interrupted, is_complete) {
        (true, _) => Outcome::Interrupted,
        (false, false) => Outcome::Partial,
        (false, true) if n_rows == 0 => Outcome::Nothing,
        (false, true) => Outcome::Complete,
    })
}

/// Tables that are said aloud; the report and the summary have all.
const TABLES_SAID: usize = 20;

/// Reasons that are said aloud; the summary has all.
const REASONS_SAID: usize = 8;

/// Says what of a schema applied to nothing.
fn tell_unapplied(output: &OutputArguments, unapplied: &[String]) {
    for what in unapplied.iter().take(REASONS_SAID) {
        say(output, &format!("the schema no longer applies: {what}"));
    }
    if let Some(more) = unapplied.len().checked_sub(REASONS_SAID + 1) {
        let more = counted(more + 1, "more line");
        say(
            output,
            &format!("the schema no longer applies: {more}, as the summary says"),
        );
    }
}

/// Collects what cut the job short.
fn give_reasons(ended: &Ended<'_>, found: &Found<'_>, summary: &mut Summary) {
    let why = &mut summary.partial_because;
    match (ended.is_interrupted, ended.figures.stopped_because) {
        (true, _) => why.push("interrupted".to_owned()),
        (false, Some(reason)) => why.push(reason.to_string()),
        (false, None) if found.is_stopped => why.push("it was stopped before its end".to_owned()),
        (false, None) => {}
    }
    why.extend(found.partial_because.iter().cloned());
    for reason in why.iter().take(REASONS_SAID) {
        say(ended.output, &format!("in part: {reason}"));
    }
}

/// Says what was found, to people and to the summary.
fn tell(ended: &Ended<'_>, written: &Written, is_complete: bool, summary: &mut Summary) {
    let tables = written.database.tables.iter().zip(&written.n_rows);
    let rows: Map<String, Value> = tables
        .map(|(table, n_rows)| (table.name.clone(), json!(n_rows)))
        .collect();
    let mut largest: Vec<(&String, u64)> = rows
        .iter()
        .map(|(table, n_rows)| (table, n_rows.as_u64().unwrap_or(0)))
        .collect();
    largest.sort_by_key(|&(table, n_rows)| (std::cmp::Reverse(n_rows), table));
    for (table, n_rows) in largest.iter().take(TABLES_SAID) {
        let word = if *n_rows == 1 { "row " } else { "rows" };
        say(ended.output, &format!("{n_rows:>7} {word}  {table}"));
    }
    if largest.len() > TABLES_SAID {
        let more = counted(largest.len() - TABLES_SAID, "smaller table");
        say(ended.output, &format!("        and {more}"));
    }
    let folder = &ended.folder.folder;
    let message = format!(
        "wrote {} in {}, {} files, to {}; open {} to look at them",
        counted(written.n_rows.iter().sum(), "row"),
        counted(written.n_rows.len(), "table"),
        written.files.len() + 1,
        folder.display(),
        folder.join(REPORT).display()
    );
    say(ended.output, &message);
    let mut files: Vec<String> = written.files.iter().map(|file| file.display().to_string()).collect();
    files.push(folder.join(REPORT).display().to_string());
    let n_records: usize = written.n_rows.iter().sum();
    let downloads = (ended.figures.downloads + ended.figures.reused).max(1);
    let per_download = (n_records as f64 / downloads as f64 * 100.0).round() / 100.0;
    if let Some(changes) = &written.changes {
        tell_changes(ended.output, changes, &rows, is_complete, summary);
    }
    summary.more.extend([
        ("rows", Value::Object(rows)),
        ("files", json!(files)),
        ("records_per_download", json!(per_download)),
    ]);
}

/// The first names of many; `changes.json` has all.
fn first_names(names: &[String]) -> String {
    let first = names.iter().take(REASONS_SAID).map(String::as_str);
    let more = names
        .len()
        .checked_sub(REASONS_SAID + 1)
        .map(|more| format!("{} more", more + 1));
    first.chain(more.as_deref()).collect::<Vec<_>>().join(", ")
}

/// Says how many rows came, changed and went. What a partial job did not reach has not vanished.
fn tell_changes(
    output: &OutputArguments,
    changes: &Changes,
    rows: &Map<String, Value>,
    is_complete: bool,
    summary: &mut Summary,
) {
    let sum = |count: fn(&TableChanges) -> usize| changes.tables.iter().map(count).sum::<usize>();
    let (changed, vanished) = (sum(|it| it.n_changed), sum(|it| it.n_vanished));
    let n_rows = |table: &String| rows.get(table).and_then(Value::as_u64).unwrap_or(0) as usize;
    let of_new_tables: usize = changes.tables_added.iter().map(n_rows).sum();
    let added = sum(|it| it.n_added) + of_new_tables;
    let mut line = format!(
        "since the last run: {} added, {changed} changed, {vanished} vanished",
        counted(added, "row")
    );
    if !changes.tables_added.is_empty() {
        line.push_str(&format!("; new tables: {}", first_names(&changes.tables_added)));
    }
    if !changes.tables_gone.is_empty() {
        line.push_str(&format!(
            "; tables that are gone: {}",
            first_names(&changes.tables_gone)
        ));
    }
    say(output, &line);
    let all = json!({"added": added, "changed": changed, "vanished": vanished});
    summary.more.push(("changes", all));
    let of_table = |table: &TableChanges| {
        let n_rows = rows.get(&table.name).and_then(Value::as_u64).unwrap_or(0);
        let counts = json!({
            "added": table.n_added, "changed": table.n_changed, "vanished": is_complete.then_some(table.n_vanished),
            "unchanged": n_rows.saturating_sub((table.n_added + table.n_changed) as u64),
        });
        (table.name.clone(), counts)
    };
    let by_table: Map<String, Value> = changes.tables.iter().map(of_table).collect();
    summary.more.push(("changes_by_table", Value::Object(by_table)));
}
