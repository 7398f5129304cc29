//! Reading: from elements to a specification.

use std::fs::File;
use std::io::{self, Read};
use std::path::{Path, PathBuf};

use untemplate::page::Method;
use untemplate::rule::Assertion;
use untemplate::teach::{
    CleanUp, FieldChoice, FieldKind, FormRule, NavigationalPath, RequestClass, RequestMeans, Slot, Specification,
    TaughtClass, TaughtField, ValuePattern, Values,
};
use url::Url;

use super::element::{Element, SpecificationTextError, wrong};
use super::evidence::{evidence, markup};
use super::read_rows::rows;
use super::read_rule::{location_path, number, rule, taught_rule, url_regex};

/// The version that is read and written.
pub(super) const VERSION: &str = "1";

/// The largest file that is read.
const BYTES_MAX: u64 = 16 << 20;

/// Why a file gives no specification.
#[derive(Debug, thiserror::Error)]
pub enum SpecificationFileError {
    /// It cannot be read.
    #[error("cannot read {}: {cause}; give the specification file that learn wrote", file.display())]
    Unreadable {
        /// The file.
        file: PathBuf,
        /// What the system said.
        cause: io::Error,
    },
    /// It is no specification.
    #[error("{}, {cause}", file.display())]
    Wrong {
        /// The file.
        file: PathBuf,
        /// What is wrong, and where.
        cause: SpecificationTextError,
    },
}

/// Reads a specification file and checks that it makes sense.
pub fn read_specification(file: &Path) -> Result<Specification, SpecificationFileError> {
    let unreadable = |cause| SpecificationFileError::Unreadable {
        file: file.to_owned(),
        cause,
    };
    let mut text = String::new();
    let opened = File::open(file).map_err(unreadable)?;
    opened
        .take(BYTES_MAX + 1)
        .read_to_string(&mut text)
        .map_err(unreadable)?;
    let named = |cause| SpecificationFileError::Wrong {
        file: file.to_owned(),
        cause,
    };
    if text.len() as u64 > BYTES_MAX {
        let what = format!("it is longer than {BYTES_MAX} bytes, which no specification is");
        return Err(named(wrong(1, what)));
    }
    parse_specification(&text).map_err(named)
}

/// Reads a specification from its text and checks that it makes sense.
pub fn parse_specification(text: &str) -> Result<Specification, SpecificationTextError> {
    let root = Element::parse(text)?;
    if root.name != "codec" {
        return Err(root.wrong(format!(
            "it is no specification: it begins with <{}>, and not with <codec>",
            root.name
        )));
    }
    let version = root.needed("version")?;
    if version != VERSION {
        let what = format!("its version is {version:?}, and this program reads {VERSION}; use a newer program");
        return Err(root.wrong(what));
    }
    root.expect(
        &["version", "site"],
        &["page-class", "request-class", "wrapper", "path"],
    )?;
    let mut specification = Specification {
        site: root.attribute("site").map(|site| address(site, &root)).transpose()?,
        classes: root.all("page-class").map(class).collect::<Result<_, _>>()?,
        request_classes: root.all("request-class").map(request_class).collect::<Result<_, _>>()?,
        paths: root.all("path").map(path).collect::<Result<_, _>>()?,
    };
    root.all("wrapper")
        .try_for_each(|element| add_wrapper(element, &mut specification))?;
    specification.check().map_err(|error| root.wrong(error.to_string()))?;
    Ok(specification)
}

fn address(text: &str, element: &Element) -> Result<Url, SpecificationTextError> {
    let bad = |error| {
        element.wrong(format!(
            "{text:?} is no address ({error}); give one such as http://site.example/"
        ))
    };
    Url::parse(text.trim()).map_err(bad)
}

fn class(element: &Element) -> Result<TaughtClass, SpecificationTextError> {
    element.expect(&["id", "entry"], &["address", "assertion"])?;
    let addresses: Vec<Url> = element
        .all("address")
        .map(|child| child.expect(&[], &[]).and_then(|()| address(&child.text, child)))
        .collect::<Result<_, _>>()?;
    if element.attribute("entry") == Some("true") && addresses.is_empty() {
        return Err(element.wrong("an entry needs an <address>"));
    }
    let assertion = element.one("assertion")?.map(assertion).transpose()?;
    Ok(TaughtClass {
        addresses,
        assertion: assertion.unwrap_or_default(),
        ..TaughtClass::named(element.needed("id")?)
    })
}

fn assertion(element: &Element) -> Result<Assertion, SpecificationTextError> {
    element.expect(&["min-hold"], &["xpath", "never", "regex"])?;
    Ok(Assertion {
        paths: element.all("xpath").map(location_path).collect::<Result<_, _>>()?,
        min_hold: number(element, "min-hold")?.unwrap_or(1.0),
        never: element.all("never").map(location_path).collect::<Result<_, _>>()?,
        address: element.one("regex")?.map(url_regex).transpose()?,
    })
}

fn request_class(element: &Element) -> Result<RequestClass, SpecificationTextError> {
    element.expect(&["id", "from", "to", "method"], &["rule", "form"])?;
    let method = match element.attribute("method").unwrap_or("GET") {
        "GET" => Method::Get,
        "POST" => Method::Post,
        other => return Err(element.wrong(format!("a request class cannot be sent by {other:?}; give GET or POST"))),
    };
    let means = match element.one("form")? {
        Some(form) if element.children.len() == 1 => RequestMeans::Form(form_rule(form)?),
        Some(form) => return Err(form.wrong("a request class has rules or a form, not both")),
        None => RequestMeans::Links(element.all("rule").map(rule).collect::<Result<_, _>>()?),
    };
    Ok(RequestClass {
        id: element.needed("id")?.to_owned(),
        from: element.needed("from")?.to_owned(),
        to: element.needed("to")?.to_owned(),
        method,
        means,
    })
}

fn form_rule(element: &Element) -> Result<FormRule, SpecificationTextError> {
    element.expect(&["xpath"], &["field"])?;
    let text = element.needed("xpath")?;
    let path = text.parse().map_err(|error| element.wrong(format!("{error}")))?;
    let choices = element.all("field").map(choice).collect::<Result<_, _>>()?;
    Ok(FormRule { path, choices })
}

fn choice(element: &Element) -> Result<FieldChoice, SpecificationTextError> {
    element.expect(&["name", "const", "values"], &["value"])?;
    let listed: Vec<String> = element.all("value").map(|value| value.text.clone()).collect();
    let values = match (
        element.attribute("const"),
        element.attribute("values"),
        listed.is_empty(),
    ) {
        (Some(value), None, true) => Values::Constant(value.to_owned()),
        (None, Some("options"), true) => Values::Options,
        (None, Some("none"), true) => Values::Omitted,
        (None, None, false) => Values::Listed(listed),
        _ => {
            let what =
                "a field of a form has one of const=\"…\", values=\"options\", values=\"none\" and <value> elements";
            return Err(element.wrong(what));
        }
    };
    let name = element.needed("name")?.to_owned();
    Ok(FieldChoice { name, values })
}

fn path(element: &Element) -> Result<NavigationalPath, SpecificationTextError> {
    element.expect(&["name"], &[])?;
    Ok(NavigationalPath {
        given_name: element.attribute("name").map(str::to_owned),
        steps: element.text.split_whitespace().map(str::to_owned).collect(),
    })
}

/// Gives a page class the fields of its wrapper.
fn add_wrapper(element: &Element, specification: &mut Specification) -> Result<(), SpecificationTextError> {
    element.expect(&["page-class"], &["field", "rows", "markup"])?;
    let id = element.needed("page-class")?;
    let fields = element
        .all("field")
        .map(field)
        .collect::<Result<Vec<TaughtField>, _>>()?;
    let Some(index) = specification.class_index(id) else {
        return Err(element.wrong(format!("the wrapper is of {id}, which is no page class; add it")));
    };
    let rows = element.all("rows").map(rows).collect::<Result<Vec<_>, _>>()?;
    let evidence = element.all("field").map(evidence).collect::<Result<Vec<_>, _>>()?;
    let markup = element.one("markup")?.map(markup).transpose()?;
    let class = &mut specification.classes[index];
    if class.is_read() {
        return Err(element.wrong(format!("{id} has two wrappers; write their fields into one")));
    }
    class.fields = fields;
    class.rows = rows;
    class.evidence = evidence.into_iter().flatten().collect();
    class.markup = markup.unwrap_or_default();
    Ok(())
}

fn field(element: &Element) -> Result<TaughtField, SpecificationTextError> {
    element.expect(
        &["name", "optional", "share", "held", "lost", "kind", "match"],
        &["rule", "slot", "values"],
    )?;
    let is_optional = is_optional(element)?;
    Ok(TaughtField {
        name: element.needed("name")?.to_owned(),
        is_optional,
        share: element
            .attribute("share")
            .map(|text| share(text, element))
            .transpose()?,
        slots: slots(element)?,
        clean_up: clean_up(element)?,
    })
}

/// Whether a page may be without something; every page has what does not say so.
pub(super) fn is_optional(element: &Element) -> Result<bool, SpecificationTextError> {
    match element.attribute("optional").unwrap_or("false") {
        "true" => Ok(true),
        "false" => Ok(false),
        other => Err(element.wrong(format!("optional is {other:?}; give true or false"))),
    }
}

/// What is made of the values of a field.
fn clean_up(element: &Element) -> Result<CleanUp, SpecificationTextError> {
    let kind = element.attribute("kind").map(|word| {
        let words = || FieldKind::ALL.map(FieldKind::word).join(", ");
        let unknown = || element.wrong(format!("kind is {word:?}; give one of {}", words()));
        FieldKind::of(word).ok_or_else(unknown)
    });
    let pattern = element.attribute("match").map(|text| {
        let bad = |error| element.wrong(format!("{text:?} is no regular expression: {error}"));
        ValuePattern::new(text).map_err(bad)
    });
    Ok(CleanUp {
        pattern: pattern.transpose()?,
        kind: kind.transpose()?,
    })
}

/// How many pages of the sample had a field: `7/8`.
fn share(text: &str, element: &Element) -> Result<(u32, u32), SpecificationTextError> {
    let parts = text.split_once('/');
    let parts = parts.and_then(|(with, of)| Some((with.trim().parse().ok()?, of.trim().parse().ok()?)));
    match parts {
        Some((with, of)) if 0 < with && with <= of => Ok((with, of)),
        _ => Err(element.wrong(format!(
            "share is {text:?}; give how many pages had the field and of how many, such as 7/8"
        ))),
    }
}

/// The places of a field: its slots, or the one that its rules lead to.
fn slots(element: &Element) -> Result<Vec<Slot>, SpecificationTextError> {
    let rules_of = |element: &Element| element.all("rule").map(taught_rule).collect::<Result<Vec<_>, _>>();
    let mut slots = Vec::new();
    let own = rules_of(element)?;
    // A field that was lost has no rules, and says so: one without rules is a mistake.
    let is_lost = element.attribute("lost") == Some("true");
    if !own.is_empty() || (element.all("slot").next().is_none() && !is_lost) {
        slots.push(Slot { rules: own });
    }
    for slot in element.all("slot") {
        slot.expect(&[], &["rule"])?;
        let rules = rules_of(slot)?;
        slots.push(Slot { rules });
    }
    Ok(slots)
}
