//! The records of the database: what the site is made from, and what `truth.sqlite` holds.
//!
//! Ids count from 1 in each table and follow the order of its vector. An `Option` is a value that
//! the site does not show where it is absent.

use super::date::Date;

/// The key of a record in its table, from 1.
pub type Id = u32;

/// All records.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Database {
    /// The clubs.
    pub teams: Vec<Team>,
    /// The players.
    pub players: Vec<Player>,
    /// The coaches, head coaches first, in the order of their teams.
    pub coaches: Vec<Coach>,
    /// The grounds.
    pub stadiums: Vec<Stadium>,
    /// The matches, by date.
    pub matches: Vec<Match>,
    /// The news, oldest first.
    pub articles: Vec<Article>,
}

impl Database {
    /// The team with this id, which must be one of this database.
    pub fn team(&self, id: Id) -> &Team {
        &self.teams[id as usize - 1]
    }

    /// The player with this id, which must be one of this database.
    pub fn player(&self, id: Id) -> &Player {
        &self.players[id as usize - 1]
    }

    /// The coach with this id, which must be one of this database.
    pub fn coach(&self, id: Id) -> &Coach {
        &self.coaches[id as usize - 1]
    }

    /// The stadium with this id, which must be one of this database.
    pub fn stadium(&self, id: Id) -> &Stadium {
        &self.stadiums[id as usize - 1]
    }

    /// The match with this id, which must be one of this database.
    pub fn match_by_id(&self, id: Id) -> &Match {
        &self.matches[id as usize - 1]
    }

    /// The article with this id, which must be one of this database.
    pub fn article(&self, id: Id) -> &Article {
        &self.articles[id as usize - 1]
    }
}

/// A club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Team {
    /// The key.
    pub id: Id,
    /// The full name, unique.
    pub name: String,
    /// The town it plays in.
    pub city: String,
    /// The year of its foundation.
    pub founded: u32,
    /// The colours of its shirts.
    pub colours: String,
    /// The group of the cup it plays in, from 1.
    pub group: u32,
    /// Its home ground.
    pub stadium: Id,
    /// Its head coach.
    pub coach: Id,
    /// What it spends in a year, where it tells.
    pub budget: Option<Money>,
}

/// What a player and a coach have in common: their pages are made by one template.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Person {
    /// The key, in the table of players or that of coaches.
    pub id: Id,
    /// The given name.
    pub first_name: String,
    /// The family name.
    pub last_name: String,
    /// What the fans say.
    pub nickname: Option<String>,
    /// The date of birth.
    pub born: Option<Date>,
    /// The town of birth.
    pub birthplace: String,
    /// An invented country.
    pub nationality: String,
    /// The present club.
    pub team: Option<Id>,
    /// Seasons played, newest first; a beginner has none.
    pub seasons: Vec<Season>,
    /// A paragraph on the person's life.
    pub biography: Option<String>,
}

impl Person {
    /// Given name and family name.
    pub fn name(&self) -> String {
        format!("{} {}", self.first_name, self.last_name)
    }
}

/// A season of a playing career.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Season {
    /// The year it began; one season a year.
    pub year: u32,
    /// The club.
    pub team: Id,
    /// Games played.
    pub appearances: u32,
    /// Goals scored.
    pub goals: u32,
}

/// A player.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Player {
    /// Name, birth, club, career.
    pub person: Person,
    /// Where on the pitch.
    pub position: Position,
    /// The number on the shirt, unique in a squad.
    pub shirt: u32,
    /// Height in centimetres; pages show metres.
    pub height_cm: Option<u32>,
    /// Weight in kilograms.
    pub weight_kg: u32,
    /// The preferred foot.
    pub foot: Foot,
    /// The last transfer, where a fee was paid.
    pub transfer: Option<Transfer>,
}

/// A coach.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Coach {
    /// Name, birth, club, career as a player.
    pub person: Person,
    /// Head coach or one of the assistants.
    pub role: CoachRole,
}

/// A transfer to the present club.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Transfer {
    /// What was paid.
    pub fee: Money,
    /// When.
    pub year: u32,
    /// The club that sold.
    pub from: Id,
}

/// An amount with its currency.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Money {
    /// Whole units of the currency.
    pub amount: u64,
    /// The currency.
    pub currency: Currency,
}

/// A ground.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Stadium {
    /// The key.
    pub id: Id,
    /// The name.
    pub name: String,
    /// The town.
    pub city: String,
    /// Seats.
    pub capacity: u32,
    /// The year it opened.
    pub opened: u32,
    /// What is played on.
    pub surface: Surface,
    /// Length of the pitch in tenths of a metre; pages show metres.
    pub pitch_length_dm: u32,
    /// Width of the pitch in tenths of a metre; pages show metres.
    pub pitch_width_dm: u32,
    /// Who drew it, where known.
    pub architect: Option<String>,
}

/// A match of the cup.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Match {
    /// The key; matches are numbered by date.
    pub id: Id,
    /// The group of both teams.
    pub group: u32,
    /// The round of the group, from 1.
    pub round: u32,
    /// The day.
    pub date: Date,
    /// Kick-off, minutes after midnight.
    pub kick_off_minutes: u32,
    /// The home team.
    pub home: Id,
    /// The away team.
    pub away: Id,
    /// The ground, that of the home team.
    pub stadium: Id,
    /// The referee's name.
    pub referee: String,
    /// Spectators, where counted.
    pub attendance: Option<u32>,
    /// All goals, by minute.
    pub goals: Vec<Goal>,
    /// The players who started, home team and away team, where known.
    pub lineups: Option<[Vec<Id>; 2]>,
}

impl Match {
    /// The goals that count for a team.
    pub fn goals_of(&self, team: Id) -> impl Iterator<Item = &Goal> {
        self.goals.iter().filter(move |goal| goal.team == team)
    }

    /// Goals of the home team, goals of the away team.
    pub fn score(&self) -> (usize, usize) {
        (self.goals_of(self.home).count(), self.goals_of(self.away).count())
    }
}

/// A goal.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Goal {
    /// The team it counts for.
    pub team: Id,
    /// Who scored; of the other team for an own goal.
    pub player: Id,
    /// The minute of the match.
    pub minute: u32,
    /// Scored from the penalty spot.
    pub penalty: bool,
    /// Scored into the own net.
    pub own_goal: bool,
}

/// A news article.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Article {
    /// The key; articles are numbered by date.
    pub id: Id,
    /// The headline.
    pub headline: String,
    /// The day it appeared.
    pub date: Date,
    /// The author, where the article is signed.
    pub author: Option<String>,
    /// The paragraphs, one at least.
    pub paragraphs: Vec<String>,
    /// Players it mentions.
    pub players: Vec<Id>,
    /// Teams it mentions.
    pub teams: Vec<Id>,
    /// The match it reports on.
    pub match_id: Option<Id>,
}

/// Declares an enumeration whose variants have a word on the site, and the list of all of them.
macro_rules! words {
    ($(#[$outer:meta])* $name:ident { $($(#[$inner:meta])* $variant:ident = $word:literal),+ $(,)? }) => {
        $(#[$outer])*
        #[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
        pub enum $name { $($(#[$inner])* $variant),+ }

        impl $name {
            /// All of them, in order.
            pub const ALL: &[Self] = &[$(Self::$variant),+];

            /// The word on the site.
            pub fn word(self) -> &'static str {
                match self { $(Self::$variant => $word),+ }
            }
        }
    };
}

words! {
    /// Where a player plays.
    Position {
        /// Keeps the goal.
        Goalkeeper = "Goalkeeper",
        /// Guards it.
        Defender = "Defender",
        /// Runs in between.
        Midfielder = "Midfielder",
        /// Shoots.
        Forward = "Forward",
    }
}

words! {
    /// The preferred foot.
    Foot {
        /// The right one.
        Right = "right",
        /// The left one.
        Left = "left",
        /// Either.
        Both = "both",
    }
}

words! {
    /// What a coach does.
    CoachRole {
        /// Leads the team.
        Head = "Head coach",
        /// Helps.
        Assistant = "Assistant coach",
    }
}

words! {
    /// What a pitch is made of.
    Surface {
        /// Grass.
        Grass = "grass",
        /// Grass sewn with plastic.
        Hybrid = "hybrid grass",
        /// Plastic.
        Artificial = "artificial turf",
    }
}

words! {
    /// The currencies of fees and budgets; the word is the code, pages show the sign.
    Currency {
        /// Euro.
        Euro = "EUR",
        /// Pound.
        Pound = "GBP",
        /// Dollar.
        Dollar = "USD",
    }
}
