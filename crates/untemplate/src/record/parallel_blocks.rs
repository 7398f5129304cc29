//! Parallel blocks: records that are laid out side by side, a part of each in every row.
//!
//! In: a sequence whose nodes are rows. Out: the records that run across them: below a row of
//! pictures a row of names and a row of prices, and the same again. The first cells of the rows of
//! a block are one record, the second cells the next. The paper leaves such lists out: their
//! records are no runs of siblings.

use super::division::Division;
use super::likeness::{clusters, path_sets, shared_share};
use super::outline::Outline;
use super::sequence::Sequence;
use crate::page::NodeId;

/// The least share of paths that the cells of one row have in common.
const CELL_SHARE: f64 = 0.6;

/// The share from which on two rows are of one kind.
const ROW_SHARE: f64 = 0.75;

/// How many rows a block may have.
const BLOCK_ROWS_MAX: usize = 8;

/// How many rows are looked at.
const ROWS_MAX: usize = 2000;

/// The cells of a sequence's rows, record after record, and the records.
pub fn parallel_blocks(outline: &Outline<'_>, outer: &Sequence) -> Option<(Sequence, Division)> {
    let is_full = |node: &&NodeId| outline.text_len[node.index()] + outline.n_images[node.index()] > 0;
    let rows: Vec<NodeId> = outer.nodes.iter().filter(is_full).take(ROWS_MAX).copied().collect();
    let cells: Vec<Vec<NodeId>> = rows.iter().map(|&row| outline.shown_children(row)).collect();
    let wide = cells.first()?.len();
    let is_regular = wide > 1 && rows.len() > 1 && cells.iter().all(|row| row.len() == wide);
    if !is_regular || !cells.iter().all(|row| are_alike(outline, outer.region, row)) {
        return None;
    }
    let sets = path_sets(outline, &flat(outer.region, rows));
    let high = period(&clusters(&sets.of_nodes, ROW_SHARE))?;
    let has_target = |cell: &NodeId| outline.n_links[cell.index()] + outline.n_images[cell.index()] > 0;
    let mut nodes = Vec::new();
    let mut division: Division = Vec::new();
    for block in cells.chunks(high) {
        for column in 0..wide {
            let start = nodes.len();
            nodes.extend(block.iter().map(|row| row[column]));
            division.push(start..nodes.len());
        }
    }
    let n_targets = division
        .iter()
        .filter(|record| nodes[(*record).clone()].iter().any(has_target))
        .count();
    let is_list = division.len() > 2 && n_targets * 10 >= division.len() * 8;
    is_list.then(|| (flat(outer.region, nodes), division))
}

fn flat(region: NodeId, nodes: Vec<NodeId>) -> Sequence {
    Sequence {
        region,
        containers: vec![0; nodes.len()],
        nodes,
        is_inner: false,
        is_inner_of_items: false,
    }
}

/// Whether the cells of a row hold the same paths.
fn are_alike(outline: &Outline<'_>, region: NodeId, row: &[NodeId]) -> bool {
    let sets = path_sets(outline, &flat(region, row.to_vec())).of_nodes;
    sets.iter().all(|set| shared_share(&sets[0], set) >= CELL_SHARE)
}

/// After how many rows the kinds of rows begin again: two or more.
fn period(kinds: &[u32]) -> Option<usize> {
    (2..=BLOCK_ROWS_MAX.min(kinds.len())).find(|&high| {
        let repeats = kinds.iter().enumerate().all(|(at, kind)| *kind == kinds[at % high]);
        let differs = kinds[..high].iter().any(|kind| *kind != kinds[0]);
        kinds.len().is_multiple_of(high) && repeats && differs
    })
}
