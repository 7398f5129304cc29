//! Transplanting: an old template, in the mark-up of new pages.
//!
//! In: a template, and what its parts are on new pages (`known_parts.rs`). Out: the same template
//! with the tags, names, labels and order that the new pages have. Lists stay lists and fields keep
//! their names and pieces. From the root down, the children of the nodes of a part are sorted into
//! groups: those that are parts themselves, and boxes that were put around parts, which become
//! parts without data. Boxes that are gone leave their parts to what is around them. What most
//! nodes have beside that, and what looks like no part of the template, is a part without data: it
//! says where no data is, so that a row that was inserted into a list is no row of it. Other new
//! data is left out, since nothing tells what it is; an inferred template has it (`inference.rs`).

use std::collections::{BTreeMap, BTreeSet, VecDeque};

use crate::page::{Dom, Name, NodeId, Page};

use super::column::blend;
use super::extraction::Extraction;
use super::feature::{Features, HashNumbers, PHRASE, PageFeatures, TEXT, hash_label};
use super::inference::{Draft, PageNode, pattern_of};
use super::known_parts::KnownParts;
use super::markup::MarkupProfile;
use super::matcher::Matcher;
use super::repetition::kind_of;
use super::template::{Item, Part, PartId, Pattern, Repeat, Template, TextPart};
use super::verification::counts_of;

/// The template of old pages, as it reads the new ones.
pub(super) fn transplanted(matcher: &Matcher, pairs: &[(&Page, usize)], new: &[&Page]) -> Template {
    let known = KnownParts::find(matcher, pairs, new);
    let labels: HashNumbers = known.labels.iter().map(|label| hash_label(label)).collect();
    let old = matcher.template();
    let mut growth = Growth {
        old,
        lists: lists_of(old),
        pages: known
            .pages
            .iter()
            .map(|its| PageFeatures::new(&its.page.dom, &labels))
            .collect(),
        is_inside: known
            .pages
            .iter()
            .map(|its| inside(&its.page.dom, &its.parts))
            .collect(),
        known: &known,
        draft: Draft {
            doms: known.pages.iter().map(|its| &its.page.dom).collect(),
            parts: Vec::new(),
            places: Vec::new(),
            label_texts: known
                .labels
                .iter()
                .map(|label| (hash_label(label), label.clone()))
                .collect(),
            carried: None,
            origins: Vec::new(),
        },
        waiting: VecDeque::new(),
    };
    growth.grow();
    let template = Template {
        parts: growth.draft.parts,
        labels: known.labels.clone(),
        counts: Vec::new(),
        markup: MarkupProfile::of(new),
    };
    let matcher = Matcher::new(template);
    let extractions: Vec<Extraction> = new.iter().map(|page| matcher.extract(page)).collect();
    Template {
        counts: counts_of(&extractions),
        ..matcher.template
    }
}

/// The list that each part is a member of: the part that holds it, and the number of its item.
fn lists_of(template: &Template) -> Vec<Option<(usize, usize)>> {
    let mut lists = vec![None; template.parts.len()];
    for (holder, part) in template.parts.iter().enumerate() {
        for (number, item) in part.items.iter().enumerate() {
            if let Item::Repeat(repeat) = item {
                repeat
                    .parts
                    .iter()
                    .for_each(|part| lists[part.index()] = Some((holder, number)));
            }
        }
    }
    lists
}

/// Whether each node is a part, or has one inside.
fn inside(dom: &Dom, parts: &[Option<PartId>]) -> Vec<bool> {
    let mut is_inside: Vec<bool> = parts.iter().map(Option::is_some).collect();
    for node in dom.nodes().rev() {
        if let Some(parent) = dom.parent(node) {
            is_inside[parent.index()] |= is_inside[node.index()];
        }
    }
    is_inside
}

/// A template on its way to other mark-up.
struct Growth<'a> {
    old: &'a Template,
    /// Of each old part the list that it is a member of.
    lists: Vec<Option<(usize, usize)>>,
    pages: Vec<PageFeatures<'a>>,
    is_inside: Vec<Vec<bool>>,
    known: &'a KnownParts<'a>,
    draft: Draft<'a>,
    waiting: VecDeque<Waiting>,
}

/// A part that is to get its items.
struct Waiting {
    part: PartId,
    /// Boxes around its lists' members are members already.
    unlisted: BTreeSet<PartId>,
}

/// A child of a node, with the number of its sequence and its place there.
#[derive(Clone, Copy)]
struct Child {
    sequence: usize,
    position: usize,
    node: NodeId,
    features: Features,
    part: Option<PartId>,
}

/// Children that are one item: members of one list, nodes of one part, or boxes around the same
/// parts.
#[derive(Default)]
struct Group {
    /// The parts at or inside its children, by those that stand for them.
    tops: BTreeSet<PartId>,
    children: Vec<Child>,
}

impl Growth<'_> {
    fn grow(&mut self) {
        let doms = self.draft.doms.iter().enumerate();
        let roots: Vec<PageNode> = doms
            .filter_map(|(page, dom)| Some((page, dom.find(Name::HTML)?)))
            .collect();
        let Some(&(page, root)) = roots.first() else { return };
        let features = self.pages[page].features(root);
        self.add_part(Some(PartId(0)), &features, roots, BTreeSet::new());
        while let Some(Waiting { part, unlisted }) = self.waiting.pop_front() {
            let places = self.draft.places[part.index()].clone();
            let groups = self.groups(&places);
            for group in in_order(groups) {
                let items = self.items_of(&group, &places, &unlisted);
                self.draft.parts[part.index()].items.extend(items);
            }
        }
    }

    /// The part that stands for a part in groups: the first one of its list.
    fn top(&self, part: PartId) -> PartId {
        let list = self.lists[part.index()];
        list.and_then(|(holder, item)| self.old.parts[holder].items[item].parts().first().copied())
            .unwrap_or(part)
    }

    /// The groups of the children of nodes.
    fn groups(&self, places: &[PageNode]) -> Vec<Group> {
        let mut own: BTreeMap<PartId, Group> = BTreeMap::new();
        let mut boxes: Vec<(Child, BTreeSet<PartId>)> = Vec::new();
        let mut others: BTreeMap<u64, Group> = BTreeMap::new();
        let mut kinds = HashNumbers::default();
        let mut buffer = Vec::new();
        for (sequence, &(page, node)) in places.iter().enumerate() {
            self.pages[page].children(node, &mut buffer);
            for (position, &(node, features)) in buffer.iter().enumerate() {
                let part = self.known.pages[page].parts[node.index()];
                let child = Child {
                    sequence,
                    position,
                    node,
                    features,
                    part,
                };
                let is_inside = self.is_inside[page][node.index()];
                let kind = kind_of(&features);
                if is_inside {
                    kinds.insert(kind);
                }
                match part {
                    Some(part) => own.entry(self.top(part)).or_default().add(child),
                    None if is_inside => boxes.push((child, self.tops_inside(page, node))),
                    None => others.entry(kind).or_default().add(child),
                }
            }
        }
        let mut groups: Vec<Group> = own.into_iter().map(|(top, group)| group.with_top(top)).collect();
        groups.extend(box_groups(boxes));
        let is_new = |(kind, group): &(u64, Group)| !kinds.contains(kind) && 2 * group.n_sequences() > places.len();
        groups.extend(others.into_iter().filter(is_new).map(|(_, group)| group));
        groups
    }

    /// The outermost parts inside a box.
    fn tops_inside(&self, page: usize, node: NodeId) -> BTreeSet<PartId> {
        let dom = &self.known.pages[page].page.dom;
        let mut tops = BTreeSet::new();
        let mut next = NodeId(node.0 + 1);
        while next < dom.subtree_end(node) {
            next = match self.known.pages[page].parts[next.index()] {
                Some(part) => {
                    tops.insert(self.top(part));
                    dom.subtree_end(next)
                }
                None => NodeId(next.0 + 1),
            };
        }
        tops
    }

    fn items_of(&mut self, group: &Group, places: &[PageNode], unlisted: &BTreeSet<PartId>) -> Vec<Item> {
        let parts: BTreeSet<PartId> = group.children.iter().filter_map(|child| child.part).collect();
        if parts.is_empty() {
            return vec![self.box_item(group, places, unlisted)];
        }
        let add = |part: &PartId| {
            let (features, nodes) = group.of_part(Some(*part), places);
            self.add_part(Some(*part), &features, nodes, BTreeSet::new())
        };
        let ids: Vec<PartId> = parts.iter().map(add).collect();
        let is_member = group.tops.iter().any(|top| unlisted.contains(top));
        match group
            .tops
            .first()
            .and_then(|top| self.repeat_of(*top))
            .filter(|_| !is_member)
        {
            Some(list) => vec![Item::Repeat(Repeat {
                parts: ids,
                ..list.clone()
            })],
            None => ids.into_iter().map(Item::One).collect(),
        }
    }

    /// The item of boxes around parts, or of what holds none.
    fn box_item(&mut self, group: &Group, places: &[PageNode], unlisted: &BTreeSet<PartId>) -> Item {
        let (features, nodes) = group.of_part(None, places);
        let is_repeated = group.children.len() > group.n_sequences();
        let list = group.tops.iter().find_map(|top| self.repeat_of(*top)).cloned();
        let list = match group.tops.is_empty() {
            true => Some(Repeat {
                name: String::new(),
                parts: Vec::new(),
                seen: group.n_sequences() as u32,
                places: places.len() as u32,
            }),
            false => list,
        };
        let mut unlisted = unlisted.clone();
        if is_repeated {
            unlisted.extend(&group.tops);
        }
        let (seen, n_places) = (nodes.len() as u32, places.len() as u32);
        let part = self.add_part(None, &features, nodes, unlisted);
        match list.filter(|_| is_repeated) {
            Some(list) => Item::Repeat(Repeat {
                parts: vec![part],
                ..list
            }),
            None => {
                self.draft.parts[part.index()].places = n_places.max(seen);
                Item::One(part)
            }
        }
    }

    /// The list that a part is a member of.
    fn repeat_of(&self, part: PartId) -> Option<&Repeat> {
        let (holder, item) = self.lists[part.index()]?;
        match &self.old.parts[holder].items[item] {
            Item::Repeat(repeat) => Some(repeat),
            Item::One(_) => None,
        }
    }

    fn add_part(
        &mut self,
        old: Option<PartId>,
        features: &Features,
        places: Vec<PageNode>,
        unlisted: BTreeSet<PartId>,
    ) -> PartId {
        let id = PartId(self.draft.parts.len() as u32);
        let old = old.map(|old| &self.old.parts[old.index()]);
        let is_text = old.is_some_and(|part| part.text != TextPart::None);
        let mut features = *features;
        if is_text && features.name != TEXT {
            features.name = PHRASE;
        }
        let mut pattern = pattern_of(&self.draft, &features, &places);
        if let Some(old) = old {
            keep_silence(&mut pattern, &old.pattern);
        }
        let seen = places.len() as u32;
        self.draft.parts.push(Part {
            pattern,
            seen: old.map_or(seen, |part| part.seen),
            places: old.map_or(seen, |part| part.places),
            items: Vec::new(),
            text: old.map_or(TextPart::None, |part| part.text.clone()),
            attributes: old.map(|part| part.attributes.clone()).unwrap_or_default(),
        });
        self.draft.places.push(places);
        // What holds no part is an anchor, and nothing inside it is looked for.
        let is_open = places_hold(&self.is_inside, &self.draft.places[id.index()]);
        if !is_text && is_open {
            self.waiting.push_back(Waiting { part: id, unlisted });
        }
        id
    }
}

/// Whether a part is at one of the nodes, or inside it.
fn places_hold(is_inside: &[Vec<bool>], places: &[PageNode]) -> bool {
    places.iter().any(|&(page, node)| is_inside[page][node.index()])
}

/// What did not tell the nodes of a part from others does not do so now: the pages that are known
/// are few.
fn keep_silence(pattern: &mut Pattern, old: &Pattern) {
    let quiet = |own: &mut String, old: &str| {
        if old.is_empty() {
            own.clear();
        }
    };
    quiet(&mut pattern.id, &old.id);
    quiet(&mut pattern.label, &old.label);
    quiet(&mut pattern.lead, &old.lead);
    quiet(&mut pattern.heading, &old.heading);
    pattern.is_small = old.is_small;
}

impl Group {
    fn with_top(mut self, top: PartId) -> Self {
        self.tops.insert(top);
        self
    }

    fn add(&mut self, child: Child) {
        self.children.push(child);
    }

    fn n_sequences(&self) -> usize {
        first_positions(self).len()
    }

    /// What its children of one part look like, and where they are.
    fn of_part(&self, part: Option<PartId>, places: &[PageNode]) -> (Features, Vec<PageNode>) {
        let own = self.children.iter().filter(|child| child.part == part);
        let mut features = own.clone().next().map(|child| child.features).unwrap_or_default();
        own.clone().for_each(|child| blend(&mut features, &child.features));
        let nodes = own.map(|child| (places[child.sequence].0, child.node));
        (features, nodes.collect())
    }
}

/// Boxes that hold the same parts are one group; a part that boxes hold in different company goes
/// with what it stands with first.
fn box_groups(boxes: Vec<(Child, BTreeSet<PartId>)>) -> Vec<Group> {
    let mut groups: Vec<Group> = Vec::new();
    for (child, tops) in boxes {
        let found = groups.iter_mut().find(|group| !group.tops.is_disjoint(&tops));
        match found {
            Some(group) => {
                group.tops.extend(tops);
                group.add(child);
            }
            None => groups.push(Group {
                tops,
                children: vec![child],
            }),
        }
    }
    groups
}

/// Groups as most sequences have them: each before the first one that it more often stands before.
fn in_order(groups: Vec<Group>) -> Vec<Group> {
    let firsts: Vec<BTreeMap<usize, usize>> = groups.iter().map(first_positions).collect();
    let mut order: Vec<usize> = Vec::new();
    for group in 0..groups.len() {
        let is_before = |other: &usize| {
            let both = firsts[group]
                .iter()
                .filter_map(|(sequence, own)| Some((own, firsts[*other].get(sequence)?)));
            let (before, all) = both.fold((0, 0), |(before, all), (own, other)| {
                (before + usize::from(own < other), all + 1)
            });
            2 * before > all
        };
        let at = order.iter().position(is_before).unwrap_or(order.len());
        order.insert(at, group);
    }
    let mut groups: Vec<Option<Group>> = groups.into_iter().map(Some).collect();
    order.into_iter().filter_map(|group| groups[group].take()).collect()
}

/// Where a group begins in each sequence that has it.
fn first_positions(group: &Group) -> BTreeMap<usize, usize> {
    let mut firsts = BTreeMap::new();
    for child in &group.children {
        firsts.entry(child.sequence).or_insert(child.position);
    }
    firsts
}
