//! `teach` shown what it should not trust: a page that tries everything, and one that is large.

mod chrome;
mod program;
mod teaching;

use std::io::{Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;

use chrome::Chrome;
use program::Bench;
use teaching::*;

/// Everything a page may try: scripts, handlers, frames, links, refreshes, styles.
const HOSTILE: &str = r#"<!DOCTYPE html><html onclick="evil('html')"><head><title>Free lamps</title>
<meta http-equiv="refresh" content="0;url=http://127.0.0.1:PROBE/refresh"><base href="http://127.0.0.1:PROBE/">
<meta http-equiv="Content-Security-Policy" content="default-src *"><script>evil('script')</script><script src="http://127.0.0.1:PROBE/s.js"></script>
<link rel="stylesheet" href="http://127.0.0.1:PROBE/s.css"><link rel="prefetch" href="http://127.0.0.1:PROBE/p"><link rel="dns-prefetch" href="//127.0.0.1:PROBE">
<style>@import "http://127.0.0.1:PROBE/i.css"; @font-face { font-family: x; src: url(http://127.0.0.1:PROBE/f.woff) }
body { font-family: x; background: u\72l(http://127.0.0.1:PROBE/b.png) } input[value^=a] { background: url(http://127.0.0.1:PROBE/a) }
#cover { position: fixed; inset: 0; z-index: 2147483647; opacity: 0.01 }</style></head>
<body onload="evil('load')" background="http://127.0.0.1:PROBE/bg.png"><h1 onclick="evil('h1')">Free lamps</h1>
<img name="querySelector" src="x" onerror="evil('error')"><img src="http://127.0.0.1:PROBE/i.png" srcset="http://127.0.0.1:PROBE/i2.png 2x">
<a id="js" href="javascript:evil('link')">a link</a> <a id="top" href="http://127.0.0.1:PROBE/top" target="_top">another</a>
<iframe src="http://127.0.0.1:PROBE/frame" srcdoc="<script>parent.evil('frame')</script>"></iframe><object data="http://127.0.0.1:PROBE/o"></object>
<form id="f" action="http://127.0.0.1:PROBE/form"><input name="elements" value="abc"><input name="q"><button formaction="http://127.0.0.1:PROBE/b">Send</button></form>
<svg><script>evil('svg')</script><image href="http://127.0.0.1:PROBE/svg.png"/><a href="javascript:evil('a')"><text y="20">svg</text></a></svg>
<video src="http://127.0.0.1:PROBE/v" autoplay onplay="evil('v')"></video><audio src="http://127.0.0.1:PROBE/a" autoplay></audio>
<noscript><img src="http://127.0.0.1:PROBE/n.png" onerror="evil('noscript')"></noscript><template><script>evil('template')</script></template>
<details open ontoggle="evil('toggle')"><summary>more</summary>text</details><input autofocus onfocus="evil('focus')"><marquee onstart="evil('m')">m</marquee>
<p>The price is $ 9</p></body></html>"#;

#[test]
fn a_hostile_page_stays_harmless() {
    let Some(mut chrome) = Chrome::start() else { return };
    let chrome = &mut chrome;
    let probe = std::net::TcpListener::bind("127.0.0.1:0").expect("a port");
    probe.set_nonblocking(true).expect("it does not wait");
    let port = probe.local_addr().expect("an address").port();
    let bench = Bench::new();
    // What runs leaves a sign.
    let page = HOSTILE
        .replace("PROBE", &port.to_string())
        .replace("evil(", "document.documentElement.dataset.evil=(");
    bench.write("shop/index.html", page);
    let words = [
        "teach",
        "http://shop.example/",
        "--lesson",
        "shop.json",
        "--mirror",
        "http://shop.example/=shop",
    ];
    let served = Served::start(&bench, &words);
    let tab = &chrome.open(&served.url, WINDOW);
    chrome.wait_in_frame(
        tab,
        "document.readyState === 'complete' && document.querySelector('h1')",
    );
    let address = chrome.eval(tab, "location.href");
    assert_eq!(
        chrome.eval_in_frame(tab, "origin"),
        "null",
        "the frame has an origin of its own"
    );
    // What is clicked is told, and does nothing else: links, covers and buttons included.
    for element in ["h1", "#js", "#top", "p", "summary", "#f button"] {
        chrome.eval(tab, "document.querySelector('.card a[data-soft]')?.click()");
        chrome.wait(
            tab,
            "!document.querySelector('.card') && !document.querySelector('#panel[aria-busy]')",
        );
        chrome.click_in_frame(tab, &format!("document.querySelector({element:?})"));
        chrome.wait(tab, "document.querySelector('.card')");
    }
    chrome.screens(tab, "teach-hostile");
    std::thread::sleep(std::time::Duration::from_millis(500));
    let signs = chrome.eval_in_frame(
        tab,
        "document.querySelectorAll('script').length + ' ' + document.documentElement.dataset.evil",
    );
    assert_eq!(signs, "1 undefined", "one script, ours");
    assert_eq!(
        chrome.eval(tab, "String(document.documentElement.dataset.evil)"),
        "undefined"
    );
    let here = chrome.eval(tab, "location.href.split('?')[0]");
    assert_eq!(
        here,
        address.as_str().expect("a text").split('?').next().expect("a start"),
        "the studio stays where it is"
    );
    assert!(probe.accept().is_err(), "nothing was asked for but through the program");
}

/// A server on loopback that answers each path with what `answer` says, and counts who comes.
fn loopback(answer: impl Fn(&str) -> String + Send + 'static) -> (u16, Arc<AtomicUsize>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let port = listener.local_addr().expect("an address").port();
    let n_connections = Arc::new(AtomicUsize::new(0));
    let counter = n_connections.clone();
    thread::spawn(move || {
        for mut stream in listener.incoming().flatten() {
            counter.fetch_add(1, Ordering::SeqCst);
            let mut head = [0; 4096];
            let n_bytes = stream.read(&mut head).unwrap_or(0);
            let head = String::from_utf8_lossy(&head[..n_bytes]).into_owned();
            let _ = stream.write_all(answer(head.split(' ').nth(1).unwrap_or("/")).as_bytes());
        }
    });
    (port, n_connections)
}

fn html_answer(html: &str) -> String {
    let n_bytes = html.len();
    format!(
        "HTTP/1.1 200 OK\r\nConnection: close\r\nContent-Type: text/html\r\nContent-Length: {n_bytes}\r\n\r\n{html}"
    )
}

/// What the studio answers to a GET.
fn get(url: &str) -> String {
    let address = url.strip_prefix("http://").expect("an address");
    let (host, path) = address.split_once('/').expect("a path");
    let mut stream = TcpStream::connect(host).expect("it listens");
    write!(
        stream,
        "GET /{path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\n\r\n"
    )
    .expect("it hears");
    let mut answer = Vec::new();
    stream.read_to_end(&mut answer).expect("it answers");
    String::from_utf8_lossy(&answer).into_owned()
}

/// Files below a folder in which a text stands.
fn files_with(folder: &std::path::Path, text: &[u8]) -> usize {
    let entries = std::fs::read_dir(folder).into_iter().flatten().flatten();
    let count = |path: std::path::PathBuf| match path.is_dir() {
        true => files_with(&path, text),
        false => {
            let bytes = std::fs::read(&path).unwrap_or_default();
            usize::from(bytes.windows(text.len()).any(|part| part == text))
        }
    };
    entries.map(|entry| count(entry.path())).sum()
}

#[test]
fn an_entry_inside_a_private_network_is_led_nowhere_else() {
    let secret = || loopback(|_| html_answer("<h1>The secret of the neighbour</h1>"));
    // Each hop is refused before anybody is connected to: in one direction, and in the other.
    for path in ["/", "/twice"] {
        let (other, n_asked) = secret();
        let (home, _) = loopback(move |asked| {
            let to = match asked {
                "/twice" => "/once".to_owned(),
                "/robots.txt" => return html_answer(""),
                _ => format!("http://127.0.0.1:{other}/secret"),
            };
            format!("HTTP/1.1 302 Found\r\nConnection: close\r\nLocation: {to}\r\nContent-Length: 0\r\n\r\n")
        });
        let bench = Bench::new();
        let entry = format!("http://127.0.0.1:{home}{path}");
        let words = ["teach", entry.as_str(), "--lesson", "home.json", "--delay", "0"];
        let served = Served::start(&bench, &words);
        let told = get(&served.url);
        assert!(told.contains("its own origin alone"), "{told}");
        assert_eq!(n_asked.load(Ordering::SeqCst), 0, "nobody was connected to");
        assert_eq!(files_with(bench.path(), b"secret of the neighbour"), 0);
    }
    // Without a redirect elsewhere, the same entry is shown.
    let (home, _) = loopback(|_| html_answer("<h1>At home</h1>"));
    let (bench, entry) = (Bench::new(), format!("http://127.0.0.1:{home}/"));
    let served = Served::start(&bench, &["teach", &entry, "--lesson", "home.json", "--delay", "0"]);
    let told = get(&served.url);
    assert!(told.contains("id=\"panel\""), "{told}");
}
