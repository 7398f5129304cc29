//! The page of a match: result, goals of each side, facts, and line-ups where they are known.

use super::source::{Source, neighbours};
use crate::content::{Block, Item, PageContent, Value, grouped, text};
use crate::database::{Goal, Id, Match};
use crate::route::Route;

/// The page of a match.
pub fn match_page(id: Id, source: &Source) -> PageContent {
    let game = source.database.match_by_id(id);
    let mut page = source.page(
        &Route::Match(id),
        source.fixture(id).text,
        vec![source.link(&Route::MatchList(1), "Matches")],
    );
    let (scored, conceded) = game.score();
    page.blocks = vec![
        Block::Score {
            home: (source.team(game.home), scored),
            away: (source.team(game.away), conceded),
        },
        Block::Facts {
            name: "match-facts",
            heading: None,
            rows: facts(game, source),
        },
        goals_block(game, source),
    ];
    page.blocks.extend(
        game.lineups
            .as_ref()
            .map(|lineups| lineups_block(game, lineups, source)),
    );
    page.related = source.related(&source.index.match_news[id as usize - 1]);
    let (previous, next) = neighbours(id, source.database.matches.len());
    page.previous = previous.map(|id| source.fixture(id));
    page.next = next.map(|id| source.fixture(id));
    page
}

fn facts(game: &Match, source: &Source) -> Vec<(&'static str, Value)> {
    let kick_off = format!("{:02}:{:02}", game.kick_off_minutes / 60, game.kick_off_minutes % 60);
    let group = source.link(&Route::Group(game.group), format!("Group {}", game.group));
    let mut rows = vec![
        ("Date", Value::Date(game.date)),
        ("Kick-off", text(kick_off)),
        ("Cup group", Value::Link(group)),
        ("Round", text(game.round)),
        ("Stadium", Value::Link(source.stadium(game.stadium))),
        ("Referee", text(&game.referee)),
    ];
    rows.extend(
        game.attendance
            .map(|attendance| ("Attendance", text(grouped(attendance.into())))),
    );
    rows
}

fn goals_block(game: &Match, source: &Source) -> Block {
    let sides = [game.home, game.away].map(|team| {
        let goals = game.goals_of(team).map(|goal| goal_item(goal, source)).collect();
        (source.database.team(team).name.clone(), goals)
    });
    Block::Sides {
        name: "goals",
        heading: "Goals",
        sides,
    }
}

fn goal_item(goal: &Goal, source: &Source) -> Item {
    let after = match (goal.penalty, goal.own_goal) {
        (true, _) => Some("penalty".to_owned()),
        (_, true) => Some("own goal".to_owned()),
        _ => None,
    };
    Item {
        before: Some(format!("{}'", goal.minute)),
        value: Value::Link(source.player(goal.player)),
        after,
    }
}

fn lineups_block(game: &Match, lineups: &[Vec<Id>; 2], source: &Source) -> Block {
    let side = |team: Id, players: &[Id]| {
        let items = players.iter().map(|&id| Item {
            before: Some(source.database.player(id).shirt.to_string()),
            value: Value::Link(source.player(id)),
            after: None,
        });
        (source.database.team(team).name.clone(), items.collect())
    };
    let sides = [side(game.home, &lineups[0]), side(game.away, &lineups[1])];
    Block::Sides {
        name: "lineups",
        heading: "Line-ups",
        sides,
    }
}
