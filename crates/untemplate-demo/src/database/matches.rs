//! Matches: in each group everybody plays everybody, at home and away.

use super::date::Date;
use super::generate::{CUP_YEAR, Sizes};
use super::names::full_name;
use super::random::Random;
use super::records::{Database, Goal, Id, Match, Position};

/// The first day of the cup.
pub const FIRST_DAY: Date = Date {
    year: CUP_YEAR,
    month: 8,
    day: 2,
};

/// Days between two rounds of a group.
const ROUND_DAYS: u32 = 14;

/// The most players in a line-up.
const LINEUP_MAX: usize = 11;

/// All matches, by date; ids follow that order.
pub fn generate_matches(database: &Database, sizes: &Sizes, seed: u64) -> Vec<Match> {
    let mut random = Random::new(seed, "matches");
    let squads = squads(database);
    let mut matches = Vec::new();
    for group in 1..=sizes.groups {
        let members: Vec<Id> = database
            .teams
            .iter()
            .filter(|team| team.group == group)
            .map(|team| team.id)
            .collect();
        for pairing in schedule(&members) {
            matches.push(generate_match(group, &pairing, database, &squads, &mut random));
        }
    }
    matches.sort_by_key(|game| (game.date, game.group, game.home));
    for (id, game) in (1..).zip(&mut matches) {
        game.id = id;
    }
    matches
}

/// The players of each team, by team index.
fn squads(database: &Database) -> Vec<Vec<Id>> {
    let mut squads = vec![Vec::new(); database.teams.len()];
    for player in &database.players {
        if let Some(team) = player.person.team {
            squads[team as usize - 1].push(player.person.id);
        }
    }
    squads
}

struct Pairing {
    round: u32,
    home: Id,
    away: Id,
}

/// Who plays whom in which round: each pairing takes the first round in which both are free.
fn schedule(members: &[Id]) -> Vec<Pairing> {
    // Two teams alone would meet twice only, so they meet six times.
    let turns = if members.len() == 2 { 3 } else { 1 };
    let mut pairings: Vec<Pairing> = Vec::new();
    for _ in 0..turns {
        for (home, away) in members
            .iter()
            .flat_map(|&home| members.iter().map(move |&away| (home, away)))
        {
            if home == away {
                continue;
            }
            let busy = |round| {
                pairings
                    .iter()
                    .any(|pairing| pairing.round == round && meets(pairing, home, away))
            };
            let round = (1..).find(|&round| !busy(round)).expect("some round is free");
            pairings.push(Pairing { round, home, away });
        }
    }
    pairings
}

fn meets(pairing: &Pairing, one: Id, other: Id) -> bool {
    [pairing.home, pairing.away]
        .iter()
        .any(|team| [one, other].contains(team))
}

fn generate_match(
    group: u32,
    pairing: &Pairing,
    database: &Database,
    squads: &[Vec<Id>],
    random: &mut Random,
) -> Match {
    let stadium = database.team(pairing.home).stadium;
    let squad = |team: Id| squads[team as usize - 1].as_slice();
    let both = [squad(pairing.home), squad(pairing.away)];
    let lineups = random.chance(60).then(|| both.map(|players| lineup(players, random)));
    let mut goals = score(pairing.home, both[0], both[1], database, random);
    goals.extend(score(pairing.away, both[1], both[0], database, random));
    goals.sort_by_key(|goal| goal.minute);
    Match {
        id: 0,
        group,
        round: pairing.round,
        date: FIRST_DAY.plus_days((pairing.round - 1) * ROUND_DAYS + group % 3),
        kick_off_minutes: 15 * random.between(52, 82),
        home: pairing.home,
        away: pairing.away,
        stadium,
        referee: full_name(random),
        attendance: random
            .chance(85)
            .then(|| database.stadium(stadium).capacity * random.between(31, 99) / 100),
        goals,
        lineups,
    }
}

/// The goalkeeper first, then the others in squad order, a few left out at random.
fn lineup(squad: &[Id], random: &mut Random) -> Vec<Id> {
    let mut players = squad.to_vec();
    while players.len() > LINEUP_MAX {
        let leaver = 1 + random.below(u32::try_from(players.len()).expect("squads are small") - 1);
        players.remove(leaver as usize);
    }
    players
}

/// The goals of one team against another.
fn score(team: Id, squad: &[Id], opponents: &[Id], database: &Database, random: &mut Random) -> Vec<Goal> {
    let count = random.below(5).min(random.below(5));
    (0..count)
        .map(|_| {
            let own_goal = random.chance(5);
            let mut player = *random.pick(if own_goal { opponents } else { squad });
            if database.player(player).position == Position::Goalkeeper {
                // Goalkeepers score as well, though only on a second draw.
                player = *random.pick(if own_goal { opponents } else { squad });
            }
            Goal {
                team,
                player,
                minute: random.between(1, 90),
                penalty: !own_goal && random.chance(10),
                own_goal,
            }
        })
        .collect()
}
