//! Old pages: what a site was like when a wrapper or specification was learnt. They come from
//! files, or from a source of their own, which never touches the network.

use std::sync::Arc;

use anyhow::{Context, Result, anyhow};
use untemplate::page::{Page, ParseOptions, Request, Site, Visit};
use untemplate_crawl::now;
use untemplate_store::{KeptSource, Mirror, PageSource, SourceSite, WarcArchive, WarcOptions};
use url::Url;

use crate::arguments::{OldArguments, SourceArguments};
use crate::outcome::WrongUsage;
use crate::output::complain;
use crate::page_arguments::read_page;

impl OldArguments {
    /// Whether no old page can be had.
    pub fn is_empty(&self) -> bool {
        self.old.is_empty() && self.old_mirror.is_empty() && self.old_warc.is_empty() && self.old_archive.is_none()
    }

    /// The old pages: those that are named, and those of the same addresses as new ones.
    pub fn read(
        &self,
        addresses: &[Url],
        sources: &SourceArguments,
        parse_options: ParseOptions,
    ) -> Result<Vec<(String, Arc<Page>)>> {
        let mut site = SourceSite::new(self.sources(sources)?, parse_options);
        let mut pages = Vec::new();
        for name in &self.old {
            match read_page(name, &mut site, sources) {
                Ok(page) => pages.push((name.clone(), page)),
                Err(error) => complain(&format!("{error:#}")),
            }
        }
        let web = addresses
            .iter()
            .filter(|address| matches!(address.scheme(), "http" | "https"));
        let web: Vec<&Url> = web.collect();
        web.iter().for_each(|address| site.permit(address));
        let requests: Vec<Request> = web.iter().map(|address| Request::get((*address).clone())).collect();
        let visits = site.visit(&requests);
        for (address, visit) in web.into_iter().zip(visits) {
            // A page that was not there yet says nothing about how others were read.
            if let Visit::Page(page) = visit {
                pages.push((address.to_string(), page));
            }
        }
        Ok(pages)
    }

    fn sources(&self, sources: &SourceArguments) -> Result<Vec<Box<dyn PageSource>>> {
        let mut all: Vec<Box<dyn PageSource>> = Vec::new();
        for argument in &self.old_mirror {
            let mirror = Mirror::from_argument(argument, sources.max_page_bytes as u64)
                .map_err(|error| anyhow!(WrongUsage(format!("--old-mirror: {error}"))))?;
            all.push(Box::new(mirror));
        }
        if !self.old_warc.is_empty() {
            let options = WarcOptions {
                body_bytes_max: sources.max_page_bytes,
                ..WarcOptions::default()
            };
            all.push(Box::new(
                WarcArchive::open(&self.old_warc, &options).context("cannot use --old-warc")?,
            ));
        }
        if let Some(folder) = &self.old_archive {
            if !folder.is_dir() {
                return Err(anyhow!("--old-archive {}: there is no such folder", folder.display()));
            }
            let place = folder.clone().into();
            let kept = KeptSource::open(&place, Vec::new(), now).context("cannot use --old-archive")?;
            all.push(Box::new(kept));
        }
        Ok(all)
    }
}
