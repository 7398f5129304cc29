//! Prose: the children of a place that are one running text, and its one value.

use std::sync::Arc;

use super::decide::{Context, Deciding};
use super::field::marks_of;
use super::guide::{Place, PlaceId};
use super::schema::{Field, FieldInfo, Role};
use super::step::StepKind;

/// The key of the running text of a place.
pub(super) fn text_key(context: &Context) -> Arc<str> {
    format!("{}/text", context.steps).into()
}

impl Deciding<'_> {
    /// Whether the rows of a list are sections of the running text around them: each has a heading
    /// of its own and a text, and nothing beside them has a heading of the class. A person finds the
    /// text of a page whole in one cell, and its sections by their names.
    pub(super) fn is_part_of_text(&self, place: PlaceId, child: PlaceId) -> bool {
        let own = self.place(place);
        let is_headed = |&beside: &PlaceId| {
            let beside = self.place(beside);
            let is_known = matches!(beside.kind, StepKind::Section | StepKind::Pair) && !beside.is_merged;
            is_known && beside.n_parents as f64 >= self.tuning.rare_part_share * own.n as f64
        };
        let has_text = |&inner: &PlaceId| matches!(self.roles[inner], Role::Prose(_));
        matches!(self.roles[child], Role::Rows(_))
            && self.place(child).kind == StepKind::AnySection
            && self.place(child).children.iter().any(has_text)
            && !own.children.iter().any(is_headed)
    }

    /// The children of a place that are one running text; none if it has no such text.
    pub(super) fn prose_of(&self, place: PlaceId, children: &[PlaceId]) -> Vec<PlaceId> {
        let is_alone = self.n_pages < 2;
        let is_row = matches!(self.place(place).kind, StepKind::List | StepKind::Grid);
        if is_row {
            return Vec::new();
        }
        let lines = || {
            children
                .iter()
                .copied()
                .filter(|&child| self.place(child).kind == StepKind::Line)
        };
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
            false if reads(&repeated) || self.is_one_text(place, &repeated) => repeated,
            false => return Vec::new(),
            true => {
                // One paragraph, with a list or a quotation beside it on some pages.
                let plain: Vec<PlaceId> = lines()
                    .filter(|&line| reads(&[line]) && !self.is_labelled_line(line) && !self.has_template(line))
                    .collect();
                if plain.is_empty() || flows.is_empty() {
                    return Vec::new();
                }
                plain
            }
        };
        let n_start = start.iter().map(|&line| self.place(line).n_parents).max().unwrap_or(0);
        let is_aside = |child: PlaceId| self.is_aside(place, child, n_start);
        let mut prose = start.clone();
        for &child in children {
            if prose.contains(&child) {
                continue;
            }
            let own = self.place(child);
            let joins = match own.kind {
                // A line that every page has once, under a name of its own, is a field.
                StepKind::Line if !self.is_repeated(child) && self.has_template(child) => false,
                StepKind::Line => {
                    !own.text.contains(['.', '#']) || start.iter().any(|&line| self.place(line).text == own.text)
                }
                _ => {
                    (self.is_flow(child) || self.is_rare_part(child) || is_aside(child))
                        && own.n_parents <= n_start
                        && !is_alone
                }
            };
            if joins {
                prose.push(child);
            }
        }
        prose
    }

    /// Whether a list, or what stands under a heading or label of its own, is part of the running
    /// text of a section with a heading of the class: most of these texts have none, and it holds
    /// nothing that recurs.
    fn is_aside(&self, place: PlaceId, child: PlaceId, n_texts: usize) -> bool {
        let (own, inner) = (self.place(place), self.place(child));
        let is_kind = matches!(
            inner.kind,
            StepKind::List | StepKind::Group | StepKind::AnySection | StepKind::Item | StepKind::AnyPair
        );
        let is_headed = own.kind == StepKind::Section && !own.is_merged;
        is_headed && is_kind && inner.n_parents * 2 < n_texts && !self.has_steady_data(child, inner.n)
    }

    /// Whether rows, or what has a label or heading of the class, stand inside a place as often as
    /// one time in ten.
    fn has_steady_data(&self, place: PlaceId, n_holders: usize) -> bool {
        self.place(place).children.iter().any(|&child| {
            let inner = self.place(child);
            let is_data = matches!(inner.kind, StepKind::Row | StepKind::Pair | StepKind::Section);
            is_data && inner.n_parents as f64 >= self.tuning.rare_part_share * n_holders as f64
                || self.has_steady_data(child, n_holders)
        })
    }

    /// Whether the lines of a place are one text that is now and then broken into several lines:
    /// most sections under a heading, or definitions of a term, have one, so that a list would be
    /// one of single rows.
    fn is_one_text(&self, place: PlaceId, lines: &[PlaceId]) -> bool {
        let own = self.place(place);
        // A line that leads to another page is a thing of its own, and so is one of several facts
        // beside a label.
        let is_single = |&line: &PlaceId| {
            let Place { n, n_parents, .. } = *self.place(line);
            let is_fact = own.kind != StepKind::Section && self.has_template(line);
            n < 2 * n_parents && !self.has_links(line) && !is_fact
        };
        let is_labelled = match own.kind {
            StepKind::Section | StepKind::Pair => !own.is_merged,
            StepKind::AnyPair => true,
            _ => false,
        };
        is_labelled && lines.iter().all(is_single)
    }

    /// Whether a line has a class or `id` of its own and stands once.
    pub(super) fn is_labelled_line(&self, place: PlaceId) -> bool {
        self.place(place).text.contains(['.', '#'])
    }

    /// Whether a place is part of a running text: lines, lists, quotations and sections under
    /// headings of their own, without data inside.
    pub(super) fn is_flow(&self, place: PlaceId) -> bool {
        let own = self.place(place);
        let holds = matches!(
            own.kind,
            StepKind::List | StepKind::Group | StepKind::AnySection | StepKind::Item | StepKind::AnyPair
        );
        // A long list, or one of terms and what they mean, is data wherever it stands.
        let is_list = matches!(own.kind, StepKind::Item | StepKind::AnyPair);
        let n_each = own.n as f64 / own.n_parents.max(1) as f64;
        let least = if own.kind == StepKind::AnyPair {
            self.tuning.terms_min
        } else {
            self.tuning.entries_min
        };
        if is_list && n_each >= least {
            return false;
        }
        holds
            && own.children.iter().all(|&child| {
                let inner = self.place(child);
                matches!(
                    inner.kind,
                    StepKind::Line | StepKind::Picture | StepKind::Heading | StepKind::Label
                ) || self.is_flow(child)
            })
    }

    /// One value for the running text of a place.
    pub(super) fn prose_field(&mut self, place: PlaceId, prose: &[PlaceId], context: &Context) {
        let key = text_key(context);
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
        let links = if has_links {
            self.references_of_page(context)
        } else {
            None
        };
        let field = Field {
            text: Some(key),
            links,
            ..Field::default()
        };
        for &child in prose {
            self.mark_prose(child, &field);
        }
    }

    pub(super) fn mark_prose(&mut self, place: PlaceId, field: &Field) {
        self.roles[place] = Role::Prose(field.clone());
        for child in self.place(place).children.clone() {
            self.mark_prose(child, field);
        }
    }
}
