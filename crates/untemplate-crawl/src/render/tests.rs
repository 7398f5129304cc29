//! Rendering on real Chromium; where there is none, these tests say so and pass over it.

use std::collections::HashMap;
use std::time::Duration;

use expect_test::{Expect, expect};
use untemplate::page::{Page, ParseOptions, Request, Response, links};
use untemplate_store::{PageSource, SourceError};
use url::Url;

use super::*;

/// A site in memory, which writes down what it is asked for.
struct Pages(HashMap<&'static str, (&'static str, &'static str)>);

impl PageSource for Pages {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        if request.url.host_str() != Some("shop.example") {
            return None;
        }
        match request.url.path() {
            "/refused.js" | "/refused2.js" => {
                let reason = "not for us".to_owned();
                return Some(Err(SourceError::Refused { reason }));
            }
            "/stopped.js" => return Some(Err(SourceError::Stopped)),
            _ => {}
        }
        let (content_type, body) = self.0.get(request.url.path()).copied().unwrap_or(("text/html", ""));
        let status = if body.is_empty() { 404 } else { 200 };
        Some(Ok(Response {
            status,
            content_type: Some(content_type.to_owned()),
            ..Response::html(request.url.clone(), body)
        }))
    }
}

fn address(path: &str) -> Url {
    Url::parse("http://shop.example/")
        .and_then(|url| url.join(path))
        .expect("a good address")
}

/// A site whose pages are rendered; `None` without a browser.
fn source(
    mode: RenderMode,
    limits: RenderLimits,
    pages: &[(&'static str, &'static str, &'static str)],
) -> Option<RenderedSource> {
    let pages = pages.iter().map(|&(path, kind, body)| (path, (kind, body))).collect();
    let sources: Vec<Box<dyn PageSource>> = vec![Box::new(Pages(pages))];
    match Renderer::start(mode, BrowserOptions::default(), limits) {
        Ok(renderer) => Some(RenderedSource { sources, renderer }),
        Err(RenderError::NoBrowser { .. }) => {
            eprintln!("skipped: no Chromium on this machine");
            None
        }
        Err(error) => panic!("{error}"),
    }
}

/// Renders the page at `/` of a site; `None` without a browser.
fn rendered(
    mode: RenderMode,
    limits: RenderLimits,
    pages: &[(&'static str, &'static str, &'static str)],
) -> Option<Page> {
    let response = source(mode, limits, pages)?
        .answer(&Request::get(address("/")))
        .expect("its own site")
        .expect("an answer");
    let options = ParseOptions {
        scripting: true,
        ..ParseOptions::default()
    };
    Some(Page::read(&response, &options))
}

fn check_rendered(pages: &[(&'static str, &'static str, &'static str)], expected: &Expect) {
    let Some(page) = rendered(RenderMode::Always, RenderLimits::default(), pages) else {
        return;
    };
    let body = page.dom.find(untemplate::page::Name::BODY).expect("a body");
    let mut shown = format!("{}\n{}\n", page.url, page.dom.visible_text(body));
    for link in links(&page) {
        shown += &format!("{}\n", link.url);
    }
    for problem in &page.problems {
        shown += &format!("{}: {}\n", problem.kind, problem.message);
    }
    expected.assert_eq(&shown);
}

#[test]
fn scripts_data_and_timers_are_waited_for() {
    let page = r#"<title>Shop</title><p>Wait…</p><ul id=list></ul><script src="/app.js"></script><noscript><p>Scripts, please</p></noscript>"#;
    let script = r#"
        setTimeout(async () => {
            const items = await (await fetch('/items.json')).json();
            document.querySelector('p').remove();
            for (const item of items) {
                const link = document.createElement('a');
                link.href = 'item/' + item.id;
                link.textContent = item.name;
                document.getElementById('list').appendChild(document.createElement('li')).append(link);
            }
        }, 3000);"#;
    check_rendered(
        &[
            ("/", "text/html", page),
            ("/app.js", "text/javascript", script),
            (
                "/items.json",
                "application/json",
                r#"[{"id":1,"name":"Anvil"},{"id":2,"name":"Birdseed"}]"#,
            ),
        ],
        &expect![[r#"
            http://shop.example/
            Anvil Birdseed
            http://shop.example/item/1
            http://shop.example/item/2
        "#]],
    );
}

#[test]
fn a_page_that_goes_on_to_another_is_that_other() {
    check_rendered(
        &[
            ("/", "text/html", "<script>location.replace('/new')</script>"),
            ("/new", "text/html", "<p>Here I am<a href=more>More</a>"),
        ],
        &expect![[r#"
            http://shop.example/new
            Here I amMore
            http://shop.example/more
        "#]],
    );
}

#[test]
fn a_page_that_goes_on_to_where_nobody_answers_stays() {
    check_rendered(
        &[(
            "/",
            "text/html",
            "<p>Still here<script>location.replace('http://elsewhere.example/')</script>",
        )],
        &expect![[r#"
            http://shop.example/
            Still here
            render-hop: its scripts go on to http://elsewhere.example/, which is not answered; taken as it was before
        "#]],
    );
}

#[test]
fn a_page_that_is_called_text_is_shown_as_a_page() {
    let page = "<!doctype html><p>Before<script>document.querySelector('p').textContent = 'After'</script>";
    check_rendered(
        &[("/", "text/plain; charset=utf-8", page)],
        &expect![[r#"
            http://shop.example/
            After
        "#]],
    );
}

#[test]
fn names_and_scripts_of_a_page_do_not_stand_before_the_tree() {
    let page = "<p>Text<img name=documentElement><img name=head><form name=baseURI></form><form><input name=shadowRoot></form>\
        <img name=querySelectorAll><script>Object.getOwnPropertyDescriptor = () => 1; document.createElement = null;</script>";
    check_rendered(
        &[("/", "text/html", page)],
        &expect![[r#"
            http://shop.example/
            Text
        "#]],
    );
}

#[test]
fn what_scripts_asked_for_in_vain_is_counted() {
    let page = "<p>Text<script src=/refused.js></script><script src=/refused2.js></script><script>\
        fetch('/data', { method: 'POST', body: '{}', headers: { 'Content-Type': 'application/json' } }).catch(() => {});\
        fetch('/data', { method: 'POST', body: new URLSearchParams('a=b') });</script>";
    check_rendered(
        &[("/", "text/html", page), ("/data", "text/plain", "data")],
        &expect![[r#"
            http://shop.example/
            Text
            render-requests: 3 requests of its scripts were refused or failed
        "#]],
    );
}

#[test]
fn a_source_that_stops_leaves_no_half_page() {
    let page = "<p>Text<script src=/stopped.js></script>";
    let Some(mut source) = source(RenderMode::Always, RenderLimits::default(), &[("/", "text/html", page)]) else {
        return;
    };
    let answers = source.answers(&[Request::get(address("/")), Request::get(address("/"))]);
    for answer in answers {
        assert!(matches!(answer, Some(Err(SourceError::Stopped))), "{answer:?}");
    }
}

#[test]
fn a_long_page_is_cut_in_bytes() {
    let limits = RenderLimits {
        bytes_max: 100,
        ..RenderLimits::default()
    };
    let pages = [(
        "/",
        "text/html",
        "<p><script>document.querySelector('p').textContent = 'ñ'.repeat(80)</script>",
    )];
    let Some(page) = rendered(RenderMode::Always, limits, &pages) else {
        return;
    };
    let kinds: Vec<&str> = page.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, ["page-cut"]);
    assert!(page.problems[0].is_loss());
}

#[test]
fn open_shadow_trees_and_pushed_addresses_are_read() {
    let page = r#"<my-card><b slot=name>Anvil</b></my-card><script>
        customElements.define('my-card', class extends HTMLElement {
            connectedCallback() {
                this.attachShadow({ mode: 'open' }).innerHTML = '<p>Name: <slot name=name></slot></p>';
            }
        });
        history.pushState({}, '', '/deep/down/');
        document.body.insertAdjacentHTML('beforeend', '<a href=here>Here</a>');
    </script>"#;
    check_rendered(
        &[("/", "text/html", page)],
        &expect![[r#"
        http://shop.example/
        Name: Anvil Here
        http://shop.example/deep/down/here
    "#]],
    );
}

#[test]
fn dialogs_frames_windows_and_downloads_do_not_stop_a_page() {
    let page = r#"<iframe src="/frame"></iframe><img src="/gone.png" onerror="this.remove()"><p>Before</p><script>
        alert('stop!'); confirm('really?'); open('/popup'); print();
        navigator.geolocation.getCurrentPosition(() => {}, () => {});
        const link = document.createElement('a'); link.href = 'data:application/zip,x'; link.download = 'x.zip'; link.click();
        document.querySelector('p').textContent = 'After, images: ' + document.images.length;
    </script>"#;
    check_rendered(
        &[("/", "text/html", page)],
        &expect![[r#"
        http://shop.example/
        After, images: 1
        http://shop.example/frame
    "#]],
    );
}

#[test]
fn a_page_that_never_ends_is_taken_as_fetched() {
    let limits = RenderLimits {
        time: Duration::from_secs(2),
        ..RenderLimits::default()
    };
    let pages = [("/", "text/html", "<p>As fetched</p><script>for (;;) {}</script>")];
    let Some(page) = rendered(RenderMode::Always, limits, &pages) else {
        return;
    };
    let kinds: Vec<&str> = page.problems.iter().map(|problem| problem.kind).collect();
    assert_eq!(kinds, ["not-rendered"]);
}

#[test]
fn nothing_leaves_the_browser_by_itself() {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    listener.set_nonblocking(true).expect("a listener that does not wait");
    let there = listener.local_addr().expect("its address");
    let messages = std::net::UdpSocket::bind("127.0.0.1:0").expect("a port");
    messages.set_nonblocking(true).expect("a socket that does not wait");
    let stun = messages.local_addr().expect("its address");
    let page = format!(
        "<p>Quiet</p><script>const peer = new RTCPeerConnection({{ iceServers: [{{ urls: 'stun:{stun}' }}] }}); peer.createDataChannel('x');\
         peer.createOffer().then((offer) => peer.setLocalDescription(offer));</script><img src=http://{there}/a><iframe src=http://{there}/b></iframe><link rel=stylesheet href=http://{there}/c>\
         <script>new WebSocket('ws://{there}/d'); fetch('http://{there}/e').catch(() => {{}}); navigator.sendBeacon('http://{there}/f', 'x');\
         new EventSource('http://{there}/g'); open('http://{there}/h'); new Worker('http://{there}/i');</script>\
         <script src=http://{there}/j></script><link rel=prefetch href=http://{there}/k><link rel=preconnect href=http://{there}/>"
    );
    let pages = [("/", "text/html", &*page.leak())];
    if rendered(RenderMode::Always, RenderLimits::default(), &pages).is_some() {
        assert!(listener.accept().is_err(), "the browser connected by itself");
        assert!(
            messages.recv(&mut [0; 64]).is_err(),
            "the browser sent a message by itself"
        );
    }
}

#[test]
fn auto_renders_where_it_adds_something() {
    fn check(body: &'static str, expected: bool) {
        let pages = [("/", "text/html", body)];
        let Some(page) = rendered(RenderMode::Auto, RenderLimits::default(), &pages) else {
            return;
        };
        let fetched = Page::read(&Response::html(address("/"), body), &ParseOptions::default());
        assert_eq!(is_richer(&fetched, &page), expected, "{body}");
    }
    check(
        "<p>All is here already, and no script adds anything to it.</p><script>1</script>",
        false,
    );
    check(
        "<body><script>document.body.append('Only scripts made this text.')</script>",
        true,
    );
}

#[test]
fn a_pattern_is_given_up_after_three_pages_that_gained_nothing() {
    let text = "A page with enough text on it to be taken for a page that is complete as it was fetched, and no script to speak of.";
    let page = |path: &str| {
        Page::read(
            &Response::html(address(path), format!("<p>{text}")),
            &ParseOptions::default(),
        )
    };
    let mut choice = RenderChoice::default();
    for path in ["/item/1", "/item/2", "/item/3"] {
        assert_eq!(choice.worth(&page(path)), Worth::Compare);
        choice.compare(&address(path), false);
    }
    assert_eq!(choice.worth(&page("/item/4")), Worth::Leave);
    let empty = Page::read(
        &Response::html(address("/item/5"), "<div id=app></div>"),
        &ParseOptions::default(),
    );
    assert_eq!(
        choice.worth(&empty),
        Worth::Compare,
        "a page that is empty is looked at whatever its pattern says"
    );
    choice.compare(&address("/item/5"), true);
    assert_eq!(choice.worth(&page("/item/6")), Worth::Render);
}
