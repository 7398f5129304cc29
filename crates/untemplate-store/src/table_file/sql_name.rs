//! Names as SQL has them.

/// Names that begin so are ours, or SQLite's own.
const TAKEN: [&str; 2] = ["sqlite_", "_untemplate_"];

/// The name that a table has in a database.
pub(crate) fn table_name(name: &str) -> String {
    let is_taken = TAKEN.iter().any(|prefix| {
        let head = name.get(..prefix.len());
        head.is_some_and(|head| head.eq_ignore_ascii_case(prefix))
    });
    if is_taken || name.is_empty() {
        format!("table_{name}")
    } else {
        name.replace('\0', "")
    }
}

/// A name as SQL quotes it, whatever a page calls it.
pub(crate) fn quoted(name: &str) -> String {
    format!("\"{}\"", name.replace('"', "\"\"").replace('\0', ""))
}
