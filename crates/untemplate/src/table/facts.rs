//! Facts: what is known about the classes and fields of a site before their values are looked at.

use url::Url;

use crate::wrapper::{Item, PartId, Record, Template, TextPart, Value};

/// What is known about a page class.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct ClassFacts {
    /// What it is called.
    pub name: String,
    /// What its pages are for.
    pub kind: ClassKind,
    /// Its fields, in the order of the template.
    pub columns: Vec<FieldFacts>,
}

/// What the pages of a class are for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum ClassKind {
    /// Each is about one thing.
    #[default]
    Detail,
    /// They list things that other pages are about.
    List,
    /// They lead to other pages, and say nothing themselves.
    Menu,
    /// There is only one of them.
    Singleton,
}

/// What is known about a field.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldFacts {
    /// The keys of the lists that lead to it, outermost first.
    pub list_path: Vec<String>,
    /// Its key.
    pub key: String,
    /// The label before it, or the header above it; empty when there is none.
    pub label: String,
    /// Its `class`, `id` or `itemprop`, or that of what holds it; empty when there is none.
    pub mark: String,
    /// The tag that holds it.
    pub tag: String,
    /// The attribute that it is the value of; `None` for text.
    pub attribute: Option<String>,
    /// The key of the field that it is a piece of.
    pub piece_of: Option<String>,
    /// What the regions around it are for, outermost first: the tag of each, and the last word of its classes, its id and its heading.
    pub context: Vec<String>,
    /// The number of the table or list that it stands in, as the page is marked up; 0 when it stands in none.
    pub holder: usize,
    /// The link that it is the text of, or stands inside: the key of that field.
    pub link: Option<String>,
    /// Whether some pages lack it.
    pub is_optional: bool,
}

/// The fields of a template.
pub fn facts_of(template: &Template) -> Vec<FieldFacts> {
    let mut facts = Vec::new();
    let Some(_) = template.parts.first() else {
        return facts;
    };
    let mut waiting: Vec<Place> = vec![Place {
        part: PartId(0),
        ..Place::default()
    }];
    while let Some(place) = waiting.pop() {
        let part = &template.parts[place.part.index()];
        let mut inside = place.clone();
        inside.enter(template, place.part);
        own_facts(template, &inside, &mut facts);
        for item in part.items.iter().rev() {
            for &child in item.parts().iter().rev() {
                let mut next = inside.clone();
                next.part = child;
                if let Item::Repeat(repeat) = item {
                    next.list_path.push(repeat.name.clone());
                    next.label.clear();
                    next.link = None;
                }
                waiting.push(next);
            }
        }
    }
    facts
}

/// Where a walk over a template is.
#[derive(Debug, Clone)]
struct Place {
    part: PartId,
    list_path: Vec<String>,
    label: String,
    mark: String,
    tag: String,
    context: Vec<String>,
    holder: usize,
    link: Option<String>,
    is_optional: bool,
}

impl Default for Place {
    fn default() -> Self {
        Self {
            part: PartId(0),
            list_path: Vec::new(),
            label: String::new(),
            mark: String::new(),
            tag: String::new(),
            context: Vec::new(),
            holder: 0,
            link: None,
            is_optional: false,
        }
    }
}

impl Place {
    /// Takes on what a part says about what is inside it.
    fn enter(&mut self, template: &Template, id: PartId) {
        let part = &template.parts[id.index()];
        let pattern = &part.pattern;
        if !is_presentation(&pattern.tag) {
            self.tag.clone_from(&pattern.tag);
        }
        if matches!(pattern.tag.as_str(), "table" | "ul" | "ol" | "dl") {
            self.holder = id.index();
        }
        // What is said of the whole page is said of no region of it.
        if !matches!(pattern.tag.as_str(), "html" | "body" | "main") {
            let marks = pattern.classes.iter().chain([&pattern.id, &pattern.heading]);
            let marks = marks.chain(is_region(&pattern.tag).then_some(&pattern.tag));
            self.context.extend(marks.filter_map(|mark| region_word(mark)));
        }
        let label = if pattern.label.is_empty() {
            &pattern.heading
        } else {
            &pattern.label
        };
        if !label.is_empty() {
            self.label.clone_from(label);
        }
        if let Some(mark) = pattern
            .classes
            .first()
            .or(Some(&pattern.id))
            .filter(|mark| !mark.is_empty())
        {
            self.mark.clone_from(mark);
        }
        if let Some(link) = part.attributes.iter().find(|field| field.attribute == "href") {
            self.link = Some(link.name.clone());
        }
        self.is_optional |= part.is_optional();
    }
}

/// Whether a tag tells only how a text looks.
fn is_presentation(tag: &str) -> bool {
    matches!(
        tag,
        "#text" | "b" | "i" | "u" | "em" | "strong" | "font" | "small" | "big" | "span" | "center"
    )
}

/// What a class or an id calls a region: its last word, as in `site-nav`. `has-nav` tells what is inside, and `nav-title` is a title.
fn region_word(mark: &str) -> Option<String> {
    let mut words = mark
        .split(|c: char| !c.is_alphanumeric())
        .filter(|word| !word.is_empty());
    let first = words.next()?.to_lowercase();
    match words.next_back() {
        None => Some(first),
        Some(_) if matches!(first.as_str(), "has" | "with" | "no" | "is" | "without") => None,
        Some(last) => Some(last.to_lowercase()),
    }
}

/// Whether a tag tells what a region of a page is for.
fn is_region(tag: &str) -> bool {
    matches!(tag, "nav" | "footer" | "header" | "aside" | "form")
}

/// The fields of one part.
fn own_facts(template: &Template, place: &Place, facts: &mut Vec<FieldFacts>) {
    let part = &template.parts[place.part.index()];
    let base = FieldFacts {
        list_path: place.list_path.clone(),
        label: place.label.clone(),
        mark: place.mark.clone(),
        tag: place.tag.clone(),
        context: place.context.clone(),
        holder: place.holder,
        link: place.link.clone(),
        is_optional: place.is_optional,
        ..FieldFacts::default()
    };
    if let TextPart::Field(field) = &part.text {
        facts.push(FieldFacts {
            key: field.name.clone(),
            ..base.clone()
        });
        for piece in &field.pieces {
            facts.push(FieldFacts {
                key: piece.name.clone(),
                piece_of: Some(field.name.clone()),
                ..base.clone()
            });
        }
    }
    for field in &part.attributes {
        facts.push(FieldFacts {
            key: field.name.clone(),
            attribute: Some(field.attribute.clone()),
            ..base.clone()
        });
    }
}

/// Makes the addresses in a record absolute: the values of `href` and `src` attributes, by the facts of its class.
pub fn resolve_addresses(record: &mut Record, facts: &ClassFacts, base: &Url) {
    let is_address = |field: &&FieldFacts| matches!(field.attribute.as_deref(), Some("href" | "src"));
    let keys: std::collections::HashSet<&str> = facts
        .columns
        .iter()
        .filter(is_address)
        .map(|field| field.key.as_str())
        .collect();
    let mut waiting = vec![record];
    while let Some(record) = waiting.pop() {
        for (key, value) in &mut record.values {
            match value {
                Value::Text(text) if keys.contains(&**key) => {
                    if let Ok(url) = base.join(text) {
                        *text = url.into();
                    }
                }
                Value::Text(_) => {}
                Value::List(rounds) => waiting.extend(rounds),
            }
        }
    }
}
