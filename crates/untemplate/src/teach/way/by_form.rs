//! Ways by a form: which form is meant, and a few of its submissions.

use super::super::form::{FormPlan, may_change};
use super::super::sample::SamplePage;
use super::super::specification::{FormRule, RequestClass, RequestMeans, method_text};
use super::form_choice::{fields_of, form_with, path_to, submissions};
use super::shown::{ShownMeans, WayError};
use super::tour::{Tour, wrong};
use crate::page::{Page, links};

impl Tour<'_> {
    /// Learns the request class of a form that was shown by its fields.
    pub(super) fn learn_form(
        &mut self,
        way: usize,
        from: &str,
        pages: &[SamplePage],
    ) -> Result<RequestClass, WayError> {
        let ShownMeans::Form(choices) = &self.shown.ways[way].means else {
            unreachable!("it was a form before");
        };
        let with_form = pages
            .iter()
            .find_map(|page| Some((page, form_with(&page.page, choices)?)));
        let Some((page, form)) = with_form else {
            let has: Vec<String> = pages.iter().take(1).flat_map(|page| fields_of(&page.page)).collect();
            let what = format!(
                "no form of {} has these fields; it has forms with {has:?}",
                pages[0].name
            );
            return Err(wrong(way, "form", what));
        };
        let path = path_to(&page.page.dom, form.node).expect("a form stands on its page");
        let rule = FormRule {
            path,
            choices: choices.clone(),
        };
        let method = form.method;
        let plan = FormPlan::new(&page.page, &rule, method).map_err(|error| wrong(way, "form", error.to_string()))?;
        let (id, to) = (self.ids[way].clone(), self.shown.ways[way].to.clone());
        match may_change(&plan.form).filter(|_| !self.options.send.contains(&id)) {
            Some(reason) => self.lose(format!(
                "{id}: its form is sent by {} and may change something on the site: {reason}; it was not tried, name it with --send to do so",
                method_text(method)
            )),
            None if !self.is_inside(&plan.form.action) => {
                self.lose(format!("{id}: its form leads to another site, {}; it was not tried", plan.form.action));
            }
            None => self.send_some(&to, &plan, &page.page)?,
        }
        Ok(RequestClass {
            id,
            from: from.to_owned(),
            to,
            method,
            means: RequestMeans::Form(rule),
        })
    }

    /// Sends a form a few times; the first answer says what the others are like.
    fn send_some(&mut self, to: &str, plan: &FormPlan, page: &Page) -> Result<(), WayError> {
        let requests = submissions(plan, self.options.sample_min);
        let visited = self.visit(&requests)?;
        let richest = visited.into_iter().flatten().max_by_key(|answer| links(answer).len());
        let Some(model) = richest else {
            self.lose(format!(
                "{}: none of the submissions that were tried led to a page",
                plan.form.action
            ));
            return Ok(());
        };
        self.add_kin(to, &requests, &[model], &[page])
    }
}
