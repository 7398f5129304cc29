//! Stage 6, `teach`: examples and answers to rules.
//!
//! In: pages, a few examples of what is wanted, answers to questions. Out: fields that read it on every page of the class ([`TaughtField`]).
//! They and the ways between pages are a [`Specification`], which [`run_specification`] follows through a site.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate::rule::{ExtractionRule, TextIndex};
//! use untemplate::teach::{TaughtField, TaughtRule};
//! let url = "http://shop.example/".parse().expect("a good address");
//! let page = Page::read(&Response::html(url, "<table><tr><th>Price<td>$ 9"), &ParseOptions::default());
//! let rule = ExtractionRule::labeled("Price", "../../td[1]/text()[1]").expect("a good path");
//! let field = TaughtField { name: "price".into(), is_optional: false, rules: vec![TaughtRule { rule, weight: 1.0 }] };
//! let read = field.read(&page, &TextIndex::of(&page.dom));
//! assert_eq!(read.values[0].text, "$ 9");
//! ```

mod form;
mod run;
mod specification;
mod taught_field;
mod taught_record;
mod verification;

pub use form::{
    Control, ControlKind, Form, FormError, FormPlan, ProductOptions, Variation, choose_product, may_change,
    result_signature,
};
pub use run::{
    Arrival, ClassReport, Fate, FieldReport, Instance, Plan, PlanNode, RequestReport, RunError, RunEvent, RunOptions,
    RunReport, run_specification,
};
pub use specification::{
    FieldChoice, FormRule, NavigationalPath, RequestClass, RequestMeans, Specification, SpecificationError,
    TaughtClass, Values, rule_class, show_specification,
};
pub use taught_field::{FieldReading, TaughtField, TaughtRule};
pub use taught_record::{SpecifiedRecord, TaughtRecord, extract_by_specification};
pub use verification::{Subject, Verification, VerifiedItem};
