//! Repair: a specification whose site has changed is learnt again from what it once read.
//!
//! In: a specification, old pages that it reads, and new pages. Out: a [`Repair`]: the
//! specification with what could be mended, and what became of each field. The values of old pages
//! are looked for on the new pages about the same things (`crate::wrapper` pairs them, by address
//! or by key): where they stand, rules are learnt anew, from one half of the pairs, and must read
//! the other half. Of fields without pairs the labels that old rules started from decide, and the
//! values must look as they did. What passes neither is left without rules, so that it is empty
//! with a [`Problem`](crate::page::Problem) from then on: never a guess.

mod class;
mod field;
mod outcome;

pub use class::repair_specification;
pub use outcome::{AssertionRepair, FieldRepair, Repair, RepairOutcome};

#[cfg(test)]
mod tests;
