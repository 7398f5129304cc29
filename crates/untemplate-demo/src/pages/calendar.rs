//! The calendar: a page for every month there is, most of them empty, each with a link to the next.
//!
//! This is the trap that crawlers fall into on real sites.

use super::source::Source;
use crate::content::{Block, Day, Link, PageContent};
use crate::database::date::{days_in_month, month_name, next_month, previous_month};
use crate::database::{Date, Id};
use crate::route::{Route, YEAR_MAX};

/// The page of a month.
pub fn calendar_page(year: u32, month: u32, source: &Source) -> PageContent {
    let mut page = source.page(&Route::Calendar(year, month), month_title((year, month)), Vec::new());
    page.previous = Some(previous_month(year, month))
        .filter(|&(year, _)| year >= 1)
        .map(|month| month_link(month, source));
    page.next = Some(next_month(year, month))
        .filter(|&(year, _)| year <= YEAR_MAX)
        .map(|month| month_link(month, source));
    let games = source.index.months.get(&(year, month)).map_or(&[][..], Vec::as_slice);
    page.blocks = vec![Block::Month {
        weeks: weeks(year, month, games, source),
    }];
    if games.is_empty() {
        let paragraphs = vec!["No matches this month.".to_owned()];
        page.blocks.push(Block::Prose {
            name: "none",
            heading: None,
            paragraphs,
        });
    }
    page
}

fn month_title((year, month): (u32, u32)) -> String {
    format!("{} {year}", month_name(month))
}

fn month_link(month: (u32, u32), source: &Source) -> Link {
    source.link(&Route::Calendar(month.0, month.1), month_title(month))
}

fn weeks(year: u32, month: u32, games: &[Id], source: &Source) -> Vec<[Option<Day>; 7]> {
    let mut weeks: Vec<[Option<Day>; 7]> = Vec::new();
    for day in 1..=days_in_month(year, month) {
        let date = Date { year, month, day };
        let weekday = date.weekday() as usize;
        if weeks.is_empty() || weekday == 0 {
            weeks.push(Default::default());
        }
        let week = weeks.last_mut().expect("a week has just been pushed");
        week[weekday] = Some(day_of(date, games, source));
    }
    weeks
}

fn day_of(date: Date, games: &[Id], source: &Source) -> Day {
    let mut today = games
        .iter()
        .filter(|&&game| source.database.match_by_id(game).date == date);
    let game = today.next().map(|&game| source.fixture(game));
    Day {
        day: date.day,
        game,
        more: today.count(),
    }
}
