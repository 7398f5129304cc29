//! `studio` from outside: a real browser looks at what is there and starts jobs.

mod chrome;
mod program;
mod teaching;

use chrome::Chrome;
use program::Bench;
use serde_json::Value;
use teaching::{MIRROR, Served, WINDOW, by_text, site, write_site};
use untemplate_demo::{Server, ServerOptions};

fn start_studio(bench: &Bench, words: &[&str]) -> Served {
    Served::start(bench, &[&["studio"], words].concat())
}

/// From the list of players to each of them.
const SPEC: &str = r#"<codec version="1" site="http://cup.example/">
  <page-class id="HOME" entry="true"><address>http://cup.example/</address></page-class>
  <page-class id="FINDER"/>
  <page-class id="RESULTS"><assertion><xpath>//h1[.='Players found']</xpath></assertion></page-class>
  <page-class id="PLAYER"><assertion><xpath>//main[@class='person']/h1</xpath></assertion></page-class>
  <request-class id="TOFORM" from="HOME" to="FINDER" method="GET">
    <rule class="ABSOLUTE"><xpath>//a[.='Find a player'][1]/@href</xpath></rule>
  </request-class>
  <request-class id="BYPOSITION" from="FINDER" to="RESULTS" method="POST">
    <form xpath="//main/form[1]"><field name="position" values="options"/><field name="name" const=""/></form>
  </request-class>
  <request-class id="NEXT" from="RESULTS" to="RESULTS" method="GET">
    <rule class="ABSOLUTE"><xpath>//link[@rel='next']/@href</xpath></rule>
  </request-class>
  <request-class id="HIT" from="RESULTS" to="PLAYER" method="GET">
    <rule class="ABSOLUTE"><xpath>//td[@class='name']/a/@href</xpath></rule>
  </request-class>
  <wrapper page-class="PLAYER">
    <field name="name" optional="false"><rule class="ABSOLUTE"><xpath>//main/h1[1]/text()</xpath></rule></field>
    <field name="born" optional="true"><rule class="ABSOLUTE"><xpath>//dd[@class='date-of-birth']</xpath></rule></field>
  </wrapper>
  <path name="positions">HOME TOFORM FINDER BYPOSITION RESULTS HIT PLAYER</path>
</codec>
"#;

fn link(text: &str) -> String {
    by_text("a", text)
}

#[test]
fn a_specification_is_run_and_each_cell_leads_to_its_page() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    write_site(&bench);
    bench.write("players.xml", SPEC);
    let studio = start_studio(&bench, &MIRROR);
    let tab = chrome.open(&studio.at(""), WINDOW);
    chrome.click(&tab, &link("players.xml"));
    chrome.wait(&tab, "document.querySelector('pre').textContent.includes('PLAYER')");
    chrome.screens(&tab, "look-specification");
    chrome.click(&tab, &link("Run it"));
    chrome.wait(&tab, "document.querySelector('#specification')");
    chrome.click(&tab, "document.querySelector('form.job button')");
    chrome.wait(&tab, "document.querySelector('.state').textContent === 'complete'");
    chrome.click(&tab, &link("Look at the tables"));
    chrome.click(&tab, &link("PLAYER"));
    chrome.wait(&tab, "document.querySelectorAll('.grid tbody tr').length === 50");
    chrome.wait(
        &tab,
        "[...document.images].every(image => image.complete && image.naturalWidth > 0)",
    );
    chrome.screens(&tab, "look-table");
    // Sorted by name, filtered, and turned to the next screen.
    chrome.click(&tab, &link("name"));
    chrome.wait(&tab, "document.querySelector('th[aria-sort=ascending]')");
    let names = "[...document.querySelectorAll('.grid tbody tr')].map(row => row.cells[1].textContent)";
    let sorted = chrome.eval(
        &tab,
        &format!("JSON.stringify({names}) === JSON.stringify({names}.sort())"),
    );
    assert_eq!(sorted, Value::Bool(true));
    chrome.click(&tab, &link("Next →"));
    chrome.wait(&tab, "document.querySelectorAll('.grid tbody tr').length === 10");
    let name = chrome
        .eval(&tab, &format!("{names}[3]"))
        .as_str()
        .expect("a name")
        .to_owned();
    chrome.eval(
        &tab,
        &format!("document.querySelector('#where').value = 'name'; document.querySelector('#value').value = {name:?}"),
    );
    chrome.click(&tab, "document.querySelector('form.filter button')");
    chrome.wait(
        &tab,
        "document.querySelectorAll('.grid tbody tr').length === 1 && document.querySelector('.chip')",
    );
    chrome.screens(&tab, "look-filter");
    // The cell leads to its page, and the spot is marked there.
    chrome.click(&tab, &link(&name));
    chrome.wait(&tab, "document.querySelector('#panel blockquote')");
    chrome.wait_in_frame(
        &tab,
        &format!("document.querySelector('[data-mark~=candidate]').textContent === {name:?}"),
    );
    let spot = chrome.eval(&tab, "document.querySelector('.facts').innerText");
    assert!(spot.as_str().is_some_and(|spot| spot.contains("/h1[1]")), "{spot}");
    chrome.screens(&tab, "look-cell");
    chrome.go(
        &tab,
        &studio.at("/look/table/column?at=untemplate-jobs/run-players-xml-1/tables&table=PLAYER&column=born"),
    );
    chrome.wait(&tab, "document.body.innerText.includes('Different values')");
    chrome.screens(&tab, "look-column");
}

#[test]
fn a_model_is_made_and_looked_at() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    write_site(&bench);
    let studio = start_studio(&bench, &[]);
    let tab = chrome.open(&studio.at("/jobs?verb=model"), WINDOW);
    chrome.screens(&tab, "look-job-form");
    chrome.eval(&tab, "document.querySelector('#entry').value = 'http://cup.example/'; document.querySelector('#mirror').value = 'cup/site'");
    chrome.click(&tab, "document.querySelector('form.job button')");
    // The view follows the job by itself.
    chrome.wait(&tab, "document.querySelector('.state').textContent === 'complete'");
    chrome.screens(&tab, "look-job-done");
    chrome.click(
        &tab,
        "[...document.querySelectorAll('a')].find(a => a.textContent === 'Look at the model')",
    );
    chrome.wait(&tab, "document.querySelectorAll('svg.graph .node').length > 5");
    chrome.screens(&tab, "look-model");
    chrome.click(&tab, "document.querySelector('svg.graph .node circle')");
    chrome.wait(
        &tab,
        "location.hash.startsWith('#c') && document.querySelector(location.hash).matches('section.class')",
    );
    // A sample of the class is shown out of the archive, in its frame.
    chrome.eval(&tab, "document.querySelector('section.class details').open = true");
    chrome.click(&tab, "document.querySelector('section.class details li a')");
    chrome.wait(&tab, "document.querySelector('#panel')");
    chrome.wait_in_frame(&tab, "document.body.innerText.includes('Lantern Cup')");
    chrome.screens(&tab, "look-page");
    chrome.go(&tab, &studio.at(""));
    chrome.screens(&tab, "look-sites");
    chrome.click(&tab, "document.querySelector('details.files summary')");
    chrome.wait(
        &tab,
        "document.body.innerText.includes('untemplate-jobs/model-cup-example-1/model.json')",
    );
    chrome.screens(&tab, "look-index");
}

#[test]
fn a_crawl_is_watched_cancelled_and_goes_on() {
    let Some(mut chrome) = Chrome::start() else { return };
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site is served");
    let entry = server.url();
    let bench = Bench::new();
    let mut studio = start_studio(&bench, &["--allow-private"]);
    let tab = chrome.open(&studio.at("/jobs?verb=model"), WINDOW);
    chrome.eval(&tab, &format!("document.querySelector('#entry').value = {entry:?}"));
    chrome.click(&tab, "document.querySelector('form.job button')");
    // The host rests a second between requests, so that there is time to look.
    chrome.wait(
        &tab,
        "Number(document.querySelector('[data-figure=done]').textContent) >= 3",
    );
    chrome.screens(&tab, "look-live");
    let seen = chrome.eval(&tab, "document.querySelector('[data-figure=waiting]').textContent");
    assert_ne!(seen, Value::from("–"), "the queue is told");
    // A reload finds the job as it is.
    chrome.call(Some(&tab), "Page.reload", serde_json::json!({}));
    chrome.wait(
        &tab,
        "Number(document.querySelector('[data-figure=done]').textContent) >= 3",
    );
    chrome.click(
        &tab,
        "[...document.querySelectorAll('button')].find(b => b.textContent === 'Cancel')",
    );
    chrome.wait(
        &tab,
        "document.querySelector('.state').textContent.startsWith('interrupted')",
    );
    let ended = std::fs::read_dir(bench.path().join("untemplate-jobs"))
        .expect("jobs")
        .flatten()
        .next()
        .expect("a job");
    let code = std::fs::read_to_string(ended.path().join("ended.json")).expect("it ended");
    assert_eq!(code.trim(), r#"{"code":130}"#);
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(ended.path().join("summary.json")).expect("a summary"))
            .expect("JSON");
    assert_eq!(summary["exit_code"], 130);
    let kept = summary["pages"].as_u64().expect("a number");
    assert!(kept >= 3, "{summary}");
    chrome.click(
        &tab,
        "[...document.querySelectorAll('button')].find(b => b.textContent === 'Resume')",
    );
    chrome.wait(
        &tab,
        &format!(
            "Number(document.querySelector('[data-figure=done]').textContent) > {}",
            kept + 1
        ),
    );
    // The studio ends, and so does the job: interrupted, all kept.
    assert_eq!(studio.interrupt(), 130);
    let code = std::fs::read_to_string(ended.path().join("ended.json")).expect("it ended");
    assert_eq!(code.trim(), r#"{"code":130}"#);
    let summary: Value =
        serde_json::from_str(&std::fs::read_to_string(ended.path().join("summary.json")).expect("a summary"))
            .expect("JSON");
    assert!(
        summary["reused"].as_u64().expect("a number") >= 3,
        "pages are not fetched twice: {summary}"
    );
}

#[test]
fn jobs_keep_away_from_private_addresses() {
    let Some(mut chrome) = Chrome::start() else { return };
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site is served");
    let entry = server.url();
    let bench = Bench::new();
    let studio = start_studio(&bench, &[]);
    let tab = chrome.open(&studio.at("/jobs?verb=gather"), WINDOW);
    chrome.eval(&tab, &format!("document.querySelector('#entry').value = {entry:?}"));
    chrome.click(&tab, "document.querySelector('form.job button')");
    chrome.wait(&tab, "document.querySelector('.state').textContent === 'failed'");
    let said = chrome.eval(&tab, "document.body.innerText");
    assert!(said.as_str().expect("a text").contains("127.0.0.1"), "{said}");
    chrome.screens(&tab, "look-job-failed");
}

#[test]
fn a_job_outlives_its_studio_and_the_next_one_finds_it() {
    let Some(mut chrome) = Chrome::start() else { return };
    let server = Server::start(site(), ServerOptions::default()).expect("the demo site is served");
    let entry = server.url();
    let bench = Bench::new();
    let mut studio = start_studio(&bench, &["--allow-private"]);
    let tab = chrome.open(&studio.at("/jobs?verb=model"), WINDOW);
    chrome.eval(&tab, &format!("document.querySelector('#entry').value = {entry:?}"));
    chrome.click(&tab, "document.querySelector('form.job button')");
    chrome.wait(
        &tab,
        "Number(document.querySelector('[data-figure=done]').textContent) >= 2",
    );
    let path = chrome.eval(&tab, "location.pathname.split('/').slice(2).join('/')");
    let path = format!("/{}", path.as_str().expect("a text"));
    studio.process.kill().expect("it can be killed");
    studio.process.wait().expect("it ended");

    // Two studios on the folder see it go on, and none starts it a second time.
    let (next, other) = (
        start_studio(&bench, &["--allow-private"]),
        start_studio(&bench, &["--allow-private"]),
    );
    chrome.go(&tab, &next.at(&path));
    chrome.wait(&tab, "document.querySelector('.state').textContent === 'under way'");
    let done = "Number(document.querySelector('[data-figure=done]').textContent)";
    chrome.wait(&tab, &format!("{done} >= 2"));
    let seen = chrome.eval(&tab, done);
    chrome.wait(&tab, &format!("{done} > {seen}"));
    chrome.screens(&tab, "job-found-again");
    let second = chrome.open(&other.at(&path), WINDOW);
    chrome.wait(&second, "document.querySelector('.state').textContent === 'under way'");
    let resume = other.at(&format!("{path}/resume"));
    let told = chrome.eval(
        &second,
        &format!(
            "fetch({resume:?}, {{method: 'POST'}}).then(async answer => answer.status + ' ' + await answer.text())"
        ),
    );
    let told = told.as_str().expect("a text").to_owned();
    assert!(told.starts_with("409") && told.contains("under way already"), "{told}");

    // One cancels it; both learn how it ended.
    chrome.click(
        &second,
        "[...document.querySelectorAll('button')].find(b => b.textContent === 'Cancel')",
    );
    for seen in [&tab, &second] {
        chrome.wait(
            seen,
            "document.querySelector('.state').textContent.startsWith('interrupted')",
        );
    }
    let name = path.rsplit('/').next().expect("a name");
    let summary: Value =
        serde_json::from_str(&bench.read(&format!("untemplate-jobs/{name}/summary.json"))).expect("JSON");
    assert_eq!(summary["exit_code"], 130);
}

#[test]
fn rows_appear_while_a_run_goes_on() {
    let Some(mut chrome) = Chrome::start() else { return };
    let slow = ServerOptions { port: 0, delay_ms: 150 };
    let server = Server::start(site(), slow).expect("the demo site is served");
    let bench = Bench::new();
    bench.write("players.xml", SPEC.replace("http://cup.example/", &server.url()));
    let studio = start_studio(&bench, &["--allow-private", "--delay", "0.2"]);
    let tab = chrome.open(&studio.at("/jobs?verb=run"), WINDOW);
    chrome.click(&tab, "document.querySelector('form.job button')");
    let rows = "[...document.querySelectorAll('[data-rows] tbody tr')].map(row => row.innerText)";
    chrome.wait(&tab, &format!("{rows}.length >= 2"));
    let state = chrome.eval(&tab, "document.querySelector('.state').textContent");
    assert_eq!(
        state,
        Value::from("under way"),
        "they are there before the run has ended"
    );
    let heads = chrome.eval(&tab, "document.querySelector('[data-rows] thead').innerText");
    let heads: Vec<&str> = heads.as_str().expect("a text").split_whitespace().collect();
    assert_eq!(heads, ["table", "name", "born"], "in the order of the specification");
    let first = chrome.eval(&tab, &format!("{rows}[0]"));
    assert!(first.as_str().is_some_and(|row| row.contains("PLAYER")), "{first}");
    chrome.screens(&tab, "look-rows-so-far");
    chrome.click(&tab, &by_text("button", "Cancel"));
    chrome.wait(
        &tab,
        "document.querySelector('.state').textContent.startsWith('interrupted')",
    );
}

#[test]
fn names_and_types_are_changed_by_clicks_and_the_next_run_follows() {
    let Some(mut chrome) = Chrome::start() else { return };
    let bench = Bench::new();
    write_site(&bench);
    let words = [
        "rebuild",
        "http://cup.example/",
        "-q",
        "-o",
        "out",
        "--format",
        "csv",
        MIRROR[0],
        MIRROR[1],
    ];
    assert_eq!(bench.run(&words).code, 0);
    let studio = start_studio(&bench, &[]);
    let tab = chrome.open(&studio.at("/look/table?at=out&table=stadiums"), WINDOW);
    chrome.click(&tab, &by_text("a", "Names and types"));
    let row = |name: &str| {
        format!(
            "[...document.querySelectorAll('tbody tr')].find(row => row.querySelector('input[name^=name]').value === {name:?})"
        )
    };
    chrome.wait(&tab, &row("capacity"));
    chrome.screens(&tab, "look-schema");
    chrome.eval(&tab, "document.querySelector('input[name=table]').value = 'grounds'");
    chrome.eval(
        &tab,
        &format!("{}.querySelector('select').value = 'text'", row("opened")),
    );
    chrome.eval(
        &tab,
        &format!("{}.querySelector('input[name^=name]').value = 'seats'", row("capacity")),
    );
    chrome.click(&tab, &format!("{}.querySelector('input[type=checkbox]')", row("city")));
    chrome.click(&tab, &by_text("button", "Save"));
    chrome.wait(&tab, "document.querySelector('[role=status]')");
    let address = "document.querySelector('tbody input[type=checkbox]').disabled";
    assert_eq!(chrome.eval(&tab, address), Value::Bool(true), "rows keep their address");

    let told = bench.run(&words);
    assert_eq!(told.code, 0, "{}", told.err);
    let head = bench.read("out/grounds.csv");
    let head = head.lines().next().expect("a row of names");
    assert!(head.starts_with("url,name,seats,"), "{head}");
    assert!(!head.contains(",city"), "{head}");
    chrome.go(&tab, &studio.at("/look/table?at=out&table=grounds"));
    let kind = "[...document.querySelectorAll('thead th')].find(head => head.innerText.startsWith('opened')).innerText";
    let kind = chrome.eval(&tab, kind);
    assert!(kind.as_str().is_some_and(|kind| kind.contains("text")), "{kind}");
    // What was left out can be taken back, also from a table that is written no more.
    chrome.go(&tab, &studio.at("/look/schema?at=out"));
    chrome.click(&tab, &by_text("a", "grounds"));
    chrome.wait(
        &tab,
        &format!("!{}.querySelector('input[type=checkbox]').checked", row("city")),
    );
}
