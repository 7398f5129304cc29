//! Navigation by links: which links are meant, tried out, asked about, and sampled.

use std::sync::Arc;

use url::Url;

use super::super::sample::SamplePage;
use super::super::specification::{RequestClass, RequestMeans};
use super::super::spot::ShownValue;
use super::link_choice::{LinkHypotheses, LinkHypothesis};
use super::same_class::same_class;
use super::shown::{LinkQuestion, NavigationError, Origin};
use super::stratum::stratified;
use super::tour::{Tour, wrong};
use crate::page::{Method, Page, Request, UrlParts, links};

/// Pages of a class that links are read on.
const FROM_MAX: usize = 8;

impl Tour<'_> {
    /// Learns the request class of links that were shown by their words or addresses.
    pub(super) fn learn_links(
        &mut self,
        index: usize,
        from: &str,
        mut pages: Vec<SamplePage>,
        values: &[ShownValue],
    ) -> Result<RequestClass, NavigationError> {
        if matches!(self.shown.navigation[index].origin, Origin::Class(_)) {
            self.look_further(from, &mut pages, values)?;
        }
        let (at, clicked) = self.clicked(index, &pages, values)?;
        pages.swap(0, at);
        pages.truncate(FROM_MAX);
        let to = self.shown.navigation[index].to.clone();
        let is_loop = to == from;
        let models = self.visit_clicked(index, &to, &clicked)?;
        let doms: Vec<&Page> = pages.iter().map(|page| &*page.page).collect();
        let Some(mut hypotheses) = LinkHypotheses::of(&doms, &clicked, is_loop) else {
            let what = "no rule picks the shown links together; show them one by one".to_owned();
            return Err(wrong(index, "value", what));
        };
        let frames: Vec<&Page> = if is_loop { Vec::new() } else { doms };
        self.try_out(&mut hypotheses, &clicked, &models, &frames)?;
        self.ask(index, &mut hypotheses, &clicked, &pages);
        let chosen = hypotheses.best().clone();
        self.sample_links(&to, &chosen, &pages, &models, &frames)?;
        Ok(RequestClass {
            id: self.ids[index].clone(),
            from: from.to_owned(),
            to,
            method: Method::Get,
            means: RequestMeans::Links(vec![chosen.rule]),
        })
    }

    /// Where none of the sampled pages of a class has the shown links, looks at more of the pages
    /// that navigation leads to.
    fn look_further(
        &mut self,
        from: &str,
        pages: &mut Vec<SamplePage>,
        values: &[ShownValue],
    ) -> Result<(), NavigationError> {
        let has_all = |page: &SamplePage| values.iter().all(|value| link_named(&page.page, &value.text).is_ok());
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
    fn clicked(
        &self,
        index: usize,
        pages: &[SamplePage],
        values: &[ShownValue],
    ) -> Result<(usize, Vec<Url>), NavigationError> {
        let is_one_page = matches!(self.shown.navigation[index].origin, Origin::Page(_));
        let pages = if is_one_page { &pages[..1] } else { pages };
        let mut trouble: Option<String> = None;
        for (at, page) in pages.iter().enumerate() {
            let found: Result<Vec<Url>, String> =
                values.iter().map(|value| link_named(&page.page, &value.text)).collect();
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
        Err(wrong(index, "value", format!("{}{more}", trouble.unwrap_or_default())))
    }

    /// The pages that shown links lead to: they are of the class, since somebody said so.
    fn visit_clicked(&mut self, index: usize, to: &str, clicked: &[Url]) -> Result<Vec<Arc<Page>>, NavigationError> {
        let requests: Vec<Request> = clicked.iter().cloned().map(Request::get).collect();
        let mut models = Vec::new();
        for (url, page) in clicked.iter().zip(self.visit(&requests)?) {
            match page {
                Ok(page) => {
                    self.add(to, SamplePage::new(page.url.as_str(), page.clone()));
                    models.push(page);
                }
                Err(reason) => self.lose(format!("{}: {url} leads to no page: {reason}", self.ids[index])),
            }
        }
        if models.is_empty() {
            return Err(wrong(
                index,
                "value",
                "none of the shown links leads to a page; show others".to_owned(),
            ));
        }
        Ok(models)
    }

    /// Visits links that tell the hypotheses apart.
    fn try_out(
        &mut self,
        hypotheses: &mut LinkHypotheses,
        clicked: &[Url],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), NavigationError> {
        let trials = hypotheses.trials(clicked);
        let inside = trials.into_iter().map(|(_, url)| url).filter(|url| self.is_inside(url));
        let urls: Vec<Url> = inside.collect();
        let requests: Vec<Request> = urls.iter().cloned().map(Request::get).collect();
        let visited = self.visit(&requests)?;
        let pages: Vec<&Page> = visited.iter().filter_map(|page| page.as_deref().ok()).collect();
        let models: Vec<&Page> = models.iter().map(|page| &**page).collect();
        let mut is_same = same_class(&models, frames, &pages).into_iter();
        for (url, page) in urls.iter().zip(&visited) {
            if page.is_ok() {
                hypotheses.visited(url, is_same.next().unwrap_or(false));
            }
        }
        Ok(())
    }

    /// Asks about the links that the hypotheses are divided on.
    fn ask(&mut self, index: usize, hypotheses: &mut LinkHypotheses, clicked: &[Url], pages: &[SamplePage]) {
        let mut known = clicked.to_vec();
        for _ in 0..self.options.session.questions_max {
            let Some((page, address, doubt)) = hypotheses.most_uncertain(&known) else {
                return;
            };
            if doubt < self.options.session.doubt_min {
                return;
            }
            let page = &pages[page];
            let question = LinkQuestion {
                request_class: self.ids[index].clone(),
                to: self.shown.navigation[index].to.clone(),
                page: page.name.clone(),
                words: words_of(&page.page, &address),
                address,
            };
            self.learnt.n_questions += 1;
            let Some(belongs) = self.teacher.belongs(&question) else {
                return;
            };
            hypotheses.answered(&question.address, belongs);
            known.push(question.address);
        }
    }

    /// Visits some of the links that a rule picks, and adds what they lead to.
    fn sample_links(
        &mut self,
        to: &str,
        chosen: &LinkHypothesis,
        pages: &[SamplePage],
        models: &[Arc<Page>],
        frames: &[&Page],
    ) -> Result<(), NavigationError> {
        let mut links: Vec<(usize, Url)> = Vec::new();
        for (page, url) in chosen.each() {
            let is_new = self.picked.insert(url.clone(), to.to_owned()).is_none();
            let is_own = pages.iter().any(|its| its.page.url == *url);
            if is_new && !is_own && self.is_inside(url) {
                links.push((page, url.clone()));
            }
        }
        let strata = links.iter().map(|(page, url)| (UrlParts::of(url).form(), *page));
        let sample = stratified(strata, self.sample_size(links.len()));
        let requests: Vec<Request> = sample.into_iter().map(|at| Request::get(links[at].1.clone())).collect();
        self.add_alike(to, &requests, models, frames)
    }

    fn sample_size(&self, n_requests: usize) -> usize {
        let share = (n_requests as f64 * self.options.sample_share).ceil() as usize;
        share.clamp(
            self.options.sample_min,
            self.options.sample_max.max(self.options.sample_min),
        )
    }
}

/// Where the link leads that a reader, or the page itself, calls so.
pub(super) fn link_named(page: &Page, value: &str) -> Result<Url, String> {
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
