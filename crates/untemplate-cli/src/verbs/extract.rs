//! `untemplate extract`: pages to records, by a wrapper.

use std::path::Path;

use anyhow::{Context, Result};
use serde_json::{Map, Value as Json, json};
use untemplate::page::Page;
use untemplate::wrapper::{Extractor, Record, Value, Wrapper};
use untemplate_store::{Figures, SourceSite, read_wrapper};

use crate::arguments::ExtractArguments;
use crate::outcome::Outcome;
use crate::output::{ResultWriter, complain};
use crate::page_arguments::{expand, read_page};
use crate::sources::open_site;
use crate::summary::{Summary, summarised};

/// Extracts each page in turn. A page that cannot be had is said, and the others are read.
pub fn run(arguments: &ExtractArguments) -> Result<Outcome> {
    summarised("extract", &arguments.output, |summary| {
        let mut site = open_site(&arguments.sources, &arguments.output, false)?;
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
    let extractor = Extractor::new(open_wrapper(&arguments.wrapper)?);
    let names = expand(&arguments.pages)?;
    let mut writer = ResultWriter::open(&arguments.output)?;
    let (mut n_read, mut n_matched) = (0, 0);
    for name in &names {
        match read_page(name, site, &arguments.sources) {
            Ok(page) => {
                let line = extract_line(name, &page, &extractor, summary);
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
        anyhow::bail!("none of the {} pages could be had", names.len());
    }
    writer.finish()?;
    summary.more.push(("matched", json!(n_matched)));
    Ok(match summary.partial_because.is_empty() {
        _ if 2 * n_matched < n_read => Outcome::Drift,
        false => Outcome::Partial,
        true => Outcome::Complete,
    })
}

/// Reads a wrapper file.
pub fn open_wrapper(file: &Path) -> Result<Wrapper> {
    let hint = || {
        format!(
            "cannot read the wrapper {}; `untemplate infer` writes one",
            file.display()
        )
    };
    let text = std::fs::read_to_string(file).with_context(hint)?;
    read_wrapper(&text).with_context(|| format!("cannot use the wrapper {}", file.display()))
}

fn extract_line(name: &str, page: &Page, extractor: &Extractor, summary: &mut Summary) -> Json {
    let extraction = extractor.extract(page);
    summary.figures.problems += extraction.problems.len();
    json!({
        "page": name,
        "url": page.url.as_str(),
        "matched": extraction.is_matched,
        "record": record_to_json(extraction.record),
        "problems": extraction.problems.iter().map(ToString::to_string).collect::<Vec<_>>(),
    })
}

fn record_to_json(record: Record) -> Json {
    let values = record.values.into_iter().map(|(key, value)| {
        let value = match value {
            Value::Text(text) => Json::String(text),
            Value::List(rounds) => rounds.into_iter().map(record_to_json).collect(),
        };
        (key.to_string(), value)
    });
    Json::Object(values.collect::<Map<_, _>>())
}
