//! The database of an earlier run: whether it is one, and how much it holds.

use std::path::Path;

use rusqlite::{Connection, OpenFlags};

use super::format::TableFileError;

/// How many rows the database of an earlier run has; an error when the file is something else,
/// which is never replaced.
pub fn count_rows(file: &Path) -> Result<usize, TableFileError> {
    let count = || {
        let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY)?;
        let sql = "SELECT coalesce(sum(n_rows), 0) FROM _untemplate_tables";
        connection.query_row(sql, [], |row| row.get::<_, i64>(0))
    };
    let foreign = |source| TableFileError::Foreign {
        path: file.to_owned(),
        source,
    };
    Ok(usize::try_from(count().map_err(foreign)?).unwrap_or(0))
}

/// Where the job began that wrote a database; `None` where it does not say.
pub fn entry_of(file: &Path) -> Option<String> {
    let connection = Connection::open_with_flags(file, OpenFlags::SQLITE_OPEN_READ_ONLY).ok()?;
    let entry = connection.query_row("SELECT entry FROM _untemplate_job", [], |row| row.get(0));
    entry.ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_no_database_of_ours_is_said() {
        let folder = tempfile::tempdir().expect("a folder");
        let check = |file: &Path| {
            let error = count_rows(file).expect_err("it is not ours").to_string();
            assert!(error.contains("was not made by this program"), "{error}");
        };
        let broken = folder.path().join("broken.sqlite");
        std::fs::write(&broken, "no database").expect("it is written");
        check(&broken);
        let foreign = folder.path().join("foreign.sqlite");
        let connection = Connection::open(&foreign).expect("a database");
        connection.execute_batch("CREATE TABLE mine (x)").expect("a table");
        check(&foreign);
    }
}
