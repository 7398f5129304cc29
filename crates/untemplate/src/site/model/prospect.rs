//! Prospects: which address to visit next, by the chance that it leads to something new.
//!
//! In: what the addresses visited so far led to, by the shape of the address and by the link
//! collection that offered it. Out: the addresses most worth a visit. The chance that the next draw
//! is new is read off the classes met once (Good and Turing): a shape that led to one class ten
//! times is known, one that led to a new class each time is not, and one that was never tried comes
//! first. An address is as promising as the surer of its two predictors says.

use std::collections::HashMap;

use foldhash::fast::FixedState;

/// What visits of one kind led to: how often to each class, and to no page.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Outcomes {
    /// By class, in order of first visits; `None` for addresses that led to no page.
    pub counts: Vec<(Option<usize>, u32)>,
}

impl Outcomes {
    /// Notes a visit.
    pub fn add(&mut self, class: Option<usize>) {
        match self.counts.iter_mut().find(|(known, _)| *known == class) {
            Some((_, count)) => *count += 1,
            None => self.counts.push((class, 1)),
        }
    }

    /// How many visits.
    pub fn total(&self) -> u32 {
        self.counts.iter().map(|(_, count)| count).sum()
    }

    /// The chance that the next one leads to something new.
    pub fn novelty(&self) -> f64 {
        let once = self.counts.iter().filter(|(_, count)| *count == 1).count();
        (once as f64 + 0.5) / (f64::from(self.total()) + 1.0)
    }

    /// The share of visits that led to each class.
    pub fn shares(&self) -> impl Iterator<Item = (Option<usize>, f64)> + '_ {
        let total = f64::from(self.total().max(1));
        self.counts
            .iter()
            .map(move |&(class, count)| (class, f64::from(count) / total))
    }
}

/// An address that was not visited: its number, its shape, and the link collections that offer it.
#[derive(Debug, Clone)]
pub struct Prospect {
    /// The address.
    pub address: u32,
    /// A number that has nothing to do with where links to it stand, nor with when it was met:
    /// those of one kind are visited in its order, so that a site is explored alike from each of
    /// its entries.
    pub order: u64,
    /// Its shape.
    pub shape: u32,
    /// The channels that lead to it: a class and a path of its pages.
    pub channels: Vec<(usize, u32)>,
}

/// What is known of shapes and channels.
#[derive(Debug, Clone, Default)]
pub struct Experience {
    /// By shape.
    pub shapes: HashMap<u32, Outcomes, FixedState>,
    /// By channel.
    pub channels: HashMap<(usize, u32), Outcomes, FixedState>,
}

/// Prospects that are as good as each other: a shape, and the channels that lead there.
type Cell<'a> = (u32, &'a [(usize, u32)]);

/// The least chance of an address whose shape was never tried.
const UNTRIED: f64 = 0.3;

impl Experience {
    /// Notes what an address of this shape, offered by these channels, led to.
    pub fn add(&mut self, shape: u32, channels: &[(usize, u32)], class: Option<usize>) {
        self.shapes.entry(shape).or_default().add(class);
        for &channel in channels {
            self.channels.entry(channel).or_default().add(class);
        }
    }

    /// The chance that a prospect leads to something new.
    pub fn novelty(&self, shape: u32, channels: &[(usize, u32)]) -> f64 {
        let by_channel = channels.iter().filter_map(|channel| self.channels.get(channel));
        let surest = by_channel.map(Outcomes::novelty).fold(1.0, f64::min);
        match self.shapes.get(&shape) {
            Some(outcomes) => surest.min(outcomes.novelty()),
            None => surest.max(UNTRIED),
        }
    }

    /// What one more visit to a shape is worth, beside how many addresses it has: less with each
    /// visit, and less where few led to pages.
    fn expected_yield(&self, shape: u32) -> f64 {
        let Some(outcomes) = self.shapes.get(&shape) else {
            return 1.0;
        };
        let n_dead: u32 = outcomes
            .counts
            .iter()
            .filter(|(class, _)| class.is_none())
            .map(|(_, n)| n)
            .sum();
        let total = f64::from(outcomes.total());
        (total - f64::from(n_dead) + 1.0) / (total + 1.0) / (total + 1.0)
    }

    /// What an address probably leads to: by its shape, or where that was never tried by its
    /// channels.
    pub fn outcomes(&self, shape: u32, channels: &[(usize, u32)]) -> Option<&Outcomes> {
        let by_shape = self.shapes.get(&shape);
        by_shape.or_else(|| channels.iter().find_map(|channel| self.channels.get(channel)))
    }

    /// The most promising prospects, at most `count` of them, each at least this promising. Each
    /// choice counts as a visit that brings nothing new, so that a batch is spread over what is
    /// unknown. Shapes are visited in proportion to the square root of their addresses: a class is
    /// told from others by several of its pages, and more depends on the large ones.
    pub fn choose(&self, prospects: &[Prospect], count: usize, least: f64) -> Vec<u32> {
        let mut expected = self.clone();
        let mut cells: HashMap<Cell<'_>, Vec<(u64, u32)>, FixedState> = HashMap::default();
        for prospect in prospects {
            cells
                .entry((prospect.shape, &prospect.channels))
                .or_default()
                .push((prospect.order, prospect.address));
        }
        let mut cells: Vec<(Cell<'_>, Vec<(u64, u32)>)> = cells.into_iter().collect();
        for (_, addresses) in &mut cells {
            // Neighbours in a list are alike; spread over it.
            addresses.sort_unstable_by(|left, right| right.cmp(left));
        }
        cells.sort_unstable_by_key(|(_, addresses)| addresses.iter().map(|&(_, address)| address).min());
        let mut n_of_shape: HashMap<u32, f64, FixedState> = HashMap::default();
        for prospect in prospects {
            *n_of_shape.entry(prospect.shape).or_default() += 1.0;
        }
        let mut chosen = Vec::new();
        while chosen.len() < count {
            let scored = cells
                .iter()
                .enumerate()
                .filter(|(_, (_, addresses))| !addresses.is_empty());
            let scored = scored.filter_map(|(place, ((shape, channels), _))| {
                let novelty = expected.novelty(*shape, channels);
                let expected_yield = n_of_shape[shape].sqrt() * expected.expected_yield(*shape);
                (novelty >= least).then_some((expected_yield, place))
            });
            let Some((_, place)) = scored.reduce(|best, next| if next.0 > best.0 { next } else { best }) else {
                break;
            };
            let ((shape, channels), addresses) = &mut cells[place];
            chosen.extend(addresses.pop().map(|(_, address)| address));
            expected.expect(*shape, channels);
        }
        chosen
    }

    /// Notes a visit that will probably bring what came most often so far.
    fn expect(&mut self, shape: u32, channels: &[(usize, u32)]) {
        expect_one(self.shapes.entry(shape).or_default());
        for &channel in channels {
            expect_one(self.channels.entry(channel).or_default());
        }
    }
}

/// A class that no page is of: what a chosen address is expected to lead to where nothing is known.
const SOME_CLASS: usize = usize::MAX;

fn expect_one(outcomes: &mut Outcomes) {
    let most = outcomes.counts.iter_mut().max_by_key(|(_, count)| *count);
    match most {
        Some((_, count)) => *count += 1,
        // Two, so that it does not look like something met once.
        None => outcomes.counts.push((Some(SOME_CLASS), 2)),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn prospects(shapes: &[u32]) -> Vec<Prospect> {
        let all = shapes.iter().zip(0..);
        all.map(|(&shape, address)| Prospect {
            address,
            order: u64::from(address),
            shape,
            channels: vec![(0, 7)],
        })
        .collect()
    }

    #[test]
    fn what_was_never_tried_comes_first() {
        let mut experience = Experience::default();
        for _ in 0..8 {
            experience.add(1, &[(0, 7)], Some(3));
        }
        assert_eq!(experience.choose(&prospects(&[1, 1, 2]), 1, 0.0), [2]);
        assert!(experience.choose(&prospects(&[1, 1]), 5, 0.1).is_empty());
    }

    #[test]
    fn a_batch_is_spread() {
        let experience = Experience::default();
        let mut chosen = experience.choose(&prospects(&[1, 1, 1, 2, 3]), 3, 0.0);
        chosen.sort_unstable();
        let shapes: Vec<u32> = chosen
            .iter()
            .map(|&address| [1, 1, 1, 2, 3][address as usize])
            .collect();
        assert_eq!(shapes, [1, 2, 3]);
    }

    #[test]
    fn mixed_outcomes_stay_promising() {
        let mut menu = Outcomes::default();
        let mut list = Outcomes::default();
        for class in 0..5 {
            menu.add(Some(class));
            list.add(Some(0));
        }
        assert!(menu.novelty() > 0.9 && list.novelty() < 0.1);
    }
}
