//! What pages are made from: the database, the ways into it, and links to its records.

use crate::content::{Link, PageContent, Value};
use crate::database::{Database, Date, Id, Index};
use crate::language::Language;
use crate::page_class::PageClass;
use crate::route::{Route, path_of};

/// The most articles in a box of related news.
const RELATED_MAX: usize = 3;

/// Database and index.
#[derive(Debug, Clone)]
pub struct Source {
    /// The records.
    pub database: Database,
    /// The ways into them.
    pub index: Index,
}

impl Source {
    /// A link to a page.
    pub fn link(&self, route: &Route, text: impl ToString) -> Link {
        Link {
            target: path_of(route, &self.database),
            text: text.to_string(),
        }
    }

    /// A link to a player, by name.
    pub fn player(&self, id: Id) -> Link {
        self.link(&Route::Player(id), self.database.player(id).person.name())
    }

    /// A link to a coach, by name.
    pub fn coach(&self, id: Id) -> Link {
        self.link(&Route::Coach(id), self.database.coach(id).person.name())
    }

    /// A link to a team, by name.
    pub fn team(&self, id: Id) -> Link {
        self.link(&Route::Team(id), &self.database.team(id).name)
    }

    /// A link to a team, or an empty cell.
    pub fn team_cell(&self, id: Option<Id>) -> Value {
        id.map_or(Value::Missing, |id| Value::Link(self.team(id)))
    }

    /// A link to a stadium, by name.
    pub fn stadium(&self, id: Id) -> Link {
        self.link(&Route::Stadium(id), &self.database.stadium(id).name)
    }

    /// A link to an article, by headline.
    pub fn article(&self, id: Id) -> Link {
        self.link(&Route::Article(id), &self.database.article(id).headline)
    }

    /// A link to a match that says its result.
    pub fn result(&self, id: Id) -> Link {
        let (home, away) = self.database.match_by_id(id).score();
        self.link(&Route::Match(id), format!("{home}:{away}"))
    }

    /// A link to a match that says who plays.
    pub fn fixture(&self, id: Id) -> Link {
        let game = self.database.match_by_id(id);
        let names = [game.home, game.away].map(|team| self.database.team(team).name.as_str());
        self.link(&Route::Match(id), names.join(" - "))
    }

    /// The first of these articles with their dates.
    pub fn related(&self, articles: &[Id]) -> Vec<(Date, Link)> {
        let newest = articles.iter().take(RELATED_MAX);
        newest
            .map(|&id| (self.database.article(id).date, self.article(id)))
            .collect()
    }

    /// An empty page at a route, below the pages of `crumbs`; the home page comes first by itself.
    pub fn page(&self, route: &Route, title: impl ToString, crumbs: Vec<Link>) -> PageContent {
        let home = (*route != Route::Home).then(|| self.link(&Route::Home, "Home"));
        PageContent {
            class: PageClass::of(route).expect("robots and sitemaps are not made here"),
            path: path_of(route, &self.database),
            title: title.to_string(),
            crumbs: home.into_iter().chain(crumbs).collect(),
            previous: None,
            next: None,
            position: None,
            blocks: Vec::new(),
            related: Vec::new(),
            language: Language::default(),
            names: Vec::new(),
        }
    }
}

/// The ids beside this one in a table of `count` records.
pub fn neighbours(id: Id, count: usize) -> (Option<Id>, Option<Id>) {
    let previous = id.checked_sub(1).filter(|&previous| previous > 0);
    let next = Some(id + 1).filter(|&next| next as usize <= count);
    (previous, next)
}
