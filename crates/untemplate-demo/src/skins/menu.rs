//! What stands on every page: the menu, the footer and the counter.

use crate::database::random::hash_text;

/// The name of the site.
pub const SITE_NAME: &str = "The Lantern Cup";

/// The menu: address and text.
pub const MENU: [(&str, &str); 8] = [
    ("/", "Home"),
    ("/players/", "Players"),
    ("/teams/", "Teams"),
    ("/groups/", "Groups"),
    ("/matches.html", "Matches"),
    ("/stadiums/", "Stadiums"),
    ("/coaches/", "Coaches"),
    ("/news/", "News"),
];

/// The footer: address and text.
pub const FOOTER: [(&str, &str); 3] = [
    ("/search.html", "Search"),
    ("/find.html", "Find a player"),
    ("/calendar/2031-08.html", "Calendar"),
];

/// The menu of the plain skin.
pub const TINY_MENU: [(&str, &str); 5] = [
    ("/", "Home"),
    ("/players/", "Players"),
    ("/teams/", "Teams"),
    ("/matches.html", "Matches"),
    ("/news/", "News"),
];

/// The number of the visitor for whom a page was made: noise on every page, though always the same
/// noise.
pub fn visitor(path: &str) -> u64 {
    10_000 + hash_text(path) % 90_000
}
