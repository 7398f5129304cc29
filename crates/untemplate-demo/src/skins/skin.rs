//! Which skin a site wears.

use super::{modern, plain, tables, wild};
use crate::content::PageContent;
use std::str::FromStr;

/// The looks of a site; its data is the same in all of them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum Skin {
    /// Semantic markup with classes.
    #[default]
    Modern,
    /// Nested tables, fonts and unclosed tags, as around 2001.
    Tables,
    /// Few links, the same on every page; values are plain text.
    Plain,
    /// What real sites have: mark-up inside values, prose with links, blocks under headings, two
    /// languages.
    Wild,
}

/// A skin that is none.
#[derive(Debug, thiserror::Error, PartialEq, Eq)]
#[error("there is no skin {name:?}; try modern, tables, plain or wild")]
pub struct UnknownSkin {
    /// What was asked for.
    pub name: String,
}

impl Skin {
    /// All skins.
    pub const ALL: [Self; 4] = [Self::Modern, Self::Tables, Self::Plain, Self::Wild];

    /// The name on the command line.
    pub fn name(self) -> &'static str {
        match self {
            Self::Modern => "modern",
            Self::Tables => "tables",
            Self::Plain => "plain",
            Self::Wild => "wild",
        }
    }

    /// The content type of its pages. The table skin is written in ASCII and entities, which
    /// windows-1252 contains.
    pub fn content_type(self) -> &'static str {
        match self {
            Self::Modern | Self::Plain | Self::Wild => "text/html; charset=utf-8",
            Self::Tables => "text/html; charset=windows-1252",
        }
    }

    /// Dresses a page.
    pub fn render(self, content: &PageContent) -> String {
        match self {
            Self::Modern => modern::render(content),
            Self::Tables => tables::render(content),
            Self::Plain => plain::render(content),
            Self::Wild => wild::render(content),
        }
    }
}

impl FromStr for Skin {
    type Err = UnknownSkin;

    fn from_str(name: &str) -> Result<Self, UnknownSkin> {
        Self::ALL
            .into_iter()
            .find(|skin| skin.name() == name)
            .ok_or_else(|| UnknownSkin { name: name.to_owned() })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_are_read_back() {
        for skin in Skin::ALL {
            assert_eq!(skin.name().parse(), Ok(skin));
        }
        assert!("gothic".parse::<Skin>().is_err());
    }
}
