//! The tour: ways are tried in the order they can be, from the entries on.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use url::Url;

use super::super::form::{FormPlan, may_change};
use super::super::sample::SamplePage;
use super::super::specification::{FormRule, RequestClass, RequestMeans, method_text};
use super::form_choice::{fields_of, form_with, path_to, submissions};
use super::kinship::kin;
use super::link_choice::{Reading, Readings};
use super::path::paths_to;
use super::shown::{Guide, LearntClass, LearntWays, LinkQuestion, Origin, ShownMeans, ShownWay, WayError, WayOptions};
use super::stratum::stratified;
use crate::page::{Method, Page, Request, Site, SiteScope, Visit, links, same_site};
use crate::site::url_template;

/// Pages of a class that a way is read on.
const FROM_MAX: usize = 8;

/// What is shown of a site: where it begins, its ways, where they are to lead, and pages whose class is known.
#[derive(Debug, Clone, Default)]
pub struct ShownSite {
    /// The addresses where paths begin.
    pub entries: Vec<Url>,
    /// The class of those pages.
    pub entry_class: String,
    /// The ways.
    pub ways: Vec<ShownWay>,
    /// The class that paths are to lead to.
    pub target: String,
    /// Pages of classes, as far as they were shown.
    pub known: Vec<(String, SamplePage)>,
}

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
struct Tour<'a> {
    shown: &'a ShownSite,
    options: &'a WayOptions,
    site: &'a mut dyn Site,
    guide: &'a mut dyn Guide,
    learnt: LearntWays,
    /// What ways pick, and the class that it should be of.
    picked: BTreeMap<Url, String>,
    visits: HashMap<Request, Visit>,
    ids: Vec<String>,
}

impl Tour<'_> {
    /// Visits the entries, and takes in what is known.
    fn enter(&mut self) -> Result<(), WayError> {
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

    fn class_mut(&mut self, id: &str) -> &mut LearntClass {
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
    fn add(&mut self, class: &str, page: SamplePage) {
        let sample = &mut self.class_mut(class).sample;
        if !sample.iter().any(|its| its.name == page.name) {
            sample.push(page);
        }
    }

    /// The pages that requests lead to, or why there is none.
    fn visit(&mut self, requests: &[Request]) -> Result<Vec<Result<Arc<Page>, String>>, WayError> {
        let unknown: Vec<Request> = requests
            .iter()
            .filter(|its| !self.visits.contains_key(its))
            .cloned()
            .collect();
        let visits = self.site.visit(&unknown);
        self.visits.extend(unknown.into_iter().zip(visits));
        let page = |request: &Request| match self.visits.get(request) {
            Some(Visit::Page(page)) => Ok(Ok(page.clone())),
            Some(Visit::Dead { reason } | Visit::Refused { reason } | Visit::Failed { reason }) => {
                Ok(Err(reason.clone()))
            }
            Some(Visit::Stopped) | None => Err(WayError::Stopped),
        };
        requests.iter().map(page).collect()
    }

    /// The class that a way departs from, once it has a page.
    fn origin_class(&self, way: usize) -> Option<String> {
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

    fn unreached(&self, way: usize) -> WayError {
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
    fn learn(&mut self, way: usize) -> Result<RequestClass, WayError> {
        let from = self.origin_class(way).expect("it was asked for before");
        let pages = self.pages_from(way, &from)?;
        let shown = &self.shown.ways[way];
        match &shown.means {
            ShownMeans::Links(values) => self.learn_links(way, &from, pages, values),
            ShownMeans::Form(_) => self.learn_form(way, &from, &pages),
        }
    }

    /// The pages that a way can be read on, the one that was named first.
    fn pages_from(&mut self, way: usize, from: &str) -> Result<Vec<SamplePage>, WayError> {
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

    fn learn_links(
        &mut self,
        way: usize,
        from: &str,
        mut pages: Vec<SamplePage>,
        values: &[String],
    ) -> Result<RequestClass, WayError> {
        if matches!(self.shown.ways[way].origin, Origin::Class(_)) {
            self.look_further(from, &mut pages, values)?;
        }
        let (at, clicked) = self.clicked(way, &pages, values)?;
        pages.swap(0, at);
        pages.truncate(FROM_MAX);
        let to = self.shown.ways[way].to.clone();
        let is_loop = to == from;
        let models = self.visit_clicked(way, &to, &clicked)?;
        let doms: Vec<&Page> = pages.iter().map(|page| &*page.page).collect();
        let Some(mut readings) = Readings::of(&doms, &clicked, is_loop) else {
            let what = "no rule picks the shown links together; show them in two ways".to_owned();
            return Err(wrong(way, "value", what));
        };
        let frames: Vec<&Page> = if is_loop { Vec::new() } else { doms };
        self.try_out(&mut readings, &clicked, &models, &frames)?;
        self.ask(way, &mut readings, &clicked, &pages);
        let chosen = readings.best().clone();
        self.sample_links(&to, &chosen, &pages, &models, &frames)?;
        Ok(RequestClass {
            id: self.ids[way].clone(),
            from: from.to_owned(),
            to,
            method: Method::Get,
            means: RequestMeans::Links(vec![chosen.rule]),
        })
    }

    /// Where none of the sampled pages of a class has the shown links, looks at more of the pages that ways lead to.
    fn look_further(&mut self, from: &str, pages: &mut Vec<SamplePage>, values: &[String]) -> Result<(), WayError> {
        let has_all = |page: &SamplePage| values.iter().all(|value| link_named(&page.page, value).is_ok());
        if pages.iter().any(has_all) {
            return Ok(());
        }
        let picked = self
            .picked
            .iter()
            .filter(|(_, class)| *class == from)
            .map(|(url, _)| url.clone());
        let new: Vec<Url> = picked
            .filter(|url| pages.iter().all(|page| page.page.url != *url))
            .collect();
        for urls in new.chunks(FROM_MAX).take(self.options.sample_max / FROM_MAX) {
            let requests: Vec<Request> = urls.iter().cloned().map(Request::get).collect();
            for page in self.visit(&requests)?.into_iter().flatten() {
                let page = SamplePage::new(page.url.to_string(), page);
                if has_all(&page) {
                    self.add(from, page.clone());
                    pages.push(page);
                    return Ok(());
                }
            }
        }
        Ok(())
    }

    /// The first page that has all the shown links, and where they lead.
    fn clicked(&self, way: usize, pages: &[SamplePage], values: &[String]) -> Result<(usize, Vec<Url>), WayError> {
        let is_one_page = matches!(self.shown.ways[way].origin, Origin::Page(_));
        let pages = if is_one_page { &pages[..1] } else { pages };
        let mut trouble: Option<String> = None;
        for (at, page) in pages.iter().enumerate() {
            let found: Result<Vec<Url>, String> = values.iter().map(|value| link_named(&page.page, value)).collect();
            match found {
                Ok(urls) => return Ok((at, urls)),
                Err(what) => trouble = trouble.or(Some(format!("{}: {what}", page.name))),
            }
        }
        let more = if pages.len() > 1 {
            format!(", nor do {} more pages of its class have it", pages.len() - 1)
        } else {
            String::new()
        };
        Err(wrong(way, "value", format!("{}{more}", trouble.unwrap_or_default())))
    }

    /// The pages that shown links lead to: they are of the class, since somebody said so.
    fn visit_clicked(&mut self, way: usize, to: &str, clicked: &[Url]) -> Result<Vec<Arc<Page>>, WayError> {
        let requests: Vec<Request> = clicked.iter().cloned().map(Request::get).collect();
        let mut models = Vec::new();
        for (url, page) in clicked.iter().zip(self.visit(&requests)?) {
            match page {
                Ok(page) => {
                    self.add(to, SamplePage::new(page.url.as_str(), page.clone()));
                    models.push(page);
                }
                Err(reason) => self.lose(format!("{}: {url} leads to no page: {reason}", self.ids[way])),
            }
        }
        if models.is_empty() {
            return Err(wrong(
                way,
                "value",
                "none of the shown links leads to a page; show others".to_owned(),
            ));
        }
        Ok(models)
    }

    fn lose(&mut self, what: String) {
        self.guide.tell(&what);
        self.learnt.lost.push(what);
    }

    /// Visits links that tell the readings apart.
    fn try_out(
        &mut self,
        readings: &mut Readings,
        clicked: &[Url],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), WayError> {
        let trials = readings.trials(clicked);
        let inside = trials.into_iter().map(|(_, url)| url).filter(|url| self.is_inside(url));
        let urls: Vec<Url> = inside.collect();
        let requests: Vec<Request> = urls.iter().cloned().map(Request::get).collect();
        let visited = self.visit(&requests)?;
        let pages: Vec<&Page> = visited.iter().filter_map(|page| page.as_deref().ok()).collect();
        let models: Vec<&Page> = models.iter().map(|page| &**page).collect();
        let mut is_kin = kin(&models, frames, &pages).into_iter();
        for (url, page) in urls.iter().zip(&visited) {
            if page.is_ok() {
                readings.visited(url, is_kin.next().unwrap_or(false));
            }
        }
        Ok(())
    }

    fn is_inside(&self, url: &Url) -> bool {
        let entries = &self.shown.entries;
        entries.is_empty() || entries.iter().any(|entry| same_site(entry, url, SiteScope::Domain))
    }

    /// Asks about the links that the readings are divided on.
    fn ask(&mut self, way: usize, readings: &mut Readings, clicked: &[Url], pages: &[SamplePage]) {
        let mut known = clicked.to_vec();
        for _ in 0..self.options.questions_max {
            let Some((page, address, doubt)) = readings.most_uncertain(&known) else {
                return;
            };
            if doubt < self.options.doubt_min {
                return;
            }
            let page = &pages[page];
            let question = LinkQuestion {
                request_class: self.ids[way].clone(),
                to: self.shown.ways[way].to.clone(),
                page: page.name.clone(),
                words: words_of(&page.page, &address),
                address,
            };
            self.learnt.n_questions += 1;
            let Some(belongs) = self.guide.belongs(&question) else {
                return;
            };
            readings.answered(&question.address, belongs);
            known.push(question.address);
        }
    }

    /// Visits some of the links that a way picks, and adds what they lead to.
    fn sample_links(
        &mut self,
        to: &str,
        chosen: &Reading,
        pages: &[SamplePage],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), WayError> {
        let mut links: Vec<(usize, Url)> = Vec::new();
        for (page, url) in chosen.each() {
            let is_new = self.picked.insert(url.clone(), to.to_owned()).is_none();
            let is_own = pages.iter().any(|its| its.page.url == *url);
            if is_new && !is_own && self.is_inside(url) {
                links.push((page, url.clone()));
            }
        }
        let strata = links.iter().map(|(page, url)| (url_template(url), *page));
        let sample = stratified(strata, self.sample_size(links.len()));
        let requests: Vec<Request> = sample.into_iter().map(|at| Request::get(links[at].1.clone())).collect();
        self.add_kin(to, &requests, models, frames)
    }

    fn sample_size(&self, n_requests: usize) -> usize {
        let share = (n_requests as f64 * self.options.sample_share).ceil() as usize;
        share.clamp(
            self.options.sample_min,
            self.options.sample_max.max(self.options.sample_min),
        )
    }

    /// Adds the pages that requests lead to: to the sample of a class those like its models, the others to its strangers.
    fn add_kin(
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

    fn learn_form(&mut self, way: usize, from: &str, pages: &[SamplePage]) -> Result<RequestClass, WayError> {
        let ShownMeans::Form(choices) = &self.shown.ways[way].means else {
            unreachable!("it was a form before");
        };
        let with_form = pages
            .iter()
            .find_map(|page| Some((page, form_with(&page.page, choices)?)));
        let Some((page, form)) = with_form else {
            let has: Vec<String> = pages.iter().take(1).flat_map(|page| fields_of(&page.page)).collect();
            let what = format!(
                "no form of {} has these fields; it has forms with {has:?}",
                pages[0].name
            );
            return Err(wrong(way, "form", what));
        };
        let path = path_to(&page.page.dom, form.node).expect("a form stands on its page");
        let rule = FormRule {
            path,
            choices: choices.clone(),
        };
        let method = form.method;
        let plan = FormPlan::new(&page.page, &rule, method).map_err(|error| wrong(way, "form", error.to_string()))?;
        let (id, to) = (self.ids[way].clone(), self.shown.ways[way].to.clone());
        match may_change(&plan.form).filter(|_| !self.options.send.contains(&id)) {
            Some(reason) => self.lose(format!(
                "{id}: its form is sent by {} and may change something on the site: {reason}; it was not tried, name it with --send to do so",
                method_text(method)
            )),
            None if !self.is_inside(&plan.form.action) => {
                self.lose(format!("{id}: its form leads to another site, {}; it was not tried", plan.form.action));
            }
            None => self.send_some(&to, &plan, &page.page)?,
        }
        Ok(RequestClass {
            id,
            from: from.to_owned(),
            to,
            method,
            means: RequestMeans::Form(rule),
        })
    }

    /// Sends a form a few times; the first answer says what the others are like.
    fn send_some(&mut self, to: &str, plan: &FormPlan, page: &Page) -> Result<(), WayError> {
        let requests = submissions(plan, self.options.sample_min);
        let visited = self.visit(&requests)?;
        let richest = visited.into_iter().flatten().max_by_key(|answer| links(answer).len());
        let Some(model) = richest else {
            self.lose(format!(
                "{}: none of the submissions that were tried led to a page",
                plan.form.action
            ));
            return Ok(());
        };
        self.add_kin(to, &requests, &[model], &[page])
    }
}

fn wrong(way: usize, key: &'static str, what: String) -> WayError {
    WayError::Way { way, key, what }
}

/// What a page is called: its address, with what was sent to get it.
fn page_name(request: &Request, page: &Page) -> String {
    match request.method {
        Method::Get => page.url.to_string(),
        Method::Post => format!("{} {}", page.url, String::from_utf8_lossy(&request.body)),
    }
}

/// Where the link leads that a reader, or the page itself, calls so.
fn link_named(page: &Page, value: &str) -> Result<Url, String> {
    let mut found: Vec<Url> = Vec::new();
    let address = page.resolve(value);
    for link in links(page) {
        let is_meant = || address.as_ref() == Some(&link.url) || link.text(&page.dom) == value;
        if !found.contains(&link.url) && is_meant() {
            found.push(link.url);
        }
    }
    match found.len() {
        0 => Err(format!("there is no link that reads {value:?} or leads there")),
        1 => Ok(found.remove(0)),
        _ => {
            let all: Vec<&str> = found.iter().map(Url::as_str).collect();
            Err(format!(
                "{} links read {value:?}: {}; give the address",
                all.len(),
                all.join(" and ")
            ))
        }
    }
}

fn words_of(page: &Page, address: &Url) -> String {
    let link = links(page).into_iter().find(|link| link.url == *address);
    link.map(|link| link.text(&page.dom)).unwrap_or_default()
}
