//! A survey: what a crawl would do, for the price of robots.txt, the sitemaps and the entry page.

use std::sync::Arc;

use tokio::runtime::Builder;
use untemplate::page::Request;
use untemplate_store::StopControl;
use untemplate_store::archive::host_name;
use url::Url;

use super::follow_policy::FollowPolicy;
use super::host_memory::HostMemory;
use super::options::CrawlOptions;
use super::reading::{PageReader, read_page};
use super::report::CrawlError;
use super::worked::Leads;
use super::worker::{Tools, Worker, redirect_of};
use crate::client::{Client, ContentKind, ExchangeOptions};
use crate::clock::now;
use crate::robots::Permission;
use crate::sitemap::{SitemapWalk, read_listed};
use crate::trap::TrapGuard;

/// Sitemaps that are read; what the others hold is taken to be as much.
const SITEMAPS_MAX: usize = 20;

/// What a crawl would do.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct Survey {
    /// What robots.txt says of the entry: `allowed`, or the rule that forbids it, or why nobody
    /// knows.
    pub verdict: String,
    /// What is known of robots.txt, as in a receipt.
    pub robots: &'static str,
    /// The pause that robots.txt asks for, as far as it would be honoured.
    pub crawl_delay_ms: Option<i64>,
    /// The pause between requests that would be made.
    pub delay_ms: i64,
    /// Sitemaps that are known.
    pub sitemaps: u64,
    /// How many of them were read.
    pub sitemaps_read: u64,
    /// Pages in scope that those list.
    pub sitemap_pages: u64,
    /// The status of the entry page; `None` when it was not asked for, or did not answer.
    pub entry_status: Option<u16>,
    /// Where the entry redirects to.
    pub entry_redirect: Option<Url>,
    /// Links in scope on the entry page that no sitemap has listed.
    pub entry_links: u64,
    /// Pages that the crawl would fetch at least, as far as sitemaps and the entry page tell.
    pub pages: u64,
    /// How long that would take.
    pub milliseconds: i64,
    /// Requests that this survey made.
    pub requests: u64,
    /// What went wrong on the way.
    pub problems: Vec<String>,
}

/// Asks for robots.txt, the sitemaps and the entry page, as politely as a crawl would, and keeps
/// nothing. When `control` says stop, it ends with what is known by then.
pub fn survey(options: CrawlOptions, control: &StopControl) -> Result<Survey, CrawlError> {
    let runtime = Builder::new_current_thread().enable_all().build()?;
    let client = {
        let _context = runtime.enter();
        Client::new(options.client.clone())?
    };
    let options = Arc::new(options);
    let tools = Tools {
        client,
        options: Arc::clone(&options),
        control: control.clone(),
        gate: None,
        ends_at: None,
        lease: None,
    };
    let memory = HostMemory::new(&host_name(&options.entry), now());
    let surveyor = Surveyor {
        worker: Worker::new(memory, tools),
        links: FollowPolicy::new(Arc::clone(&options), TrapGuard::new(options.trap)),
        options,
        survey: Survey::default(),
    };
    Ok(runtime.block_on(surveyor.run()))
}

struct Surveyor {
    worker: Worker,
    links: FollowPolicy,
    options: Arc<CrawlOptions>,
    survey: Survey,
}

impl Surveyor {
    async fn run(mut self) -> Survey {
        let entry = self.options.entry.clone();
        let mut is_allowed = true;
        self.survey.verdict = "allowed".to_owned();
        if self.options.obeys_robots {
            self.worker.have_robots(&entry).await;
            is_allowed = self.judge(&entry);
            self.read_sitemaps().await;
        }
        if is_allowed {
            self.read_entry(&entry).await;
        }
        self.conclude()
    }

    fn judge(&mut self, entry: &Url) -> bool {
        self.survey.verdict = match self.worker.permission(entry) {
            Some(Permission::Allowed) => return true,
            Some(Permission::Forbidden(rule)) => format!("forbidden: {rule}"),
            Some(Permission::Unknown { .. }) | None => {
                let why = self.worker.robots_error.as_ref().map(ToString::to_string);
                let why = why.unwrap_or_else(|| "its server answers with errors".to_owned());
                format!("not known, since robots.txt cannot be had: {why}")
            }
        };
        false
    }

    async fn read_sitemaps(&mut self) {
        let named = std::mem::take(&mut self.worker.sitemaps);
        let mut walk = SitemapWalk::new(self.wanted_sitemaps(named));
        while let Some(url) = walk.next() {
            self.survey.sitemaps += 1;
            let is_allowed = self.worker.permission(&url) == Some(Permission::Allowed);
            if self.survey.sitemaps_read as usize >= SITEMAPS_MAX || !is_allowed {
                continue;
            }
            if !self.worker.rest().await {
                break;
            }
            let answer = self
                .worker
                .exchange(&Request::get(url.clone()), &ExchangeOptions::default())
                .await;
            match answer {
                Ok(answer) if answer.status == 200 => {
                    self.survey.sitemaps_read += 1;
                    let listed = read_listed(&answer.url, &answer.body);
                    walk.extend(self.wanted_sitemaps(listed.sitemaps));
                    self.survey.sitemap_pages += self.count_wanted(listed.pages);
                }
                // A site without one has none.
                Ok(_) => self.survey.sitemaps -= 1,
                Err(error) => self.survey.problems.push(error.to_string()),
            }
        }
    }

    fn wanted_sitemaps(&mut self, sitemaps: Vec<Url>) -> Vec<Url> {
        let leads = Leads {
            sitemaps,
            ..Leads::default()
        };
        self.links.wanted(leads, &self.options.entry)
    }

    fn count_wanted(&mut self, pages: Vec<Url>) -> u64 {
        let leads = Leads {
            pages,
            ..Leads::default()
        };
        self.links.wanted(leads, &self.options.entry).len() as u64
    }

    async fn read_entry(&mut self, entry: &Url) {
        if !self.worker.rest().await {
            return;
        }
        let answer = self
            .worker
            .exchange(&Request::get(entry.clone()), &ExchangeOptions::default())
            .await;
        let answer = match answer {
            Ok(answer) => answer,
            Err(error) => return self.survey.problems.push(error.to_string()),
        };
        self.survey.entry_status = Some(answer.status);
        self.survey.entry_redirect = redirect_of(&answer);
        if answer.status != 200 || answer.kind() != ContentKind::Html {
            return;
        }
        let reading = PageReader {
            shown: self.worker.shown(&answer).await.ok().flatten(),
            url: entry.clone(),
            found_on: None,
            probe: None,
            options: Arc::clone(&self.options),
        };
        if let Ok(read) = read_page(reading, answer).await {
            self.survey.entry_links = self.count_wanted(read.links);
        }
    }

    fn conclude(mut self) -> Survey {
        let memory = &self.worker.memory;
        let survey = &mut self.survey;
        let n_read = survey.sitemaps_read.max(1);
        let n_listed = survey.sitemap_pages * survey.sitemaps.max(1) / n_read;
        // The entry itself may be in no sitemap, and no page may link to it.
        survey.pages = (n_listed + survey.entry_links).max(u64::from(survey.verdict == "allowed"));
        survey.robots = memory.robots_state();
        survey.crawl_delay_ms = memory.schedule.crawl_delay_ms;
        survey.delay_ms = memory.schedule.pace_ms(&self.options.schedule);
        let each_ms = survey.delay_ms + memory.schedule.latency_ms.unwrap_or(0);
        survey.milliseconds = i64::try_from(survey.pages).unwrap_or(i64::MAX).saturating_mul(each_ms);
        survey.requests = memory.receipt.requests;
        self.survey
    }
}
