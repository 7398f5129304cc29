//! The two searches, both in pages: `/search?q=` by GET, and `/find` by POST, whose later pages are
//! links.

use super::lists::{ListPage, page_count, paginate};
use super::source::Source;
use crate::content::{Block, FormField, Link, PageContent, Value, text};
use crate::database::names::folded;
use crate::database::{Id, Position};
use crate::route::{Route, position_slug};

/// Results on a page.
pub const RESULTS_PER_PAGE: usize = 20;

/// How many popular searches are offered as links.
const POPULAR_COUNT: usize = 3;

/// How many letters a popular search has.
const POPULAR_LENGTH: usize = 3;

/// The form of the GET search, with popular searches.
pub fn search_form_page(source: &Source) -> PageContent {
    let mut page = source.page(&Route::SearchForm, "Search", Vec::new());
    let links = popular_searches(source).into_iter().map(|query| {
        let route = Route::Search(query.clone(), 1);
        source.link(&route, query)
    });
    page.blocks = vec![
        search_form(""),
        Block::Bar {
            name: "popular",
            links: links.collect(),
        },
    ];
    page
}

/// A page of results of the GET search.
pub fn search_page(query: &str, number: u32, source: &Source) -> Option<PageContent> {
    let hits = search(query, source);
    // The rows are numbered over all hits, whatever their kind.
    let rows: Vec<Id> = (0..).take(hits.len()).collect();
    let route = |number| Route::Search(query.to_owned(), number);
    let list = ListPage {
        number,
        size: RESULTS_PER_PAGE,
        title: &format!("Search: {query}"),
        route: &route,
    };
    let (mut page, shown) = paginate(&rows, &list, source)?;
    page.crumbs.push(source.link(&Route::SearchForm, "Search"));
    let shown: Vec<&Hit> = shown.iter().map(|&row| &hits[row as usize]).collect();
    page.blocks = vec![search_form(query), results_block(&shown, hits.len())];
    Some(page)
}

/// The form of the POST search.
pub fn find_form_page(source: &Source) -> PageContent {
    let mut page = source.page(&Route::FindForm, "Find a player", Vec::new());
    page.blocks = vec![find_form("", None)];
    page
}

/// A page of results of the POST search: players of a position whose name contains a text.
pub fn find_page(name: &str, position: Option<Position>, number: u32, source: &Source) -> Option<PageContent> {
    let ids = found_players(name, position, source);
    let route = |number| Route::Found(name.to_owned(), position, number);
    let list = ListPage {
        number,
        size: RESULTS_PER_PAGE,
        title: "Players found",
        route: &route,
    };
    let (mut page, shown) = paginate(&ids, &list, source)?;
    if number == 1 {
        // The first page answers the form at its own address.
        page.path = "/find".to_owned();
    }
    page.crumbs.push(source.link(&Route::FindForm, "Find a player"));
    let hits: Vec<Hit> = shown
        .iter()
        .map(|&id| Hit {
            kind: source.database.player(id).position.word(),
            link: source.player(id),
        })
        .collect();
    page.blocks = vec![
        find_form(name, position),
        results_block(&hits.iter().collect::<Vec<_>>(), ids.len()),
    ];
    Some(page)
}

/// How many pages of results the POST search has.
pub fn find_page_count(name: &str, position: Option<Position>, source: &Source) -> u32 {
    page_count(found_players(name, position, source).len(), RESULTS_PER_PAGE)
}

fn found_players(name: &str, position: Option<Position>, source: &Source) -> Vec<Id> {
    let needle = folded(name.trim());
    let names = source.index.folded_names[0].iter();
    let found =
        source.database.players.iter().zip(names).filter(|(player, name)| {
            position.is_none_or(|position| player.position == position) && name.contains(&needle)
        });
    found.map(|(player, _)| player.person.id).collect()
}

/// The searches that the site links to: how the given names of the first players begin, so that
/// none is without a result and, on a large site, each has many pages.
pub fn popular_searches(source: &Source) -> Vec<String> {
    let mut beginnings: Vec<String> = Vec::new();
    for player in &source.database.players {
        let beginning: String = folded(&player.person.first_name).chars().take(POPULAR_LENGTH).collect();
        if !beginnings.contains(&beginning) {
            beginnings.push(beginning);
        }
        if beginnings.len() == POPULAR_COUNT {
            break;
        }
    }
    beginnings
}

/// How many pages of results a search has.
pub fn search_page_count(query: &str, source: &Source) -> u32 {
    page_count(search(query, source).len(), RESULTS_PER_PAGE)
}

struct Hit {
    kind: &'static str,
    link: Link,
}

/// All players, coaches and teams whose name contains the query, accents and case aside.
fn search(query: &str, source: &Source) -> Vec<Hit> {
    let needle = folded(query.trim());
    let [players, coaches, teams] = &source.index.folded_names;
    let ids = |names: &[String]| -> Vec<Id> {
        (1..)
            .zip(names)
            .filter(|(_, name)| name.contains(&needle))
            .map(|(id, _)| id)
            .collect()
    };
    let players = ids(players).into_iter().map(|id| Hit {
        kind: "Player",
        link: source.player(id),
    });
    let coaches = ids(coaches).into_iter().map(|id| Hit {
        kind: "Coach",
        link: source.coach(id),
    });
    let teams = ids(teams).into_iter().map(|id| Hit {
        kind: "Team",
        link: source.team(id),
    });
    players.chain(coaches).chain(teams).collect()
}

fn results_block(shown: &[&Hit], total: usize) -> Block {
    let rows = shown
        .iter()
        .map(|hit| vec![Value::Link(hit.link.clone()), text(hit.kind)]);
    Block::Grid {
        name: "results",
        heading: format!("{total} found"),
        columns: &["Name", "Kind"],
        rows: rows.collect(),
    }
}

fn search_form(query: &str) -> Block {
    let field = FormField {
        name: "q",
        label: "Name",
        value: query.to_owned(),
        choices: Vec::new(),
    };
    Block::Form {
        method: "get",
        action: "/search",
        fields: vec![field],
    }
}

fn find_form(name: &str, position: Option<Position>) -> Block {
    let all = std::iter::once((String::new(), "any position"));
    let choices = all.chain(
        Position::ALL
            .iter()
            .map(|&position| (position_slug(position), position.word())),
    );
    let fields = vec![
        FormField {
            name: "name",
            label: "Name",
            value: name.to_owned(),
            choices: Vec::new(),
        },
        FormField {
            name: "position",
            label: "Position",
            value: position.map(position_slug).unwrap_or_default(),
            choices: choices.collect(),
        },
    ];
    Block::Form {
        method: "post",
        action: "/find",
        fields,
    }
}
