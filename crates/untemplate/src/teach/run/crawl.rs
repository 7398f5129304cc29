//! The loop of a run: level by level, page by page, what is read and what is asked for next.
//!
//! Algorithm 1 of paper 002 with its departures: requests from a class to itself (NEXT) are
//! exhausted, up to a limit, before their level is left; paths are followed together
//! ([`Plan`](super::Plan)), so that a page is looked at once however it is reached, and every way
//! to it is told; a page that its class's assertion rejects has no children. Nothing is kept but
//! requests to make and hashes of those made: pages come in batches and go. Events come in the
//! order of levels, of parents in a level, and of requests on a page.

use std::collections::{HashMap, HashSet, VecDeque};
use std::ops::ControlFlow;
use std::sync::Arc;

use foldhash::fast::FixedState;
use url::Url;

use super::super::specification::{RequestMeans, Specification};
use super::super::taught_record::{TaughtRecord, pivots};
use super::event::{Arrival, Fate, RunEvent};
use super::options::{DRY_PAGES, RunError, RunOptions, followed};
use super::plan::{Plan, PlanNode};
use super::report::RunReport;
use super::requests::{hash_of, identity, page_identity};
use crate::page::{Event, Page, Problem, Request, Site, Visit, links};
use crate::rule::TextIndex;

/// Runs a specification on a site, and tells what happens as it happens; the observer can end it.
pub fn run_specification(
    specification: &Specification,
    options: &RunOptions,
    site: &mut dyn Site,
    observe: &mut dyn FnMut(RunEvent<'_>) -> ControlFlow<()>,
) -> Result<RunReport, RunError> {
    specification.check()?;
    let paths = followed(specification, options)?;
    let plan = Plan::new(specification, paths.into_iter());
    let mut runner = Runner {
        pivots: plan.nodes.iter().map(|node| node_pivots(specification, node)).collect(),
        plan,
        report: RunReport::new(specification),
        specification,
        options,
        site,
        observe,
        seen: HashSet::default(),
        had: HashSet::default(),
        read: HashSet::default(),
        met: HashSet::default(),
        products: HashMap::new(),
        kept: HashMap::new(),
        level: 0,
        queue: VecDeque::new(),
        later: VecDeque::new(),
    };
    if runner.run().is_break() {
        runner.report.is_stopped = true;
    }
    runner.report.conclude();
    Ok(runner.report)
}

/// The texts that the rules of a node start from: those of its wrapper, and those of its request
/// classes.
fn node_pivots<'a>(specification: &'a Specification, node: &PlanNode) -> Vec<&'a str> {
    let fields = specification.classes[node.class].fields.iter();
    let of_fields = fields.flat_map(|field| field.rules().map(|taught| &taught.rule));
    let request_classes = node.loops.iter().chain(node.steps.iter().map(|(index, _)| index));
    let of_requests = request_classes.flat_map(|&index| match &specification.request_classes[index].means {
        RequestMeans::Links(rules) => rules.as_slice(),
        RequestMeans::Form(_) => &[],
    });
    pivots(of_fields.chain(of_requests))
}

/// A run under way.
pub(super) struct Runner<'a> {
    pub(super) specification: &'a Specification,
    pub(super) options: &'a RunOptions,
    pub(super) site: &'a mut dyn Site,
    pub(super) report: RunReport,
    /// Of each form that was met, the fields that vary.
    pub(super) products: HashMap<usize, Vec<usize>>,
    /// Answers that came before their turn, by request.
    pub(super) kept: HashMap<u64, Visit>,
    observe: &'a mut dyn FnMut(RunEvent<'_>) -> ControlFlow<()>,
    plan: Plan,
    /// Of each node, the texts that its rules start from.
    pivots: Vec<Vec<&'a str>>,
    /// Requests that were queued, and pages that were fetched, by the node they are of.
    seen: HashSet<u64, FixedState>,
    had: HashSet<u64, FixedState>,
    /// Pages that were read, by their class.
    read: HashSet<u64, FixedState>,
    /// Requests that a dry run found, by their class.
    met: HashSet<u64, FixedState>,
    level: usize,
    /// What is to be done on this level, and on the next.
    queue: VecDeque<Step>,
    later: VecDeque<Step>,
}

/// A request to make.
struct Step {
    request: Request,
    node: usize,
    request_class: Option<usize>,
    parent: Option<Arc<Url>>,
    /// How many requests from the class to itself led here.
    n_loops: usize,
}

impl Runner<'_> {
    fn run(&mut self) -> ControlFlow<()> {
        self.enter()?;
        while !self.queue.is_empty() {
            while !self.queue.is_empty() {
                let n_steps = self.queue.len().min(self.options.batch_max.max(1));
                let steps: Vec<Step> = self.queue.drain(..n_steps).collect();
                let visits = self.visit(&steps);
                for (step, visit) in steps.into_iter().zip(visits) {
                    match visit {
                        Some(visit) => self.arrive(step, visit)?,
                        None => self.tell(&step, None, Fate::Again)?,
                    }
                }
            }
            self.queue = std::mem::take(&mut self.later);
            self.level += 1;
        }
        ControlFlow::Continue(())
    }

    /// Queues the entry addresses of all paths.
    fn enter(&mut self) -> ControlFlow<()> {
        let specification = self.specification;
        for node in self.plan.entries.clone() {
            for address in &specification.classes[self.plan.nodes[node].class].addresses {
                let step = Step {
                    request: Request::get(address.clone()),
                    node,
                    request_class: None,
                    parent: None,
                    n_loops: 0,
                };
                self.push(step, false)?;
            }
        }
        self.queue = std::mem::take(&mut self.later);
        ControlFlow::Continue(())
    }

    /// Visits what was not had before: a page can have been reached by a redirect since its own
    /// request was queued.
    fn visit(&mut self, steps: &[Step]) -> Vec<Option<Visit>> {
        let mut asked: Vec<Request> = Vec::with_capacity(steps.len());
        let mut visits: Vec<Option<Visit>> = Vec::with_capacity(steps.len());
        let mut places: Vec<usize> = Vec::with_capacity(steps.len());
        for (place, step) in steps.iter().enumerate() {
            let request = identity(&step.request);
            visits.push(self.kept.remove(&request));
            if visits[place].is_none() && !self.had.contains(&hash_of((step.node, request))) {
                asked.push(step.request.clone());
                places.push(place);
            }
        }
        for (place, visit) in places.into_iter().zip(self.site.visit(&asked)) {
            visits[place] = Some(visit);
        }
        visits
    }

    /// Takes what came of a request: the record is read and the next requests are queued at once.
    fn arrive(&mut self, step: Step, visit: Visit) -> ControlFlow<()> {
        let page = match visit {
            Visit::Page(page) => page,
            Visit::Dead { reason } => return self.tell(&step, None, Fate::Dead { reason }),
            Visit::Refused { reason } | Visit::NotFollowed { reason } => {
                self.report.cut("refused", format!("refused: {reason}"));
                return self.tell(&step, None, Fate::Refused { reason });
            }
            Visit::Failed { reason } => {
                self.report.cut("failed", reason.clone());
                return self.tell(&step, None, Fate::Failed { reason });
            }
            Visit::Stopped => {
                self.report.lose(&Visit::Stopped);
                return ControlFlow::Break(());
            }
        };
        let own = page_identity(&step.request, &page);
        if !self.had.insert(hash_of((step.node, own))) {
            return self.tell(&step, Some(&page), Fate::Again);
        }
        let specification = self.specification;
        let class_index = self.plan.nodes[step.node].class;
        let class = &specification.classes[class_index];
        if !class.assertion.holds(&page) {
            let failing = class.assertion.broken(&page);
            return self.tell(&step, Some(&page), Fate::Rejected { failing });
        }
        self.tell(&step, Some(&page), Fate::Supports)?;
        for problem in page.problems.iter().filter(|problem| problem.is_loss()) {
            self.report.cut("read in part", format!("{}: {problem}", page.url));
        }
        let texts = TextIndex::of_texts(&page.dom, &self.pivots[step.node]);
        self.read_record(&step, class_index, &page, &texts, own)?;
        self.follow(&step, &page, &texts)
    }

    /// Reads a page once, however many nodes it is of.
    fn read_record(
        &mut self,
        step: &Step,
        class_index: usize,
        page: &Page,
        texts: &TextIndex,
        own: u64,
    ) -> ControlFlow<()> {
        let class = &self.specification.classes[class_index];
        if !class.is_read() || !self.read.insert(hash_of((class_index, own))) {
            return ControlFlow::Continue(());
        }
        let record = TaughtRecord::read_with(class, page, texts);
        if self.is_repeated_result(step, &record, page) {
            return ControlFlow::Continue(());
        }
        self.report.count_record(&record, class_index);
        self.site.note(Event::Found(self.report.records()));
        (self.observe)(RunEvent::Record(&record))
    }

    /// Whether another submission of the same form gave the same values and the same links.
    fn is_repeated_result(&mut self, step: &Step, record: &TaughtRecord, page: &Page) -> bool {
        let Some(index) = step.request_class else {
            return false;
        };
        if matches!(self.specification.request_classes[index].means, RequestMeans::Links(_)) {
            return false;
        }
        let values = record
            .fields
            .iter()
            .flat_map(|(_, values)| values.iter().map(|it| it.text.as_str()));
        let rows = record.rows.iter().flat_map(|its| &its.rows).flat_map(|row| &row.values);
        let of_rows = rows.flatten().map(|picked| picked.text.as_str());
        let values: Vec<&str> = values.chain(of_rows).collect();
        let mut targets: Vec<u64> = links(page).iter().map(|link| hash_of(link.url.as_str())).collect();
        targets.sort_unstable();
        !self.read.insert(hash_of(("result", index, values, targets)))
    }

    /// Queues the requests of a page: those to its own class for this level, the others for the
    /// next.
    fn follow(&mut self, step: &Step, page: &Arc<Page>, texts: &TextIndex) -> ControlFlow<()> {
        let node = self.plan.nodes[step.node].clone();
        let parent = Arc::new(page.url.clone());
        let loops = node.loops.iter().map(|&request_class| (request_class, step.node, true));
        let steps = node
            .steps
            .iter()
            .map(|&(request_class, child)| (request_class, child, false));
        for (request_class, child, is_loop) in loops.chain(steps) {
            let requests = self.requests_of(request_class, page, texts);
            if self.report.is_stopped {
                return ControlFlow::Break(());
            }
            let counts = &mut self.report.request_classes[request_class];
            counts.pages += 1;
            counts.pages_with += usize::from(!requests.is_empty());
            let n_before = counts.found;
            counts.found += requests.len();
            let requests = match self.options.is_dry {
                false => requests,
                true => self.dry_requests(request_class, n_before, requests),
            };
            for request in requests {
                let next = Step {
                    request,
                    node: child,
                    request_class: Some(request_class),
                    parent: Some(parent.clone()),
                    n_loops: if is_loop { step.n_loops + 1 } else { 0 },
                };
                self.push(next, is_loop)?;
            }
        }
        ControlFlow::Continue(())
    }

    /// Of the requests that a page has, those that a dry run makes: none by forms and to next
    /// pages, of links the first, the last and some between, since the first of many are often
    /// unlike the others.
    fn dry_requests(&mut self, request_class: usize, n_before: usize, requests: Vec<Request>) -> Vec<Request> {
        let met = &mut self.met;
        let is_fresh = |request: &&Request| met.insert(hash_of((request_class, identity(request))));
        let n_fresh = requests.iter().filter(is_fresh).count();
        let counts = &mut self.report.request_classes[request_class];
        if counts.pages > 1 {
            counts.fresh += n_fresh;
        }
        let is_form = matches!(
            self.specification.request_classes[request_class].means,
            RequestMeans::Form(_)
        );
        let n_wanted = DRY_PAGES.saturating_sub(n_before).min(requests.len());
        if is_form || counts.is_loop || n_wanted == 0 {
            return Vec::new();
        }
        let steps = (n_wanted - 1).max(1);
        let places = (0..n_wanted).map(|number| number * (requests.len() - 1) / steps);
        places.map(|place| requests[place].clone()).collect()
    }

    /// Queues a request, unless it was made before or leads out of the site.
    fn push(&mut self, step: Step, is_loop: bool) -> ControlFlow<()> {
        if self.is_outside(&step.request.url) {
            let reason = "it leads out of the specification's site".to_owned();
            return self.tell(&step, None, Fate::Refused { reason });
        }
        if step.n_loops > self.options.next_max {
            let id = step
                .request_class
                .map_or("", |index| &self.specification.request_classes[index].id);
            let message = format!("{id}: more than {} pages in a row", self.options.next_max);
            self.report.cut("in a row", message);
            return ControlFlow::Continue(());
        }
        if !self.seen.insert(hash_of((step.node, identity(&step.request)))) {
            return self.tell(&step, None, Fate::Again);
        }
        let queue = if is_loop { &mut self.queue } else { &mut self.later };
        queue.push_back(step);
        ControlFlow::Continue(())
    }

    fn tell(&mut self, step: &Step, page: Option<&Page>, fate: Fate) -> ControlFlow<()> {
        let class = self.plan.nodes[step.node].class;
        let request_class = step
            .request_class
            .map(|index| self.specification.request_classes[index].id.clone());
        let arrival = Arrival {
            level: self.level,
            parent: step.parent.as_deref().cloned(),
            request_class,
            request: step.request.clone(),
            class: self.specification.classes[class].id.clone(),
            page: page.map(|page| page.url.clone()),
            fate,
        };
        self.report.count(&arrival, class, step.request_class);
        (self.observe)(RunEvent::Arrived(&arrival))
    }

    /// Tells of something odd; nobody ends a run for that.
    pub(super) fn tell_odd(&mut self, page: &Page, problem: &Problem) {
        self.report.problems += 1;
        let _ = (self.observe)(RunEvent::Odd(&page.url, problem));
    }
}
