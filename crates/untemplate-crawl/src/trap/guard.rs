//! [`TrapGuard`]: counts by pattern, and freezes what keeps yielding nothing.

use std::collections::BTreeMap;
use std::fmt;
use std::hash::BuildHasher;

use url::Url;

use super::memory::Memory;
use super::page_facts::{HASHER, PageFacts};
use super::parameter::Parameters;
use super::pattern::{contains, is_family, is_folder, levels, repeated_segments};

/// When patience ends, and how much is remembered.
///
/// The figures come from `tests/politeness_trap.rs` and `politeness_trap_real.rs`, which crawl made
/// sites of each kind: with these every real page of the real ones is reached and each trap costs
/// what the test says, some tens to some hundreds of fetches.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct TrapOptions {
    /// Pages in a row with nothing new before a pattern is frozen. A month of empty days is a usual
    /// gap of an archive, also at its start.
    pub pattern_patience: usize,
    /// The same for a path with any query: facets take turns, and each has something new to say
    /// once or twice.
    pub family_patience: usize,
    /// The same for a folder and all below it, which is more to lose.
    pub folder_patience: usize,
    /// One more page of patience is earned for each group of this many pages with something new:
    /// who gave much may have a longer gap. With 4, an archive of news that is silent for a hundred
    /// days a year was frozen in its first year; with 2 it is not, and the waste stays below half
    /// of the use.
    pub pages_per_patience: usize,
    /// Patterns that are counted.
    pub patterns_max: usize,
    /// Blocks of text, pages and addresses that are remembered, each; some 17 bytes apiece.
    pub memory_max: usize,
}

impl Default for TrapOptions {
    fn default() -> Self {
        Self {
            pattern_patience: 50,
            family_patience: 80,
            folder_patience: 150,
            pages_per_patience: 2,
            patterns_max: 20_000,
            memory_max: 100_000,
        }
    }
}

/// Fewer words than this say nothing on whether two pages are one: pages filled in by scripts are
/// all alike without them.
const SAME_WORDS_MIN: usize = 20;

/// New blocks whose words are known and whose numbers are new: this many make a page new. One or
/// two have every page that tells how long it took or how many visited it.
const NEW_NUMBERS_MIN: usize = 3;

/// A part of a site that is frozen, or an address that is refused.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Trap {
    /// The pattern, or the address's.
    pub pattern: String,
    /// Why, with a sample: a sentence for a person.
    pub reason: String,
}

impl fmt::Display for Trap {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}", self.reason)
    }
}

/// Watches a crawl for traps.
#[derive(Debug, Clone)]
pub struct TrapGuard {
    options: TrapOptions,
    pub(super) counters: BTreeMap<String, Counter>,
    pub(super) parameters: Parameters,
    /// Blocks of text that were seen, exactly and by shape.
    blocks: Memory<()>,
    /// Contents that were seen.
    contents: Memory<()>,
    /// Pages, by a hash of their address.
    pages: Memory<Remembered>,
}

/// What is remembered of a page.
#[derive(Debug, Clone, Copy)]
struct Remembered {
    template: u64,
    /// Whether it or a page that it links to had anything new.
    has_given: bool,
}

#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub(super) struct Counter {
    pub(super) n_fetched: usize,
    pub(super) n_new: usize,
    pub(super) n_barren_in_row: usize,
    pub(super) n_same_in_row: usize,
    pub(super) frozen: Option<Frozen>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Frozen {
    /// Whether all of the pattern is refused, since its pages are copies; else only what the
    /// pattern itself leads to.
    pub(super) refuses_all: bool,
    pub(super) reason: String,
}

/// What a page was to a level.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Worth {
    New,
    /// Nothing new, and no word on whether the next one is: it does not count.
    Unsure,
    Barren,
    Same,
}

impl TrapGuard {
    /// A guard that saw nothing yet.
    pub fn new(options: TrapOptions) -> Self {
        Self {
            options,
            counters: BTreeMap::new(),
            parameters: Parameters::new(options.memory_max),
            blocks: Memory::new(options.memory_max),
            contents: Memory::new(options.memory_max),
            pages: Memory::new(options.memory_max),
        }
    }

    /// Whether an address leads into a trap, and why. Ask right before it is fetched.
    pub fn check(&self, url: &Url, found_on: Option<&Url>) -> Option<Trap> {
        let levels = levels(url);
        if let Some(segments) = repeated_segments(url) {
            let reason = format!("{url} repeats `{segments}`: its links lead deeper into themselves");
            return Some(trap(&levels[0], reason));
        }
        if let Some((name, evidence)) = self.parameters.idle(url, found_on) {
            let name = name.split_once(' ').map_or(name.as_str(), |(_, name)| name);
            let reason = format!(
                "{url} is a page that was fetched already: {name} made no difference on {} of {} pages",
                evidence.n_same,
                evidence.n_same.saturating_add(evidence.n_different)
            );
            return Some(trap(&levels[0], reason));
        }
        let has_given = found_on.is_some_and(|url| self.pages.get(hash_of(url)).is_some_and(|page| page.has_given));
        levels.iter().enumerate().find_map(|(index, level)| {
            let frozen = self.counters.get(level)?.frozen.as_ref()?;
            // The neighbours of a page that gave something are worth a look, though the chain went
            // on into nothing elsewhere.
            let is_inside = found_on.is_some_and(|found_on| contains(level, found_on));
            let is_led_to = is_inside && !(index == 0 && has_given);
            (frozen.refuses_all || is_led_to).then(|| trap(level, frozen.reason.clone()))
        })
    }

    /// Takes note of a page that was fetched. Returns what is frozen from now on.
    pub fn take(&mut self, facts: &PageFacts) -> Vec<Trap> {
        let has_words = facts.n_words >= SAME_WORDS_MIN;
        if has_words {
            self.parameters.take(facts);
        }
        let (is_new, is_same) = self.learn(facts);
        if is_new {
            self.credit(facts.found_on.as_ref());
        }
        let found_on = facts.found_on.as_ref().and_then(|url| self.pages.get(hash_of(url)));
        let is_same_template = found_on.is_some_and(|page| page.template == facts.template);
        let found_levels = facts.found_on.as_ref().map(levels).unwrap_or_default();
        let mut traps = Vec::new();
        for level in levels(&facts.url) {
            let is_inside = found_levels.contains(&level);
            let worth = if is_same && (is_inside || !is_folder(&level)) {
                Worth::Same
            } else if is_new {
                Worth::New
            } else if is_inside && is_same_template {
                Worth::Barren
            } else {
                Worth::Unsure
            };
            traps.extend(self.count(level, worth, &facts.url));
        }
        self.remember_page(facts, is_new);
        self.forget_surplus();
        traps
    }

    /// Remembers what a page says that was counted before, in a run that has ended.
    pub fn remember(&mut self, facts: &PageFacts) {
        let (is_new, _) = self.learn(facts);
        self.remember_page(facts, is_new);
    }

    /// Remembers the content of a page; whether it had anything new, and whether it is a copy.
    fn learn(&mut self, facts: &PageFacts) -> (bool, bool) {
        let is_same = !self.contents.insert(facts.content, ()) && facts.n_words >= SAME_WORDS_MIN;
        (self.learn_text(facts) && !is_same, is_same)
    }

    fn remember_page(&mut self, facts: &PageFacts, has_given: bool) {
        let page = Remembered {
            template: facts.template,
            has_given,
        };
        self.pages.insert(hash_of(&facts.url), page);
    }

    /// Credits a page that said nothing new itself but led to something new, and its patterns.
    fn credit(&mut self, found_on: Option<&Url>) {
        let Some(url) = found_on else { return };
        match self.pages.get(hash_of(url)) {
            Some(page) if !page.has_given => self.pages.insert(
                hash_of(url),
                Remembered {
                    has_given: true,
                    ..page
                },
            ),
            _ => return,
        };
        for level in levels(url) {
            if let Some(counter) = self.counters.get_mut(&level) {
                (counter.n_barren_in_row, counter.n_same_in_row) = (0, 0);
            }
        }
    }

    /// Remembers the text of a page; true if it had any that was new.
    fn learn_text(&mut self, facts: &PageFacts) -> bool {
        let (mut n_new_shapes, mut n_new) = (0, 0);
        for block in &facts.blocks {
            n_new += usize::from(self.blocks.insert(block.exact, ()));
            n_new_shapes += usize::from(self.blocks.insert(!block.shape, ()));
        }
        n_new_shapes > 0 || n_new >= NEW_NUMBERS_MIN
    }

    fn count(&mut self, level: String, worth: Worth, url: &Url) -> Option<Trap> {
        let options = self.options;
        let counter = self.counters.entry(level.clone()).or_default();
        counter.n_fetched = counter.n_fetched.saturating_add(1);
        match worth {
            Worth::New => {
                counter.n_new = counter.n_new.saturating_add(1);
                (counter.n_barren_in_row, counter.n_same_in_row) = (0, 0);
            }
            Worth::Unsure => {}
            Worth::Barren => counter.n_barren_in_row = counter.n_barren_in_row.saturating_add(1),
            Worth::Same => {
                counter.n_barren_in_row = counter.n_barren_in_row.saturating_add(1);
                counter.n_same_in_row = counter.n_same_in_row.saturating_add(1);
            }
        }
        let patience = match (is_folder(&level), is_family(&level)) {
            (true, _) => options.folder_patience,
            (_, true) => options.family_patience,
            _ => options.pattern_patience,
        };
        let patience = patience.saturating_add(counter.n_new / options.pages_per_patience.max(1));
        if counter.frozen.is_some() || counter.n_barren_in_row <= patience {
            return None;
        }
        let are_copies = counter.n_same_in_row > counter.n_barren_in_row / 2;
        let reason = format!(
            "{level} is frozen: the last {} of its {} pages {}, such as {url}",
            counter.n_barren_in_row,
            counter.n_fetched,
            if are_copies {
                "were copies of others"
            } else {
                "had nothing new and led to nothing new"
            }
        );
        counter.frozen = Some(Frozen {
            refuses_all: are_copies && !is_folder(&level),
            reason: reason.clone(),
        });
        Some(trap(&level, reason))
    }

    /// Forgets the patterns with the fewest pages when there are too many. The frozen go last.
    fn forget_surplus(&mut self) {
        if self.counters.len() <= self.options.patterns_max {
            return;
        }
        let rank = |counter: &Counter| (counter.frozen.is_some(), counter.n_fetched);
        let mut ranks: Vec<_> = self.counters.values().map(rank).collect();
        ranks.sort_unstable();
        let (middle, mut room) = (ranks[ranks.len() / 2], self.options.patterns_max / 2);
        self.counters.retain(|_, counter| {
            let stays = rank(counter) > middle || (rank(counter) == middle && room > 0);
            room = room.saturating_sub(usize::from(stays));
            stays
        });
    }

    /// What is frozen so far, by pattern.
    pub fn frozen(&self) -> Vec<Trap> {
        let counters = self.counters.iter();
        counters
            .filter_map(|(level, counter)| Some(trap(level, counter.frozen.as_ref()?.reason.clone())))
            .collect()
    }

    /// How many things are remembered, for a test of bounds.
    pub fn memory_len(&self) -> usize {
        let memories = self.blocks.len() + self.contents.len() + self.pages.len();
        self.counters.len() + self.parameters.len() + memories
    }
}

fn trap(pattern: &str, reason: String) -> Trap {
    Trap {
        pattern: pattern.to_owned(),
        reason,
    }
}

fn hash_of(url: &Url) -> u64 {
    HASHER.hash_one(url.as_str())
}
