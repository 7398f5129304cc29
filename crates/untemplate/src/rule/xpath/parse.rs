//! Reading a location path. Anything outside the subset is an error that says where and what is
//! known.

use std::str::FromStr;

use super::{Axis, LocationPath, NodeTest, Predicate, Step};

/// Steps of a path, and predicates of a step, that are read: a tree is at most 512 deep.
const PARTS_MAX: usize = 1024;

/// A text that is no path of the subset.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "{path:?} is no path that rules may have: {expected} is expected at character {at}; such as /html[1]/body[1]/ul[1]/li/a[1]/@href"
)]
pub struct PathError {
    /// The whole text.
    pub path: String,
    /// Where it goes wrong, in characters from 1.
    pub at: usize,
    /// What could stand there.
    pub expected: &'static str,
}

impl FromStr for LocationPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<Self, PathError> {
        let mut reader = Reader { text, rest: text };
        reader.path().map_err(|expected| PathError {
            path: text.to_owned(),
            at: 1 + text[..text.len() - reader.rest.len()].chars().count(),
            expected,
        })
    }
}

/// Axes as they are written.
const AXES: [(&str, Axis); 6] = [
    ("child::", Axis::Child),
    ("descendant::", Axis::Descendant),
    ("following-sibling::", Axis::FollowingSibling),
    ("preceding-sibling::", Axis::PrecedingSibling),
    ("attribute::", Axis::Attribute),
    ("@", Axis::Attribute),
];

struct Reader<'a> {
    text: &'a str,
    rest: &'a str,
}

type Read<T> = Result<T, &'static str>;

impl Reader<'_> {
    fn path(&mut self) -> Read<LocationPath> {
        let is_absolute = self.text.starts_with('/');
        let mut steps = Vec::new();
        if !is_absolute {
            let step = self.step(Axis::Child)?;
            push_step(&mut steps, step);
        }
        while !self.rest.is_empty() {
            let axis = if self.eat("//") {
                self.refuse_axis()?;
                Axis::Descendant
            } else if self.eat("/") {
                Axis::Child
            } else {
                return Err("/");
            };
            if self.rest.is_empty() && steps.is_empty() && axis == Axis::Child {
                break;
            }
            if steps.len() == PARTS_MAX {
                return Err("the end: no page is that deep, and the end");
            }
            if steps.last().is_some_and(|step: &Step| step.axis == Axis::Attribute) {
                return Err("the end, since an attribute holds nothing");
            }
            let step = self.step(axis)?;
            push_step(&mut steps, step);
        }
        Ok(LocationPath { is_absolute, steps })
    }

    fn step(&mut self, axis: Axis) -> Read<Step> {
        if self.eat("..") {
            return Ok(Step::parent());
        }
        if self.eat(".") {
            let (axis, test) = (Axis::SelfNode, NodeTest::Node);
            return Ok(Step {
                axis,
                test,
                predicates: Vec::new(),
            });
        }
        let axis = self.axis(axis);
        let test = if self.eat("text()") {
            NodeTest::Text
        } else if self.eat("*") {
            NodeTest::Any
        } else {
            NodeTest::Name(self.name()?)
        };
        if axis == Axis::Attribute && !matches!(test, NodeTest::Name(_)) {
            return Err("the name of an attribute");
        }
        let mut predicates = Vec::new();
        while self.eat("[") {
            if predicates.len() == PARTS_MAX {
                return Err("the end: so many conditions cannot hold, and the end");
            }
            predicates.push(self.predicate()?);
            self.need("]", "]")?;
        }
        Ok(Step { axis, test, predicates })
    }

    fn axis(&mut self, axis: Axis) -> Axis {
        AXES.iter()
            .find(|(text, _)| self.eat(text))
            .map_or(axis, |&(_, axis)| axis)
    }

    /// Two slashes are read as the descendant axis, so that no other axis can follow them.
    fn refuse_axis(&self) -> Read<()> {
        let has_axis = AXES.iter().any(|(text, _)| self.rest.starts_with(text));
        if has_axis || self.rest.starts_with('.') {
            return Err("after // the name of an element, text() or *");
        }
        Ok(())
    }

    fn predicate(&mut self) -> Read<Predicate> {
        if self.eat("last()") {
            return Ok(Predicate::Last);
        }
        if self.eat(".=") {
            return Ok(Predicate::Text(self.literal()?));
        }
        if self.eat("starts-with(.,") {
            let text = self.literal()?;
            self.need(")", ")")?;
            return Ok(Predicate::TextStart(text));
        }
        if self.eat("contains-token(@") {
            let name = self.name()?;
            self.need(",", ", and a word in quotes")?;
            let word = self.literal()?;
            self.need(")", ")")?;
            return Ok(Predicate::Word(name, word));
        }
        if self.eat("@") {
            let name = self.name()?;
            return Ok(if self.eat("=") {
                Predicate::Attribute(name, self.literal()?)
            } else {
                Predicate::HasAttribute(name)
            });
        }
        let digits = self.rest.len()
            - self
                .rest
                .trim_start_matches(|letter: char| letter.is_ascii_digit())
                .len();
        let position = self.rest[..digits].parse().ok().filter(|&position| position > 0);
        let position = position.ok_or("a position, last(), an @attribute, contains-token(@name,'word') or .='text'")?;
        self.rest = &self.rest[digits..];
        Ok(Predicate::Position(position))
    }

    /// A text in quotes; a doubled quote is one.
    fn literal(&mut self) -> Read<Box<str>> {
        let quote = self.rest.chars().next().filter(|quote| matches!(quote, '\'' | '"'));
        let quote = quote.ok_or("a text in quotes")?;
        let mut text = String::new();
        let mut letters = self.rest.char_indices().skip(1).peekable();
        while let Some((index, letter)) = letters.next() {
            if letter != quote {
                text.push(letter);
            } else if letters.next_if(|&(_, next)| next == quote).is_some() {
                text.push(quote);
            } else {
                self.rest = &self.rest[index + 1..];
                return Ok(text.into());
            }
        }
        Err("a text in quotes, with its end")
    }

    fn name(&mut self) -> Read<Box<str>> {
        let is_part = |letter: char| letter.is_alphanumeric() || matches!(letter, '-' | '_' | ':' | '.');
        let end = self.rest.find(|letter| !is_part(letter)).unwrap_or(self.rest.len());
        if end == 0 {
            return Err("the name of an element, text(), *, . or ..");
        }
        let name = &self.rest[..end];
        if name.contains("::") {
            return Err("an axis that is known, or the name of an element");
        }
        self.rest = &self.rest[end..];
        Ok(name.into())
    }

    fn eat(&mut self, text: &str) -> bool {
        let rest = self.rest.strip_prefix(text);
        self.rest = rest.unwrap_or(self.rest);
        rest.is_some()
    }

    fn need(&mut self, text: &str, expected: &'static str) -> Read<()> {
        if self.eat(text) { Ok(()) } else { Err(expected) }
    }
}

/// A step that stays where it is says nothing.
fn push_step(steps: &mut Vec<Step>, step: Step) {
    if step.axis != Axis::SelfNode {
        steps.push(step);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(text: &str) {
        let path: LocationPath = text.parse().unwrap_or_else(|error| panic!("{error}"));
        assert_eq!(path.to_string(), text);
    }

    #[test]
    fn paths_print_as_they_read() {
        check("/");
        check(".");
        check("/html[1]/body[1]/table[2]/tbody[1]/tr/td[2]/text()[1]");
        check("../../td[2]/text()");
        check("/descendant::div[@id='a b'][contains-token(@class,'x')][2]/a/@href");
        check("following-sibling::*[last()]/preceding-sibling::b[@title]");
        check("/descendant::text()[starts-with(.,'Director:')][1]");
        check("/descendant::b[.=\"it's\"][.='say \"it''s\"']");
    }

    #[test]
    fn two_slashes_are_a_descendant() {
        let path: LocationPath = "//a[2]/./b".parse().expect("a good path");
        assert_eq!(path.to_string(), "/descendant::a[2]/b");
    }

    #[test]
    fn errors_say_where() {
        fn check_error(text: &str, at: usize) {
            let error = text.parse::<LocationPath>().expect_err("no path of the subset");
            assert_eq!(error.at, at, "{error}");
        }
        check_error("", 1);
        check_error("/html[0]", 7);
        check_error("/html[1", 8);
        check_error("/html/@href/a", 13);
        check_error("/html[position()=2]", 7);
        check_error("/html[.='x]", 9);
        check_error("/html]", 6);
        check_error("//@href", 3);
        check_error("//..", 3);
        check_error("//.", 3);
        check_error("a//following-sibling::b", 4);
        check_error("//child::b", 3);
        check_error("/ancestor::b", 2);
    }
}
