//! The studio over HTTP, from whoever may reach it: nothing is given to who does not know the
//! secret, and nothing done for who is not its own page.

use std::io::{Read, Write};
use std::net::{Ipv4Addr, SocketAddr, TcpStream};
use std::sync::{Arc, Mutex};

use untemplate::page::{ParseOptions, Request, Response};
use untemplate_store::{PageSource, SourceError, SourceSite};
use untemplate_studio::{JobOptions, LessonOptions, Studio, StudioOptions};

/// A site in memory that writes down what it is asked for.
struct Pages(Arc<Mutex<Vec<String>>>);

impl PageSource for Pages {
    fn answer(&mut self, request: &Request) -> Option<Result<Response, SourceError>> {
        self.0.lock().expect("nobody panicked").push(request.url.to_string());
        let (kind, body) = match request.url.path() {
            "/" => ("text/html", "<p onclick=x>Hello<script>x</script><img src=/a.png>"),
            "/a.png" => ("image/png", "png"),
            "/a.css" => ("text/css", "p{background:url(b.png)}"),
            "/a.js" => ("text/javascript", "x"),
            _ => ("text/html", "<p>Else"),
        };
        Some(Ok(Response {
            content_type: Some(kind.to_owned()),
            ..Response::html(request.url.clone(), body)
        }))
    }
}

struct Bench {
    studio: Studio,
    asked: Arc<Mutex<Vec<String>>>,
    address: SocketAddr,
    key: String,
    _folder: tempfile::TempDir,
}

impl Bench {
    fn new(own_host_only: bool) -> Self {
        let folder = tempfile::tempdir().expect("a folder");
        let asked: Arc<Mutex<Vec<String>>> = Arc::default();
        let its = Arc::clone(&asked);
        let lesson = LessonOptions {
            entry: "http://shop.example/".parse().expect("a good address"),
            file: folder.path().join("shop.json"),
            specification: None,
            own_host_only,
        };
        let studio = Studio::start(StudioOptions {
            ip: Ipv4Addr::LOCALHOST.into(),
            port: 0,
            folder: folder.path().to_owned(),
            is_private: Arc::new(|_| false),
            lesson: Some(lesson),
            jobs: JobOptions::default(),
            find_address: Arc::new(|_| Err("nobody is asked".to_owned())),
            open_site: Arc::new(move |_, _, _| {
                let pages = Pages(Arc::clone(&its));
                Ok(SourceSite::new(vec![Box::new(pages)], ParseOptions::default()))
            }),
        })
        .expect("it starts");
        let url: url::Url = studio.url().parse().expect("a good address");
        let address = format!("127.0.0.1:{}", url.port().expect("a port"))
            .parse()
            .expect("an address");
        let key = url.path().split('/').nth(1).expect("a secret").to_owned();
        Self {
            studio,
            asked,
            address,
            key,
            _folder: folder,
        }
    }

    /// Sends a request as it is; the answer as it comes.
    fn send(&self, head: &str, body: &str) -> String {
        let mut stream = TcpStream::connect(self.address).expect("it listens");
        let length = body.len();
        let request = format!("{head}\r\nContent-Length: {length}\r\nConnection: close\r\n\r\n{body}");
        stream.write_all(request.as_bytes()).expect("it reads");
        let mut answer = Vec::new();
        stream.read_to_end(&mut answer).expect("it answers");
        String::from_utf8_lossy(&answer).into_owned()
    }

    fn get(&self, path: &str) -> String {
        self.send(&format!("GET {path} HTTP/1.1\r\nHost: {}", self.address), "")
    }

    /// The secret that crawled pages know, as the page with the frame has it.
    fn pass(&self) -> String {
        let page = self.get(&format!("/{}/teach/shop", self.key));
        let frame = page.split("<iframe").nth(1).expect("there is a frame");
        let at = frame.find("src=\"/").expect("it has an address") + 6;
        frame[at..].split('/').next().expect("a secret").to_owned()
    }
}

fn check_status(answer: &str, status: u16) {
    assert!(answer.starts_with(&format!("HTTP/1.1 {status} ")), "{answer}");
}

#[test]
fn nobody_comes_in_without_the_secret_or_under_another_name() {
    let bench = Bench::new(false);
    check_status(&bench.get("/"), 404);
    check_status(&bench.get("/teach/shop"), 404);
    check_status(&bench.get(&format!("/{}x/teach/shop", bench.key)), 404);
    let path = format!("/{}/teach/shop", bench.key);
    check_status(&bench.get(&path), 200);
    check_status(
        &bench.send(&format!("GET {path} HTTP/1.1\r\nHost: evil.example"), ""),
        421,
    );
    assert!(bench.studio.url().contains(&bench.key));
}

#[test]
fn only_our_own_pages_choose() {
    let bench = Bench::new(false);
    let path = format!("/{}/teach/shop/do", bench.key);
    let body = "act=show&class=HOME&page=0&seen=0&field=word&value=Hello";
    let head = |more: &str| {
        format!(
            "POST {path} HTTP/1.1\r\nHost: {}\r\nContent-Type: application/x-www-form-urlencoded{more}",
            bench.address
        )
    };
    check_status(&bench.send(&head(""), body), 403);
    check_status(&bench.send(&head("\r\nOrigin: null"), body), 403);
    check_status(&bench.send(&head("\r\nOrigin: http://evil.example"), body), 403);
    let own = format!("\r\nOrigin: http://{}", bench.address);
    check_status(
        &bench.send(&head(&format!("{own}\r\nSec-Fetch-Site: cross-site")), body),
        403,
    );
    check_status(&bench.send(&head(&own), body), 303);
    assert!(bench.get(&format!("/{}/teach/shop", bench.key)).contains(">word<"));
}

#[test]
fn our_pages_and_crawled_ones_have_their_policies() {
    let bench = Bench::new(false);
    let own = bench.get(&format!("/{}/teach/shop", bench.key)).to_lowercase();
    for header in [
        "content-security-policy: default-src 'none'; script-src 'self';",
        "x-frame-options: deny",
        "x-content-type-options: nosniff",
        "cache-control: no-store",
    ] {
        assert!(own.contains(header), "{header}: {own}");
    }
    assert!(own.contains("sandbox=\"allow-scripts\""), "{own}");
    let pass = bench.pass();
    assert_ne!(pass, bench.key);
    let crawled = bench.get(&format!("/{pass}/shop/page?class=HOME&page=0"));
    check_status(&crawled, 200);
    assert!(
        crawled.contains("sandbox allow-scripts; default-src 'none'; script-src 'nonce-"),
        "{crawled}"
    );
    assert!(
        !crawled.contains("onclick") && !crawled.contains(&bench.key),
        "{crawled}"
    );
    assert_eq!(crawled.matches("<script").count(), 1, "{crawled}");
    // The pass opens nothing of the studio.
    check_status(&bench.get(&format!("/{pass}/teach/shop")), 404);
    let post = format!(
        "POST /{pass}/shop/page HTTP/1.1\r\nHost: {0}\r\nOrigin: http://{0}",
        bench.address
    );
    check_status(&bench.send(&post, ""), 403);
}

#[test]
fn pages_show_pictures_and_styles_and_nothing_else() {
    let bench = Bench::new(true);
    let pass = bench.pass();
    let resource = |url: &str| bench.get(&format!("/{pass}/shop/resource?u={url}"));
    check_status(&resource("http://shop.example/a.png"), 200);
    let style = resource("http://shop.example/a.css");
    assert!(
        style.contains("/resource?u=http%3A%2F%2Fshop.example%2Fb.png"),
        "{style}"
    );
    check_status(&resource("http://shop.example/a.js"), 404);
    check_status(&resource("http://shop.example/"), 404);
    // An entry inside a private network shows what its own host has, and asks nobody else.
    bench.asked.lock().expect("nobody panicked").clear();
    for url in [
        "http://other.example/a.png",
        "http://127.0.0.1/a.png",
        "file:///etc/passwd",
        "ftp://shop.example/a.png",
        "x",
    ] {
        check_status(&resource(url), 404);
    }
    assert_eq!(
        bench.asked.lock().expect("nobody panicked").as_slice(),
        &[] as &[String]
    );
}
