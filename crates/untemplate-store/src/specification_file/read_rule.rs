//! Reading rules: what picks values and requests.

use std::str::FromStr;

use untemplate::rule::{ExtractionRule, LocationPath, Locator, Trim, UrlRegex};
use untemplate::teach::{TaughtRule, rule_class};

use super::element::{Element, SpecificationTextError};

/// A rule of a field, which has a weight.
pub(super) fn taught_rule(element: &Element) -> Result<TaughtRule, SpecificationTextError> {
    let weight = number(element, "weight")?.unwrap_or(1.0);
    let rule = rule(element)?;
    Ok(TaughtRule { rule, weight })
}

/// A rule.
pub(super) fn rule(element: &Element) -> Result<ExtractionRule, SpecificationTextError> {
    element.expect(
        &["class", "weight", "nth"],
        &["pivot", "xpath", "regex", "prefix", "suffix"],
    )?;
    let xpath = element
        .one("xpath")?
        .ok_or_else(|| element.wrong("a rule needs an <xpath>"))?;
    let path = location_path(xpath)?;
    let nth = number(element, "nth")?;
    let place = match element.one("pivot")? {
        Some(pivot) => Locator::Labeled {
            pivot: pivot.text.split_whitespace().collect::<Vec<&str>>().join(" ").into(),
            nth: nth.unwrap_or(1),
            path,
        },
        None if nth.is_some() => {
            return Err(element.wrong("nth says which pivot is meant, and the rule has no <pivot>"));
        }
        None => Locator::Absolute(path),
    };
    let url = element.one("regex")?.map(url_regex);
    let text = |name| Ok(element.one(name)?.map_or("".into(), |child| child.text.as_str().into()));
    let trim = Trim {
        prefix: text("prefix")?,
        suffix: text("suffix")?,
    };
    let url = url.transpose()?;
    let rule = ExtractionRule { place, url, trim };
    let (class, parts) = (element.needed("class")?, rule_class(&rule));
    if class != parts {
        let what = format!(
            "the rule is called {class:?}, and its parts make it {parts}: LABELED has a <pivot>, URL-REGEX a <regex>, ABSOLUTE neither"
        );
        return Err(element.wrong(what));
    }
    Ok(rule)
}

/// An address pattern.
pub(super) fn url_regex(element: &Element) -> Result<UrlRegex, SpecificationTextError> {
    let pattern = UrlRegex::new(element.text.trim());
    pattern.map_err(|error| element.wrong(error.to_string()))
}

/// A path of the XPath subset.
pub(super) fn location_path(element: &Element) -> Result<LocationPath, SpecificationTextError> {
    element.expect(&[], &[])?;
    element
        .text
        .trim()
        .parse()
        .map_err(|error| element.wrong(format!("{error}")))
}

/// A number that may be missing.
pub(super) fn number<T: FromStr>(element: &Element, name: &str) -> Result<Option<T>, SpecificationTextError> {
    let text = element.attribute(name);
    let bad = |text: &str| element.wrong(format!("{name} is {text:?}, which is no such number"));
    text.map(|text| text.trim().parse().map_err(|_| bad(text))).transpose()
}
