//! What a field was on the pages that it was learnt from: `held="10/10"` of a field, and a
//! `<values …/>` in it. A file that somebody wrote by hand has neither.

use std::str::FromStr;

use untemplate::teach::FieldEvidence;
use untemplate::wrapper::{MarkupProfile, Spread, ValueProfile, ValueTrait};

use super::element::{Element, SpecificationTextError};
use super::read_rule::number;
use super::write::escape;

/// The attribute of a field that says on how many pages it held.
pub(super) fn held_text(evidence: &FieldEvidence) -> String {
    let (held, of) = evidence.held;
    format!(" held=\"{held}/{of}\"")
}

/// The element that says what its values look like; empty where there were none.
pub(super) fn values_text(profile: &ValueProfile) -> String {
    if profile.values == 0 {
        return String::new();
    }
    let mut text = format!(
        "<values count=\"{}\" commonest=\"{}\"",
        profile.values, profile.commonest
    );
    let traits = ValueTrait::ALL.into_iter().zip(profile.traits);
    for (its, count) in traits.filter(|(_, count)| *count > 0) {
        text.push_str(&format!(" {}=\"{count}\"", its.name()));
    }
    for (name, spread) in [("lengths", &profile.lengths), ("numbers", &profile.numbers)] {
        if spread.count > 0 {
            let Spread {
                count,
                least,
                middle,
                most,
            } = spread;
            text.push_str(&format!(" {name}=\"{count} {least} {middle} {most}\""));
        }
    }
    text.push_str("/>");
    text
}

/// The evidence of a field, where its element has it.
pub(super) fn evidence(element: &Element) -> Result<Option<FieldEvidence>, SpecificationTextError> {
    let Some(text) = element.attribute("held") else {
        return Ok(None);
    };
    let parts = text.split_once('/');
    let held = parts.and_then(|(with, of)| Some((with.trim().parse().ok()?, of.trim().parse().ok()?)));
    let held: Option<(u32, u32)> = held.filter(|(with, of)| with <= of && *of > 0);
    let Some(held) = held else {
        let what = format!("held is {text:?}; give on how many pages the field held and of how many, such as 10/10");
        return Err(element.wrong(what));
    };
    let values = element.one("values")?.map(profile).transpose()?;
    Ok(Some(FieldEvidence {
        field: element.needed("name")?.to_owned(),
        held,
        values: values.unwrap_or_default(),
    }))
}

/// The element that says what the pages of a class are dressed with; empty where nothing is known.
pub(super) fn markup_text(markup: &MarkupProfile) -> String {
    if markup.pages == 0 {
        return String::new();
    }
    let ever: Vec<String> = markup.ever.iter().map(|bits| format!("{bits:x}")).collect();
    let words = markup
        .always
        .iter()
        .map(|word| format!("<word>{}</word>", escape(word)));
    let words: String = words.collect();
    format!(
        "    <markup pages=\"{}\" ever=\"{}\">{words}</markup>\n",
        markup.pages,
        ever.join(" ")
    )
}

/// The same from its element.
pub(super) fn markup(element: &Element) -> Result<MarkupProfile, SpecificationTextError> {
    element.expect(&["pages", "ever"], &["word"])?;
    let ever = element.needed("ever")?.split_whitespace();
    let ever: Result<Vec<u64>, _> = ever.map(|bits| u64::from_str_radix(bits, 16)).collect();
    Ok(MarkupProfile {
        pages: number(element, "pages")?.unwrap_or(0),
        always: element.all("word").map(|word| word.text.clone()).collect(),
        ever: ever
            .map_err(|error| element.wrong(format!("ever is no row of numbers ({error}); take the markup out")))?,
    })
}

fn profile(element: &Element) -> Result<ValueProfile, SpecificationTextError> {
    let mut known = vec!["count", "commonest", "lengths", "numbers"];
    known.extend(ValueTrait::ALL.map(ValueTrait::name));
    element.expect(&known, &[])?;
    let mut traits = [0; ValueTrait::ALL.len()];
    for (count, its) in traits.iter_mut().zip(ValueTrait::ALL) {
        *count = number(element, its.name())?.unwrap_or(0);
    }
    Ok(ValueProfile {
        values: number(element, "count")?.unwrap_or(0),
        commonest: number(element, "commonest")?.unwrap_or(0),
        traits,
        lengths: spread(element, "lengths")?,
        numbers: spread(element, "numbers")?,
    })
}

/// How many, the least, the middle, the greatest.
fn spread(element: &Element, name: &str) -> Result<Spread, SpecificationTextError> {
    let Some(text) = element.attribute(name) else {
        return Ok(Spread::default());
    };
    let bad = || element.wrong(format!("{name} is {text:?}; give four numbers, or take it out"));
    let parts: Vec<&str> = text.split_whitespace().collect();
    let &[count, least, middle, most] = &parts[..] else {
        return Err(bad());
    };
    let decimal = |text: &str| {
        f64::from_str(text)
            .ok()
            .filter(|number| number.is_finite())
            .ok_or_else(bad)
    };
    Ok(Spread {
        count: count.parse().map_err(|_| bad())?,
        least: decimal(least)?,
        middle: decimal(middle)?,
        most: decimal(most)?,
    })
}
