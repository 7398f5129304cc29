//! Title parts: what the titles of a class's pages have in common.
//!
//! In: the title of every page, while the site is read. Out: the parts that most titles of a class
//! have between signs such as `|`: of `Damask | Roses | The Garden` and `Moss | Roses | The Garden`
//! the names `Roses` and `The Garden`. Which of them is the site's is told by the other classes.
//! One pass, by the counters of Misra and Gries.

use crate::page::{Name, Page};

use super::link_texts::{Vote, count, is_name};

/// The parts of titles that were seen.
#[derive(Debug, Clone, Default)]
pub struct TitleParts {
    n_pages: usize,
    votes: Vec<Vote>,
}

/// The least share of a class's titles that have a part in common. Counters are at most the true
/// number, so that no rarer part is taken.
const PART_SHARE: f64 = 0.6;

/// The longest title that is divided, in bytes.
const TITLE_MAX: usize = 300;

impl TitleParts {
    /// Counts the parts of a page's title.
    pub fn add(&mut self, page: &Page) {
        self.n_pages += 1;
        let title = page.dom.find(Name::TITLE).map(|node| page.dom.visible_text(node));
        self.add_title(&title.unwrap_or_default());
    }

    fn add_title(&mut self, title: &str) {
        if title.len() > TITLE_MAX {
            return;
        }
        let title = title.replace(" - ", "|").replace(": ", "|");
        let mut parts: Vec<&str> = title
            .split(['|', '»', '«', '·', '•', '–', '—', '>', '<', '/', '：', '｜'])
            .map(str::trim)
            .filter(|part| is_name(part))
            .collect();
        parts.sort_unstable();
        parts.dedup();
        // A title in one part is what the page is called.
        for part in parts.iter().filter(|part| **part != title.trim()) {
            count(&mut self.votes, part);
        }
    }

    /// Adds the counts of another class.
    pub fn merge(&mut self, other: &Self) {
        self.n_pages += other.n_pages;
        for vote in &other.votes {
            match self.votes.iter_mut().find(|own| own.text == vote.text) {
                Some(own) => own.lead += vote.lead,
                None => self.votes.push(vote.clone()),
            }
        }
    }

    /// Whether most titles have a part.
    fn has(&self, part: &str) -> bool {
        let least = PART_SHARE * self.n_pages as f64;
        self.votes
            .iter()
            .any(|vote| vote.text.to_lowercase() == part.to_lowercase() && f64::from(vote.lead) >= least)
    }

    /// What most titles of a class have in common and those of few other classes: the page that
    /// lists a class may be called so, too.
    pub fn own_part<'a>(&'a self, others: &[&Self]) -> Option<&'a str> {
        let is_own = |vote: &&Vote| {
            let n_others = others.iter().filter(|other| other.has(&vote.text)).count();
            self.has(&vote.text) && n_others * 2 <= others.len() && !others.is_empty()
        };
        let own = self.votes.iter().filter(is_own);
        own.max_by_key(|vote| vote.lead).map(|vote| &*vote.text)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn parts(titles: &[&str]) -> TitleParts {
        let mut parts = TitleParts::default();
        for title in titles {
            parts.n_pages += 1;
            parts.add_title(title);
        }
        parts
    }

    #[test]
    fn a_class_is_called_what_its_titles_alone_say() {
        let roses = parts(&[
            "Damask | Roses | The Garden",
            "Moss | Roses | The Garden",
            "Tea | Roses | The Garden",
        ]);
        let herbs = parts(&["Sage | Herbs | The Garden", "Mint | Herbs | The Garden"]);
        let index = parts(&["Roses | The Garden"]);
        assert_eq!(roses.own_part(&[&herbs, &index]), Some("Roses"));
        assert_eq!(herbs.own_part(&[&roses, &index]), Some("Herbs"));
        assert_eq!(index.own_part(&[&roses, &herbs]), Some("Roses"));
        assert_eq!(parts(&["Ada | Site", "Bo | Site"]).own_part(&[]), None);
    }
}
