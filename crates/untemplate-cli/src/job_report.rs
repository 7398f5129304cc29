//! What a job says when it is done: the report, the summary, the exit code.

use std::path::Path;

use anyhow::Result;
use serde_json::{Map, Value, json};
use untemplate::job::{ClassReader, Harvest};
use untemplate::table::{
    Changes, ClassSection, Cost, ProblemGroups, ReportPage, TableChanges, TableSection, report_page,
};
use untemplate_store::table_file::TableFormat;
use untemplate_store::{DiskShelf, Figures, without_password};

use crate::arguments::{OutputArguments, TableArguments};
use crate::job_folder::{Destination, Reach, Written, write_job};
use crate::outcome::Outcome;
use crate::output::{say, write_whole};
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
    pub tables: &'a TableArguments,
    /// Where messages go.
    pub output: &'a OutputArguments,
}

/// Writes all that a job found, and says how it ended.
pub fn conclude_job(
    ended: &Ended<'_>,
    harvest: &Harvest,
    shelf: &mut DiskShelf,
    summary: &mut Summary,
) -> Result<Outcome> {
    let folder = ended.tables.folder();
    give_reasons(ended, harvest, summary);
    let is_complete = summary.partial_because.is_empty() && !harvest.is_stopped;
    if ended.is_interrupted && folder.join(REPORT).is_file() {
        let message = format!(
            "interrupted: the tables of an earlier run in {} stay as they are",
            folder.display()
        );
        say(ended.output, &message);
        return Ok(Outcome::Interrupted);
    }
    let formats: Vec<TableFormat> = ended.tables.format.iter().map(|format| format.table_format()).collect();
    let written = write_job(
        &Destination {
            folder: &folder,
            formats: &formats,
            server: ended.tables.to.as_deref(),
        },
        harvest,
        shelf,
        reach(ended, harvest, is_complete),
    )?;
    let Some(written) = written else {
        let message = format!(
            "the tables of an earlier run in {} have more rows and stay as they are; give another folder with -o for those of this run",
            folder.display()
        );
        say(ended.output, &message);
        summary.partial_because.push(message);
        return Ok(Outcome::Partial);
    };
    tell(ended, harvest, &written, summary);
    write_report(&folder, ended, harvest, &written, summary)?;
    let n_rows: usize = written.n_rows.iter().sum();
    Ok(match (ended.is_interrupted, is_complete) {
        (true, _) => Outcome::Interrupted,
        (false, false) => Outcome::Partial,
        (false, true) if n_rows == 0 => Outcome::Nothing,
        (false, true) => Outcome::Complete,
    })
}

fn reach(ended: &Ended<'_>, harvest: &Harvest, is_complete: bool) -> Reach {
    let is_cut = harvest.is_stopped || ended.figures.stopped_because.is_some();
    match (is_complete, is_cut) {
        (true, _) => Reach::Complete,
        (false, true) => Reach::Cut,
        (false, false) => Reach::Partial,
    }
}

/// The report among the files.
const REPORT: &str = "report.html";

/// Reasons that are said aloud; the summary has all.
const REASONS_SAID: usize = 8;

/// Collects what cut the job short.
fn give_reasons(ended: &Ended<'_>, harvest: &Harvest, summary: &mut Summary) {
    let why = &mut summary.partial_because;
    match (ended.is_interrupted, ended.figures.stopped_because) {
        (true, _) => why.push("interrupted".to_owned()),
        (false, Some(reason)) => why.push(reason.to_string()),
        (false, None) if harvest.is_stopped => why.push("it was stopped before its end".to_owned()),
        (false, None) => {}
    }
    why.extend(harvest.losses.iter().map(|(url, reason)| format!("{url}: {reason}")));
    if harvest.n_refused > 0 {
        why.push(format!(
            "{} addresses are forbidden by robots.txt or lie out of reach",
            harvest.n_refused
        ));
    }
    for reason in why.iter().take(REASONS_SAID) {
        say(ended.output, &format!("in part: {reason}"));
    }
}

/// Says what was found, to people and to the summary.
fn tell(ended: &Ended<'_>, harvest: &Harvest, written: &Written, summary: &mut Summary) {
    let tables = written.database.tables.iter().zip(&written.n_rows);
    let rows: Map<String, Value> = tables
        .map(|(table, n_rows)| (table.name.clone(), json!(n_rows)))
        .collect();
    for (table, n_rows) in &rows {
        say(
            ended.output,
            &format!("{n_rows:>7} rows  {table}", n_rows = n_rows.to_string()),
        );
    }
    let folder = ended.tables.folder();
    say(
        ended.output,
        &format!("wrote {} files to {}", written.files.len() + 1, folder.display()),
    );
    let mut files: Vec<String> = written.files.iter().map(|file| file.display().to_string()).collect();
    files.push(folder.join(REPORT).display().to_string());
    let n_records: usize = written.n_rows.iter().sum();
    let downloads = (ended.figures.downloads + ended.figures.reused).max(1);
    let per_download = (n_records as f64 / downloads as f64 * 100.0).round() / 100.0;
    summary.more.extend([
        ("rows", Value::Object(rows)),
        ("files", json!(files)),
        ("classes", json!(harvest.readers.len())),
        ("records_per_download", json!(per_download)),
        ("unread", json!(harvest.n_unread)),
        ("dead", json!(harvest.n_dead)),
        ("copies", json!(harvest.n_copies)),
        ("left_out", json!(harvest.n_left_out)),
    ]);
    if let Some(changes) = &written.changes {
        let (changes, line) = change_figures(changes);
        say(ended.output, &line);
        summary.more.push(("changes", changes));
    }
    summary.figures.problems = written.problems.len() + harvest.readers.iter().map(n_problems).sum::<usize>();
}

/// How many rows came, changed and went: for programs, and for people.
pub fn change_figures(changes: &Changes) -> (Value, String) {
    let sum = |count: fn(&TableChanges) -> usize| changes.tables.iter().map(count).sum::<usize>();
    let (added, changed, vanished) = (sum(|it| it.n_added), sum(|it| it.n_changed), sum(|it| it.n_vanished));
    let line = format!("since the last run: {added} rows added, {changed} changed, {vanished} vanished");
    (json!({"added": added, "changed": changed, "vanished": vanished}), line)
}

fn n_problems(reader: &ClassReader) -> usize {
    reader.problems.clone().finish().iter().map(|group| group.count).sum()
}

fn write_report(
    folder: &Path,
    ended: &Ended<'_>,
    harvest: &Harvest,
    written: &Written,
    summary: &Summary,
) -> Result<()> {
    let sections = written.n_rows.iter().zip(&written.profiles).zip(&written.samples);
    let tables = sections.map(|((&n_rows, profiles), sample)| TableSection {
        n_rows,
        profiles: profiles.clone(),
        sample: sample.clone(),
    });
    let mut groups = ProblemGroups::default();
    for problem in &written.problems {
        groups.add("", problem);
    }
    let mut problems = groups.finish();
    problems.extend(
        harvest
            .readers
            .iter()
            .flat_map(|reader| reader.problems.clone().finish()),
    );
    let report = ReportPage {
        title: ended.title.clone(),
        command: command(),
        time: None,
        partial_because: summary.partial_because.clone(),
        database: written.database.clone(),
        tables: tables.collect(),
        classes: harvest
            .readers
            .iter()
            .map(|reader| class_section(harvest, reader))
            .collect(),
        problems,
        changes: written.changes.clone(),
        cost: Cost {
            downloads: ended.figures.downloads as u64,
            reused: ended.figures.reused as u64,
            bytes: ended.figures.bytes as u64,
            seconds: None,
        },
        files: written
            .files
            .iter()
            .filter_map(|file| Some(file.strip_prefix(folder).ok()?.display().to_string()))
            .collect(),
    };
    write_whole(&folder.join(REPORT), report_page(&report).as_bytes())
}

/// The command that was given, as a shell reads it, without a server's password.
pub fn command() -> String {
    let is_plain = |c: char| c.is_alphanumeric() || "-_./:=@%+,".contains(c);
    let quoted = |word: String| match !word.is_empty() && word.chars().all(is_plain) {
        true => word,
        false => format!("'{}'", word.replace('\'', "'\\''")),
    };
    let shown = |word: String| match word.find("postgres") {
        Some(place) if word[place..].contains("://") => {
            format!("{}{}", &word[..place], without_password(&word[place..]))
        }
        _ => without_password_setting(word),
    };
    let words = std::env::args().skip(1).map(shown).map(quoted);
    let words: Vec<String> = std::iter::once("untemplate".to_owned()).chain(words).collect();
    words.join(" ")
}

/// A word without the password of a server whose address is settings such as `host=h password=p`: all from it on, since it may hold blanks.
fn without_password_setting(word: String) -> String {
    match word.to_ascii_lowercase().find("password") {
        Some(place) if word[place + "password".len()..].trim_start().starts_with('=') => {
            format!("{}password=...", &word[..place])
        }
        _ => word,
    }
}

fn class_section(harvest: &Harvest, reader: &ClassReader) -> ClassSection {
    let n_fields = reader
        .reading
        .iter()
        .flat_map(|reading| &reading.schema.fields)
        .filter(|field| !field.is_list)
        .count();
    let wrapper = format!("{n_fields} fields, read by headings, labels and places");
    let example = reader
        .pages
        .first()
        .map(|&page| harvest.ledger.addresses.text(page).to_owned());
    ClassSection {
        name: reader.name.clone(),
        kind: reader.kind.name().to_owned(),
        pattern: reader.pattern.clone(),
        estimated_pages: reader.estimated_pages,
        pages_read: reader.pages.len(),
        pages_unread: 0,
        wrapper,
        example,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn passwords_among_settings_are_not_shown() {
        let check = |word: &str, expected: &str| assert_eq!(without_password_setting(word.to_owned()), expected);
        check("host=h password=s3cret user=ada", "host=h password=...");
        check("--to=host=h Password = 's3 cret'", "--to=host=h password=...");
        check("http://site.example/password", "http://site.example/password");
    }
}
