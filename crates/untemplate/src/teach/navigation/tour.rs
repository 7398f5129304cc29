//! The tour: navigation is tried in the order it can be, from the entries on.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use url::Url;

use super::super::sample::SamplePage;
use super::super::specification::RequestClass;
use super::same_class::same_class;
use super::shown::{LearnOptions, LearntNavigation, Means, Navigation, NavigationError, Origin, ShownSite, Teacher};
use crate::page::{Method, Page, Request, Site, SiteScope, Visit, same_site};

/// Learns the navigation of a site. `teacher` is asked what stays in doubt, and told what is odd.
pub(in crate::teach) fn learn_navigation(
    shown: &ShownSite,
    options: &LearnOptions,
    site: &mut dyn Site,
    teacher: &mut dyn Teacher,
) -> Result<LearntNavigation, NavigationError> {
    let mut tour = Tour {
        shown,
        options,
        site,
        teacher,
        learnt: LearntNavigation::default(),
        picked: BTreeMap::new(),
        visits: HashMap::new(),
        ids: ids(shown),
    };
    tour.enter()?;
    let mut learnt: Vec<(usize, RequestClass)> = Vec::new();
    let mut open: Vec<usize> = (0..shown.navigation.len()).collect();
    while let Some(&first) = open.first() {
        // Next pages come first: they add pages to what the others depart from.
        let ready = |is_loop: bool| {
            open.iter().copied().find(|&index| {
                tour.origin_class(index)
                    .is_some_and(|from| (from == shown.navigation[index].to) == is_loop)
            })
        };
        let Some(index) = ready(true).or_else(|| ready(false)) else {
            return Err(tour.unreached(first));
        };
        open.retain(|&its| its != index);
        learnt.push((index, tour.learn(index)?));
    }
    learnt.sort_by_key(|(index, _)| *index);
    let mut result = tour.learnt;
    result.request_classes = learnt.into_iter().map(|(_, class)| class).collect();
    Ok(result)
}

/// What each request class is called: as it was named, or after the class that it leads to.
fn ids(shown: &ShownSite) -> Vec<String> {
    let names = shown.navigation.iter().flat_map(|its| [&its.id, &its.to]);
    let mut taken: Vec<String> = names.map(|name| name.to_lowercase()).collect();
    taken.push(shown.entry_class.to_lowercase());
    let mut ids = Vec::new();
    for navigation in &shown.navigation {
        let id = match navigation.id.as_str() {
            "" => made_up_id(navigation, &taken),
            id => id.to_owned(),
        };
        taken.push(id.to_lowercase());
        ids.push(id);
    }
    ids
}

/// A name after the class that a navigation leads to, which nothing has yet.
fn made_up_id(navigation: &Navigation, taken: &[String]) -> String {
    let kind = if navigation.is_loop() { "NEXT" } else { "TO" };
    let base = format!("{kind}-{}", navigation.to);
    let numbered = (2..).map(|number| format!("{base}-{number}"));
    let mut names = std::iter::once(base.clone()).chain(numbered);
    let free = names.find(|id| !taken.contains(&id.to_lowercase()));
    free.expect("numbers do not end")
}

/// A tour under way.
pub(super) struct Tour<'a> {
    pub(super) shown: &'a ShownSite,
    pub(super) options: &'a LearnOptions,
    pub(super) site: &'a mut dyn Site,
    pub(super) teacher: &'a mut dyn Teacher,
    pub(super) learnt: LearntNavigation,
    /// What navigation picks, and the class that it should be of.
    pub(super) picked: BTreeMap<Url, String>,
    pub(super) visits: HashMap<Request, Visit>,
    pub(super) ids: Vec<String>,
}

impl Tour<'_> {
    /// Visits the entries, and takes in what is known.
    pub(super) fn enter(&mut self) -> Result<(), NavigationError> {
        let shown = self.shown;
        for url in &shown.entries {
            let page = match self.visit(&[Request::get(url.clone())])?.remove(0) {
                Ok(page) => page,
                Err(reason) => {
                    let url = url.to_string();
                    return Err(NavigationError::Entry { url, reason });
                }
            };
            self.add(&shown.entry_class, SamplePage::new(url.as_str(), page));
        }
        let entry = self.learnt.class_mut(&shown.entry_class);
        entry.addresses = shown.entries.clone();
        for (class, page) in &shown.known {
            self.add(class, page.clone());
        }
        Ok(())
    }

    pub(super) fn add(&mut self, class: &str, page: SamplePage) {
        self.learnt.add(class, page);
    }

    /// The pages that requests lead to, or why there is none.
    pub(super) fn visit(&mut self, requests: &[Request]) -> Result<Vec<Result<Arc<Page>, String>>, NavigationError> {
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
            Some(Visit::Stopped) | None => Err(NavigationError::Stopped),
        };
        requests.iter().map(page).collect()
    }

    /// The class that a navigation departs from, once it has a page.
    pub(super) fn origin_class(&self, index: usize) -> Option<String> {
        match &self.shown.navigation[index].origin {
            Origin::Class(id) | Origin::SamplePage { class: id, .. } => self
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

    pub(super) fn unreached(&self, index: usize) -> NavigationError {
        let what = match &self.shown.navigation[index].origin {
            Origin::Class(id) | Origin::SamplePage { class: id, .. } => format!(
                "no page of the class {id} is known; show navigation that leads there, or one of its pages under `classes`"
            ),
            Origin::Page(url) => {
                format!(
                    "nothing says which class {url} is of; show navigation that leads there, or name it under `classes`"
                )
            }
        };
        wrong(index, "from", what)
    }

    /// Learns one navigation: its request class, and pages that it leads to.
    pub(super) fn learn(&mut self, index: usize) -> Result<RequestClass, NavigationError> {
        let from = self.origin_class(index).expect("it was asked for before");
        let pages = self.pages_from(index, &from)?;
        match &self.shown.navigation[index].means {
            Means::Links { shown, .. } => self.learn_links(index, &from, pages, shown),
            Means::Form { path, fields } => self.learn_form(index, &from, &pages, (path.as_deref(), fields)),
        }
    }

    /// The pages that a navigation can be read on, the one that was named first.
    pub(super) fn pages_from(&mut self, index: usize, from: &str) -> Result<Vec<SamplePage>, NavigationError> {
        let mut pages = Vec::new();
        if let Origin::Page(url) = &self.shown.navigation[index].origin {
            let page = self.visit(&[Request::get(url.clone())])?.remove(0);
            let page = page.map_err(|reason| wrong(index, "from", format!("{url} could not be fetched: {reason}")))?;
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
        self.teacher.tell(&what);
        self.learnt.lost.push(what);
    }

    pub(super) fn is_inside(&self, url: &Url) -> bool {
        let entries = &self.shown.entries;
        entries.is_empty() || entries.iter().any(|entry| same_site(entry, url, SiteScope::Domain))
    }

    /// Adds the pages that requests lead to to the sample of a class, if they are like its models.
    pub(super) fn add_alike(
        &mut self,
        to: &str,
        requests: &[Request],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), NavigationError> {
        let visited = self.visit(requests)?;
        let mut found: Vec<(String, Arc<Page>)> = Vec::new();
        for (request, page) in requests.iter().zip(visited) {
            match page {
                Ok(page) => found.push((page_name(request, &page), page)),
                Err(reason) => self.teacher.tell(&format!("{}: {reason}", request.url)),
            }
        }
        let pages: Vec<&Page> = found.iter().map(|(_, page)| &**page).collect();
        let models: Vec<&Page> = models.iter().map(|page| &**page).collect();
        let is_same = same_class(&models, frames, &pages);
        for ((name, page), is_same) in found.into_iter().zip(is_same) {
            if is_same {
                self.add(to, SamplePage::new(name, page));
            } else {
                let told = format!("{name} is unlike the pages of {to} that were shown");
                self.teacher.tell(&told);
            }
        }
        Ok(())
    }
}

/// An error that names a navigation and what is wrong with it.
pub(super) fn wrong(index: usize, key: &'static str, what: String) -> NavigationError {
    NavigationError::Navigation { index, key, what }
}

/// What a page is called: its address, with what was sent to get it.
fn page_name(request: &Request, page: &Page) -> String {
    match request.method {
        Method::Get => page.url.to_string(),
        Method::Post => format!("{} {}", page.url, String::from_utf8_lossy(&request.body)),
    }
}
