//! Line templates: what the lines at a place have in common, and what stands between.
//!
//! In: some different lines of one place, such as `Room A (floor: 2, seats: 40)`. Out: the
//! texts that nearly all of them share, in order, and the slots between them. It is wrapper
//! induction within a line: words and signs are its tokens, and a token is the template's if nearly
//! all lines have it equally often and in the same order. Two slots are told apart by words, by
//! signs with blanks around them, or by brackets; a comma alone divides nothing (`Last, First`).

use std::collections::BTreeMap;

use super::line_words::{find_apart, has_word, is_balanced, is_of_word, is_wordy, trim_slot};

/// What the lines of a place share.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct LineTemplate {
    /// What stands before each slot; of the first slot it may be empty.
    pub before: Vec<String>,
    /// What stands behind the last slot; may be empty.
    pub after: String,
}

/// What decides whether lines share a template.
#[derive(Debug, Clone, Copy)]
pub struct LineTuning {
    /// The fewest different lines.
    pub lines_min: usize,
    /// The least share of the lines that the template holds for.
    pub share: f64,
    /// The most slots: more are a table in one line.
    pub slots_max: usize,
}

impl Default for LineTuning {
    fn default() -> Self {
        Self {
            lines_min: 8,
            share: 0.95,
            slots_max: 8,
        }
    }
}

#[derive(Debug, Clone, Copy, PartialEq, Eq)]
struct Token<'t> {
    /// A word, or one sign or more of the same kind; of signs with a blank on either side the
    /// blanks are part.
    text: &'t str,
    /// Where the word or sign itself stands in the line.
    start: usize,
    end: usize,
}

impl LineTemplate {
    /// The template of some lines; `None` if they share nothing that divides them. A date and a
    /// time, or two numbers, stay whole, unless the label of the lines is divided in the same way.
    pub fn learn(lines: &[&str], label: &str, tuning: LineTuning) -> Option<Self> {
        if lines.len() < tuning.lines_min {
            return None;
        }
        let tokens: Vec<Vec<Token<'_>>> = lines.iter().map(|line| tokens_of(line)).collect();
        let least = (tuning.share * lines.len() as f64).ceil() as usize;
        let is_sound = |own: &Self| {
            let is_divided = (2..=tuning.slots_max).contains(&own.before.len());
            is_divided && own.is_steady(lines, least)
        };
        let of_all = Self::of_all(lines, &tokens, label, least).filter(is_sound);
        of_all.or_else(|| Self::of_starts(lines, &tokens, least).filter(is_sound))
    }

    /// The template of what lines share all along.
    fn of_all(lines: &[&str], tokens: &[Vec<Token<'_>>], label: &str, least: usize) -> Option<Self> {
        let constants = constants_of(tokens, least)?;
        let shared = shared_signs(&constants, label);
        let of_label = (!shared.is_empty()).then(|| Self::of_constants(lines, tokens, &shared, least));
        let template = match of_label.flatten().filter(|own| own.split_label(label).is_some()) {
            Some(template) => template,
            None => Self::of_constants(lines, tokens, &constants, least)?,
        };
        match template.split_label(label).is_some() {
            true => Some(template),
            false => template.without_untold(lines),
        }
    }

    /// The template of how lines begin: one word, after others that are always the same, and a sign
    /// that divides it from the rest. The rest may have that sign, too: `Tool 7: sort: by name`.
    fn of_starts(lines: &[&str], tokens: &[Vec<Token<'_>>], least: usize) -> Option<Self> {
        let shared = |at: usize| {
            let mut counts: BTreeMap<&str, usize> = BTreeMap::new();
            for token in tokens.iter().filter_map(|line| line.get(at)) {
                *counts.entry(token.text).or_default() += 1;
            }
            let (text, n) = counts.into_iter().max_by_key(|(_, n)| *n)?;
            (n >= least).then_some(text)
        };
        let start = (0..STARTS_MAX).find(|&at| shared(at).is_none())?;
        let sign = (start + 1..start + STARTS_MAX)
            .filter_map(shared)
            .find(|text| !has_word(text) && is_strong(text, &[]))?;
        let first = (0..start).map(shared).collect::<Option<Vec<&str>>>()?;
        let is_own = |(line, own): &(&&str, &Vec<Token<'_>>)| {
            let texts = own.iter().map(|token| token.text);
            texts.take(start).eq(first.iter().copied()) && line.starts_with(first.first().copied().unwrap_or_default())
        };
        let (line, own) = lines.iter().zip(tokens).find(is_own)?;
        let before = start.checked_sub(1).map_or("", |last| &line[..own[last].end]);
        let template = Self {
            before: vec![before.to_owned(), sign.to_owned()],
            after: String::new(),
        };
        let kept: Vec<(&str, Vec<Token<'_>>)> = lines.iter().map(|line| (*line, Vec::new())).collect();
        let is_one_word = |line: &&&str| {
            template
                .split(line)
                .is_some_and(|slots| !slots[0].contains(char::is_whitespace))
        };
        (is_strong(sign, &kept) && lines.iter().filter(is_one_word).count() >= least)
            .then_some(template)?
            .without_untold(lines)
    }

    /// The template of some constants, if enough lines are made by it.
    fn of_constants(lines: &[&str], tokens: &[Vec<Token<'_>>], constants: &[&str], least: usize) -> Option<Self> {
        let kept: Vec<(&str, Vec<Token<'_>>)> = lines
            .iter()
            .zip(tokens)
            .map(|(line, tokens)| (*line, only(tokens, constants)))
            .collect();
        let order = most_frequent_order(&kept, least)?;
        let kept: Vec<_> = kept.into_iter().filter(|(_, own)| texts(own) == order).collect();
        let template = join(&kept, order.len())?.without_weak_ends(&kept)?;
        let n_split = lines.iter().filter(|line| template.split(line).is_some()).count();
        (n_split >= least).then_some(template)
    }

    /// What stands in each slot of a line; `None` if the line is not made by the template.
    pub fn split<'t>(&self, line: &'t str) -> Option<Vec<&'t str>> {
        let mut slots = Vec::with_capacity(self.before.len());
        let mut rest = line.trim();
        for (number, constant) in self.before.iter().enumerate() {
            let at = match number {
                0 => rest.starts_with(constant.as_str()).then_some(0)?,
                _ => find_apart(rest, constant)?,
            };
            if number > 0 {
                slots.push(trim_slot(&rest[..at]));
            }
            rest = &rest[at + constant.len()..];
        }
        let last = match self.after.is_empty() {
            true => rest,
            false => rest.trim_end().strip_suffix(self.after.as_str())?,
        };
        // What divides slots may not stand inside the last one, too, unless one word stands before
        // it.
        let is_after_word = self.before.len() == 2 && self.after.is_empty() && !slots[0].contains(char::is_whitespace);
        let is_plain = self.before[1..]
            .iter()
            .all(|constant| find_apart(last, constant).is_none());
        slots.push(trim_slot(last));
        ((is_plain || is_after_word) && slots.iter().any(|slot| !slot.is_empty())).then_some(slots)
    }

    /// What a slot is called by the template: the word before it, if a sign such as a colon follows
    /// that word, or if it is the only word before the first slot.
    pub fn name_of(&self, slot: usize) -> Option<&str> {
        let before = self.before[slot].trim_end();
        if slot == 0 && before.chars().count() > 1 && before.chars().all(char::is_alphabetic) {
            return Some(before);
        }
        let word = before.strip_suffix([':', '=', '：'])?.trim_end();
        let start = word
            .char_indices()
            .rev()
            .take_while(|(_, c)| c.is_alphanumeric() || *c == ' ' || *c == '-')
            .last()
            .map(|(at, _)| at)?;
        let word = word[start..].trim();
        (word.chars().filter(|c| c.is_alphabetic()).count() > 1).then_some(word)
    }

    /// The parts of a label that is divided as its values are, such as `Tickets (slug / time /
    /// seed)`.
    pub fn split_label<'t>(&self, label: &'t str) -> Option<Vec<&'t str>> {
        let mut parts = Vec::with_capacity(self.before.len());
        let mut rest = label;
        for constant in &self.before[1..] {
            let at = find_apart(rest, constant)?;
            parts.push(&rest[..at]);
            rest = &rest[at + constant.len()..];
        }
        if self.before[1..]
            .iter()
            .any(|constant| find_apart(rest, constant).is_some())
        {
            return None;
        }
        parts.push(rest);
        // A bracket around all parts is not theirs.
        let bare = |part: &'t str| {
            part.rsplit(['(', '['])
                .next()
                .unwrap_or(part)
                .trim_matches([')', ']', ' '])
        };
        Some(parts.into_iter().map(bare).collect())
    }

    /// The template with the texts alone that divide slots; `None` if none does.
    fn without_weak_ends(self, lines: &[(&str, Vec<Token<'_>>)]) -> Option<Self> {
        // Short sentences, the same number in each line; one full stop may be an abbreviation's.
        let n_stops = self.before[1..]
            .iter()
            .filter(|constant| constant.ends_with('.'))
            .count();
        let has_sentences = n_stops > 1;
        let mut before = vec![self.before[0].clone()];
        for constant in &self.before[1..] {
            // The words of a sentence are its own, whether other lines say them or not.
            if has_sentences && constant.ends_with('.') {
                before.push(".".to_owned());
            } else if is_strong(constant, lines) {
                before.push(constant.clone());
            }
        }
        let is_divided = before.len() > 1;
        let after = match has_sentences && self.after.ends_with('.') {
            true => ".".to_owned(),
            false => self.after,
        };
        let own = Self { before, after };
        is_divided.then_some(own)
    }

    /// The template with the constants alone that tell slots apart: on one side of a sign at least
    /// there are words. Two numbers, or a day and an hour, are one value. `None` if no constant is
    /// left, or no slot is words.
    fn without_untold(mut self, lines: &[&str]) -> Option<Self> {
        loop {
            let split: Vec<Vec<&str>> = lines.iter().filter_map(|line| self.split(line)).collect();
            let is_wordy = |slot: usize| split.iter().filter(|own| is_wordy(own[slot])).count() * 2 > split.len();
            // A full stop divides only short sentences.
            let divides = |constant: &str| has_word(constant) || constant == ".";
            let is_untold = |&slot: &usize| !divides(&self.before[slot]) && !is_wordy(slot - 1) && !is_wordy(slot);
            let Some(untold) = (1..self.before.len()).find(is_untold) else {
                let is_told = self.before.len() > 1 && (0..self.before.len()).any(is_wordy);
                return is_told.then_some(self);
            };
            self.before.remove(untold);
        }
    }

    /// Whether each slot has different texts, and one in most lines, and no bracket is cut from the
    /// one that belongs to it.
    fn is_steady(&self, lines: &[&str], least: usize) -> bool {
        let split: Vec<Vec<&str>> = lines.iter().filter_map(|line| self.split(line)).collect();
        let varies = |slot: usize| split.iter().any(|own| own[slot] != split[0][slot]);
        let is_told = |slot: usize| split.iter().filter(|own| !own[slot].is_empty()).count() * 2 > split.len();
        let n_whole = lines.iter().filter(|line| {
            let slots = self.split(line).unwrap_or_default();
            !is_balanced(line) || slots.iter().all(|slot| is_balanced(slot))
        });
        n_whole.count() >= least && (0..self.before.len()).all(|slot| varies(slot) && is_told(slot))
    }
}

/// Words and signs of a line.
fn tokens_of(line: &str) -> Vec<Token<'_>> {
    let mut tokens: Vec<Token<'_>> = Vec::new();
    let mut last_kind = None;
    for (start, c) in line.char_indices() {
        let end = start + c.len_utf8();
        // All of a word is of one kind, each sign is a kind of its own.
        let kind = (!c.is_whitespace()).then_some(if is_of_word(c) { 'a' } else { c });
        match tokens.last_mut() {
            Some(last) if kind.is_some() && kind == last_kind => last.end = end,
            _ if kind.is_some() => tokens.push(Token { text: "", start, end }),
            _ => {}
        }
        last_kind = kind;
    }
    for token in &mut tokens {
        token.text = &line[token.start..token.end];
        let apart = token
            .start
            .checked_sub(1)
            .and_then(|before| line.get(before..=token.end));
        if !token.text.contains(char::is_alphanumeric)
            && let Some(apart) = apart.filter(|apart| apart.starts_with(' ') && apart.ends_with(' '))
        {
            token.text = apart;
        }
    }
    tokens
}

/// The signs of the lines that a label has, too: `Slot (name / time)`.
fn shared_signs<'t>(constants: &[&'t str], label: &str) -> Vec<&'t str> {
    let signs = constants
        .iter()
        .copied()
        .filter(|text| !text.contains(char::is_alphanumeric));
    signs
        .filter(|sign| !matches!(*sign, "(" | ")" | "[" | "]") && find_apart(label, sign).is_some())
        .collect()
}

/// The tokens that enough lines have equally often; `None` if there are none. A number says
/// something, however often it is said.
fn constants_of<'t>(lines: &[Vec<Token<'t>>], least: usize) -> Option<Vec<&'t str>> {
    let mut seen: Vec<&str> = Vec::new();
    // Each line may lack some: those of the first few lines are all there are.
    for line in lines.iter().take(lines.len() - least + 1) {
        for token in line {
            let is_number = token.text.starts_with(char::is_numeric);
            if !is_number && !seen.contains(&token.text) && seen.len() < CONSTANTS_TRIED_MAX {
                seen.push(token.text);
            }
        }
    }
    let count = |line: &Vec<Token<'t>>, text: &str| line.iter().filter(|token| token.text == text).count();
    seen.retain(|text| {
        let mut counts: Vec<usize> = lines.iter().map(|line| count(line, text)).collect();
        counts.sort_unstable();
        // The count of most lines is that in the middle.
        let middle = counts[counts.len() / 2];
        middle > 0 && counts.iter().filter(|&&own| own == middle).count() >= least
    });
    (!seen.is_empty()).then_some(seen)
}

/// How many tokens of the beginning of lines are looked at for what divides it from the rest.
const STARTS_MAX: usize = 6;

/// The most different tokens that are tried.
const CONSTANTS_TRIED_MAX: usize = 64;

fn only<'t>(line: &[Token<'t>], constants: &[&str]) -> Vec<Token<'t>> {
    let own = line.iter().filter(|token| constants.contains(&token.text));
    own.copied().collect()
}

fn texts<'t>(tokens: &[Token<'t>]) -> Vec<&'t str> {
    tokens.iter().map(|token| token.text).collect()
}

/// The order of constants that enough lines have.
fn most_frequent_order<'t>(lines: &[(&str, Vec<Token<'t>>)], least: usize) -> Option<Vec<&'t str>> {
    let count = |order: &Vec<&str>| lines.iter().filter(|(_, own)| texts(own) == *order).count();
    let first = lines.iter().map(|(_, own)| texts(own));
    first.take(lines.len() - least + 1).find(|order| count(order) >= least)
}

/// Joins constants that nothing stands between. Lines have the same constants in the same order.
fn join(lines: &[(&str, Vec<Token<'_>>)], n_constants: usize) -> Option<LineTemplate> {
    let is_gap = |after: usize| {
        let n = lines.iter().filter(|(line, own)| {
            let (from, to) = (own[after].end, own[after + 1].start);
            !line[from..to].trim().is_empty()
        });
        n.count() * GAP_SHARE > lines.len()
    };
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for constant in 0..n_constants {
        match joined.last_mut() {
            Some(last) if !is_gap(constant - 1) => last.1 = constant,
            _ => joined.push((constant, constant)),
        }
    }
    let literal = |&(first, last): &(usize, usize)| {
        let of_line = |(line, own): &(&str, Vec<Token<'_>>)| {
            let (first, last) = (own[first], own[last]);
            let start = first.start - usize::from(first.text.starts_with(' '));
            let end = last.end + usize::from(last.text.ends_with(' '));
            line[start..end].to_owned()
        };
        lines.first().map(of_line)
    };
    let mut constants: Vec<String> = joined.iter().map(literal).collect::<Option<_>>()?;
    let (first, last) = (joined.first()?, joined.last()?);
    let starts = lines.iter().filter(|(_, own)| own[first.0].start == 0).count() * 2 > lines.len();
    let ends = lines
        .iter()
        .filter(|(line, own)| own[last.1].end == line.trim_end().len())
        .count()
        * 2
        > lines.len();
    if !starts {
        constants.insert(0, String::new());
    }
    let after = if ends && constants.len() > 1 {
        constants.pop()?
    } else {
        String::new()
    };
    Some(LineTemplate {
        before: constants,
        after,
    })
}

/// One line in twenty may have nothing in a slot, or something where there is none.
const GAP_SHARE: usize = 20;

/// Whether a constant divides what stands before it from what follows.
fn is_strong(constant: &str, lines: &[(&str, Vec<Token<'_>>)]) -> bool {
    if has_word(constant) {
        return true;
    }
    let is_apart = lines.iter().all(|(line, _)| {
        find_apart(line, constant).is_none_or(|at| {
            let sign = constant.trim();
            let at = at + constant.find(sign).unwrap_or(0);
            let before = line[..at].chars().next_back();
            let behind = line[at + sign.len()..].chars().next();
            let is_blank = |c: Option<char>| c.is_none_or(char::is_whitespace);
            match sign {
                ":" | "：" | ";" => is_blank(behind),
                _ if sign.starts_with(['(', '[']) => is_blank(before),
                _ => is_blank(before) && is_blank(behind),
            }
        })
    });
    is_apart && constant.contains(|c: char| !c.is_alphanumeric() && !matches!(c, ' ' | ',' | '.' | '\'' | '"'))
}
