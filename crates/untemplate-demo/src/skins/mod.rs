//! The skins: four ways to dress the same content.
//!
//! [`modern`] is semantic markup with classes; [`tables`] is what sites were like around 2001,
//! nested tables and unclosed tags; [`plain`] has so few links that link paths alone cannot tell
//! its page classes apart; [`wild`] has what makes the pages of real sites hard to read.

pub mod address;
pub mod menu;
pub mod modern;
pub mod plain;
pub mod skin;
pub mod tables;
pub mod tables_blocks;
pub mod wild;
pub mod wild_text;

pub use skin::Skin;
