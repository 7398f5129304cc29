//! The frame of a site: what several of its classes say on most of their pages, numbers aside.
//!
//! In: the counts of all classes. Out: the hashes of the wordings that are the frame. A site in two
//! languages says one of two things on each page: two wordings that never stand on one page, and
//! together on nearly all pages of several classes, are the frame in one language each.

use super::vocabulary::{Frequencies, Hashes, VocabularyCounts, at_least};

/// What several classes say on most of their pages, numbers aside: the frame of the site.
pub fn find_site_frame(counts: &[VocabularyCounts]) -> Hashes {
    let mut n_classes: Frequencies = Frequencies::default();
    for wording in counts.iter().flat_map(VocabularyCounts::common_wordings) {
        *n_classes.entry(wording).or_default() += 1;
    }
    let mut frame: Hashes = at_least(&n_classes, 2).map(|(hash, _)| hash).collect();
    frame.extend(in_turns(counts));
    let mut n_classes: Frequencies = Frequencies::default();
    for class in counts {
        let least = class.tuning.frame_share * f64::from(class.n_pages);
        let often = |n: u32| f64::from(n) >= least && n >= class.tuning.frame_pages_min;
        for (&way, _) in class.ways.iter().filter(|(_, n)| often(**n)) {
            *n_classes.entry(way).or_default() += 1;
        }
    }
    frame.extend(at_least(&n_classes, WAY_CLASSES_MIN).map(|(hash, _)| hash));
    frame
}

/// The fewest classes whose pages have links that are ways around the site: what two classes have
/// in common may be a thing that both are about.
const WAY_CLASSES_MIN: u32 = 3;

/// The most wordings that are tried as the two languages of a site.
const HALVES_MAX: usize = 64;

/// A wording, and the number of pages of each class that have it.
type Half = (u64, Vec<u32>);

/// Wordings that take turns: no page has two of them, and nearly all pages of several classes have
/// one.
fn in_turns(counts: &[VocabularyCounts]) -> Hashes {
    let mut halves: Vec<Half> = Vec::new();
    let mut known = Hashes::default();
    for class in counts {
        let least = class.tuning.frame_share * f64::from(class.n_pages);
        let often = class.wordings.iter().filter(|(_, n)| f64::from(**n) >= least);
        known.extend(often.map(|(&hash, _)| hash));
    }
    for hash in known {
        let n_pages = |class: &VocabularyCounts| class.wordings.get(&hash).copied().unwrap_or(0);
        halves.push((hash, counts.iter().map(n_pages).collect()));
    }
    halves.sort_by_key(|(hash, n)| (std::cmp::Reverse(n.iter().sum::<u32>()), *hash));
    halves.truncate(HALVES_MAX);
    let mut frame = Hashes::default();
    for (index, one) in halves.iter().enumerate() {
        for other in &halves[index + 1..] {
            if take_turns(one, other, counts) {
                frame.extend([one.0, other.0]);
            }
        }
    }
    frame
}

/// Whether two wordings are one in two languages. That no page has both is read off the counts:
/// where their sum is the number of pages, and it is in several classes, they do not overlap.
fn take_turns(one: &Half, other: &Half, counts: &[VocabularyCounts]) -> bool {
    let mut n_classes = 0;
    for ((class, &one), &other) in counts.iter().zip(&one.1).zip(&other.1) {
        let n_pages = class.n_pages;
        if one + other > n_pages + 2 * class.miscounted_max() && n_pages > 1 {
            return false;
        }
        let most = class.tuning.site_frame_share * f64::from(n_pages);
        let is_both = one.min(other) >= 2;
        n_classes += usize::from(is_both && f64::from(one + other) >= most);
    }
    n_classes >= 2
}

impl VocabularyCounts {
    /// The wordings that most pages of the class have.
    fn common_wordings(&self) -> impl Iterator<Item = u64> + '_ {
        let least = self.tuning.site_frame_share * f64::from(self.n_pages);
        let common = move |count: u32| f64::from(count) >= least && count >= self.tuning.frame_pages_min;
        self.wordings
            .iter()
            .filter(move |(_, count)| common(**count))
            .map(|(&hash, _)| hash)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::content::Content;
    use crate::page::{Page, ParseOptions, Response};

    fn counts_of(pages: &[&str]) -> VocabularyCounts {
        let mut counts = VocabularyCounts::default();
        for html in pages {
            let url = "http://team.example/a.html".parse().expect("a good address");
            let page = Page::read(&Response::html(url, *html), &ParseOptions::default());
            counts.add(&Content::of(&page));
        }
        counts
    }

    #[test]
    fn a_footer_in_two_languages_is_the_frame() {
        let [english, german] = [
            "<p>You are visitor number 12 of this page",
            "<p>Sie sind Besucher Nummer 13 dieser Seite",
        ];
        let text = "<p>A text that stands on one half of all pages";
        let half = format!("{english}{text}");
        let other = format!("{german}{text}");
        let frame = |german: &str| {
            let class = || counts_of(&[english, &half, german, german]);
            find_site_frame(&[class(), class()]).len()
        };
        assert_eq!(frame(german), 2);
        // What also stands beside the other half is no half.
        assert_eq!(frame(&other), 2);
        assert_eq!(frame("<p>Something else"), 0);
    }
}
