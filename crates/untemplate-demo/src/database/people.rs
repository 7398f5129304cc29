//! Players and coaches: names, births, clubs, careers, lives.
//!
//! Many values are absent for some people, since sites are like that and wrappers must cope.

use super::date::{Date, days_in_month};
use super::generate::{CUP_YEAR, Sizes};
use super::names::{COUNTRIES, NICKNAMES, first_name, last_name, town};
use super::random::Random;
use super::records::{Coach, CoachRole, Currency, Foot, Id, Money, Person, Player, Position, Season, Transfer};

/// Squad places, by order of joining, that are never left free: a team can always play.
const SQUAD_CORE: u32 = 2;

/// The players: the squads are filled in turn, so that their sizes differ by one at most.
pub fn generate_players(sizes: &Sizes, seed: u64) -> Vec<Player> {
    let mut random = Random::new(seed, "players");
    (0..sizes.players)
        .map(|index| generate_player(index, sizes, seed, &mut random))
        .collect()
}

/// The coaches: a head coach for each team, then assistants.
pub fn generate_coaches(sizes: &Sizes, seed: u64) -> Vec<Coach> {
    let mut random = Random::new(seed, "coaches");
    (0..sizes.coaches)
        .map(|index| {
            let team = Some(index % sizes.teams + 1);
            let life = Life {
                id: index + 1,
                team,
                born_from: 1966,
                born_to: 1992,
                retired: true,
            };
            let role = if index < sizes.teams {
                CoachRole::Head
            } else {
                CoachRole::Assistant
            };
            Coach {
                person: generate_person(&life, sizes, seed, &mut random),
                role,
            }
        })
        .collect()
}

/// An amount in one of the currencies.
pub fn money(amount: u32, random: &mut Random) -> Money {
    Money {
        amount: u64::from(amount),
        currency: *random.pick(Currency::ALL),
    }
}

fn generate_player(index: u32, sizes: &Sizes, seed: u64, random: &mut Random) -> Player {
    let place = index / sizes.teams;
    let free = place >= SQUAD_CORE && random.chance(4);
    let team = (!free).then_some(index % sizes.teams + 1);
    let life = Life {
        id: index + 1,
        team,
        born_from: 1994,
        born_to: 2013,
        retired: false,
    };
    let person = generate_person(&life, sizes, seed, random);
    let position = match place {
        0 => Position::Goalkeeper,
        1 => Position::Forward,
        _ if random.chance(10) => Position::Goalkeeper,
        _ => *random.pick(&Position::ALL[1..]),
    };
    let transfer = (team.is_some() && random.chance(35)).then(|| Transfer {
        fee: money(random.between(2, 400) * 50_000, random),
        year: random.between(CUP_YEAR - 4, CUP_YEAR),
        from: other_team(team, sizes, random),
    });
    Player {
        person,
        position,
        shirt: place + 1,
        height_cm: random.chance(88).then(|| random.between(163, 204)),
        weight_kg: random.between(58, 98),
        foot: Foot::ALL[random.below(3).min(random.below(3)) as usize],
        transfer,
    }
}

/// What distinguishes the lives of players and coaches.
struct Life {
    id: Id,
    team: Option<Id>,
    born_from: u32,
    born_to: u32,
    retired: bool,
}

fn generate_person(life: &Life, sizes: &Sizes, seed: u64, random: &mut Random) -> Person {
    let (first_name, last_name) = (first_name(random), last_name(random));
    let birth = birth_date(life, random);
    let birthplace = town(random.below(sizes.teams * 2), seed);
    let seasons = career(life, birth.year, sizes, random);
    let biography = random
        .chance(45)
        .then(|| biography(&last_name, &birthplace, &seasons, random));
    Person {
        id: life.id,
        nickname: random.chance(25).then(|| (*random.pick(&NICKNAMES)).to_owned()),
        born: random.chance(92).then_some(birth),
        birthplace,
        nationality: (*random.pick(&COUNTRIES)).to_owned(),
        team: life.team,
        seasons,
        biography,
        first_name,
        last_name,
    }
}

fn birth_date(life: &Life, random: &mut Random) -> Date {
    let year = random.between(life.born_from, life.born_to);
    let month = random.between(1, 12);
    Date {
        year,
        month,
        day: random.between(1, days_in_month(year, month)),
    }
}

/// The seasons, newest first: a club is kept for some years, then changed.
fn career(life: &Life, born: u32, sizes: &Sizes, random: &mut Random) -> Vec<Season> {
    let debut = born + 18;
    let last = if life.retired {
        debut + 8 + random.below(6)
    } else {
        CUP_YEAR - 1
    };
    let played = (last + 1).saturating_sub(debut).min(2 + random.below(6));
    let mut team = life.team.unwrap_or(1);
    (0..played)
        .map(|back| {
            if random.chance(35) {
                team = random.between(1, sizes.teams);
            }
            let appearances = random.between(1, 38);
            Season {
                year: last - back,
                team,
                appearances,
                goals: random.below(appearances / 2 + 1),
            }
        })
        .collect()
}

fn other_team(team: Option<Id>, sizes: &Sizes, random: &mut Random) -> Id {
    let from = random.between(1, sizes.teams);
    if Some(from) == team {
        from % sizes.teams + 1
    } else {
        from
    }
}

fn biography(last_name: &str, birthplace: &str, seasons: &[Season], random: &mut Random) -> String {
    let mut sentences = vec![match random.below(4) {
        0 => format!("{last_name} learned to play on the quays of {birthplace}."),
        1 => format!(
            "Born into a family of bakers, {last_name} left {birthplace} at the age of {}.",
            random.between(11, 17)
        ),
        2 => format!("{last_name} first trained as a carpenter and played only on Sundays."),
        _ => format!(
            "The youngest of {} children, {last_name} was seen by a scout at a school match.",
            random.between(3, 7)
        ),
    }];
    if let Some(season) = seasons.first() {
        sentences.push(match random.below(3) {
            0 => format!(
                "The season of {} brought {} games and the trust of the fans.",
                season.year, season.appearances
            ),
            1 => format!(
                "After {} games in {} few doubt the talent.",
                season.appearances, season.year
            ),
            _ => format!("An injury in the spring of {} was soon forgotten.", season.year),
        });
    }
    if random.chance(50) {
        sentences.push(match random.below(3) {
            0 => "Off the pitch there are two dogs, a boat and a long list of unread books.".to_owned(),
            1 => format!("A street in {birthplace} has already been promised."),
            _ => "Team mates praise the calm, and fear the card games.".to_owned(),
        });
    }
    sentences.join(" ")
}
