//! The schema of a page class: what of each place becomes a value, and of which record.
//!
//! In: a [`Guide`], all places of the class with their counts. Out: a [`Role`] for each place. From the page down: what stands once in what holds it
//! belongs to the same record; what stands there several times is a list, or, if it reads as sentences, prose, which is one value; what says the same on all pages is the
//! template.

use std::borrow::Cow;
use std::sync::Arc;

use super::guide::{Guide, Place, PlaceId};
use super::step::StepKind;

/// What decides the reading of a class.
#[derive(Debug, Clone)]
pub struct SchemaTuning {
    /// The least share of holders with a place more than once for it to be a list.
    pub repeated_share: f64,
    /// The least mean length, in characters, of lines that are prose whatever they end with.
    pub prose_chars: f64,
    /// The least share of lines that end as sentences do.
    pub sentence_share: f64,
    /// The least share of lines that are links and nothing else, in a list of links.
    pub link_share: f64,
    /// The least share of one value at a place whose text is the template's.
    pub constant_share: f64,
    /// The least mean share of pages that have a row, in a list that is the site's frame.
    pub frame_row_share: f64,
    /// The least share of a class's pages that have a list of the class.
    pub rare_share: f64,
    /// The least share of a line's text inside its parts, where it is said by them.
    pub part_share: f64,
    /// The least share of the lines at a place that have a part.
    pub part_lines_share: f64,
    /// The least share of holders that have a label of a language.
    pub dialect_share: f64,
    /// The greatest distance between the mean positions, from 0 to 1, of labels that say the same.
    pub dialect_distance: f64,
    /// The least mean number of terms, and of items, in lists that are data and no part of a running text.
    pub terms_min: f64,
    /// See above.
    pub entries_min: f64,
    /// The greatest mean length, in bytes, of lines that are divided at their link.
    pub divided_bytes: usize,
    /// How often each text of a link occurs that is a way around the site.
    pub way_repeats: usize,
    /// The fewest sections under different headings that are made one list.
    pub merged_sections_min: usize,
    /// The greatest share of holders that have each of some like sections without labels, where these are one list.
    pub merged_unlabelled_share: f64,
    /// The least share of labels that sections have in common to be made one list.
    pub merged_labels_share: f64,
}

impl Default for SchemaTuning {
    fn default() -> Self {
        Self {
            repeated_share: 0.02,
            prose_chars: 60.0,
            sentence_share: 0.4,
            link_share: 0.6,
            constant_share: 0.95,
            frame_row_share: 0.4,
            rare_share: 0.02,
            part_share: 0.7,
            part_lines_share: 0.05,
            dialect_share: 0.05,
            dialect_distance: 0.04,
            terms_min: 3.0,
            entries_min: 8.0,
            divided_bytes: 80,
            way_repeats: 30,
            merged_sections_min: 3,
            merged_unlabelled_share: 0.5,
            merged_labels_share: 0.5,
        }
    }
}

/// What becomes of a place.
#[derive(Debug, Clone, PartialEq)]
pub enum Role {
    /// Nothing: the template, or the site's frame.
    Skip,
    /// What is inside it belongs to the same record; with a key, all of its text is a value, too.
    Open(Option<Arc<str>>),
    /// Its text, links and pictures are values.
    Field(Field),
    /// All text inside it joins the prose of its record under a key.
    Prose(Field),
    /// Each block is a record of a list.
    Rows(Rows),
}

/// The keys of what a line gives.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct Field {
    /// The key of its text.
    pub text: Option<Arc<str>>,
    /// The key of where it leads, if it leads to one place.
    pub link: Option<Arc<str>>,
    /// The key of its picture.
    pub picture: Option<Arc<str>>,
    /// The key of a list of where it leads, if it leads to several.
    pub links: Option<Arc<str>>,
    /// The key of the words of its one link, where there are others beside them.
    pub link_text: Option<Arc<str>>,
    /// The keys of what stands before and after its one link.
    pub around: Option<(Arc<str>, Arc<str>)>,
    /// The classes of its parts, and the key of each.
    pub parts: Vec<(String, Arc<str>)>,
}

/// A list.
#[derive(Debug, Clone, PartialEq)]
pub struct Rows {
    /// Its key.
    pub key: Arc<str>,
    /// What the line of a row gives, where rows are lines.
    pub own: Field,
    /// Whether its rows have nothing but a heading or label, and one list inside: rows of that list repeat it.
    pub is_flat: bool,
}

/// What a class's pages are read by.
#[derive(Debug, Clone, PartialEq)]
pub struct ClassSchema {
    /// The places.
    pub guide: Guide,
    /// What becomes of each.
    pub roles: Vec<Role>,
    /// Of each key, what is known of it; in the order of the page.
    pub fields: Vec<FieldInfo>,
    /// Why places became nothing.
    pub left_out: Vec<(PlaceId, Cow<'static, str>)>,
}

/// What is known of a key before its values are looked at.
#[derive(Debug, Clone, PartialEq, Default)]
pub struct FieldInfo {
    /// The keys of the lists that it is in.
    pub list_path: Vec<Arc<str>>,
    /// Its key.
    pub key: Arc<str>,
    /// The label, header or heading it stands under; empty if there is none.
    pub label: String,
    /// The headings and labels around it, outermost first.
    pub context: Vec<String>,
    /// The class or `id` of its mark-up.
    pub mark: String,
    /// The tag.
    pub tag: String,
    /// `href` or `src` for addresses.
    pub attribute: Option<&'static str>,
    /// Whether it is prose.
    pub is_prose: bool,
    /// Whether it is a heading.
    pub is_heading: bool,
    /// Whether it is of a list of where a running text leads.
    pub is_reference: bool,
    /// Whether it is a list, and no value.
    pub is_list: bool,
    /// The key of the text that an address belongs to, or of the address that a text belongs to.
    pub beside: Option<Arc<str>>,
}

/// Decides what of each place becomes a value.
pub fn decide(mut guide: Guide, n_pages: usize, tuning: &SchemaTuning) -> ClassSchema {
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
    let Deciding { mut roles, mut fields, left_out, .. } = deciding;
    flatten(&guide, &mut roles, &mut fields);
    let left_out = left_out.into_iter().map(|(place, why)| (place, Cow::Borrowed(why))).collect();
    ClassSchema { roles, fields, left_out, guide }
}

/// Where the decision is.
#[derive(Debug, Clone, Default)]
struct Context {
    list_path: Vec<Arc<str>>,
    labels: Vec<String>,
    steps: String,
    /// Whether the last label is that of a heading with a value behind it.
    is_label_heading: bool,
    /// Whether the last label is the heading of a section.
    is_section_label: bool,
    depth: usize,
}

struct Deciding<'g> {
    guide: &'g Guide,
    n_pages: usize,
    tuning: &'g SchemaTuning,
    roles: Vec<Role>,
    fields: Vec<FieldInfo>,
    left_out: Vec<(PlaceId, &'static str)>,
}

impl<'g> Deciding<'g> {
    fn place(&self, place: PlaceId) -> &'g Place {
        &self.guide.places[place]
    }

    fn is_repeated(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        own.multiplicity() >= self.tuning.repeated_share
    }

    /// Decides what is inside a place whose content belongs to one record.
    fn inside(&mut self, place: PlaceId, context: &mut Context) {
        let mut children = self.place(place).children.clone();
        children.retain(|&child| self.place(child).n > 0);
        children.sort_by(|&left, &right| {
            let mean = |place: PlaceId| self.place(place).position / self.place(place).n.max(1) as f64;
            mean(left).total_cmp(&mean(right)).then(left.cmp(&right))
        });
        let prose = self.prose_of(place, &children);
        if !prose.is_empty() {
            self.prose_field(place, &prose, context);
        }
        for child in children {
            if !prose.contains(&child) {
                self.one(child, context);
            }
        }
    }

    /// The children of a place that are one running text; none if it has no such text.
    fn prose_of(&self, place: PlaceId, children: &[PlaceId]) -> Vec<PlaceId> {
        let is_alone = self.n_pages < 2;
        let is_row = matches!(self.place(place).kind, StepKind::List | StepKind::Grid);
        if is_row {
            return Vec::new();
        }
        let lines = || children.iter().copied().filter(|&child| self.place(child).kind == StepKind::Line);
        let repeated: Vec<PlaceId> = lines().filter(|&child| self.is_repeated(child)).collect();
        let flows: Vec<PlaceId> = children.iter().copied().filter(|&child| self.is_flow(child)).collect();
        let reads = |places: &[PlaceId]| {
            let sum = |of: &dyn Fn(&Place) -> usize| places.iter().map(|&child| of(self.place(child))).sum::<usize>();
            // Lines of the frame are not read.
            let n = sum(&|place| place.texts.n) as f64;
            let chars = sum(&|place| place.texts.n_chars) as f64;
            let sentences = sum(&|place| place.texts.n_sentences) as f64;
            let links = sum(&|place| place.texts.n_whole_links) as f64;
            n > 0.0
                && links < self.tuning.link_share * n
                && (chars >= self.tuning.prose_chars * n || sentences >= self.tuning.sentence_share * n)
        };
        let start: Vec<PlaceId> = match repeated.is_empty() {
            false if reads(&repeated) => repeated,
            false => return Vec::new(),
            true => {
                // One paragraph, with a list or a quotation beside it on some pages.
                let plain: Vec<PlaceId> = lines().filter(|&line| reads(&[line]) && !self.is_labelled_line(line)).collect();
                if plain.is_empty() || flows.is_empty() {
                    return Vec::new();
                }
                plain
            }
        };
        let n_start = start.iter().map(|&line| self.place(line).n_parents).max().unwrap_or(0);
        let mut prose = start.clone();
        for &child in children {
            if prose.contains(&child) {
                continue;
            }
            let own = self.place(child);
            let joins = match own.kind {
                // A line that every page has once, under a name of its own, is a field.
                StepKind::Line => !own.text.contains(['.', '#']) || start.iter().any(|&line| self.place(line).text == own.text),
                _ => self.is_flow(child) && own.n_parents <= n_start && !is_alone,
            };
            if joins {
                prose.push(child);
            }
        }
        prose
    }

    /// Whether a line has a class or `id` of its own and stands once.
    fn is_labelled_line(&self, place: PlaceId) -> bool {
        self.place(place).text.contains(['.', '#'])
    }

    /// Whether a place is part of a running text: lines, lists, quotations and sections under headings of their own, without data inside.
    fn is_flow(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let holds = matches!(
            own.kind,
            StepKind::List | StepKind::Group | StepKind::AnySection | StepKind::Item | StepKind::AnyPair
        );
        // A long list, or one of terms and what they mean, is data wherever it stands.
        let is_list = matches!(own.kind, StepKind::Item | StepKind::AnyPair);
        let n_each = own.n as f64 / own.n_parents.max(1) as f64;
        let least = if own.kind == StepKind::AnyPair { self.tuning.terms_min } else { self.tuning.entries_min };
        if is_list && n_each >= least {
            return false;
        }
        holds && own.children.iter().all(|&child| {
            let inner = self.place(child);
            matches!(
                inner.kind,
                StepKind::Line | StepKind::Picture | StepKind::Heading | StepKind::Label
            ) || self.is_flow(child)
        })
    }

    /// One value for the running text of a place.
    fn prose_field(&mut self, place: PlaceId, prose: &[PlaceId], context: &Context) {
        let key: Arc<str> = format!("{}/text", context.steps).into();
        let (mark, tag) = marks_of(&self.place(place).text, self.place(place).kind);
        self.fields.push(FieldInfo {
            list_path: context.list_path.clone(),
            key: key.clone(),
            label: context.labels.last().cloned().unwrap_or_default(),
            context: context.labels.clone(),
            mark,
            tag,
            is_prose: true,
            ..FieldInfo::default()
        });
        let has_links = prose.iter().any(|&child| self.has_links(child));
        let links = if has_links { self.references_of_page(context) } else { None };
        let field = Field { text: Some(key), links, ..Field::default() };
        for &child in prose {
            self.mark_prose(child, &field);
        }
    }

    fn has_links(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        own.texts.n_one_link + own.texts.n_links > 0 || own.children.iter().any(|&child| self.has_links(child))
    }

    /// The key of the one list of where the running texts of a page lead. Texts inside rows have none: a list in a list of references says little.
    fn references_of_page(&mut self, context: &Context) -> Option<Arc<str>> {
        if !context.list_path.is_empty() {
            return None;
        }
        let key: Arc<str> = REFERENCES_KEY.into();
        if !self.fields.iter().any(|field| field.key == key) {
            self.list_of_links(&key, &Context::default());
        }
        Some(key)
    }

    /// Describes a list of references out of a text.
    fn list_of_links(&mut self, list: &Arc<str>, context: &Context) {
        self.fields.push(FieldInfo {
            list_path: context.list_path.clone(),
            key: list.clone(),
            label: context.labels.last().cloned().unwrap_or_default(),
            context: context.labels.clone(),
            is_list: true,
            is_reference: true,
            ..FieldInfo::default()
        });
        let mut list_path = context.list_path.clone();
        list_path.push(list.clone());
        for (key, attribute) in [(LINK_KEY, Some("href")), (TEXT_KEY, None)] {
            self.fields.push(FieldInfo {
                list_path: list_path.clone(),
                key: key.into(),
                attribute,
                tag: "a".to_owned(),
                is_reference: true,
                beside: Some(if attribute.is_some() { TEXT_KEY } else { LINK_KEY }.into()),
                ..FieldInfo::default()
            });
        }
    }

    fn mark_prose(&mut self, place: PlaceId, field: &Field) {
        self.roles[place] = Role::Prose(field.clone());
        for child in self.place(place).children.clone() {
            self.mark_prose(child, field);
        }
    }

    /// Decides one child of a place that belongs to one record.
    fn one(&mut self, place: PlaceId, context: &Context) {
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
            inner.is_section_label = own.kind == StepKind::Section;
            inner.is_label_heading = own.kind == StepKind::Section
                && own.children.iter().any(|&child| self.place(child).kind == StepKind::Heading)
                && !own.is_merged;
        }
        // A grid is its rows: several grids in one place are one list.
        let is_transparent = matches!(own.kind, StepKind::Grid | StepKind::List);
        let is_rows = self.is_repeated(place) && !is_transparent || own.kind == StepKind::Row;
        if is_rows && self.is_rare(place) {
            self.left_out.push((place, "on few pages"));
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
                self.roles[place] = Role::Open(whole);
                // A label whose value is in its own line, on some pages.
                if own.texts.n > own.n / 50 {
                    self.field_beside(place, &inner);
                }
                self.inside(place, &mut inner);
            }
        }
    }

    /// Whether the blocks of a place are parts of one record and no records: what stands in one of them stands in no other.
    fn is_divided_record(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let is_part = |child: &&PlaceId| self.place(**child).n_parents as f64 <= DIVIDED_EXCESS * own.n_parents as f64;
        let sum = |places: &mut dyn Iterator<Item = &PlaceId>| places.map(|&child| self.place(child).n).sum::<usize>();
        let n_parts = own.children.iter().filter(is_part).count();
        !own.is_merged
            && self.n_pages >= CONSTANT_PAGES_MIN
            && matches!(own.kind, StepKind::Item | StepKind::Group | StepKind::Row)
            && n_parts >= DIVIDED_PARTS_MIN
            && own.texts.n == 0
            && sum(&mut own.children.iter().filter(is_part)) as f64 >= DIVIDED_SHARE * sum(&mut own.children.iter()) as f64
    }

    /// Whether a list is on so few pages of a large class that it is theirs and not the class's.
    fn is_rare(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        self.n_pages >= RARE_PAGES_MIN
            && (own.n_parents as f64) < self.tuning.rare_share * self.n_pages as f64
            && own.n < RARE_ROWS_MIN
    }

    /// The key of all that a label stands for, where that is several lines.
    fn whole_text(&mut self, place: PlaceId, context: &Context) -> Option<Arc<str>> {
        let own = self.place(place);
        let is_lines = own.kind == StepKind::Pair && !own.children.is_empty() && own.children.iter().all(|&child| {
            let inner = self.place(child);
            inner.kind == StepKind::Group && self.is_lines(child) || matches!(inner.kind, StepKind::Line | StepKind::Pair)
        });
        let is_group = own.children.iter().any(|&child| self.place(child).kind == StepKind::Group);
        if !is_lines || !is_group {
            return None;
        }
        let key: Arc<str> = format!("{}/all", context.steps).into();
        self.fields.push(FieldInfo {
            list_path: context.list_path.clone(),
            key: key.clone(),
            label: context.labels.last().cloned().unwrap_or_default(),
            context: context.labels.clone(),
            is_prose: true,
            ..FieldInfo::default()
        });
        Some(key)
    }

    /// Whether a place holds lines and labelled lines alone.
    fn is_lines(&self, place: PlaceId) -> bool {
        self.place(place).children.iter().all(|&child| {
            let inner = self.place(child);
            match inner.kind {
                StepKind::Line | StepKind::Picture => true,
                StepKind::Pair | StepKind::Group => self.is_lines(child),
                _ => inner.n * 10 < self.place(place).n,
            }
        })
    }

    /// A place that gives values on some pages by its own line, and on others by what is inside it: the text is one more value.
    fn field_beside(&mut self, place: PlaceId, context: &Context) {
        let field = self.line_field(place, context);
        if field.text.is_some() {
            self.roles[place] = Role::Field(field);
        }
    }

    /// A line, heading or picture that becomes values.
    fn field(&mut self, place: PlaceId, context: &Context) {
        let field = self.line_field(place, context);
        if field == Field::default() {
            return;
        }
        self.roles[place] = Role::Field(field);
    }

    fn line_field(&mut self, place: PlaceId, context: &Context) -> Field {
        let own = self.place(place);
        let texts = &own.texts;
        if texts.n == 0 {
            return Field::default();
        }
        let is_many = self.n_pages >= CONSTANT_PAGES_MIN && texts.n >= CONSTANT_PAGES_MIN;
        let is_labelled = matches!(own.kind, StepKind::Pair | StepKind::Cell)
            || self.is_inside_label(place);
        let is_constant = is_many && texts.most_frequent_share() >= self.tuning.constant_share && !is_labelled;
        let is_constant_address =
            is_many && texts.most_frequent_address_share() >= self.tuning.constant_share;
        // A link that says one of a few things wherever it leads is a way around the site, in one language or several.
        let is_way = is_many
            && !is_labelled
            && texts.n_one_link + texts.n_links >= texts.n
            && texts.n_values() * self.tuning.way_repeats <= texts.n;
        let (is_constant, is_constant_address) = match is_way {
            true => (true, is_constant_address || texts.n_links > 0 || texts.n_addresses() * self.tuning.way_repeats <= texts.n),
            false => (is_constant, is_constant_address),
        };
        let steps = &context.steps;
        let is_picture = own.kind == StepKind::Picture;
        let mut field = Field::default();
        if !is_constant && !is_picture {
            field.text = Some(steps.as_str().into());
        }
        let one_link = texts.n_one_link * 2 > texts.n.min(texts.n_one_link + texts.n_links) && texts.n_one_link > 0;
        if one_link && texts.n_links * 10 <= texts.n_one_link && !is_constant_address {
            field.link = Some(format!("{steps}@href").into());
        } else if texts.n_links > 0 && !is_constant_address {
            field.links = match is_labelled || !context.labels.is_empty() {
                true => Some(format!("{steps}@links").into()),
                false => self.references_of_page(context),
            };
        }
        if field.link.is_some()
            && texts.n_one_link as f64 >= self.tuning.constant_share * texts.n as f64
            && texts.n_whole_links * 10 <= texts.n
        {
            field.link_text = Some(format!("{steps}@words").into());
            // A short line that is a link with words around it is divided there.
            let is_short = texts.n_bytes <= self.tuning.divided_bytes * texts.n;
            if !is_labelled && is_short && field.text.is_some() && own.kind != StepKind::Heading {
                field.text = None;
                field.around = Some((format!("{steps}@before").into(), format!("{steps}@after").into()));
            }
        }
        if texts.n_frame as f64 >= self.tuning.constant_share * texts.n as f64 && !is_labelled {
            self.left_out.push((place, "the frame of the site"));
            return Field::default();
        }
        // What a label stands for is one value, whatever it is made of.
        if !is_constant && !is_picture && !is_labelled && context.labels.is_empty() && field.around.is_none() {
            field.parts = self.parts_of(place, steps);
            // A line that is nothing but its parts is said by them.
            let n_inside: usize = field.parts.iter().map(|(class, _)| texts.parts[class].n_bytes).sum();
            if field.parts.len() > 1 && n_inside as f64 >= self.tuning.part_share * texts.n_bytes as f64 {
                field.text = None;
            }
        }
        if texts.n_one_picture * 10 >= texts.n && !is_constant_address {
            field.picture = Some(format!("{steps}@src").into());
        }
        if field == Field::default() {
            self.left_out.push((place, "the same on all pages"));
            return field;
        }
        self.describe(place, context, &field);
        field
    }

    /// The parts of a line that are values of their own: told apart by a class, once in a line, and rarely all of it.
    fn parts_of(&self, place: PlaceId, steps: &str) -> Vec<(String, Arc<str>)> {
        let texts = &self.place(place).texts;
        let is_value = |part: &super::guide::PartCounts| {
            part.n_lines >= CONSTANT_PAGES_MIN
                && part.n_lines as f64 >= self.tuning.part_lines_share * texts.n as f64
                && part.n as f64 <= (1.0 + self.tuning.repeated_share) * part.n_lines as f64
                && part.n_whole * 2 < part.n_lines
                && part.n_bytes > part.n
        };
        let parts = texts.parts.iter().filter(|(_, part)| is_value(part));
        parts.map(|(class, _)| (class.clone(), format!("{steps}.{class}").into())).collect()
    }

    fn is_inside_label(&self, place: PlaceId) -> bool {
        let parent = self.place(place).parent;
        let own = self.place(parent);
        parent != place && matches!(own.kind, StepKind::Pair | StepKind::Cell) && own.children.len() == 1
    }

    fn describe(&mut self, place: PlaceId, context: &Context, field: &Field) {
        let own = self.place(place);
        let (mark, tag) = marks_of(&own.text, own.kind);
        // A section's heading names what it holds as a whole; a line with a name of its own is called by that.
        let label = match !context.is_section_label || mark.is_empty() {
            true => context.labels.last().cloned().unwrap_or_default(),
            false => String::new(),
        };
        let is_heading = matches!(own.kind, StepKind::Heading | StepKind::Label);
        let base = FieldInfo {
            list_path: context.list_path.clone(),
            label: if is_heading && context.labels.last().is_none_or(|_| !context.is_label_heading) { String::new() } else { label },
            context: context.labels.clone(),
            mark,
            tag,
            is_heading,
            ..FieldInfo::default()
        };
        let mut infos = Vec::new();
        if let Some(key) = &field.text {
            infos.push(FieldInfo { key: key.clone(), beside: field.link.clone(), ..base.clone() });
        }
        if let Some(key) = &field.link {
            infos.push(FieldInfo {
                key: key.clone(),
                attribute: Some("href"),
                beside: field.text.clone(),
                ..base.clone()
            });
        }
        if let Some(key) = &field.link_text {
            infos.push(FieldInfo { key: key.clone(), label: String::new(), mark: String::new(), beside: field.link.clone(), ..base.clone() });
        }
        for key in field.around.iter().flat_map(|(before, after)| [before, after]) {
            infos.push(FieldInfo { key: key.clone(), label: String::new(), mark: String::new(), is_heading: false, ..base.clone() });
        }
        for (class, key) in &field.parts {
            infos.push(FieldInfo {
                key: key.clone(),
                label: String::new(),
                mark: class.clone(),
                tag: "span".to_owned(),
                is_heading: false,
                ..base.clone()
            });
        }
        if let Some(key) = &field.picture {
            infos.push(FieldInfo { key: key.clone(), attribute: Some("src"), tag: "img".to_owned(), ..base });
        }
        self.fields.extend(infos);
        if let Some(list) = field.links.clone().filter(|list| **list != *REFERENCES_KEY) {
            self.list_of_links(&list, context);
        }
    }

    /// A list: each block of the place is a record.
    fn rows(&mut self, place: PlaceId, mut context: Context) {
        let own = self.place(place);
        if self.is_frame_list(place) {
            self.left_out.push((place, "a list that most pages have"));
            return;
        }
        let key: Arc<str> = context.steps.as_str().into();
        let (mark, tag) = marks_of(&own.text, own.kind);
        let has_children = !own.children.is_empty();
        self.fields.push(FieldInfo {
            list_path: context.list_path.clone(),
            key: key.clone(),
            label: context.labels.last().cloned().unwrap_or_default(),
            context: context.labels.clone(),
            mark,
            tag,
            is_list: true,
            ..FieldInfo::default()
        });
        context.list_path.push(key.clone());
        let kind = own.kind;
        // What a row is called is what the list is called; its own columns have labels of their own.
        let label = context.labels.pop();
        if kind == StepKind::Section || kind == StepKind::Pair {
            context.labels.extend(label.clone());
        }
        let mut own_field = Field::default();
        if own.texts.n * 50 > own.n {
            own_field = self.line_field(place, &context);
        }
        self.roles[place] = Role::Rows(Rows { key, own: own_field, is_flat: false });
        if kind == StepKind::Pair || kind == StepKind::Section {
            context.labels.clear();
        }
        if has_children {
            self.inside(place, &mut context);
        }
    }

    /// Whether the rows of a list are the same on most pages: a menu. Of a list of single lines, all must be.
    fn is_frame_list(&self, place: PlaceId) -> bool {
        if self.n_pages < CONSTANT_PAGES_MIN {
            return false;
        }
        let mut n = 0.0;
        let mut n_frame = 0.0;
        let mut waiting = vec![place];
        while let Some(next) = waiting.pop() {
            let own = self.place(next);
            n += own.texts.n as f64;
            n_frame += own.texts.n_frame as f64;
            waiting.extend(&own.children);
        }
        let is_lines = matches!(self.place(place).kind, StepKind::Item | StepKind::Line);
        let least = if is_lines { self.tuning.constant_share } else { 1.0 - self.tuning.frame_row_share };
        n > 0.0 && n_frame >= least * n
    }
}

/// How deep places with data are nested: deeper ones are lay-out gone wrong.
const DEPTH_MAX: usize = 40;

/// How much oftener than its holders the commonest part of a divided record may occur.
const DIVIDED_EXCESS: f64 = 1.05;

/// The fewest parts of a divided record, and the least share of its blocks that are such.
const DIVIDED_PARTS_MIN: usize = 3;
const DIVIDED_SHARE: f64 = 0.7;

/// The fewest pages of a class whose rare lists are left out, and the fewest rows of a list that stays though it is rare.
const RARE_PAGES_MIN: usize = 30;
const RARE_ROWS_MIN: usize = 20;

/// The fewest pages that can tell what all pages say.
const CONSTANT_PAGES_MIN: usize = 3;

/// The key of the list of where a page's running texts lead.
const REFERENCES_KEY: &str = "/references";

/// The keys of lists of references.
pub(super) const LINK_KEY: &str = "link@href";
pub(super) const TEXT_KEY: &str = "link";

/// Marks lists whose rows have a heading alone and one list inside: rows of the inner list say the heading themselves.
fn flatten(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
    for place in (0..guide.places.len()).rev() {
        let Role::Rows(rows) = &roles[place] else { continue };
        if rows.own != Field::default() {
            continue;
        }
        let outer = rows.key.clone();
        let mut inner: Option<Arc<str>> = None;
        let mut n_lists = 0;
        let mut n_others = 0;
        let mut n_headings = 0;
        let mut waiting: Vec<PlaceId> = guide.places[place].children.clone();
        while let Some(next) = waiting.pop() {
            match &roles[next] {
                Role::Skip => {}
                Role::Open(_) => waiting.extend(&guide.places[next].children),
                Role::Field(_) if matches!(guide.places[next].kind, StepKind::Heading | StepKind::Label) => n_headings += 1,
                Role::Field(_) | Role::Prose(_) => n_others += 1,
                Role::Rows(rows) => {
                    n_lists += 1;
                    inner = Some(rows.key.clone());
                }
            }
        }
        if n_lists == 1
            && n_others == 0
            && n_headings > 0
            && let (Role::Rows(rows), Some(inner)) = (&mut roles[place], inner)
        {
            rows.is_flat = true;
            move_up(fields, &outer, &inner);
        }
    }
}

/// Says of fields of a list that became flat that they are fields of the list inside it.
fn move_up(fields: &mut Vec<FieldInfo>, outer: &Arc<str>, inner: &Arc<str>) {
    fields.retain(|field| field.key != *outer || !field.is_list);
    for field in fields.iter_mut() {
        let Some(at) = field.list_path.iter().position(|key| key == outer) else { continue };
        if field.list_path.get(at + 1).is_none() && !(field.is_list && field.key == *inner) {
            field.list_path[at] = inner.clone();
        } else {
            field.list_path.remove(at);
        }
    }
}

/// What a place is called by a label, header or heading.
fn label_text(place: &Place) -> Option<&str> {
    let text = place.text.trim().trim_end_matches([':', '：']).trim();
    match place.kind {
        StepKind::Section | StepKind::Pair => Some(text),
        StepKind::Cell => (!text.bytes().all(|byte| byte.is_ascii_digit())).then_some(text),
        _ => None,
    }
    .filter(|text| !text.is_empty())
}

/// A step as part of a key.
fn step_text(place: &Place) -> String {
    let text: String = place.text.chars().take(60).map(|c| if c == '/' { '_' } else { c }).collect();
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

/// The class or `id`, and the tag, of a name of mark-up.
fn marks_of(name: &str, kind: StepKind) -> (String, String) {
    if !matches!(
        kind,
        StepKind::Line | StepKind::Group | StepKind::List | StepKind::Grid | StepKind::Picture | StepKind::AnySection
    ) {
        return Default::default();
    }
    match name.split_once(['.', '#']) {
        Some((tag, mark)) => (mark.to_owned(), tag.to_owned()),
        None => (String::new(), name.to_owned()),
    }
}
