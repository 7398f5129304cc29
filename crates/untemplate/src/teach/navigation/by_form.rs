//! Navigation by a form: which form is meant, and a few of its submissions.

use super::super::form::{Form, FormPlan, may_change};
use super::super::sample::SamplePage;
use super::super::specification::{FieldChoice, FormRule, RequestClass, RequestMeans, method_text};
use super::form_choice::{fields_of, find_form, submissions};
use super::shown::NavigationError;
use super::tour::{Tour, wrong};
use crate::page::{Page, links};

impl Tour<'_> {
    /// Learns the request class of a form that was shown by its fields.
    pub(super) fn learn_form(
        &mut self,
        index: usize,
        from: &str,
        pages: &[SamplePage],
        (path, choices): (Option<&str>, &[FieldChoice]),
    ) -> Result<RequestClass, NavigationError> {
        let with_form = pages
            .iter()
            .find_map(|page| Some((page, find_form(&page.page, path, choices)?)));
        let Some((page, (path, form))) = with_form else {
            let has: Vec<String> = pages.iter().take(1).flat_map(|page| fields_of(&page.page)).collect();
            let what = format!(
                "no form of {} has these fields; it has forms with {has:?}",
                pages[0].name
            );
            return Err(wrong(index, "form", what));
        };
        let rule = FormRule {
            path,
            choices: choices.to_vec(),
        };
        let Form { method, .. } = form;
        let plan = FormPlan::new(&page.page, &rule, method).map_err(|error| wrong(index, "form", error.to_string()))?;
        let (id, to) = (self.ids[index].clone(), self.shown.navigation[index].to.clone());
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
    fn send_some(&mut self, to: &str, plan: &FormPlan, page: &Page) -> Result<(), NavigationError> {
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
        self.add_alike(to, &requests, &[model], &[page])
    }
}
