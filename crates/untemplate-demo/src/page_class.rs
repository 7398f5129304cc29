//! Page classes: which template makes a page, and how its file name shows that.
//!
//! These are the true classes of the manifest. Players and coaches are one class, since one
//! template makes their pages; every other class has a template of its own.

use crate::route::Route;

/// The template of a page.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
pub enum PageClass {
    /// The home page.
    Home,
    /// A player or a coach.
    Person,
    /// A team.
    Team,
    /// A match.
    Match,
    /// A stadium.
    Stadium,
    /// A news article.
    Article,
    /// A group of the cup with its standings.
    Group,
    /// The way to the players: initials and positions.
    PlayerHub,
    /// The list of groups.
    GroupHub,
    /// Players by initial.
    Initial,
    /// Players by position.
    Position,
    /// The list of matches.
    MatchList,
    /// The news archive.
    NewsList,
    /// The list of teams.
    TeamList,
    /// The list of coaches.
    CoachList,
    /// The list of stadiums.
    StadiumList,
    /// A month.
    Calendar,
    /// The form of the GET search.
    SearchForm,
    /// Results of a search.
    Results,
    /// The form of the POST search.
    FindForm,
    /// The words of the game; one page, in the wild skin alone.
    Glossary,
}

/// A class as the manifest describes it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct ClassInfo {
    /// The class.
    pub class: PageClass,
    /// Its name.
    pub name: &'static str,
    /// Found in the file names of its pages, and in no others.
    pub url_regex: &'static str,
    /// Whether it is worth gathering from a sample.
    pub worth_gathering: bool,
}

/// All classes. Expressions use `^ $ \. \d + [^/] (a|b)` alone, so that any engine reads them
/// alike.
pub const CLASSES: [ClassInfo; 21] = [
    info(PageClass::Home, "home", r"^index\.html$", false),
    info(
        PageClass::Person,
        "person",
        r"^(players|coaches)/[^/]+-\d+\.html$",
        true,
    ),
    info(PageClass::Team, "team", r"^teams/[^/]+-\d+\.html$", true),
    info(PageClass::Match, "match", r"^matches/[^/]+-\d+\.html$", true),
    info(PageClass::Stadium, "stadium", r"^stadiums/[^/]+-\d+\.html$", true),
    info(PageClass::Article, "article", r"^news/[^/]+-\d+\.html$", true),
    info(PageClass::Group, "group", r"^groups/\d+\.html$", true),
    info(PageClass::PlayerHub, "player_hub", r"^players/index\.html$", false),
    info(PageClass::GroupHub, "group_hub", r"^groups/index\.html$", false),
    info(PageClass::Initial, "initial", r"^players/by-initial/", true),
    info(PageClass::Position, "position", r"^positions/", true),
    info(PageClass::MatchList, "match_list", r"^matches\.html", true),
    info(PageClass::NewsList, "news_list", r"^news/(index|page/\d+)\.html$", true),
    info(
        PageClass::TeamList,
        "team_list",
        r"^teams/(index|page/\d+)\.html$",
        true,
    ),
    info(
        PageClass::CoachList,
        "coach_list",
        r"^coaches/(index|page/\d+)\.html$",
        true,
    ),
    info(
        PageClass::StadiumList,
        "stadium_list",
        r"^stadiums/(index|page/\d+)\.html$",
        true,
    ),
    info(PageClass::Calendar, "calendar", r"^calendar/", false),
    info(PageClass::SearchForm, "search_form", r"^search\.html$", false),
    info(PageClass::Results, "results", r"^search\?", false),
    info(PageClass::FindForm, "find_form", r"^find\.html$", false),
    info(PageClass::Glossary, "glossary", r"^glossary\.html$", false),
];

const fn info(class: PageClass, name: &'static str, url_regex: &'static str, worth_gathering: bool) -> ClassInfo {
    ClassInfo {
        class,
        name,
        url_regex,
        worth_gathering,
    }
}

impl PageClass {
    /// The class of a route; robots and sitemaps are no pages.
    pub fn of(route: &Route) -> Option<Self> {
        Some(match route {
            Route::Home => Self::Home,
            Route::Player(_) | Route::Coach(_) => Self::Person,
            Route::Team(_) => Self::Team,
            Route::Match(_) => Self::Match,
            Route::Stadium(_) => Self::Stadium,
            Route::Article(_) => Self::Article,
            Route::Group(_) => Self::Group,
            Route::PlayerHub => Self::PlayerHub,
            Route::GroupHub => Self::GroupHub,
            Route::Initial(..) => Self::Initial,
            Route::Position(..) => Self::Position,
            Route::MatchList(_) => Self::MatchList,
            Route::NewsList(_) => Self::NewsList,
            Route::TeamList(_) => Self::TeamList,
            Route::CoachList(_) => Self::CoachList,
            Route::StadiumList(_) => Self::StadiumList,
            Route::Calendar(..) => Self::Calendar,
            Route::SearchForm => Self::SearchForm,
            Route::Search(..) | Route::Found(..) => Self::Results,
            Route::FindForm => Self::FindForm,
            Route::Glossary => Self::Glossary,
            Route::Robots | Route::Sitemap(_) => return None,
        })
    }

    /// The class as the manifest describes it.
    pub fn info(self) -> &'static ClassInfo {
        CLASSES
            .iter()
            .find(|info| info.class == self)
            .expect("every class stands in the table")
    }

    /// Whether its pages are about one record, and not ways to other pages.
    pub fn is_detail(self) -> bool {
        matches!(
            self,
            Self::Person | Self::Team | Self::Match | Self::Stadium | Self::Article | Self::Group
        )
    }
}
