//! The page of a player or a coach: one template for both, as on many real sites.
//!
//! Rows and sections that a coach or a modest player lacks are left out.

use super::source::{Source, neighbours};
use crate::content::{Block, PageContent, Value, decimal, money, text};
use crate::database::{Foot, Id, Person, Transfer};
use crate::route::Route;

/// The page of a player.
pub fn player_page(id: Id, source: &Source) -> PageContent {
    let player = source.database.player(id);
    let profile = Profile {
        role: player.position.word(),
        shirt: Some(player.shirt),
        height_cm: player.height_cm,
        weight_kg: Some(player.weight_kg),
        foot: Some(player.foot),
        transfer: player.transfer.as_ref(),
    };
    let crumb = source.link(&Route::PlayerHub, "Players");
    let mut page = source.page(&Route::Player(id), player.person.name(), vec![crumb]);
    page.blocks = blocks(&player.person, &profile, source);
    page.related = source.related(&source.index.player_news[id as usize - 1]);
    let (previous, next) = neighbours(id, source.database.players.len());
    page.previous = previous.map(|id| source.player(id));
    page.next = next.map(|id| source.player(id));
    page
}

/// The page of a coach.
pub fn coach_page(id: Id, source: &Source) -> PageContent {
    let coach = source.database.coach(id);
    let profile = Profile {
        role: coach.role.word(),
        shirt: None,
        height_cm: None,
        weight_kg: None,
        foot: None,
        transfer: None,
    };
    let crumb = source.link(&Route::CoachList(1), "Coaches");
    let mut page = source.page(&Route::Coach(id), coach.person.name(), vec![crumb]);
    page.blocks = blocks(&coach.person, &profile, source);
    let (previous, next) = neighbours(id, source.database.coaches.len());
    page.previous = previous.map(|id| source.coach(id));
    page.next = next.map(|id| source.coach(id));
    page
}

/// What the template knows of a person beside the [`Person`].
struct Profile<'a> {
    role: &'static str,
    shirt: Option<u32>,
    height_cm: Option<u32>,
    weight_kg: Option<u32>,
    foot: Option<Foot>,
    transfer: Option<&'a Transfer>,
}

fn blocks(person: &Person, profile: &Profile<'_>, source: &Source) -> Vec<Block> {
    let mut blocks = vec![Block::Facts {
        name: "profile",
        heading: None,
        rows: facts(person, profile, source),
    }];
    blocks.extend(profile.transfer.map(|transfer| transfer_block(transfer, source)));
    if !person.seasons.is_empty() {
        blocks.push(seasons_block(person, source));
    }
    if let Some(biography) = &person.biography {
        let paragraphs = vec![biography.clone()];
        blocks.push(Block::Prose {
            name: "biography",
            heading: Some("Biography"),
            paragraphs,
        });
    }
    blocks
}

fn facts(person: &Person, profile: &Profile<'_>, source: &Source) -> Vec<(&'static str, Value)> {
    let rows = [
        ("Position", Some(text(profile.role))),
        ("Club", person.team.map(|team| Value::Link(source.team(team)))),
        ("Shirt number", profile.shirt.map(text)),
        ("Nickname", person.nickname.as_ref().map(text)),
        ("Date of birth", person.born.map(Value::Date)),
        ("Place of birth", Some(text(&person.birthplace))),
        ("Nationality", Some(text(&person.nationality))),
        (
            "Height",
            profile.height_cm.map(|height| text(decimal(height, 100, "m"))),
        ),
        ("Weight", profile.weight_kg.map(|weight| text(format!("{weight} kg")))),
        ("Preferred foot", profile.foot.map(|foot| text(foot.word()))),
    ];
    rows.into_iter()
        .filter_map(|(label, value)| value.map(|value| (label, value)))
        .collect()
}

fn transfer_block(transfer: &Transfer, source: &Source) -> Block {
    let rows = vec![
        ("Fee", text(money(transfer.fee))),
        ("Year", text(transfer.year)),
        ("From", Value::Link(source.team(transfer.from))),
    ];
    Block::Facts {
        name: "transfer",
        heading: Some("Last transfer"),
        rows,
    }
}

fn seasons_block(person: &Person, source: &Source) -> Block {
    let row = |season: &crate::database::Season| {
        let club = Value::Link(source.team(season.team));
        vec![text(season.year), club, text(season.appearances), text(season.goals)]
    };
    Block::Grid {
        name: "seasons",
        heading: "Career".to_owned(),
        columns: &["Season", "Club", "Games", "Goals"],
        rows: person.seasons.iter().map(row).collect(),
    }
}
