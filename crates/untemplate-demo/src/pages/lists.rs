//! Lists: hubs, and the paginated lists of players, teams, coaches, stadiums and matches.

use super::source::Source;
use crate::content::{Block, Item, Link, PageContent, Value, grouped, item, text};
use crate::database::{Id, Position};
use crate::route::Route;

/// Players on a page of an initial.
pub const INITIAL_PER_PAGE: usize = 100;
/// Rows on a page of any other list.
pub const ROWS_PER_PAGE: usize = 50;
/// Matches on a page of the list of matches.
pub const MATCHES_PER_PAGE: usize = 25;

/// One page of a list.
pub struct ListPage<'a> {
    /// The page, from 1.
    pub number: u32,
    /// Rows on a page.
    pub size: usize,
    /// The heading.
    pub title: &'a str,
    /// The route of each page of the list.
    pub route: &'a dyn Fn(u32) -> Route,
}

/// How many pages a list has; an empty list has one.
pub fn page_count(rows: usize, size: usize) -> u32 {
    u32::try_from(rows.div_ceil(size).max(1)).expect("lists are shorter than that")
}

/// An empty page of a list with the links to the pages beside it, and the rows that belong on it.
pub fn paginate<'a>(rows: &'a [Id], list: &ListPage<'_>, source: &Source) -> Option<(PageContent, &'a [Id])> {
    let ListPage {
        number,
        size,
        title,
        route,
    } = *list;
    let count = page_count(rows.len(), size);
    if number == 0 || number > count {
        return None;
    }
    let first = (number as usize - 1) * size;
    let shown = &rows[first..(first + size).min(rows.len())];
    let mut page = source.page(&route(number), title, Vec::new());
    page.previous = (number > 1).then(|| source.link(&route(number - 1), "Previous page"));
    page.next = (number < count).then(|| source.link(&route(number + 1), "Next page"));
    page.position = (count > 1).then_some((number, count));
    Some((page, shown))
}

/// The way to the players: initials and positions.
pub fn player_hub(source: &Source) -> PageContent {
    let mut page = source.page(&Route::PlayerHub, "Players", Vec::new());
    let positions = source.index.positions.iter().map(|(position, players)| Item {
        before: None,
        value: Value::Link(source.link(&Route::Position(*position, 1), format!("{}s", position.word()))),
        after: Some(players.len().to_string()),
    });
    page.blocks = vec![
        Block::Bar {
            name: "initials",
            links: initial_links(source),
        },
        Block::Items {
            name: "positions",
            heading: "By position",
            items: positions.collect(),
        },
    ];
    page
}

/// The list of groups.
pub fn group_hub(source: &Source) -> PageContent {
    let mut page = source.page(&Route::GroupHub, "Groups", Vec::new());
    let groups = (1..).zip(&source.index.group_teams).map(|(number, _)| {
        item(Value::Link(
            source.link(&Route::Group(number), format!("Group {number}")),
        ))
    });
    page.blocks = vec![Block::Items {
        name: "groups",
        heading: "All groups",
        items: groups.collect(),
    }];
    page
}

/// Players whose family name begins with a letter.
pub fn initial_page(letter: char, number: u32, source: &Source) -> Option<PageContent> {
    let players = source.index.initials.get(&letter)?;
    let title = format!("Players: {}", letter.to_ascii_uppercase());
    let list = ListPage {
        number,
        size: INITIAL_PER_PAGE,
        title: &title,
        route: &|number| Route::Initial(letter, number),
    };
    let (mut page, shown) = paginate(players, &list, source)?;
    page.crumbs.push(source.link(&Route::PlayerHub, "Players"));
    let items = shown.iter().map(|&id| {
        let player = source.database.player(id);
        let name = format!("{}, {}", player.person.last_name, player.person.first_name);
        Item {
            before: None,
            value: Value::Link(source.link(&Route::Player(id), name)),
            after: player.person.team.map(|team| source.database.team(team).name.clone()),
        }
    });
    page.blocks = vec![
        Block::Bar {
            name: "initials",
            links: initial_links(source),
        },
        Block::Items {
            name: "by-name",
            heading: "By name",
            items: items.collect(),
        },
    ];
    Some(page)
}

/// Players of a position.
pub fn position_page(position: Position, number: u32, source: &Source) -> Option<PageContent> {
    let players = source.index.positions.get(&position)?;
    let title = format!("{}s", position.word());
    let list = ListPage {
        number,
        size: ROWS_PER_PAGE,
        title: &title,
        route: &|number| Route::Position(position, number),
    };
    let (mut page, shown) = paginate(players, &list, source)?;
    page.crumbs.push(source.link(&Route::PlayerHub, "Players"));
    let row = |&id: &Id| {
        let player = source.database.player(id);
        let born = player.person.born.map_or(Value::Missing, Value::Date);
        vec![
            Value::Link(source.player(id)),
            source.team_cell(player.person.team),
            text(&player.person.nationality),
            born,
        ]
    };
    page.blocks = vec![Block::Grid {
        name: "by-position",
        heading: format!("{} players", players.len()),
        columns: &["Player", "Club", "Nationality", "Born"],
        rows: shown.iter().map(row).collect(),
    }];
    Some(page)
}

/// The list of matches, by date.
pub fn match_list(number: u32, source: &Source) -> Option<PageContent> {
    let games: Vec<Id> = source.database.matches.iter().map(|game| game.id).collect();
    let list = ListPage {
        number,
        size: MATCHES_PER_PAGE,
        title: "Matches",
        route: &Route::MatchList,
    };
    let (mut page, shown) = paginate(&games, &list, source)?;
    let row = |&id: &Id| {
        let game = source.database.match_by_id(id);
        let [home, away] = [game.home, game.away].map(|team| Value::Link(source.team(team)));
        vec![
            Value::Link(source.result(id)),
            Value::Date(game.date),
            home,
            away,
            text(game.group),
        ]
    };
    page.blocks = vec![Block::Grid {
        name: "matches",
        heading: "All matches".to_owned(),
        columns: &["Result", "Date", "Home", "Away", "Group"],
        rows: shown.iter().map(row).collect(),
    }];
    Some(page)
}

/// The list of teams.
pub fn team_list(number: u32, source: &Source) -> Option<PageContent> {
    let teams: Vec<Id> = source.database.teams.iter().map(|team| team.id).collect();
    let list = ListPage {
        number,
        size: ROWS_PER_PAGE,
        title: "Teams",
        route: &Route::TeamList,
    };
    let (mut page, shown) = paginate(&teams, &list, source)?;
    let row = |&id: &Id| {
        let team = source.database.team(id);
        vec![Value::Link(source.team(id)), text(&team.city), text(team.founded)]
    };
    page.blocks = vec![Block::Grid {
        name: "teams",
        heading: "All teams".to_owned(),
        columns: &["Team", "City", "Founded"],
        rows: shown.iter().map(row).collect(),
    }];
    Some(page)
}

/// The list of coaches.
pub fn coach_list(number: u32, source: &Source) -> Option<PageContent> {
    let coaches: Vec<Id> = source.database.coaches.iter().map(|coach| coach.person.id).collect();
    let list = ListPage {
        number,
        size: ROWS_PER_PAGE,
        title: "Coaches",
        route: &Route::CoachList,
    };
    let (mut page, shown) = paginate(&coaches, &list, source)?;
    let items = shown.iter().map(|&id| Item {
        before: Some(source.database.coach(id).role.word().to_owned()),
        value: Value::Link(source.coach(id)),
        after: source
            .database
            .coach(id)
            .person
            .team
            .map(|team| source.database.team(team).name.clone()),
    });
    page.blocks = vec![Block::Items {
        name: "coaches",
        heading: "All coaches",
        items: items.collect(),
    }];
    Some(page)
}

/// The list of stadiums.
pub fn stadium_list(number: u32, source: &Source) -> Option<PageContent> {
    let stadiums: Vec<Id> = source.database.stadiums.iter().map(|stadium| stadium.id).collect();
    let list = ListPage {
        number,
        size: ROWS_PER_PAGE,
        title: "Stadiums",
        route: &Route::StadiumList,
    };
    let (mut page, shown) = paginate(&stadiums, &list, source)?;
    let row = |&id: &Id| {
        let stadium = source.database.stadium(id);
        let capacity = text(grouped(stadium.capacity.into()));
        vec![
            Value::Link(source.stadium(id)),
            text(&stadium.city),
            capacity,
            text(stadium.surface.word()),
        ]
    };
    page.blocks = vec![Block::Grid {
        name: "stadiums",
        heading: "All stadiums".to_owned(),
        columns: &["Stadium", "City", "Capacity", "Surface"],
        rows: shown.iter().map(row).collect(),
    }];
    Some(page)
}

fn initial_links(source: &Source) -> Vec<Link> {
    let letters = source.index.initials.keys();
    letters
        .map(|&letter| source.link(&Route::Initial(letter, 1), letter.to_ascii_uppercase()))
        .collect()
}
