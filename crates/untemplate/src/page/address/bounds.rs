//! Bounds: which addresses of a site a person wants asked for.
//!
//! In: patterns to include and to exclude, folders to stay below. Out: yes or no for an address.
//! What is left out is treated as an address of another site: it is not visited, not counted, and
//! nothing is expected behind it.

use regex::Regex;
use url::Url;

/// Which addresses are asked for, of those of a site. The default is all.
#[derive(Debug, Clone, Default)]
pub struct Bounds {
    /// Where there are any, an address matches one of them.
    pub include: Vec<Regex>,
    /// An address matches none of them.
    pub exclude: Vec<Regex>,
    /// Where there are any, an address is below one of these folders, whose paths end in a slash.
    pub below: Vec<Url>,
    /// Addresses that somebody named, which are asked for whatever the others say.
    pub always: Vec<Url>,
}

impl Bounds {
    /// Whether an address is to be asked for.
    pub fn contains(&self, url: &Url) -> bool {
        let is_in = |pattern: &Regex| pattern.is_match(url.as_str());
        let is_included = self.include.is_empty() || self.include.iter().any(is_in);
        let is_below = self.below.is_empty() || self.below.iter().any(|folder| is_below(folder, url));
        is_included && is_below && !self.exclude.iter().any(is_in) || self.always.contains(url)
    }
}

/// Whether an address is in a folder or below it; http and https are one.
fn is_below(folder: &Url, url: &Url) -> bool {
    (folder.host(), folder.port()) == (url.host(), url.port()) && url.path().starts_with(folder.path())
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(bounds: &Bounds, path: &str, expected: bool) {
        let url = Url::parse("http://site.example/").expect("an address");
        let url = url.join(path).expect("an address");
        assert_eq!(bounds.contains(&url), expected, "{path}");
    }

    fn patterns(texts: &[&str]) -> Vec<Regex> {
        texts.iter().map(|text| Regex::new(text).expect("a pattern")).collect()
    }

    #[test]
    fn every_bound_holds_but_for_what_was_named() {
        let url = |text: &str| Url::parse(text).expect("an address");
        let bounds = Bounds {
            include: patterns(&["lamp", r"page=\d"]),
            exclude: patterns(&["print$"]),
            below: vec![url("https://site.example/shop/")],
            always: vec![url("http://site.example/")],
        };
        check(&Bounds::default(), "/any", true);
        check(&bounds, "/", true);
        check(&bounds, "/shop/lamp-1", true);
        check(&bounds, "/shop/?page=2", true);
        check(&bounds, "/shop/chair-1", false);
        check(&bounds, "/shop/lamp-1/print", false);
        check(&bounds, "/shopping/lamp-1", false);
        check(&bounds, "http://other.example/shop/lamp-1", false);
    }
}
