//! The report page of a job: what it says beside the tables, and where it goes.

use anyhow::Result;
use untemplate::job::{ClassReader, CrawlResult};
use untemplate::table::ProblemGroup;
use untemplate_crawl::now;
use untemplate_report::{ClassSection, Cost, OmittedSection, ReportPage, TableSection, report_page};
use untemplate_store::{Written, moment_text, without_password};

use crate::job_report::Ended;
use crate::summary::Summary;

/// The report among the files.
pub const REPORT: &str = "report.html";

/// What a report says beside its tables.
pub struct About {
    /// How the pages of each class were reached and read.
    pub classes: Vec<ClassSection>,
    /// What was odd.
    pub problems: Vec<ProblemGroup>,
    /// Addresses that nothing was read from.
    pub omitted: Vec<OmittedSection>,
}

/// The addresses that nothing was read from, by the reason.
pub fn omitted_sections(crawl_result: &CrawlResult) -> Vec<OmittedSection> {
    let omissions = &crawl_result.omissions;
    let kinds = [
        (
            "Dead addresses",
            "Links lead there, and there is no page.",
            crawl_result.n_dead,
            &omissions.dead,
        ),
        (
            "Forbidden addresses",
            "robots.txt forbids them, or they lie out of reach; --no-robots asks for them all the same.",
            crawl_result.n_refused,
            &omissions.refused,
        ),
        (
            "Addresses that were not asked for",
            "Calendars, orders of lists and the like, and links that ask not to be followed.",
            crawl_result.n_left_out,
            &omissions.left_out,
        ),
        (
            "Copies of other pages",
            "Their rows are those of the other page.",
            crawl_result.n_copies,
            &omissions.copies,
        ),
    ];
    let sections = kinds.into_iter().filter(|(_, _, count, _)| *count > 0);
    let sections = sections.map(|(title, why, count, addresses)| OmittedSection {
        title: title.to_owned(),
        why: why.to_owned(),
        count,
        addresses: addresses
            .iter()
            .map(|(url, why)| (url.to_string(), why.clone()))
            .collect(),
    });
    sections.collect()
}

/// Writes the report page of a job.
pub fn write_report(ended: &Ended<'_>, written: Written, about: About, summary: &Summary) -> Result<()> {
    let folder = ended.folder;
    let mut classes = about.classes;
    for class in &written.coverage {
        if let Some(section) = classes.get_mut(class.page_class) {
            section.text = Some(class.coverage.clone());
        }
    }
    let sections = written.n_rows.into_iter().zip(written.profiles).zip(written.samples);
    let tables = sections.map(|((n_rows, profiles), sample)| TableSection {
        n_rows,
        profiles,
        sample,
    });
    let files = written.files.iter();
    let report = ReportPage {
        title: ended.title.clone(),
        command: command(),
        time: Some(moment_text(now()).replace('T', " ").replace('Z', " UTC")),
        partial_because: summary.partial_because.clone(),
        database: written.database,
        tables: tables.collect(),
        classes,
        problems: about.problems,
        omitted: about.omitted,
        changes: written.changes,
        cost: Cost {
            downloads: ended.figures.downloads as u64,
            reused: ended.figures.reused as u64,
            bytes: ended.figures.bytes as u64,
            seconds: None,
        },
        files: files
            .filter_map(|file| Some(file.strip_prefix(&folder.folder).ok()?.display().to_string()))
            .collect(),
    };
    folder.write_file(REPORT, &report_page(&report))?;
    Ok(())
}

/// The command that was given, as a shell reads it, without a server's password.
fn command() -> String {
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
    let words = crate::settings::words().iter().skip(1).cloned().map(shown).map(quoted);
    let words: Vec<String> = std::iter::once("untemplate".to_owned()).chain(words).collect();
    words.join(" ")
}

/// A word without the password of a server whose address is settings such as `host=h password=p`:
/// all from it on, since it may hold blanks.
fn without_password_setting(word: String) -> String {
    match word.to_ascii_lowercase().find("password") {
        Some(place) if word[place + "password".len()..].trim_start().starts_with('=') => {
            format!("{}password=...", &word[..place])
        }
        _ => word,
    }
}

/// How the pages of a class were reached and read.
pub fn class_section(crawl_result: &CrawlResult, reader: &ClassReader) -> ClassSection {
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
        .map(|&page| crawl_result.ledger.addresses.text(page).to_owned());
    ClassSection {
        name: reader.name.clone(),
        kind: reader.kind.name().to_owned(),
        pattern: reader.pattern.clone(),
        estimated_pages: reader.estimated_pages,
        pages_read: reader.pages.len(),
        pages_unread: 0,
        wrapper,
        example,
        text: None,
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
