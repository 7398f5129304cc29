//! Lists of one page, as the paper finds them: Álvarez, Pan, Raposo, Bellas, Cacheda, "Extracting
//! lists of data records from semi-structured web pages", 2007.
//!
//! The region with the most pairs of texts of one path below it, its children clustered by edit
//! similarity, the 1 + 2k divisions that the clusters give, the most alike of them, and a
//! center-star alignment of its records. The product's
//! [`find_records`](untemplate::record::find_records) judges regions and divisions together
//! instead; `eval/README.md` has the figures of both.

mod alignment;
mod cluster;
mod data_region;
mod edit_similarity;
mod field_text;
mod find;
mod record_list;

pub use find::find_records;

#[cfg(test)]
mod golden_tests;
#[cfg(test)]
mod page_tests;
#[cfg(test)]
mod property_tests;
