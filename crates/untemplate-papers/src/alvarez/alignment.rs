//! Alignment: the symbols of all records under common columns.
//!
//! In: the string of each record. Out: for each record the column of each of its symbols. Paper:
//! section 5, the center-star method: the longest string is the master; a string with one optimal
//! alignment adds its symbols to the master, others wait for the next pass, and what still has
//! several is aligned leftmost at the end.

/// The columns of each record's symbols, and how many columns there are.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Alignment {
    /// For each record, the column of each symbol; none for what was cut, or found no room among
    /// the columns.
    pub columns: Vec<Vec<Option<usize>>>,
    /// The symbols of the columns.
    pub master: Vec<u32>,
}

/// The longest strings that are aligned; longer ones are cut.
const LENGTH_MAX: usize = 3000;

/// How many columns there may be; a string that would add more is aligned with those that there
/// are.
const MASTER_MAX: usize = 2 * LENGTH_MAX;

/// Aligns all strings.
pub fn center_star(strings: &[Vec<u32>]) -> Alignment {
    let cut = |string: &Vec<u32>| string[..string.len().min(LENGTH_MAX)].to_vec();
    let strings: Vec<Vec<u32>> = strings.iter().map(cut).collect();
    let longest = (0..strings.len()).max_by_key(|&at| (strings[at].len(), std::cmp::Reverse(at)));
    let mut master: Vec<u32> = longest.map(|at| strings[at].clone()).unwrap_or_default();
    let mut waiting: Vec<usize> = (0..strings.len()).filter(|&at| Some(at) != longest).collect();
    loop {
        let length = master.len();
        waiting.retain(|&at| {
            let pairs = Pairs::of(&master, &strings[at]);
            let is_unique = pairs.n_best() == 1;
            if is_unique {
                pairs.merge(&mut master, &strings[at]);
            }
            !is_unique
        });
        if waiting.is_empty() || master.len() == length {
            break;
        }
    }
    for at in waiting {
        let pairs = Pairs::of(&master, &strings[at]);
        pairs.merge(&mut master, &strings[at]);
    }
    let columns = strings
        .iter()
        .map(|string| Pairs::of(&master, string).matches(&master, string))
        .collect();
    Alignment { columns, master }
}

/// The lengths of longest common subsequences of all tails of two strings.
struct Pairs {
    width: usize,
    best: Vec<u32>,
    /// How many sets of matches reach the best length, 2 for more than one.
    ways: Vec<u8>,
}

impl Pairs {
    fn of(master: &[u32], string: &[u32]) -> Self {
        let width = string.len() + 1;
        let mut pairs = Self {
            width,
            best: vec![0; (master.len() + 1) * width],
            ways: vec![1; (master.len() + 1) * width],
        };
        for i in (0..master.len()).rev() {
            for j in (0..string.len()).rev() {
                pairs.fill(i, j, master[i] == string[j]);
            }
        }
        pairs
    }

    fn at(&self, i: usize, j: usize) -> usize {
        i * self.width + j
    }

    /// Counts distinct sets of matches: with this match, without this symbol of the one, without
    /// that of the other, less those without both, which were counted twice.
    fn fill(&mut self, i: usize, j: usize, is_match: bool) {
        let (down, right, both) = (self.at(i + 1, j), self.at(i, j + 1), self.at(i + 1, j + 1));
        let matched = if is_match { self.best[both] + 1 } else { 0 };
        let best = matched.max(self.best[down]).max(self.best[right]);
        let mut ways = 0i32;
        if is_match && matched == best {
            ways += i32::from(self.ways[both]);
        }
        if self.best[down] == best {
            ways += i32::from(self.ways[down]);
        }
        if self.best[right] == best {
            ways += i32::from(self.ways[right]);
        }
        if self.best[both] == best && self.best[down] == best && self.best[right] == best {
            ways -= i32::from(self.ways[both]);
        }
        let here = self.at(i, j);
        self.best[here] = best;
        self.ways[here] = ways.clamp(1, i32::from(WAYS_MAX)) as u8;
    }

    fn n_best(&self) -> u8 {
        self.ways[0]
    }

    /// The leftmost optimal alignment: for each symbol of the string its place in the master.
    fn matches(&self, master: &[u32], string: &[u32]) -> Vec<Option<usize>> {
        let mut matches = vec![None; string.len()];
        let (mut i, mut j) = (0, 0);
        while i < master.len() && j < string.len() {
            let here = self.best[self.at(i, j)];
            if master[i] == string[j] && here == self.best[self.at(i + 1, j + 1)] + 1 {
                matches[j] = Some(i);
                (i, j) = (i + 1, j + 1);
            } else if here == self.best[self.at(i + 1, j)] {
                i += 1;
            } else {
                j += 1;
            }
        }
        matches
    }

    /// Adds what the string has to the master, unless that would make it too long.
    fn merge(&self, master: &mut Vec<u32>, string: &[u32]) {
        let merged = self.merged(master, string);
        if merged.len() <= MASTER_MAX {
            *master = merged;
        }
    }

    /// The master with the symbols that only the string has, each after the match before it.
    fn merged(&self, master: &[u32], string: &[u32]) -> Vec<u32> {
        let matches = self.matches(master, string);
        let mut all = Vec::with_capacity(master.len() + string.len());
        let mut from = 0;
        for (&symbol, matched) in string.iter().zip(matches) {
            match matched {
                Some(at) => {
                    all.extend_from_slice(&master[from..=at]);
                    from = at + 1;
                }
                None => all.push(symbol),
            }
        }
        all.extend_from_slice(&master[from..]);
        all
    }
}

/// Beyond this number, ways are not counted.
const WAYS_MAX: u8 = 100;
