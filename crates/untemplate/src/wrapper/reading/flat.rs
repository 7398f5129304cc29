//! Flat lists: lists whose rows have a heading alone and one list inside become that list.

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
                Role::Field(_) if matches!(guide.places[next].kind, StepKind::Heading | StepKind::Label) => {
                    n_headings += 1
                }
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
