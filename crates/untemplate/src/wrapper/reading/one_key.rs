//! One key for one thing: places that differ by how their text is wrapped give one column, or one
//! list.
//!
//! A template wraps a value on some pages in an element more, and an element holds one line on one
//! page and several on the next. These are different places of the guide, and would be columns that
//! no row has both of, or lists of the same things. What tells things apart for a reader is what
//! they stand under and what they are set as: texts of one label and one name of mark-up that never
//! stand together are one column, and lists whose rows say the same, and whose wrappers have no
//! name, are one list. Described so, each page costs as many bits as before, and the schema fewer.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::guide::{Guide, PlaceId};
use super::schema::{Field, FieldInfo, Role};
use super::step::StepKind;

/// Gives places that say the same thing one key.
pub(super) fn join_keys(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
    join_texts(guide, roles, fields);
    join_lists(guide, roles, fields);
}

/// A text that may be one with others.
struct Text {
    key: Arc<str>,
    /// The outermost place that it is read at; of a running text, what holds it.
    place: PlaceId,
    is_prose: bool,
}

/// The record that a text is of, the labels it stands under, and the name of its mark-up.
type Kind = (Vec<Arc<str>>, Vec<String>, String);

fn join_texts(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
    let infos: HashMap<Arc<str>, &FieldInfo> = fields.iter().map(|info| (info.key.clone(), info)).collect();
    let mut kinds: BTreeMap<Kind, Vec<Text>> = BTreeMap::new();
    for place in 1..guide.places.len() {
        let own = &guide.places[place];
        let (field, at) = match &roles[place] {
            Role::Field(field) if own.kind != StepKind::Heading && own.kind != StepKind::Label => (field, place),
            Role::Prose(field) if !matches!(roles[own.parent], Role::Prose(_)) => (field, own.parent),
            _ => continue,
        };
        let Some((key, info)) = field.text.as_ref().and_then(|key| Some((key, infos.get(key)?))) else {
            continue;
        };
        let name = guide.places[at].text.clone();
        let texts = kinds
            .entry((info.list_path.clone(), info.context.clone(), name))
            .or_default();
        if texts.iter().all(|text| text.key != *key) {
            texts.push(Text {
                key: key.clone(),
                place: at,
                is_prose: info.is_prose,
            });
        }
    }
    let mut renamed: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    for ((_, labels, name), mut texts) in kinds {
        texts.sort_by_key(|text| (!text.is_prose, std::cmp::Reverse(guide.places[text.place].n)));
        let is_told = !labels.is_empty() || name.contains(['.', '#']);
        let mut groups: Vec<Vec<Text>> = Vec::new();
        for text in texts.into_iter().filter(|_| is_told) {
            let is_one = |group: &&mut Vec<Text>| group.iter().all(|other| is_one_text(guide, roles, &text, other));
            match groups.iter_mut().find(is_one) {
                Some(group) => group.push(text),
                None => groups.push(vec![text]),
            }
        }
        for group in groups {
            for text in &group[1..] {
                rename_texts(guide, roles, (&group[0], text), &mut renamed);
            }
        }
    }
    rename(roles, fields, &renamed);
}

/// Whether two texts of one kind are one: the same element with one line or several, or never both
/// in one record.
fn is_one_text(guide: &Guide, roles: &[Role], one: &Text, other: &Text) -> bool {
    let (one_place, other_place) = (&guide.places[one.place], &guide.places[other.place]);
    let is_same_element = one.is_prose != other.is_prose && one_place.parent == other_place.parent;
    is_same_element || take_turns(guide, roles, one.place, other.place)
}

/// Whether no record has both of two places.
fn take_turns(guide: &Guide, roles: &[Role], one: PlaceId, other: PlaceId) -> bool {
    let Some((holder, left, right)) = branches(guide, one, other) else {
        return false;
    };
    let places = &guide.places;
    // In a block that stands there twice, each may have one of them.
    let mut at = holder;
    while at != 0 && !matches!(roles[at], Role::Rows(_)) {
        if places[at].n_multiple > 0 {
            return false;
        }
        at = places[at].parent;
    }
    guide.together(left, right) == 0 && places[left].n_parents + places[right].n_parents <= places[holder].n
}

/// The innermost place that holds two, and the places in it that lead to each; nothing if one of
/// them holds the other.
fn branches(guide: &Guide, one: PlaceId, other: PlaceId) -> Option<(PlaceId, PlaceId, PlaceId)> {
    let path = |place: PlaceId| {
        let mut path: Vec<PlaceId> =
            std::iter::successors(Some(place), |&at| (at != 0).then(|| guide.places[at].parent)).collect();
        path.reverse();
        path
    };
    let (one, other) = (path(one), path(other));
    let n_common = one.iter().zip(&other).take_while(|(left, right)| left == right).count();
    Some((one[n_common - 1], *one.get(n_common)?, *other.get(n_common)?))
}

/// Notes the keys that the values of one text go under when it is part of another.
fn rename_texts(guide: &Guide, roles: &[Role], (to, from): (&Text, &Text), renamed: &mut HashMap<Arc<str>, Arc<str>>) {
    renamed.insert(from.key.clone(), to.key.clone());
    let field_of = |text: &Text| -> Option<Field> {
        let places = std::iter::once(text.place).chain(guide.places[text.place].children.iter().copied());
        places.into_iter().find_map(|place| match &roles[place] {
            Role::Field(field) | Role::Prose(field) if field.text.as_ref() == Some(&text.key) => Some(field.clone()),
            _ => None,
        })
    };
    if let (Some(to), Some(from)) = (field_of(to), field_of(from)) {
        for (to, from) in [
            (to.link, from.link),
            (to.picture, from.picture),
            (to.link_text, from.link_text),
        ] {
            if let (Some(to), Some(from)) = (to, from) {
                renamed.insert(from, to);
            }
        }
    }
}

/// The record that a list is of, the labels it stands under, and what its rows say.
type ListKind = (Vec<Arc<str>>, Vec<String>, BTreeSet<String>);

fn join_lists(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
    let mut kinds: BTreeMap<ListKind, Vec<(PlaceId, Arc<str>)>> = BTreeMap::new();
    for (place, role) in roles.iter().enumerate().skip(1) {
        let Role::Rows(rows) = role else { continue };
        let Some(info) = fields.iter().find(|info| info.is_list && info.key == rows.key) else {
            continue;
        };
        // A list with lists in its rows, or with other rows than lines, is one with others only if
        // all of that is alike.
        let inner = says(fields, &rows.key);
        if !inner.is_empty() {
            kinds
                .entry((info.list_path.clone(), info.context.clone(), inner))
                .or_default()
                .push((place, rows.key.clone()));
        }
    }
    let mut renamed: HashMap<Arc<str>, Arc<str>> = HashMap::new();
    for lists in kinds.into_values() {
        let mut kept: Vec<(PlaceId, Arc<str>)> = Vec::new();
        for (place, key) in lists {
            match kept.iter().find(|(other, _)| is_one_list(guide, *other, place)) {
                Some((_, to)) => {
                    for own in fields.iter().filter(|info| info.list_path.contains(&key)) {
                        if let Some(rest) = own.key.strip_prefix(&*key) {
                            renamed.insert(own.key.clone(), format!("{to}{rest}").into());
                        }
                    }
                    renamed.insert(key, to.clone());
                }
                None => kept.push((place, key)),
            }
        }
    }
    rename(roles, fields, &renamed);
}

/// What the rows of a list say, by how the keys go on from that of the list.
fn says(fields: &[FieldInfo], list: &Arc<str>) -> BTreeSet<String> {
    let inner = fields.iter().filter(|info| info.list_path.contains(list));
    inner
        .map(|info| info.key.strip_prefix(&**list).unwrap_or(&info.key).to_owned())
        .collect()
}

/// Whether rows of one kind stand in wrappers that have no name.
fn is_one_list(guide: &Guide, one: PlaceId, other: PlaceId) -> bool {
    let Some((holder, _, _)) = branches(guide, one, other) else {
        return false;
    };
    let is_plain = |place: PlaceId| {
        let own = &guide.places[place];
        matches!(own.kind, StepKind::Group | StepKind::List | StepKind::Item) && !own.text.contains(['.', '#'])
    };
    let wrappers = |place: PlaceId| {
        std::iter::successors(Some(guide.places[place].parent), |&at| Some(guide.places[at].parent))
            .take_while(move |&at| at != holder)
    };
    let (own, its) = (&guide.places[one], &guide.places[other]);
    own.kind == its.kind
        && own.kind != StepKind::Row
        && own.text == its.text
        && wrappers(one).chain(wrappers(other)).all(is_plain)
}

/// Puts other keys in the place of some.
fn rename(roles: &mut [Role], fields: &mut Vec<FieldInfo>, renamed: &HashMap<Arc<str>, Arc<str>>) {
    if renamed.is_empty() {
        return;
    }
    let put = |key: &mut Arc<str>| {
        if let Some(to) = renamed.get(key) {
            *key = to.clone();
        }
    };
    for role in roles {
        match role {
            Role::Skip => {}
            Role::Open(whole) => whole.iter_mut().for_each(put),
            Role::Field(field) | Role::Prose(field) => field.keys_mut().for_each(put),
            Role::Rows(rows) => {
                put(&mut rows.key);
                rows.of_text.iter_mut().for_each(put);
                rows.own.keys_mut().for_each(put);
            }
        }
    }
    // What is known of a key that goes on under another one is known of that.
    fields.retain(|info| !renamed.contains_key(&info.key) || renamed[&info.key] == info.key);
    for info in fields.iter_mut() {
        info.list_path.iter_mut().for_each(put);
        info.beside.iter_mut().for_each(put);
    }
}
