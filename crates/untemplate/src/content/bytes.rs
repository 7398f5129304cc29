//! Contents as bytes, for who keeps them until all pages of a class are known.
//!
//! The form is private to one run: it has no version, and is read by the program that wrote it.

use super::block::{Block, BlockKind, Content, Mark, MarkKind};
use super::label::Cut;

impl Content {
    /// The content as bytes.
    pub fn to_bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::with_capacity(self.texts.len() + 16 * self.blocks.len() + 32);
        put(&mut bytes, self.texts.len());
        bytes.extend_from_slice(self.texts.as_bytes());
        put(&mut bytes, self.blocks.len());
        for block in &self.blocks {
            bytes.push(block.kind as u8);
            bytes.push(block.rank);
            let (label_end, value_start) = block.cut.map_or((0, 0), |cut| (cut.label_end, cut.value_start));
            let numbers = [
                block.end,
                block.name.start,
                block.name.end - block.name.start,
                block.text.start,
                block.text.end - block.text.start,
                block.marks.start,
                block.marks.end - block.marks.start,
                label_end,
                value_start,
                block.source,
            ];
            for number in numbers {
                put(&mut bytes, number as usize);
            }
        }
        put(&mut bytes, self.marks.len());
        for mark in &self.marks {
            bytes.push(mark.kind as u8);
            for number in [
                mark.text.start,
                mark.text.end,
                mark.url.start,
                mark.url.end,
                mark.source,
            ] {
                put(&mut bytes, number as usize);
            }
        }
        bytes
    }

    /// A content from its bytes; `None` if they are not one.
    pub fn from_bytes(bytes: &[u8]) -> Option<Self> {
        let mut rest = bytes;
        let length = take(&mut rest)?;
        let texts = std::str::from_utf8(rest.get(..length)?).ok()?.to_owned();
        rest = &rest[length..];
        let n_blocks = take(&mut rest)?;
        let mut blocks = Vec::with_capacity(n_blocks.min(rest.len()));
        for _ in 0..n_blocks {
            blocks.push(take_block(&mut rest)?);
        }
        let n_marks = take(&mut rest)?;
        let mut marks = Vec::with_capacity(n_marks.min(rest.len()));
        for _ in 0..n_marks {
            let kind = match take_byte(&mut rest)? {
                0 => MarkKind::Link,
                1 => MarkKind::Picture,
                _ => MarkKind::Part,
            };
            let (start, end) = (take(&mut rest)? as u32, take(&mut rest)? as u32);
            let url = take(&mut rest)? as u32..take(&mut rest)? as u32;
            let source = take(&mut rest)? as u32;
            marks.push(Mark {
                kind,
                text: start..end,
                url,
                source,
            });
        }
        let content = Self { blocks, texts, marks };
        content.is_sound().then_some(content)
    }

    /// Whether all ranges lie inside what they are ranges of.
    fn is_sound(&self) -> bool {
        let is_text = |range: &std::ops::Range<u32>| self.texts.get(range.start as usize..range.end as usize).is_some();
        let n_blocks = self.blocks.len();
        self.blocks.iter().enumerate().all(|(at, block)| {
            let text = self.texts.get(block.text.start as usize..block.text.end as usize);
            let is_cut = |cut: Cut| {
                text.is_some_and(|text| {
                    text.is_char_boundary(cut.label_end as usize) && text.is_char_boundary(cut.value_start as usize)
                })
            };
            is_text(&block.name)
                && text.is_some()
                && block.cut.is_none_or(is_cut)
                && block.end as usize > at
                && block.end as usize <= n_blocks
                && self
                    .marks
                    .get(block.marks.start as usize..block.marks.end as usize)
                    .is_some()
        }) && self.marks.iter().all(|mark| is_text(&mark.url))
    }
}

fn take_block(rest: &mut &[u8]) -> Option<Block> {
    let kind = *BlockKind::ALL.get(usize::from(take_byte(rest)?))?;
    let rank = take_byte(rest)?;
    let mut numbers = [0_u32; 10];
    for number in &mut numbers {
        *number = u32::try_from(take(rest)?).ok()?;
    }
    let [
        end,
        name,
        name_length,
        text,
        text_length,
        mark,
        n_marks,
        label_end,
        value_start,
        source,
    ] = numbers;
    Some(Block {
        kind,
        rank,
        end,
        name: name..name.checked_add(name_length)?,
        text: text..text.checked_add(text_length)?,
        marks: mark..mark.checked_add(n_marks)?,
        cut: (value_start > 0).then_some(Cut { label_end, value_start }),
        source,
    })
}

/// A number in seven bits a byte, the least first.
fn put(bytes: &mut Vec<u8>, mut number: usize) {
    while number >= 0x80 {
        bytes.push(number as u8 | 0x80);
        number >>= 7;
    }
    bytes.push(number as u8);
}

fn take(rest: &mut &[u8]) -> Option<usize> {
    let mut number = 0_usize;
    for shift in (0..64).step_by(7) {
        let byte = take_byte(rest)?;
        number |= usize::from(byte & 0x7f) << shift;
        if byte & 0x80 == 0 {
            return Some(number);
        }
    }
    None
}

fn take_byte(rest: &mut &[u8]) -> Option<u8> {
    let (&first, tail) = rest.split_first()?;
    *rest = tail;
    Some(first)
}
