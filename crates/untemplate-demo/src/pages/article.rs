//! The page of a news article, and the news archive.

use super::lists::{ListPage, paginate};
use super::source::{Source, neighbours};
use crate::content::{Block, Item, PageContent, Value, item, text};
use crate::database::{Article, Id};
use crate::route::Route;

/// Articles on a page of the archive.
pub const ARTICLES_PER_PAGE: usize = 20;

/// The page of an article.
pub fn article_page(id: Id, source: &Source) -> PageContent {
    let article = source.database.article(id);
    let mut page = source.page(
        &Route::Article(id),
        &article.headline,
        vec![source.link(&Route::NewsList(1), "News")],
    );
    let mut byline = vec![("Published", Value::Date(article.date))];
    byline.extend(article.author.as_ref().map(|author| ("Author", text(author))));
    page.blocks = vec![
        Block::Facts {
            name: "byline",
            heading: None,
            rows: byline,
        },
        Block::Prose {
            name: "story",
            heading: None,
            paragraphs: article.paragraphs.clone(),
        },
    ];
    let mentions = mentions(article, source);
    if !mentions.is_empty() {
        page.blocks.push(Block::Items {
            name: "mentions",
            heading: "In this story",
            items: mentions,
        });
    }
    let (older, newer) = neighbours(id, source.database.articles.len());
    page.previous = older.map(|id| source.article(id));
    page.next = newer.map(|id| source.article(id));
    page
}

/// A page of the archive, newest first.
pub fn news_list(page_number: u32, source: &Source) -> Option<PageContent> {
    let articles: Vec<Id> = source
        .database
        .articles
        .iter()
        .rev()
        .map(|article| article.id)
        .collect();
    let list = ListPage {
        number: page_number,
        size: ARTICLES_PER_PAGE,
        title: "News archive",
        route: &Route::NewsList,
    };
    let (mut page, shown) = paginate(&articles, &list, source)?;
    let items = shown.iter().map(|&id| {
        let article = source.database.article(id);
        Item {
            before: Some(article.date.iso()),
            value: Value::Link(source.article(id)),
            after: article.author.clone(),
        }
    });
    page.blocks = vec![Block::Items {
        name: "archive",
        heading: "Articles",
        items: items.collect(),
    }];
    Some(page)
}

fn mentions(article: &Article, source: &Source) -> Vec<Item> {
    let players = article.players.iter().map(|&id| source.player(id));
    let teams = article.teams.iter().map(|&id| source.team(id));
    let game = article.match_id.map(|id| source.fixture(id));
    players
        .chain(teams)
        .chain(game)
        .map(|link| item(Value::Link(link)))
        .collect()
}
