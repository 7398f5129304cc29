//! A crawl of a site whose links only its scripts make, from outside; where there is no Chromium it
//! is skipped, and says so.

mod program;

use std::io::{BufRead, BufReader, Write};
use std::net::TcpListener;
use std::sync::{Arc, Mutex};
use std::thread;

use program::{Bench, contents};

/// Connections that the server takes before it leaves.
const CONNECTIONS_MAX: usize = 200;

/// What the site has.
fn body_of(path: &str) -> Option<(&'static str, &'static str)> {
    let script = "for (const name of ['ada', 'bo']) document.body.insertAdjacentHTML('beforeend', `<p><a href=/${name}.html>${name}</a>`)";
    match path {
        "/" => Some(("text/html", "<title>Shell</title><body><script src=/app.js></script>")),
        "/app.js" => Some(("text/javascript", script)),
        "/ada.html" | "/bo.html" => Some(("text/html", "<h1>A page</h1><p>It is complete as it was fetched.")),
        _ => None,
    }
}

/// Serves the site on an address of its own; the paths that were asked for are written down.
fn serve() -> (String, Arc<Mutex<Vec<String>>>) {
    let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
    let url = format!("http://{}/", listener.local_addr().expect("its address"));
    let log = Arc::new(Mutex::new(Vec::new()));
    let asked = Arc::clone(&log);
    thread::spawn(move || {
        for stream in listener.incoming().take(CONNECTIONS_MAX).flatten() {
            let mut lines = BufReader::new(&stream).lines().map_while(Result::ok);
            let first = lines.next().unwrap_or_default();
            lines.take_while(|line| !line.is_empty()).for_each(drop);
            let path = first.split(' ').nth(1).unwrap_or("/").to_owned();
            let (status, kind, body) = body_of(&path).map_or(("404 Not Found", "text/html", ""), |(kind, body)| {
                ("200 OK", kind, body)
            });
            asked.lock().expect("nobody broke down").push(path);
            let head = format!(
                "HTTP/1.1 {status}\r\nContent-Type: {kind}\r\nContent-Length: {}\r\nConnection: close\r\n\r\n",
                body.len()
            );
            let _ = (&stream).write_all(format!("{head}{body}").as_bytes());
        }
    });
    (url, log)
}

#[test]
fn links_that_scripts_make_are_followed() {
    let (bench, (url, log)) = (Bench::new(), serve());
    let told = bench.run(&["archive", &url, "--archive", "plain", "--delay", "0", "-q"]);
    assert_eq!(told.code, 0, "{}", told.err);
    assert!(
        !log.lock().expect("nobody broke down").contains(&"/ada.html".to_owned()),
        "without scripts there is no link"
    );

    let told = bench.run(&["archive", &url, "--archive", "shown", "--delay", "0", "-q", "--render"]);
    if told.err.contains("rendering needs Chromium") {
        program::skip("no Chromium on this machine");
        return;
    }
    assert_eq!(told.code, 0, "{}", told.err);
    let kept = contents(&bench.path().join("shown"));
    let has = |path: &str| kept.keys().any(|its| its.ends_with(path));
    assert!(has("/ada.html") && has("/bo.html"), "{:?}", kept.keys());
    let shell = kept
        .iter()
        .find(|(address, _)| address.ends_with(&url[7..]))
        .expect("the entry is kept");
    assert!(
        shell.1.1.starts_with(b"<title>Shell"),
        "what is kept is the page as fetched"
    );
    let n_scripts = log
        .lock()
        .expect("nobody broke down")
        .iter()
        .filter(|path| *path == "/app.js")
        .count();
    assert_eq!(n_scripts, 1, "a script is fetched once");
}
