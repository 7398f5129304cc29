//! Names to begin with: for fields from the words beside their values, for classes from addresses.

use untemplate::page::{Dom, Name, NodeId, Page};
use untemplate::rule::{Locator, Predicate};
use untemplate::teach::{Lesson, TaughtField, label_beside};
use url::Url;

use super::picked::PickedValue;

/// Letters of a name that is suggested.
const LETTERS_MAX: usize = 32;

/// A name for a field: what the page calls the value, or what its element is called, or else the
/// label that its rules start from.
pub fn field_name(dom: &Dom, value: &PickedValue, field: Option<&TaughtField>, taken: &[&str]) -> String {
    let node = value.place.node;
    let offset = value.shown.spot.as_ref().and_then(|spot| spot.offset);
    let is_heading = dom
        .ancestors(node)
        .chain([node])
        .any(|it| dom.name(it) == Some(Name::H1));
    let heading = is_heading.then(|| "name".to_owned());
    let beside = || label_beside(dom, value.place, offset).and_then(|label| snake(&label));
    let name = heading
        .or_else(beside)
        .or_else(|| own_attribute(dom, node))
        .or_else(|| by_rules(field));
    let name = name.unwrap_or_else(|| "field".to_owned());
    numbered(&name, "_", |name| taken.contains(&name))
}

/// What the innermost element around a value is called by its class or id.
fn own_attribute(dom: &Dom, node: NodeId) -> Option<String> {
    let mut around = std::iter::once(node).chain(dom.ancestors(node));
    let holder = around.find(|&it| dom.is_element(it))?;
    let told = [Name::CLASS, Name::ID].into_iter();
    told.filter_map(|name| dom.attribute(holder, name)).find_map(snake)
}

/// The label that rules start from, or else what an element on their way is called.
fn by_rules(field: Option<&TaughtField>) -> Option<String> {
    let rules: Vec<&Locator> = field
        .into_iter()
        .flat_map(TaughtField::rules)
        .map(|taught| &taught.rule.place)
        .collect();
    let label = rules.iter().find_map(|place| match place {
        Locator::Labeled { pivot, .. } => snake(pivot),
        Locator::Absolute(_) => None,
    });
    let by_attribute = || {
        let steps = rules.iter().flat_map(|place| match place {
            Locator::Absolute(path) => path.steps.as_slice(),
            Locator::Labeled { .. } => &[],
        });
        let mut predicates = steps.flat_map(|step| &step.predicates);
        predicates.find_map(|predicate| match predicate {
            Predicate::Attribute(name, value) if matches!(&**name, "itemprop" | "class" | "id") => snake(value),
            _ => None,
        })
    };
    label.or_else(by_attribute)
}

/// A name for the class of pages at such addresses: their folder, or else the words of the link.
pub fn class_name(url: &Url, words: &str, lesson: &Lesson) -> String {
    let segments: Vec<&str> = url.path().split('/').filter(|segment| !segment.is_empty()).collect();
    let folder = segments.len().checked_sub(2).and_then(|index| snake(segments[index]));
    let name = folder.or_else(|| snake(words)).unwrap_or_else(|| "page".to_owned());
    free_name(&name.to_uppercase(), lesson)
}

/// A name of a page class or request class that nothing has yet.
pub fn free_name(name: &str, lesson: &Lesson) -> String {
    numbered(name, "-", |name| lesson.has_name(name))
}

/// A name as classes may have it: letters, digits and a few marks, beginning with a letter; `None`
/// when nothing is left.
pub fn clean_id(text: &str) -> Option<String> {
    let is_kept = |c: char| c.is_ascii_alphanumeric() || matches!(c, '_' | '-' | '.');
    let id: String = text
        .trim()
        .chars()
        .map(|c| if is_kept(c) { c } else { '_' })
        .take(64)
        .collect();
    id.starts_with(|c: char| c.is_ascii_alphanumeric()).then_some(id)
}

/// What a page calls itself.
pub fn page_title(page: &Page) -> String {
    let title = page.dom.find(Name::TITLE).map(|title| page.dom.visible_text(title));
    title
        .filter(|title| !title.is_empty())
        .unwrap_or_else(|| page.url.to_string())
}

fn numbered(name: &str, joint: &str, is_taken: impl Fn(&str) -> bool) -> String {
    if !is_taken(name) {
        return name.to_owned();
    }
    let names = (2_u32..).map(|number| format!("{name}{joint}{number}"));
    names.into_iter().find(|name| !is_taken(name)).unwrap_or_default()
}

/// A text as lower-case words joined by underscores; `None` when it has no letter.
pub fn snake(text: &str) -> Option<String> {
    let words = text
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let mut name = String::new();
    for word in words {
        if name.chars().count() + word.chars().count() > LETTERS_MAX && !name.is_empty() {
            break;
        }
        if !name.is_empty() {
            name.push('_');
        }
        name.push_str(&word.to_lowercase());
    }
    let name: String = name.chars().take(LETTERS_MAX).collect();
    name.contains(char::is_alphabetic).then_some(name)
}

#[cfg(test)]
mod tests {
    use super::*;
    use untemplate::page::{ParseOptions, parse_html};
    use untemplate::rule::{ExtractionRule, Selected};
    use untemplate::teach::TaughtRule;

    fn field(rule: ExtractionRule) -> TaughtField {
        TaughtField::of_rules("", false, vec![TaughtRule { rule, weight: 1.0 }])
    }

    fn check(html: &str, field: Option<&TaughtField>, taken: &[&str], expected: &str) {
        let (dom, _) = parse_html(html, &ParseOptions::default());
        let reads = |&node: &NodeId| dom.is_text(node) && dom.text(node) == "9";
        let place = Selected {
            node: dom.nodes().find(reads).expect("it is there"),
            attribute: None,
        };
        let shown = "9".into();
        assert_eq!(
            field_name(&dom, &PickedValue { place, shown }, field, taken),
            expected,
            "{html}"
        );
    }

    #[test]
    fn fields_are_called_by_their_label_their_element_or_just_field() {
        let labeled = field(ExtractionRule::labeled("Shirt number:", "../td[1]").expect("a good path"));
        // The label beside the value itself, and not the one that a rule starts from.
        let row = "<table><tr><td>Price:<td>9</table>";
        check(row, Some(&labeled), &[], "price");
        check(row, Some(&labeled), &["price"], "price_2");
        check("<p>9", Some(&labeled), &[], "shirt_number");
        check("<span class=cost>9</span>", Some(&labeled), &[], "cost");
        check("<h1>9</h1>", None, &[], "name");
        let told = field(ExtractionRule::absolute("//span[@class='price']/text()[1]").expect("a good path"));
        check("<p>9", Some(&told), &[], "price");
        check("<p>9", None, &[], "field");
    }

    #[test]
    fn classes_are_called_by_their_folder() {
        let lesson = Lesson::new("http://cup.example/".parse().expect("a good address"));
        let name = |url: &str, words: &str| class_name(&url.parse().expect("a good address"), words, &lesson);
        assert_eq!(name("http://cup.example/players/ada-1.html", "Ada"), "PLAYERS");
        assert_eq!(name("http://cup.example/teams.html", "All teams"), "ALL_TEAMS");
        assert_eq!(name("http://cup.example/home/x", "x"), "HOME-2");
        assert_eq!(clean_id(" a b/c "), Some("a_b_c".to_owned()));
        assert_eq!(clean_id("_"), None);
    }
}
