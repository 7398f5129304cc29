//! Statistics: whether a share has changed, or chance explains it.
//!
//! In: how many of the training pages had something, and how many of other pages do. Out: the chance of so few. The true share is not known, it was
//! seen on few pages: it has the distribution that Jeffreys' prior and the training pages give it, and the number of other pages that have it follows
//! the beta-binomial distribution. So what ten of ten training pages had may be missing on a few of a hundred others without an alarm, and what is
//! missing on all of them raises one after a handful.

/// The chance that at most `present` of `pages` have what `seen` of `of` pages had, if nothing has changed.
pub(crate) fn chance_of_so_few((present, pages): (usize, usize), (seen, of): (usize, usize)) -> f64 {
    let seen = seen.min(of);
    let (with, without) = (seen as f64 + 0.5, (of - seen) as f64 + 0.5);
    let n = pages as f64;
    // The chance that none has it, then from each number to the next; logarithms, since both are tiny.
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
