//! Navigation on a page that is at hand: its request class, with nothing visited and nobody asked.

use super::super::specification::{FormRule, RequestClass, RequestMeans, show_rule};
use super::form_choice::find_form;
use super::shown::{Means, Navigation};
use crate::page::{Method, Page};

/// The request class of a navigation that was taught on this page; `None` where the page has no
/// such links or form.
///
/// A rule that was chosen and is not among those of the page any more gives way to the likeliest.
pub(in crate::teach) fn request_class(navigation: &Navigation, page: &Page) -> Option<RequestClass> {
    let (method, means) = match &navigation.means {
        Means::Links { rule, .. } => {
            let mut found = navigation.followings(page);
            let chosen = |chosen: &String| found.iter().position(|its| show_rule(&its.rule) == *chosen);
            let index = rule.as_ref().and_then(chosen).unwrap_or(0);
            (index < found.len()).then(|| (Method::Get, RequestMeans::Links(vec![found.swap_remove(index).rule])))?
        }
        Means::Form { path, fields } => {
            let (path, form) = find_form(page, path.as_deref(), fields)?;
            let choices = fields.clone();
            (form.method, RequestMeans::Form(FormRule { path, choices }))
        }
    };
    Some(RequestClass {
        id: navigation.id.clone(),
        from: navigation.from_class()?.to_owned(),
        to: navigation.to.clone(),
        method,
        means,
    })
}
