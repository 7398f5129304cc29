//! Plain tables for a terminal: columns by their widest cell, numbers to the right.

/// Rows as text, the first one being the heads; a missing cell is empty.
pub fn render(rows: &[Vec<String>]) -> String {
    let n_columns = rows.iter().map(Vec::len).max().unwrap_or(0);
    let width = |column: usize| {
        rows.iter()
            .filter_map(|row| row.get(column))
            .map(|cell| cell.chars().count())
            .max()
    };
    let widths: Vec<usize> = (0..n_columns).map(|column| width(column).unwrap_or(0)).collect();
    let numeric: Vec<bool> = (0..n_columns).map(|column| is_numeric(rows, column)).collect();
    let mut text = String::new();
    for row in rows {
        let cells = row.iter().enumerate().map(|(column, cell)| match numeric[column] {
            true => format!("{cell:>0$}", widths[column]),
            false => format!("{cell:<0$}", widths[column]),
        });
        text.push_str(cells.collect::<Vec<_>>().join("  ").trim_end());
        text.push('\n');
    }
    text
}

/// Does the column hold numbers below its head, and nothing else but blanks and dashes?
fn is_numeric(rows: &[Vec<String>], column: usize) -> bool {
    let mut cells = rows
        .iter()
        .skip(1)
        .filter_map(|row| row.get(column))
        .filter(|cell| !matches!(cell.as_str(), "" | "-"));
    let starts_with_digit = |cell: &String| cell.starts_with(|letter: char| letter.is_ascii_digit());
    cells.clone().next().is_some() && cells.all(starts_with_digit)
}

#[cfg(test)]
mod tests {
    use super::*;
    use expect_test::expect;

    #[test]
    fn numbers_stand_to_the_right() {
        let row = |cells: [&str; 3]| cells.map(str::to_owned).to_vec();
        let rows = [
            row(["step", "seconds", "result"]),
            row(["fmt", "0.4", "passed"]),
            row(["tests", "12.0", "-"]),
        ];
        expect![[r#"
            step   seconds  result
            fmt        0.4  passed
            tests     12.0  -
        "#]]
        .assert_eq(&render(&rows));
    }
}
