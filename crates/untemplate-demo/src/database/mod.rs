//! The database behind the site: an invented football cup, the same for the same options, for ever.
//!
//! In: [`DatabaseOptions`]. Out: a [`Database`] of teams, people, stadiums, matches and news, all
//! drawn from one seeded generator and whole numbers alone, so that no machine and no later
//! version of a library changes a byte. Names are built from syllables: nobody is meant.

pub mod date;
pub mod generate;
pub mod index;
pub mod matches;
pub mod names;
pub mod news;
pub mod people;
pub mod random;
pub mod records;

pub use date::Date;
pub use generate::DatabaseOptions;
pub use index::Index;
pub use records::{
    Article, Coach, CoachRole, Currency, Database, Foot, Goal, Id, Match, Money, Person, Player, Position, Season,
    Stadium, Surface, Team, Transfer,
};
