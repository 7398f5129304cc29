//! Specifications: what a person taught about a site, as values (paper 002 §2 and §5).
//!
//! The intensional level: page classes and the request classes between them. Entry addresses,
//! rules, assertions and wrappers are the constructional elements that make it run.
//! [`Specification::check`] tells whether it makes sense, [`show_specification`] prints it.
//!
//! ```
//! use untemplate::teach::{Specification, TaughtClass, show_specification};
//! let address = "http://cup.example/".parse().expect("a good address");
//! let home = TaughtClass { addresses: vec![address], ..TaughtClass::named("HOME") };
//! let specification = Specification { classes: vec![home], ..Specification::default() };
//! assert_eq!(specification.check(), Ok(()));
//! assert_eq!(show_specification(&specification), "HOME\n  entry http://cup.example/\n");
//! ```

mod check;
mod model;
mod show;

pub use check::SpecificationError;
pub use model::{
    FieldChoice, FormRule, NavigationalPath, RequestClass, RequestMeans, Specification, TaughtClass, Values,
};
pub(super) use show::method_text;
pub use show::{rule_class, show_path, show_row_field, show_rule, show_specification};
