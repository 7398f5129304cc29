//! Stage 7, `teach`: examples and answers to rules.
//!
//! In: pages, a few examples of what is wanted, answers to questions. Out: fields that read it on
//! every page of the class ([`TaughtField`]), and what such a page must satisfy ([`assertion_of`]).
//! A [`Session`] holds it all, and asks only what it is unsure of. Fields and the navigation
//! between pages are a [`Specification`], which [`run_specification`] follows through a site.
//!
//! ```
//! use untemplate::page::{Page, ParseOptions, Response};
//! use untemplate::rule::{ExtractionRule, TextIndex};
//! use untemplate::teach::{Slot, TaughtField, TaughtRule};
//! let url = "http://shop.example/".parse().expect("a good address");
//! let page = Page::read(&Response::html(url, "<table><tr><th>Price<td>$ 9"), &ParseOptions::default());
//! let rule = ExtractionRule::labeled("Price", "../../td[1]/text()[1]").expect("a good path");
//! let slots = vec![Slot { rules: vec![TaughtRule { rule, weight: 1.0 }] }];
//! let field = TaughtField { name: "price".into(), is_optional: false, share: None, slots, clean_up: Default::default() };
//! let read = field.read(&page, &TextIndex::of(&page.dom));
//! assert_eq!(read.values[0].text, "$ 9");
//! ```

mod assembly;
mod beside;
mod candidate;
mod clean_up;
mod evidence;
mod follow;
mod form;
mod learn;
mod lesson;
mod navigation;
mod occurrence;
mod proposal;
mod repair;
mod route;
mod rows;
mod run;
mod sample;
mod session;
mod specification;
mod spot;
mod taught_field;
mod taught_record;
mod telling;
mod template;
mod tuning;
mod verification;
mod version_space;

pub use beside::label_beside;
pub use clean_up::{CleanUp, FieldKind, ValuePattern};
pub use evidence::FieldEvidence;
pub use follow::{ClickedLink, Following, followings, more_alike};
pub use form::{
    Control, ControlKind, Form, FormError, FormPlan, ProductOptions, Variation, choose_product, may_change,
    result_signature,
};
pub use learn::{LearnError, LearntSite, class_specification, learn, learn_site};
pub use lesson::{Choice, Lesson, LessonAnswer, LessonClass, PresentLesson, Shape, Taught, replay};
pub use navigation::{
    LearnOptions, LinkQuestion, Means, NamedExample, Navigation, NavigationError, Origin, ShownSite, Teacher,
};
pub use proposal::{ProposedValue, propose_fields};
pub use repair::{AssertionRepair, FieldRepair, Repair, RepairOutcome, repair_specification};
pub use rows::{GridColumn, ProposedField, ProposedRows, RowField, RowReading, RowsReading, TaughtRows, propose_rows};
pub use run::{
    Arrival, ClassReport, Fate, FieldReport, Plan, PlanNode, RequestReport, RunError, RunEvent, RunOptions, RunReport,
    run_specification,
};
pub use sample::SamplePage;
pub use session::{Answer, Example, Question, Session, SessionOptions};
pub use specification::{
    FieldChoice, FormRule, NavigationalPath, RequestClass, RequestMeans, Specification, SpecificationError,
    TaughtClass, Values, rule_class, show_path, show_row_field, show_rule, show_specification,
};
pub use spot::{ShownValue, Spot};
pub use taught_field::{FieldReading, Slot, TaughtField, TaughtRule};
pub use taught_record::{SpecifiedRecord, TaughtRecord, extract_by_specification, specified_places};
pub use telling::telling_assertion;
pub use template::assertion_of;
pub use verification::{Subject, Verification, VerifiedItem};

#[cfg(test)]
mod session_tests;
