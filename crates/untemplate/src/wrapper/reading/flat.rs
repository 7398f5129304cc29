//! Lists inside lists: what their rows say of the row around them.
//!
//! A list whose rows have a heading alone and one list inside becomes that list. Where rows have
//! more than that, they stay rows, and rows of the lists inside them say what they are called: a
//! person who looks at the steps of a recipe wants to see which recipe.

use std::collections::HashSet;
use std::sync::Arc;

use super::guide::{Guide, PlaceId};
use super::schema::{Field, FieldInfo, Role};
use super::step::StepKind;

/// Marks lists whose rows have a heading alone and one list inside: rows of the inner list say the
/// heading themselves.
pub(super) fn flatten(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
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
                // A heading of several facts is a row.
                Role::Field(field) if is_heading(guide, next) && field.template.is_none() => n_headings += 1,
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

fn is_heading(guide: &Guide, place: PlaceId) -> bool {
    matches!(guide.places[place].kind, StepKind::Heading | StepKind::Label)
}

/// Makes rows of lists inside the rows of a list say what the row around them is called.
pub(super) fn carry_names(guide: &Guide, roles: &mut [Role], fields: &mut Vec<FieldInfo>) {
    let rows_keys: HashSet<Arc<str>> = roles
        .iter()
        .filter_map(|role| match role {
            Role::Rows(rows) => Some(rows.key.clone()),
            _ => None,
        })
        .collect();
    for place in 0..guide.places.len() {
        let key = match &roles[place] {
            Role::Rows(rows) if !rows.is_flat => rows.key.clone(),
            _ => continue,
        };
        let Some(name) = heading_inside(guide, roles, place) else {
            continue;
        };
        let Some(mut info) = fields.iter().find(|field| field.key == name).cloned() else {
            continue;
        };
        // Beside the names of the inner rows, the name of the outer row says what it is the name
        // of.
        if let Some(list) = fields.iter().find(|field| field.is_list && field.key == key) {
            info.label = match list.label.is_empty() {
                true => list.context.last().cloned().unwrap_or_default(),
                false => list.label.clone(),
            };
        }
        let lists = fields
            .iter()
            .filter(|field| field.is_list && field.list_path.contains(&key));
        let paths: Vec<Vec<Arc<str>>> = lists
            .filter(|list| rows_keys.contains(&list.key))
            .map(|list| list.list_path.iter().chain([&list.key]).cloned().collect())
            .collect();
        if paths.is_empty() {
            continue;
        }
        fields.extend(paths.into_iter().map(|list_path| FieldInfo {
            list_path,
            ..info.clone()
        }));
        if let Role::Rows(rows) = &mut roles[place] {
            rows.carried = Some(name);
        }
    }
}

/// The key of what the rows of a list are called: the text of the one heading of a row, or its
/// first slot.
fn heading_inside(guide: &Guide, roles: &[Role], place: PlaceId) -> Option<Arc<str>> {
    let mut found = None;
    let mut waiting: Vec<PlaceId> = guide.places[place].children.clone();
    while let Some(next) = waiting.pop() {
        match &roles[next] {
            Role::Open(_) => waiting.extend(&guide.places[next].children),
            Role::Field(field) if is_heading(guide, next) => {
                let slot = field.template.as_ref().and_then(|(_, slots)| slots.first());
                let own = slot.or(field.text.as_ref())?;
                if found.replace(own.clone()).is_some() {
                    return None;
                }
            }
            _ => {}
        }
    }
    found
}

/// Says of fields of a list that became flat that they are fields of the list inside it.
fn move_up(fields: &mut Vec<FieldInfo>, outer: &Arc<str>, inner: &Arc<str>) {
    // The list that is left is called what either is called.
    let label = fields
        .iter()
        .find(|field| field.is_list && field.key == *outer)
        .map(|list| list.label.clone());
    if let Some(list) = fields
        .iter_mut()
        .find(|field| field.is_list && field.key == *inner && field.label.is_empty())
    {
        list.label = label.unwrap_or_default();
    }
    fields.retain(|field| field.key != *outer || !field.is_list);
    for field in fields.iter_mut() {
        let Some(at) = field.list_path.iter().position(|key| key == outer) else {
            continue;
        };
        if field.list_path.get(at + 1).is_none() && !(field.is_list && field.key == *inner) {
            field.list_path[at] = inner.clone();
        } else {
            field.list_path.remove(at);
        }
    }
}
