//! Rows on their way into files: the values of each column, mostly none or one.

use std::borrow::Cow;

/// A row: for each column its values.
pub(crate) type Row<'a> = &'a [&'a [String]];

/// The values of a cell as one text, a value a line; `None` when there are none.
pub(crate) fn joined(values: &[String]) -> Option<Cow<'_, str>> {
    match values {
        [] => None,
        [only] => Some(Cow::Borrowed(only)),
        several => Some(Cow::Owned(several.join("\n"))),
    }
}
