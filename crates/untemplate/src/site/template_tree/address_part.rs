//! Parts of an address that may say which template filled its page.
//!
//! In: an address. Out: an [`AddressView`], its parts by name, from the left to the right: host,
//! folders, the name of the file and the parameters. Of folders and names there is the text and the
//! form, and of names also the first and the last word, the signs between words, and the stem: what
//! many names of the site begin with (`card` of `card81f3`). No part means anything by itself;
//! [`super::TemplateTree`] asks the pages.

use url::Url;

use crate::page::{UrlParts, is_word, runs_form, words};

/// A part of an address.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum AddressPart {
    /// The host.
    Host,
    /// How many folders its path has.
    Depth,
    /// The end of the name, such as `.html`.
    End,
    /// The names of its parameters.
    Parameters,
    /// The form of a folder, counted from the left.
    FolderForm(u8),
    /// A folder, counted from the left.
    Folder(u8),
    /// The signs of the name that belong to no word, each once.
    Signs,
    /// The form of the name: runs of letters and of digits, and the signs.
    Form,
    /// The first word of the name.
    FirstWord,
    /// The last of several words of the name.
    LastWord,
    /// The first stem of the site that the name begins with: the one that says most of the names.
    Stem,
    /// The value of a parameter, counted from the left.
    Value(u8),
}

impl AddressPart {
    /// All parts in the order in which they are asked: from what is general to what is particular.
    pub const ALL: [AddressPart; 20] = [
        Self::Host,
        Self::Depth,
        Self::End,
        Self::Parameters,
        Self::FolderForm(0),
        Self::Folder(0),
        Self::FolderForm(1),
        Self::Folder(1),
        Self::FolderForm(2),
        Self::Folder(2),
        Self::FolderForm(3),
        Self::Folder(3),
        Self::Value(0),
        Self::Value(1),
        Self::Value(2),
        Self::Signs,
        Self::Form,
        Self::FirstWord,
        Self::LastWord,
        Self::Stem,
    ];
}

/// An address, ready to be asked for its parts.
#[derive(Debug, Clone)]
pub struct AddressView<'a> {
    url: UrlParts<'a>,
    /// The name without its end, in lower case.
    name: String,
    stem: &'a str,
}

impl<'a> AddressView<'a> {
    /// The view of an address; `stems` are what names of the site may begin with, those that say
    /// most of the names first.
    pub fn of(url: &'a Url, stems: &'a [String]) -> Self {
        let url = UrlParts::of(url);
        let name = url.stem.to_lowercase();
        let stem = stems.iter().find(|stem| name.starts_with(stem.as_str()));
        let stem = stem.map_or("", String::as_str);
        Self { url, name, stem }
    }

    /// A part of the address; empty where it has none.
    pub fn part(&self, part: AddressPart) -> String {
        let folder = |place: u8| self.url.folders.get(usize::from(place)).copied().unwrap_or("");
        let mut parameters = self.url.query.iter().flatten();
        match part {
            AddressPart::Host => self.url.host.to_owned(),
            AddressPart::Depth => self.url.folders.len().to_string(),
            AddressPart::End => self.url.end.to_lowercase(),
            AddressPart::Parameters => parameters.map(|(name, _)| *name).collect::<Vec<_>>().join("&"),
            AddressPart::FolderForm(place) => runs_form(folder(place)),
            AddressPart::Folder(place) => folder(place).to_owned(),
            AddressPart::Signs => self.signs(),
            AddressPart::Form => runs_form(&self.name),
            AddressPart::FirstWord => words(&self.name).next().unwrap_or("").to_owned(),
            AddressPart::LastWord => {
                let mut words = words(&self.name);
                words.next();
                words.next_back().unwrap_or("").to_owned()
            }
            AddressPart::Stem => self.stem.to_owned(),
            AddressPart::Value(place) => {
                let value = parameters.nth(usize::from(place));
                value.and_then(|(_, value)| *value).unwrap_or("").to_owned()
            }
        }
    }

    fn signs(&self) -> String {
        let mut signs: Vec<char> = self.name.chars().filter(|&c| !is_word(c)).collect();
        signs.sort_unstable();
        signs.dedup();
        signs.into_iter().collect()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn an_address_in_its_parts() {
        let url: Url = "http://a.example/clubs/1907/Card-81f3.html?view=full&id=7"
            .parse()
            .expect("a good address");
        let stems = ["card-".to_owned(), "car".to_owned()];
        let view = AddressView::of(&url, &stems);
        let check = |part, expected: &str| assert_eq!(view.part(part), expected, "{part:?}");
        check(AddressPart::Depth, "2");
        check(AddressPart::Parameters, "view&id");
        check(AddressPart::FolderForm(1), "#");
        check(AddressPart::Folder(0), "clubs");
        check(AddressPart::Folder(3), "");
        check(AddressPart::Signs, "-");
        check(AddressPart::Form, "a-#a#");
        check(AddressPart::FirstWord, "card");
        check(AddressPart::LastWord, "81f3");
        check(AddressPart::Stem, "card-");
        check(AddressPart::Value(1), "7");
        check(AddressPart::Value(2), "");
    }
}
