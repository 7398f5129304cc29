//! Active formatting elements: what makes `<b>one<p>two</b>three` bold where people expect it.
//!
//! HTML standard, 13.2.4.3 and 13.2.6.4.7 ("adoption agency").

use std::hash::BuildHasher;

use foldhash::fast::FixedState;

use super::super::dom::Namespace;
use super::super::name::Name;
use super::builder::{Formatting, TreeBuilder};
use super::stack::{Scope, is_special};
use super::tree::{Handle, InsertionPoint};

/// How many formatting elements and markers are remembered. Real pages have a few; without a bound,
/// thousands of unclosed tags would be opened again in every paragraph.
const FORMATTING_MAX: usize = 256;

const HASHER: FixedState = FixedState::with_seed(0x666f_726d);

impl TreeBuilder<'_> {
    /// Remembers an element, and at most three equal ones before it.
    pub(super) fn push_formatting(&mut self, element: Handle) {
        let hash = self.attributes_hash(element);
        let entries = self.formatting.iter().enumerate().rev();
        let entries = entries.take_while(|(_, entry)| **entry != Formatting::Marker);
        let is_equal = |entry: &Formatting| match entry {
            Formatting::Element(other, other_hash) => *other_hash == hash && self.are_equal(*other, element),
            Formatting::Marker => false,
        };
        let equal: Vec<usize> = entries
            .filter(|(_, entry)| is_equal(entry))
            .map(|(index, _)| index)
            .collect();
        if equal.len() >= 3 {
            self.formatting.remove(equal[equal.len() - 1]);
        }
        self.push_entry(Formatting::Element(element, hash));
    }

    fn attributes_hash(&self, element: Handle) -> u64 {
        let attributes = self.tree.attributes_of(element).iter();
        let hashes = attributes.map(|attribute| HASHER.hash_one((attribute.name, self.text(attribute.value))));
        hashes.fold(0, u64::wrapping_add)
    }

    /// Whether two elements have the same name and attributes. The hashes of their attributes are
    /// equal, so that this looks at more than the names for few pairs.
    fn are_equal(&self, left: Handle, right: Handle) -> bool {
        let (left_attributes, right_attributes) = (self.tree.attributes_of(left), self.tree.attributes_of(right));
        self.tree.element(left) == self.tree.element(right)
            && left_attributes.len() == right_attributes.len()
            && left_attributes.iter().all(|attribute| {
                let other = right_attributes.iter().find(|other| other.name == attribute.name);
                other.is_some_and(|other| self.text(other.value) == self.text(attribute.value))
            })
    }

    /// Sets off what comes next from the formatting elements so far.
    pub(super) fn push_marker(&mut self) {
        self.push_entry(Formatting::Marker);
    }

    fn push_entry(&mut self, entry: Formatting) {
        if self.formatting.len() >= FORMATTING_MAX {
            self.formatting.remove(0);
        }
        self.formatting.push(entry);
    }

    pub(super) fn clear_formatting_to_marker(&mut self) {
        while let Some(entry) = self.formatting.pop() {
            if entry == Formatting::Marker {
                return;
            }
        }
    }

    /// Opens again the formatting elements that were closed by a block's end.
    pub(super) fn reconstruct_formatting(&mut self) {
        let is_settled = |entry: &Formatting| match entry {
            Formatting::Marker => true,
            Formatting::Element(element, _) => self.stack.contains(element),
        };
        match self.formatting.last() {
            None => return,
            Some(entry) if is_settled(entry) => return,
            Some(_) => {}
        }
        let first = self
            .formatting
            .iter()
            .rposition(is_settled)
            .map_or(0, |index| index + 1);
        for index in first..self.formatting.len() {
            // A tree that is too deep closes elements while others are opened, and forgets them.
            let Some(&Formatting::Element(element, hash)) = self.formatting.get(index) else {
                return;
            };
            let again = self.tree.create_like(element);
            self.insert_element(again);
            if let Some(entry) = self.formatting.get_mut(index) {
                *entry = Formatting::Element(again, hash);
            }
        }
    }

    /// The last formatting element of this name, back to the last marker.
    pub(super) fn find_formatting(&self, name: Name) -> Option<(usize, Handle)> {
        for (index, entry) in self.formatting.iter().enumerate().rev() {
            match entry {
                Formatting::Marker => return None,
                Formatting::Element(element, _) if self.is_html(*element, name) => return Some((index, *element)),
                Formatting::Element(..) => {}
            }
        }
        None
    }

    fn formatting_index(&self, element: Handle) -> Option<usize> {
        self.formatting.iter().position(|entry| entry.is(element))
    }

    pub(super) fn forget_formatting(&mut self, element: Handle) {
        self.formatting.retain(|entry| !entry.is(element));
    }

    /// Ends a formatting element where it may have blocks inside that go on.
    pub(super) fn adoption_agency(&mut self, name: Name) {
        if self.current_is(name) && self.formatting_index(self.current()).is_none() {
            self.pop();
            return;
        }
        for _ in 0..8 {
            let Some((_, formatting)) = self.find_formatting(name) else {
                self.any_other_end_tag(name);
                return;
            };
            let Some(stack_index) = self.stack.iter().rposition(|&element| element == formatting) else {
                self.forget_formatting(formatting);
                return;
            };
            if !self.any_in_scope(Scope::Default, |element| element == formatting) {
                return;
            }
            let is_block = |&element: &Handle| {
                let (space, name) = self.tree.element(element);
                is_special(space, name)
            };
            let Some(offset) = self.stack[stack_index..].iter().position(is_block) else {
                self.stack.truncate(stack_index.max(1));
                self.forget_formatting(formatting);
                return;
            };
            self.adopt(formatting, stack_index, stack_index + offset);
        }
    }

    /// One round of the adoption agency: the furthest block leaves the formatting element, and a
    /// copy of that goes inside.
    fn adopt(&mut self, formatting: Handle, stack_index: usize, block_index: usize) {
        let block = self.stack[block_index];
        let common_ancestor = self.stack[stack_index.saturating_sub(1)];
        let mut bookmark = self.formatting_index(formatting).unwrap_or(0);
        let mut last = block;
        let mut node_index = block_index;
        for round in 1.. {
            node_index -= 1;
            let node = self.stack[node_index];
            if node == formatting {
                break;
            }
            let mut index = self.formatting_index(node);
            if round > 3
                && let Some(forgotten) = index.take()
            {
                self.formatting.remove(forgotten);
                bookmark -= usize::from(forgotten < bookmark);
            }
            let Some(index) = index else {
                self.stack.remove(node_index);
                continue;
            };
            let copy = self.tree.create_like(node);
            self.formatting[index] = Formatting::Element(copy, self.attributes_hash(copy));
            self.stack[node_index] = copy;
            if last == block {
                bookmark = index + 1;
            }
            self.tree.detach(last);
            self.tree.insert(last, InsertionPoint::LastIn(copy));
            last = copy;
        }
        self.tree.detach(last);
        let place = self.place_for(Some(common_ancestor));
        self.tree.insert(last, place);
        let copy = self.tree.create_like(formatting);
        let hash = self.attributes_hash(copy);
        self.tree.move_children(block, copy);
        self.tree.insert(copy, InsertionPoint::LastIn(block));
        if let Some(index) = self.formatting_index(formatting) {
            self.formatting.remove(index);
            bookmark -= usize::from(index < bookmark);
        }
        self.formatting
            .insert(bookmark.min(self.formatting.len()), Formatting::Element(copy, hash));
        self.remove_from_stack(formatting);
        let block_index = self
            .stack
            .iter()
            .rposition(|&element| element == block)
            .unwrap_or(self.stack.len() - 1);
        self.stack.insert(block_index + 1, copy);
    }

    /// An end tag that no rule treats: closes up to the element of its name, unless a block stands
    /// between.
    pub(super) fn any_other_end_tag(&mut self, name: Name) {
        for index in (1..self.stack.len()).rev() {
            let (space, element_name) = self.tree.element(self.stack[index]);
            if (space, element_name) == (Namespace::Html, name) {
                self.close_implied(Some(name));
                self.stack.truncate(index.min(self.stack.len()));
                return;
            }
            if is_special(space, element_name) {
                return;
            }
        }
    }
}
