//! Parquet files as other people's readers see them: pyarrow and DuckDB, from the Python that
//! `UNTEMPLATE_PYTHON` names.

use std::process::Command;

use expect_test::{Expect, expect};
use untemplate::table::{ColumnKind, Database};

use super::tests::{column, row, table};
use super::{TableFolder, TableFormat};

/// Prints types and rows.
const PYARROW: &str = "
import pyarrow.parquet, sys
table = pyarrow.parquet.read_table(sys.argv[1])
print('; '.join(f'{field.name} {field.type}' for field in table.schema))
for row in table.to_pylist()[:3]: print(list(row.values()))
print(table.num_rows, 'rows in', pyarrow.parquet.ParquetFile(sys.argv[1]).num_row_groups, 'groups')
";
const DUCKDB: &str = "
import duckdb, sys
table = duckdb.read_parquet(sys.argv[1])
print('; '.join(f'{name} {kind}' for name, kind in zip(table.columns, table.types)))
for row in table.limit(3).fetchall(): print(list(row))
print(duckdb.sql(f\"SELECT count(*), count(born), sum(goals), count(DISTINCT name) FROM '{sys.argv[1]}'\").fetchall())
";

fn check(script: &str, file: &std::path::Path, expected: Expect) {
    let Some(python) = std::env::var_os("UNTEMPLATE_PYTHON") else {
        eprintln!("skipped: no Python with pyarrow and duckdb (./check makes one, UNTEMPLATE_PYTHON names it)");
        return;
    };
    let told = Command::new(python)
        .args(["-c", script])
        .arg(file)
        .output()
        .expect("Python runs");
    assert!(told.status.success(), "{}", String::from_utf8_lossy(&told.stderr));
    expected.assert_eq(&String::from_utf8_lossy(&told.stdout));
}

#[test]
fn other_readers_see_types_and_values() {
    let columns = vec![
        column("name", ColumnKind::Text),
        column("goals", ColumnKind::Integer),
        column("mean", ColumnKind::Decimal),
        column("born", ColumnKind::Date),
        column("seen", ColumnKind::DateTime),
        column("kick_off", ColumnKind::Time),
        column("is_captain", ColumnKind::Boolean),
        column("page", ColumnKind::Url),
    ];
    let folder = tempfile::tempdir().expect("a folder");
    let database = Database {
        tables: vec![table("player", columns)],
    };
    let mut files = TableFolder::create(folder.path(), &database, &[TableFormat::Parquet]).expect("a folder");
    for number in 0..60_000 {
        let goals = number.to_string();
        let captain = if number % 3 == 0 { "true" } else { "false" };
        let ada = [
            Some("Adä \u{1F600}"),
            Some(&goals),
            Some("0.50"),
            Some("1984-02-29"),
            Some("2004-06-25T18:00:00+02:00"),
            Some("18:00:30"),
            Some(captain),
            Some("http://a/"),
        ];
        let values = if number == 1 { [None; 8] } else { ada };
        files.push(0, &row(values)).expect("a row");
    }
    let file = files.finish().expect("a file").remove(0);
    check(
        PYARROW,
        &file,
        expect![[r#"
        name string; goals int64; mean double; born date32[day]; seen timestamp[us]; kick_off time64[us]; is_captain bool; page string
        ['Adä 😀', 0, 0.5, datetime.date(1984, 2, 29), datetime.datetime(2004, 6, 25, 18, 0), datetime.time(18, 0, 30), True, 'http://a/']
        [None, None, None, None, None, None, None, None]
        ['Adä 😀', 2, 0.5, datetime.date(1984, 2, 29), datetime.datetime(2004, 6, 25, 18, 0), datetime.time(18, 0, 30), False, 'http://a/']
        60000 rows in 2 groups
    "#]],
    );
    check(
        DUCKDB,
        &file,
        expect![[r#"
            name VARCHAR; goals BIGINT; mean DOUBLE; born DATE; seen TIMESTAMP; kick_off TIME; is_captain BOOLEAN; page VARCHAR
            ['Adä 😀', 0, 0.5, datetime.date(1984, 2, 29), datetime.datetime(2004, 6, 25, 18, 0), datetime.time(18, 0, 30), True, 'http://a/']
            [None, None, None, None, None, None, None, None]
            ['Adä 😀', 2, 0.5, datetime.date(1984, 2, 29), datetime.datetime(2004, 6, 25, 18, 0), datetime.time(18, 0, 30), False, 'http://a/']
            [(60000, 59999, 1799969999, 1)]
        "#]],
    );
}
