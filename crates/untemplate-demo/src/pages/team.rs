//! The pages of a team and of a group of teams.

use super::source::{Source, neighbours};
use crate::content::{Block, PageContent, Value, money, text};
use crate::database::{Id, Team};
use crate::route::Route;

/// The page of a team, with its squad and its matches.
pub fn team_page(id: Id, source: &Source) -> PageContent {
    let team = source.database.team(id);
    let mut page = source.page(
        &Route::Team(id),
        &team.name,
        vec![source.link(&Route::TeamList(1), "Teams")],
    );
    page.blocks = vec![
        Block::Facts {
            name: "club",
            heading: None,
            rows: facts(team, source),
        },
        squad_block(id, source),
        fixtures_block("fixtures", &source.index.team_matches[id as usize - 1], source),
    ];
    page.related = source.related(&source.index.team_news[id as usize - 1]);
    let (previous, next) = neighbours(id, source.database.teams.len());
    page.previous = previous.map(|id| source.team(id));
    page.next = next.map(|id| source.team(id));
    page
}

/// The page of a group: standings and matches.
pub fn group_page(number: u32, source: &Source) -> PageContent {
    let crumb = source.link(&Route::GroupHub, "Groups");
    let mut page = source.page(&Route::Group(number), format!("Group {number}"), vec![crumb]);
    let members = &source.index.group_teams[number as usize - 1];
    let games: Vec<Id> = members.iter().flat_map(|&team| home_matches(team, source)).collect();
    page.blocks = vec![
        standings_block(members, source),
        fixtures_block("group-matches", &games, source),
    ];
    let (previous, next) = neighbours(number, source.index.group_teams.len());
    let link = |number: u32| source.link(&Route::Group(number), format!("Group {number}"));
    page.previous = previous.map(link);
    page.next = next.map(link);
    page
}

fn facts(team: &Team, source: &Source) -> Vec<(&'static str, Value)> {
    let group = source.link(&Route::Group(team.group), format!("Group {}", team.group));
    let mut rows = vec![
        ("City", text(&team.city)),
        ("Founded", text(team.founded)),
        ("Colours", text(&team.colours)),
        ("Stadium", Value::Link(source.stadium(team.stadium))),
        ("Head coach", Value::Link(source.coach(team.coach))),
        ("Cup group", Value::Link(group)),
    ];
    rows.extend(team.budget.map(|budget| ("Budget", text(money(budget)))));
    rows
}

fn squad_block(id: Id, source: &Source) -> Block {
    let row = |&id: &Id| {
        let player = source.database.player(id);
        vec![
            text(player.shirt),
            Value::Link(source.player(id)),
            text(player.position.word()),
        ]
    };
    Block::Grid {
        name: "squad",
        heading: "Squad".to_owned(),
        columns: &["No.", "Player", "Position"],
        rows: source.index.squads[id as usize - 1].iter().map(row).collect(),
    }
}

fn fixtures_block(name: &'static str, games: &[Id], source: &Source) -> Block {
    let row = |&id: &Id| {
        let game = source.database.match_by_id(id);
        let [home, away] = [game.home, game.away].map(|team| text(&source.database.team(team).name));
        vec![Value::Date(game.date), home, Value::Link(source.result(id)), away]
    };
    Block::Grid {
        name,
        heading: "Matches".to_owned(),
        columns: &["Date", "Home", "Result", "Away"],
        rows: games.iter().map(row).collect(),
    }
}

fn home_matches(team: Id, source: &Source) -> impl Iterator<Item = Id> {
    let games = source.index.team_matches[team as usize - 1].iter().copied();
    games.filter(move |&game| source.database.match_by_id(game).home == team)
}

/// What a team has won and lost.
#[derive(Default)]
struct Standing {
    won: u32,
    drawn: u32,
    lost: u32,
    scored: usize,
    conceded: usize,
}

impl Standing {
    fn points(&self) -> u32 {
        3 * self.won + self.drawn
    }
}

fn standing(team: Id, source: &Source) -> Standing {
    let mut standing = Standing::default();
    for &game in &source.index.team_matches[team as usize - 1] {
        let game = source.database.match_by_id(game);
        let (home, away) = game.score();
        let (scored, conceded) = if game.home == team { (home, away) } else { (away, home) };
        standing.won += u32::from(scored > conceded);
        standing.drawn += u32::from(scored == conceded);
        standing.lost += u32::from(scored < conceded);
        standing.scored += scored;
        standing.conceded += conceded;
    }
    standing
}

fn standings_block(members: &[Id], source: &Source) -> Block {
    let mut table: Vec<(Id, Standing)> = members.iter().map(|&team| (team, standing(team, source))).collect();
    let balance = |standing: &Standing| {
        i64::try_from(standing.scored).unwrap_or(0) - i64::try_from(standing.conceded).unwrap_or(0)
    };
    table.sort_by_key(|(team, standing)| (std::cmp::Reverse((standing.points(), balance(standing))), *team));
    let row = |(place, (team, standing)): (usize, &(Id, Standing))| {
        vec![
            text(place + 1),
            Value::Link(source.team(*team)),
            text(standing.won),
            text(standing.drawn),
            text(standing.lost),
            text(format!("{}:{}", standing.scored, standing.conceded)),
            text(standing.points()),
        ]
    };
    Block::Grid {
        name: "standings",
        heading: "Standings".to_owned(),
        columns: &["Rank", "Team", "Won", "Drawn", "Lost", "Goals", "Points"],
        rows: table.iter().enumerate().map(row).collect(),
    }
}
