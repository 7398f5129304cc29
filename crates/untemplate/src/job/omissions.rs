//! What a crawl left out: the first addresses of each kind, for a person to look at.

use url::Url;

/// Addresses of a kind that are kept. A person looks at some of them; a site can have millions.
const KEPT_MAX: usize = 200;

/// Addresses that nothing was read from, with why, the first of each kind.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Omissions {
    /// Those that lead to no page.
    pub dead: Vec<(Url, String)>,
    /// Those that robots.txt forbids, or that lie out of reach.
    pub refused: Vec<(Url, String)>,
    /// Those that were not asked for, since others like them brought nothing or since the site asks
    /// that nobody does.
    pub left_out: Vec<(Url, String)>,
    /// Those whose page says what another one says, and that other one.
    pub copies: Vec<(Url, String)>,
}

/// Keeps an address while there is room.
pub(super) fn keep(list: &mut Vec<(Url, String)>, url: Url, why: String) {
    if list.len() < KEPT_MAX {
        list.push((url, why));
    }
}
