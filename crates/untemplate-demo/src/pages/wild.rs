//! What the wild skin says beyond the content that all skins share.
//!
//! In: a page as every skin has it. Out: the same page as a site that grew over the years has it.
//! Every second page of a record is in the other language, absent values are said to be absent,
//! values have links in the middle, and some players have more prose. All of it follows from the
//! database, and [`style`] and [`trivia`] stand in the truth.

use super::source::Source;
use crate::content::{Block, Link, PageContent, Value, decimal, text};
use crate::database::random::hash_text;
use crate::database::{Id, Person};
use crate::language::Language;
use crate::route::Route;

/// Adds to a page what the wild skin alone shows.
pub fn enrich(route: &Route, page: &mut PageContent, source: &Source) {
    page.language = language_of(route);
    match *route {
        Route::Player(id) => {
            let person = &source.database.player(id).person;
            page.names = names_of(person, source);
            add_prose(page, "style", "Style of play", style(id, source));
            add_prose(page, "trivia", "Trivia", trivia(id, source));
            state_absent(page, &["Club", "Nickname", "Date of birth", "Height"]);
        }
        Route::Coach(id) => {
            page.names = names_of(&source.database.coach(id).person, source);
            state_absent(page, &["Club", "Nickname", "Date of birth"]);
        }
        Route::Team(id) => {
            say_stadium(page, source.database.team(id).stadium, source);
            state_absent(page, &["Budget"]);
        }
        Route::Match(id) => {
            say_stadium(page, source.database.match_by_id(id).stadium, source);
            state_absent(page, &["Attendance"]);
        }
        Route::Stadium(_) => state_absent(page, &["Architect"]),
        Route::Article(id) => {
            let article = source.database.article(id);
            let players = article.players.iter().map(|&id| source.player(id));
            page.names = players.chain(article.teams.iter().map(|&id| source.team(id))).collect();
            state_absent(page, &["Author"]);
        }
        _ => {}
    }
}

/// Every second page of a record or a group is in German.
fn language_of(route: &Route) -> Language {
    match route {
        Route::Player(id)
        | Route::Coach(id)
        | Route::Team(id)
        | Route::Match(id)
        | Route::Stadium(id)
        | Route::Article(id)
        | Route::Group(id)
            if id % 2 == 0 =>
        {
            Language::German
        }
        _ => Language::English,
    }
}

/// The clubs of a person, and the club of the town of birth.
fn names_of(person: &Person, source: &Source) -> Vec<Link> {
    let of_town = |town: &str| {
        let mut teams = source.database.teams.iter();
        let team = teams.find(|team| team.city == town)?;
        Some(source.link(&Route::Team(team.id), town))
    };
    let clubs = person.team.map(|team| source.team(team));
    clubs.into_iter().chain(of_town(&person.birthplace)).collect()
}

fn add_prose(page: &mut PageContent, name: &'static str, heading: &'static str, prose: Option<Vec<String>>) {
    page.blocks.extend(prose.map(|paragraphs| Block::Prose {
        name,
        heading: Some(heading),
        paragraphs,
    }));
}

/// Gives a row to each of these labels that the facts lack, in the place where it would stand.
fn state_absent(page: &mut PageContent, labels: &[&'static str]) {
    let facts = page.blocks.iter_mut().find_map(|block| match block {
        Block::Facts {
            heading: None, rows, ..
        } => Some(rows),
        _ => None,
    });
    let Some(rows) = facts else { return };
    for &label in labels {
        if rows.iter().any(|(known, _)| *known == label) {
            continue;
        }
        let before = match label {
            "Club" => "Position",
            "Nickname" if rows.iter().any(|(known, _)| *known == "Shirt number") => "Shirt number",
            "Nickname" => "Club",
            "Date of birth" => "Nickname",
            "Height" => "Nationality",
            _ => "",
        };
        let place = rows.iter().position(|(known, _)| *known == before);
        rows.insert(place.map_or(rows.len(), |place| place + 1), (label, Value::Missing));
    }
}

/// The stadium with its town, and the link in the middle.
fn say_stadium(page: &mut PageContent, id: Id, source: &Source) {
    let stadium = source.database.stadium(id);
    page.names = vec![source.stadium(id)];
    let said = match page.language {
        Language::English => format!("the {} in {}", stadium.name, stadium.city),
        Language::German => format!("das {} in {}", stadium.name, stadium.city),
    };
    for block in &mut page.blocks {
        if let Block::Facts { rows, .. } = block {
            let row = rows.iter_mut().find(|(label, _)| *label == "Stadium");
            if let Some((_, value)) = row {
                *value = text(&said);
            }
        }
    }
}

/// Which of `count` things a record is given; always the same.
fn chosen(kind: &str, id: Id, count: u64) -> u64 {
    hash_text(&format!("{kind} {id}")) % count
}

/// How a player plays, in paragraphs; half of them have it.
pub fn style(id: Id, source: &Source) -> Option<Vec<String>> {
    if chosen("has style", id, 2) == 0 {
        return None;
    }
    let player = source.database.player(id);
    let name = &player.person.last_name;
    let language = language_of(&Route::Player(id));
    let is_german = language == Language::German;
    let foot = language.say(player.foot.word());
    let first = match (chosen("style", id, 3), player.height_cm) {
        (0, _) if is_german => format!("Am liebsten spielt {name} von der Mitte aus, Fuß: {foot}."),
        (0, _) => format!("{name} likes to play from the middle of the field, foot: {foot}."),
        (1, Some(height)) if is_german => format!("Mit {} kommt {name} an jeden Ball.", decimal(height, 100, "m")),
        (1, Some(height)) => format!(
            "At {} there is no ball that {name} cannot reach.",
            decimal(height, 100, "m")
        ),
        (_, _) if is_german => format!("Wenige sind auf zehn Metern so schnell wie {name}, und keiner so spät."),
        _ => format!("Few are as quick over ten metres as {name}, and nobody is as late."),
    };
    let second = player.person.team.map(|team| {
        let team = &source.database.team(team).name;
        match is_german {
            true => format!("Bei {team} wird daran jeden Dienstag gearbeitet, bei Regen auch am Mittwoch."),
            false => format!("At {team} this is worked on every Tuesday, and on Wednesdays when it rains."),
        }
    });
    Some(std::iter::once(first).chain(second).collect())
}

/// What else is told of a player, in paragraphs; one in eight has it.
pub fn trivia(id: Id, source: &Source) -> Option<Vec<String>> {
    if chosen("has trivia", id, 8) != 0 {
        return None;
    }
    let player = source.database.player(id);
    let (town, shirt) = (&player.person.birthplace, player.shirt);
    let said = match language_of(&Route::Player(id)) {
        Language::German => format!("Die {shirt} wurde ausgelost. In {town} trägt sie seither auch der Bäcker."),
        Language::English => format!("The {shirt} was drawn by lot. In {town} the baker has worn it ever since."),
    };
    Some(vec![said])
}
