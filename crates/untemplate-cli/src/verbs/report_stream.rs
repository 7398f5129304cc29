//! `untemplate report SAMPLE --wrapper FILE -o -`: what is read of the pages like a sample, as lines
//! on standard output, while the search goes on. What reads them is known before: `reader.json` of
//! an earlier run, whose lines are rows of tables; or a wrapper or a specification, as for
//! `extract`.
//!
//! A line cannot be taken back. So a page is written at once only where two agree that it is one:
//! the search, as far as it knows by then, and the wrapper, which misses nothing on it. The others
//! wait for the end of the search.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Error, Result, anyhow, bail};
use serde_json::json;
use untemplate::job::SiteReader;
use untemplate::page::{Event, Page, Phase, Request, Site, Visit};
use untemplate::site::{GatherOptions, Gathered, gather};
use untemplate_crawl::WebSite;
use untemplate_store::table_file::json_row;
use untemplate_store::{is_site_reader, parse_site_reader};
use url::Url;

use super::extract::line_of;
use crate::arguments::OutputArguments;
use crate::first_page::nothing_read;
use crate::outcome::Outcome;
use crate::output::{ResultWriter, counted, say};
use crate::reader::Reader;
use crate::summary::Summary;

/// Pages that are asked for together when the search has ended.
const BATCH: usize = 16;

/// What turns pages into lines.
pub enum LineReader {
    /// A wrapper or a specification: a record a line.
    Records(Reader),
    /// What an earlier run wrote of how it reads pages: a row of a table a line.
    Rows(Box<SiteReader>),
}

/// What a page came to.
struct PageLines {
    /// Whether it is of the class.
    is_matched: bool,
    n_problems: usize,
    text: String,
}

impl LineReader {
    /// Opens what reads pages.
    pub fn open(file: &Path) -> Result<Self> {
        match fs::read_to_string(file) {
            Ok(text) if is_site_reader(&text) => {
                let reader = parse_site_reader(&text).map_err(|why| anyhow!("{}: {why}", file.display()))?;
                Ok(Self::Rows(Box::new(reader)))
            }
            // What is no such file, or none at all, is told of there.
            _ => Ok(Self::Records(Reader::open(file)?)),
        }
    }

    /// The number of a page's class, where classes have numbers. A reader of pages like a sample has
    /// one class, which the search tells.
    fn class_of(&self, page: &Page) -> Option<usize> {
        match self {
            Self::Records(_) => None,
            Self::Rows(reader) if reader.models.is_empty() => Some(0),
            Self::Rows(reader) => reader.class_of(page),
        }
    }

    /// Reads a page that should be of a class.
    fn read(&self, page: &Page, page_class: Option<usize>) -> PageLines {
        match self {
            Self::Records(reader) => {
                let reading = reader.read(page);
                PageLines {
                    is_matched: reading.is_matched,
                    n_problems: reading.problems.len(),
                    text: format!("{}\n", line_of(page.url.as_str(), page, &reading)),
                }
            }
            Self::Rows(reader) => rows_of(reader, page, page_class.filter(|_| self.class_of(page) == page_class)),
        }
    }
}

/// The rows of a page, a line each: the table, and the row as its file would have it.
fn rows_of(reader: &SiteReader, page: &Page, page_class: Option<usize>) -> PageLines {
    let class = page_class.and_then(|class| reader.classes.get(class));
    let extraction = class.and_then(|class| Some(class.reading.as_ref()?.extract(page)));
    let rows = reader.read_as(page_class, page);
    let line = |(table, row): &(usize, Vec<Option<String>>)| {
        let table = &reader.database.tables[*table];
        format!("{{\"table\":{},\"row\":{}}}\n", json!(table.name), json_row(table, row))
    };
    PageLines {
        is_matched: extraction.as_ref().is_some_and(|extraction| extraction.is_matched),
        n_problems: rows.problems.len() + extraction.map_or(0, |extraction| extraction.problems.len()),
        text: rows.rows.iter().map(line).collect(),
    }
}

/// Searches, and writes lines for each page that is read.
pub fn stream_pages(
    reader: &LineReader,
    output: &OutputArguments,
    site: &mut WebSite,
    sample: &Arc<Page>,
    search: &GatherOptions,
    summary: &mut Summary,
) -> Result<Outcome> {
    let page_class = reader.class_of(sample);
    if page_class.is_none() && matches!(reader, LineReader::Rows(_)) {
        bail!("the sample is like no page class that --wrapper reads; give a page of one of them");
    }
    let mut stream = RowStream {
        site,
        reader,
        page_class,
        writer: ResultWriter::open(output)?,
        visited: vec![Arc::clone(sample)],
        written: BTreeSet::new(),
        n_problems: 0,
        trouble: None,
    };
    stream.note(Event::Phase(Phase::Searching));
    let gathered = gather(&mut stream, sample, search);
    let n_unmatched = stream.write_rest(&gathered, sample);
    let RowStream {
        writer,
        written,
        n_problems,
        trouble,
        ..
    } = stream;
    trouble.map_or(Ok(()), Err)?;
    writer.finish()?;
    summary.figures.problems += n_problems;
    let losses = gathered.losses.iter().map(|(url, why)| format!("{url}: {why}"));
    summary.partial_because.extend(losses);
    for reason in summary.partial_because.iter().take(8) {
        say(output, &format!("in part: {reason}"));
    }
    say(
        output,
        &format!(
            "{} written, the class is thought to have {}",
            counted(written.len(), "page"),
            gathered.size_estimate
        ),
    );
    if written.is_empty() {
        say(output, &nothing_read(site, &sample.url));
    }
    summary.more.extend([
        ("found", json!(gathered.pages.len())),
        ("matched", json!(written.len())),
        ("class_size_estimate", json!(gathered.size_estimate)),
    ]);
    Ok(match summary.partial_because.is_empty() {
        _ if site.source.stop.is_stopping() => Outcome::Interrupted,
        _ if n_unmatched > written.len() => Outcome::Drift,
        false => Outcome::Partial,
        true if written.len() < 2 => Outcome::Nothing,
        true => Outcome::Complete,
    })
}

/// A site whose pages are read and written as they turn out to be like the sample.
struct RowStream<'a> {
    site: &'a mut WebSite,
    reader: &'a LineReader,
    page_class: Option<usize>,
    writer: ResultWriter,
    /// The pages of the last visit: what the search says next is mostly about them.
    visited: Vec<Arc<Page>>,
    written: BTreeSet<Url>,
    n_problems: usize,
    trouble: Option<Error>,
}

impl RowStream<'_> {
    fn write(&mut self, page: &Page, lines: &PageLines) {
        self.n_problems += lines.n_problems;
        match self.writer.write(lines.text.as_bytes()) {
            Ok(()) => drop(self.written.insert(page.url.clone())),
            Err(error) => self.trouble = Some(error),
        }
    }

    /// A page that the search tells of: one of the last visit, or one from before, which the source
    /// has.
    fn page_at(&mut self, url: &Url) -> Option<Arc<Page>> {
        let is_it = |page: &&Arc<Page>| page.url == *url;
        let at_hand = self.visited.iter().find(is_it).cloned();
        at_hand.or_else(|| match self.site.visit(&[Request::get(url.clone())]).pop()? {
            Visit::Page(page) => Some(page),
            _ => None,
        })
    }

    /// Writes the pages found that were in doubt until now; how many are none to the wrapper.
    fn write_rest(&mut self, gathered: &Gathered, sample: &Arc<Page>) -> usize {
        let is_waiting = |url: &Url| !self.written.contains(url);
        let pages = gathered.pages.iter().filter(|page| page.copy_of.is_none());
        let rest: Vec<Url> = pages.map(|page| page.url.clone()).filter(is_waiting).collect();
        let mut n_unmatched = 0;
        for batch in rest.chunks(BATCH) {
            if self.trouble.is_some() {
                break;
            }
            let requests: Vec<Request> = batch.iter().cloned().map(Request::get).collect();
            let visits = self.site.visit(&requests);
            for (url, visit) in batch.iter().zip(visits) {
                let page = match visit {
                    Visit::Page(page) => page,
                    _ if *url == sample.url => Arc::clone(sample),
                    _ => continue,
                };
                let lines = self.reader.read(&page, self.page_class);
                match lines.is_matched {
                    true => self.write(&page, &lines),
                    false => n_unmatched += 1,
                }
            }
        }
        n_unmatched
    }
}

impl Site for RowStream<'_> {
    fn visit(&mut self, requests: &[Request]) -> Vec<Visit> {
        if self.trouble.is_some() {
            return requests.iter().map(|_| Visit::Stopped).collect();
        }
        let visits = self.site.visit(requests);
        let pages = visits.iter().filter_map(|visit| match visit {
            Visit::Page(page) => Some(Arc::clone(page)),
            _ => None,
        });
        self.visited = pages.collect();
        visits
    }

    fn listed(&mut self, around: &Url) -> Vec<Url> {
        self.site.listed(around)
    }

    fn note(&mut self, event: Event) {
        if let Event::Alike(url) = &event
            && !self.written.contains(url)
            && let Some(page) = self.page_at(url)
        {
            let lines = self.reader.read(&page, self.page_class);
            if lines.is_matched && lines.n_problems == 0 {
                self.write(&page, &lines);
            }
        }
        self.site.note(event);
    }
}
