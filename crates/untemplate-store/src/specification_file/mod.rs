//! Specification files: what was taught about a site, as XML that a person can read and change.
//!
//! `docs/specification.md` describes the format and has its schema. Files have a version; one that
//! a newer program wrote is refused, and so is whatever the schema does not know, since a misspelt
//! word would otherwise be silently without effect. No entity but XML's own five is known, and a
//! document type is refused; size and depth are capped.
//!
//! ```
//! use untemplate_store::{parse_specification, specification_text};
//! let text = r#"<codec version="1"><page-class id="ITEM"/><wrapper page-class="ITEM"><field name="price">
//!     <rule class="LABELED"><pivot>Price</pivot><xpath>../../td[1]/text()</xpath></rule></field></wrapper></codec>"#;
//! let specification = parse_specification(text)?;
//! assert_eq!(specification.classes[0].fields[0].name, "price");
//! assert_eq!(parse_specification(&specification_text(&specification))?, specification);
//! # Ok::<(), untemplate_store::SpecificationTextError>(())
//! ```

mod element;
mod evidence;
mod read;
mod read_rows;
mod read_rule;
mod write;

pub use element::SpecificationTextError;
pub use read::{SpecificationFileError, parse_specification, read_specification};
pub use write::specification_text;

#[cfg(test)]
mod tests;
