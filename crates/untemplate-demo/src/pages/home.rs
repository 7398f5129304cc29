//! The home page: a greeting, the latest news and results, and the sections of the site.

use super::source::Source;
use crate::content::{Block, Item, PageContent, Value, item};
use crate::database::matches::FIRST_DAY;
use crate::route::Route;

/// Articles and results shown.
const LATEST: usize = 5;

/// The home page.
pub fn home_page(source: &Source) -> PageContent {
    let mut page = source.page(&Route::Home, "The Lantern Cup", Vec::new());
    let database = &source.database;
    let greeting = format!(
        "{} players, {} teams and {} matches: all of the cup on one site.",
        database.players.len(),
        database.teams.len(),
        database.matches.len()
    );
    let news = database.articles.iter().rev().take(LATEST).map(|article| Item {
        before: Some(article.date.iso()),
        value: Value::Link(source.article(article.id)),
        after: None,
    });
    let results = database.matches.iter().rev().take(LATEST).map(|game| Item {
        before: None,
        value: Value::Link(source.fixture(game.id)),
        after: Some(source.result(game.id).text),
    });
    page.blocks = vec![
        Block::Prose {
            name: "greeting",
            heading: None,
            paragraphs: vec![greeting],
        },
        Block::Items {
            name: "latest-news",
            heading: "Latest news",
            items: news.collect(),
        },
        Block::Items {
            name: "latest-results",
            heading: "Latest results",
            items: results.collect(),
        },
        Block::Items {
            name: "sections",
            heading: "All of the cup",
            items: sections(source),
        },
    ];
    page
}

fn sections(source: &Source) -> Vec<Item> {
    let sections = [
        (Route::PlayerHub, "Players from A to Z"),
        (Route::TeamList(1), "Teams"),
        (Route::GroupHub, "Groups"),
        (Route::CoachList(1), "Coaches"),
        (Route::StadiumList(1), "Stadiums"),
        (Route::MatchList(1), "Matches"),
        (Route::NewsList(1), "News archive"),
        (Route::Calendar(FIRST_DAY.year, FIRST_DAY.month), "Calendar"),
        (Route::SearchForm, "Search"),
        (Route::FindForm, "Find a player"),
    ];
    sections
        .into_iter()
        .map(|(route, text)| item(Value::Link(source.link(&route, text))))
        .collect()
}
