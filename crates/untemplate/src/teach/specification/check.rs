//! Whether a specification makes sense: names are known and told apart, paths chain, rules are
//! there.

use std::collections::HashSet;

use super::model::{NavigationalPath, RequestClass, RequestMeans, Specification, TaughtClass};
use crate::page::Method;

/// The longest name of a class.
const ID_LENGTH_MAX: usize = 64;

/// Why a specification makes no sense.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum SpecificationError {
    /// There is nothing in it.
    #[error("there is no page class; add at least one, with what to read on its pages")]
    Empty,
    /// Names become words of paths and names of files.
    #[error(
        "{id:?} cannot be the name of a class; begin with a letter or digit, and use no more than {ID_LENGTH_MAX} letters, digits, '_', '-' and '.'"
    )]
    Id {
        /// The name.
        id: String,
    },
    /// Two things have one name.
    #[error("{what} {id} is there twice, upper and lower case aside; give one of them another name")]
    Twice {
        /// What has the name.
        what: &'static str,
        /// The name.
        id: String,
    },
    /// Something is named that is not there.
    #[error("{place} names {id}, which is no {what}; add it, or check the spelling")]
    Unknown {
        /// Who names it.
        place: String,
        /// What it should be.
        what: &'static str,
        /// The name.
        id: String,
    },
    /// A request class stands where its classes do not.
    #[error(
        "path {path}: {id} leads from {from} to {to}, and stands between {before} and {after}; a path is a page class, a request class that leaves it, the page class that this leads to, and so on"
    )]
    Broken {
        /// The path.
        path: Box<str>,
        /// The request class.
        id: Box<str>,
        /// Where it departs from.
        from: Box<str>,
        /// Where it leads to.
        to: Box<str>,
        /// The class before it.
        before: Box<str>,
        /// The class after it.
        after: Box<str>,
    },
    /// A path ends with a request class, or has no class at all.
    #[error("path {path} does not end with a page class; add the one that {path_end} leads to")]
    Unended {
        /// The path.
        path: String,
        /// Its last word.
        path_end: String,
    },
    /// A path begins nowhere.
    #[error("path {path} begins with {class}, which has no address; give that page class an <address>")]
    NoEntry {
        /// The path.
        path: String,
        /// The class.
        class: String,
    },
    /// Something has no rule.
    #[error("{place} has no rule; add one, or take it out")]
    NoRule {
        /// What has none.
        place: String,
    },
    /// Links are sent by GET.
    #[error("{id} picks links and is sent by POST; links are sent by GET, forms by either")]
    PostedLinks {
        /// The request class.
        id: String,
    },
    /// A number is out of its range.
    #[error("{place} is {value}; give a number {range}")]
    Number {
        /// What it is.
        place: String,
        /// Its value.
        value: String,
        /// What it may be.
        range: &'static str,
    },
}

impl Specification {
    /// Whether it makes sense; if not, the first thing that does not.
    pub fn check(&self) -> Result<(), SpecificationError> {
        if self.classes.is_empty() {
            return Err(SpecificationError::Empty);
        }
        let ids = self.classes.iter().map(|class| class.id.as_str());
        let ids = ids.chain(self.request_classes.iter().map(|class| class.id.as_str()));
        let rows = self.classes.iter().flat_map(|class| &class.rows);
        let ids = ids.chain(rows.map(|rows| rows.name.as_str()));
        ids.clone().try_for_each(check_id)?;
        check_distinct("the name", ids)?;
        self.classes.iter().try_for_each(check_class)?;
        self.request_classes
            .iter()
            .try_for_each(|class| self.check_request_class(class))?;
        check_distinct("the path", self.paths.iter().map(NavigationalPath::name))?;
        self.paths.iter().try_for_each(|path| self.check_path(path))
    }

    fn check_request_class(&self, class: &RequestClass) -> Result<(), SpecificationError> {
        for id in [&class.from, &class.to] {
            if self.class_index(id).is_none() {
                return Err(unknown(format!("request class {}", class.id), "page class", id));
            }
        }
        match &class.means {
            RequestMeans::Links(rules) if rules.is_empty() => Err(SpecificationError::NoRule {
                place: format!("request class {}", class.id),
            }),
            RequestMeans::Links(_) if class.method == Method::Post => {
                Err(SpecificationError::PostedLinks { id: class.id.clone() })
            }
            RequestMeans::Links(_) => Ok(()),
            RequestMeans::Form(form) => {
                check_distinct("the form field", form.choices.iter().map(|it| it.name.as_str()))
            }
        }
    }

    fn check_path(&self, path: &NavigationalPath) -> Result<(), SpecificationError> {
        let name = || path.name().to_owned();
        if path.steps.len().is_multiple_of(2) {
            let path_end = path.steps.last().cloned().unwrap_or_else(|| "it".to_owned());
            return Err(SpecificationError::Unended { path: name(), path_end });
        }
        for (index, id) in path.steps.iter().enumerate() {
            let (is_known, what) = match index % 2 {
                0 => (self.class_index(id).is_some(), "page class"),
                _ => (self.request_class_index(id).is_some(), "request class"),
            };
            if !is_known {
                return Err(unknown(format!("path {}", name()), what, id));
            }
        }
        for step in path.steps.windows(3).step_by(2) {
            self.check_step(path, step)?;
        }
        let class = &self.classes[self.class_index(&path.steps[0]).expect("it was looked up above")];
        if class.addresses.is_empty() {
            let class = class.id.clone();
            return Err(SpecificationError::NoEntry { path: name(), class });
        }
        Ok(())
    }

    fn check_step(&self, path: &NavigationalPath, step: &[String]) -> Result<(), SpecificationError> {
        let class = self.request_classes.iter().find(|class| class.id == step[1]);
        let class = class.expect("the path's names were looked up before");
        if (&class.from, &class.to) == (&step[0], &step[2]) {
            return Ok(());
        }
        Err(SpecificationError::Broken {
            path: path.name().into(),
            id: class.id.as_str().into(),
            from: class.from.as_str().into(),
            to: class.to.as_str().into(),
            before: step[0].as_str().into(),
            after: step[2].as_str().into(),
        })
    }
}

fn unknown(place: String, what: &'static str, id: &str) -> SpecificationError {
    let id = id.to_owned();
    SpecificationError::Unknown { place, what, id }
}

fn check_id(id: &str) -> Result<(), SpecificationError> {
    let is_kept = |byte: u8| byte.is_ascii_alphanumeric() || b"_-.".contains(&byte);
    let begins_well = id.starts_with(|c: char| c.is_ascii_alphanumeric());
    if begins_well && id.len() <= ID_LENGTH_MAX && id.bytes().all(is_kept) {
        Ok(())
    } else {
        Err(SpecificationError::Id { id: id.to_owned() })
    }
}

/// Names must differ in more than upper and lower case, which not all file systems tell apart.
fn check_distinct<'a>(what: &'static str, ids: impl Iterator<Item = &'a str>) -> Result<(), SpecificationError> {
    let mut seen = HashSet::new();
    for id in ids {
        if !seen.insert(id.to_lowercase()) {
            let id = id.to_owned();
            return Err(SpecificationError::Twice { what, id });
        }
    }
    Ok(())
}

fn check_class(class: &TaughtClass) -> Result<(), SpecificationError> {
    let number = |place: String, value: f64, range| SpecificationError::Number {
        place,
        value: value.to_string(),
        range,
    };
    let share = class.assertion.min_hold;
    if !(0.0..=1.0).contains(&share) {
        return Err(number(format!("min-hold of {}", class.id), share, "from 0 to 1"));
    }
    check_distinct("the field", class.fields.iter().map(|field| field.name.as_str()))?;
    for field in &class.fields {
        let place = || format!("field {} of {}", field.name, class.id);
        if field.slots.iter().any(|slot| slot.rules.is_empty()) {
            return Err(SpecificationError::NoRule { place: place() });
        }
        for rule in field.rules() {
            if !(rule.weight > 0.0 && rule.weight.is_finite()) {
                return Err(number(format!("a weight of {}", place()), rule.weight, "above 0"));
            }
        }
    }
    for rows in &class.rows {
        check_distinct("the field", rows.fields.iter().map(|field| field.name.as_str()))?;
        if rows.fields.is_empty() {
            let place = format!("rows {} of {}", rows.name, class.id);
            return Err(SpecificationError::NoRule { place });
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use super::super::model::{FormRule, NavigationalPath};
    use super::*;
    use crate::rule::ExtractionRule;

    fn links(id: &str, from: &str, to: &str) -> RequestClass {
        RequestClass {
            id: id.to_owned(),
            from: from.to_owned(),
            to: to.to_owned(),
            method: Method::Get,
            means: RequestMeans::Links(vec![ExtractionRule::absolute("//a/@href").expect("a good path")]),
        }
    }

    fn path(words: &str) -> NavigationalPath {
        NavigationalPath {
            given_name: None,
            steps: words.split(' ').map(str::to_owned).collect(),
        }
    }

    /// HOME -BY-> LIST -TO-> ITEM, and LIST -NEXT-> LIST.
    fn specification() -> Specification {
        let mut home = TaughtClass::named("HOME");
        home.addresses = vec!["http://shop.example/".parse().expect("a good address")];
        Specification {
            site: None,
            classes: vec![home, TaughtClass::named("LIST"), TaughtClass::named("ITEM")],
            request_classes: vec![
                links("BY", "HOME", "LIST"),
                links("NEXT", "LIST", "LIST"),
                links("TO", "LIST", "ITEM"),
            ],
            paths: vec![path("HOME BY LIST TO ITEM")],
        }
    }

    fn check(change: impl FnOnce(&mut Specification), expected: Expect) {
        let mut specification = specification();
        change(&mut specification);
        let told = specification
            .check()
            .map_or_else(|error| error.to_string(), |()| "good".to_owned());
        expected.assert_eq(&told);
    }

    #[test]
    fn what_makes_sense_passes() {
        check(|_| {}, expect!["good"]);
        check(|it| it.paths.push(path("HOME")), expect!["good"]);
        check(
            |it| it.paths[0] = path("HOME BY LIST NEXT LIST TO ITEM"),
            expect!["good"],
        );
        check(
            |it| {
                *it = Specification {
                    classes: vec![TaughtClass::named("page")],
                    ..Specification::default()
                }
            },
            expect!["good"],
        );
    }

    #[test]
    fn names_are_known_and_told_apart() {
        check(
            |it| it.classes.clear(),
            expect!["there is no page class; add at least one, with what to read on its pages"],
        );
        check(
            |it| it.classes[1].id = "../x".to_owned(),
            expect![[
                r#""../x" cannot be the name of a class; begin with a letter or digit, and use no more than 64 letters, digits, '_', '-' and '.'"#
            ]],
        );
        check(
            |it| it.classes[2].id = "home".to_owned(),
            expect!["the name home is there twice, upper and lower case aside; give one of them another name"],
        );
        check(
            |it| it.request_classes[0].to = "LISTS".to_owned(),
            expect!["request class BY names LISTS, which is no page class; add it, or check the spelling"],
        );
        check(
            |it| it.paths[0] = path("HOME TO ITEM"),
            expect![
                "path TO: TO leads from LIST to ITEM, and stands between HOME and ITEM; a path is a page class, a request class that leaves it, the page class that this leads to, and so on"
            ],
        );
        check(
            |it| it.paths[0] = path("HOME BY LISTS"),
            expect!["path BY names LISTS, which is no page class; add it, or check the spelling"],
        );
        check(
            |it| it.paths[0] = path("HOME BY"),
            expect!["path BY does not end with a page class; add the one that BY leads to"],
        );
        check(
            |it| it.paths[0] = path("LIST TO ITEM"),
            expect!["path TO begins with LIST, which has no address; give that page class an <address>"],
        );
        check(
            |it| it.paths.push(path("HOME BY LIST")),
            expect!["the path BY is there twice, upper and lower case aside; give one of them another name"],
        );
    }

    #[test]
    fn rules_and_numbers_are_there_and_good() {
        check(
            |it| it.request_classes[0].means = RequestMeans::Links(Vec::new()),
            expect!["request class BY has no rule; add one, or take it out"],
        );
        check(
            |it| it.request_classes[0].method = Method::Post,
            expect!["BY picks links and is sent by POST; links are sent by GET, forms by either"],
        );
        check(
            |it| it.classes[0].assertion.min_hold = f64::NAN,
            expect!["min-hold of HOME is NaN; give a number from 0 to 1"],
        );
        let form = FormRule {
            path: "//form[1]".parse().expect("a good path"),
            choices: Vec::new(),
        };
        check(
            |it| {
                it.request_classes[0].means = RequestMeans::Form(form);
                it.request_classes[0].method = Method::Post;
            },
            expect!["good"],
        );
    }
}
