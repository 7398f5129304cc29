//! Small statistics: what a count says about a chance, and what is left to see.
//!
//! Decisions of the form "nine of ten rows" or "at least three" depend on how many there were to
//! look at. These functions answer the question behind them: whether what was seen would be odd if
//! a chance had the size assumed, where a chance lies given what was seen, how much was not seen
//! yet, and what it costs to write something down.

/// The chance of at least this many successes among independent trials that each succeed with this
/// chance.
///
/// ```
/// use untemplate::statistics::binomial_tail;
/// assert!((binomial_tail(3, 3, 0.5) - 0.125).abs() < 1e-12);
/// ```
pub fn binomial_tail(successes: usize, trials: usize, chance: f64) -> f64 {
    let sure = |is_met: bool| if is_met { 1.0 } else { 0.0 };
    if successes == 0 || successes > trials {
        return sure(successes == 0);
    }
    if chance <= 0.0 || chance >= 1.0 {
        return sure(chance >= 1.0);
    }
    // Terms are kept as logarithms: of a thousand trials the first is too small for a number.
    let (success, failure) = (chance.ln(), (-chance).ln_1p());
    let mut log_term = trials as f64 * failure;
    let (mut below, mut tail) = (0.0, 0.0);
    for count in 0..=trials {
        *if count < successes { &mut below } else { &mut tail } += log_term.exp();
        log_term += ((trials - count) as f64 / (count + 1) as f64).ln() + success - failure;
    }
    // The smaller of the two sums is the more exact one.
    if below < tail { 1.0 - below } else { tail }.clamp(0.0, 1.0)
}

/// Where the chance of a success lies after some trials, with this confidence: the central interval
/// of the Beta distribution that all chances being equally likely beforehand leads to.
///
/// ```
/// use untemplate::statistics::beta_interval;
/// let (few, many) = (beta_interval(9, 10, 0.9), beta_interval(900, 1000, 0.9));
/// assert!(few.0 < 0.7 && many.0 > 0.88);
/// ```
pub fn beta_interval(successes: usize, trials: usize, confidence: f64) -> (f64, f64) {
    let outside = (1.0 - confidence) / 2.0;
    (
        beta_quantile(successes, trials, outside),
        beta_quantile(successes, trials, 1.0 - outside),
    )
}

/// The chance below which the true one lies with this probability. For whole numbers the Beta
/// distribution is a binomial tail.
fn beta_quantile(successes: usize, trials: usize, probability: f64) -> f64 {
    let (mut low, mut high) = (0.0, 1.0);
    // Each step halves the interval: forty leave less than a millionth of a millionth.
    for _ in 0..40 {
        let middle = f64::midpoint(low, high);
        let is_below = binomial_tail(successes + 1, trials + 1, middle) < probability;
        *if is_below { &mut low } else { &mut high } = middle;
    }
    f64::midpoint(low, high)
}

/// The chance that the next one is of a kind that was never seen (Good and Turing): the share of
/// those seen whose kind was seen once.
pub fn unseen_chance(seen_once: usize, seen: usize) -> f64 {
    if seen == 0 {
        return 1.0;
    }
    seen_once as f64 / seen as f64
}

/// The entropy, in bits, of weights that need not sum to one.
pub fn entropy(weights: impl Iterator<Item = f64> + Clone) -> f64 {
    let total: f64 = weights.clone().sum();
    let shares = weights.filter(|&weight| weight > 0.0).map(|weight| weight / total);
    shares.map(|share| -share * share.log2()).sum()
}

/// The bits that it takes to write down which kind each of many things is of, where this many are
/// of each kind.
pub fn description_length(counts: &[usize]) -> f64 {
    let total: usize = counts.iter().sum();
    total as f64 * entropy(counts.iter().map(|&count| count as f64))
}

/// The chance that at most `present` of `pages` have what `seen` of `of` pages had, if nothing has
/// changed: the tail of the beta-binomial distribution. The true share is not known, it was seen on
/// few pages, and has the distribution that Jeffreys' prior and these pages give it. So what ten of
/// ten pages had may be missing on a few of a hundred others without an alarm, and what is missing
/// on all of them raises one after a handful.
pub(crate) fn chance_of_so_few((present, pages): (usize, usize), (seen, of): (usize, usize)) -> f64 {
    let seen = seen.min(of);
    let (with, without) = (seen as f64 + 0.5, (of - seen) as f64 + 0.5);
    let n = pages as f64;
    // The chance that none has it, then from each number to the next; logarithms, since both are
    // tiny.
    let mut log: f64 = (0..pages)
        .map(|page| ((without + page as f64) / (with + without + page as f64)).ln())
        .sum();
    let mut sum = 0.0;
    for count in 0..=present.min(pages) {
        sum += log.exp();
        let k = count as f64;
        if count < pages {
            log += ((n - k) / (k + 1.0)).ln() + ((k + with) / (n - k - 1.0 + without)).ln();
        }
    }
    sum.min(1.0)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn check(found: f64, expected: f64) {
        assert!((found - expected).abs() < 1e-9, "{found} is not {expected}");
    }

    #[test]
    fn tails_are_sums_of_the_binomial_distribution() {
        check(binomial_tail(1, 3, 0.5), 0.875);
        check(binomial_tail(1, 2, 0.25), 0.4375);
        check(binomial_tail(2, 2, 0.25), 0.0625);
        check(binomial_tail(0, 5, 0.3), 1.0);
        check(binomial_tail(6, 5, 0.3), 0.0);
        check(binomial_tail(5, 5, 1.0), 1.0);
        check(binomial_tail(1, 5, 0.0), 0.0);
        let halves = binomial_tail(5_001, 10_001, 0.5);
        check(halves, 0.5);
    }

    #[test]
    fn intervals_are_narrow_where_much_was_seen() {
        // Nothing was seen: every chance is as likely.
        let (low, high) = beta_interval(0, 0, 0.9);
        check(low, 0.05);
        check(high, 0.95);
        // One success of one: the distribution of the larger of two chances.
        check(beta_interval(1, 1, 0.5).0, 0.5);
        let width = |trials| {
            let (low, high) = beta_interval(trials / 2, trials, 0.9);
            high - low
        };
        assert!(width(10) > width(100) && width(100) > width(1000));
    }

    #[test]
    fn what_was_seen_once_says_what_was_not_seen() {
        check(unseen_chance(0, 0), 1.0);
        check(unseen_chance(3, 12), 0.25);
        check(entropy([1.0, 1.0, 0.0].into_iter()), 1.0);
        check(description_length(&[4, 4]), 8.0);
        check(description_length(&[8]), 0.0);
    }

    #[test]
    fn chances_are_sums_of_the_beta_binomial_distribution() {
        // Without training pages the share is as likely low as high.
        assert!((chance_of_so_few((0, 1), (0, 0)) - 0.5).abs() < 1e-12);
        assert!((chance_of_so_few((0, 2), (1, 1)) - (0.5 * 1.5) / (2.0 * 3.0)).abs() < 1e-12);
        assert!((chance_of_so_few((7, 7), (3, 9)) - 1.0).abs() < 1e-9);
    }

    #[test]
    fn few_pages_prove_little_and_many_prove_a_loss() {
        assert!(chance_of_so_few((0, 1), (10, 10)) > 0.01);
        assert!(chance_of_so_few((0, 5), (10, 10)) < 1e-3);
        assert!(chance_of_so_few((90, 100), (10, 10)) > 0.01);
        assert!(chance_of_so_few((0, 1000), (10, 10)) < 1e-12);
    }
}
