//! News: reports on matches, talk of transfers, portraits; each mentions records of the database.

use super::generate::Sizes;
use super::matches::FIRST_DAY;
use super::names::full_name;
use super::random::Random;
use super::records::{Article, Database, Id};

/// Days over which the news is spread.
const NEWS_DAYS: u32 = 120;

/// All articles, oldest first; ids follow that order.
pub fn generate_articles(database: &Database, sizes: &Sizes, seed: u64) -> Vec<Article> {
    let mut random = Random::new(seed, "news");
    let mut articles: Vec<Article> = (0..sizes.articles)
        .map(|_| match random.below(3) {
            0 if !database.matches.is_empty() => report(database, &mut random),
            1 => rumour(database, &mut random),
            _ => portrait(database, &mut random),
        })
        .collect();
    articles.sort_by_key(|article| article.date);
    for (id, article) in (1..).zip(&mut articles) {
        article.id = id;
    }
    articles
}

fn report(database: &Database, random: &mut Random) -> Article {
    let game = random.pick(&database.matches);
    let (home, away) = (&database.team(game.home).name, &database.team(game.away).name);
    let (scored, conceded) = game.score();
    let verb = *random.pick(&["meet", "visit memory lane:", "share a long evening with", "test"]);
    let mut paragraphs = vec![format!(
        "{home} {scored}, {away} {conceded}: that was the score after a {} evening.",
        mood(random)
    )];
    paragraphs.extend(game.goals.first().map(|goal| {
        format!(
            "The first goal came in minute {} through {}.",
            goal.minute,
            database.player(goal.player).person.name()
        )
    }));
    paragraphs.extend(filler(random));
    let players = game.goals.iter().take(2).map(|goal| goal.player).collect();
    let draft = Draft {
        headline: format!("{home} {verb} {away}"),
        paragraphs,
        players,
        teams: vec![game.home, game.away],
    };
    let date = game.date.plus_days(1);
    Article {
        date,
        match_id: Some(game.id),
        ..article(draft, random)
    }
}

fn rumour(database: &Database, random: &mut Random) -> Article {
    let player = random.pick(&database.players);
    let team = random.pick(&database.teams);
    let name = player.person.name();
    let mut paragraphs = vec![format!(
        "According to a {} source, {} has asked about {name}.",
        mood(random),
        team.name
    )];
    paragraphs.push(format!(
        "The {} was not available for comment.",
        player.position.word().to_lowercase()
    ));
    paragraphs.extend(filler(random));
    let headline = match random.below(3) {
        0 => format!("Is {name} on the way to {}?", team.city),
        1 => format!("{} wants {name}", team.name),
        _ => format!("{name}: \"I have heard nothing\""),
    };
    article(
        Draft {
            headline,
            paragraphs,
            players: vec![player.person.id],
            teams: vec![team.id],
        },
        random,
    )
}

fn portrait(database: &Database, random: &mut Random) -> Article {
    let player = random.pick(&database.players);
    let name = player.person.name();
    let mut paragraphs = vec![format!(
        "{name} opens the door in {} boots and offers tea.",
        mood(random)
    )];
    paragraphs.extend(filler(random));
    let headline = match random.below(3) {
        0 => format!("A morning with {name}"),
        1 => format!("{name}, the pride of {}", player.person.birthplace),
        _ => format!("What {name} reads before a match"),
    };
    let teams = player.person.team.into_iter().collect();
    article(
        Draft {
            headline,
            paragraphs,
            players: vec![player.person.id],
            teams,
        },
        random,
    )
}

struct Draft {
    headline: String,
    paragraphs: Vec<String>,
    players: Vec<Id>,
    teams: Vec<Id>,
}

/// An article from a draft: mentions are made unique, date and author are drawn.
fn article(draft: Draft, random: &mut Random) -> Article {
    let mut players = draft.players;
    players.dedup();
    Article {
        id: 0,
        headline: draft.headline,
        date: FIRST_DAY.plus_days(random.below(NEWS_DAYS)),
        author: random.chance(75).then(|| full_name(random)),
        paragraphs: draft.paragraphs,
        players,
        teams: draft.teams,
        match_id: None,
    }
}

fn mood(random: &mut Random) -> &'static str {
    random.pick::<&str>(&[
        "quiet",
        "wet",
        "brand-new",
        "cheerful",
        "golden",
        "nervous",
        "well-meaning",
        "muddy",
    ])
}

/// Up to three paragraphs that would fit any article.
fn filler(random: &mut Random) -> Vec<String> {
    (0..random.below(4))
        .map(|_| match random.below(5) {
            0 => format!("Some {} fans had come by bicycle.", random.between(40, 900)),
            1 => "The sausages were sold out before noon, which led to the only protest of the day.".to_owned(),
            2 => format!(
                "Tickets for the next round cost {}.{}0 crowns.",
                random.between(8, 40),
                random.below(10)
            ),
            3 => "Nobody at the club wished to say more, and nobody was asked twice.".to_owned(),
            _ => format!(
                "It was the {}th time in ten years, if the records can be trusted.",
                random.between(4, 19)
            ),
        })
        .collect()
}
