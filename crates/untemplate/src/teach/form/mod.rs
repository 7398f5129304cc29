//! Forms: requests that a page makes of what somebody fills in.
//!
//! [`Form`] is read from a page with what browsers would send of it untouched. A request class
//! fills it in: constants, listed values, or each option that the page offers ([`FormPlan`]). Two
//! things stand between a form and its submissions: forms that may change something on the site are
//! not sent unless somebody named them ([`may_change`]), and a product of options is sent only as
//! far as its results differ ([`choose_product`], after the informative templates of Madhavan et
//! al., "Google's Deep Web Crawl", 2008).

mod change;
mod control;
mod product;
mod read;
mod submission;

pub use change::may_change;
pub use control::{Control, ControlKind, Form};
pub use product::{ProductOptions, choose_product, result_signature};
pub use submission::{FormError, FormPlan, Variation};

#[cfg(test)]
mod property_tests;
#[cfg(test)]
mod tests;
