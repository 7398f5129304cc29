//! Deciding the schema of a page class.
//!
//! In: a [`Guide`], all places of the class with their counts. Out: a [`ClassSchema`], a [`Role`]
//! for each place. From the page down: what stands once in what holds it belongs to the same
//! record; what stands there several times is a list, or, if it reads as sentences, prose, which is
//! one value; what says the same on all pages is the template.

use std::sync::Arc;

use super::coverage::MENU;
use super::field::marks_of;
use super::flat::{carry_names, flatten};
use super::grid_variants::without_headers;
use super::guide::{Guide, Place, PlaceId};
use super::one_key::join_keys;
use super::prose::text_key;
use super::schema::{ClassSchema, Field, FieldInfo, Role, Rows, SchemaTuning};
use super::step::StepKind;
use std::borrow::Cow;

/// Decides what of each place becomes a value.
pub fn decide(mut guide: Guide, n_pages: usize, tuning: &SchemaTuning) -> ClassSchema {
    guide.merge_grid_variants();
    super::value_headers::merge_value_headers(&mut guide);
    // Values that look like labels would look like labels of several languages, too.
    super::value_labels::merge_value_labels(&mut guide, tuning);
    super::dialects::merge_dialects(&mut guide, tuning);
    super::alike::merge_alike_sections(&mut guide, tuning);
    let roles = vec![Role::Skip; guide.places.len()];
    let mut deciding = Deciding {
        guide: &guide,
        n_pages,
        tuning,
        roles,
        fields: Vec::new(),
        left_out: Vec::new(),
    };
    let mut context = Context::default();
    deciding.roles[0] = Role::Open(None);
    deciding.inside(0, &mut context);
    let Deciding {
        mut roles,
        mut fields,
        left_out,
        ..
    } = deciding;
    join_keys(&guide, &mut roles, &mut fields);
    flatten(&guide, &mut roles, &mut fields);
    carry_names(&guide, &mut roles, &mut fields);
    let left_out = left_out
        .into_iter()
        .map(|(place, why)| (place, Cow::Borrowed(why)))
        .collect();
    ClassSchema {
        roles,
        fields,
        left_out,
        guide,
    }
}

/// Where the decision is.
#[derive(Debug, Clone, Default)]
pub(super) struct Context {
    pub(super) list_path: Vec<Arc<str>>,
    pub(super) labels: Vec<String>,
    /// The label of the list whose lines are decided.
    pub(super) list_label: Option<String>,
    /// On a page that stands alone, the heading of the innermost section that holds this place and
    /// is not one of several; on others, what such headings begin with.
    pub(super) heading: String,
    pub(super) steps: String,
    /// Whether the last label is that of a heading with a value behind it.
    pub(super) is_label_heading: bool,
    /// Whether a label around this place has all of its text in one value.
    pub(super) is_in_whole: bool,
    pub(super) depth: usize,
}

pub(super) struct Deciding<'g> {
    pub(super) guide: &'g Guide,
    pub(super) n_pages: usize,
    pub(super) tuning: &'g SchemaTuning,
    pub(super) roles: Vec<Role>,
    pub(super) fields: Vec<FieldInfo>,
    pub(super) left_out: Vec<(PlaceId, &'static str)>,
}

impl<'g> Deciding<'g> {
    pub(super) fn place(&self, place: PlaceId) -> &'g Place {
        &self.guide.places[place]
    }

    pub(super) fn is_repeated(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let is_list = matches!(own.kind, StepKind::Item | StepKind::Row)
            || matches!(self.place(own.parent).kind, StepKind::Pair | StepKind::AnyPair);
        let least = match is_list {
            true => self.tuning.repeated_share,
            false => self.tuning.repeated_block_share,
        };
        own.multiplicity() >= least
    }

    /// Decides what is inside a place whose content belongs to one record.
    pub(super) fn inside(&mut self, place: PlaceId, context: &mut Context) {
        let children = self.guide.children_in_order(place);
        let prose = self.prose_of(place, &children);
        if !prose.is_empty() {
            self.prose_field(place, &prose, context);
        }
        for child in children {
            if !prose.contains(&child) {
                self.one(child, context);
                if !prose.is_empty()
                    && context.list_path.is_empty()
                    && context.labels.is_empty()
                    && self.is_part_of_text(place, child)
                {
                    let text = text_key(context);
                    if let Role::Rows(rows) = &mut self.roles[child] {
                        rows.of_text = Some(text);
                    }
                }
            }
        }
    }

    /// The key of the one list of where the running texts of a page lead. Texts inside rows have
    /// none: a list in a list of references says little.
    pub(super) fn references_of_page(&mut self, context: &Context) -> Option<Arc<str>> {
        if !context.list_path.is_empty() {
            return None;
        }
        let key: Arc<str> = REFERENCES_KEY.into();
        if !self.fields.iter().any(|field| field.key == key) {
            self.list_of_links(&key, &Context::default());
        }
        Some(key)
    }

    /// Decides one child of a place that belongs to one record.
    pub(super) fn one(&mut self, place: PlaceId, context: &Context) {
        let own = self.place(place);
        if context.depth > DEPTH_MAX {
            self.left_out.push((place, "nested too deeply"));
            return;
        }
        let mut inner = context.clone();
        inner.depth += 1;
        inner.steps = format!("{}/{}", context.steps, step_text(own));
        if let Some(label) = label_text(own) {
            inner.labels.push(label.to_owned());
            inner.is_label_heading = own.kind == StepKind::Section
                && own
                    .children
                    .iter()
                    .any(|&child| self.place(child).kind == StepKind::Heading)
                && !own.is_merged;
        }
        if let Some(heading) = self.section_name(place) {
            inner.heading = heading;
        }
        // A grid is its rows: several grids in one place are one list.
        let is_transparent = matches!(own.kind, StepKind::Grid | StepKind::List);
        let is_rows = match own.kind {
            StepKind::Row => !self.is_only_row(place),
            _ => self.is_repeated(place) && !is_transparent && !self.is_once(place),
        };
        if is_rows && self.is_rare(place) {
            self.left_out.push((place, "on few pages"));
            return;
        }
        if is_rows && self.is_rare_part(place) {
            self.left_out.push((place, "in few of what holds it"));
            return;
        }
        // Lines of a text that is there as one value say nothing more as a list.
        if is_rows && own.kind == StepKind::Line && context.is_in_whole && !self.has_links(place) {
            self.left_out.push((place, "part of the text of its label"));
            return;
        }
        if is_rows && !self.is_divided_record(place) {
            return self.rows(place, inner);
        }
        match own.kind {
            StepKind::Line | StepKind::Picture => self.field(place, &inner),
            StepKind::Heading | StepKind::Label => self.field(place, &inner),
            _ if own.children.is_empty() => self.field(place, &inner),
            _ => {
                let whole = self.whole_text(place, &inner);
                inner.is_in_whole |= whole.is_some();
                self.roles[place] = Role::Open(whole);
                // A label whose value is in its own line, on some pages.
                if own.texts.n > own.n / 50 {
                    self.field_beside(place, &inner);
                }
                self.inside(place, &mut inner);
            }
        }
    }

    /// Whether the blocks of a place are parts of one record and no records: what stands in one of
    /// them stands in no other.
    pub(super) fn is_divided_record(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let is_part = |child: &&PlaceId| self.place(**child).n_parents as f64 <= DIVIDED_EXCESS * own.n_parents as f64;
        let sum = |places: &mut dyn Iterator<Item = &PlaceId>| places.map(|&child| self.place(child).n).sum::<usize>();
        let n_parts = own.children.iter().filter(is_part).count();
        !own.is_merged
            && self.n_pages >= CONSTANT_PAGES_MIN
            && matches!(own.kind, StepKind::Item | StepKind::Group | StepKind::Row)
            && n_parts >= DIVIDED_PARTS_MIN
            && own.texts.n == 0
            && sum(&mut own.children.iter().filter(is_part)) as f64
                >= DIVIDED_SHARE * sum(&mut own.children.iter()) as f64
    }

    /// Whether a list is on less than `rare_share` of the pages of a large class: it is theirs and
    /// not the class's. A table with a name is there for its own sake.
    pub(super) fn is_rare(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let is_named = own.kind == StepKind::Row && !self.place(own.parent).texts.first.is_empty();
        !is_named
            && self.n_pages >= RARE_PAGES_MIN
            && (own.n_parents as f64) < self.tuning.rare_share * self.n_pages as f64
            && own.n < RARE_ROWS_MIN.max((self.tuning.rare_rows_share * self.n_pages as f64) as usize)
    }

    /// Whether a list is short, and few of the rows or labelled sections that could hold it do:
    /// what some of them say in the form of a list.
    pub(super) fn is_rare_part(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let mut holder = own.parent;
        let is_holder = |holder: PlaceId| {
            let is_labelled = matches!(
                self.place(holder).kind,
                StepKind::Section | StepKind::Pair | StepKind::Cell
            );
            is_labelled && !self.place(holder).is_merged || matches!(self.roles[holder], Role::Rows(_))
        };
        while holder != 0 && !is_holder(holder) {
            holder = self.place(holder).parent;
        }
        let n_holders = self.place(holder).n;
        holder != 0
            && n_holders >= RARE_PAGES_MIN
            && (own.n_parents as f64) < self.tuning.rare_part_share * n_holders as f64
            && self.most_blocks(place) < RARE_PART_ROWS.min(RARE_ROWS_MIN * own.n_parents)
    }

    /// The blocks of the commonest place at a place or inside it.
    fn most_blocks(&self, place: PlaceId) -> usize {
        let inner = self.place(place).children.iter().map(|&child| self.most_blocks(child));
        inner.max().unwrap_or(0).max(self.place(place).n)
    }

    /// A list: each block of the place is a record.
    pub(super) fn rows(&mut self, place: PlaceId, mut context: Context) {
        let own = self.place(place);
        if self.is_frame_list(place) {
            self.left_out.push((place, MENU));
            return;
        }
        let key: Arc<str> = context.steps.as_str().into();
        let (mark, tag) = marks_of(&own.text, own.kind);
        let has_children = !own.children.is_empty();
        self.fields.push(FieldInfo {
            list_path: context.list_path.clone(),
            key: key.clone(),
            label: context
                .labels
                .last()
                .cloned()
                .unwrap_or_else(|| context.heading.clone()),
            context: context.labels.clone(),
            mark,
            tag,
            is_list: true,
            ..FieldInfo::default()
        });
        context.list_path.push(key.clone());
        context.is_in_whole = false;
        let kind = own.kind;
        // What a row is called is what the list is called; its own columns have labels of their
        // own.
        let label = context.labels.pop();
        if kind == StepKind::Section || kind == StepKind::Pair {
            context.labels.extend(label.clone());
        }
        let mut own_field = Field::default();
        if own.texts.n * 50 > own.n {
            context.list_label = label;
            own_field = self.line_field(place, &context);
        }
        context.list_label = None;
        self.roles[place] = Role::Rows(Rows {
            key,
            own: own_field,
            is_flat: false,
            carried: None,
            of_text: None,
        });
        if kind == StepKind::Pair || kind == StepKind::Section {
            context.labels.clear();
        }
        if has_children {
            self.inside(place, &mut context);
        }
    }
}

/// How deep places with data are nested: deeper ones are lay-out gone wrong.
const DEPTH_MAX: usize = 40;

/// How much oftener than its holders the commonest part of a divided record may occur.
const DIVIDED_EXCESS: f64 = 1.05;

/// The fewest parts of a divided record, and the least share of its blocks that are such.
const DIVIDED_PARTS_MIN: usize = 3;
const DIVIDED_SHARE: f64 = 0.7;

/// The fewest pages of a class whose rare lists are left out, and the fewest rows of a list that
/// stays though it is rare; a larger class asks for more.
const RARE_PAGES_MIN: usize = 30;
const RARE_ROWS_MIN: usize = 20;

/// The fewest rows in all of a list that stays though few rows or sections have one.
const RARE_PART_ROWS: usize = 50;

/// The fewest pages that can tell what all pages say.
pub(super) const CONSTANT_PAGES_MIN: usize = 3;

/// The key of the list of where a page's running texts lead.
pub(super) const REFERENCES_KEY: &str = "/references";

/// What a place is called by a label, header or heading.
pub(super) fn label_text(place: &Place) -> Option<&str> {
    // The heading or label of places that were made one is a value.
    if place.is_merged {
        return None;
    }
    let text = place.text.trim().trim_end_matches([':', '：']).trim();
    match place.kind {
        StepKind::Section | StepKind::Pair => Some(text),
        StepKind::Grid => Some(place.texts.first.trim()),
        StepKind::Cell => (!text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

/// A step as part of a key.
fn step_text(place: &Place) -> String {
    // Of a grid the headers tell one from another at its place, however long its name is.
    let own = match place.kind {
        StepKind::Grid => without_headers(&place.text),
        _ => &place.text,
    };
    let text: String = own
        .chars()
        .take(60)
        .chain(place.text[own.len()..].chars())
        .map(|c| if c == '/' { '_' } else { c })
        .collect();
    match place.kind {
        StepKind::Page => String::new(),
        StepKind::Section => format!("# {text}"),
        StepKind::AnySection => format!("#{text}"),
        StepKind::Pair => format!("{text}:"),
        StepKind::AnyPair => "dt".to_owned(),
        StepKind::Heading => "heading".to_owned(),
        StepKind::Label => "label".to_owned(),
        StepKind::Line if text.is_empty() => "line".to_owned(),
        StepKind::Picture => format!("img {text}"),
        StepKind::Line | StepKind::Group | StepKind::List | StepKind::Grid => text,
        StepKind::Item => "li".to_owned(),
        StepKind::Row => "tr".to_owned(),
        StepKind::Cell => format!("td {text}"),
    }
}
