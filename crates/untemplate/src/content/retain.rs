//! Content without some of its lines.

use super::block::{Block, BlockId, BlockKind, Content};

impl Content {
    /// The same without some lines, and without what holds nothing but these.
    pub fn without(&self, is_left_out: &dyn Fn(BlockId) -> bool) -> Self {
        let mut is_kept: Vec<bool> = self.ids().map(|id| self.is_leaf(id) && !is_left_out(id)).collect();
        let from_last = (0..self.len() as u32).rev().map(BlockId);
        for id in from_last.filter(|&id| !self.is_leaf(id)) {
            let mut children = self.children(id);
            let first = children.next();
            let has_more = children.any(|child| is_kept[child.index()]);
            is_kept[id.index()] = id == BlockId::PAGE || has_more || first.is_some_and(|first| is_kept[first.index()]);
            // What stands under a heading or label stays under it.
            if let Some(first) = first.filter(|_| has_more && self.is_headed(id)) {
                self.subtree(first).for_each(|inner| is_kept[inner.index()] = true);
            }
        }
        let mut numbers: Vec<u32> = Vec::with_capacity(self.len() + 1);
        let mut n_kept = 0;
        for kept in &is_kept {
            numbers.push(n_kept);
            n_kept += u32::from(*kept);
        }
        numbers.push(n_kept);
        let blocks = self.blocks.iter().zip(&is_kept).filter(|(_, kept)| **kept);
        Self {
            blocks: blocks
                .map(|(block, _)| Block {
                    end: numbers[block.end as usize],
                    ..block.clone()
                })
                .collect(),
            texts: self.texts.clone(),
            marks: self.marks.clone(),
        }
    }

    /// Whether a block has a text of its own, and no blocks inside.
    pub fn is_leaf(&self, id: BlockId) -> bool {
        let block = self.block(id);
        id != BlockId::PAGE && block.end == id.0 + 1
    }

    fn is_headed(&self, id: BlockId) -> bool {
        matches!(self.block(id).kind, BlockKind::Section | BlockKind::Pair)
    }
}

#[cfg(test)]
mod tests {
    use expect_test::{Expect, expect};

    use crate::content::{Content, show_content};
    use crate::page::{Page, ParseOptions, Response};

    fn check(html: &str, left_out: &[&str], expected: Expect) {
        let url = "http://shop.example/a.html".parse().expect("a good address");
        let content = Content::of(&Page::read(&Response::html(url, html), &ParseOptions::default()));
        let rest = content.without(&|id| left_out.contains(&content.text(id)));
        expected.assert_eq(&show_content(&rest));
    }

    #[test]
    fn what_holds_nothing_more_is_gone() {
        let html = "<ul><li>one<li>two</ul><h2>Three</h2><p>four<div><p>five<p>six</div>";
        check(
            html,
            &["one", "two", "five"],
            expect![[r#"
                page
                  section 2
                    heading: Three
                    four
                    group div
                      six
            "#]],
        );
        check(
            html,
            &["two", "Three", "five", "six"],
            expect![[r#"
                page
                  list
                    item
                      one
                  section 2
                    heading: Three
                    four
            "#]],
        );
        check(
            html,
            &["one", "two", "Three", "four", "five", "six"],
            expect![[r#"
                page
            "#]],
        );
    }
}
