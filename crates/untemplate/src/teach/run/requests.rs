//! Requests of a page: what a request class makes of it, by its rules or its form.

use std::collections::HashSet;
use std::hash::BuildHasher;
use std::sync::Arc;

use foldhash::quality::FixedState;
use url::Url;

use super::super::form::{FormError, FormPlan, choose_product, may_change, result_signature};
use super::super::specification::{FormRule, RequestClass, RequestMeans};
use super::crawl::Runner;
use crate::page::{Method, Page, Problem, Request, SiteScope, Visit, same_site};
use crate::rule::{ExtractionRule, TextIndex};

/// The hashes of requests and pages are those of one run.
const HASHER: FixedState = FixedState::with_seed(0x7275_6e21);

/// The hash of something that a run remembers.
pub(super) fn hash_of(value: impl std::hash::Hash) -> u64 {
    HASHER.hash_one(value)
}

/// What makes two requests one: method, address, and the fields of the body in any order.
pub(super) fn identity(request: &Request) -> u64 {
    let mut fields: Vec<&[u8]> = request.body.split(|byte| *byte == b'&').collect();
    fields.sort_unstable();
    hash_of((request.method, request.url.as_str(), fields))
}

/// What makes two pages one: their own address, or of an answer to a form that has none, the
/// request.
pub(super) fn page_identity(request: &Request, page: &Page) -> u64 {
    match request.method {
        Method::Post if page.url == request.url => identity(request),
        _ => identity(&Request::get(page.url.clone())),
    }
}

impl Runner<'_> {
    /// The requests of a request class on a page, each once, in document order.
    pub(super) fn requests_of(&mut self, index: usize, page: &Arc<Page>, texts: &TextIndex) -> Vec<Request> {
        let specification = self.specification;
        let class = &specification.request_classes[index];
        match &class.means {
            RequestMeans::Links(rules) => picked(rules, page, texts),
            RequestMeans::Form(rule) => self.submissions(index, class, rule, page).unwrap_or_else(|problem| {
                self.tell_odd(page, &problem);
                Vec::new()
            }),
        }
    }

    fn submissions(
        &mut self,
        index: usize,
        class: &RequestClass,
        rule: &FormRule,
        page: &Arc<Page>,
    ) -> Result<Vec<Request>, Problem> {
        let odd = |error: FormError| Problem::new("form changed", format!("{}: {error}", class.id));
        let plan = FormPlan::new(page, rule, class.method).map_err(odd)?;
        if let Some(reason) = may_change(&plan.form).filter(|_| !self.options.send.contains(&class.id)) {
            let message = format!(
                "{}: its form may change something on the site: {reason}; name it to send it all the same",
                class.id
            );
            self.report.cut("form", message.clone());
            return Err(Problem::new("form not sent", message));
        }
        let first = plan.request(&[], 0);
        if self.is_outside(&first.url) {
            // It is refused where it is queued, as links are; nothing is tried out on somebody
            // else's site.
            return Ok(vec![first]);
        }
        let varying = match self.products.get(&index) {
            Some(varying) => varying.clone(),
            // Nothing is sent to find out what would be.
            None if self.options.is_dry => (0..plan.variations.len()).collect(),
            None => self.judge(index, class, &plan, page),
        };
        if self.report.is_stopped {
            return Ok(Vec::new());
        }
        let size = plan.size(&varying);
        let n_sent = size.min(self.options.submissions_max);
        if n_sent < size {
            let message = format!("{}: of {size} submissions the first {n_sent} were sent", class.id);
            self.report.cut("form", message);
        }
        Ok((0..n_sent).map(|number| plan.request(&varying, number)).collect())
    }

    /// Whether an address is outside the site that the specification is for.
    pub(super) fn is_outside(&self, url: &Url) -> bool {
        let site = self.specification.site.as_ref();
        site.is_some_and(|site| !same_site(site, url, SiteScope::Domain))
    }

    /// Decides which fields of a form vary, once in a run, and keeps the answers that were looked
    /// at for it. Where an answer could not be fetched nothing is decided: all fields vary, and the
    /// next page with the form is judged anew.
    fn judge(&mut self, index: usize, class: &RequestClass, plan: &FormPlan, page: &Arc<Page>) -> Vec<usize> {
        let options = self.options.product;
        let mut is_whole = true;
        let chosen = choose_product(plan, &options, &mut |requests| {
            self.sample(requests, page, &mut is_whole)
        });
        if !is_whole {
            return (0..plan.variations.len()).collect();
        }
        if chosen.len() < plan.variations.len() {
            let left = (0..plan.variations.len()).filter(|field| !chosen.contains(field));
            let names: Vec<&str> = left.map(|field| plan.variations[field].name.as_str()).collect();
            let message = format!(
                "{}: results do not differ by {}, which keeps what the page fills in",
                class.id,
                names.join(" and ")
            );
            self.tell_odd(page, &Problem::new("product left out", message));
        }
        self.products.insert(index, chosen.clone());
        chosen
    }

    /// Sends submissions and gives the signature of each answer. The answers are kept for when
    /// their turn comes; they are few. What could not be fetched is reported, and `is_whole` is
    /// false from then on; a run that was stopped sends nothing more.
    fn sample(&mut self, requests: &[Request], page: &Page, is_whole: &mut bool) -> Vec<Option<u64>> {
        if self.report.is_stopped {
            return vec![None; requests.len()];
        }
        let unknown = requests
            .iter()
            .filter(|request| !self.kept.contains_key(&identity(request)));
        let unknown: Vec<Request> = unknown.cloned().collect();
        for (request, visit) in unknown.iter().zip(self.site.visit(&unknown)) {
            match &visit {
                Visit::Page(_) | Visit::Dead { .. } => {}
                lost => {
                    *is_whole = false;
                    self.report.lose(lost);
                }
            }
            if matches!(visit, Visit::Stopped) {
                self.report.is_stopped = true;
                break;
            }
            self.kept.insert(identity(request), visit);
        }
        let signature = |request: &Request| match self.kept.get(&identity(request)) {
            Some(Visit::Page(answer)) => Some(result_signature(page, answer)),
            _ => None,
        };
        requests.iter().map(signature).collect()
    }
}

/// The addresses that any of the rules picks.
fn picked(rules: &[ExtractionRule], page: &Page, texts: &TextIndex) -> Vec<Request> {
    let mut seen: HashSet<u64, foldhash::fast::FixedState> = HashSet::default();
    let mut requests = Vec::new();
    for rule in rules {
        for value in rule.values_with(page, texts) {
            let Some(url) = page.resolve(&value.text) else {
                continue;
            };
            if seen.insert(hash_of(url.as_str())) {
                requests.push(Request::get(url));
            }
        }
    }
    requests
}
