//! The glossary: one page of its kind, a list of definitions. The wild skin alone has it.

use super::source::Source;
use crate::content::{Block, PageContent, text};
use crate::route::Route;

/// The words and what they mean.
pub const TERMS: [(&str, &str); 12] = [
    (
        "Away goal",
        "A goal scored on the ground of the other team. It counts no more than any other.",
    ),
    (
        "Cap",
        "A game for the team of a country. The cup knows none, since it is played by clubs.",
    ),
    ("Clean sheet", "A match in which a Goalkeeper concedes nothing."),
    (
        "Counter",
        "An attack that begins where the other one ended, mostly with a long ball to a Forward.",
    ),
    ("Dead ball", "A ball at rest: a free kick, a corner, a throw-in."),
    (
        "Derby",
        "A match of two teams that share a town, or a ground, or a grudge.",
    ),
    ("Draw", "A match without a winner. Each team is given one point."),
    (
        "Lantern",
        "What the winner takes home. It was made in 1874, and has been lit ever since.",
    ),
    (
        "Own goal",
        "A goal scored into the own net. It counts for the other team.",
    ),
    (
        "Penalty",
        "A shot from eleven metres, against nobody but the Goalkeeper.",
    ),
    (
        "Sweeper",
        "A Defender without an opponent of his own, behind all the others.",
    ),
    (
        "Wall",
        "A line of players in front of a free kick. Every Midfielder has stood in one.",
    ),
];

/// The page.
pub fn glossary_page(source: &Source) -> PageContent {
    let mut page = source.page(&Route::Glossary, "Glossary", Vec::new());
    let positions = source.index.positions.keys();
    page.names = positions
        .map(|&position| source.link(&Route::Position(position, 1), position.word()))
        .collect();
    page.blocks = vec![Block::Facts {
        name: "glossary",
        heading: None,
        rows: TERMS.iter().map(|(word, meaning)| (*word, text(meaning))).collect(),
    }];
    page
}
