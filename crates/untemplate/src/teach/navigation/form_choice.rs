//! Which form is meant, and how it is found again.

use super::super::form::{Form, FormPlan};
use super::super::route::steps_down;
use super::super::specification::FieldChoice;
use crate::page::{Dom, Name, NodeId, Page, Request};
use crate::rule::{Axis, LocationPath, NodeTest, Predicate, Selected, Step, select};

/// Attributes that tell a form from others, the most telling first.
const TELLING: [Name; 4] = [Name::ID, Name::NAME, Name::ACTION, Name::CLASS];

/// The form of a page at a path; where no path is given, the first that has all the named fields.
pub(super) fn find_form(page: &Page, path: Option<&str>, choices: &[FieldChoice]) -> Option<(LocationPath, Form)> {
    if let Some(path) = path {
        let path: LocationPath = path.parse().ok()?;
        let node = select(&path, &page.dom, NodeId::DOCUMENT).first()?.node;
        return Some((path, Form::read(page, node)?));
    }
    let mut forms = page.dom.offered_nodes().filter_map(|node| Form::read(page, node));
    let form = forms.find(|form| choices.iter().all(|choice| form.named(&choice.name).next().is_some()))?;
    Some((path_to(&page.dom, form.node)?, form))
}

/// The names of the fields of each form of a page, for people.
pub(super) fn fields_of(page: &Page) -> Vec<String> {
    let forms = page.dom.offered_nodes().filter_map(|node| Form::read(page, node));
    forms
        .map(|form| {
            let names = form.controls.iter().map(|control| control.name.as_str());
            let names: Vec<&str> = names.filter(|name| !name.is_empty()).collect();
            names.join(", ")
        })
        .collect()
}

/// A path to a form: by an attribute that no other form of the page has with that value, else by
/// its position.
fn path_to(dom: &Dom, form: NodeId) -> Option<LocationPath> {
    let by_attribute = |&name: &Name| {
        let value = dom.attribute(form, name).filter(|value| !value.trim().is_empty())?;
        let value = value.split_whitespace().collect::<Vec<&str>>().join(" ");
        let path = LocationPath::absolute(vec![Step {
            axis: Axis::Descendant,
            test: NodeTest::Name("form".into()),
            predicates: vec![Predicate::Attribute(
                dom.names().text(name).into(),
                value.as_str().into(),
            )],
        }]);
        (select(&path, dom, NodeId::DOCUMENT).len() == 1).then_some(path)
    };
    let by_position = || {
        let place = Selected {
            node: form,
            attribute: None,
        };
        steps_down(dom, NodeId::DOCUMENT, place).map(LocationPath::absolute)
    };
    TELLING.iter().find_map(by_attribute).or_else(by_position)
}

/// This many of the submissions of a form, evenly spread.
pub(super) fn submissions(plan: &FormPlan, count: usize) -> Vec<Request> {
    let varying: Vec<usize> = (0..plan.variations.len()).collect();
    let size = plan.size(&varying);
    let count = count.min(size).max(1);
    let number = |index: usize| (index as u128 * size as u128 / count as u128) as usize;
    (0..count).map(|index| plan.request(&varying, number(index))).collect()
}
