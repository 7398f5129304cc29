//! Which pages a run asks for, from the command line: bounds, depth, and where it starts.

use std::fs;
use std::path::Path;
use std::sync::Arc;

use anyhow::{Context, Result, anyhow, bail};
use regex::Regex;
use untemplate::page::{Bounds, SiteScope, normalise, same_site};
use untemplate::site::{ExploreOptions, GatherOptions};
use untemplate_store::{LinkDepths, SourceSite};
use url::Url;

use crate::arguments::{ReachArguments, SourceArguments};
use crate::outcome::WrongUsage;

/// Which pages a run asks for.
pub struct Reach {
    /// What is left out, if anything is.
    pub bounds: Option<Arc<Bounds>>,
    /// The most links in a row.
    pub depth: Option<u32>,
    /// Where it starts beside its entry.
    pub starts: Vec<Url>,
}

impl Reach {
    /// What the arguments say of a run that begins at an entry, and at what else that stands for.
    pub fn new(arguments: &ReachArguments, entry: &Url, starts: &[Url]) -> Result<Self> {
        let mut starts: Vec<Url> = starts.iter().filter(|start| *start != entry).cloned().collect();
        if let Some(file) = &arguments.start {
            starts.extend(addresses_in(file)?);
        }
        let folder = |text: &String| {
            let folder = folder(entry, text)?;
            let is_of = |start: &Url| same_site(start, &folder, SiteScope::Domain);
            if !std::iter::once(entry).chain(&starts).any(is_of) {
                bail!(WrongUsage(format!(
                    "--below {text} is no folder of the site of {entry}, so that no page could be asked for; give one of that site, such as /docs/"
                )));
            }
            Ok(folder)
        };
        let bounds = Bounds {
            include: patterns("--include", &arguments.include)?,
            exclude: patterns("--exclude", &arguments.exclude)?,
            below: arguments.below.iter().map(folder).collect::<Result<_>>()?,
            always: std::iter::once(entry)
                .chain(&starts)
                .flat_map(|url| [url.clone(), normalise(url.clone())])
                .collect(),
        };
        let is_bounded = !bounds.include.is_empty() || !bounds.exclude.is_empty() || !bounds.below.is_empty();
        Ok(Self {
            bounds: is_bounded.then(|| Arc::new(bounds)),
            depth: arguments.depth,
            starts,
        })
    }

    /// Lets a site be asked for these pages alone.
    pub fn apply(&self, site: &mut SourceSite, entry: &Url) {
        site.bounds = self.bounds.clone();
        site.depths = self.depth.map(LinkDepths::new);
        let starts = std::iter::once(entry).chain(&self.starts);
        starts.for_each(|url| site.permit(url));
    }

    /// Whether an address is wanted.
    pub fn wants(&self, url: &Url) -> bool {
        self.bounds.as_ref().is_none_or(|bounds| bounds.contains(url))
    }
}

fn patterns(option: &str, texts: &[String]) -> Result<Vec<Regex>> {
    let pattern =
        |text: &String| Regex::new(text).map_err(|error| anyhow!(WrongUsage(format!("{option} {text}: {error}"))));
    texts.iter().map(pattern).collect()
}

/// The folder to stay below; what does not end in a slash is a folder all the same.
fn folder(entry: &Url, text: &str) -> Result<Url> {
    let wrong = |error: url::ParseError| {
        WrongUsage(format!(
            "--below {text} is no folder of a site ({error}); give one such as /docs/"
        ))
    };
    let mut folder = entry.join(text).map_err(wrong)?;
    if !folder.path().ends_with('/') {
        folder.set_path(&format!("{}/", folder.path()));
    }
    folder.set_query(None);
    folder.set_fragment(None);
    Ok(normalise(folder))
}

/// The addresses that a file lists.
pub fn addresses_in(file: &Path) -> Result<Vec<Url>> {
    let text = fs::read_to_string(file).with_context(|| format!("cannot read the starts in {}", file.display()))?;
    let mut starts = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let line = line.trim();
        if line.is_empty() || line.starts_with('#') {
            continue;
        }
        match Url::parse(line) {
            Ok(url) if matches!(url.scheme(), "http" | "https") => starts.push(normalise(url)),
            _ => bail!(WrongUsage(format!(
                "{}, line {}: {line} is no address; write one a line, such as http://site.example/",
                file.display(),
                index + 1
            ))),
        }
    }
    if starts.is_empty() {
        bail!(WrongUsage(format!(
            "{} lists no addresses; write one a line, such as http://site.example/",
            file.display()
        )));
    }
    Ok(starts)
}

/// How pages like a sample are searched for.
pub fn search_options(entries: &[String], is_host_only: bool, sources: &SourceArguments) -> Result<GatherOptions> {
    let entry = |text: &String| {
        Url::parse(text).map_err(|error| {
            anyhow!(WrongUsage(format!(
                "--entry {text} is no address ({error}); give one such as http://site.example/"
            )))
        })
    };
    let pages_max = sources.limits.max_pages.map(|pages| pages as usize);
    Ok(GatherOptions {
        explore: ExploreOptions {
            scope: match is_host_only {
                true => SiteScope::Host,
                false => SiteScope::Domain,
            },
            // The sample is one of them, and was had before.
            downloads_max: pages_max.map_or(usize::MAX, |pages| pages.saturating_sub(1)),
            ..ExploreOptions::default()
        },
        entries: entries.iter().map(entry).collect::<Result<_>>()?,
        ..GatherOptions::default()
    })
}
