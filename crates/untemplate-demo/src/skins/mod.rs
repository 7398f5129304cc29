//! The skins: three ways to dress the same content.
//!
//! [`modern`] is semantic markup with classes; [`tables`] is what sites were like around 2001,
//! nested tables and unclosed tags; [`plain`] has so few links that link paths alone cannot tell
//! its page classes apart.

pub mod address;
pub mod menu;
pub mod modern;
pub mod plain;
pub mod skin;
pub mod tables;
pub mod tables_blocks;

pub use skin::Skin;
