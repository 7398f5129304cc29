//! Fields: the values that a line, heading or picture gives, and what is known of each before its
//! values are looked at.

use std::sync::Arc;

use super::coverage::{CONSTANT, FRAME};
use super::decide::{CONSTANT_PAGES_MIN, Context, Deciding, REFERENCES_KEY};
use super::grid_variants::without_headers;
use super::guide::PlaceId;
use super::line_template::LineTemplate;
use super::noted::LINKS_SUFFIX;
use super::schema::{Field, FieldInfo, LINK_KEY, Role, TEXT_KEY};
use super::step::StepKind;
use super::text_counts::{PartCounts, TextCounts};

impl Deciding<'_> {
    pub(super) fn has_links(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        own.texts.n_one_link + own.texts.n_links > 0 || own.children.iter().any(|&child| self.has_links(child))
    }

    /// Describes a list of references out of a text.
    pub(super) fn list_of_links(&mut self, list: &Arc<str>, context: &Context) {
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
                // What stands under a label of its own is a list of things, and is read by their
                // names.
                is_reference: attribute.is_some() || **list == *REFERENCES_KEY,
                beside: Some(if attribute.is_some() { TEXT_KEY } else { LINK_KEY }.into()),
                ..FieldInfo::default()
            });
        }
    }

    /// The key of all that a label stands for, where that is several lines.
    pub(super) fn whole_text(&mut self, place: PlaceId, context: &Context) -> Option<Arc<str>> {
        let own = self.place(place);
        let is_lines = own.kind == StepKind::Pair
            && !own.children.is_empty()
            && own.children.iter().all(|&child| {
                let inner = self.place(child);
                inner.kind == StepKind::Group && self.is_lines(child)
                    || matches!(inner.kind, StepKind::Line | StepKind::Pair)
            });
        let is_group = own
            .children
            .iter()
            .any(|&child| self.place(child).kind == StepKind::Group);
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
    pub(super) fn is_lines(&self, place: PlaceId) -> bool {
        self.place(place).children.iter().all(|&child| {
            let inner = self.place(child);
            match inner.kind {
                StepKind::Line | StepKind::Picture => true,
                StepKind::Pair | StepKind::Group => self.is_lines(child),
                _ => inner.n * 10 < self.place(place).n,
            }
        })
    }

    /// A place that gives values on some pages by its own line, and on others by what is inside it:
    /// the text is one more value.
    pub(super) fn field_beside(&mut self, place: PlaceId, context: &Context) {
        let field = self.line_field(place, context);
        if field.text.is_some() {
            self.roles[place] = Role::Field(field);
        }
    }

    /// A line, heading or picture that becomes values.
    pub(super) fn field(&mut self, place: PlaceId, context: &Context) {
        let field = self.line_field(place, context);
        if field == Field::default() {
            return;
        }
        self.roles[place] = Role::Field(field);
    }

    pub(super) fn line_field(&mut self, place: PlaceId, context: &Context) -> Field {
        let own = self.place(place);
        let texts = &own.texts;
        if texts.n == 0 {
            return Field::default();
        }
        let is_many = self.n_pages >= CONSTANT_PAGES_MIN && texts.n >= CONSTANT_PAGES_MIN;
        let is_labelled = matches!(own.kind, StepKind::Pair | StepKind::Cell) || self.is_inside_label(place);
        let (is_constant, is_constant_address) = self.constants(texts, is_many, is_labelled);
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
            // A line that is mostly links is a list of them; in a sentence they are references.
            let is_list = texts.n_link_bytes as f64 >= self.tuning.links_share * texts.n_bytes as f64;
            field.links = match is_list && (is_labelled || !context.labels.is_empty()) {
                true => Some(format!("{steps}{LINKS_SUFFIX}").into()),
                false if is_trail_to_few(texts) => None,
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
        // A table that is no menu may say words that recur.
        let is_of_rows = !is_constant && !context.list_path.is_empty() && self.is_in_row(place);
        if texts.n_frame as f64 >= self.tuning.constant_share * texts.n as f64 && !is_labelled && !is_of_rows {
            self.left_out.push((place, FRAME));
            return Field::default();
        }
        let is_text = !is_constant && !is_picture;
        self.divide(place, context, &mut field, (is_text, is_labelled));
        if texts.n_one_picture * 10 >= texts.n && !is_constant_address {
            field.picture = Some(format!("{steps}@src").into());
        }
        if field == Field::default() {
            self.left_out.push((place, CONSTANT));
            return field;
        }
        if self.is_repeated(place) && self.is_once(place) {
            field.later = Some(format!("{steps}@later").into());
        }
        self.describe(place, context, &field);
        field
    }

    /// Divides a line into its parts or by its template.
    fn divide(&self, place: PlaceId, context: &Context, field: &mut Field, (is_text, is_labelled): (bool, bool)) {
        let texts = &self.place(place).texts;
        let steps = &context.steps;
        // What a label stands for is one value, whatever it is made of.
        if is_text && !is_labelled && context.labels.is_empty() && field.around.is_none() {
            field.parts = self.parts_of(place, steps);
            // A line that is nothing but its parts is said by them.
            let n_inside: usize = field.parts.iter().map(|(class, _)| texts.parts[class].n_bytes).sum();
            if field.parts.len() > 1 && n_inside as f64 >= self.tuning.part_share * texts.n_bytes as f64 {
                field.text = None;
            }
        }
        if field.text.is_some() || field.around.is_some() {
            field.template = self.template_of(place, context, is_labelled);
        }
        // A template that divides a line in more than its parts and the rest tells all that they
        // do.
        let n_slots = field.template.as_ref().map_or(0, |(_, slots)| slots.len());
        if n_slots > field.parts.len() + 1 {
            field.parts.clear();
        }
        if field.template.is_some() && field.around.take().is_some() {
            // What stands around the link is told by the slots; a line that has none is said whole.
            field.text = Some(steps.as_str().into());
            field.link_text = None;
        }
    }

    /// Whether the lines of a place are no running text: they are made by a template, or short and
    /// in parts.
    pub(super) fn has_template(&self, place: PlaceId) -> bool {
        let texts = &self.place(place).texts;
        let lines: Vec<&str> = texts.sample.values().map(|line| &**line).collect();
        let is_short = (texts.n_chars as f64) < self.tuning.prose_chars * texts.n as f64;
        is_short && !self.parts_of(place, "").is_empty() || LineTemplate::learn(&lines, "", self.tuning.lines).is_some()
    }

    /// What divides the lines of a place. What a label stands for is divided only where the label
    /// itself is, in the same way.
    fn template_of(
        &self,
        place: PlaceId,
        context: &Context,
        is_labelled: bool,
    ) -> Option<(LineTemplate, Vec<Arc<str>>)> {
        let sample = &self.place(place).texts.sample;
        let lines: Vec<&str> = sample.values().map(|line| &**line).collect();
        // The lines of a list under a label are what the label says.
        let label = context.labels.last().or(context.list_label.as_ref());
        let label = label.map_or("", String::as_str);
        let template = LineTemplate::learn(&lines, label, self.tuning.lines)?;
        let is_one_value = is_labelled && context.list_label.is_none();
        if is_one_value && template.split_label(label).is_none() {
            return None;
        }
        let slots = 0..template.before.len();
        let keys = slots.map(|slot| format!("{}~{}", context.steps, slot + 1).into());
        Some((template.clone(), keys.collect()))
    }

    /// Whether the texts of a line, and its addresses, are the template's.
    fn constants(&self, texts: &TextCounts, is_many: bool, is_labelled: bool) -> (bool, bool) {
        let is_constant = is_many && texts.most_frequent_share() >= self.tuning.constant_share && !is_labelled;
        let is_constant_address = is_many && texts.most_frequent_address_share() >= self.tuning.constant_share;
        // A link that says one of a few things wherever it leads is a way around the site, in one
        // language or several.
        let is_way = is_many
            && !is_labelled
            && texts.n_one_link + texts.n_links >= texts.n
            && texts.n_values() * self.tuning.way_repeats <= texts.n;
        if !is_way {
            return (is_constant, is_constant_address);
        }
        let leads_to_few = texts.n_addresses() * self.tuning.way_repeats <= texts.n;
        (true, is_constant_address || texts.n_links > 0 || leads_to_few)
    }

    /// The parts of a line that are values of their own: told apart by a class, once in a line, and
    /// rarely all of it.
    pub(super) fn parts_of(&self, place: PlaceId, steps: &str) -> Vec<(String, Arc<str>)> {
        let texts = &self.place(place).texts;
        let is_value = |part: &PartCounts| {
            part.n_lines >= CONSTANT_PAGES_MIN
                && part.n_lines as f64 >= self.tuning.part_lines_share * texts.n as f64
                && part.n as f64 <= (1.0 + self.tuning.repeated_share) * part.n_lines as f64
                && part.n_whole * 2 < part.n_lines
                && part.n_bytes > part.n
        };
        let parts = texts.parts.iter().filter(|(_, part)| is_value(part));
        parts
            .map(|(class, _)| (class.clone(), format!("{steps}.{class}").into()))
            .collect()
    }

    /// Whether a place is in a row of a table.
    fn is_in_row(&self, place: PlaceId) -> bool {
        let mut above = std::iter::successors(Some(place), |&at| (at != 0).then(|| self.place(at).parent));
        above.any(|at| self.place(at).kind == StepKind::Row)
    }

    pub(super) fn is_inside_label(&self, place: PlaceId) -> bool {
        let parent = self.place(place).parent;
        let own = self.place(parent);
        parent != place && matches!(own.kind, StepKind::Pair | StepKind::Cell) && own.children.len() == 1
    }

    pub(super) fn describe(&mut self, place: PlaceId, context: &Context, field: &Field) {
        let own = self.place(place);
        let (mark, tag) = marks_of(&own.text, own.kind);
        let label = context.labels.last().cloned().unwrap_or_default();
        let is_heading = matches!(own.kind, StepKind::Heading | StepKind::Label);
        let base = FieldInfo {
            list_path: context.list_path.clone(),
            label: if is_heading && context.labels.last().is_none_or(|_| !context.is_label_heading) {
                String::new()
            } else {
                label
            },
            context: context.labels.clone(),
            mark,
            tag,
            is_heading,
            ..FieldInfo::default()
        };
        let slots_label = context.labels.last().or(context.list_label.as_ref());
        let infos = infos_of(field, &base, slots_label.map_or("", String::as_str));
        self.fields.extend(infos);
        if let Some(list) = field.links.clone().filter(|list| **list != *REFERENCES_KEY) {
            self.list_of_links(&list, context);
        }
    }
}

/// Whether lines tell the way from the first page of the site to each page, over few others: these
/// are known by what they say.
fn is_trail_to_few(texts: &TextCounts) -> bool {
    let n_links = texts.addresses.values().sum::<u32>() as usize + texts.n_other_addresses;
    texts.n_trails * 2 > texts.n && texts.n_addresses() * TRAIL_REPEATS <= n_links
}

/// How often each page that trails lead over stands in one, on the average.
const TRAIL_REPEATS: usize = 4;

/// What is known of each key of a field.
fn infos_of(field: &Field, base: &FieldInfo, label: &str) -> Vec<FieldInfo> {
    let mut infos = Vec::new();
    // The row of a list whose heading has several parts is called what the first of them says.
    let is_named_by_slot = base.is_heading && field.template.is_some() && !base.list_path.is_empty();
    if let Some(key) = &field.text {
        infos.push(FieldInfo {
            key: key.clone(),
            beside: field.link.clone(),
            label: match is_named_by_slot && base.label.is_empty() {
                true => "heading".to_owned(),
                false => base.label.clone(),
            },
            ..base.clone()
        });
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
        infos.push(FieldInfo {
            key: key.clone(),
            // Beside the whole that the header of a list stands for.
            label: match field.text.is_some() && !base.label.is_empty() && !base.list_path.is_empty() {
                true => format!("{} text", base.label),
                false => String::new(),
            },
            mark: String::new(),
            beside: field.link.clone(),
            ..base.clone()
        });
    }
    let around = field.around.iter().flat_map(|(before, after)| [before, after]);
    for key in around.chain(&field.later) {
        infos.push(FieldInfo {
            key: key.clone(),
            label: String::new(),
            mark: String::new(),
            is_heading: false,
            ..base.clone()
        });
    }
    infos.extend(slot_infos(field, base, label, is_named_by_slot));
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
        infos.push(FieldInfo {
            key: key.clone(),
            attribute: Some("src"),
            tag: "img".to_owned(),
            ..base.clone()
        });
    }
    infos
}

/// What is known of the slots of a line.
fn slot_infos(field: &Field, base: &FieldInfo, label: &str, is_named_by_slot: bool) -> Vec<FieldInfo> {
    let slots = field.template.iter().flat_map(|(_, keys)| keys.iter().enumerate());
    let info = |(slot, key): (usize, &Arc<str>)| FieldInfo {
        key: key.clone(),
        label: slot_label(field, slot, label),
        // The first slot is what the line is about.
        mark: if slot == 0 { base.mark.clone() } else { String::new() },
        is_heading: slot == 0 && is_named_by_slot,
        ..base.clone()
    };
    slots.map(info).collect()
}

/// What the slot of a line is called: by what stands before it, or by the label of all slots.
fn slot_label(field: &Field, slot: usize, label: &str) -> String {
    let Some((template, _)) = &field.template else {
        return String::new();
    };
    let of_label = template.split_label(label).map(|labels| labels[slot]);
    template.name_of(slot).or(of_label).unwrap_or_default().to_owned()
}

/// The class or `id`, and the tag, of a name of mark-up.
pub(super) fn marks_of(name: &str, kind: StepKind) -> (String, String) {
    if !matches!(
        kind,
        StepKind::Line | StepKind::Group | StepKind::List | StepKind::Grid | StepKind::Picture | StepKind::AnySection
    ) {
        return Default::default();
    }
    match without_headers(name).split_once(['.', '#']) {
        Some((tag, mark)) => (mark.to_owned(), tag.to_owned()),
        None => (String::new(), without_headers(name).to_owned()),
    }
}
