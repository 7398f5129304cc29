//! The page of a stadium: facts, the teams at home there, the matches played there.

use super::source::{Source, neighbours};
use crate::content::{Block, Item, PageContent, Value, decimal, grouped, item, text};
use crate::database::{Id, Stadium};
use crate::route::Route;

/// The page of a stadium.
pub fn stadium_page(id: Id, source: &Source) -> PageContent {
    let stadium = source.database.stadium(id);
    let crumb = source.link(&Route::StadiumList(1), "Stadiums");
    let mut page = source.page(&Route::Stadium(id), &stadium.name, vec![crumb]);
    let teams = &source.index.stadium_teams[id as usize - 1];
    page.blocks = vec![
        Block::Facts {
            name: "ground",
            heading: None,
            rows: facts(stadium),
        },
        Block::Items {
            name: "tenants",
            heading: "At home here",
            items: teams.iter().map(|&team| item(Value::Link(source.team(team)))).collect(),
        },
        Block::Items {
            name: "played",
            heading: "Matches played",
            items: played(teams, source),
        },
    ];
    let (previous, next) = neighbours(id, source.database.stadiums.len());
    page.previous = previous.map(|id| source.stadium(id));
    page.next = next.map(|id| source.stadium(id));
    page
}

fn facts(stadium: &Stadium) -> Vec<(&'static str, Value)> {
    let mut rows = vec![
        ("City", text(&stadium.city)),
        ("Capacity", text(grouped(stadium.capacity.into()))),
        ("Opened", text(stadium.opened)),
        ("Surface", text(stadium.surface.word())),
        ("Pitch length", text(decimal(stadium.pitch_length_dm, 10, "m"))),
        ("Pitch width", text(decimal(stadium.pitch_width_dm, 10, "m"))),
    ];
    rows.extend(
        stadium
            .architect
            .as_ref()
            .map(|architect| ("Architect", text(architect))),
    );
    rows
}

fn played(teams: &[Id], source: &Source) -> Vec<Item> {
    let games = teams.iter().flat_map(|&team| {
        let games = source.index.team_matches[team as usize - 1].iter();
        games.filter(move |&&game| source.database.match_by_id(game).home == team)
    });
    games
        .map(|&game| Item {
            before: None,
            value: Value::Link(source.fixture(game)),
            after: Some(source.result(game).text),
        })
        .collect()
}
