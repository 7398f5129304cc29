//! Revisions: a model made anew keeps the numbers and names that the old one gave.
//!
//! In: a new model and the stored one it goes on from. Out: the new model, its classes in the old
//! order where they share pages, new ones after them. Whoever wrote down a class number keeps it.

use super::naming::make_names_differ;
use super::site_model::SiteModel;

/// Gives the classes of `model` the numbers and names of those of `old` whose pages they have.
pub fn keep_numbers(model: SiteModel, old: &SiteModel) -> SiteModel {
    let n_classes = model.classes.len();
    let mut overlaps: Vec<(usize, usize, usize)> = Vec::new();
    for (old_number, old_class) in old.classes.iter().enumerate() {
        for (number, class) in model.classes.iter().enumerate() {
            let shared = class.pages.iter().filter(|page| old_class.pages.contains(page)).count();
            if shared > 0 {
                overlaps.push((shared, old_number, number));
            }
        }
    }
    overlaps.sort_by_key(|&(shared, old_number, number)| (std::cmp::Reverse(shared), old_number, number));
    let mut kept: Vec<Option<usize>> = vec![None; n_classes];
    let mut is_taken = vec![false; old.classes.len()];
    for (_, old_number, number) in overlaps {
        if kept[number].is_none() && !is_taken[old_number] {
            kept[number] = Some(old_number);
            is_taken[old_number] = true;
        }
    }
    let mut order: Vec<usize> = (0..n_classes).collect();
    order.sort_by_key(|&number| (kept[number].is_none(), kept[number], number));
    let mut revised = renumbered(model, &order);
    for (place, &number) in order.iter().enumerate() {
        if let Some(old_number) = kept[number] {
            revised.classes[place].name.clone_from(&old.classes[old_number].name);
        }
    }
    make_names_differ(revised.classes.iter_mut().map(|class| &mut class.name));
    revised
}

/// The model with its classes in this order.
fn renumbered(mut model: SiteModel, order: &[usize]) -> SiteModel {
    let mut place = vec![0; order.len()];
    for (new, &old) in order.iter().enumerate() {
        place[old] = new;
    }
    model.classes = order.iter().map(|&number| model.classes[number].clone()).collect();
    for link in &mut model.links {
        (link.from, link.to) = (place[link.from], place[link.to]);
    }
    model.links.sort();
    for sign in model.signs.iter_mut().flatten() {
        for (class, _) in &mut sign.classes {
            *class = place[*class as usize] as u32;
        }
        sign.classes.sort_by_key(|(class, _)| *class);
    }
    for outcome in &mut model.shape_outcomes {
        for (class, _) in &mut outcome.classes {
            *class = place[*class];
        }
        outcome.classes.sort_unstable();
    }
    model
}
