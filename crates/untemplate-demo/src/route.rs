//! Routes: what an address of the site means, and the address of everything on it.
//!
//! In: the path and query of a request. Out: a [`Route`], or none where the site has no such page.
//! The other way round, [`path_of`] writes the one address under which a page is linked.

use crate::database::names::slug;
use crate::database::{Database, Id, Index, Position};
use crate::form::{decode_form, encode_component};

/// A page of the site. Page numbers count from 1.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Route {
    /// `/`
    Home,
    /// `/players/ana-velde-17.html`
    Player(Id),
    /// `/coaches/ana-velde-3.html`
    Coach(Id),
    /// `/teams/fc-velmora-2.html`
    Team(Id),
    /// `/matches/fc-velmora-real-orlin-9.html`
    Match(Id),
    /// `/stadiums/velmora-park-2.html`
    Stadium(Id),
    /// `/news/a-morning-with-ana-velde-4.html`
    Article(Id),
    /// `/groups/1.html`
    Group(u32),
    /// `/players/`
    PlayerHub,
    /// `/groups/`
    GroupHub,
    /// `/players/by-initial/v.html`, `/players/by-initial/v-2.html`
    Initial(char, u32),
    /// `/positions/forward.html`, `/positions/forward.html?page=2`
    Position(Position, u32),
    /// `/matches.html`, `/matches.html?page=2`
    MatchList(u32),
    /// `/news/`, `/news/page/2.html`
    NewsList(u32),
    /// `/teams/`, `/teams/page/2.html`
    TeamList(u32),
    /// `/coaches/`, `/coaches/page/2.html`
    CoachList(u32),
    /// `/stadiums/`, `/stadiums/page/2.html`
    StadiumList(u32),
    /// `/calendar/2031-08.html`
    Calendar(u32, u32),
    /// `/search.html`
    SearchForm,
    /// `/search?q=ana`, `/search?q=ana&page=2`
    Search(String, u32),
    /// `/find.html`
    FindForm,
    /// `/find?name=ana&position=forward&page=2`: what the form finds, from its second page on; the
    /// first answers the form itself.
    Found(String, Option<Position>, u32),
    /// `/glossary.html`, in the wild skin alone.
    Glossary,
    /// `/robots.txt`
    Robots,
    /// `/sitemap.xml`, and `/sitemap-2.xml` where one file is not enough; the first has number 0.
    Sitemap(u32),
}

/// The last year of the calendar, which otherwise never ends.
pub const YEAR_MAX: u32 = 9999;

/// The address of a page, as all links write it. The ids must be of this database.
pub fn path_of(route: &Route, database: &Database) -> String {
    match route {
        Route::Home => "/".to_owned(),
        Route::Player(id) => detail("players", &database.player(*id).person.name(), *id),
        Route::Coach(id) => detail("coaches", &database.coach(*id).person.name(), *id),
        Route::Team(id) => detail("teams", &database.team(*id).name, *id),
        Route::Match(id) => {
            let game = database.match_by_id(*id);
            detail(
                "matches",
                &format!("{} {}", database.team(game.home).name, database.team(game.away).name),
                *id,
            )
        }
        Route::Stadium(id) => detail("stadiums", &database.stadium(*id).name, *id),
        Route::Article(id) => detail("news", &database.article(*id).headline, *id),
        Route::Group(number) => format!("/groups/{number}.html"),
        Route::PlayerHub => "/players/".to_owned(),
        Route::GroupHub => "/groups/".to_owned(),
        Route::Initial(letter, 1) => format!("/players/by-initial/{letter}.html"),
        Route::Initial(letter, page) => format!("/players/by-initial/{letter}-{page}.html"),
        Route::Position(position, page) => query_page(&format!("/positions/{}.html", position_slug(*position)), *page),
        Route::MatchList(page) => query_page("/matches.html", *page),
        Route::NewsList(page) => folder_page("/news/", *page),
        Route::TeamList(page) => folder_page("/teams/", *page),
        Route::CoachList(page) => folder_page("/coaches/", *page),
        Route::StadiumList(page) => folder_page("/stadiums/", *page),
        Route::Calendar(year, month) => format!("/calendar/{year:04}-{month:02}.html"),
        Route::SearchForm => "/search.html".to_owned(),
        Route::Search(query, 1) => format!("/search?q={}", encode_component(query)),
        Route::Search(query, page) => format!("/search?q={}&page={page}", encode_component(query)),
        Route::FindForm => "/find.html".to_owned(),
        Route::Found(name, position, page) => format!("/find?{}&page={page}", find_fields(name, *position)),
        Route::Glossary => "/glossary.html".to_owned(),
        Route::Robots => "/robots.txt".to_owned(),
        Route::Sitemap(0) => "/sitemap.xml".to_owned(),
        Route::Sitemap(number) => format!("/sitemap-{number}.xml"),
    }
}

fn detail(folder: &str, name: &str, id: Id) -> String {
    format!("/{folder}/{}-{id}.html", slug(name))
}

fn query_page(path: &str, page: u32) -> String {
    if page == 1 {
        path.to_owned()
    } else {
        format!("{path}?page={page}")
    }
}

fn folder_page(folder: &str, page: u32) -> String {
    if page == 1 {
        folder.to_owned()
    } else {
        format!("{folder}page/{page}.html")
    }
}

/// The fields of the form that finds players, as browsers send them.
pub fn find_fields(name: &str, position: Option<Position>) -> String {
    let position = position.map(position_slug).unwrap_or_default();
    format!("name={}&position={position}", encode_component(name))
}

/// The position as addresses and the form write it.
pub fn position_slug(position: Position) -> String {
    slug(position.word())
}

/// The position that addresses and the form write so.
pub fn position_of(text: &str) -> Option<Position> {
    Position::ALL
        .iter()
        .copied()
        .find(|&position| position_slug(position) == text)
}

/// Understands the path and query of a request. Whether a list is long enough for its page number
/// is not checked here.
pub fn parse_route(path_and_query: &str, database: &Database, index: &Index) -> Option<Route> {
    let (path, query) = path_and_query.split_once('?').unwrap_or((path_and_query, ""));
    let path = path
        .strip_suffix("index.html")
        .filter(|folder| folder.ends_with('/'))
        .unwrap_or(path);
    let fields = decode_form(query);
    let field = |name: &str| {
        fields
            .iter()
            .find(|(key, _)| key == name)
            .map(|(_, value)| value.as_str())
    };
    let page = field("page")
        .and_then(|page| page.parse().ok())
        .filter(|&page| page > 0)
        .unwrap_or(1);
    match path {
        "/" => Some(Route::Home),
        "/players/" => Some(Route::PlayerHub),
        "/groups/" => Some(Route::GroupHub),
        "/news/" => Some(Route::NewsList(1)),
        "/teams/" => Some(Route::TeamList(1)),
        "/coaches/" => Some(Route::CoachList(1)),
        "/stadiums/" => Some(Route::StadiumList(1)),
        "/matches.html" => Some(Route::MatchList(page)),
        "/search.html" => Some(Route::SearchForm),
        "/search" => Some(match field("q").map(str::trim) {
            Some(query) if !query.is_empty() => Route::Search(query.to_owned(), page),
            _ => Route::SearchForm,
        }),
        "/find" if field("page").is_some() => {
            let name = field("name").unwrap_or_default().to_owned();
            Some(Route::Found(name, field("position").and_then(position_of), page))
        }
        "/find.html" | "/find" => Some(Route::FindForm),
        "/glossary.html" => Some(Route::Glossary),
        "/robots.txt" => Some(Route::Robots),
        "/sitemap.xml" => Some(Route::Sitemap(0)),
        _ => parse_deeper(path, page, database, index),
    }
}

/// Paths with something variable in them.
fn parse_deeper(path: &str, page: u32, database: &Database, index: &Index) -> Option<Route> {
    if let Some(number) = path.strip_prefix("/sitemap-") {
        return Some(Route::Sitemap(number_of(number.strip_suffix(".xml")?)?));
    }
    let (folder, name) = path.strip_suffix(".html")?.rsplit_once('/')?;
    match folder {
        "/groups" => number_of(name)
            .filter(|&number| number as usize <= index.group_teams.len())
            .map(Route::Group),
        "/players/by-initial" => parse_initial(name),
        "/positions" => position_of(name).map(|position| Route::Position(position, page)),
        "/news/page" => number_of(name).map(Route::NewsList),
        "/teams/page" => number_of(name).map(Route::TeamList),
        "/coaches/page" => number_of(name).map(Route::CoachList),
        "/stadiums/page" => number_of(name).map(Route::StadiumList),
        "/calendar" => parse_month(name),
        _ => parse_detail(folder, name, path, database),
    }
}

/// A page of one record; its address must be the very one that links write.
fn parse_detail(folder: &str, name: &str, path: &str, database: &Database) -> Option<Route> {
    let id = number_of(name.rsplit_once('-')?.1)?;
    let (route, count) = match folder {
        "/players" => (Route::Player(id), database.players.len()),
        "/coaches" => (Route::Coach(id), database.coaches.len()),
        "/teams" => (Route::Team(id), database.teams.len()),
        "/matches" => (Route::Match(id), database.matches.len()),
        "/stadiums" => (Route::Stadium(id), database.stadiums.len()),
        "/news" => (Route::Article(id), database.articles.len()),
        _ => return None,
    };
    (id as usize <= count && path_of(&route, database) == path).then_some(route)
}

fn parse_initial(name: &str) -> Option<Route> {
    let (letter, page) = match name.split_once('-') {
        Some((letter, page)) => (letter, number_of(page)?),
        None => (name, 1),
    };
    let mut letters = letter.chars();
    let initial = letters.next()?;
    letters.next().is_none().then_some(Route::Initial(initial, page))
}

fn parse_month(name: &str) -> Option<Route> {
    let (year, month) = name.split_once('-')?;
    let valid = year.len() == 4 && month.len() == 2 && name.bytes().all(|byte| byte.is_ascii_digit() || byte == b'-');
    let (year, month): (u32, u32) = (year.parse().ok()?, month.parse().ok()?);
    (valid && (1..=YEAR_MAX).contains(&year) && (1..=12).contains(&month)).then_some(Route::Calendar(year, month))
}

/// A number from 1, written without a sign or leading zeros.
fn number_of(text: &str) -> Option<u32> {
    let number = text.parse().ok()?;
    (number > 0 && text.starts_with(|digit: char| ('1'..='9').contains(&digit))).then_some(number)
}
