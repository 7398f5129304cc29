//! The site: every page as a pure function of database, skin and address.
//!
//! In: a request's method, path and query, and body. Out: a [`DemoResponse`], made when asked for
//! and not kept, so that a site of 50,000 pages takes no more memory than its database.

use crate::content::{Block, PageContent};
use crate::database::generate::CUP_YEAR;
use crate::database::{Database, DatabaseOptions, Index, Position};
use crate::form::decode_form;
use crate::page_class::PageClass;
use crate::pages::lists::{INITIAL_PER_PAGE, MATCHES_PER_PAGE, ROWS_PER_PAGE, page_count};
use crate::pages::search::{find_page, find_page_count, popular_searches, search_page_count};
use crate::pages::{Source, article, content_of, wild};
use crate::route::{Route, find_fields, parse_route, path_of, position_of};
use crate::sitemap::{robots, sitemap, sitemap_count};
use crate::skins::Skin;

/// Months of the endless calendar that [`DemoSite::paths`] lists, from July of the year of the cup.
pub const MONTHS_LISTED: u32 = 24;

/// A site over a generated database.
#[derive(Debug, Clone)]
pub struct DemoSite {
    /// What the pages are made from.
    pub source: Source,
    /// What they look like.
    pub skin: Skin,
    /// Where the site lives, with a slash at its end; the sitemap writes it.
    pub base_url: String,
}

/// An answer to a request.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DemoResponse {
    /// The HTTP status.
    pub status: u16,
    /// The content type, with the character set.
    pub content_type: &'static str,
    /// The body; the table skin is ASCII, all else UTF-8.
    pub body: String,
}

impl DemoSite {
    /// Generates the database and dresses it. The site lives at `http://cup.example/` until told
    /// otherwise.
    pub fn new(options: DatabaseOptions, skin: Skin) -> Self {
        let database = Database::generate(&options);
        let index = Index::of(&database);
        Self {
            source: Source { database, index },
            skin,
            base_url: "http://cup.example/".to_owned(),
        }
    }

    /// The path of every page, always in the same order; of the calendar the first
    /// [`MONTHS_LISTED`] months.
    pub fn paths(&self) -> impl Iterator<Item = String> + '_ {
        self.routes().map(|route| path_of(&route, &self.source.database))
    }

    /// The paths of files that are no pages: `robots.txt` and the sitemaps.
    pub fn extra_paths(&self) -> Vec<String> {
        let more = sitemap_count(self);
        let sitemaps = (0..=if more > 1 { more } else { 0 }).map(Route::Sitemap);
        std::iter::once(Route::Robots)
            .chain(sitemaps)
            .map(|route| path_of(&route, &self.source.database))
            .collect()
    }

    /// The route of every page, in the order of [`DemoSite::paths`].
    pub fn routes(&self) -> impl Iterator<Item = Route> + '_ {
        list_routes(&self.source)
            .chain(detail_routes(&self.source.database))
            .chain(open_routes(&self.source))
            .chain((self.skin == Skin::Wild).then_some(Route::Glossary))
    }

    /// The class of the page at a path, or none where there is no page.
    pub fn class_of(&self, path_and_query: &str) -> Option<PageClass> {
        let route = parse_route(path_and_query, &self.source.database, &self.source.index)?;
        PageClass::of(&route)
    }

    /// Answers a request. `HEAD` is answered as `GET` is: the server leaves the body out.
    pub fn answer(&self, method: &str, path_and_query: &str, body: &str) -> DemoResponse {
        let path = path_and_query.split('?').next().unwrap_or_default();
        match method {
            "POST" if path == "/find" => self.page(200, &self.find(body)),
            "GET" | "HEAD" => self.get(path_and_query),
            _ => self.notice(405, "This page cannot be asked so", path),
        }
    }

    fn get(&self, path_and_query: &str) -> DemoResponse {
        match parse_route(path_and_query, &self.source.database, &self.source.index) {
            Some(Route::Robots) => plain_file("text/plain; charset=utf-8", robots(&self.base_url)),
            Some(Route::Sitemap(number)) => match sitemap(self, number) {
                Some(body) => plain_file("application/xml; charset=utf-8", body),
                None => self.notice(404, "No such page", path_and_query),
            },
            Some(Route::Glossary) if self.skin != Skin::Wild => self.notice(404, "No such page", path_and_query),
            Some(route) => match content_of(&route, &self.source) {
                Some(mut content) => {
                    if self.skin == Skin::Wild {
                        wild::enrich(&route, &mut content, &self.source);
                    }
                    self.page(200, &content)
                }
                None => self.notice(404, "No such page", path_and_query),
            },
            None => self.notice(404, "No such page", path_and_query),
        }
    }

    fn find(&self, body: &str) -> PageContent {
        let fields = decode_form(body);
        let field = |name: &str| {
            fields
                .iter()
                .find(|(key, _)| key == name)
                .map_or("", |(_, value)| value.as_str())
        };
        let found = find_page(field("name"), position_of(field("position")), 1, &self.source);
        found.expect("every list has a first page")
    }

    /// What the form that finds players answers when nothing but a position is chosen: for each
    /// page the file that a mirror gives for it, and its content.
    pub fn form_answers(&self) -> Vec<(String, DemoResponse)> {
        let mut answers = Vec::new();
        for position in Position::ALL.iter().copied().map(Some) {
            let fields = find_fields("", position);
            answers.push((format!("find?{fields}"), self.answer("POST", "/find", &fields)));
            for page in 2..=find_page_count("", position, &self.source) {
                let path = path_of(&Route::Found(String::new(), position, page), &self.source.database);
                let answer = self.answer("GET", &path, "");
                answers.push((path.trim_start_matches('/').to_owned(), answer));
            }
        }
        answers
    }

    fn page(&self, status: u16, content: &PageContent) -> DemoResponse {
        DemoResponse {
            status,
            content_type: self.skin.content_type(),
            body: self.skin.render(content),
        }
    }

    /// A page that says what went wrong, in the looks of the site.
    fn notice(&self, status: u16, title: &str, path: &str) -> DemoResponse {
        // The page may stand at any depth, so it has no links but those of the menu, which are
        // absolute.
        let mut content = self.source.page(&Route::Home, title, Vec::new());
        let paragraphs = vec![format!("Nothing was found at {path}.")];
        content.blocks = vec![Block::Prose {
            name: "notice",
            heading: None,
            paragraphs,
        }];
        self.page(status, &content)
    }
}

fn plain_file(content_type: &'static str, body: String) -> DemoResponse {
    DemoResponse {
        status: 200,
        content_type,
        body,
    }
}

/// Home, hubs and lists.
fn list_routes(source: &Source) -> impl Iterator<Item = Route> + '_ {
    let (database, index) = (&source.database, &source.index);
    let pages = |rows: usize, size: usize| 1..=page_count(rows, size);
    let initials = index.initials.iter().flat_map(move |(&letter, players)| {
        pages(players.len(), INITIAL_PER_PAGE).map(move |page| Route::Initial(letter, page))
    });
    let positions = Position::ALL
        .iter()
        .filter_map(|position| index.positions.get_key_value(position));
    let positions = positions.flat_map(move |(&position, players)| {
        pages(players.len(), ROWS_PER_PAGE).map(move |page| Route::Position(position, page))
    });
    [Route::Home, Route::PlayerHub, Route::GroupHub]
        .into_iter()
        .chain(initials)
        .chain(positions)
        .chain(pages(database.matches.len(), MATCHES_PER_PAGE).map(Route::MatchList))
        .chain(pages(database.articles.len(), article::ARTICLES_PER_PAGE).map(Route::NewsList))
        .chain(pages(database.teams.len(), ROWS_PER_PAGE).map(Route::TeamList))
        .chain(pages(database.coaches.len(), ROWS_PER_PAGE).map(Route::CoachList))
        .chain(pages(database.stadiums.len(), ROWS_PER_PAGE).map(Route::StadiumList))
        .chain((1..).zip(&index.group_teams).map(|(number, _)| Route::Group(number)))
}

/// The pages of single records.
fn detail_routes(database: &Database) -> impl Iterator<Item = Route> + '_ {
    let players = database.players.iter().map(|player| Route::Player(player.person.id));
    let coaches = database.coaches.iter().map(|coach| Route::Coach(coach.person.id));
    let teams = database.teams.iter().map(|team| Route::Team(team.id));
    let matches = database.matches.iter().map(|game| Route::Match(game.id));
    let stadiums = database.stadiums.iter().map(|stadium| Route::Stadium(stadium.id));
    let articles = database.articles.iter().map(|article| Route::Article(article.id));
    players
        .chain(coaches)
        .chain(teams)
        .chain(matches)
        .chain(stadiums)
        .chain(articles)
}

/// Forms, popular searches and months: parts of the site that have no end by themselves.
fn open_routes(source: &Source) -> impl Iterator<Item = Route> + '_ {
    let searches = popular_searches(source).into_iter().flat_map(|query| {
        let pages = search_page_count(&query, source);
        (1..=pages).map(move |page| Route::Search(query.clone(), page))
    });
    let months = (6..6 + MONTHS_LISTED).map(|month| Route::Calendar(CUP_YEAR + month / 12, month % 12 + 1));
    [Route::SearchForm, Route::FindForm]
        .into_iter()
        .chain(searches)
        .chain(months)
}
