//! Generates the database: sizes follow from the number of players, values from the seed.
//!
//! One team for 15 players, a stadium for most teams, a coach or more for each, groups of four
//! that play home and away (three matches for each team), an article for five players.

use super::matches::generate_matches;
use super::names::{COLOURS, club, full_name, town};
use super::news::generate_articles;
use super::people::{generate_coaches, generate_players, money};
use super::random::Random;
use super::records::{Database, Id, Stadium, Surface, Team};

/// The fewest players a database can have: two teams of two.
pub const PLAYERS_MIN: u32 = 4;

/// The year of the cup.
pub const CUP_YEAR: u32 = 2031;

/// What a database is generated from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct DatabaseOptions {
    /// How many players; fewer than [`PLAYERS_MIN`] are taken as that many. 20 give about 90 pages,
    /// 30,000 about 50,000.
    pub players: u32,
    /// Where the random numbers start: another seed, another database.
    pub seed: u64,
}

impl Default for DatabaseOptions {
    fn default() -> Self {
        Self { players: 200, seed: 1 }
    }
}

/// How many records of each kind there will be.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Sizes {
    /// Players.
    pub players: u32,
    /// Teams.
    pub teams: u32,
    /// Groups of the cup.
    pub groups: u32,
    /// Stadiums: every fifth team shares the ground of the team before.
    pub stadiums: u32,
    /// Coaches: a head coach each, an assistant for every fourth team.
    pub coaches: u32,
    /// News articles.
    pub articles: u32,
}

/// Derives the sizes from the number of players.
pub fn sizes(options: &DatabaseOptions) -> Sizes {
    let players = options.players.max(PLAYERS_MIN);
    let teams = ((players + 7) / 15).max(2);
    Sizes {
        players,
        teams,
        groups: (teams / 4).max(1),
        stadiums: teams - teams / 5,
        coaches: teams + teams / 4,
        articles: (players / 5).max(3),
    }
}

impl Database {
    /// Generates the database: the same for the same options.
    pub fn generate(options: &DatabaseOptions) -> Self {
        let sizes = sizes(options);
        let mut database = Self {
            teams: generate_teams(&sizes, options.seed),
            players: generate_players(&sizes, options.seed),
            coaches: generate_coaches(&sizes, options.seed),
            stadiums: Vec::new(),
            matches: Vec::new(),
            articles: Vec::new(),
        };
        database.stadiums = generate_stadiums(&database.teams, &sizes, options.seed);
        database.matches = generate_matches(&database, &sizes, options.seed);
        database.articles = generate_articles(&database, &sizes, options.seed);
        database
    }
}

fn generate_teams(sizes: &Sizes, seed: u64) -> Vec<Team> {
    let mut random = Random::new(seed, "teams");
    (0..sizes.teams)
        .map(|index| {
            let stadium = stadium_of(index);
            let city = town(stadium - 1, seed);
            Team {
                id: index + 1,
                // Two teams that share a ground share a town as well, so the second has a name
                // apart.
                name: if shares_ground(index) {
                    format!("Real {city}")
                } else {
                    club(&city, &mut random)
                },
                city,
                founded: random.between(1874, 2008),
                colours: (*random.pick(&COLOURS)).to_owned(),
                group: index % sizes.groups + 1,
                stadium,
                coach: index + 1,
                budget: random
                    .chance(70)
                    .then(|| money(random.between(8, 900) * 250_000, &mut random)),
            }
        })
        .collect()
}

/// Every fifth team has no ground of its own.
fn shares_ground(team_index: u32) -> bool {
    team_index % 5 == 4
}

/// The stadium of the team with this index, which is that of the team before where the ground is
/// shared.
fn stadium_of(team_index: u32) -> Id {
    team_index + 1 - (team_index + 1) / 5
}

fn generate_stadiums(teams: &[Team], sizes: &Sizes, seed: u64) -> Vec<Stadium> {
    let mut random = Random::new(seed, "stadiums");
    let owners = teams.iter().filter(|team| !shares_ground(team.id - 1));
    let stadiums: Vec<Stadium> = owners
        .map(|team| Stadium {
            id: team.stadium,
            name: stadium_name(&team.city, &mut random),
            city: team.city.clone(),
            capacity: random.between(16, 320) * 250,
            opened: random.between(team.founded, 2029),
            surface: Surface::ALL[random.below(3).min(random.below(3)) as usize],
            pitch_length_dm: random.between(1000, 1100),
            pitch_width_dm: random.between(640, 750),
            architect: random.chance(40).then(|| full_name(&mut random)),
        })
        .collect();
    debug_assert_eq!(stadiums.len(), sizes.stadiums as usize);
    stadiums
}

fn stadium_name(city: &str, random: &mut Random) -> String {
    match random.below(5) {
        0 => format!("{city} Arena"),
        1 => format!("{city} Park"),
        2 => format!("{} Road", super::names::last_name(random)),
        3 => format!("{} Stadium", super::names::last_name(random)),
        _ => format!("{city} Bowl"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_references(players: u32) {
        let database = Database::generate(&DatabaseOptions { players, seed: 3 });
        for (index, stadium) in database.stadiums.iter().enumerate() {
            assert_eq!(stadium.id as usize, index + 1);
        }
        for team in &database.teams {
            assert_eq!(database.stadium(team.stadium).city, team.city);
            assert_eq!(database.coach(team.coach).person.team, Some(team.id));
        }
        for game in &database.matches {
            assert_ne!(game.home, game.away);
            for goal in &game.goals {
                let scorer = database.player(goal.player).person.team;
                assert_eq!(scorer == Some(goal.team), !goal.own_goal);
            }
        }
    }

    #[test]
    fn references_hold_at_every_size() {
        for players in [0, 4, 20, 33, 60, 61, 75, 91, 200, 1000] {
            check_references(players);
        }
    }

    #[test]
    fn same_options_same_database() {
        let options = DatabaseOptions { players: 100, seed: 9 };
        assert_eq!(Database::generate(&options), Database::generate(&options));
        assert_ne!(
            Database::generate(&options),
            Database::generate(&DatabaseOptions { seed: 10, ..options })
        );
    }
}
