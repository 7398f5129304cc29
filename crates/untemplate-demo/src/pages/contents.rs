//! From a route to the content of its page.

use super::source::Source;
use super::{article, calendar, game, glossary, home, lists, person, search, stadium, team};
use crate::content::PageContent;
use crate::route::Route;

/// The page of a route; none for lists that are not that long, and for what is no page.
pub fn content_of(route: &Route, source: &Source) -> Option<PageContent> {
    match route {
        Route::Home => Some(home::home_page(source)),
        Route::Player(id) => Some(person::player_page(*id, source)),
        Route::Coach(id) => Some(person::coach_page(*id, source)),
        Route::Team(id) => Some(team::team_page(*id, source)),
        Route::Match(id) => Some(game::match_page(*id, source)),
        Route::Stadium(id) => Some(stadium::stadium_page(*id, source)),
        Route::Article(id) => Some(article::article_page(*id, source)),
        Route::Group(number) => Some(team::group_page(*number, source)),
        Route::PlayerHub => Some(lists::player_hub(source)),
        Route::GroupHub => Some(lists::group_hub(source)),
        Route::Initial(letter, page) => lists::initial_page(*letter, *page, source),
        Route::Position(position, page) => lists::position_page(*position, *page, source),
        Route::MatchList(page) => lists::match_list(*page, source),
        Route::NewsList(page) => article::news_list(*page, source),
        Route::TeamList(page) => lists::team_list(*page, source),
        Route::CoachList(page) => lists::coach_list(*page, source),
        Route::StadiumList(page) => lists::stadium_list(*page, source),
        Route::Calendar(year, month) => Some(calendar::calendar_page(*year, *month, source)),
        Route::SearchForm => Some(search::search_form_page(source)),
        Route::Search(query, page) => search::search_page(query, *page, source),
        Route::FindForm => Some(search::find_form_page(source)),
        Route::Found(name, position, page) => search::find_page(name, *position, *page, source),
        Route::Glossary => Some(glossary::glossary_page(source)),
        Route::Robots | Route::Sitemap(_) => None,
    }
}
