//! Sitemaps and feeds in XML, read from start to end without a tree.
//!
//! Namespaces are not looked at: real files have wrong ones, and local names at the right place say
//! enough. An address is the `loc` right inside an entry (`image:loc` is deeper), the `link` of a
//! feed's entry, or, in files that forgot `loc`, the entry's own text. Entities are not expanded
//! but for XML's five and numbers, so nothing grows.

use quick_xml::escape::{resolve_xml_entity, unescape};
use quick_xml::events::{BytesRef, BytesStart, Event};
use quick_xml::reader::Reader;
use untemplate::page::Problem;

use super::read::{Listing, SitemapKind};

/// How much text of one field is kept: four times what servers take for an address.
const FIELD_BYTES_MAX: usize = 32 << 10;

/// Reads a document into a listing and says what it is.
pub(super) fn read_document(
    text: &str,
    depth_max: usize,
    listing: &mut Listing<'_>,
    problems: &mut Vec<Problem>,
) -> SitemapKind {
    let mut reader = Reader::from_str(text);
    let config = reader.config_mut();
    config.check_end_names = false;
    config.allow_unmatched_ends = true;
    config.allow_dangling_amp = true;
    let mut walk = Walk::default();
    loop {
        let goes_on = match reader.read_event() {
            Ok(Event::Start(tag)) => {
                walk.open(&tag);
                walk.depth <= depth_max
            }
            Ok(Event::Empty(tag)) => {
                walk.open(&tag);
                walk.close(listing)
            }
            Ok(Event::End(_)) => walk.close(listing),
            Ok(Event::Text(text)) => walk.text(&text),
            Ok(Event::CData(text)) => walk.text(&text),
            Ok(Event::GeneralRef(reference)) => walk.reference(&reference, problems),
            Ok(Event::Eof) => break,
            Ok(_) => true,
            Err(error) => {
                let message = format!(
                    "the sitemap's XML is broken at byte {}: {error}",
                    reader.error_position()
                );
                problems.push(Problem::new("broken XML", message));
                break;
            }
        };
        if !goes_on {
            if walk.depth > depth_max {
                let message = format!("the sitemap is more than {depth_max} elements deep; the rest is ignored");
                problems.push(Problem::new("too deep", message));
            }
            break;
        }
    }
    walk.kind.unwrap_or(SitemapKind::Unknown)
}

/// Where the reading stands.
#[derive(Default)]
struct Walk {
    /// What the root element says.
    kind: Option<SitemapKind>,
    depth: usize,
    entry: Option<Entry>,
    field: Option<Field>,
    told_entity: bool,
}

/// The entry that is open.
#[derive(Default)]
struct Entry {
    depth: usize,
    location: String,
    own_text: String,
    last_modified: Option<String>,
    priority: Option<f64>,
}

/// The field that is open, and its text so far.
struct Field {
    depth: usize,
    name: FieldName,
    text: String,
}

#[derive(Clone, Copy)]
enum FieldName {
    Location,
    LastModified,
    Priority,
}

impl Walk {
    fn open(&mut self, tag: &BytesStart<'_>) {
        self.depth += 1;
        let name = tag.local_name().into_inner().to_ascii_lowercase();
        let Some(kind) = self.kind else {
            self.kind = Some(root_kind(&name));
            return;
        };
        let Some(entry) = &mut self.entry else {
            if is_entry(kind, &name) {
                self.entry = Some(Entry {
                    depth: self.depth,
                    ..Entry::default()
                });
            }
            return;
        };
        if self.depth != entry.depth + 1 {
            return;
        }
        if kind == SitemapKind::Feed && name == "link" && entry.location.is_empty() {
            entry.location = linked_address(tag).unwrap_or_default();
        }
        self.field = field_name(kind, &name).map(|name| Field {
            depth: self.depth,
            name,
            text: String::new(),
        });
    }

    /// Ends an element; false when the listing is full.
    fn close(&mut self, listing: &mut Listing<'_>) -> bool {
        let depth = self.depth;
        self.depth = depth.saturating_sub(1);
        if let Some(field) = self.field.take_if(|field| field.depth == depth) {
            self.keep(field);
        }
        match self.entry.take_if(|entry| entry.depth == depth) {
            Some(entry) => {
                let location = if entry.location.is_empty() {
                    entry.own_text
                } else {
                    entry.location
                };
                listing.push(&location, entry.last_modified, entry.priority)
            }
            None => true,
        }
    }

    fn keep(&mut self, field: Field) {
        let Some(entry) = &mut self.entry else { return };
        let text = field.text.trim();
        match field.name {
            FieldName::Location if entry.location.is_empty() => entry.location = text.to_owned(),
            FieldName::LastModified if !text.is_empty() => {
                entry
                    .last_modified
                    .get_or_insert_with(|| text.chars().take(64).collect());
            }
            FieldName::Priority => entry.priority = text.parse().ok().filter(|value| (0.0..=1.0).contains(value)),
            _ => {}
        }
    }

    /// Keeps text where it belongs: to the open field, or to the entry itself. Always true, as
    /// reading goes on.
    fn text(&mut self, text: &str) -> bool {
        let kept = match (&mut self.field, &mut self.entry) {
            (Some(field), _) if field.depth == self.depth => &mut field.text,
            (None, Some(entry)) if entry.depth == self.depth => &mut entry.own_text,
            _ => return true,
        };
        if kept.len() + text.len() <= FIELD_BYTES_MAX {
            kept.push_str(text);
        }
        true
    }

    fn reference(&mut self, reference: &BytesRef<'_>, problems: &mut Vec<Problem>) -> bool {
        if let Ok(Some(character)) = reference.resolve_char_ref() {
            return self.text(character.encode_utf8(&mut [0; 4]));
        }
        if let Some(text) = resolve_xml_entity(reference) {
            return self.text(text);
        }
        if !self.told_entity {
            self.told_entity = true;
            let name: String = reference.chars().take(40).collect();
            let message = format!("the sitemap uses the entity `&{name};`; such are left out");
            problems.push(Problem::new("unknown entity", message));
        }
        true
    }
}

fn root_kind(name: &str) -> SitemapKind {
    match name {
        "urlset" => SitemapKind::UrlSet,
        "sitemapindex" => SitemapKind::Index,
        "rss" | "feed" | "rdf" => SitemapKind::Feed,
        _ => SitemapKind::Unknown,
    }
}

fn is_entry(kind: SitemapKind, name: &str) -> bool {
    match kind {
        SitemapKind::UrlSet => name == "url",
        SitemapKind::Index => name == "sitemap",
        SitemapKind::Feed => matches!(name, "item" | "entry"),
        _ => false,
    }
}

fn field_name(kind: SitemapKind, name: &str) -> Option<FieldName> {
    match (kind, name) {
        (SitemapKind::Feed, "link") | (SitemapKind::UrlSet | SitemapKind::Index, "loc") => Some(FieldName::Location),
        (SitemapKind::Feed, "updated" | "pubdate" | "date" | "published") => Some(FieldName::LastModified),
        (SitemapKind::UrlSet | SitemapKind::Index, "lastmod") => Some(FieldName::LastModified),
        (SitemapKind::UrlSet, "priority") => Some(FieldName::Priority),
        _ => None,
    }
}

/// The address of an Atom link to the entry's page; links to editors, comments and files are
/// others.
fn linked_address(tag: &BytesStart<'_>) -> Option<String> {
    let value = |name: &str| {
        let mut attributes = tag.attributes();
        let mut attributes = attributes.with_checks(false).flatten();
        let value = attributes.find(|attribute| attribute.key.as_ref() == name)?.value;
        Some(unescape(&value).map_or_else(|_| value.to_string(), |text| text.into_owned()))
    };
    let relation = value("rel").unwrap_or_default();
    let is_page = relation.is_empty() || relation.eq_ignore_ascii_case("alternate");
    if is_page { value("href") } else { None }
}
