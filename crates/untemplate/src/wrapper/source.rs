//! Sources: where on a page each value of a record was read.

use std::sync::Arc;

use crate::page::{Name, NodeId};

use super::extraction::Extraction;

/// Where a value was read.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ValueSource {
    /// Its key.
    pub key: Arc<str>,
    /// The node it was read from.
    pub node: NodeId,
    /// What of the node.
    pub part: SourcePart,
    /// The round that it is in, by its number in [`Extraction::rounds`].
    pub round: usize,
}

/// What of a node a value is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum SourcePart {
    /// The text inside it.
    Text,
    /// A piece of this text.
    Piece,
    /// An attribute.
    Attribute(Name),
}

/// A round of a list on a page.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Round {
    /// The key of the list; none for the page itself.
    pub list: Option<Arc<str>>,
    /// Which round of the list, from 0.
    pub number: usize,
    /// The round that the list is in; the page is in itself.
    pub inside: usize,
}

impl Round {
    /// The page itself.
    pub(super) fn page() -> Self {
        Self {
            list: None,
            number: 0,
            inside: 0,
        }
    }
}

impl Extraction {
    /// Where the value of a key was read, in the round that lists lead to: their keys, outermost
    /// first, each with the round from 0.
    pub fn source(&self, path: &[(&str, usize)], key: &str) -> Option<&ValueSource> {
        // Where two places give a value, the first one counts, as in the record.
        self.sources
            .iter()
            .find(|source| *source.key == *key && self.is_at(source.round, path))
    }

    fn is_at(&self, round: usize, path: &[(&str, usize)]) -> bool {
        let mut at = round;
        for (list, number) in path.iter().rev() {
            let Some(round) = self.rounds.get(at).filter(|round| round.number == *number) else {
                return false;
            };
            if round.list.as_deref() != Some(*list) {
                return false;
            }
            at = round.inside;
        }
        at == 0
    }
}
