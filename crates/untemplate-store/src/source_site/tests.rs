//! Sites of page sources: limits, stops, and what is counted.

use super::*;

struct Fake;

impl PageSource for Fake {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        let url = request.url.clone();
        let status = match url.path() {
            "/missing" => 404,
            "/broken" => 503,
            "/foreign" => return None,
            "/lost" => {
                return Some(Err(SourceError::Timeout {
                    url,
                    limit: std::time::Duration::ZERO,
                }));
            }
            _ => 200,
        };
        Some(Ok(Response {
            status,
            ..Response::html(url, "<p>Hello")
        }))
    }
}

#[test]
fn limits_stop_a_run_and_say_which() {
    let check = |limits: SiteLimits, pages: usize, reason: StopReason| {
        let mut site = SourceSite::new(vec![Box::new(Fake)], ParseOptions::default());
        site.limits = limits;
        let request = |index: usize| Url::parse(&format!("http://site.example/{index}")).expect("a good address");
        let requests: Vec<Request> = (0..40).map(|index| Request::get(request(index))).collect();
        let visits = site.visit(&requests);
        assert_eq!(visits.len(), 40);
        let had = visits.iter().filter(|visit| matches!(visit, Visit::Page(_))).count();
        assert_eq!((had, site.figures.stopped_because), (pages, Some(reason)));
    };
    let none = SiteLimits::default();
    let pages_max = Some(5);
    check(SiteLimits { pages_max, ..none }, 5, StopReason::Pages(5));
    let bytes_max = Some(10);
    check(
        SiteLimits { bytes_max, ..none },
        LIMITED_REQUESTS,
        StopReason::Bytes(10),
    );
    let time_max_ms = Some(0);
    check(SiteLimits { time_max_ms, ..none }, 0, StopReason::Time(0));
}

/// A source that parses what it answers, and is shown every page.
struct Parsing {
    page: Arc<Page>,
    observed: Arc<std::sync::atomic::AtomicUsize>,
}

impl PageSource for Parsing {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        Fake.answer(request)
    }

    fn parsed(&mut self, _: &Request, _: &ParseOptions) -> Option<Arc<Page>> {
        Some(Arc::clone(&self.page))
    }

    fn observe(&mut self, _: &Page) {
        self.observed.fetch_add(1, std::sync::atomic::Ordering::Relaxed);
    }
}

#[test]
fn a_page_that_its_source_parsed_is_shared() {
    let url = Url::parse("http://site.example/a").expect("a good address");
    let page = Arc::new(Page::read(
        &Response::html(url.clone(), "<p>Hello"),
        &ParseOptions::default(),
    ));
    let observed = Arc::default();
    let source = Parsing {
        page: Arc::clone(&page),
        observed: Arc::clone(&observed),
    };
    let mut site = SourceSite::new(vec![Box::new(source)], ParseOptions::default());
    let visits = site.visit(&[Request::get(url.clone())]);
    assert!(matches!(&visits[..], [Visit::Page(shared)] if Arc::ptr_eq(shared, &page)));
    let missing = Request::get(url.join("/missing").expect("a good address"));
    assert!(matches!(site.visit(&[missing])[..], [Visit::Dead { .. }]));
    assert_eq!(observed.load(std::sync::atomic::Ordering::Relaxed), 1);
}

#[test]
fn a_stopped_site_gives_no_more_pages() {
    let mut site = SourceSite::new(vec![Box::new(Fake)], ParseOptions::default());
    let request = Request::get(Url::parse("http://site.example/a").expect("a good address"));
    assert!(matches!(
        site.visit(std::slice::from_ref(&request))[..],
        [Visit::Page(_)]
    ));
    site.stop.stop();
    assert!(
        matches!(site.visit(&[request])[..], [Visit::Stopped]),
        "known pages included"
    );
    assert_eq!(site.figures.stopped_because, Some(StopReason::Interrupted));
}

#[test]
fn what_was_asked_before_is_had_again_beyond_the_limit() {
    let mut site = SourceSite::new(vec![Box::new(Fake)], ParseOptions::default());
    site.limits.pages_max = Some(1);
    let request =
        |path: &str| Request::get(Url::parse(&format!("http://site.example/{path}")).expect("a good address"));
    assert!(matches!(site.visit(&[request("a")])[..], [Visit::Page(_)]));
    let visits = site.visit(&[request("b"), request("a")]);
    assert!(matches!(visits[..], [Visit::Stopped, Visit::Page(_)]));
    assert_eq!(site.figures.downloads, 1);
}

#[test]
fn visits_come_back_in_request_order_and_are_counted_once() {
    let mut site = SourceSite::new(vec![Box::new(Fake)], ParseOptions::default());
    let requests: Vec<Request> = ["/a", "/missing", "/broken", "/foreign", "/lost", "/a"]
        .iter()
        .map(|path| Request::get(Url::parse(&format!("http://site.example{path}")).expect("a good address")))
        .collect();
    let kinds: Vec<&str> = site
        .visit(&requests)
        .iter()
        .map(|visit| match visit {
            Visit::Page(_) => "page",
            Visit::Dead { .. } => "dead",
            Visit::Failed { .. } => "failed",
            Visit::Refused { .. } | Visit::NotFollowed { .. } => "refused",
            Visit::Stopped => "stopped",
        })
        .collect();
    assert_eq!(kinds, ["page", "dead", "failed", "refused", "failed", "page"]);
    let Figures {
        downloads,
        pages,
        failures,
        ..
    } = site.figures;
    assert_eq!((downloads, pages, failures), (4, 1, 2));
}
