//! Workers that share an archive: each page once however many they are, and how many pages a second
//! that makes.
//!
//! The site has many hosts, which this test answers for as the workers' proxy, each answer after a
//! while. `UNTEMPLATE_SPEED` has the number of hosts, of pages on each, the milliseconds of an
//! answer and the numbers of workers ("6 3 30 1,2" by default); `cargo xtask bench workers` sets
//! it.

mod program;

#[path = "../../untemplate-store/tests/postgres_server/mod.rs"]
mod postgres_server;

use std::io::{BufRead, BufReader, Write};
use std::net::{TcpListener, TcpStream};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::time::{Duration, Instant};

use postgres_server::PostgresServer;
use program::Bench;

/// Requests that one worker has under way.
const CONCURRENCY: usize = 8;

#[derive(Clone, Copy)]
struct Plan {
    hosts: usize,
    pages: usize,
    answer: Duration,
}

/// The hosts of a site, behind a proxy on this machine.
struct Hosts {
    address: String,
    n_pages: Arc<AtomicUsize>,
}

impl Hosts {
    fn start(plan: Plan) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let address = listener.local_addr().expect("an address").to_string();
        let n_pages = Arc::new(AtomicUsize::new(0));
        let count = Arc::clone(&n_pages);
        std::thread::spawn(move || {
            for stream in listener.incoming().flatten() {
                let count = Arc::clone(&count);
                std::thread::spawn(move || answer(stream, plan, &count));
            }
        });
        Self { address, n_pages }
    }
}

/// Answers one request: `GET http://h3.cup.example/5 HTTP/1.1`, as proxies are asked.
fn answer(stream: TcpStream, plan: Plan, count: &AtomicUsize) -> Option<()> {
    let mut lines = BufReader::new(stream.try_clone().ok()?).lines();
    let first = lines.next()?.ok()?;
    while !lines.next()?.ok()?.is_empty() {}
    let path = first.split(' ').nth(1)?.splitn(4, '/').nth(3)?.to_owned();
    std::thread::sleep(plan.answer);
    let body = match path.as_str() {
        "" => {
            let hosts = (0..plan.hosts).map(|host| format!("<li><a href=http://h{host}.cup.example/>Host {host}</a>"));
            let pages = (1..plan.pages).map(|page| format!("<li><a href=/{page}>Page {page}</a>"));
            Some(format!(
                "<title>Host</title><ul>{}</ul>",
                hosts.chain(pages).collect::<String>()
            ))
        }
        page => page
            .parse::<usize>()
            .ok()
            .map(|page| format!("<title>Page {page}</title><p>{first}")),
    };
    count.fetch_add(usize::from(body.is_some()), Ordering::Relaxed);
    let (status, body) = body.map_or(("404 Not Found", String::new()), |body| ("200 OK", body));
    let length = body.len();
    let head = format!("HTTP/1.1 {status}\r\nContent-Type: text/html\r\nContent-Length: {length}\r\nConnection: close");
    (&stream).write_all(format!("{head}\r\n\r\n{body}").as_bytes()).ok()
}

fn worker(bench: &Bench, hosts: &Hosts, archive: &str) -> Child {
    let workers = CONCURRENCY.to_string();
    Command::new(env!("CARGO_BIN_EXE_untemplate"))
        .args(["archive", "http://h0.cup.example/", "--archive", archive])
        .args(["--scope", "domain", "--delay", "0", "--workers", &workers, "-q"])
        .env("http_proxy", format!("http://{}", hosts.address))
        .env_remove("no_proxy")
        .env_remove("NO_PROXY")
        .current_dir(bench.path())
        .stdout(Stdio::null())
        .spawn()
        .expect("the program starts")
}

#[test]
fn workers_share_the_hosts_of_a_site() {
    let setting = std::env::var("UNTEMPLATE_SPEED").unwrap_or_else(|_| "6 3 30 1,2".to_owned());
    let words: Vec<&str> = setting.split(' ').collect();
    let number = |index: usize| words[index].parse::<usize>().expect("a number");
    let plan = Plan {
        hosts: number(0),
        pages: number(1),
        answer: Duration::from_millis(number(2) as u64),
    };
    let Some(postgres) = PostgresServer::start() else {
        return;
    };
    let (bench, hosts) = (Bench::new(), Hosts::start(plan));
    eprintln!("workers  seconds  pages a second");
    for n_workers in words[3]
        .split(',')
        .map(|number| number.parse::<usize>().expect("a number"))
    {
        let archive = postgres.address(&format!("schema=by_{n_workers}"));
        let (started, before) = (Instant::now(), hosts.n_pages.load(Ordering::Relaxed));
        let workers: Vec<Child> = (0..n_workers).map(|_| worker(&bench, &hosts, &archive)).collect();
        for mut worker in workers {
            assert_eq!(worker.wait().expect("it ends").code(), Some(0));
        }
        let seconds = started.elapsed().as_secs_f64();
        let n_pages = hosts.n_pages.load(Ordering::Relaxed) - before;
        assert_eq!(n_pages, plan.hosts * plan.pages, "each page is fetched once");
        eprintln!("{n_workers:7}  {seconds:7.1}  {:14.1}", n_pages as f64 / seconds);
    }
}
