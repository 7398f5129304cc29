//! The paper's pipeline: a page in, its dominant list out.

use std::collections::BTreeMap;

use untemplate::page::{Alphabet, Dom, Name, NodeId, Page, PathId, PathInterner};
use untemplate::record::{
    Column, Field, ItemKind, ListRecord, ListRegion, PageRecords, QueryHint, shape_of, shown_nodes,
};

use super::alignment::center_star;
use super::cluster::cluster;
use super::data_region::{best_region, pair_scores};
use super::field_text::values;
use super::record_list::{RecordList, best_record_list, record_lists};

/// The dominant list of a page, by the paper: one list at most.
pub fn find_records(page: &Page, hint: &QueryHint) -> PageRecords {
    let shown = shown_nodes(&page.dom);
    let paths = PathInterner::new(Alphabet::Tag).paths(&page.dom, &shown);
    let region = region_of(&page.dom, &shown, &paths, hint).and_then(|(region, score)| {
        let source = Source {
            page,
            shown: &shown,
            paths: &paths,
        };
        source.list(region, score)
    });
    PageRecords {
        regions: region.into_iter().collect(),
        problems: Vec::new(),
    }
}

/// The node with the most pairs of texts below it, and their number.
fn region_of(dom: &Dom, shown: &[NodeId], paths: &[PathId], hint: &QueryHint) -> Option<(NodeId, u64)> {
    let texts = || {
        shown
            .iter()
            .zip(paths)
            .filter(|(node, _)| dom.is_text(**node))
            .map(|(&node, path)| (node, path.0))
    };
    let best = |texts: Vec<(NodeId, u32)>| {
        let scores = pair_scores(dom, &texts);
        best_region(dom, &scores).map(|node| (node, scores[&node]))
    };
    let hinted = || best(texts().filter(|(node, _)| hint.is_in(dom.text(*node))).collect());
    hinted().or_else(|| best(texts().collect()))
}

struct Source<'a> {
    page: &'a Page,
    /// The nodes that a reader sees, in document order, and their paths.
    shown: &'a [NodeId],
    paths: &'a [PathId],
}

impl Source<'_> {
    fn list(&self, region: NodeId, score: u64) -> Option<ListRegion> {
        let dom = &self.page.dom;
        let children: Vec<NodeId> = dom
            .children(region)
            .filter(|node| self.shown.binary_search(node).is_ok())
            .collect();
        let strings: Vec<Vec<u32>> = children.iter().map(|&child| self.string(child)).collect();
        let RecordList { records, .. } = best_record_list(record_lists(&strings, &cluster(&strings)))?;
        let records: Vec<Vec<NodeId>> = records.into_iter().map(|record| children[record].to_vec()).collect();
        let (columns, fields) = self.columns(&records);
        Some(ListRegion {
            probability: 1.0,
            node: region,
            score: score as f64,
            signals: None,
            columns,
            records: records
                .into_iter()
                .zip(fields)
                .map(|(nodes, fields)| ListRecord {
                    nodes,
                    fields,
                    parent: None,
                })
                .collect(),
        })
    }

    /// The nodes below a node that are shown, it included.
    fn below(&self, node: NodeId) -> std::ops::Range<usize> {
        let end = self.page.dom.subtree_end(node);
        self.shown.partition_point(|&its| its < node)..self.shown.partition_point(|&its| its < end)
    }

    /// The string of a subtree: a symbol for each node, depth first.
    fn string(&self, node: NodeId) -> Vec<u32> {
        self.paths[self.below(node)].iter().map(|path| path.0).collect()
    }

    /// The columns of texts, links and pictures under which the records align, and the fields of
    /// each record.
    fn columns(&self, records: &[Vec<NodeId>]) -> (Vec<Column>, Vec<Vec<Option<Field>>>) {
        let nodes_of = |record: &Vec<NodeId>| -> Vec<NodeId> {
            record
                .iter()
                .flat_map(|&node| self.shown[self.below(node)].iter().copied())
                .collect()
        };
        let nodes: Vec<Vec<NodeId>> = records.iter().map(nodes_of).collect();
        let strings: Vec<Vec<u32>> = records
            .iter()
            .map(|record| record.iter().flat_map(|&node| self.string(node)).collect())
            .collect();
        let alignment = center_star(&strings);
        let mut cells: BTreeMap<usize, Vec<Option<Field>>> = BTreeMap::new();
        for (record, (nodes, columns)) in nodes.iter().zip(&alignment.columns).enumerate() {
            for (&node, &column) in nodes.iter().zip(columns) {
                if let (Some(value), Some(column)) = (self.value(node), column) {
                    let cells = cells.entry(column).or_insert_with(|| vec![None; records.len()]);
                    cells[record] = Some(Field { value, node });
                }
            }
        }
        let mut columns = Vec::new();
        let mut fields = vec![Vec::new(); records.len()];
        for cells in cells.into_values() {
            let Some((column, cells)) = self.column(cells, columns.len()) else {
                continue;
            };
            columns.push(column);
            for (record, cell) in cells.into_iter().enumerate() {
                fields[record].push(cell);
            }
        }
        (columns, fields)
    }

    /// A column without what all values share; `None` for a label.
    fn column(&self, cells: Vec<Option<Field>>, number: usize) -> Option<(Column, Vec<Option<Field>>)> {
        let first = cells.iter().flatten().next()?;
        let kind = match self.page.dom.name(first.node) {
            Some(Name::A) => ItemKind::Link,
            Some(Name::IMG) => ItemKind::Image,
            _ => ItemKind::Text,
        };
        let texts: Vec<Option<&str>> = cells
            .iter()
            .map(|cell| cell.as_ref().map(|field| field.value.as_str()))
            .collect();
        let column = Column {
            name: format!("column_{}", number + 1),
            is_said: false,
            place: number as u64,
            kind,
            shape: shape_of(&first.value),
            is_constant: texts.len() > 1 && texts.windows(2).all(|pair| pair[0].is_some() && pair[0] == pair[1]),
        };
        if kind != ItemKind::Text {
            return Some((column, cells));
        }
        let values = values(&texts)?;
        let with_value = |(cell, value): (&Option<Field>, Option<String>)| {
            let node = cell.as_ref()?.node;
            value.map(|value| Field { value, node })
        };
        let cells = cells.iter().zip(values).map(with_value).collect();
        Some((column, cells))
    }

    fn value(&self, node: NodeId) -> Option<String> {
        let dom = &self.page.dom;
        if dom.is_text(node) {
            return Some(dom.text(node).split_whitespace().collect::<Vec<_>>().join(" "));
        }
        let attribute = match dom.name(node)? {
            Name::A => Name::HREF,
            Name::IMG => Name::SRC,
            _ => return None,
        };
        let value = dom.attribute(node, attribute)?;
        Some(self.page.resolve(value).map_or_else(|| value.to_owned(), String::from))
    }
}
