//! `PAGE` arguments: files, addresses, or `-` for a list of them on standard input. The list may be
//! what `gather`, `classify` or `extract` printed, so that one verb's pages are another's.

use std::fs::{self, File};
use std::io::{self, BufRead, Read};
use std::path::{Path, absolute};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use serde_json::Value as Json;
use untemplate::page::{Page, Problem, Request, Response, Site, Visit};
use untemplate_store::SourceSite;
use url::Url;

use crate::arguments::{OutputArguments, SourceArguments};
use crate::entry::{Around, may_be_address, web_address};
use crate::outcome::WrongUsage;

/// The arguments with each `-` replaced by the lines of standard input.
pub fn expand(arguments: &[String]) -> Result<Vec<String>> {
    let mut all = Vec::new();
    for argument in arguments {
        if argument != "-" {
            all.push(argument.clone());
            continue;
        }
        for line in io::stdin().lock().lines() {
            let number = all.len() + 1;
            let line = line.with_context(|| format!("cannot read page {number} of the list on standard input"))?;
            if !line.trim().is_empty() {
                all.push(listed_page(line.trim(), number)?);
            }
        }
    }
    if all.is_empty() {
        bail!("the list of pages on standard input is empty; give one page a line");
    }
    Ok(all)
}

/// The page that a line of a list names: the line itself, or the `url` of the JSON object on it.
fn listed_page(line: &str, number: usize) -> Result<String> {
    if !line.starts_with('{') {
        return Ok(line.to_owned());
    }
    let object: Json = serde_json::from_str(line)
        .with_context(|| format!("page {number} of the list on standard input is no JSON object"))?;
    match object["url"].as_str() {
        Some(url) => Ok(url.to_owned()),
        None => bail!(WrongUsage(format!(
            "page {number} of the list on standard input has no `url`; give a page a line, or what gather, classify or extract print"
        ))),
    }
}

/// Reads the page that an argument names, from the site or from disk.
pub fn read_page(argument: &str, site: &mut SourceSite, sources: &SourceArguments) -> Result<Arc<Page>> {
    if let Ok(url) = Url::parse(argument) {
        match url.scheme() {
            "http" | "https" => return visit(site, url),
            "file" => {
                let path = url
                    .to_file_path()
                    .map_err(|()| anyhow!("{argument} names no file of this machine"))?;
                return read_file(&path, site, sources);
            }
            scheme if !Path::new(argument).exists() && argument.contains("://") => {
                let message = format!(
                    "{argument}: pages cannot be fetched by {scheme}; give an http, https or file address, or a file"
                );
                bail!(WrongUsage(message));
            }
            _ => {}
        }
    }
    let is_address = argument.starts_with("http://") || argument.starts_with("https://");
    if let (true, Err(error)) = (is_address, Url::parse(argument)) {
        bail!(WrongUsage(format!("{argument} is no address: {error}")));
    }
    if !Path::new(argument).exists() && may_be_address(argument) {
        let quiet = OutputArguments {
            output: None,
            summary: None,
            quiet: true,
            notice: None,
        };
        return visit(site, web_address(argument, &Around::of(sources, &quiet))?);
    }
    read_file(Path::new(argument), site, sources)
}

fn visit(site: &mut SourceSite, url: Url) -> Result<Arc<Page>> {
    site.permit(&url);
    match site.visit(&[Request::get(url.clone())]).pop() {
        Some(Visit::Page(page)) => Ok(page),
        Some(
            Visit::Dead { reason }
            | Visit::Refused { reason }
            | Visit::NotFollowed { reason }
            | Visit::Failed { reason },
        ) => Err(anyhow!(reason)),
        Some(Visit::Stopped) | None => Err(match site.figures.stopped_because {
            Some(reason) => anyhow!("{url} was not had: {reason}"),
            None => anyhow!("{url} was not had: the visit was stopped"),
        }),
    }
}

/// Reads a file. Its address is what its `base` element says, else `--base`, else its own.
fn read_file(path: &Path, site: &mut SourceSite, sources: &SourceArguments) -> Result<Arc<Page>> {
    let unreadable = |error: io::Error| {
        anyhow!(
            "cannot read {}: {error}; give a file, or an address that begins with http://",
            path.display()
        )
    };
    let metadata = fs::metadata(path).map_err(unreadable)?;
    if metadata.is_dir() {
        bail!(
            "{} is a folder; name a page in it, or use --mirror URL={0}",
            path.display()
        );
    }
    if sources.render.render.is_some() {
        let message = format!(
            "--render shows pages of a site, and {} is a file; give its address and --mirror URL=DIR",
            path.display()
        );
        bail!(WrongUsage(message));
    }
    let (mut body, mut problems) = (Vec::new(), Vec::new());
    let most = sources.max_page_bytes;
    let file = File::open(path).map_err(unreadable)?;
    file.take(most as u64 + 1).read_to_end(&mut body).map_err(unreadable)?;
    if body.len() > most {
        problems.push(Problem::new(
            "too long",
            format!("only the first {most} bytes were read; raise --max-page-bytes"),
        ));
        body.truncate(most);
    }
    let own = match &sources.base {
        Some(base) => Url::parse(base).map_err(|error| {
            WrongUsage(format!(
                "--base {base} is no address ({error}); give one such as http://site.example/"
            ))
        })?,
        None => file_url(path)?,
    };
    let response = Response {
        problems,
        ..Response::html(own, body)
    };
    let mut page = Page::read(&response, &site.parse_options);
    if !response.is_html() {
        let message = "it does not begin as HTML pages do, and is read as one all the same";
        page.problems.push(Problem::new("no HTML", message));
    }
    page.url = page.base.clone();
    site.figures.bytes += response.body.len();
    site.figures.pages += 1;
    site.figures.problems += page.problems.len();
    Ok(Arc::new(page))
}

fn file_url(path: &Path) -> Result<Url> {
    let absolute = absolute(path).with_context(|| format!("cannot tell where {} is", path.display()))?;
    Url::from_file_path(&absolute).map_err(|()| anyhow!("{} has no address; give --base", path.display()))
}
