//! The order of tables in a report: those that a reader looks for first, and those that are folded
//! away.

use super::page::ReportPage;

/// The least rows of a list's table that stands among the main ones. Lists of fewer rows over all
/// pages of a class are mostly parts of pages that happened to repeat.
const LIST_ROWS_MIN: usize = 5;

/// The tables of a report by their numbers in the schema, each in one of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableOrder {
    /// Tables with a row a page, the largest first; then those of their lists, in the same order of
    /// pages.
    pub main: Vec<usize>,
    /// Small lists, and what pages that stand alone have.
    pub small: Vec<usize>,
}

/// Puts the tables of a report in order. Where all would be folded away, none is.
pub(super) fn table_order(report: &ReportPage) -> TableOrder {
    let n_tables = report.database.tables.len().min(report.tables.len());
    let (mut small, mut main): (Vec<usize>, Vec<usize>) = (0..n_tables).partition(|&index| is_small(report, index));
    if main.is_empty() {
        std::mem::swap(&mut main, &mut small);
    }
    sort(report, &mut main);
    sort(report, &mut small);
    TableOrder { main, small }
}

fn is_small(report: &ReportPage, index: usize) -> bool {
    let table = &report.database.tables[index];
    let n_rows = report.tables[index].n_rows;
    let class = report.classes.get(table.page_class);
    let stands_alone = class.is_some_and(|class| class.pages_read + class.pages_unread <= 1);
    let is_list = !table.list_path.is_empty();
    stands_alone || n_rows == 0 || (is_list && n_rows < LIST_ROWS_MIN)
}

fn sort(report: &ReportPage, tables: &mut [usize]) {
    let n_rows = |index: usize| report.tables[index].n_rows;
    // Lists follow the order of the pages that they stand on.
    let class_rows = |class: usize| {
        let of_class = report.database.tables.iter().zip(&report.tables);
        let of_class = of_class.filter(|(table, _)| table.page_class == class && table.list_path.is_empty());
        of_class.map(|(_, section)| section.n_rows).max().unwrap_or(0)
    };
    tables.sort_by_cached_key(|&index| {
        let table = &report.database.tables[index];
        let of_pages = std::cmp::Reverse(class_rows(table.page_class));
        (
            !table.list_path.is_empty(),
            of_pages,
            table.page_class,
            std::cmp::Reverse(n_rows(index)),
            index,
        )
    });
}
