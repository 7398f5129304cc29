//! The ways into the database that pages need: squads, lists by initial, news of a player.

use super::names::folded;
use super::records::{Database, Id, Position};
use std::collections::BTreeMap;

/// Lists of ids, made once for a database.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Index {
    /// Players of each team, by team index.
    pub squads: Vec<Vec<Id>>,
    /// Matches of each team, by team index.
    pub team_matches: Vec<Vec<Id>>,
    /// Teams of each stadium, by stadium index.
    pub stadium_teams: Vec<Vec<Id>>,
    /// Teams of each group, by group index.
    pub group_teams: Vec<Vec<Id>>,
    /// Articles that mention a player, by player index, newest first.
    pub player_news: Vec<Vec<Id>>,
    /// Articles that mention a team, by team index, newest first.
    pub team_news: Vec<Vec<Id>>,
    /// Articles on a match, by match index, newest first.
    pub match_news: Vec<Vec<Id>>,
    /// Players by the initial of the family name, sorted by name.
    pub initials: BTreeMap<char, Vec<Id>>,
    /// Players by position, sorted by name.
    pub positions: BTreeMap<Position, Vec<Id>>,
    /// Matches by year and month.
    pub months: BTreeMap<(u32, u32), Vec<Id>>,
    /// Names as the search compares them: players, then coaches, then teams.
    pub folded_names: [Vec<String>; 3],
}

impl Index {
    /// Makes the lists.
    pub fn of(database: &Database) -> Self {
        let mut index = Self {
            squads: vec![Vec::new(); database.teams.len()],
            team_matches: vec![Vec::new(); database.teams.len()],
            stadium_teams: vec![Vec::new(); database.stadiums.len()],
            group_teams: Vec::new(),
            player_news: vec![Vec::new(); database.players.len()],
            team_news: vec![Vec::new(); database.teams.len()],
            match_news: vec![Vec::new(); database.matches.len()],
            initials: BTreeMap::new(),
            positions: BTreeMap::new(),
            months: BTreeMap::new(),
            folded_names: folded_names(database),
        };
        index.add_players(database);
        index.add_teams(database);
        index.add_matches(database);
        index.add_articles(database);
        index
    }

    fn add_players(&mut self, database: &Database) {
        let mut sorted: Vec<_> = database.players.iter().collect();
        sorted.sort_by_cached_key(|player| {
            (
                folded(&player.person.last_name),
                folded(&player.person.first_name),
                player.person.id,
            )
        });
        for player in sorted {
            let id = player.person.id;
            let initial = player
                .person
                .last_name
                .chars()
                .next()
                .expect("names are not empty")
                .to_ascii_lowercase();
            self.initials.entry(initial).or_default().push(id);
            self.positions.entry(player.position).or_default().push(id);
        }
        for player in &database.players {
            if let Some(team) = player.person.team {
                self.squads[team as usize - 1].push(player.person.id);
            }
        }
    }

    fn add_teams(&mut self, database: &Database) {
        let groups = database.teams.iter().map(|team| team.group).max().unwrap_or(0);
        self.group_teams = vec![Vec::new(); groups as usize];
        for team in &database.teams {
            self.stadium_teams[team.stadium as usize - 1].push(team.id);
            self.group_teams[team.group as usize - 1].push(team.id);
        }
    }

    fn add_matches(&mut self, database: &Database) {
        for game in &database.matches {
            self.team_matches[game.home as usize - 1].push(game.id);
            self.team_matches[game.away as usize - 1].push(game.id);
            self.months
                .entry((game.date.year, game.date.month))
                .or_default()
                .push(game.id);
        }
    }

    fn add_articles(&mut self, database: &Database) {
        for article in database.articles.iter().rev() {
            for &player in &article.players {
                self.player_news[player as usize - 1].push(article.id);
            }
            for &team in &article.teams {
                self.team_news[team as usize - 1].push(article.id);
            }
            if let Some(game) = article.match_id {
                self.match_news[game as usize - 1].push(article.id);
            }
        }
    }
}

fn folded_names(database: &Database) -> [Vec<String>; 3] {
    [
        database
            .players
            .iter()
            .map(|player| folded(&player.person.name()))
            .collect(),
        database
            .coaches
            .iter()
            .map(|coach| folded(&coach.person.name()))
            .collect(),
        database.teams.iter().map(|team| folded(&team.name)).collect(),
    ]
}
