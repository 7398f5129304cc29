//! Submissions: the requests that a filled-in form makes.
//!
//! A [`FormPlan`] holds what is sent whatever happens, and the fields that vary with their values;
//! the submissions are the product of those, numbered as an odometer counts: the last field turns
//! fastest. None is kept: the request of a number is made when it is asked for.

use std::borrow::Cow;

use encoding_rs::Encoding;
use url::form_urlencoded;

use super::super::specification::{FieldChoice, FormRule, Values, method_text};
use super::control::{ControlKind, Form};
use crate::page::{Method, NodeId, Page, Request, normalise};
use crate::rule::select;

/// A form with what it is to be given.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct FormPlan {
    /// The form.
    pub form: Form,
    /// What is sent, in document order: constants, or the number of a variation.
    sent: Vec<(String, Sent)>,
    /// The fields that vary.
    pub variations: Vec<Variation>,
}

/// A field that is sent with each of several values.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Variation {
    /// Its name.
    pub name: String,
    /// Its values.
    pub values: Vec<String>,
    /// What it is sent with where it does not vary.
    pub default: Option<String>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum Sent {
    Constant(String),
    Varying(usize),
}

/// Why a form cannot be sent as it was taught.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub enum FormError {
    /// It is gone.
    #[error("there is no form at {path}")]
    Missing {
        /// Where it should be.
        path: String,
    },
    /// It is sent in another way than before.
    #[error("the form at {path} is sent by {found}, and was taught as {taught}")]
    Method {
        /// Where it is.
        path: String,
        /// How it is sent.
        found: &'static str,
        /// How it was sent.
        taught: &'static str,
    },
    /// It is sent in an encoding that is not spoken here.
    #[error("the form at {path} is not sent as names and values (application/x-www-form-urlencoded)")]
    Encoding {
        /// Where it is.
        path: String,
    },
    /// It has no such field, or one that offers nothing.
    #[error("the form at {path} has no field {name:?} that offers values")]
    Field {
        /// Where the form is.
        path: String,
        /// The field.
        name: String,
    },
}

impl FormPlan {
    /// Fills the form of a page in as a rule says.
    pub fn new(page: &Page, rule: &FormRule, method: Method) -> Result<Self, FormError> {
        let path = || rule.path.to_string();
        let found = select(&rule.path, &page.dom, NodeId::DOCUMENT);
        let form = found.first().and_then(|selected| Form::read(page, selected.node));
        let form = form.ok_or_else(|| FormError::Missing { path: path() })?;
        if form.method != method {
            let (found, taught) = (method_text(form.method), method_text(method));
            return Err(FormError::Method {
                path: path(),
                found,
                taught,
            });
        }
        if !form.is_urlencoded {
            return Err(FormError::Encoding { path: path() });
        }
        let mut plan = Self {
            form,
            sent: Vec::new(),
            variations: Vec::new(),
        };
        plan.fill(&rule.choices)
            .map_err(|name| FormError::Field { path: path(), name })?;
        Ok(plan)
    }

    /// Takes the form's own values, but for the fields that are given others; fields that the form
    /// does not have come last.
    fn fill(&mut self, choices: &[FieldChoice]) -> Result<(), String> {
        let mut given: Vec<&str> = Vec::new();
        let mut has_submit = false;
        let controls = self.form.controls.clone();
        for control in controls.iter().filter(|control| !control.name.is_empty()) {
            match choices.iter().find(|choice| choice.name == control.name) {
                Some(choice) if !given.contains(&choice.name.as_str()) => {
                    given.push(&choice.name);
                    self.give(choice)?;
                }
                Some(_) => {}
                // Only the first button is pressed.
                None if control.kind == ControlKind::Submit && std::mem::replace(&mut has_submit, true) => {}
                None if control.name == "_charset_" && control.kind == ControlKind::Hidden => {
                    let encoding = self.form.encoding.to_owned();
                    self.sent.push((control.name.clone(), Sent::Constant(encoding)));
                }
                None => {
                    let constants = control.defaults.iter().cloned().map(Sent::Constant);
                    self.sent.extend(constants.map(|value| (control.name.clone(), value)));
                }
            }
        }
        let others = choices.iter().filter(|choice| !given.contains(&choice.name.as_str()));
        others.into_iter().try_for_each(|choice| self.give(choice))
    }

    fn give(&mut self, choice: &FieldChoice) -> Result<(), String> {
        let values = match &choice.values {
            Values::Omitted => return Ok(()),
            Values::Constant(value) => {
                self.sent.push((choice.name.clone(), Sent::Constant(value.clone())));
                return Ok(());
            }
            Values::Listed(values) => values.clone(),
            Values::Options => {
                let mut options = self.form.options(&choice.name);
                options.retain(|value| !value.is_empty());
                options
            }
        };
        if values.is_empty() {
            return Err(choice.name.clone());
        }
        let default = self
            .form
            .named(&choice.name)
            .flat_map(|control| &control.defaults)
            .next()
            .cloned();
        self.sent
            .push((choice.name.clone(), Sent::Varying(self.variations.len())));
        self.variations.push(Variation {
            name: choice.name.clone(),
            values,
            default,
        });
        Ok(())
    }

    /// How many submissions there are when these fields vary, and the others stay as the page has
    /// them.
    pub fn size(&self, varying: &[usize]) -> usize {
        let sizes = varying.iter().map(|&index| self.variations[index].values.len());
        sizes.fold(1, usize::saturating_mul)
    }

    /// The submission of a number below [`FormPlan::size`].
    pub fn request(&self, varying: &[usize], number: usize) -> Request {
        let mut digits = vec![None; self.variations.len()];
        let mut rest = number;
        for &index in varying.iter().rev() {
            let n_values = self.variations[index].values.len();
            digits[index] = Some(rest % n_values);
            rest /= n_values;
        }
        let mut pairs: Vec<(&str, &str)> = Vec::new();
        for (name, sent) in &self.sent {
            let value = match sent {
                Sent::Constant(value) => Some(value.as_str()),
                Sent::Varying(index) => {
                    let variation = &self.variations[*index];
                    let chosen = digits[*index].map(|digit| variation.values[digit].as_str());
                    chosen.or(variation.default.as_deref())
                }
            };
            pairs.extend(value.map(|value| (name.as_str(), value)));
        }
        self.submit(&pairs)
    }

    fn submit(&self, pairs: &[(&str, &str)]) -> Request {
        let encoding = Encoding::for_label(self.form.encoding.as_bytes()).unwrap_or(encoding_rs::UTF_8);
        let encode: &dyn Fn(&str) -> Cow<'_, [u8]> = &|text| encoding.encode(text).0;
        let mut body = form_urlencoded::Serializer::new(String::new());
        body.encoding_override(Some(encode));
        for (name, value) in pairs {
            // Lines end as on the wire, whatever the page has.
            let value = value.replace("\r\n", "\n").replace(['\r', '\n'], "\r\n");
            body.append_pair(name, &value);
        }
        let body = body.finish();
        let mut url = self.form.action.clone();
        match self.form.method {
            Method::Get => {
                url.set_query(Some(&body));
                Request::get(normalise(url))
            }
            Method::Post => Request {
                method: Method::Post,
                url,
                body: body.into_bytes(),
            },
        }
    }
}
