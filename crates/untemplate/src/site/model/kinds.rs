//! Kinds of page classes: lists, details, menus and singletons.
//!
//! In: what the pages of a class link to. Out: a [`ClassKind`]. A class with one page that is alone
//! of its shape is a singleton, unless that page is a menu: one whose links lead to many classes. A
//! list's longest link collection leads to many pages of one class. What is none of these is a
//! detail page.

use super::site_model::ClassKind;

/// What is known of the links of a class's pages.
#[derive(Debug, Clone, Default, PartialEq)]
pub struct LinkEvidence {
    /// How many pages of the class are known or thought to be.
    pub estimated_pages: usize,
    /// How many classes its pages link to, as far as visited.
    pub n_target_classes: usize,
    /// The mean length over its pages of their longest collection of links that mostly leads to one
    /// class, links to its own class left out.
    pub longest_list: f64,
    /// The share of all links that are in that collection.
    pub list_share: f64,
}

/// A list is at least so long.
const LIST_LINKS: f64 = 5.0;

/// A list is the main thing on its page: at least this share of its links.
const LIST_SHARE: f64 = 0.3;

/// A menu leads to at least this many classes.
const MENU_CLASSES: usize = 5;

/// The kind of a class.
pub fn kind_of(evidence: &LinkEvidence) -> ClassKind {
    let is_list = evidence.longest_list >= LIST_LINKS && evidence.list_share >= LIST_SHARE;
    match evidence.estimated_pages {
        0 | 1 if is_list => ClassKind::List,
        0 | 1 if evidence.n_target_classes >= MENU_CLASSES => ClassKind::Menu,
        0 | 1 => ClassKind::Singleton,
        _ if is_list => ClassKind::List,
        _ => ClassKind::Detail,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(estimated_pages: usize, n_target_classes: usize, list: (f64, f64), expected: ClassKind) {
        let (longest_list, list_share) = list;
        let evidence = LinkEvidence {
            estimated_pages,
            n_target_classes,
            longest_list,
            list_share,
        };
        assert_eq!(kind_of(&evidence), expected, "{evidence:?}");
    }

    #[test]
    fn kinds_by_links() {
        check(1, 8, (3.0, 0.2), ClassKind::Menu);
        check(1, 2, (40.0, 0.8), ClassKind::List);
        check(1, 2, (0.0, 0.0), ClassKind::Singleton);
        check(30, 3, (25.0, 0.7), ClassKind::List);
        check(900, 6, (4.0, 0.4), ClassKind::Detail);
        check(900, 6, (12.0, 0.1), ClassKind::Detail);
    }
}
