//! The truth: the database behind the site as an SQLite file, to compare a rebuilt one with.
//!
//! A table for each entity, child tables for what is nested in a page, foreign keys for what is
//! referenced, and a table `page` that says which record each page shows. Dates are ISO text,
//! flags 0 or 1, heights in centimetres, pitches in metres; an absent value is null.

use crate::database::{Article, Database, Match, Person, Player};
use crate::page_class::PageClass;
use crate::pages::{Source, glossary, wild};
use crate::route::{Route, path_of};
use crate::site::DemoSite;
use crate::skins::Skin;
use rusqlite::{Connection, Transaction, params};
use std::path::Path;

const SCHEMA: &str = include_str!("truth.sql");

/// Writes the file, which must not exist.
pub fn write_truth(site: &DemoSite, file: &Path) -> rusqlite::Result<()> {
    let mut connection = Connection::open(file)?;
    connection.pragma_update(None, "foreign_keys", "ON")?;
    connection.execute_batch(SCHEMA)?;
    let transaction = connection.transaction()?;
    let database = &site.source.database;
    write_grounds_and_teams(&transaction, database)?;
    write_people(&transaction, database)?;
    for game in &database.matches {
        write_match(&transaction, game)?;
    }
    for article in &database.articles {
        write_article(&transaction, article)?;
    }
    if site.skin == Skin::Wild {
        write_wild(&transaction, &site.source)?;
    }
    write_pages(&transaction, site)?;
    transaction.commit()?;
    connection.close().map_err(|(_, error)| error)
}

fn write_grounds_and_teams(transaction: &Transaction<'_>, database: &Database) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO stadium VALUES (?,?,?,?,?,?,?,?,?)")?;
    for stadium in &database.stadiums {
        insert.execute(params![
            stadium.id,
            stadium.name,
            stadium.city,
            stadium.capacity,
            stadium.opened,
            stadium.surface.word(),
            f64::from(stadium.pitch_length_dm) / 10.0,
            f64::from(stadium.pitch_width_dm) / 10.0,
            stadium.architect,
        ])?;
    }
    let mut insert = transaction.prepare("INSERT INTO team VALUES (?,?,?,?,?,?,?,?,?,?)")?;
    for team in &database.teams {
        insert.execute(params![
            team.id,
            team.name,
            team.city,
            team.founded,
            team.colours,
            team.group,
            team.stadium,
            team.coach,
            team.budget.map(|budget| budget.amount.cast_signed()),
            team.budget.map(|budget| budget.currency.word()),
        ])?;
    }
    Ok(())
}

fn write_people(transaction: &Transaction<'_>, database: &Database) -> rusqlite::Result<()> {
    for player in &database.players {
        write_player(transaction, player)?;
        write_seasons(transaction, "INSERT INTO season VALUES (?,?,?,?,?)", &player.person)?;
    }
    let sql = "INSERT INTO coach VALUES (?,?,?,?,?,?,?,?,?,?)";
    for coach in &database.coaches {
        let person = &coach.person;
        transaction.prepare_cached(sql)?.execute(params![
            person.id,
            person.first_name,
            person.last_name,
            person.nickname,
            coach.role.word(),
            person.team,
            person.born.map(|date| date.iso()),
            person.birthplace,
            person.nationality,
            person.biography,
        ])?;
        write_seasons(transaction, "INSERT INTO coach_season VALUES (?,?,?,?,?)", person)?;
    }
    Ok(())
}

fn write_player(transaction: &Transaction<'_>, player: &Player) -> rusqlite::Result<()> {
    let sql = "INSERT INTO player VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?,?)";
    let (person, transfer) = (&player.person, player.transfer.as_ref());
    transaction.prepare_cached(sql)?.execute(params![
        person.id,
        person.first_name,
        person.last_name,
        person.nickname,
        player.position.word(),
        person.team,
        player.shirt,
        person.born.map(|date| date.iso()),
        person.birthplace,
        person.nationality,
        player.height_cm,
        player.weight_kg,
        player.foot.word(),
        transfer.map(|transfer| transfer.fee.amount.cast_signed()),
        transfer.map(|transfer| transfer.fee.currency.word()),
        transfer.map(|transfer| transfer.year),
        transfer.map(|transfer| transfer.from),
        person.biography,
    ])?;
    Ok(())
}

fn write_seasons(transaction: &Transaction<'_>, sql: &str, person: &Person) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached(sql)?;
    for season in &person.seasons {
        insert.execute(params![
            person.id,
            season.year,
            season.team,
            season.appearances,
            season.goals
        ])?;
    }
    Ok(())
}

fn write_match(transaction: &Transaction<'_>, game: &Match) -> rusqlite::Result<()> {
    let (home_goals, away_goals) = game.score();
    let kick_off = format!("{:02}:{:02}", game.kick_off_minutes / 60, game.kick_off_minutes % 60);
    let sql = "INSERT INTO match VALUES (?,?,?,?,?,?,?,?,?,?,?,?)";
    transaction.prepare_cached(sql)?.execute(params![
        game.id,
        game.group,
        game.round,
        game.date.iso(),
        kick_off,
        game.home,
        game.away,
        home_goals.cast_signed() as i64,
        away_goals.cast_signed() as i64,
        game.stadium,
        game.referee,
        game.attendance,
    ])?;
    let mut insert = transaction.prepare_cached("INSERT INTO goal VALUES (NULL,?,?,?,?,?,?)")?;
    for goal in &game.goals {
        insert.execute(params![
            game.id,
            goal.team,
            goal.player,
            goal.minute,
            goal.penalty,
            goal.own_goal
        ])?;
    }
    let mut insert = transaction.prepare_cached("INSERT INTO lineup VALUES (?,?,?)")?;
    for (team, players) in [game.home, game.away].into_iter().zip(game.lineups.iter().flatten()) {
        for player in players {
            insert.execute(params![game.id, team, player])?;
        }
    }
    Ok(())
}

fn write_article(transaction: &Transaction<'_>, article: &Article) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare_cached("INSERT INTO article VALUES (?,?,?,?,?)")?;
    insert.execute(params![
        article.id,
        article.headline,
        article.date.iso(),
        article.author,
        article.match_id
    ])?;
    let mut insert = transaction.prepare_cached("INSERT INTO article_paragraph VALUES (?,?,?)")?;
    for (number, paragraph) in (1..).zip(&article.paragraphs) {
        insert.execute(params![article.id, number, paragraph])?;
    }
    let mut insert = transaction.prepare_cached("INSERT INTO article_player VALUES (?,?)")?;
    for player in &article.players {
        insert.execute(params![article.id, player])?;
    }
    let mut insert = transaction.prepare_cached("INSERT INTO article_team VALUES (?,?)")?;
    for team in &article.teams {
        insert.execute(params![article.id, team])?;
    }
    Ok(())
}

/// What the wild skin shows beyond the others: prose of some players, and the glossary.
fn write_wild(transaction: &Transaction<'_>, source: &Source) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO player_prose VALUES (?,?,?)")?;
    for player in &source.database.players {
        let id = player.person.id;
        let [style, trivia] = [wild::style(id, source), wild::trivia(id, source)]
            .map(|prose| prose.map(|paragraphs| paragraphs.join(" ")));
        if style.is_some() || trivia.is_some() {
            insert.execute(params![id, style, trivia])?;
        }
    }
    let mut insert = transaction.prepare("INSERT INTO term VALUES (?,?)")?;
    for (word, meaning) in glossary::TERMS {
        insert.execute(params![word, meaning])?;
    }
    Ok(())
}

/// Players and coaches share a class, so a page names the table of its record as well.
fn write_pages(transaction: &Transaction<'_>, site: &DemoSite) -> rusqlite::Result<()> {
    let mut insert = transaction.prepare("INSERT INTO page VALUES (?,?,?,?)")?;
    for route in site.routes() {
        let path = path_of(&route, &site.source.database);
        let url = format!("{}{}", site.base_url, path.trim_start_matches('/'));
        let class = PageClass::of(&route).map(|class| class.info().name);
        let (table, id) = entity_of(&route).unzip();
        insert.execute(params![url, class, id, table])?;
    }
    Ok(())
}

fn entity_of(route: &Route) -> Option<(&'static str, u32)> {
    match *route {
        Route::Player(id) => Some(("player", id)),
        Route::Coach(id) => Some(("coach", id)),
        Route::Team(id) => Some(("team", id)),
        Route::Match(id) => Some(("match", id)),
        Route::Stadium(id) => Some(("stadium", id)),
        Route::Article(id) => Some(("article", id)),
        Route::Glossary => Some(("glossary", 1)),
        _ => None,
    }
}
