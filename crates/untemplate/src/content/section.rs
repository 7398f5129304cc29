//! Sections and pairs: siblings that belong together.

use super::block::BlockKind;
use super::draft::Draft;

/// The rank of headings that are set as emphasised lines.
const LINE_RANK: u8 = 7;

/// The longest emphasised line that is a heading, in characters: longer ones are sentences.
const HEADING_MAX: usize = 120;

/// Puts what stands under a heading into its section, and what follows a label into its pair.
pub(super) fn arrange(blocks: Vec<Draft>) -> Vec<Draft> {
    sections(pairs(blocks))
}

/// Joins lines that are labels alone with the block that follows them.
fn pairs(blocks: Vec<Draft>) -> Vec<Draft> {
    let mut joined: Vec<Draft> = Vec::with_capacity(blocks.len());
    let mut waiting = blocks.into_iter().peekable();
    while let Some(block) = waiting.next() {
        let follows = |next: &Draft| match next.kind {
            BlockKind::Heading | BlockKind::Section | BlockKind::Pair => false,
            BlockKind::Line => next.cut.is_none() && !next.is_emphasised,
            _ => true,
        };
        if block.is_bare_label()
            && let Some(value) = waiting.next_if(|next| follows(next))
        {
            let (name, source) = (block.name.clone(), block.source);
            joined.push(Draft::new(
                BlockKind::Pair,
                name,
                source,
                vec![block.into_label(), value],
            ));
        } else {
            joined.push(block);
        }
    }
    joined
}

fn sections(blocks: Vec<Draft>) -> Vec<Draft> {
    let mut done: Vec<Draft> = Vec::with_capacity(blocks.len());
    // Sections under way, each inside the one before it.
    let mut open: Vec<Draft> = Vec::new();
    let mut waiting = blocks.into_iter().peekable();
    while let Some(block) = waiting.next() {
        let Some(rank) = heading_rank(&block, waiting.peek()) else {
            // An emphasised label says as much as an emphasised line: what it labels is no part of
            // the section before it.
            let ends = is_emphasised_pair(&block);
            while ends && open.last().is_some_and(|section| section.rank >= LINE_RANK) {
                close(&mut open, &mut done);
            }
            add(block, &mut open, &mut done);
            continue;
        };
        while open.last().is_some_and(|section| section.rank >= rank) {
            close(&mut open, &mut done);
        }
        let mut section = Draft::new(BlockKind::Section, block.name.clone(), block.source, Vec::new());
        section.rank = rank;
        let mut heading = block;
        (heading.kind, heading.rank) = (BlockKind::Heading, rank);
        section.children.push(heading);
        open.push(section);
    }
    while !open.is_empty() {
        close(&mut open, &mut done);
    }
    done
}

fn add(block: Draft, open: &mut [Draft], done: &mut Vec<Draft>) {
    match open.last_mut() {
        Some(section) => section.children.push(block),
        None => done.push(block),
    }
}

fn close(open: &mut Vec<Draft>, done: &mut Vec<Draft>) {
    if let Some(section) = open.pop() {
        add(section, open, done);
    }
}

/// The rank of a block as a heading: headings have theirs, and an emphasised line alone is one
/// where something that is none follows.
fn heading_rank(block: &Draft, next: Option<&Draft>) -> Option<u8> {
    match block.kind {
        BlockKind::Heading => Some(block.rank),
        BlockKind::Line
            if block.is_emphasised
                && block.text.chars().nth(HEADING_MAX).is_none()
                && block.text.contains(char::is_alphanumeric)
                && next.is_some_and(|next| next.kind != BlockKind::Heading && !next.is_emphasised) =>
        {
            Some(LINE_RANK)
        }
        _ => None,
    }
}

/// Whether a block is a pair whose label is an emphasised line.
fn is_emphasised_pair(block: &Draft) -> bool {
    block.kind == BlockKind::Pair && block.children.first().is_some_and(|label| label.is_emphasised)
}
