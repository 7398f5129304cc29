//! What sections are called whose headings are values.
//!
//! In: a section whose heading is another one on each page. Out: what it is called all the same:
//! the heading, where a page stands alone and has one such section, or the words that the headings
//! of nearly all pages begin with.

use super::decide::{CONSTANT_PAGES_MIN, Deciding};
use super::guide::PlaceId;
use super::step::StepKind;

impl Deciding<'_> {
    /// What a section is called whose heading is a value.
    pub(super) fn section_name(&self, place: PlaceId) -> Option<String> {
        let own = self.place(place);
        // Sections under different headings of which each page has one.
        let is_alternative = own.is_merged && own.kind == StepKind::Section && !self.is_repeated(place);
        let commonest = is_alternative.then(|| own.text.trim().to_owned());
        commonest
            .or_else(|| self.only_heading(place))
            .or_else(|| self.steady_heading(place))
    }

    /// The heading of a section that is the only one at its place, on a page that stands alone:
    /// what it holds is called after it.
    fn only_heading(&self, place: PlaceId) -> Option<String> {
        let own = self.place(place);
        if self.n_pages > 1 || own.n > 1 || !matches!(own.kind, StepKind::AnySection) {
            return None;
        }
        let headings = own.children.iter().map(|&child| self.place(child));
        let mut headings = headings.filter(|child| child.kind == StepKind::Heading && !child.texts.first.is_empty());
        headings.next().map(|heading| heading.texts.first.clone())
    }

    /// What the headings of a place begin with on nearly all pages: `Songs by` of `Songs by Ada`.
    fn steady_heading(&self, place: PlaceId) -> Option<String> {
        let own = self.place(place);
        if self.n_pages < CONSTANT_PAGES_MIN || own.kind != StepKind::AnySection {
            return None;
        }
        let headings = own.children.iter().map(|&child| self.place(child));
        let heading = headings.into_iter().find(|child| child.kind == StepKind::Heading)?;
        let sample: Vec<&str> = heading.texts.sample.values().map(|text| &**text).collect();
        steady_beginning(&sample, self.tuning.constant_share)
    }
}

/// The words that at least a share of some texts begin with, before something else.
fn steady_beginning(texts: &[&str], share: f64) -> Option<String> {
    if texts.len() < CONSTANT_PAGES_MIN {
        return None;
    }
    let mut sorted = texts.to_vec();
    sorted.sort_unstable();
    // Texts that most begin alike with include the one in the middle.
    let middle = sorted[sorted.len() / 2];
    let is_steady = |start: &&str| {
        let n = texts
            .iter()
            .filter(|text| text.starts_with(*start) && text.len() > start.len());
        n.count() as f64 >= share * texts.len() as f64
    };
    let starts = middle.char_indices().map(|(at, _)| &middle[..at]);
    let start = starts.take_while(|start| is_steady(start)).last()?;
    // A word is steady as a whole: what varies begins behind a blank or another sign.
    let end = start.rfind(|c: char| !c.is_alphanumeric())?;
    let start = start[..end].trim_matches(|c: char| !c.is_alphanumeric());
    (start.chars().filter(|c| c.is_alphabetic()).count() > 1).then(|| start.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn headings_are_called_by_what_they_begin_with() {
        let check = |texts: &[&str], expected: Option<&str>| {
            assert_eq!(steady_beginning(texts, 0.95).as_deref(), expected);
        };
        check(&["Songs by Ada", "Songs by Bo", "Songs by Bob"], Some("Songs by"));
        check(&["Songs by Ada", "Songs of Bo", "Tales of Bob"], None);
        check(&["作品：甲", "作品：乙", "作品：丙"], Some("作品"));
        check(&["Ada", "Adam", "Adele"], None);
        check(&["Songs by Ada", "Songs by Bo"], None);
    }
}
