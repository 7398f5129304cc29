//! The order of tables in a report: those that a reader looks for first, with the tables of the
//! lists on their pages folded under them, and those that are folded away as a whole.

use std::cmp::Reverse;

use super::page::ReportPage;

/// Tables that a report shows open; those behind them are folded, each under its name. A reader
/// looks at a few tables, and a page of two hundred is none that a browser scrolls through.
pub(super) const OPEN_MAX: usize = 12;

/// A table with a row a page, and those of the lists on these pages, the largest first.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableFamily {
    /// The table, by its number in the schema.
    pub table: usize,
    /// Tables of lists on its pages.
    pub lists: Vec<usize>,
}

/// The tables of a report by their numbers in the schema, each in one of the two.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct TableOrder {
    /// Tables of classes of several pages, the largest first.
    pub main: Vec<TableFamily>,
    /// What pages that stand alone have, and empty tables.
    pub small: Vec<TableFamily>,
}

impl TableOrder {
    /// The tables that references are drawn between at first: the main ones, and those lists that
    /// lead to other tables than their own pages.
    pub fn drawn(&self, report: &ReportPage) -> Vec<usize> {
        let heads: Vec<usize> = self.main.iter().map(|family| family.table).collect();
        let mut drawn = Vec::new();
        for family in &self.main {
            let leads = |&list: &usize| {
                let references = report.database.tables[list].foreign_keys.iter();
                let mut targets = references.map(|reference| reference.table);
                targets.any(|to| to != family.table && heads.contains(&to))
            };
            drawn.push(family.table);
            drawn.extend(family.lists.iter().copied().filter(leads));
        }
        drawn
    }

    /// All tables.
    pub fn all(&self) -> Vec<usize> {
        let families = self.main.iter().chain(&self.small);
        let all = families.flat_map(|family| std::iter::once(family.table).chain(family.lists.iter().copied()));
        all.collect()
    }
}

/// Puts the tables of a report in order. Where all would be folded away, none is.
pub(super) fn table_order(report: &ReportPage) -> TableOrder {
    let (mut small, mut main): (Vec<TableFamily>, Vec<TableFamily>) = families(report)
        .into_iter()
        .partition(|family| is_small(report, family));
    if main.is_empty() {
        std::mem::swap(&mut main, &mut small);
    }
    TableOrder { main, small }
}

/// The tables by the pages that they were read from.
fn families(report: &ReportPage) -> Vec<TableFamily> {
    let tables = &report.database.tables;
    let n_tables = tables.len().min(report.tables.len());
    let n_rows = |index: usize| report.tables[index].n_rows;
    let mut families: Vec<TableFamily> = Vec::new();
    // Tables with a row a page come first, so that a list finds its own.
    let (heads, lists): (Vec<usize>, Vec<usize>) = (0..n_tables).partition(|&index| tables[index].list_path.is_empty());
    for table in heads {
        families.push(TableFamily {
            table,
            lists: Vec::new(),
        });
    }
    for list in lists {
        let class = tables[list].page_class;
        match families
            .iter_mut()
            .find(|family| tables[family.table].page_class == class)
        {
            Some(family) => family.lists.push(list),
            // Pages of which nothing is kept but their lists.
            None => families.push(TableFamily {
                table: list,
                lists: Vec::new(),
            }),
        }
    }
    for family in &mut families {
        family.lists.sort_by_key(|&list| (Reverse(n_rows(list)), list));
    }
    families.sort_by_key(|family| (Reverse(n_rows(family.table)), family.table));
    families
}

fn is_small(report: &ReportPage, family: &TableFamily) -> bool {
    let class = report.classes.get(report.database.tables[family.table].page_class);
    let stands_alone = class.is_some_and(|class| class.pages_read + class.pages_unread <= 1);
    stands_alone || report.tables[family.table].n_rows == 0
}
