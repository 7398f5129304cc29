//! Grouping: like pages into classes.
//!
//! In: how alike each two pages are. Out: groups. Pages come together from the bottom up: of all
//! pairs of groups the one that is most alike, measured against how alike the pages within each of
//! the two are, is joined next; it ends when the best pair is less alike than a share of that. So a
//! class of pages that vary is allowed to, and two classes of uniform pages stay apart though they
//! are more alike than pages of the first. No absolute threshold would do both.

use super::tuning::ModelTuning;

/// Pairwise likeness of `len` pages.
#[derive(Debug, Clone)]
pub struct LikenessTable {
    /// How many pages.
    pub len: usize,
    values: Vec<f32>,
}

impl LikenessTable {
    /// Compares each two of `len` pages.
    pub fn of(len: usize, mut likeness: impl FnMut(usize, usize) -> f32) -> Self {
        let mut values = vec![1.0; len * len];
        for left in 0..len {
            for right in 0..left {
                let value = likeness(left, right);
                values[left * len + right] = value;
                values[right * len + left] = value;
            }
        }
        Self { len, values }
    }

    /// How alike two pages are.
    pub fn get(&self, left: usize, right: usize) -> f32 {
        self.values[left * self.len + right]
    }
}

/// Groups pages: the numbers of those that are together, in order.
pub fn group(table: &LikenessTable, tuning: &ModelTuning) -> Vec<Vec<usize>> {
    let mut grouping = Grouping::new(table, tuning);
    while let Some((left, right)) = grouping.next_pair() {
        grouping.join(left, right);
    }
    let mut groups: Vec<Vec<usize>> = grouping.members.into_iter().filter(|group| !group.is_empty()).collect();
    for group in &mut groups {
        group.sort_unstable();
    }
    groups.sort_unstable();
    groups
}

struct Grouping {
    tuning: ModelTuning,
    members: Vec<Vec<usize>>,
    /// Mean likeness between groups.
    between: LikenessTable,
    /// Sum of likeness of pairs within each group.
    within: Vec<f32>,
    /// For each group its best partner and their score.
    best: Vec<Option<(f32, usize)>>,
}

impl Grouping {
    fn new(table: &LikenessTable, tuning: &ModelTuning) -> Self {
        let mut grouping = Self {
            tuning: *tuning,
            members: (0..table.len).map(|page| vec![page]).collect(),
            between: table.clone(),
            within: vec![0.0; table.len],
            best: vec![None; table.len],
        };
        for group in 0..table.len {
            grouping.find_best(group);
        }
        grouping
    }

    /// How alike the pages of a group are; what is expected counts as one pair.
    fn within(&self, group: usize) -> f32 {
        let size = self.members[group].len() as f32;
        (self.within[group] + self.tuning.expected_likeness) / (size * (size - 1.0) / 2.0 + 1.0)
    }

    fn score(&self, left: usize, right: usize) -> f32 {
        self.between.get(left, right) / self.within(left).min(self.within(right))
    }

    fn is_live(&self, group: usize) -> bool {
        !self.members[group].is_empty()
    }

    fn find_best(&mut self, group: usize) {
        let others = (0..self.between.len).filter(|&other| other != group && self.is_live(other));
        let scored = others.map(|other| (self.score(group, other), other));
        self.best[group] = scored.reduce(|best, next| if next.0 > best.0 { next } else { best });
    }

    /// The pair to join next, while there is one that is alike enough.
    fn next_pair(&self) -> Option<(usize, usize)> {
        let live = (0..self.best.len()).filter(|&group| self.is_live(group));
        let scored = live.filter_map(|group| self.best[group].map(|(score, other)| (score, group, other)));
        let best = scored.reduce(|best, next| if next.0 > best.0 { next } else { best })?;
        (best.0 >= self.tuning.join_share).then_some((best.1.min(best.2), best.1.max(best.2)))
    }

    /// Joins the second group to the first.
    fn join(&mut self, first: usize, second: usize) {
        let len = self.between.len;
        let moved = std::mem::take(&mut self.members[second]);
        let (n_first, n_second) = (self.members[first].len() as f32, moved.len() as f32);
        self.within[first] += self.within[second] + self.between.get(first, second) * n_first * n_second;
        self.members[first].extend(moved);
        for other in 0..len {
            let mean = (self.between.get(first, other) * n_first + self.between.get(second, other) * n_second)
                / (n_first + n_second);
            self.between.values[first * len + other] = mean;
            self.between.values[other * len + first] = mean;
        }
        self.best[second] = None;
        for other in 0..len {
            if !self.is_live(other) || other == first {
                continue;
            }
            let score = self.score(first, other);
            match self.best[other] {
                Some((_, partner)) if partner == first || partner == second => self.find_best(other),
                Some((best, _)) if score <= best => {}
                _ => self.best[other] = Some((score, first)),
            }
        }
        self.find_best(first);
    }
}
