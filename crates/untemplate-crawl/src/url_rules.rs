//! URL rules: parameters that carry a session or a campaign and no page, and how far a crawl
//! reaches.
//!
//! Stripping a parameter merges addresses, and merging two different pages loses one of them. So
//! the list is short, can be changed, and names that also mean something else (`sid` is a section's
//! number on some sites) are stripped only where the value looks like a session. What is left of
//! the address stays byte for byte as it was.

use std::fmt;
use std::str::FromStr;

use untemplate::page::{SiteScope, same_site};
use url::Url;

/// A parameter that is stripped from addresses. As text: `gclid`, `utm_*` for all that begin so,
/// `sid=ID` where the value must look like a session's.
#[derive(Debug, Clone, PartialEq, Eq, PartialOrd, Ord)]
pub struct ParameterRule {
    /// The parameter's name or its start, in lower case.
    pub key: String,
    /// Whether the name may go on.
    pub is_prefix: bool,
    /// Whether the value must look like a session's: 16 letters and digits or more, mixed.
    pub needs_session: bool,
}

/// A rule that makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("`{text}` is no rule for a parameter; write its name, `name*` or `name=ID`")]
pub struct ParameterRuleError {
    /// The text.
    pub text: String,
}

impl FromStr for ParameterRule {
    type Err = ParameterRuleError;

    fn from_str(text: &str) -> Result<Self, Self::Err> {
        let lower = text.trim().to_ascii_lowercase();
        let (name, needs_session) = match lower.strip_suffix("=id") {
            Some(name) => (name, true),
            None => (lower.as_str(), false),
        };
        let (key, is_prefix) = match name.strip_suffix('*') {
            Some(key) => (key, true),
            None => (name, false),
        };
        if key.is_empty() || key.contains(['=', '&', '*', '?', '#', ' ']) {
            return Err(ParameterRuleError { text: text.to_owned() });
        }
        Ok(Self {
            key: key.to_owned(),
            is_prefix,
            needs_session,
        })
    }
}

impl fmt::Display for ParameterRule {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let star = if self.is_prefix { "*" } else { "" };
        let session = if self.needs_session { "=ID" } else { "" };
        write!(f, "{}{star}{session}", self.key)
    }
}

/// The rules of a crawl, for query parameters and for parameters of path segments (`;jsessionid=…`)
/// alike.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct UrlRules {
    /// The parameters that are stripped.
    pub parameters: Vec<ParameterRule>,
}

/// Sessions whose names mean nothing else, sessions whose names may, and campaigns of advertisers
/// and mailings.
const DEFAULT_RULES: &str = "jsessionid phpsessid phpsessionid aspsessionid* cfid=ID cftoken sessionid=ID session_id=ID sessid=ID \
    session=ID sid=ID oscsid zenid=ID xtcsid \
    utm_* gclid gclsrc dclid gbraid wbraid fbclid msclkid yclid ysclid twclid ttclid igshid li_fat_id mc_cid mc_eid _ga _gl \
    _hsenc _hsmi mkt_tok wt_mc";

impl Default for UrlRules {
    fn default() -> Self {
        let rules = DEFAULT_RULES.split_ascii_whitespace();
        Self {
            parameters: rules
                .map(|rule| rule.parse().expect("the list above has good rules"))
                .collect(),
        }
    }
}

impl UrlRules {
    /// Strips nothing.
    pub fn none() -> Self {
        Self { parameters: Vec::new() }
    }

    /// These rules and one more, or with a leading `-` one less.
    pub fn changed(mut self, change: &str) -> Result<Self, ParameterRuleError> {
        let change = change.trim();
        match change.strip_prefix('-') {
            Some(rule) => {
                let rule: ParameterRule = rule.parse()?;
                self.parameters.retain(|its_rule| its_rule.key != rule.key);
            }
            None => self
                .parameters
                .push(change.strip_prefix('+').unwrap_or(change).parse()?),
        }
        Ok(self)
    }

    /// The address without what the rules name.
    pub fn strip(&self, mut url: Url) -> Url {
        if url.path().contains(';') {
            let path: Vec<String> = url.path().split('/').map(|segment| self.kept(segment, ';')).collect();
            let path = path.join("/");
            if path != url.path() {
                url.set_path(&path);
            }
        }
        if let Some(query) = url.query() {
            let kept = self.kept_query(query);
            if kept != query {
                url.set_query((!kept.is_empty()).then_some(kept.as_str()));
            }
        }
        url
    }

    /// A path segment without its stripped parameters; its name stays whatever it is.
    fn kept(&self, segment: &str, separator: char) -> String {
        let mut parts = segment.split(separator);
        let name = parts.next().unwrap_or("").to_owned();
        let kept = parts.filter(|part| !self.strips(part));
        kept.fold(name, |kept, part| format!("{kept}{separator}{part}"))
    }

    fn kept_query(&self, query: &str) -> String {
        let kept: Vec<&str> = query.split('&').filter(|part| !self.strips(part)).collect();
        kept.join("&")
    }

    fn strips(&self, part: &str) -> bool {
        let (key, value) = part.split_once('=').unwrap_or((part, ""));
        let key = key.to_ascii_lowercase();
        self.parameters.iter().any(|rule| {
            let names_it = if rule.is_prefix {
                key.starts_with(&rule.key)
            } else {
                key == rule.key
            };
            names_it && (!rule.needs_session || is_session(value))
        })
    }
}

/// Whether a value looks drawn at random, as a session's name is: 16 letters and digits or more
/// that keep taking turns. Words with a year (`conference2024talks`) take a turn or two; a random
/// name of this length has some seven.
pub(crate) fn is_session(value: &str) -> bool {
    let hyphens_are_uuid = value.len() == 36 && value.matches('-').count() == 4;
    let is_plain = value
        .bytes()
        .all(|byte| byte.is_ascii_alphanumeric() || (byte == b'-' && hyphens_are_uuid));
    let digits: Vec<bool> = value.bytes().map(|byte| byte.is_ascii_digit()).collect();
    let n_turns = digits.windows(2).filter(|pair| pair[0] != pair[1]).count();
    is_plain && value.len() >= 16 && n_turns >= 4
}

/// How far a crawl reaches from where it began.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum CrawlScope {
    /// The host of the seed.
    #[default]
    Host,
    /// All hosts of its registrable domain.
    Domain,
    /// The folder of the seed, and all below it.
    Prefix,
    /// All of the web, for requests that somebody chose.
    Everywhere,
}

impl CrawlScope {
    /// Whether an address is within reach of a seed.
    pub fn contains(self, seed: &Url, url: &Url) -> bool {
        if !matches!(url.scheme(), "http" | "https") {
            return false;
        }
        match self {
            Self::Host => is_same_host(seed, url),
            Self::Domain => same_site(seed, url, SiteScope::Domain),
            Self::Everywhere => true,
            Self::Prefix => is_same_host(seed, url) && url.path().starts_with(folder(seed.path())),
        }
    }
}

/// The same host and port; a site that moved to HTTPS, or links both ways, is one site.
fn is_same_host(left: &Url, right: &Url) -> bool {
    let has_usual_port = |url: &Url| url.port().is_none();
    same_site(left, right, SiteScope::Host)
        || (left.host_str() == right.host_str() && has_usual_port(left) && has_usual_port(right))
}

fn folder(path: &str) -> &str {
    &path[..path.rfind('/').map_or(0, |slash| slash + 1)]
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check_strip(url: &str, expected: &str) {
        let stripped = UrlRules::default().strip(Url::parse(url).expect("a good address"));
        assert_eq!(stripped.as_str(), expected);
    }

    #[test]
    fn sessions_and_campaigns_are_stripped() {
        check_strip("http://a.example/?PHPSESSID=1", "http://a.example/");
        check_strip("http://a.example/x;jsessionid=A1B2?b=1", "http://a.example/x?b=1");
        check_strip(
            "http://a.example/x;JSESSIONID=A1;v=2/y;jsessionid=3",
            "http://a.example/x;v=2/y",
        );
        check_strip(
            "http://a.example/?id=1&utm_source=x&utm_medium=&gclid=z&b",
            "http://a.example/?id=1&b",
        );
        check_strip(
            "http://a.example/?sid=8f3a9c0d1e2b4f5a6c7d8e9f0a1b2c3d&p=2",
            "http://a.example/?p=2",
        );
        check_strip("http://a.example/?fbclid", "http://a.example/");
    }

    #[test]
    fn what_may_be_a_page_stays() {
        for same in [
            "http://a.example/?sid=17",
            "http://a.example/?s=search+words+with+more+than+16",
            "http://a.example/?session=2024-spring-conference-keynotes",
            "http://a.example/?session=conference2024talks&sid=20240512123456789",
            "http://a.example/?b=%7e&&a=1&",
            "http://a.example/?",
            "http://a.example/a;b/c;d=1?e;f",
            "http://a.example/?ref=home&source=x&id=0123456789abcdef0123",
            "http://a.example/jsessionid=1/",
        ] {
            check_strip(same, same);
        }
    }

    #[test]
    fn the_list_can_be_changed() {
        let rules = UrlRules::default()
            .changed("-utm_*")
            .expect("a rule")
            .changed("ref")
            .expect("a rule");
        let url = Url::parse("http://a.example/?utm_source=x&ref=y&REF=z").expect("a good address");
        assert_eq!(rules.strip(url.clone()).as_str(), "http://a.example/?utm_source=x");
        assert_eq!(UrlRules::none().strip(url.clone()), url);
        for rule in UrlRules::default().parameters {
            assert_eq!(rule.to_string().parse(), Ok(rule));
        }
        for bad in ["", "*", "a=b", "a&b", "-", "+", "a*b"] {
            assert!(UrlRules::none().changed(bad).is_err(), "{bad}");
        }
    }

    fn check_scope(scope: CrawlScope, url: &str, expected: bool) {
        let seed = Url::parse("http://www.a.example/docs/index.html?x").expect("a good address");
        let url = Url::parse(url).expect("a good address");
        assert_eq!(scope.contains(&seed, &url), expected, "{scope:?} {url}");
    }

    #[test]
    fn a_scope_is_a_host_a_domain_or_a_folder() {
        check_scope(CrawlScope::Host, "https://www.a.example/x", true);
        check_scope(CrawlScope::Host, "http://www.a.example:8080/x", false);
        check_scope(CrawlScope::Host, "http://a.example/", false);
        check_scope(CrawlScope::Host, "ftp://www.a.example/", false);
        check_scope(CrawlScope::Domain, "http://shop.a.example/", true);
        check_scope(CrawlScope::Domain, "http://b.example/", false);
        check_scope(CrawlScope::Prefix, "http://www.a.example/docs/a/b", true);
        check_scope(CrawlScope::Prefix, "http://www.a.example/docs", false);
        check_scope(CrawlScope::Prefix, "http://www.a.example/docs2/", false);
        check_scope(CrawlScope::Prefix, "http://a.example/docs/a", false);
    }
}
