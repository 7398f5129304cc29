//! Golden tests of the paper's algorithms: the three-links rule, back class-links, the recursion
//! guard, on small sites.

use proptest::prelude::*;
use untemplate::page::{Page, ParseOptions, Response};
use untemplate::site::{ExploreOptions, Explored, Gathered, MapSite};
use url::Url;

use super::paper_crawl::PaperCrawl;
use super::search::Indesit;
use super::{Algorithm, SimilarityOptions, find_similar};

fn site_url(path: &str) -> Url {
    Url::parse("http://site.example/")
        .and_then(|home| home.join(path))
        .expect("a good address")
}

/// A list of links in an element, so that each element gives a tag path of its own.
fn list(tag: &str, paths: &[String]) -> String {
    let links = paths.iter().map(|path| format!("<a href={path}>x</a>"));
    format!("<{tag}>{}</{tag}>", links.collect::<String>())
}

/// A page of a class: twelve links at paths that no other class has, so that its pages are similar
/// to each other alone.
fn page(class: &str, rest: &str) -> String {
    let own = (0..12).map(|depth| {
        format!(
            "{}<{class}><a href=http://other.example/>o</a>{}",
            "<div>".repeat(depth),
            "</div>".repeat(depth)
        )
    });
    format!("<body>{}{rest}", own.collect::<String>())
}

fn paper_options(algorithm: Algorithm) -> SimilarityOptions {
    SimilarityOptions {
        algorithm,
        is_faithful: true,
        ..SimilarityOptions::default()
    }
}

fn gather_from(site: &mut MapSite, sample: &str, options: &SimilarityOptions) -> Gathered {
    let html = site.pages[sample].clone();
    let response = Response::html(site_url(sample), html);
    find_similar(site, &Page::read(&response, &ParseOptions::default()), options)
}

fn paths(gathered: &Gathered) -> Vec<String> {
    let mut paths: Vec<String> = gathered.pages.iter().map(|page| page.url.path().to_owned()).collect();
    paths.sort();
    paths
}

fn names(prefix: &str, count: usize) -> Vec<String> {
    (0..count).map(|number| format!("{prefix}{number}")).collect()
}

/// G3: how many links of one collection step 1 follows, by the classes they lead to.
fn check_discovery(classes: &str, expected: usize) {
    let targets = names("/t", classes.len());
    let mut site = MapSite::new([("/sample".to_owned(), page("p", &list("ul", &targets)))]);
    for (path, class) in targets.iter().zip(classes.chars()) {
        // A class of one letter: its pages have one path, which tells them apart.
        let html = format!("<body><{class}x><a href=http://other.example/>o</a>");
        site.pages.insert(path.clone(), html);
    }
    let gathered = gather_from(&mut site, "/sample", &paper_options(Algorithm::Indesit));
    assert_eq!(gathered.pages.len(), 1, "nothing is like the sample");
    assert_eq!(gathered.downloads, expected, "{classes}");
}

#[test]
fn g3_three_links_to_one_cluster_are_enough() {
    check_discovery(&"a".repeat(100), 3);
    check_discovery("ababa", 5);
    check_discovery("abcdefgh", 8);
}

/// A site of players: each links to its team and the next one, teams link to their players, the
/// home page to all teams.
fn players_and_teams(n_teams: usize, n_players: usize) -> MapSite {
    let mut site = MapSite::default();
    let teams = names("/team", n_teams);
    site.pages.insert("/home".to_owned(), page("em", &list("ol", &teams)));
    for team in 0..n_teams {
        let players: Vec<String> = (0..n_players).map(|player| format!("/p{team}-{player}")).collect();
        let home = ["/home".to_owned()];
        let html = page("b", &format!("{}{}", list("ul", &players), list("h3", &home)));
        site.pages.insert(format!("/team{team}"), html);
        for player in players {
            let teams = [format!("/team{team}"), format!("/team{}", (team + 1) % n_teams)];
            site.pages.insert(player, page("i", &list("h2", &teams)));
        }
    }
    site
}

/// G4: players lead to teams, teams to players. It ends, and all players of all teams are found
/// through the home page.
#[test]
fn g4_a_loop_of_classes_ends() {
    let mut site = players_and_teams(4, 5);
    let gathered = gather_from(&mut site, "/p0-0", &paper_options(Algorithm::Indesit));
    assert_eq!(gathered.pages.len(), 20, "{:?}", paths(&gathered));
    assert!(paths(&gathered).iter().all(|path| path.starts_with("/p")));
    assert_eq!(gathered.pages[0].url, site_url("/p0-0"), "the sample comes first");
    assert!(gathered.downloads <= site.pages.len());
    assert!(gathered.evaluations > gathered.downloads);
}

#[test]
fn g4_the_guard_is_met() {
    let mut site = players_and_teams(6, 3);
    let options = paper_options(Algorithm::Indesit);
    let response = Response::html(site_url("/p0-0"), site.pages["/p0-0"].clone());
    let mut explored = Explored::new(site_url("/"), &ExploreOptions::default());
    let first = explored
        .add(&Page::read(&response, &ParseOptions::default()))
        .expect("a page of the site");
    let mut search = Indesit::new(PaperCrawl {
        site: &mut site,
        options: &options,
        explored,
    });
    assert_eq!(search.search(&[first]).len(), 18);
    assert!(
        search.guarded > 0,
        "players are not searched for while they are being searched for"
    );
}

/// G2: a class-link with one link to a page that is not similar is worth nothing, and is not
/// followed further; another one leads back.
#[test]
fn g2_an_impure_class_link_is_dropped_at_once() {
    let targets = names("/t", 6);
    let mixed: Vec<String> = ["/t1", "/odd", "/m2", "/m3", "/m4"].map(str::to_owned).to_vec();
    let mut site = MapSite::new([(
        "/index".to_owned(),
        page("b", &format!("{}{}", list("ol", &mixed), list("ul", &targets))),
    )]);
    for path in &targets {
        site.pages
            .insert(path.clone(), page("i", &list("h2", &["/index".to_owned()])));
    }
    site.pages.insert("/odd".to_owned(), page("u", ""));
    for path in ["/m2", "/m3", "/m4"] {
        site.pages.insert(path.to_owned(), page("s", ""));
    }
    let gathered = gather_from(&mut site, "/t0", &paper_options(Algorithm::Indesit));
    assert_eq!(paths(&gathered), targets);
    let first_asked = site
        .asked
        .iter()
        .position(|path| path == "/odd")
        .expect("the mixed links are followed");
    let later: Vec<&String> = site.asked[first_asked..]
        .iter()
        .filter(|path| path.starts_with("/m"))
        .collect();
    // Recursion on the index looks at its own neighbourhood, where the rest of the collection is
    // met; evaluation does not follow it, and goes on to the next class-link.
    let place = |path: &str| site.asked.iter().position(|asked| asked == path);
    assert!(place("/t5") < place("/m2"), "{:?}", site.asked);
    assert_eq!(later, ["/m2", "/m3", "/m4"]);
}

/// Step 4: each neighbour that leads to targets is searched for in its turn. Some targets stand on
/// team pages alone, others on year pages alone.
#[test]
fn every_index_is_searched_for() {
    let mut site = MapSite::default();
    for (index, class, hub, hub_class) in [("team", "b", "/teams", "em"), ("year", "s", "/years", "u")] {
        let indices = names(&format!("/{index}"), 5);
        site.pages
            .insert(hub.to_owned(), page(hub_class, &list("ol", &indices)));
        for (number, path) in indices.iter().enumerate() {
            let mut targets = names(&format!("/p-{index}{number}-"), 4);
            for target in &targets {
                let (team, year) = if index == "team" { (number, 0) } else { (0, number) };
                let links = format!(
                    "{}{}",
                    list("h2", &[format!("/team{team}")]),
                    list("h4", &[format!("/year{year}")])
                );
                site.pages.insert(target.clone(), page("i", &links));
            }
            if number == 0 {
                targets.push("/p".to_owned());
            }
            let html = page(
                class,
                &format!("{}{}", list("ul", &targets), list("h3", &[hub.to_owned()])),
            );
            site.pages.insert(path.clone(), html);
        }
    }
    let links = format!(
        "{}{}",
        list("h2", &["/team0".to_owned()]),
        list("h4", &["/year0".to_owned()])
    );
    site.pages.insert("/p".to_owned(), page("i", &links));
    let gathered = gather_from(&mut site, "/p", &paper_options(Algorithm::Indesit));
    assert_eq!(gathered.pages.len(), 41, "{:?}", paths(&gathered));
}

#[test]
fn trivial_search_finds_them_too_and_looks_more_often() {
    let mut site = players_and_teams(4, 5);
    let trivial = gather_from(&mut site, "/p0-0", &paper_options(Algorithm::Trivial));
    let mut site = players_and_teams(4, 5);
    let indesit = gather_from(&mut site, "/p0-0", &paper_options(Algorithm::Indesit));
    assert_eq!(paths(&trivial), paths(&indesit));
    assert!(trivial.downloads <= site.pages.len());
}

#[test]
fn a_page_that_is_alone_is_alone() {
    let mut site = players_and_teams(4, 5);
    for algorithm in [Algorithm::Trivial, Algorithm::Indesit] {
        let gathered = gather_from(&mut site, "/home", &paper_options(algorithm));
        assert_eq!(paths(&gathered), ["/home"]);
    }
}

#[test]
fn without_links_everything_small_is_similar_unless_forms_count() {
    let mut site = MapSite::new([
        ("/a", "<h1>A</h1><p>x</p><a href=/b>b</a>"),
        ("/b", "<table><tr><td>B<td>1</table><a href=/a>a</a>"),
    ]);
    let faithful = gather_from(&mut site, "/a", &paper_options(Algorithm::Indesit));
    assert_eq!(faithful.pages.len(), 2);
    let options = SimilarityOptions {
        is_faithful: false,
        ..paper_options(Algorithm::Indesit)
    };
    assert_eq!(gather_from(&mut site, "/a", &options).pages.len(), 1);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    /// Whatever links to whatever: it ends, the sample is first, nothing is asked for twice,
    /// nothing is listed twice.
    #[test]
    fn any_site_is_left_again(links in prop::collection::vec(prop::collection::vec(0usize..30, 0..8), 1..30), kinds in prop::collection::vec(0usize..4, 30)) {
        let tags = ["p", "h1", "td", "em"];
        let page = |at: usize, to: &Vec<usize>| {
            let links: String = to.iter().map(|to| format!("<a href=/{}/{to}>x</a>", kinds[*to])).collect();
            (format!("/{}/{at}", kinds[at]), format!("<{0}>{links}</{0}>", tags[kinds[at]]))
        };
        let mut site = MapSite::new(links.iter().enumerate().map(|(at, to)| page(at, to)));
        let first = format!("/{}/0", kinds[0]);
        for algorithm in [Algorithm::Indesit, Algorithm::Trivial] {
            site.asked.clear();
            let options = SimilarityOptions { algorithm, ..SimilarityOptions::default() };
            let gathered = gather_from(&mut site, &first, &options);
            prop_assert_eq!(gathered.pages[0].url.path(), first.as_str());
            let mut asked = site.asked.clone();
            asked.sort();
            asked.dedup();
            prop_assert_eq!(asked.len(), site.asked.len());
            let mut listed: Vec<&str> = gathered.pages.iter().map(|page| page.url.as_str()).collect();
            listed.sort_unstable();
            listed.dedup();
            prop_assert_eq!(listed.len(), gathered.pages.len());
        }
    }
}
