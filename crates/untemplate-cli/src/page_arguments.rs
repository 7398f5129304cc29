//! `PAGE` arguments: files, addresses, or `-` for a list of them on standard input.

use std::fs;
use std::io::{self, BufRead};
use std::path::{Path, absolute};
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use untemplate::page::{Page, ParseOptions, Problem, Request, Response, Site, Visit};
use untemplate_store::SourceSite;
use url::Url;

use crate::arguments::SourceArguments;
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
            let line = line.context("cannot read the list of pages on standard input")?;
            if !line.trim().is_empty() {
                all.push(line.trim().to_owned());
            }
        }
    }
    if all.is_empty() {
        bail!("the list of pages on standard input is empty; give one page a line");
    }
    Ok(all)
}

/// Reads the page that an argument names, from the site or from disk.
pub fn read_page(
    argument: &str,
    site: &mut SourceSite,
    sources: &SourceArguments,
    options: &ParseOptions,
) -> Result<Arc<Page>> {
    if let Ok(url) = Url::parse(argument) {
        match url.scheme() {
            "http" | "https" => return visit(site, url),
            "file" => {
                let path = url
                    .to_file_path()
                    .map_err(|()| anyhow!("{argument} names no file of this machine"))?;
                return read_file(&path, site, sources, options);
            }
            scheme if !Path::new(argument).exists() && argument.contains("://") => {
                let message = format!(
                    "{argument}: pages cannot be had by {scheme}; give an http, https or file address, or a file"
                );
                bail!(WrongUsage(message));
            }
            _ => {}
        }
    }
    read_file(Path::new(argument), site, sources, options)
}

fn visit(site: &mut SourceSite, url: Url) -> Result<Arc<Page>> {
    match site.visit(&[Request::get(url)]).pop() {
        Some(Visit::Page(page)) => Ok(page),
        Some(Visit::Dead { reason } | Visit::Refused { reason } | Visit::Failed { reason }) => Err(anyhow!(reason)),
        Some(Visit::Stopped) | None => Err(anyhow!("the visit was stopped")),
    }
}

/// Reads a file. Its address is what its `base` element says, else `--base`, else its own.
fn read_file(
    path: &Path,
    site: &mut SourceSite,
    sources: &SourceArguments,
    options: &ParseOptions,
) -> Result<Arc<Page>> {
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
    let mut body = fs::read(path).map_err(unreadable)?;
    let mut problems = Vec::new();
    if body.len() > sources.max_page_bytes {
        let message = format!(
            "{} of {} bytes were read; raise --max-page-bytes",
            sources.max_page_bytes,
            body.len()
        );
        problems.push(Problem::new("too long", message));
        body.truncate(sources.max_page_bytes);
    }
    let own = match &sources.base {
        Some(base) => Url::parse(base).map_err(|error| {
            WrongUsage(format!(
                "--base {base} is no address ({error}); give one such as http://site.example/"
            ))
        })?,
        None => file_url(path)?,
    };
    let mut page = Page::read(
        &Response {
            problems,
            ..Response::html(own, body)
        },
        options,
    );
    page.url = page.base.clone();
    site.figures.pages += 1;
    site.figures.problems += page.problems.len();
    Ok(Arc::new(page))
}

fn file_url(path: &Path) -> Result<Url> {
    let absolute = absolute(path).with_context(|| format!("cannot tell where {} is", path.display()))?;
    Url::from_file_path(&absolute).map_err(|()| anyhow!("{} has no address; give --base", path.display()))
}
