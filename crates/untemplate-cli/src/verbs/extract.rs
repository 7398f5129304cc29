//! `untemplate extract`: pages to records, by a wrapper or a specification.

use anyhow::Result;
use serde_json::{Value as Json, json};
use untemplate::page::Page;
use untemplate_store::{Figures, SourceSite};

use crate::arguments::ExtractArguments;
use crate::outcome::Outcome;
use crate::output::{ResultWriter, complain};
use crate::page_arguments::{expand, read_page};
use crate::reader::{PageReading, Reader};
use crate::summary::{Summary, summarised};

/// Extracts each page in turn. A page that cannot be fetched is said, and the others are read.
pub fn run(arguments: &ExtractArguments) -> Result<Outcome> {
    summarised("extract", &arguments.output, |summary| {
        let mut site = summary.open_site(&arguments.sources, &arguments.output, false)?;
        let result = extract_all(arguments, &mut site, summary);
        summary.figures = Figures {
            failures: summary.figures.failures,
            problems: summary.figures.problems + site.figures.problems,
            ..site.figures
        };
        result
    })
}

fn extract_all(arguments: &ExtractArguments, site: &mut SourceSite, summary: &mut Summary) -> Result<Outcome> {
    let reader = Reader::open(&arguments.wrapper)?;
    let names = expand(&arguments.pages)?;
    let mut writer = ResultWriter::open(&arguments.output)?;
    let (mut n_read, mut n_matched) = (0, 0);
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => {
                let line = extract_line(name, &page, &reader, summary);
                n_read += 1;
                n_matched += usize::from(line["matched"] == true);
                writer.write(format!("{line}\n").as_bytes())?;
            }
            Err(error) => {
                summary.figures.failures += 1;
                complain(&format!("{error:#}"));
                summary.partial_because.push(format!("{name}: {error:#}"));
            }
        }
    }
    if n_read == 0 {
        anyhow::bail!("none of the {} pages could be fetched", names.len());
    }
    writer.finish()?;
    summary.more.push(("matched", json!(n_matched)));
    Ok(match summary.partial_because.is_empty() {
        _ if 2 * n_matched < n_read => Outcome::Drift,
        false => Outcome::Partial,
        true => Outcome::Complete,
    })
}

fn extract_line(name: &str, page: &Page, reader: &Reader, summary: &mut Summary) -> Json {
    let reading = reader.read(page);
    summary.figures.problems += reading.problems.len();
    line_of(name, page, &reading)
}

/// What was read of a page, as a line.
pub(super) fn line_of(name: &str, page: &Page, reading: &PageReading) -> Json {
    json!({
        "page": name,
        "url": page.url.as_str(),
        "matched": reading.is_matched,
        "record": reading.record,
        "problems": reading.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}
