//! The tour: ways are tried in the order they can be, from the entries on.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use url::Url;

use super::super::sample::SamplePage;
use super::super::specification::RequestClass;
use super::kinship::kin;
use super::path::paths_to;
use super::shown::{Guide, LearntClass, LearntWays, Origin, ShownMeans, ShownSite, WayError, WayOptions};
use crate::page::{Method, Page, Request, Site, SiteScope, Visit, same_site};

/// Learns the ways through a site. `guide` is asked what stays in doubt, and told what is odd.
pub fn learn_ways(
    shown: &ShownSite,
    options: &WayOptions,
    site: &mut dyn Site,
    guide: &mut dyn Guide,
) -> Result<LearntWays, WayError> {
    let mut tour = Tour {
        shown,
        options,
        site,
        guide,
        learnt: LearntWays::default(),
        picked: BTreeMap::new(),
        visits: HashMap::new(),
        ids: ids(shown),
    };
    tour.enter()?;
    let mut learnt: Vec<(usize, RequestClass)> = Vec::new();
    let mut open: Vec<usize> = (0..shown.ways.len()).collect();
    while let Some(&first) = open.first() {
        // Next pages come first: they add pages to what the other ways depart from.
        let ready = |is_loop: bool| {
            let mut ways = open.iter().copied();
            ways.find(|&way| {
                tour.origin_class(way)
                    .is_some_and(|from| (from == shown.ways[way].to) == is_loop)
            })
        };
        let Some(way) = ready(true).or_else(|| ready(false)) else {
            return Err(tour.unreached(first));
        };
        open.retain(|&its| its != way);
        learnt.push((way, tour.learn(way)?));
    }
    learnt.sort_by_key(|(way, _)| *way);
    let mut result = tour.learnt;
    result.request_classes = learnt.into_iter().map(|(_, class)| class).collect();
    result.paths = paths_to(&[&shown.entry_class], &shown.target, &result.request_classes);
    Ok(result)
}

/// What the request class of each way is called: as it was named, or after the class that it leads to.
fn ids(shown: &ShownSite) -> Vec<String> {
    let mut taken: Vec<String> = shown
        .ways
        .iter()
        .filter_map(|way| way.id.as_ref())
        .map(|id| id.to_lowercase())
        .collect();
    taken.extend(shown.ways.iter().map(|way| way.to.to_lowercase()));
    taken.push(shown.entry_class.to_lowercase());
    let mut ids = Vec::new();
    for way in &shown.ways {
        let made_up = || {
            let is_loop = matches!(&way.origin, Origin::Class(from) if *from == way.to);
            let base = if is_loop {
                format!("NEXT-{}", way.to)
            } else {
                format!("TO-{}", way.to)
            };
            let mut numbered = (2..).map(|number| format!("{base}-{number}"));
            let is_free = |id: &String| !taken.contains(&id.to_lowercase());
            Some(base.clone()).filter(is_free).or_else(|| numbered.find(is_free))
        };
        let id = way.id.clone().or_else(made_up).unwrap_or_default();
        taken.push(id.to_lowercase());
        ids.push(id);
    }
    ids
}

/// A tour under way.
pub(super) struct Tour<'a> {
    pub(super) shown: &'a ShownSite,
    pub(super) options: &'a WayOptions,
    pub(super) site: &'a mut dyn Site,
    pub(super) guide: &'a mut dyn Guide,
    pub(super) learnt: LearntWays,
    /// What ways pick, and the class that it should be of.
    pub(super) picked: BTreeMap<Url, String>,
    pub(super) visits: HashMap<Request, Visit>,
    pub(super) ids: Vec<String>,
}

impl Tour<'_> {
    /// Visits the entries, and takes in what is known.
    pub(super) fn enter(&mut self) -> Result<(), WayError> {
        let shown = self.shown;
        for url in &shown.entries {
            let page = match self.visit(&[Request::get(url.clone())])?.remove(0) {
                Ok(page) => page,
                Err(reason) => {
                    let url = url.to_string();
                    return Err(WayError::Entry { url, reason });
                }
            };
            self.add(&shown.entry_class, SamplePage::new(url.as_str(), page));
        }
        let entry = self.class_mut(&shown.entry_class);
        entry.addresses = shown.entries.clone();
        for (class, page) in &shown.known {
            self.add(class, page.clone());
        }
        Ok(())
    }

    pub(super) fn class_mut(&mut self, id: &str) -> &mut LearntClass {
        let classes = &mut self.learnt.classes;
        let index = classes.iter().position(|class| class.id == id).unwrap_or_else(|| {
            classes.push(LearntClass {
                id: id.to_owned(),
                ..LearntClass::default()
            });
            classes.len() - 1
        });
        &mut classes[index]
    }

    /// Adds a page to the sample of a class, unless it is there.
    pub(super) fn add(&mut self, class: &str, page: SamplePage) {
        let sample = &mut self.class_mut(class).sample;
        if !sample.iter().any(|its| its.name == page.name) {
            sample.push(page);
        }
    }

    /// The pages that requests lead to, or why there is none.
    pub(super) fn visit(&mut self, requests: &[Request]) -> Result<Vec<Result<Arc<Page>, String>>, WayError> {
        let unknown: Vec<Request> = requests
            .iter()
            .filter(|its| !self.visits.contains_key(its))
            .cloned()
            .collect();
        let visits = self.site.visit(&unknown);
        self.visits.extend(unknown.into_iter().zip(visits));
        let page = |request: &Request| match self.visits.get(request) {
            Some(Visit::Page(page)) => Ok(Ok(page.clone())),
            Some(
                Visit::Dead { reason }
                | Visit::Refused { reason }
                | Visit::NotFollowed { reason }
                | Visit::Failed { reason },
            ) => Ok(Err(reason.clone())),
            Some(Visit::Stopped) | None => Err(WayError::Stopped),
        };
        requests.iter().map(page).collect()
    }

    /// The class that a way departs from, once it has a page.
    pub(super) fn origin_class(&self, way: usize) -> Option<String> {
        match &self.shown.ways[way].origin {
            Origin::Class(id) => self
                .learnt
                .class(id)
                .filter(|class| !class.sample.is_empty())
                .map(|class| class.id.clone()),
            Origin::Page(url) => {
                let has = |page: &SamplePage| page.page.url == *url || page.name == url.as_str();
                let sampled = self.learnt.classes.iter().find(|class| class.sample.iter().any(has));
                sampled
                    .map(|class| class.id.clone())
                    .or_else(|| self.picked.get(url).cloned())
            }
        }
    }

    pub(super) fn unreached(&self, way: usize) -> WayError {
        let what = match &self.shown.ways[way].origin {
            Origin::Class(id) => format!(
                "no page of the class {id} is known; show a way that leads there, or one of its pages under `classes`"
            ),
            Origin::Page(url) => {
                format!("nothing says which class {url} is of; show a way that leads there, or name it under `classes`")
            }
        };
        wrong(way, "from", what)
    }

    /// Learns one way: its request class, and pages that it leads to.
    pub(super) fn learn(&mut self, way: usize) -> Result<RequestClass, WayError> {
        let from = self.origin_class(way).expect("it was asked for before");
        let pages = self.pages_from(way, &from)?;
        let shown = &self.shown.ways[way];
        match &shown.means {
            ShownMeans::Links(values) => self.learn_links(way, &from, pages, values),
            ShownMeans::Form(_) => self.learn_form(way, &from, &pages),
        }
    }

    /// The pages that a way can be read on, the one that was named first.
    pub(super) fn pages_from(&mut self, way: usize, from: &str) -> Result<Vec<SamplePage>, WayError> {
        let mut pages = Vec::new();
        if let Origin::Page(url) = &self.shown.ways[way].origin {
            let page = self.visit(&[Request::get(url.clone())])?.remove(0);
            let page = page.map_err(|reason| wrong(way, "from", format!("{url} could not be had: {reason}")))?;
            let page = SamplePage::new(url.as_str(), page);
            self.add(from, page.clone());
            pages.push(page);
        }
        let sample = self.learnt.class(from).map_or(&[][..], |class| &class.sample);
        for page in sample {
            if pages
                .iter()
                .all(|its: &SamplePage| its.page.url != page.page.url || its.name != page.name)
            {
                pages.push(page.clone());
            }
        }
        Ok(pages)
    }

    pub(super) fn lose(&mut self, what: String) {
        self.guide.tell(&what);
        self.learnt.lost.push(what);
    }

    pub(super) fn is_inside(&self, url: &Url) -> bool {
        let entries = &self.shown.entries;
        entries.is_empty() || entries.iter().any(|entry| same_site(entry, url, SiteScope::Domain))
    }

    /// Adds the pages that requests lead to: to the sample of a class those like its models, the others to its strangers.
    pub(super) fn add_kin(
        &mut self,
        to: &str,
        requests: &[Request],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), WayError> {
        let visited = self.visit(requests)?;
        let mut found: Vec<(String, Arc<Page>)> = Vec::new();
        for (request, page) in requests.iter().zip(visited) {
            match page {
                Ok(page) => found.push((page_name(request, &page), page)),
                Err(reason) => self.guide.tell(&format!("{}: {reason}", request.url)),
            }
        }
        let pages: Vec<&Page> = found.iter().map(|(_, page)| &**page).collect();
        let models: Vec<&Page> = models.iter().map(|page| &**page).collect();
        let is_kin = kin(&models, frames, &pages);
        for ((name, page), is_kin) in found.into_iter().zip(is_kin) {
            let page = SamplePage::new(name, page);
            if is_kin {
                self.add(to, page);
                continue;
            }
            self.guide
                .tell(&format!("{} is unlike the pages of {to} that were shown", page.name));
            let strangers = &mut self.class_mut(to).strangers;
            if !strangers.iter().any(|its| its.name == page.name) {
                strangers.push(page);
            }
        }
        Ok(())
    }
}

/// An error that names a way and what is wrong with it.
pub(super) fn wrong(way: usize, key: &'static str, what: String) -> WayError {
    WayError::Way { way, key, what }
}

/// What a page is called: its address, with what was sent to get it.
fn page_name(request: &Request, page: &Page) -> String {
    match request.method {
        Method::Get => page.url.to_string(),
        Method::Post => format!("{} {}", page.url, String::from_utf8_lossy(&request.body)),
    }
}
