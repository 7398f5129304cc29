//! Pruning: what of a draft is no data.
//!
//! Parts without a field inside them stay as anchors for alignment, but what is inside them is left out.

use super::inference::Draft;

/// Leaves out what holds no data.
pub(super) fn prune(draft: &mut Draft<'_>) {
    let mut wanted = vec![false; draft.parts.len()];
    for index in (0..draft.parts.len()).rev() {
        let part = &draft.parts[index];
        let own = part.has_own_data();
        let inner = part.items.iter().any(|item| item.parts().iter().any(|part| wanted[part.index()]));
        wanted[index] = own || inner;
        if !inner {
            draft.parts[index].items.clear();
        }
    }
}
